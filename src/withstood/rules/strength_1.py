"""Strength of a hypothesis, edition 1: what was observed for it and against it, a page once. A formula.

| row | part | amount |
|---|---|---|
| base | where it begins | base_a (0.5) for type A, base_b (0.4) for type B |
| supports | each observation that supports it | + authority × weight × per_support (0.1) |
| contradicts | each observation that contradicts it | − authority × weight × per_contradiction (0.15) |
| domains | each registrable domain among those that support it | + per_domain (0.03), at most domain_cap (0.15) |
| limits | the sum | not under 0, not over 1 |

Of several edges from one page only the strongest counts, on each side. An edge without an address stands for itself
and adds no domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from withstood.claims import address
from withstood.claims.graph import Kind
from withstood.rules import strengths
from withstood.rules.strengths import Input, Numbers, Output, Weighed
from withstood.rules.table import Table


def strength(kind: Kind, supports: Sequence[Weighed], contradicts: Sequence[Weighed], numbers: Numbers) -> Decimal:
    return strengths.summed(kind, supports, contradicts, numbers, address.page)


def _decide(case: Input, numbers: Numbers) -> Output:
    return Output(strength(case.type, case.supports, case.contradicts, numbers))


TABLE = Table("strength-1", __doc__, Input, Output, _decide, section="strength", aliases=("strength",))
