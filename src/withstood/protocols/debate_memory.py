"""Memory in a debate: what is recalled stands in the context of the speakers, or of the reviews, where a gate lets it.

opening ── MEMORY ── advisories ──┬── gate of the debate ── every speaker's prompt
                                  └── gate of stage 2 ───── every review's prompt
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from withstood.claims.sentiment import Sentiment
from withstood.form import Json
from withstood.protocols.debate_opening import Opening
from withstood.protocols.remembering import Remembered
from withstood.rules import memory_injection
from withstood.rules.memory_injection import Output
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step


@dataclass(frozen=True, slots=True)
class Injected:
    """What was recalled, and what the two gates said. `debate` and `stage2` are what prompts are given."""

    remembered: Remembered
    debate: str
    stage2: str
    gates: Mapping[str, Output]

    @property
    def steps(self) -> tuple[Step, ...]:
        ruled = [
            Step(
                memory_injection.TABLE.edition,
                "",
                Ruling("injected" if gate.injected else "kept out", gate.row, gate.because),
                (name,),
            )
            for name, gate in self.gates.items()
        ]
        return (*self.remembered.steps, *ruled)

    def result(self) -> dict[str, Json]:
        told = {name: gate.because or None for name, gate in self.gates.items()}
        return {**self.remembered.result(), "retrieval_stage": "debate_and_review", "injected": told}


def injected(book: Rulebook, opening: Opening, remembered: Remembered) -> Injected:
    """The gates are asked only where something could be said."""
    text = memory_injection.capped(remembered.text, book.memory.cap)
    if not text:
        return Injected(remembered, "", "", {})
    debate, stage2 = (
        memory_injection.inject(_asked(opening, "debate")),
        memory_injection.inject(_asked(opening, "stage2")),
    )
    return Injected(
        remembered,
        text if debate.injected else "",
        text if stage2.injected else "",
        {"debate": debate, "stage2": stage2},
    )


def _asked(opening: Opening, gate: memory_injection.Gate) -> memory_injection.Input:
    return memory_injection.Input(
        sentiments=tuple([_said(one) for one in opening.sentiments if one.term]),
        structural_risks=len(opening.risks),
        mismatches=opening.anchored.astray,
        dropped=opening.anchored.dropped,
        dropped_mismatches=opening.anchored.dropped_astray,
        gate=gate,
    )


def _said(one: Sentiment) -> memory_injection.Said:
    return memory_injection.Said(one.term, one.polarity or "")
