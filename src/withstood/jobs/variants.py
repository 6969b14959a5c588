"""Variants of a run: one part taken away or put in another's place. Each is a row of a table.

| variant | what is changed |
|---|---|
| stage 1 | no review: what the readers said |
| a reader's name | that reader alone, which is what one call gives |
| majority of readers | what two of them share |
| the others | settings of the rulebook, or another protocol |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from withstood.errors import UsageError
from withstood.jobs import text_protocols
from withstood.jobs.header import Header
from withstood.rules import memory_condition
from withstood.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Variant:
    """`changes` are made to the recorded rulebook; `protocol` takes the place of the recorded one."""

    name: str
    changes: Mapping[str, str] = field(default_factory=dict[str, str])
    protocol: str | None = None
    where: Callable[[Rulebook], bool] = lambda book: True
    """Whether it can make a difference to a run under this rulebook."""

    def book(self, known: Header) -> Rulebook:
        presets = text_protocols.named(self.protocol).presets if self.protocol else {}
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


def _speaks(book: Rulebook) -> bool:
    return memory_condition.under(book.memory.condition).speaks


GATES = ("gates.max_one", "gates.neutral_only", "gates.evidence", "gates.l3_conservative", "gates.implicit_soft_only")

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
    _one("flags hidden from reviewers", "review.flags", "hidden"),
    _one("flags shown to reviewers", "review.flags", "shown"),
)
DEBATED: tuple[Variant, ...] = (
    Variant("no debate", {"debate.held": "off", "debate.override": "off"}),
    _one("no override", "debate.override", "off"),
    _one("no stage 2", "debate.stage2", "off"),
    _one("no validator", "debate.validator", "off"),
    _one("no moderator", "debate.moderator", "off"),
    _one("override profile t0", "override.profile", "t0"),
    _one("override profile t1", "override.profile", "t1"),
    _one("override profile t2", "override.profile", "t2"),
    Variant("override gates on", dict.fromkeys(GATES, "on")),
    Variant("override gates off", dict.fromkeys(GATES, "off")),
    _one("adoption gate on", "gates.adoption", "on"),
    _one("adoption gate off", "gates.adoption", "off"),
    _one("moderator fed the aggregate", "moderator.feeder", "aggregate"),
    _one("moderator fed distinct parts", "moderator.feeder", "distinct"),
    _one("moderator 1", "moderator.edition", "1"),
    _one("moderator 2", "moderator.edition", "2"),
    _one("stances as stated", "debate.stance", "stated"),
    _one("stances of the personas", "debate.stance", "persona"),
    _one("one round", "debate.rounds", "1"),
    _one("first round blind", "debate.blind_first_round", "on"),
    _one("first round in turn", "debate.blind_first_round", "off"),
)
REMEMBERED: tuple[Variant, ...] = tuple(
    [_one(f"memory {name}", "memory.condition", name) for name in "M0 M1 M2 C1 C2 C3 C2_eval_only".split()]
)
CAPPED: tuple[Variant, ...] = tuple(
    [Variant(f"advice of {cap} characters", {"memory.cap": cap}, where=_speaks) for cap in ("300", "600", "1000")]
    + [Variant("advice of any length", {"memory.cap": "0"}, where=_speaks)]
)


def _baselines(budget: str) -> tuple[Variant, ...]:
    """One call, and as many calls of the same reader as a text of the run may take."""
    voting = Variant(f"self-consistency ({budget} passes of S0)", {"single.passes": budget}, "single")
    return Variant("single pass (S0)", protocol="single"), voting


BY_PROTOCOL: Mapping[str, tuple[Variant, ...]] = {
    "cr-v1": (*REVIEWED, *REMEMBERED, *_baselines("6")),
    "cr-v2": (*REVIEWED, *REMEMBERED, *_baselines("6")),
    "single": (_one("one pass", "single.passes", "1"), *_baselines("6")),
    "debate": (*DEBATED, *REMEMBERED, *CAPPED, *_baselines("13")),
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
    changed = one.protocol_of(known) != known.protocol or one.book(known).settings() != known.rulebook.settings()
    return changed and one.where(known.rulebook)
