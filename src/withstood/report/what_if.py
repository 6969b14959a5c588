"""What would have changed a ruling, as text: the smallest sets first, then what to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from withstood.report.inert import visible

MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Changed:
    """One vote, piece of evidence or answer that would have been otherwise."""

    name: str
    sort: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A set of changes, and what the ruling would have been."""

    changes: tuple[Changed, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class SettingFlip:
    setting: str
    was: str
    now: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Search:
    """Sets for which no smaller set within them flips, the small ones first; all of them up to `complete` changes."""

    flips: tuple[Flip, ...]
    complete: int
    exact: bool
    tried: int
    bound: Flip | None = None

    @property
    def fewest(self) -> int | None:
        return len(self.flips[0].changes) if self.flips else None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """`open` counts the suppositions under which something would have been asked that never was."""

    item: str
    on: str | None
    outcome: str
    levers: int
    struck: Search
    turned: Search
    settings: tuple[SettingFlip, ...]
    open: int = 0

    @property
    def fragile(self) -> bool:
        """One vote or piece of evidence less, and it is another ruling."""
        return self.struck.fewest == 1

    def check_next(self) -> Mapping[str, int]:
        """In how many of the smallest sets each of them stands, the most frequent first."""
        of = self.struck if self.struck.flips else self.turned
        smallest = [flip for flip in of.flips if len(flip.changes) == of.fewest]
        named = Counter(name for flip in smallest for name in dict.fromkeys(one.name for one in flip.changes))
        return dict(sorted(named.items(), key=lambda pair: -pair[1]))


def text(found: WhatIf) -> str:
    return "\n".join(parts(found)) + "\n"


def parts(found: WhatIf) -> Iterator[str]:
    about = f" on {visible(found.on)}" if found.on else ""
    yield f"# {visible(found.item)}{about}: {visible(found.outcome)}"
    yield ""
    yield "## If something had been struck"
    yield from _search(found.struck)
    yield ""
    yield "## If something had been otherwise"
    yield from _search(found.turned)
    yield ""
    yield "## If a setting had been another"
    yield from _settings(found.settings)
    if nexts := found.check_next():
        yield ""
        yield "## What to check next"
        yield from [f"  {visible(name)} (in {count} of the smallest sets)" for name, count in nexts.items()][
            :MOST_SHOWN
        ]
    if found.open:
        yield ""
        yield f"Left open: {found.open:,} suppositions, which would have led to a question that nobody was asked."


def _search(search: Search) -> Iterator[str]:
    for flip in search.flips[:MOST_SHOWN]:
        yield f"  {told(flip.changes)}  →  {visible(flip.outcome)}"
    if len(search.flips) > MOST_SHOWN:
        yield f"  and {len(search.flips) - MOST_SHOWN:,} other sets"
    if search.bound is not None:
        yield f"  {told(search.bound.changes)}  →  {visible(search.bound.outcome)}"
        yield "  (nothing of that is needless, but other sets may be smaller)"
    yield f"  {how_far(search)}"


def told(changes: Sequence[Changed]) -> str:
    return " and ".join(f"{visible(one.name)}: {visible(one.was)} → {visible(one.now)}" for one in changes)


def how_far(search: Search) -> str:
    """What the search can answer for."""
    none = "Nothing flips it. " if not search.flips and search.bound is None and search.exact else ""
    if search.exact:
        return f"{none}All sets were tried ({search.tried:,} after pruning)."
    changes = f"{search.complete} change{'s' * (search.complete != 1)}"
    return f"{search.tried:,} sets were tried: complete for sets of up to {changes}, larger ones may flip it too."


def _settings(flips: Sequence[SettingFlip]) -> Iterator[str]:
    for one in flips:
        yield f"  {one.setting}: {one.was} → {one.now}  →  {visible(one.outcome)}"
    if not flips:
        yield "  No setting that was tried flips it."
