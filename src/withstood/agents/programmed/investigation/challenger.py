"""The programmed challenger: tries to refute each agreed item by looking for itself.

| tried | REFUTED where | WEAKENED where |
|---|---|---|
| does the line still stand | none of the cited lines does | – |
| does it run | the file is a test, a document or a copy | nothing calls the function, and nothing but functions is cited |
| was it seen before | the failure was seen before each cited commit was made, or before any cited line was written | – |
| is there a guard | – | a missing value is tested, or an error handled, right beside it |
| is there another | – | another place is spoken for by more reasons of every type, or another file says the same words |
| did it recover | – | it was seen seldom, and the same flow went well right after each time |

The first that holds decides; where none does, the item is UPHELD, and what was tried last is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation import bringing
from withstood.agents.programmed.investigation.atlas import Spot, kind
from withstood.agents.programmed.investigation.chronicle import standing
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.suspects import Suspect
from withstood.claims import location
from withstood.claims.finding import Challenge, CounterReview, Evidence, Outcome
from withstood.protocols.investigation_briefs import ChallengeBrief, Item
from withstood.sources import history

GUARDED = frozenset(("null-dereference", "missing-validation", "unhandled-exception"))
LEAD = 15
"""So many points more make another place the better explanation."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try that came to something: which, with what result, and what shows it."""

    tried: str
    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()


def challenge(scene: Scene, brief: ChallengeBrief) -> CounterReview:
    return CounterReview(tuple(_challenge(scene, item, brief.language) for item in brief.items))


def _challenge(scene: Scene, item: Item, language: str) -> Challenge:
    spots = list(_spots(item))
    tries: Sequence[Callable[[Scene, Item, list[Spot]], Attempt | None]] = (
        _gone,
        _idle,
        _early,
        _not_yet,
        _guarded,
        _other,
        _said_elsewhere,
        _recovered,
    )
    found = next((attempt for look in tries if (attempt := look(scene, item, spots))), None)
    if found is None:
        return Challenge(item.id, "UPHELD", phrase("challenge other", language), impact=phrase("upheld", language))
    impact = phrase("refuted" if found.outcome == "REFUTED" else "weakened", language)
    return Challenge(item.id, found.outcome, phrase(found.tried, language), found.evidence, impact)


def _spots(item: Item) -> Iterator[Spot]:
    """The lines of the repository that an item cites."""
    for piece in item.side.evidence:
        where = location.parse(piece.location)
        if isinstance(where, location.Lines) and piece.type not in ("log", "commit"):
            yield Spot(where.path, where.first)


def _gone(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """None of the cited lines is there any more: it was mended, or never so."""
    cited = [
        (piece, where)
        for piece in item.side.evidence
        if isinstance(where := location.parse(piece.location), location.Lines)
    ]
    for piece, where in cited:
        page = scene.atlas.page(where.path)
        first = next((line for line in piece.snippet.splitlines() if line.strip()), "")
        if piece.type == "log" or (page and standing(first, where.first, page.lines)):
            return None
    shown = [
        bringing.at_lines(scene, spot.path, spot.line, spot.line, "MODERATE")
        for spot in spots
        if scene.atlas.line(spot)
    ]
    return Attempt("challenge gone", "REFUTED", tuple(shown[:1])) if cited and spots else None


def _idle(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    if not spots:
        return None
    if all(kind(spot.path) == "test" or _is_copy(spot.path) for spot in spots):
        return Attempt(
            "challenge test",
            "REFUTED",
            (bringing.at_lines(scene, spots[0].path, spots[0].line, spots[0].line, "MODERATE"),),
        )
    named = [
        (page, unit) for spot in spots if (page := scene.atlas.page(spot.path)) and (unit := page.unit_at(spot.line))
    ]
    on_trail = any(spot in scene.trail for spot in spots)
    if (
        len(named) == len(spots)
        and not on_trail
        and not any(_is_named(scene, page.path, unit.name, unit.first) for page, unit in named)
    ):
        page, unit = named[0]
        return Attempt(
            "challenge dead", "WEAKENED", (bringing.at_lines(scene, page.path, unit.first, unit.first, "WEAK"),)
        )
    return None


def _is_copy(path: str) -> bool:
    return bool(
        re.search(
            r"(?:^|/)(?:vendor|third_party|examples?|samples?|legacy|deprecated|old|backup|archive)/|\.(?:bak|orig|old)$",
            path,
        )
    )


def _is_named(scene: Scene, path: str, name: str, first: int) -> bool:
    """Whether anything but its own definition names a function."""
    return any((spot.path, spot.line) != (path, first) for spot in scene.atlas.lines_with(name, most=20))


def _early(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """What is put down to a change was seen before it."""
    cited = [
        where.name
        for piece in item.side.evidence
        if isinstance(where := location.parse(piece.location), location.CommitName)
    ]
    if not cited or scene.chronicle is None or scene.onset is None or not scene.symptoms:
        return None
    rows = [row.commit for row in scene.chronicle.rows if any(row.commit.name.startswith(name) for name in cited)]
    if rows and all(commit.when > scene.onset for commit in rows):
        return Attempt("challenge early", "REFUTED", (bringing.of_log(scene.symptoms[0]),))
    return None


def _not_yet(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """None of the cited lines was there when it was first seen to fail."""
    first = scene.symptoms[0].first if scene.symptoms and scene.onset is not None else None
    if first is None or not spots or any(_was_there(scene, spot, first) for spot in spots):
        return None
    return Attempt("challenge early", "REFUTED", (bringing.of_log(scene.symptoms[0]),))


def _was_there(scene: Scene, spot: Spot, when: int) -> bool:
    """Also where the history does not say."""
    then = scene.chronicle.then(spot.path, when) if scene.chronicle else None
    line = scene.atlas.line(spot).strip()
    if scene.chronicle is None or then is None or not line:
        return True
    text = history.file_at(scene.chronicle.git, then, spot.path)
    return text is None or any(one.strip() == line for one in text.splitlines())


def _said_elsewhere(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """What was seen without a traceback, and the words of which stand in another file just as well."""
    cited = {
        (where.path, where.first)
        for piece in item.side.evidence
        if piece.type == "log" and isinstance(where := location.parse(piece.location), location.Lines)
    }
    for symptom in scene.symptoms:
        if symptom.frames or (symptom.place.path, symptom.place.line) not in cited:
            continue
        others = [spot for spot in symptom.said_at if all(spot.path != one.path for one in spots)]
        if others and len(others) < len(symptom.said_at):
            shown = bringing.at_lines(scene, others[0].path, others[0].line, others[0].line, "MODERATE")
            return Attempt("challenge other", "WEAKENED", (shown,))
    return None


def _guarded(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """A test or a handler stands right before the cited line."""
    if item.side.cause not in GUARDED:
        return None
    for spot in spots:
        page = scene.atlas.page(spot.path)
        unit = page.unit_at(spot.line) if page else None
        if page is None or any(spot in one.frames for one in scene.symptoms):
            continue
        for no in range(max(unit.first if unit else 1, spot.line - 3), spot.line):
            if (
                re.search(r"\bif\b.*(?:is None|== null|!= null|not \w+\b|== nil|is not None)|\btry\b", page.line(no))
                and spot not in scene.trail
            ):
                return Attempt(
                    "challenge guard", "WEAKENED", (bringing.at_lines(scene, spot.path, no, no, "MODERATE"),)
                )
    return None


def _other(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """Another place has more against it, by every type of reason."""
    ours = [
        one
        for one in scene.board.all()
        if any(one.path == spot.path and one.first - 3 <= spot.line <= one.last + 3 for spot in spots)
    ]
    rest = [one for one in scene.board.ranked() if one not in ours]
    if not ours or not rest:
        return None
    best = max(ours, key=Suspect.pull)
    first = rest[0]
    if first.pull() >= best.pull() + LEAD and all(
        first.pull(prefix) >= best.pull(prefix) for prefix in ("CODE", "LOG", "HIST")
    ):
        return Attempt(
            "challenge other", "WEAKENED", (bringing.at_lines(scene, first.path, first.first, first.last, "MODERATE"),)
        )
    return None


def _recovered(scene: Scene, item: Item, spots: list[Spot]) -> Attempt | None:
    """Nothing failed for good: only warnings lead there."""
    if not scene.space.logs or any(
        one.trace or one.level in ("error", "fatal") for one in scene.symptoms if one.met or one.trace
    ):
        return None
    warned = [one for one in scene.symptoms if one.level == "warning" and set(one.spots) & set(spots)]
    return Attempt("challenge recovered", "WEAKENED", (bringing.of_log(warned[0]),)) if warned else None
