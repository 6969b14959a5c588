"""Panels of anybody's voters: recorded votes judged by every published edition, beside the best single voter, the
majority, and the best that could be made of the pool.

What is learned of voters is learned on other items than it is measured on: items are dealt into folds by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from withstood import form
from withstood.claims.pool import Cast, Choice, Grade, Share, Votes, first_of_each
from withstood.errors import InputError, Misfit
from withstood.measures.measure import ONE
from withstood.measures.panels import Marked, credit
from withstood.measures.voters import Item, Known, alike, clearly, from_gold, without_gold
from withstood.rules import panel_confidence, panel_evidence, panel_majority, panel_order, panel_reliability
from withstood.rules.rulebook import Rulebook

FOLDS = 5
BEST_POSSIBLE = "best possible"
RELIABILITY = "reliability"
Learning: TypeAlias = Literal["gold", "votes"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of recorded votes. A `grade` is that of the evidence; a number from 0 to 1 is a confidence."""

    item: str
    voter: str
    vote: str
    order: str | int | None = None
    grade: Grade | Share | None = None
    confidence: Share | None = None
    gold: str | None = None

    def cast(self) -> Cast:
        graded = self.grade if isinstance(self.grade, str) else None
        stated = self.grade if isinstance(self.grade, Decimal) else None
        order = "" if self.order is None else str(self.order)
        return Cast(self.voter, self.vote, order, self.confidence if self.confidence is not None else stated, graded)


@dataclass(frozen=True, slots=True)
class Ballot:
    """One item with all its votes."""

    item: str
    votes: tuple[Cast, ...]
    gold: str | None


@dataclass(frozen=True, slots=True)
class Pool:
    """`refused` says which lines were no votes, and why."""

    ballots: tuple[Ballot, ...]
    refused: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        votes = {one.vote for ballot in self.ballots for one in ballot.votes}
        return tuple(sorted(votes | {ballot.gold for ballot in self.ballots if ballot.gold is not None}))

    @property
    def voters(self) -> tuple[str, ...]:
        return tuple(sorted({one.voter for ballot in self.ballots for one in ballot.votes}))


# --- reading -----------------------------------------------------------------------------------


def read(path: Path) -> Pool:
    """The votes of a file. A line that is no vote is refused and told; a voter that votes twice on one item in one
    order, or gold that contradicts itself, spoils the item's meaning and is refused as well."""
    votes: dict[str, dict[tuple[str, str], Cast]] = {}
    gold: dict[str, str] = {}
    refused: list[str] = []
    for no, row in enumerate(_rows(path), start=1):
        if not row.strip():
            continue
        try:
            line = form.read(Line, form.loads(row))
            _check_named(line)
            _take(line, votes.setdefault(line.item, {}), gold)
        except Misfit as fault:
            refused.append(f"line {no}: {fault}")
    if not any(votes.values()):
        raise InputError(f"{path} has no votes. {' '.join(refused[:1])}".strip())
    ballots = [Ballot(item, tuple(cast.values()), gold.get(item)) for item, cast in votes.items() if cast]
    return Pool(tuple(ballots), tuple(refused))


def _check_named(line: Line) -> None:
    for name, said in (("item", line.item), ("voter", line.voter), ("vote", line.vote)):
        if not said.strip():
            raise Misfit(name, "a name", form.shown(said))


def _rows(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8-sig").split("\n")
    except OSError as fault:
        raise InputError(f"The votes {path} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError as fault:
        raise InputError(f"The votes {path} cannot be read: wanted UTF-8, found another byte ({fault}).") from None


def _take(line: Line, votes: dict[tuple[str, str], Cast], gold: dict[str, str]) -> None:
    one = line.cast()
    place = (one.voter, one.order)
    if place in votes:
        asked = f" in order {form.shown(one.order)}" if one.order else ""
        found = f"a second one on item {form.shown(line.item)}{asked}: the first stands"
        raise Misfit("voter", f"one vote of {form.shown(one.voter)} on an item in one order", found)
    known = gold.get(line.item)
    if line.gold is not None and known is not None and line.gold != known:
        raise Misfit("gold", f"{form.shown(known)}, as an earlier line of the item says", form.shown(line.gold))
    if line.gold is not None:
        gold[line.item] = line.gold
    votes[place] = one


# --- judging -----------------------------------------------------------------------------------

EDITIONS: Mapping[str, Callable[[Votes, Rulebook], Choice]] = MappingProxyType(
    {
        "majority": lambda votes, book: panel_majority.choose(votes),
        "confidence": lambda votes, book: panel_confidence.choose(votes),
        "order": lambda votes, book: panel_order.choose(votes),
        RELIABILITY: lambda votes, book: panel_reliability.choose(votes),
        "evidence": lambda votes, book: panel_evidence.choose(votes, book.mass),
    }
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One item under every edition."""

    ballot: Ballot
    choices: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class Found:
    """All that a pool comes to. `known` is what is known of the voters from all items, for use elsewhere."""

    pool: Pool
    judged: tuple[Judged, ...]
    known: Mapping[str, Known]
    learning: Learning
    marked: tuple[Marked, ...] = field(default=())
    systems: tuple[str, ...] = ()


def judge(pool: Pool, book: Rulebook, learning: Learning | None = None) -> Found:
    """`learning` says what reliabilities are learned from: gold, where there is any, or the votes alone."""
    items = [
        Item(one.item, {cast.voter: cast.vote for cast in first_of_each(one.votes)}, one.gold) for one in pool.ballots
    ]
    with_gold = sum(item.gold is not None for item in items)
    learned: Learning = learning or ("gold" if with_gold >= 2 * FOLDS else "votes")
    if learned == "gold" and with_gold < 2 * FOLDS:
        raise InputError(f"Learning from gold needs {2 * FOLDS} items with gold at least; found {with_gold}.")
    by_fold = _learned(pool, items, learned)
    judged = tuple([_judged(ballot, book, pool.options, by_fold[fold(ballot.item)]) for ballot in pool.ballots])
    systems = (*EDITIONS, BEST_POSSIBLE, *pool.voters)
    marked = tuple([_marked(one) for one in judged if one.ballot.gold is not None])
    known = _guarded(pool, items) if learned == "gold" else by_fold[0]
    return Found(pool, judged, known, learned, marked, systems)


def fold(item: str) -> int:
    """Which items are held out together: by name, so that it does not depend on what else is in the file."""
    return int(form.digest(f"fold\n{item}")[:8], 16) % FOLDS


def _learned(pool: Pool, items: Sequence[Item], learning: Learning) -> Sequence[Mapping[str, Known]]:
    """For each fold what is learned without it. Votes alone know no gold, so they are learned from once."""
    if learning == "votes":
        return [without_gold(items, len(pool.options))] * FOLDS
    return [_guarded(pool, [item for item in items if fold(item.name) != no]) for no in range(FOLDS)]


def _guarded(pool: Pool, items: Sequence[Item]) -> Mapping[str, Known]:
    """Voters are weighed where that is clearly better than counting them, on the items that were learned from."""
    known = from_gold(items)
    named = {item.name for item in items if item.gold is not None}
    gains = [_gain(one, pool.options, known) for one in pool.ballots if one.item in named]
    return known if clearly(gains) else alike(known)


def _gain(ballot: Ballot, options: tuple[str, ...], known: Mapping[str, Known]) -> float:
    """What weighing gets of one item beyond counting."""
    gold = ballot.gold or ""
    weighed = panel_reliability.choose(_weighed(ballot, options, known))
    return (credit(weighed, gold) - credit(panel_majority.choose(Votes(ballot.votes)), gold)) / ONE


def _weighed(ballot: Ballot, options: tuple[str, ...], known: Mapping[str, Known]) -> Votes:
    return Votes(tuple([_with(cast, known.get(cast.voter)) for cast in ballot.votes]), options)


def _judged(ballot: Ballot, book: Rulebook, options: tuple[str, ...], known: Mapping[str, Known]) -> Judged:
    votes = _weighed(ballot, options, known)
    plain = replace(votes, options=())
    choices = {name: choose(votes if name == RELIABILITY else plain, book) for name, choose in EDITIONS.items()}
    return Judged(ballot, choices)


def _with(cast: Cast, known: Known | None) -> Cast:
    return cast if known is None else replace(cast, reliability=known.reliability, independent=known.independent)


def _marked(one: Judged) -> Marked:
    gold = one.ballot.gold or ""
    single = {cast.voter: ONE * (cast.vote == gold) for cast in first_of_each(one.ballot.votes)}
    best = ONE * any(cast.vote == gold for cast in one.ballot.votes)
    chosen = {name: credit(choice, gold) for name, choice in one.choices.items()}
    return Marked(one.ballot.item, {**single, **chosen, BEST_POSSIBLE: best})


def lines(found: Found) -> Iterator[str]:
    """What every edition chose, item by item."""
    for one in found.judged:
        chosen = {
            name: {"choice": choice.choice, "row": choice.row, "lead": choice.lead}
            for name, choice in one.choices.items()
        }
        yield form.line({"item": one.ballot.item, "gold": one.ballot.gold, **chosen}) + "\n"
