"""Calibrating: what share of what runs have said was right, by the word that was said and by the stated confidence.

| run | claim | right by |
|---|---|---|
| of sentiment | the label of a text; each final opinion with its confidence | labels of the same texts |
| of any job | the headline of an item | the answer key: `item` and `gold`, or `item` and `right` |
| of an investigation | each finding with its certainty | the answer key: `item`, `claim`, `right` |
| of an investigation | who brought a finding, and who spoke against it | the answer key: `item`, `claim`, `right` |
| of research | each hypothesis of the thesis with its strength | the answer key: `item`, `claim`, `right` |
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from withstood import form
from withstood.errors import InputError
from withstood.jobs import decided, kinds, recorded
from withstood.jobs import header as headers
from withstood.jobs.answer_key import AnswerKey
from withstood.jobs.calibration import is_certain
from withstood.jobs.gold import Gold
from withstood.jobs.header import Header
from withstood.journal.port import RunEntry, Shelf
from withstood.measures.pairs import measurable, pairs
from withstood.measures.reliability import Claim
from withstood.measures.voters import Item
from withstood.rules import sentence_label
from withstood.verdict import Step

STRENGTH = "strength "
AGAINST = "against: "
RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True, slots=True)
class Measured:
    """All claims of these runs of which something is known. `parts` are those within an item. `votes` say of every
    finding who held it to be right."""

    runs: tuple[str, ...]
    headlines: tuple[Claim, ...]
    parts: tuple[Claim, ...]
    votes: tuple[Item, ...] = ()


async def measure(store: Shelf, runs: Sequence[str], gold: Path, layout: str | None = None) -> Measured:
    entries = [await recorded.find(store, run) for run in runs]
    headlines, parts, votes = list[Claim](), list[Claim](), list[Item]()
    key: AnswerKey | None = None
    for entry in entries:
        known = headers.read(entry.name, entry.first)
        if known.job == "sentiment":
            found = _by_labels(store, entry.name, Gold(gold, layout))
        else:
            key = key or AnswerKey(gold)
            found = _by_key(store, entry, known, key, votes)
        async for claim, is_part in found:
            (parts if is_part else headlines).append(claim)
    if not headlines and not parts:
        raise InputError(
            f"The gold in {gold} does not match {', '.join(one.name for one in entries)}: it says something of not one "
            "item. Ids are compared; `withstood show` names them."
        )
    return Measured(tuple(one.name for one in entries), tuple(headlines), tuple(parts), tuple(votes))


async def _by_labels(store: Shelf, run: str, gold: Gold) -> AsyncIterator[tuple[Claim, bool]]:
    measured = measurable(gold.knowledge)
    source = await decided.source(store, run)
    async for one in source.decided():
        golden = gold.of(one.line.id, one.text_hash)
        if golden is None:
            continue
        label = sentence_label.label([opinion.polarity or "neutral" for opinion in golden.labels]).outcome
        yield Claim(one.line.id, one.line.label or "none", one.line.label == label), False
        wanted = pairs(measured[0], golden.labels) if measured else set[Any]()
        for opinion in one.line.final if measured else ():
            said = pairs(measured[0], decided.said([opinion]))
            if said:
                yield Claim(one.line.id, opinion.polarity, said <= wanted, _number(opinion.confidence)), True


async def _by_key(
    store: Shelf, entry: RunEntry, known: Header, key: AnswerKey, votes: list[Item]
) -> AsyncIterator[tuple[Claim, bool]]:
    kind = kinds.of(known)
    async for case in recorded.in_order(recorded.cases(store, entry.name, kind.matter)):
        if case.case is None or case.ruling is None:
            continue
        result: Any = form.loads(case.line)
        headline = kind.headline(result)
        told = headline if isinstance(headline, str) else form.dumps(headline)
        right = key.headline(case.id, told)
        if right is not None:
            yield Claim(case.id, told, right), False
        for claim in _of_path(case.id, case.ruling.path, key):
            yield claim, True
        votes += _votes(f"{entry.name}/{case.id}", case.id, case.ruling.path, key)


def _of_path(item: str, path: Sequence[Step], key: AnswerKey) -> Iterator[Claim]:
    for step in path:
        if is_certain(step):
            right = key.claim(item, step.item, step.ruling.outcome)
            if right is not None:
                yield Claim(f"{item}/{step.item}", step.ruling.outcome, right, _strength(step))


def _votes(name: str, item: str, path: Sequence[Step], key: AnswerKey) -> Iterator[Item]:
    """Who brought a finding says that it is right, and who speaks against it that it is not: as it was classified
    last."""
    held = {step.item: step.on for step in path if step.table.startswith("classification-") and step.item}
    for step in path:
        right = key.claim(item, step.item, step.ruling.outcome) if step.table.startswith("judgement-") else None
        if right is not None:
            said = {one.removeprefix(AGAINST): WRONG if one.startswith(AGAINST) else RIGHT for one in held[step.item]}
            yield Item(f"{name}/{step.item}", said, RIGHT if right else WRONG)


def _number(stated: object) -> Decimal | None:
    return form.read(Decimal, str(stated)) if isinstance(stated, int | Decimal | str) else None


def _strength(step: Step) -> Decimal | None:
    """As the step tells it."""
    told = next((seen.removeprefix(STRENGTH) for seen in step.on if seen.startswith(STRENGTH)), None)
    try:
        return None if told is None else Decimal(told)
    except InvalidOperation:
        return None
