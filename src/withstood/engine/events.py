"""What the engine tells while it works. It never prints; whoever listens may."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

Event: TypeAlias = Literal[
    "opened",  # a case was taken from the input
    "asked",  # an ask was handed to its agent
    "reserved",  # its call has a reservation
    "intended",  # the call's intent was appended to the journal
    "intent_kept",  # ... and is durable
    "sending",  # an attempt has its slot and goes out
    "failed",  # the attempt failed
    "replied",  # a reply came back
    "answered",  # the ask has its answer, appended to the journal
    "batch_answered",  # every ask of the batch has
    "ruled",  # the flow has ended, its ruling was appended
    "written",  # the result was handed on, in input order, after its ruling was durable
    "refused",  # the row was not a case; it was written as refused
    "gathered",  # a batch of calls is on record, about to be handed over
    "handed",  # the provider has it
    "looked",  # it was looked at
]


class Listener(Protocol):
    def tell(self, event: Event, case: str, role: str = "") -> None: ...


class Deaf:
    """Listens to nothing."""

    def tell(self, event: Event, case: str, role: str = "") -> None:
        return
