"""Variants of a run: one part taken away or put in another's place. Each is a row of a table.

| variant | what is changed |
|---|---|
| stage 1 | no review: what the readers said |
| a reader's name | that reader alone, which is what one call gives |
| majority of readers | what two of them share |
| the others | settings of the rulebook, or another protocol |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from withstood.errors import UsageError
from withstood.jobs.header import Header
from withstood.protocols.sentiment import PROTOCOLS
from withstood.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Variant:
    """`changes` are made to the recorded rulebook; `protocol` takes the place of the recorded one."""

    name: str
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    protocol: str | None = None

    def book(self, known: Header) -> Rulebook:
        presets = PROTOCOLS[self.protocol] if self.protocol else {}
        return known.rulebook.adjusted(presets).adjusted(self.changes)

    def protocol_of(self, known: Header) -> str:
        return self.protocol or known.protocol

    @property
    def says(self) -> str:
        """What is changed, as it may be given to `--set`."""
        parts = [f"--protocol {self.protocol}"] if self.protocol else []
        return " ".join([*parts, *(f"{name}={value}" for name, value in self.changes.items())])


def _one(name: str, setting: str, value: str) -> Variant:
    return Variant(name, {setting: value})


REVIEWED: tuple[Variant, ...] = (
    _one("arbiter v1", "arbiter.edition", "v1"),
    _one("arbiter v2", "arbiter.edition", "v2"),
    _one("reason gate on", "arbiter.reason_gate", "on"),
    _one("reason gate off", "arbiter.reason_gate", "off"),
    _one("conflicts of refs only", "conflicts.mode", "primary"),
    _one("conflicts of terms too", "conflicts.mode", "primary_secondary"),
    _one("semantic conflicts on", "conflicts.semantic", "on"),
    _one("semantic conflicts off", "conflicts.semantic", "off"),
    _one("granularity on", "conflicts.granularity", "on"),
    _one("granularity off", "conflicts.granularity", "off"),
    _one("review of any tuple", "review.scope", "any"),
    _one("review of flagged tuples", "review.scope", "flagged"),
    _one("review always", "review.when", "always"),
    _one("review when flagged", "review.when", "flagged"),
)
BASELINES: tuple[Variant, ...] = (Variant("single pass (S0)", protocol="single"),)
BY_PROTOCOL: Mapping[str, tuple[Variant, ...]] = {
    "cr-v1": (*REVIEWED, *BASELINES),
    "cr-v2": (*REVIEWED, *BASELINES),
    "single": (),
}


def variants(known: Header) -> tuple[Variant, ...]:
    """Those that differ from the recorded run."""
    return tuple([one for one in BY_PROTOCOL[known.protocol] if _differs(one, known)])


def chosen(names: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The names that begin with one of those wanted; all where none is named."""
    begin = tuple([name.strip().lower() for name in wanted])
    for name in begin:
        if not any(one.lower().startswith(name) for one in names):
            raise UsageError(f"There is no variant {name!r} of this run. There are: {', '.join(names)}.")
    return tuple([one for one in names if not begin or one.lower().startswith(begin)])


def _differs(one: Variant, known: Header) -> bool:
    return one.protocol_of(known) != known.protocol or one.book(known).settings() != known.rulebook.settings()
