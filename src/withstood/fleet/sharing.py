"""The limits of a job, shared by all its chunks: each draws a portion at a time."""

from __future__ import annotations

import asyncio
from decimal import Decimal

from withstood.engine.limits import Ledger, Limits, Spend
from withstood.fleet.registry import Claim, Registry

PORTION = 16
"""So many calls at their most are drawn at once, where there is room."""


class SharedAllowance:
    """See `engine.allowance.Allowance`. What was drawn for a chunk is on record before it is spent, so that a worker
    that dies has spent no more than what is counted for it."""

    def __init__(self, registry: Registry, claim: Claim) -> None:
        self._registry, self._claim = registry, claim
        self._limits = claim.commission.config.limits
        self._granted = Spend()
        self._drawing = asyncio.Lock()

    async def cover(self, ledger: Ledger, most: Spend) -> None:
        if not _is_limited(self._limits):
            return
        async with self._drawing:
            while not _covers(self._granted, wanted := ledger.booked + ledger.reserved + most):
                beyond = _times(most, PORTION - 1)
                self._granted = await asyncio.to_thread(self._registry.grow, self._claim, wanted, beyond)

    async def turn(self, tokens: int) -> float:
        limits = self._limits
        if limits.requests_per_minute is None and limits.tokens_per_minute is None:
            return 0.0
        return await asyncio.to_thread(self._registry.turn, self._claim.job, limits, tokens)


def _is_limited(limits: Limits) -> bool:
    return limits.calls is not None or limits.tokens is not None or limits.money is not None


def _covers(granted: Spend, wanted: Spend) -> bool:
    dear = wanted.cost is not None and granted.cost is not None and wanted.cost > granted.cost
    return wanted.calls <= granted.calls and wanted.tokens <= granted.tokens and not dear


def _times(spend: Spend, count: int) -> Spend:
    cost = None if spend.cost is None else spend.cost * Decimal(count)
    return Spend(spend.calls * count, spend.tokens_in * count, spend.tokens_out * count, cost)
