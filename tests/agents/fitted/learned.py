"""A reader that was fitted on the rows of our own grammar, once for all tests of a process."""

from __future__ import annotations

import functools

from tests.agents.fitted import rows
from withstood import lexicons
from withstood.agents.fitted import learning, model
from withstood.agents.fitted.model import About, Model
from withstood.agents.fitted.outline import Outline, Outliner
from withstood.agents.fitted.reading import Reading
from withstood.agents.programmed.sight import Sight
from withstood.claims.label import Labelled


@functools.cache
def outliner() -> Outliner:
    return Outliner(Sight())


def outline(text: str) -> Outline:
    return outliner().outline(text, lexicons.detect(text))


def fitted(taught: list[Labelled]) -> Model:
    parts = learning.learned([learning.Lesson(outline(row.text), row.labels) for row in taught])
    return model.made(About("rows", "0" * 64, len(taught), 2 * len(taught)), parts)


@functools.cache
def english() -> Model:
    return fitted(rows.english(80))


@functools.cache
def korean() -> Model:
    return fitted(rows.korean(40))


def reading(fit: Model) -> Reading:
    return Reading(fit.parts, outliner())
