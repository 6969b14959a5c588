"""Dropping: what a run of any job would have come to without a role, a round, a source or a rule, from its answers.

| part | without it |
|---|---|
| a role | its seats gave no answer |
| a round | no seat gave an answer in it; the first is never dropped |
| a source | what was cited of it, or read there, does not stand there |
| a rule | the setting that turns it off; a row of a table, as in `arbiter-v2:1a`, is passed over |

All other answers are held as they were given; only where readers are dropped, whose opinions are numbered together, a
question that would have been another is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from withstood.claims import address
from withstood.claims.inspection import Checked, Inspection
from withstood.claims.opinion import Reading
from withstood.claims.research import Inspected, Seen
from withstood.engine.recall import Seat
from withstood.engine.replay import Answered, Change, Needs, Supposed
from withstood.errors import InputError, UsageError
from withstood.form import shown
from withstood.jobs import header as headers
from withstood.jobs import kinds, recorded
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind
from withstood.jobs.marking import marking
from withstood.jobs.recorded import Recorded
from withstood.jobs.sweeping import Tally, decided
from withstood.journal.port import Shelf
from withstood.protocols import investigation_briefs
from withstood.protocols.asks import Ask, Silent
from withstood.rules.rulebook import DROPPABLE, Rulebook
from withstood.verdict import Verdict

RULES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "reason gate": {"arbiter.reason_gate": "off"},
        "arbiter's second edition": {"arbiter.edition": "v1"},
        "conflicts of terms": {"conflicts.mode": "primary"},
        "conflicts of granularity": {"conflicts.granularity": "off"},
        "semantic conflicts": {"conflicts.semantic": "off"},
        "scope of the review": {"review.scope": "any"},
        "mass: much greater": {"mass.factor": "1", "mass.gap": "0"},
        "bonus for domains": {"strength.per_domain": "0"},
        "weight of contradictions": {"strength.per_contradiction": "0"},
    }
)
"""Rules that a setting turns off, and how."""
PROTOCOLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "arbiter": ("cr-v1", "cr-v2"),
        "conflicts": ("cr-v1", "cr-v2", "single"),
        "review": ("cr-v1", "cr-v2"),
        "mass": ("investigation",),
        "strength": ("research",),
    }
)
"""Which protocols ask the tables of a section."""
SORTS = ("role", "round", "source", "rule")


@dataclass(frozen=True, slots=True)
class Part:
    sort: str
    name: str

    def __str__(self) -> str:
        return f"{self.sort}={self.name}"


def part(stated: str) -> Part:
    sort, equals, name = stated.partition("=")
    if not equals or sort not in SORTS or not name:
        raise UsageError(f"Wanted role=NAME, round=NUMBER, source=NAME or rule=NAME, found {shown(stated)}.")
    if sort == "rule" and name not in RULES and not _is_row(name):
        raise UsageError(
            f"There is no rule {shown(name)} to drop. There are: {', '.join(RULES)}; and rows of the tables "
            f"{', '.join(DROPPABLE)}, as in arbiter-v2:1a."
        )
    return Part(sort, name)


def _is_row(name: str) -> bool:
    table, _, row = name.partition(":")
    return row in DROPPABLE.get(table, ())


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is dropped; every part that is there, one after the other, where none is named."""

    run: str
    parts: tuple[Part, ...] = ()
    gold: Path | None = None
    layout: str | None = None


@dataclass(slots=True)
class Dropped:
    """What the run came to without each part. `there` counts the cases that have the part; `own` is the run itself."""

    run: str
    cases: int = 0
    own: Tally = field(default_factory=Tally)
    tallies: dict[Part, Tally] = field(default_factory=dict[Part, Tally])
    there: dict[Part, int] = field(default_factory=dict[Part, int])
    measure: str = ""


async def drop(store: Shelf, wanted: Wanted) -> Dropped:
    entry = await recorded.find(store, wanted.run)
    bench = _Bench(headers.read(entry.name, entry.first), entry.name, wanted)
    async for case in recorded.in_order(recorded.cases(store, entry.name, bench.kind.matter)):
        if case.case is not None and case.kept is not None:
            bench.take(case)
    for one in wanted.parts:
        if one not in bench.found.there:
            there = ", ".join(map(str, bench.seen)) or "none"
            raise InputError(f"No case of {entry.name} has the part {one}. There are: {there}.")
    return bench.found


class _Bench:
    """Takes cases one at a time and judges each without every part that it has."""

    def __init__(self, known: Header, run: str, wanted: Wanted) -> None:
        self._known, self._wanted = known, wanted
        self.kind: Kind = kinds.of(known)
        self.found = Dropped(run)
        self.seen: dict[Part, None] = {}
        self._marks = marking(known, wanted.gold, wanted.layout) if wanted.gold else None
        self.found.measure = self._marks.measure if self._marks else ""

    def take(self, case: Recorded) -> None:
        answered = Answered(case.answers)
        flow_of = self.kind.flows(self._known, self._known.rulebook)
        then = decided(case, answered.judge(flow_of(case.case)), self._known)
        given = answered.given()
        self.found.cases += 1
        self.found.own.take(self.kind, then, then, self._marks, case.case)
        parts = dict.fromkeys((*_parts(given), *_rules(self._known, then)))
        self.seen |= parts
        for one in parts:
            if not self._wanted.parts or one in self._wanted.parts:
                now = self._without(one, answered, given, case)
                self._tally(one, now, then, case)

    def _tally(self, one: Part, now: Verdict | Needs, then: Verdict, case: Recorded) -> None:
        self.found.there[one] = self.found.there.get(one, 0) + 1
        tally = self.found.tallies.setdefault(one, Tally())
        tally.take(self.kind, now, then, self._marks, case.case)

    def _without(
        self, one: Part, answered: Answered, given: Sequence[tuple[Ask[Any], Any]], case: Recorded
    ) -> Verdict | Needs:
        book = self._known.rulebook
        if one.sort == "rule":
            return answered.judge(self.kind.flows(self._known, book.adjusted(_turned_off(one.name, book)))(case.case))
        flow = self.kind.flows(self._known, book)(case.case)
        return answered.suppose(flow, _supposed(one, given))


def _parts(given: Sequence[tuple[Ask[Any], Any]]) -> Iterator[Part]:
    for ask, value in given:
        if isinstance(value, Silent):
            continue
        yield Part("role", ask.role)
        if ask.round > 1:
            yield Part("round", str(ask.round))
        yield from (Part("source", name) for name in _sources(ask, value).values())


def _rules(known: Header, then: Verdict) -> Iterator[Part]:
    """What a setting of the protocol's own tables would turn off; then every row that has decided something."""
    now = known.rulebook.settings()
    for name, changes in RULES.items():
        own = all(known.protocol in PROTOCOLS[setting.partition(".")[0]] for setting in changes)
        if own and any(now[setting] != value for setting, value in changes.items()):
            yield Part("rule", name)
    for step in then.path:
        if _is_row(row := f"{step.table}:{step.ruling.row}"):
            yield Part("rule", row)


def _turned_off(name: str, book: Rulebook) -> Mapping[str, str]:
    """The settings without this rule."""
    if name in RULES:
        return RULES[name]
    return {"rows.without": ";".join(filter(None, (book.rows.without, name)))}


def _sources(ask: Ask[Any], value: Any) -> Mapping[str, str]:
    """By the id of what was looked for, where it was found."""
    if isinstance(value, Inspection) and isinstance(ask.brief, investigation_briefs.CheckBrief):
        kinds_of = {one.id: one.type for one in ask.brief.citations}
        return {one.id: kinds_of[one.id] for one in value.pieces if one.id in kinds_of}
    if isinstance(value, Inspected):
        return {one.id: address.domain(one.url) for one in value.seen if one.url and address.domain(one.url)}
    return {}


def _supposed(one: Part, given: Sequence[tuple[Ask[Any], Any]]) -> Supposed:
    if one.sort == "source":
        changed: dict[Seat, Change] = {}
        for ask, value in given:
            lost = frozenset(name for name, source in _sources(ask, value).items() if source == one.name)
            if lost:
                changed[ask.seat] = _losing(lost)
        return Supposed(changed)
    heard = [(ask, value) for ask, value in given if not isinstance(value, Silent)]
    seats = [(ask, value) for ask, value in heard if one.name == (ask.role if one.sort == "role" else str(ask.round))]
    silent = frozenset(ask.seat for ask, _ in seats)
    return Supposed({}, silent, exact=any(isinstance(value, Reading) for _, value in seats))


def _losing(lost: frozenset[str]) -> Change:
    def change(answer: Any) -> Any:
        if isinstance(answer, Inspection):
            return Inspection(tuple([_gone(piece) if piece.id in lost else piece for piece in answer.pieces]))
        return Inspected(tuple([_unseen(seen) if seen.id in lost else seen for seen in answer.seen]))

    return change


def _gone(piece: Checked) -> Checked:
    return Checked(piece.id, "not-there", "the source is dropped")


def _unseen(seen: Seen) -> Seen:
    return replace(seen, found=False, why="the source is dropped")
