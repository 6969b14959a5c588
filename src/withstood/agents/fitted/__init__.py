"""Fitted agents: readers that were learned from labelled rows. Applying them needs nothing but this package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from withstood.agents.fitted.model import Model, load
from withstood.agents.fitted.outline import Outliner
from withstood.agents.fitted.reading import Reading
from withstood.agents.fitted.seats import seats
from withstood.agents.port import Agent
from withstood.agents.programmed.sight import Sight


def opened(path: Path, extra: Path | None = None) -> Mapping[str, Agent]:
    """An agent for each of P-NEG, P-IMP, P-LIT, S0, A, B and C, all of the model in this file."""
    return of_model(load(path), Sight(extra))


def of_model(model: Model, sight: Sight) -> Mapping[str, Agent]:
    return seats(Reading(model.parts, Outliner(sight)), model.short)
