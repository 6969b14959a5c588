"""Driving a flow by hand: answers by role in, batches and verdict out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from withstood.claims.case import Case, Conventions
from withstood.claims.opinion import Reading, Triplet
from withstood.protocols import sentiment
from withstood.protocols.asks import Ask, Batch, Silent
from withstood.rules.rulebook import PRESETS, Rulebook
from withstood.verdict import Verdict

AGREED = Conventions(
    refs={"ko": ("본품#품질", "본품#가격", "제품 전체#품질"), "en": ("FOOD#QUALITY", "FOOD#PRICES")},
    negation={"ko": ("않", "안 "), "en": (" not ",)},
    contrast={"ko": ("지만",), "en": (" but ",)},
)
NOT_TOLD = Silent("not told")
PROTOCOLS = ("cr-v1", "cr-v2", "single")

Answers: TypeAlias = Mapping[Any, Any]
"""Role, or role and round, to its answer, or to a function of its brief."""


class Driven(NamedTuple):
    verdict: Verdict
    batches: list[Batch]

    @property
    def result(self) -> dict[str, Any]:
        return dict(self.verdict.result)

    @property
    def asked(self) -> list[list[str]]:
        return [[ask.role for ask in batch] for batch in self.batches]

    def brief(self, role: str) -> Any:
        return next(ask.brief for batch in self.batches for ask in batch if ask.role == role)

    def rulings(self, table: str) -> list[tuple[str, str, str, str]]:
        """Item, outcome, row, because of every step of this table."""
        steps = [step for step in self.verdict.path if step.table == table]
        return [(step.item, step.ruling.outcome, step.ruling.row, step.ruling.because) for step in steps]


def book(protocol: str, preset: str = "published", **changes: str) -> Rulebook:
    told = {name.replace("__", "."): value for name, value in changes.items()}
    return PRESETS[preset].adjusted({**sentiment.PROTOCOLS[protocol], **told})


def case(text: str, language: str = "ko") -> Case:
    return Case(1, "r1", text, language, 1)


def drive(
    protocol: str,
    text: str | Case,
    answers: Answers,
    rules: Rulebook | None = None,
    agreed: Conventions = AGREED,
) -> Driven:
    told = case(text) if isinstance(text, str) else text
    flow = sentiment.flow(protocol, told, rules or book(protocol), agreed)
    batches = [next(flow)]
    try:
        while True:
            batches.append(flow.send(tuple(_answer(ask, answers) for ask in batches[-1])))
    except StopIteration as end:
        return Driven(end.value, batches)


def _answer(ask: Ask[Any], answers: Answers) -> Any:
    told: Any = answers.get((ask.role, ask.round), answers.get(ask.role, NOT_TOLD))
    if isinstance(told, Callable):
        return told(ask.brief)
    return told


def reading(*triplets: tuple[str, str, str]) -> Reading:
    """Triplets as ref, term, polarity."""
    return Reading(
        tuple(Triplet(aspect_ref=ref, aspect_term=term, polarity=polarity) for ref, term, polarity in triplets)
    )
