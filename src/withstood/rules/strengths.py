"""What both editions of strength share: the formula, with what counts as one source left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from withstood.claims import address
from withstood.claims.graph import Kind, Share
from withstood.form import EXACT, Within

Amount: TypeAlias = Annotated[Decimal, Within(0)]


@dataclass(frozen=True, slots=True)
class Numbers:
    edition: Literal["1", "2"] = "1"
    base_a: Share = Decimal("0.5")
    base_b: Share = Decimal("0.4")
    per_support: Amount = Decimal("0.1")
    per_contradiction: Amount = Decimal("0.15")
    per_domain: Amount = Decimal("0.03")
    domain_cap: Amount = Decimal("0.15")


@dataclass(frozen=True, slots=True)
class Weighed:
    """An edge as it weighs: the authority of its observation, its own weight, and where the observation is from."""

    authority: Share
    weight: Share
    source_url: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    type: Kind
    supports: tuple[Weighed, ...] = ()
    contradicts: tuple[Weighed, ...] = ()


@dataclass(frozen=True, slots=True)
class Output:
    strength: Decimal


def summed(
    kind: Kind,
    supports: Sequence[Weighed],
    contradicts: Sequence[Weighed],
    numbers: Numbers,
    source: Callable[[str | None], str],
) -> Decimal:
    """`source` names what an edge is from: of edges with one name, only the strongest counts."""
    base = numbers.base_a if kind == "A" else numbers.base_b
    domains = {owned for edge in supports if (owned := address.domain(edge.source_url))}
    bonus = min(EXACT.multiply(numbers.per_domain, Decimal(len(domains))), numbers.domain_cap)
    raised = EXACT.add(base, EXACT.multiply(_weight(supports, source), numbers.per_support))
    lowered = EXACT.multiply(_weight(contradicts, source), numbers.per_contradiction)
    total = EXACT.add(EXACT.subtract(raised, lowered), bonus)
    return max(Decimal(0), min(Decimal(1), total))


def _weight(edges: Sequence[Weighed], source: Callable[[str | None], str]) -> Decimal:
    strongest: dict[str, Decimal] = {}
    total = Decimal(0)
    for edge in edges:
        weight, name = EXACT.multiply(edge.authority, edge.weight), source(edge.source_url)
        if name:
            strongest[name] = max(weight, strongest.get(name, weight))
        else:
            total = EXACT.add(total, weight)
    for weight in strongest.values():
        total = EXACT.add(total, weight)
    return total
