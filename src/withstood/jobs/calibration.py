"""Calibration: what share of verdicts of each kind was right, measured by an answer key, and kept as a file.

A share is told only where it was measured on enough of them; otherwise the word stays a word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from withstood import form
from withstood.claims.pool import log_odds
from withstood.errors import ConfigError, Misfit
from withstood.measures.reliability import LEAST, Bin
from withstood.measures.voters import Known
from withstood.protocols.briefs import REVIEWERS
from withstood.rules.arbiter_w1 import ACTIONS
from withstood.rules.judgement_w1 import SIDES
from withstood.verdict import Step

CERTAIN = ("judgement", "thesis")
"""Tables whose outcome is a certainty: Confirmed, Likely, Uncertain; verified, tested."""
FORMAT = "withstood calibration 1"
VOICE = re.compile(r"[A-Z][A-Z0-9]*-[A-Z][A-Z0-9]*")


@dataclass(frozen=True, slots=True)
class Calibration:
    """`bins` are by what was said; `voters` is what is known of voters, where a panel was measured."""

    format: str
    measured_on: tuple[str, ...] = ()
    bins: tuple[Bin, ...] = ()
    voters: Mapping[str, Known] = field(default_factory=dict[str, Known])

    def measured(self, said: str) -> str:
        """The measured share in words; nothing where it was not measured on enough."""
        found = next((one for one in self.bins if one.name == said and one.count >= LEAST), None)
        return found.told if found else ""

    def settings(self) -> Mapping[str, str]:
        """The settings by which a conflict review weighs its reviewers, and an investigation its investigators: by
        reliability, drawn towards chance by what is not their own."""
        reviewers = {role: self.voters[role] for role in REVIEWERS if role in self.voters}
        investigators = {
            name: one for name, one in sorted(self.voters.items()) if VOICE.fullmatch(name) and one.items >= LEAST
        }
        if not reviewers and not investigators:
            raise ConfigError(
                f"The calibration knows none of {', '.join(REVIEWERS)}, and no investigator such as CODE-CALLCHAIN by "
                f"{LEAST} findings or more. Name voters so, measure more, and export again."
            )
        return {
            **_weighing("arbiter", reviewers, ACTIONS),
            **_weighing("mass", investigators, SIDES),
        }

    def of(self, headline: str, path: Sequence[Step]) -> str:
        """The measured shares of a verdict: of its headline, and of what it says with some certainty of its parts."""
        said = {step.item: step.ruling.outcome for step in path if is_certain(step)}
        shares = {item: self.measured(outcome) for item, outcome in said.items()}
        parts = [f"{item} {said[item]}: {share}" for item, share in shares.items() if share]
        return "; ".join(part for part in (self.measured(headline), *parts) if part)


def ruling_on(path: Sequence[Step], item: str) -> str | None:
    """The ruling that counts on one item of a case: how sure it is, else the last one."""
    steps = [step for step in path if item in step.item.split(",")]
    last = next((step for step in reversed(steps) if is_certain(step)), steps[-1] if steps else None)
    return last.ruling.outcome if last else None


def _weighing(section: str, known: Mapping[str, Known], options: int) -> Mapping[str, str]:
    told = ";".join(f"{name}:{_own(one, options):f}" for name, one in known.items())
    return {f"{section}.edition": "w1", f"{section}.reliability": told} if known else {}


def _own(one: Known, options: int) -> Decimal:
    """The reliability whose log-odds are the independent share of those that were measured."""
    if one.independent == 1:
        return one.reliability.normalize()
    told = math.exp(float(log_odds(one.reliability, options) * one.independent)) / (options - 1)
    return Decimal(told / (1 + told)).quantize(Decimal("0.000001"))


def is_certain(step: Step) -> bool:
    """Whether the outcome of a step says how sure something is."""
    return step.table.rpartition("-")[0] in CERTAIN


def read(path: Path) -> Calibration:
    try:
        found = form.read(Calibration, form.loads(path.read_text("utf-8")))
    except OSError as fault:
        raise ConfigError(f"The calibration {path} cannot be read: {fault.strerror}.") from None
    except (Misfit, UnicodeDecodeError) as fault:
        raise ConfigError(f"{path} is no calibration as `withstood calibrate` writes it: {fault}.") from None
    if found.format != FORMAT:
        raise ConfigError(f"{path} is a {form.shown(found.format)}; this version reads a {FORMAT}.")
    return found


def written(found: Calibration) -> str:
    return form.dumps(found) + "\n"
