"""An investigation as reports see it: the published report, the record beside it, and what is known of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from withstood import form
from withstood.claims.cast import Source
from withstood.claims.finding import Grade, Kind, Level, Outcome
from withstood.form import Json
from withstood.report.facts import RunFacts
from withstood.rules.classification import Standing
from withstood.rules.judgements import Certainty
from withstood.verdict import Step

TAGS: tuple[Certainty, ...] = ("Confirmed", "Likely", "Uncertain")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece as it stands in the report: where it really stands, or as it was cited where it was struck."""

    type: Kind
    path: str | None
    line: int | None
    end_line: int | None
    commit: str | None
    snippet: str
    grade: Grade
    checked: bool
    drift: int

    @property
    def place(self) -> str:
        if self.path and self.line:
            last = f"-{self.end_line}" if self.end_line and self.end_line != self.line else ""
            return f"{self.path}:{self.line}{last}"
        return (self.commit or self.path or "?")[:12] if self.commit else self.path or "?"


@dataclass(frozen=True, slots=True)
class Opinion:
    """A side that does not stand."""

    id: str
    text: str
    cause: str
    direction: str
    evidence: tuple[Evidence, ...]
    investigators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    id: str
    tag: Certainty
    text: str
    cause: str
    direction: str
    evidence: tuple[Evidence, ...]
    investigators: tuple[str, ...]
    caveats: tuple[str, ...]
    minority: tuple[Opinion, ...] | None = None

    @property
    def checked(self) -> tuple[Evidence, ...]:
        return tuple([one for one in self.evidence if one.checked])


@dataclass(frozen=True, slots=True)
class Struck:
    iid: str
    finding: str
    type: Kind
    location: str
    snippet: str
    why: str


@dataclass(frozen=True, slots=True)
class Excluded:
    iid: str
    why: str


@dataclass(frozen=True, slots=True)
class Published:
    """The report as published, without what the run spent."""

    id: str
    question: str
    conclusion: str
    certainty: Certainty
    findings: tuple[Found, ...]
    struck: tuple[Struck, ...]
    rounds: int
    excluded: tuple[Excluded, ...]


# --- the record --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Planned:
    kind: str
    profile: str
    quick: bool
    cast: tuple[str, ...]
    challengers: tuple[str, ...]
    without_source: tuple[str, ...]
    key_questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """A source as it stood when the run began."""

    kind: Source
    name: str
    note: str
    missing: str


@dataclass(frozen=True, slots=True)
class Heard:
    iid: str
    label: str
    one_liner: str
    confidence: Level
    findings: int
    needs_further: bool
    not_looked_at: tuple[str, ...]
    reduced: bool
    layer1_tokens: int
    layer2_tokens: int
    over: tuple[str, ...]
    pieces: int
    struck: int
    unreliable: bool


@dataclass(frozen=True, slots=True)
class Tried:
    iid: str
    verdict: Outcome
    challenge: str
    impact: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    standing: Standing
    text: str
    findings: tuple[str, ...]
    investigators: tuple[str, ...]
    opposes: tuple[str, ...]
    linked: tuple[str, ...]
    scope: str
    challenge: Outcome | None
    challenges: tuple[Tried, ...]
    reported: bool


@dataclass(frozen=True, slots=True)
class Who:
    iid: str
    ref: str
    text: str
    grade: Grade | None
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    id: str
    row: str
    mass: Mapping[str, Decimal]
    adopted: str | None
    cause_name: str
    direction_name: str
    alternatives: tuple[str, ...]
    who: tuple[Who, ...]
    voices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What stands where checked evidence points. `first` is the number of the first of `lines`."""

    path: str
    commit: str
    line: int
    end_line: int
    first: int = form.named("from")
    lines: tuple[str, ...] = ()
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    asked: tuple[str, ...]
    silent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    language: str
    plan: Planned
    sources: tuple[Noted, ...]
    passes: int
    single: str
    heard: tuple[Heard, ...]
    items: tuple[Item, ...]
    given_up: tuple[str, ...]
    judged: tuple[Judged, ...]
    excerpts: tuple[Excerpt, ...]
    events: tuple[str, ...]
    batches: tuple[Batch, ...]
    peak_prompt_tokens: int


@dataclass(frozen=True, slots=True)
class _Result:
    report: Published
    record: Record


# --- all of it ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """What one investigator used: its model calls and their tokens, and the longest prompt of one of them."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer in full: the investigator, the asking, and what it said as JSON."""

    iid: str
    no: int
    said: Json


@dataclass(frozen=True, slots=True)
class Inquest:
    """All that the reports are drawn from. `why` says why a run stopped before its end; empty where it did not."""

    report: Published
    record: Record
    path: tuple[Step, ...]
    facts: RunFacts
    answers: tuple[Answer, ...] = ()
    costs: Mapping[str, Cost] = field(default_factory=dict[str, Cost])
    why: str = ""

    @property
    def language(self) -> str:
        return "ko" if self.record.language == "ko" else "en"

    @property
    def peak(self) -> int:
        """The longest prompt that a model was given, by its own count; of programs the longest brief."""
        return max([cost.peak for cost in self.costs.values()], default=0) or self.record.peak_prompt_tokens

    def tagged(self, tag: Certainty) -> list[Found]:
        return [one for one in self.report.findings if one.tag == tag]

    def judged(self, id: str) -> Judged:
        return next(one for one in self.record.judged if one.id == id)

    def item(self, id: str) -> Item:
        return next(one for one in self.record.items if one.id == id)

    def steps(self, *tables: str) -> list[Step]:
        return [step for step in self.path if step.table.startswith(tables)]

    @property
    def first_round(self) -> tuple[Step, ...]:
        """The steps up to the ruling on whether round 3 is run."""
        for place, step in enumerate(self.path):
            if step.table.startswith("classification-") and not step.item:
                return self.path[: place + 1]
        return self.path

    def excerpt(self, one: Evidence) -> Excerpt | None:
        """The lines around a piece of checked evidence."""
        for excerpt in self.record.excerpts if one.checked else ():
            if one.commit and excerpt.commit == one.commit:
                return excerpt
            if one.path and excerpt.path == one.path and excerpt.line == one.line:
                return excerpt
        return None


def read(
    result: Mapping[str, Json],
    path: Sequence[Step],
    facts: RunFacts,
    answers: Sequence[Answer] = (),
    costs: Mapping[str, Cost] | None = None,
    why: str = "",
) -> Inquest:
    """A result of the protocol, typed."""
    found = form.read(_Result, dict(result))
    return Inquest(found.report, found.record, tuple(path), facts, tuple(answers), costs or {}, why)
