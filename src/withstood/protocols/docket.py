"""The docket: what is held, by whom, on which evidence, against what; and how each item stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from withstood.claims import iid
from withstood.claims.finding import LEVELS, Challenge, Finding, Grade, Level, Outcome, Report, strongest
from withstood.claims.inquiry import Agreed
from withstood.claims.inspection import Piece
from withstood.protocols.evidence_check import place
from withstood.protocols.minutes import Heard, Minutes
from withstood.rules import classification, grouping
from withstood.rules.classification import Group, Member, Standing
from withstood.rules.grouping import Stated
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling


@dataclass(frozen=True, slots=True)
class Held:
    """One finding of one investigator, with what became of its evidence. `ref` is `IID/F1`."""

    ref: str
    iid: str
    finding: Finding
    cause: str
    direction: str
    pieces: tuple[Piece, ...]
    needs_further: bool

    @property
    def voice(self) -> str:
        return iid.voice(self.iid)

    @property
    def checked(self) -> tuple[Piece, ...]:
        return tuple([piece for piece in self.pieces if piece.checked])

    @property
    def grade(self) -> Grade:
        return strongest(tuple([piece.grade for piece in self.checked]))

    def stated(self) -> Stated:
        return Stated(self.ref, self.iid, self.cause, self.direction, tuple(map(place, self.checked)))


@dataclass(frozen=True, slots=True)
class Tried:
    """A challenge as it counts: REFUTED without checked evidence is WEAKENED."""

    iid: str
    said: Challenge
    pieces: tuple[Piece, ...]

    @property
    def checked(self) -> tuple[Piece, ...]:
        return tuple([piece for piece in self.pieces if piece.checked])


@dataclass(frozen=True, slots=True)
class Entry:
    """One item. `opposes` and `linked` name other items; `asker` and `scope` are those of an item that asks for more.
    `shown` tells that a challenger was given it."""

    id: str
    held: tuple[Held, ...] = ()
    opposes: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    standing: Standing = "UNCERTAIN"
    challenge: Outcome | None = None
    tried: tuple[Tried, ...] = ()
    shown: bool = False
    asker: str = ""
    scope: str = ""

    @property
    def voices(self) -> tuple[str, ...]:
        return tuple(sorted({one.voice for one in self.held}))

    @property
    def iids(self) -> tuple[str, ...]:
        return tuple(sorted({one.iid for one in self.held}))

    @property
    def confidence(self) -> Level:
        return LEVELS[max([LEVELS.index(one.finding.confidence) for one in self.held], default=0)]

    @property
    def checked(self) -> tuple[Piece, ...]:
        return tuple([piece for one in self.held for piece in one.checked])

    @property
    def speaker(self) -> Held:
        """Whose words stand for the item: the best founded, then the surest, then the first."""
        return min(self.held, key=lambda one: (-_rank(one), -LEVELS.index(one.finding.confidence), one.ref))


def _rank(held: Held) -> int:
    return ("WEAK", "MODERATE", "STRONG").index(held.grade) if held.checked else -1


@dataclass(slots=True)
class Docket:
    """All items by id, in order. Items that were given up are kept apart."""

    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    given_up: list[Entry] = field(default_factory=list[Entry])

    def put(self, entry: Entry) -> None:
        self.entries[entry.id] = entry

    def standing(self, *wanted: Standing) -> list[Entry]:
        return [entry for entry in self.entries.values() if entry.standing in wanted]

    def opponents(self, entry: Entry) -> list[Entry]:
        return [self.entries[name] for name in entry.opposes if name in self.entries]

    def withdraw(self, entry: Entry) -> None:
        """Nobody holds it any more."""
        del self.entries[entry.id]
        self.given_up.append(entry)
        for other in self.opponents(entry):
            self.put(replace(other, opposes=tuple([name for name in other.opposes if name != entry.id])))


def hold(heard: Sequence[Heard], pieces: Mapping[str, Piece], agreed: Agreed) -> list[Held]:
    """The findings of these reports, each with its pieces."""
    return [
        Held(
            ref=ref,
            iid=one.iid,
            finding=finding,
            cause=agreed.causes.key(finding.cause),
            direction=agreed.directions.key(finding.direction),
            pieces=tuple([pieces[f"{ref}/{no}"] for no in range(1, len(finding.evidence) + 1)]),
            needs_further=one.answer.needs_further,
        )
        for one in heard
        if isinstance(one.answer, Report)
        for ref, finding in refs(one)
    ]


def refs(heard: Heard) -> list[tuple[str, Finding]]:
    """Each finding of a report under a name of its own: its id, or its place where that is missing or not its alone."""
    ids = [finding.id for finding in heard.answer.findings]
    return [
        (f"{heard.label}/{finding.id if finding.id and ids.count(finding.id) == 1 else f'#{no}'}", finding)
        for no, finding in enumerate(heard.answer.findings, start=1)
    ]


def first(held: Sequence[Held], heard: Sequence[Heard], book: Rulebook, minutes: Minutes) -> tuple[Docket, bool]:
    """The docket of round 2, and whether round 3 is run."""
    docket = Docket()
    _enter(docket, held, book, minutes)
    groups = [_group(docket, entry) for entry in docket.entries.values()]
    without = book.without(classification.TABLE.edition)
    found = classification.classify(groups, without)
    for one in found.groups[: len(groups)]:
        stand(docket, one, minutes)
    wanting = [one.id.removeprefix("more:") for one in found.groups[len(groups) :]]
    if "5" not in without:
        wanting += [one.iid for one in heard if one.answer.needs_further and not one.answer.findings]
    for asker in wanting:
        _ask_for_more(docket, asker, heard, minutes)
    standings = [classification.Classified(entry.id, entry.standing, "") for entry in docket.entries.values()]
    run = classification.round3(groups, standings, without)
    minutes.rule(classification.TABLE.edition, "", Ruling("round 3" if run.run else "no round 3", run.row))
    return docket, run.run


def _enter(docket: Docket, held: Sequence[Held], book: Rulebook, minutes: Minutes) -> list[Entry]:
    """New items for these findings, not classified yet."""
    by_ref = {one.ref: one for one in held}
    groups = grouping.group([one.stated() for one in held], book.grouping)
    begin = len(docket.entries) + len(docket.given_up)
    names = {group.findings[0]: f"I{begin + no}" for no, group in enumerate(groups, start=1)}
    entries = [
        Entry(
            names[group.findings[0]],
            tuple([by_ref[ref] for ref in group.findings]),
            tuple([names[head] for head in group.opposes]),
            tuple([names[head] for head in group.linked]),
        )
        for group in groups
    ]
    for entry in entries:
        docket.put(entry)
        said = f"opposes {', '.join(entry.opposes)}" if entry.opposes else "grouped"
        minutes.rule(grouping.TABLE.edition, entry.id, Ruling(said, ""), [one.ref for one in entry.held])
    return entries


def _ask_for_more(docket: Docket, asker: str, heard: Sequence[Heard], minutes: Minutes) -> None:
    report: Report = next(one.answer for one in heard if one.iid == asker)
    entry = Entry(f"more:{asker}", standing="NEEDS_MORE", asker=asker, scope=report.scope or report.reason)
    docket.put(entry)
    minutes.rule(classification.TABLE.edition, entry.id, Ruling("NEEDS_MORE", "5"), (asker,))


def _group(docket: Docket, entry: Entry) -> Group:
    """An item as the table of classification sees it."""
    own = set(entry.voices)
    supporters = tuple([Member(one.iid, one.grade, one.needs_further) for one in entry.held])
    opponents = [one for other in docket.opponents(entry) for one in other.held if one.voice not in own]
    against = tuple([Member(one.iid, one.grade, one.needs_further) for one in opponents])
    return Group(entry.id, supporters, against, entry.confidence)


def classified(docket: Docket, entry: Entry, book: Rulebook) -> classification.Classified:
    """How the item stands now."""
    without = book.without(classification.TABLE.edition)
    return classification.classify([_group(docket, entry)], without).groups[0]


def stand(docket: Docket, one: classification.Classified, minutes: Minutes) -> None:
    entry = docket.entries[one.id]
    docket.put(replace(entry, standing=one.standing))
    minutes.rule(classification.TABLE.edition, one.id, Ruling(one.standing, one.row), _who(docket, entry))


def _who(docket: Docket, entry: Entry) -> list[str]:
    against = sorted({name for other in docket.opponents(entry) for name in other.voices} - set(entry.voices))
    return [*entry.voices, *(f"against: {name}" for name in against)]


# --- what round 3 brings -----------------------------------------------------------------------


def place_new(docket: Docket, new: Sequence[Held], book: Rulebook, minutes: Minutes) -> dict[str, str]:
    """Put new findings where they belong, and say where: to the item that says the same, else to items of their own."""
    before = list(docket.entries.values())
    joined: dict[str, str] = {}
    for one in sorted(new, key=lambda held: held.ref):
        home = next((entry.id for entry in before if _is_like(one, entry, book)), None)
        if home is not None:
            joined[one.ref] = home
            docket.put(replace(docket.entries[home], held=(*docket.entries[home].held, one)))
    rest = [one for one in new if one.ref not in joined]
    for entry in _enter(docket, rest, book, minutes):
        _set_against(docket, entry, before, book)
        joined |= {one.ref: entry.id for one in entry.held}
    return joined


def _is_like(one: Held, entry: Entry, book: Rulebook) -> bool:
    return any(_relation(one, other, book) == "similar" for other in entry.held)


def _relation(one: Held, other: Held, book: Rulebook) -> str:
    return grouping.relate(one.stated(), other.stated(), book.grouping).relation


def _set_against(docket: Docket, entry: Entry, others: Iterable[Entry], book: Rulebook) -> None:
    """Whom a new item opposes among the older ones."""
    for other in others:
        ours, theirs = set(entry.voices), set(other.voices)
        told = ours - theirs and theirs - ours
        if told and any(_relation(a, b, book) == "opposed" for a in entry.held for b in other.held):
            now, then = docket.entries[entry.id], docket.entries[other.id]
            docket.put(replace(now, opposes=(*now.opposes, other.id)))
            docket.put(replace(then, opposes=(*then.opposes, entry.id)))
