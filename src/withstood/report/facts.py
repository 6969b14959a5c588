"""What a report says of the run itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class RunFacts:
    """`seats` is role to agent; `head` the hash of the journal's last record; `cost` None where no price is known."""

    run: str
    protocol: str
    rulebook: str
    rulebook_hash: str = ""
    seats: Mapping[str, str] = field(default_factory=dict[str, str])
    source: str = ""
    status: str = "done"
    head: str = ""
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal | None = None
    notes: tuple[str, ...] = ()
