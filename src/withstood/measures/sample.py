"""A sample: one text with what is right about it and what several systems say of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from withstood.claims.ballot import Ballot
from withstood.claims.label import Label
from withstood.measures import normal

Labels: TypeAlias = tuple[Label, ...]

STAGE1, FINAL = "stage 1", "final"


@dataclass(frozen=True, slots=True)
class Rated:
    """A tuple with its three slots, as the arbiter counted them."""

    polarity: str
    ballot: Ballot


@dataclass(frozen=True, slots=True)
class Held:
    """What the review of a text came to. `named` counts the actions that reviewers named, None where the record does
    not say; `rated` holds their ballots, None as well where no review was held."""

    candidates: int = 0
    flags: int = 0
    arbitrated: int = 0
    changed: int = 0
    named: int | None = None
    rated: tuple[Rated, ...] | None = None
    marks: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Mapped:
    """How the turns of a debate were mapped to aspects, why they were not, and what the override did."""

    direct: int = 0
    fallback: int = 0
    none: int = 0
    fail_reasons: Mapping[str, int] = field(default_factory=dict[str, int])
    override: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def total(self) -> int:
        return self.direct + self.fallback + self.none


@dataclass(frozen=True, slots=True)
class Sample:
    """`called` is what a system calls the text as a whole, where it calls it anything. `gold` is None where nobody labelled the text, () where there is nothing in it. `said` is by system: stage 1,
    final, each reader, baselines. `answered` is False where no reader gave an answer. All labels are normalised."""

    id: str
    text: str = ""
    gold: Labels | None = None
    said: Mapping[str, Labels] = field(default_factory=dict[str, Labels])
    answered: bool = True
    relabelled: bool = False
    held: Held = Held()
    debate: Mapped | None = None
    called: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, system: str) -> Labels:
        return self.said.get(system, ())


def labels(stated: Iterable[Label]) -> Labels:
    """Labels as samples hold them: normalised, each once, in order."""
    return tuple(dict.fromkeys(map(normal.label, stated)))
