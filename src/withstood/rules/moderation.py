"""The links of the moderator's chain, and what goes through it. Each edition is a chain of these, in its own order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims.opinion import Confidence
from withstood.form import EXACT, Within
from withstood.rules.table import WHOLE, Without

Stage: TypeAlias = Literal["stage1", "stage2"]
Offset: TypeAlias = Annotated[int, Within(0)]
Span: TypeAlias = tuple[Offset, Offset]

DROP = Decimal("0.2")
ALIGNED = Decimal("0.8")
CLOSE = Decimal("0.1")
UNSURE = Decimal("0.55")
HALF = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Ate:
    label: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Atsa:
    label: str
    confidence: Confidence
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class FirstStage:
    ate: Ate
    atsa: Atsa


@dataclass(frozen=True, slots=True)
class SecondStage:
    ate: Ate | None = None
    atsa: Atsa | None = None


@dataclass(frozen=True, slots=True)
class Validator:
    confidence: Confidence
    suggested_label: str | None = None
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Debate:
    """What the rapporteur wrote. `label` is the one part of it that is not prose."""

    consensus: str | None = None
    rationale: str | None = None
    key_agreements: tuple[str, ...] = ()
    key_disagreements: tuple[str, ...] = ()
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    stage1: FirstStage
    stage2: SecondStage | None = None
    validator: Validator | None = None
    debate: Debate | None = None

    @property
    def second(self) -> Ate | None:
        """Stage 2, as far as there is one: its sentence label."""
        return self.stage2.ate if self.stage2 else None

    @property
    def candidate(self) -> Atsa:
        """The aspect sentiment that is set against the sentence: of stage 2 if it is given, else of stage 1."""
        return (self.stage2 and self.stage2.atsa) or self.stage1.atsa


@dataclass(frozen=True, slots=True)
class ArbiterFlags:
    stage2_rejected_due_to_confidence: bool = False
    validator_override_applied: bool = False
    confidence_margin_used: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Output:
    final_label: str
    confidence: Decimal
    selected_stage: Stage
    applied_rules: tuple[str, ...]
    rationale: str
    arbiter_flags: ArbiterFlags


@dataclass(frozen=True, slots=True)
class Held:
    """What the chain holds so far. `over`: no later rule is asked."""

    label: str
    confidence: Decimal
    stage: Stage = "stage1"
    said: tuple[str, ...] = ()
    flags: ArbiterFlags = ArbiterFlags()
    over: bool = False

    @property
    def guarded(self) -> bool:
        return self.flags.stage2_rejected_due_to_confidence

    def adding(self, sentence: str, label: str | None = None, confidence: Decimal | None = None) -> Held:
        label = self.label if label is None else label
        confidence = self.confidence if confidence is None else confidence
        return replace(self, label=label, confidence=confidence, said=(*self.said, sentence))


Link: TypeAlias = Callable[[Input, Held], Held]


def fold(case: Input, chain: Mapping[str, Link], without: Without = WHOLE) -> Output:
    """Put the case through the chain; each rule finds what the ones before it left. A rule that is passed over leaves
    everything as it was."""
    held = Held(case.stage1.ate.label, case.stage1.ate.confidence)
    for row, link in chain.items():
        if not held.over and row not in without:
            held = link(case, held)
    rules = tuple([sentence.partition(":")[0] for sentence in held.said])
    return Output(held.label, held.confidence, held.stage, rules, " ".join(held.said), held.flags)


def rule_z(case: Input, held: Held) -> Held:
    second = case.second.confidence if case.second else Decimal(0)
    if case.stage1.ate.confidence == 0 and second == 0:
        silent = held.adding("RuleZ: insufficient signal (both confidences 0).", "neutral", Decimal(0))
        return replace(silent, over=True)
    return held


def rule_b(case: Input, held: Held) -> Held:
    second = case.second
    if second is None:
        return held.adding("RuleB: Stage2 missing; keep Stage1.")
    drop = EXACT.subtract(case.stage1.ate.confidence, second.confidence)
    if drop >= DROP:
        flags = replace(held.flags, stage2_rejected_due_to_confidence=True, confidence_margin_used=drop)
        return replace(held.adding("RuleB: Stage2 drop>=0.2; keep Stage1."), flags=flags)
    return replace(held.adding("RuleB: Stage2 preferred.", second.label, second.confidence), stage="stage2")


def rule_m(case: Input, held: Held) -> Held:
    first, second = case.stage1.ate, case.second
    if second is None or first.label == second.label:
        return held
    highest = max(first.confidence, second.confidence)
    return held.adding("RuleM: conflicting stage1/stage2 labels -> mixed.", "mixed", highest)


def rule_m_unless_guarded(case: Input, held: Held) -> Held:
    return held if held.guarded else rule_m(case, held)


def rule_c(case: Input, held: Held) -> Held:
    validator = case.validator
    if validator is None or not validator.suggested_label:
        return held
    if not (_critical(validator.issues) or validator.confidence >= held.confidence):
        return held
    highest = max(held.confidence, validator.confidence)
    vetoed = held.adding("RuleC: Validator critical veto.", validator.suggested_label, highest)
    return replace(vetoed, flags=replace(held.flags, validator_override_applied=True))


def _critical(issues: Sequence[str]) -> bool:
    lowered = [issue.lower() for issue in issues]
    return any(issue.startswith(("negation", "irony", "contrast")) or "severity:high" in issue for issue in lowered)


def rule_a(case: Input, held: Held) -> Held:
    candidate = case.candidate
    if held.guarded or candidate.label != held.label or not _aligned(candidate.span, case.stage1.atsa.span):
        return held
    mean = EXACT.multiply(EXACT.add(held.confidence, candidate.confidence), HALF)
    return held.adding("RuleA: IoU>=0.8 span aligned.", confidence=mean)


def _aligned(one: Span | None, other: Span | None) -> bool:
    """Overlap over hull, not over union; a span that is missing, empty or turned round is never aligned."""
    if one is None or other is None:
        return False
    hull = max(one[1], other[1]) - min(one[0], other[0])
    overlap = min(one[1], other[1]) - max(one[0], other[0])
    return hull > 0 and overlap >= ALIGNED * hull


def rule_d(case: Input, held: Held) -> Held:
    candidate = case.candidate
    if candidate.label == held.label:
        return held
    if EXACT.abs(EXACT.subtract(held.confidence, candidate.confidence)) < CLOSE:
        return held.adding("RuleD: diff<0.1 conflict -> sentence ATE.")
    if candidate.confidence > held.confidence:
        return held.adding("RuleD: diff>=0.1 ATSA wins.", candidate.label, candidate.confidence)
    return held.adding("RuleD: diff>=0.1 ATE wins.")


WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mixed", ("혼합", "mixed", "엇갈", "양면")),
    ("positive", ("긍정", "호의", "좋다", "positive")),
    ("negative", ("부정", "비판", "나쁘", "negative")),
    ("neutral", ("중립", "neutral", "모호")),
)


def rule_e_by_words(case: Input, held: Held) -> Held:
    """The label is looked for in the rapporteur's prose; the first group of words that is hit gives it."""
    if case.debate is None:
        return held
    debate = case.debate
    parts = (debate.consensus, debate.rationale, *debate.key_agreements, *debate.key_disagreements)
    prose = " ".join(part for part in parts if part).lower()
    inferred = next((label for label, words in WORDS if any(word in prose for word in words)), None)
    return _rule_e(held, inferred)


def rule_e_by_label(case: Input, held: Held) -> Held:
    """The label is the rapporteur's own field, if it is one of the four."""
    stated = (case.debate.label or "").strip().lower() if case.debate else ""
    return _rule_e(held, stated if stated in [label for label, _ in WORDS] else None)


def _rule_e(held: Held, inferred: str | None) -> Held:
    if inferred is None or inferred == held.label or not (held.confidence < UNSURE or held.label == "mixed"):
        return held
    return held.adding(f"RuleE: debate consensus -> {inferred}.", inferred)
