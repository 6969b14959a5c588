"""Advisories: what a review is told of the episodes that were recalled. First match decides, episode by episode.

| row | when | then |
|---|---|---|
| 1 | an aspect has at its end a polarity that it also has at the end of a bad episode | blocked (opposite_polarity_failed) |
| 2 | its principle is one of our sentences | an advisory with that sentence |
| 3 | else | an advisory that says: No principle text. |

Bad: the episode is of type harm, or an override was applied and failed or did harm, or its risk was higher after than
before. Bad episodes are looked for among those recalled. After the sentence stands, as far as it is known:
[Risk type: X. Action: Y. Conflict resolved: Z.] Text that is not one of our sentences is never passed on. In the prompt
each message stands once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from withstood.claims.advisory import Advisory, AdvisoryEvidence
from withstood.claims.episode import Episode
from withstood.claims.principles import PRINCIPLES
from withstood.rules.table import NoNumbers, Table

OPPOSITE = "opposite_polarity_failed"
UNSAID = "No principle text."
HEADING = "Memory advisory (from similar past cases):"
RELEVANCE = Decimal("0.8")
MOST = 800


@dataclass(frozen=True, slots=True)
class Advice:
    """What became of one recalled episode; blocked where there is no advisory."""

    episode_id: str
    row: str
    because: str = ""
    advisory: Advisory | None = None


def advise(episodes: Sequence[Episode]) -> tuple[Advice, ...]:
    dangerous = frozenset(pair for episode in episodes if _is_bad(episode) for pair in _pairs(episode))
    return tuple([_advice(episode, dangerous) for episode in episodes])


def prompt(advisories: Sequence[Advisory]) -> str:
    """The advisories as a review reads them; nothing where there are none."""
    messages = dict.fromkeys(advisory.message for advisory in advisories)
    return "\n".join([HEADING, *(f"- {message}" for message in messages)]) if messages else ""


def longest(topk: int) -> str:
    """No prompt of so many advisories has more characters or more bytes."""
    return "\n".join([HEADING, *["- " + "가" * MOST] * topk])


def _is_bad(episode: Episode) -> bool:
    seen = episode.evaluation
    failed = seen.override_applied and (seen.override_harm or not seen.override_success)
    return episode.episode_type == "harm" or failed or seen.risk_after.severity_sum > seen.risk_before.severity_sum


def _pairs(episode: Episode) -> frozenset[tuple[str, str]]:
    return frozenset(episode.stage_snapshot.final.polarities.items())


def _advice(episode: Episode, dangerous: frozenset[tuple[str, str]]) -> Advice:
    if _pairs(episode) & dangerous:
        return Advice(episode.episode_id, "1", OPPOSITE)
    said = _principle(episode)
    message = f"{said or UNSAID}{_known(episode)}"[:MOST]
    return Advice(episode.episode_id, "2" if said else "3", advisory=_advisory(episode, message))


def _principle(episode: Episode) -> str | None:
    said = episode.correction
    ours = PRINCIPLES.get(said.principle_id or "", {}).values()
    return said.corrective_principle if said.corrective_principle in ours else None


def _known(episode: Episode) -> str:
    parts = " ".join(_parts(episode))
    return f" [{parts}]" if parts else ""


def _parts(episode: Episode) -> Iterator[str]:
    if episode.risk_type:
        yield f"Risk type: {episode.risk_type}."
    if episode.action_taken:
        yield f"Action: {episode.action_taken}."
    if episode.outcome_delta and episode.outcome_delta.conflict_resolved is not None:
        yield f"Conflict resolved: {'yes' if episode.outcome_delta.conflict_resolved else 'no'}."


def _advisory(episode: Episode, message: str) -> Advisory:
    seen = episode.evaluation
    return Advisory(
        advisory_id=f"adv_{episode.episode_id.removeprefix('epi_')}",
        advisory_type="consistency_anchor",
        message=message,
        strength="moderate",
        relevance_score=RELEVANCE,
        evidence=AdvisoryEvidence(
            (episode.episode_id,),
            seen.risk_before.tags,
            episode.correction.principle_id,
            seen.risk_before.tags,
            seen.risk_after.tags,
        ),
    )


@dataclass(frozen=True, slots=True)
class Input:
    episodes: tuple[Episode, ...]


@dataclass(frozen=True, slots=True)
class Output:
    advisories: tuple[Advisory, ...]
    episodes: tuple[Advice, ...]
    memory_blocked_episode_n: int
    memory_blocked_advisory_n: int
    memory_block_reason: Literal["opposite_polarity_failed"] | None
    prompt: str


def _decide(case: Input, numbers: NoNumbers) -> Output:
    advice = advise(case.episodes)
    given = tuple([one.advisory for one in advice if one.advisory])
    blocked = len(advice) - len(given)
    return Output(given, advice, blocked, blocked, OPPOSITE if blocked else None, prompt(given))


TABLE = Table("memory-advisory-1", __doc__, Input, Output, _decide, section="none", aliases=("memory-advisory",))
