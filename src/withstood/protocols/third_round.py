"""Round 3: agreed items are challenged, the others looked at again, side by side."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from withstood.claims import iid
from withstood.claims.finding import Challenge, CounterReview, Evidence, Outcome, Report
from withstood.claims.inquiry import Agreed, Inquiry
from withstood.claims.inspection import Piece
from withstood.protocols import docket as dockets
from withstood.protocols import evidence_check, summoning
from withstood.protocols.asks import Answers, Ask, Batch
from withstood.protocols.docket import Docket, Entry, Held, Tried
from withstood.protocols.investigation_briefs import Side, Task
from withstood.protocols.minutes import Heard, Minutes
from withstood.protocols.summoning import Plan
from withstood.rules import revision
from withstood.rules.classification import Standing
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling

MOST_TASKS = 6
OUTCOMES: tuple[Outcome, ...] = ("UPHELD", "WEAKENED", "REFUTED")


@dataclass(slots=True)
class Bench:
    """What round 3 works on."""

    matter: Inquiry
    book: Rulebook
    agreed: Agreed
    planned: Plan
    minutes: Minutes
    docket: Docket
    heard: list[Heard]
    """The reports so far."""
    reviews: list[Heard]
    pieces: dict[str, Piece]
    """Everything that was cited so far, by its id."""


def passes(bench: Bench) -> Generator[Batch, Answers, int]:
    """At most as many as the profile allows; a further one only where something is DISAGREED. How many there were."""
    held = 0
    for no in range(1, bench.planned.profile.passes + 1):
        wanted = bench.docket.standing("DISAGREED") if no > 1 else _unsettled(bench.docket)
        held = no
        yield from _pass(bench, wanted)
        if not bench.docket.standing("DISAGREED"):
            break
    yield from _once_more(bench)
    return held


def _unsettled(docket: Docket) -> list[Entry]:
    return docket.standing("DISAGREED", "UNCERTAIN", "NEEDS_MORE")


def _pass(bench: Bench, wanted: Sequence[Entry]) -> Generator[Batch, Answers, None]:
    """Tracks A and B in one batch; what was cited is checked; then every item is revised."""
    agreed = _unchallenged(bench.docket)
    tasks = _tasks(bench, wanted)
    asks: list[Ask[object]] = [
        summoning.deep(bench.matter, bench.agreed, bench.planned, bench.minutes, voice, given, bench.heard)
        for voice, given in tasks.items()
    ]
    heard = yield from bench.minutes.hear([*_challenges(bench, agreed), *asks])
    reports = [one for one in heard if isinstance(one.answer, Report)]
    reviews = yield from _complete(bench, agreed, [one for one in heard if isinstance(one.answer, CounterReview)])
    pieces = yield from _checked(bench, reports, reviews)
    bench.heard += reports
    _tried(bench, agreed, reviews, pieces)
    new = dockets.hold(reports, pieces, bench.agreed)
    joined = dockets.place_new(bench.docket, new, bench.book, bench.minutes)
    _revise(bench, wanted, agreed, new, joined)


def _once_more(bench: Bench) -> Generator[Batch, Answers, None]:
    """What became AGREED in the last pass, and no challenger has looked at, is challenged before it is judged."""
    late = _unchallenged(bench.docket)
    if late:
        heard = yield from bench.minutes.hear(_challenges(bench, late))
        reviews = yield from _complete(bench, late, heard)
        pieces = yield from _checked(bench, [], reviews)
        _tried(bench, late, reviews, pieces)


def _checked(
    bench: Bench, reports: Sequence[Heard], reviews: Sequence[Heard]
) -> Generator[Batch, Answers, dict[str, Piece]]:
    found = yield from evidence_check.check(bench.minutes, bench.book, bench.matter.language, cited(reports, reviews))
    bench.pieces |= found
    return found


def cited(reports: Sequence[Heard], reviews: Sequence[Heard]) -> dict[str, Evidence]:
    """All evidence of these answers, by its id."""
    found = {
        f"{ref}/{no}": one
        for heard in reports
        for ref, finding in dockets.refs(heard)
        for no, one in enumerate(finding.evidence, start=1)
    }
    return found | {
        f"{heard.label}/{at}/{no}": one
        for heard in reviews
        for at, said in enumerate(heard.answer.challenges, start=1)
        for no, one in enumerate(said.evidence, start=1)
    }


# --- track A -----------------------------------------------------------------------------------


def _unchallenged(docket: Docket) -> list[Entry]:
    return [entry for entry in docket.standing("AGREED") if not entry.shown]


def _challenges(bench: Bench, entries: Sequence[Entry]) -> list[Ask[object]]:
    if not entries:
        return []
    for entry in entries:
        bench.docket.put(replace(entry, shown=True))
    return [summoning.challenge(bench.matter, bench.minutes, voice, entries) for voice in bench.planned.challengers]


def _complete(
    bench: Bench, entries: Sequence[Entry], reviews: Sequence[Heard]
) -> Generator[Batch, Answers, list[Heard]]:
    """A review that leaves an item without a challenge is asked for again, once, for what it left out."""
    lacking = {one.iid: [entry for entry in entries if not _said_of(entry, entries, one)] for one in reviews}
    asks = [
        summoning.challenge(bench.matter, bench.minutes, iid.voice(name), left)
        for name, left in lacking.items()
        if left
    ]
    for ask in asks:
        bench.minutes.note(f"{ask.role} put no challenge to every item and was asked again")
    again = (yield from bench.minutes.hear(asks)) if asks else []
    bench.reviews += [*reviews, *again]
    return [*reviews, *again]


def _said_of(entry: Entry, entries: Sequence[Entry], review: Heard) -> list[tuple[int, Challenge]]:
    """What a review says of one item. An item is named by its id, by one of its findings, or, where there is only one,
    in any way; `*` is every item. Without the words of a challenge nothing is said."""
    names = _names(entry) - {name for other in entries if other is not entry for name in _names(other)}
    return [
        (at, said)
        for at, said in enumerate(review.answer.challenges, start=1)
        if said.challenge.strip() and (len(entries) == 1 or _named(said) in {*names, "*"})
    ]


def _named(said: Challenge) -> str:
    return said.item.strip().lower().replace("#", "/").replace(":", "/")


def _names(entry: Entry) -> set[str]:
    refs = [one.ref.lower() for one in entry.held]
    return {entry.id.lower(), *refs, *(ref.rpartition("/")[2] for ref in refs)}


def _tried(bench: Bench, entries: Sequence[Entry], reviews: Sequence[Heard], pieces: dict[str, Piece]) -> None:
    """Put the challenges to their items; the gravest that counts is the item's."""
    for entry in entries:
        tried = [
            Tried(one.iid, said, tuple([pieces[f"{one.label}/{at}/{no}"] for no in range(1, len(said.evidence) + 1)]))
            for one in reviews
            for at, said in _said_of(entry, entries, one)
        ]
        now = bench.docket.entries[entry.id]
        gravest = max([said.said.verdict for said in tried], key=OUTCOMES.index, default=None)
        bench.docket.put(replace(now, tried=(*now.tried, *tried), challenge=gravest))
        if gravest is None:
            bench.minutes.note(f"{entry.id} was put to a challenger, and nothing came of it")
        else:
            _challenged(bench, bench.docket.entries[entry.id])


def _challenged(bench: Bench, entry: Entry) -> None:
    refuted = [one for one in entry.tried if one.said.verdict == "REFUTED"]
    checked = any(one.checked for one in refuted)
    found = revision.revise(revision.Input(entry.standing, entry.challenge, checked))
    kept: Outcome | None = "WEAKENED" if found.row == "4" else entry.challenge
    bench.docket.put(replace(entry, standing=found.standing, challenge=kept))
    said = f"{entry.standing} → {found.standing}{' with a caveat' if found.caveat else ''}"
    on = [f"{one.iid}: {one.said.verdict}" for one in entry.tried]
    bench.minutes.rule(revision.TABLE.edition, entry.id, Ruling(said, found.row, entry.challenge or ""), on)


# --- track B -----------------------------------------------------------------------------------


def _tasks(bench: Bench, wanted: Sequence[Entry]) -> dict[str, list[Task]]:
    """Who is sent back with what, the most pressing first; at most so many tasks each."""
    found: dict[str, list[Task]] = {}
    for entry in sorted(wanted, key=_press):
        for voice, task in _tasks_of(bench, entry):
            given = found.setdefault(voice, [])
            if len(given) < MOST_TASKS:
                given.append(task)
            else:
                bench.minutes.note(f"{voice} has {MOST_TASKS} tasks and was not sent after {entry.id}")
    return found


def _press(entry: Entry) -> tuple[int, int, int, str]:
    standing = ("DISAGREED", "NEEDS_MORE", "UNCERTAIN", "AGREED").index(entry.standing)
    return (standing, -len(entry.checked), len(entry.id), entry.id)


def _tasks_of(bench: Bench, entry: Entry) -> list[tuple[str, Task]]:
    if entry.asker:
        return [(iid.voice(entry.asker), Task("wider_scope", entry.id, scope=entry.scope))]
    own = summoning.side(entry)
    if entry.standing == "DISAGREED":
        others = (*map(summoning.side, bench.docket.opponents(entry)), *_against(entry))
        return [(voice, Task("deep_dive", entry.id, own, others)) for voice in entry.voices]
    original = [(voice, Task("deep_dive", entry.id, own, scope=_scope(bench, voice))) for voice in entry.voices]
    if entry.standing == "NEEDS_MORE":
        return original
    other = _of_another_type(bench, entry)
    return original + ([(other, Task("cross_check", entry.id, None, (own,)))] if other else [])


def _scope(bench: Bench, voice: str) -> str:
    """What the investigator asked to look at further."""
    return next((one.answer.scope for one in bench.heard if iid.voice(one.iid) == voice and one.answer.scope), "")


def _against(entry: Entry) -> list[Side]:
    """A refutation as the other side."""
    return [
        Side("", "", said.said.challenge[:400], (said.iid,), tuple([_shown(piece) for piece in said.checked]))
        for said in entry.tried
        if said.said.verdict == "REFUTED" and said.checked
    ]


def _shown(piece: Piece) -> summoning.Shown:
    return summoning.Shown(piece.cited.type, piece.cited.location, piece.cited.snippet, piece.grade)


def _of_another_type(bench: Bench, entry: Entry) -> str | None:
    """First of the cast, then of those that fill up: whoever is of none of the types that hold the item."""
    types = {voice.partition("-")[0] for voice in entry.voices}
    ready = [voice for voice in bench.agreed.cast.fill if voice in bench.planned.ready]
    return next((voice for voice in (*bench.planned.cast, *ready) if voice.partition("-")[0] not in types), None)


# --- what came of it ---------------------------------------------------------------------------


def _revise(
    bench: Bench, wanted: Sequence[Entry], agreed: Sequence[Entry], new: Sequence[Held], joined: dict[str, str]
) -> None:
    """Every item that was looked at again gets its new standing; items that are new get their first."""
    _change_sides(bench, wanted, new, joined)
    docket = bench.docket
    fresh = [entry for entry in docket.entries.values() if _is_new(entry, new)]
    for entry in fresh:
        dockets.stand(docket, dockets.classified(docket, entry, bench.book), bench.minutes)
    for before in wanted:
        if before.id in docket.entries:
            _revise_one(bench, before, new, joined)
    again = [entry for entry in docket.standing("AGREED", "UNCERTAIN") if docket.opponents(entry)]
    for entry in again:
        dockets.stand(docket, dockets.classified(docket, entry, bench.book), bench.minutes)


def _is_new(entry: Entry, new: Sequence[Held]) -> bool:
    return bool(entry.held) and all(one in new for one in entry.held)


def _change_sides(bench: Bench, wanted: Sequence[Entry], new: Sequence[Held], joined: dict[str, str]) -> None:
    """Who was shown the other side of a DISAGREED item, and now holds that with checked evidence, holds it alone."""
    docket = bench.docket
    homes: dict[str, set[str]] = {}
    for one in new:
        if one.checked:
            homes.setdefault(one.voice, set()).add(joined[one.ref])
    for before in wanted:
        for voice in before.voices if before.standing == "DISAGREED" else ():
            now = docket.entries.get(before.id)
            if now and before.id not in homes.get(voice, set()) and homes.get(voice, set()) & set(now.opposes):
                _leave(bench, now, voice)


def _leave(bench: Bench, entry: Entry, voice: str) -> None:
    bench.minutes.note(f"{voice} no longer holds {entry.id}")
    kept = replace(entry, held=tuple([one for one in entry.held if one.voice != voice]))
    if kept.held:
        bench.docket.put(kept)
    else:
        bench.docket.withdraw(entry)


def _revise_one(bench: Bench, before: Entry, new: Sequence[Held], joined: dict[str, str]) -> None:
    docket, entry = bench.docket, bench.docket.entries[before.id]
    brought = [one for one in new if joined[one.ref] == before.id and one.checked]
    answered = {one.voice for one in new} | {iid.voice(one.iid) for one in bench.heard if iid.parse(one.iid).deep}
    asked = revision.Input(
        before.standing,
        before.challenge,
        resolved=not docket.opponents(entry) and before.challenge != "REFUTED",
        crosschecked=any(one.voice not in before.voices for one in brought),
        new_standing=_anew(bench, before, answered),
    )
    found = revision.revise(asked)
    said = f"{before.standing} → {found.standing}"
    bench.minutes.rule(revision.TABLE.edition, before.id, Ruling(said, found.row), [one.ref for one in brought])
    if before.asker and before.standing == "NEEDS_MORE" and found.row == "10":
        docket.withdraw(entry)
    else:
        docket.put(replace(entry, standing=found.standing))


def _anew(bench: Bench, before: Entry, answered: set[str]) -> Standing | None:
    """The new standing of an item that needed more: none where nobody who was asked gave an answer."""
    if before.standing != "NEEDS_MORE":
        return None
    if before.asker:
        return "NEEDS_MORE" if iid.voice(before.asker) in answered else None
    if not answered & set(before.voices):
        return None
    return dockets.classified(bench.docket, bench.docket.entries[before.id], bench.book).standing
