"""What a run may spend beside others that share its limits. A run alone has nothing to ask for."""

from __future__ import annotations

from typing import Protocol

from withstood.engine.limits import Ledger, Spend


class Allowance(Protocol):
    async def cover(self, ledger: Ledger, most: Spend) -> None:
        """Return when so much more may be spent by this run, whatever the others spend; raise `errors.LimitReached`
        where a limit that all share could be passed. Nothing else runs between its return and the reservation."""
        ...

    async def turn(self, tokens: int) -> float:
        """How many seconds to wait before an attempt of so many tokens may go out."""
        ...


class Alone:
    """No other run shares the limits."""

    async def cover(self, ledger: Ledger, most: Spend) -> None:
        return

    async def turn(self, tokens: int) -> float:
        return 0.0
