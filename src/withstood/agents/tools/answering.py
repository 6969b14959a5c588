"""What every tool gives: an answer, or a refusal that says what to ask instead. A refusal is no error of the run."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.agents.tools.results import NOTHING, Page


class Refused(Exception):
    """A request that cannot be answered, and why, for whoever asked."""


@dataclass(frozen=True, slots=True)
class Answered:
    """`commits` are the full names of those that it shows: they may be asked for from then on."""

    told: str
    page: Page = NOTHING
    commits: tuple[str, ...] = ()
