"""What if: the smallest sets of votes, pieces of evidence or settings whose change flips a ruling of a recorded run.

All other answers are held as they were given. Striking (a vote not cast, evidence not there, nobody answering) and
turning (also another vote) are searched apart; settings are changed one at a time, a number to the nearest value that
flips."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from withstood import form
from withstood.engine.recall import Seat
from withstood.engine.replay import Answered, Change, Needs, Supposed
from withstood.errors import Misfit
from withstood.jobs import calibration, kinds, recorded
from withstood.jobs.header import Header
from withstood.jobs.kinds import Kind
from withstood.jobs.recorded import Recorded
from withstood.jobs.sweeping import decided, told
from withstood.journal.port import Shelf
from withstood.measures.smallest import Found, Picks, smallest
from withstood.protocols.levers import Lever, levers
from withstood.report.what_if import Changed, Flip, Search, SettingFlip, WhatIf
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Verdict

MOST_TRIES = 5000
STEPS = tuple(Decimal(step) for step in ("0.9", "1.1", "0.75", "1.25", "0.5", "1.5", "0.25", "2", "0", "4"))
HALVINGS = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every case: `on` names an item of it whose last ruling is meant, not the headline."""

    on: str | None = None
    most: int = MOST_TRIES
    settings: bool = True


class Bench:
    """One recorded case with its levers, judged as often as it takes."""

    def __init__(self, kind: Kind, known: Header, case: Recorded, on: str | None = None) -> None:
        self._kind, self._known, self._case, self._on = kind, known, case, on
        self._flow_of = kind.flows(known, known.rulebook)
        self._answered = Answered(case.answers)
        self.verdict = decided(case, self._answered.judge(self._flow_of(case.case)), known)
        self.outcome = self._told(self.verdict)
        self.levers = levers(self._answered.given())
        self.open = 0

    def _told(self, verdict: Verdict) -> str:
        if self._on is None:
            return told(self._kind, verdict)
        return calibration.ruling_on(verdict.path, self._on) or "no ruling"

    def supposed(self, chosen: Sequence[Lever], picks: Picks) -> str | None:
        """The outcome if these options had been; None where something would have been asked that never was."""
        changes: dict[Seat, list[Change]] = {}
        silent: set[Seat] = set()
        for place, option in picks:
            lever = chosen[place]
            change = lever.options[option].change
            if change is None:
                silent.add(lever.seat)
            else:
                changes.setdefault(lever.seat, []).append(change)
        folded = {seat: _folded(parts) for seat, parts in changes.items()}
        return self._outcome(
            self._answered.suppose(self._flow_of(self._case.case), Supposed(folded, frozenset(silent)))
        )

    def under(self, book: Rulebook) -> str | None:
        """The outcome under another rulebook, by the answers that were given."""
        return self._outcome(self._answered.judge(self._kind.flows(self._known, book)(self._case.case)))

    def _outcome(self, now: Verdict | Needs) -> str | None:
        if isinstance(now, Needs):
            self.open += 1
            return None
        return self._told(now)

    def flips(self, outcome: str | None) -> bool:
        return outcome is not None and outcome != self.outcome


def _folded(changes: Sequence[Change]) -> Change:
    def change(answer: Any) -> Any:
        for one in changes:
            answer = one(answer)
        return answer

    return change


async def of_item(store: Shelf, run: str, known: Header, item: str, question: Question) -> WhatIf:
    kind = kinds.of(known)
    case, on = await recorded.located(store, run, kind.matter, item, kind.case_of(item))
    return of_case(kind, known, case, replace(question, on=question.on or on))


async def of_run(store: Shelf, run: str, known: Header, question: Question) -> AsyncIterator[WhatIf]:
    """What one change alone would flip, case by case."""
    kind = kinds.of(known)
    async for case in recorded.in_order(recorded.cases(store, run, kind.matter)):
        if case.case is not None and case.kept is not None:
            yield singly(kind, known, case, question)


def of_case(kind: Kind, known: Header, case: Recorded, question: Question) -> WhatIf:
    if case.case is None or case.kept is None:
        raise Misfit(case.id, "an item that was decided", "one that was refused or never brought to its end")
    bench = Bench(kind, known, case, question.on)
    return WhatIf(
        item=case.id,
        on=question.on,
        outcome=bench.outcome,
        levers=len(bench.levers),
        struck=search(bench, struck(bench.levers), question.most),
        turned=search(bench, bench.levers, question.most),
        settings=tuple(_settings(bench, known.rulebook)) if question.settings else (),
        open=bench.open,
    )


def singly(kind: Kind, known: Header, case: Recorded, question: Question) -> WhatIf:
    """One change at a time, and no more."""
    bench = Bench(kind, known, case, question.on)
    fewer, others = [_alone(bench, chosen) for chosen in (struck(bench.levers), bench.levers)]
    settings = tuple(_settings(bench, known.rulebook)) if question.settings else ()
    return WhatIf(case.id, question.on, bench.outcome, len(bench.levers), fewer, others, settings, bench.open)


def struck(found: Sequence[Lever]) -> list[Lever]:
    """The levers that can be struck, with nothing but that."""
    kept = [(one, tuple([option for option in one.options if option.strikes])) for one in found]
    return [Lever(one.name, one.sort, one.seat, one.was, options) for one, options in kept if options]


def search(bench: Bench, chosen: Sequence[Lever], most: int) -> Search:
    options = [len(lever.options) for lever in chosen]
    found: Found = smallest(options, lambda picks: bench.flips(bench.supposed(chosen, picks)), most)
    sets = sorted(found.sets, key=len)
    bound = None if found.bound is None else _flip(bench, chosen, found.bound)
    return Search(
        tuple([_flip(bench, chosen, picks) for picks in sets]), found.complete, found.exact, found.tried, bound
    )


def _alone(bench: Bench, chosen: Sequence[Lever]) -> Search:
    picks: list[Picks] = [((place, no),) for place, lever in enumerate(chosen) for no in range(len(lever.options))]
    found = [one for one in picks if bench.flips(bench.supposed(chosen, one))]
    return Search(tuple([_flip(bench, chosen, one) for one in found]), 1, len(chosen) <= 1, len(picks), None)


def _flip(bench: Bench, chosen: Sequence[Lever], picks: Picks) -> Flip:
    changed = [_changed(chosen[place], option) for place, option in picks]
    return Flip(tuple(changed), bench.supposed(chosen, picks) or "")


def _changed(lever: Lever, option: int) -> Changed:
    return Changed(lever.name, lever.sort, lever.was, lever.options[option].told)


# --- settings ----------------------------------------------------------------------------------


def _settings(bench: Bench, book: Rulebook) -> Iterator[SettingFlip]:
    for name, value in book.settings().items():
        for other in _others(name, value):
            changed = _adjusted(book, name, other)
            if changed is not None and bench.flips(bench.under(changed)):
                nearest = _nearest(bench, book, name, value, other)
                outcome = bench.under(book.adjusted({name: nearest}))
                yield SettingFlip(name, value, nearest, outcome or "")
                break


def _others(name: str, value: str) -> Iterator[str]:
    """Other values to try: every other word, or numbers further and further away."""
    section, _, setting = name.partition(".")
    drawn: Mapping[str, Any] = form.schema(type(Rulebook().section(section)))["properties"][setting]
    if "enum" in drawn:
        yield from (str(one) for one in drawn["enum"] if str(one) != value)
    elif isinstance(drawn.get("type"), list):
        yield from dict.fromkeys(f"{Decimal(value) * step:f}" for step in STEPS)
    elif drawn.get("type") == "integer":
        yield from (str(int(value) + step) for step in (1, -1, 2, -2, 5, -5))


def _adjusted(book: Rulebook, name: str, value: str) -> Rulebook | None:
    """None where the setting may not have this value."""
    try:
        return book.adjusted({name: value})
    except Misfit:
        return None


def _nearest(bench: Bench, book: Rulebook, name: str, was: str, flipping: str) -> str:
    """Between a number that does not flip and one that does, halved until they are close."""
    if not _is_number(was) or "." not in f"{was}{flipping}":
        return flipping
    stays, flips = Decimal(was), Decimal(flipping)
    for _ in range(HALVINGS):
        middle = round((stays + flips) / 2, 4)
        changed = _adjusted(book, name, f"{middle:f}")
        if changed is not None and bench.flips(bench.under(changed)):
            flips = middle
        else:
            stays = middle
    return f"{flips.normalize():f}"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
