"""A provider of batches, and a run that puts them on record, both in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from withstood.models.gatherer import Found, Looked, Sought
from withstood.models.port import Batch, Call, Reply


class ToldBatches:
    """Answers every call of a batch with its own body. `faults` are raised in turn by create, `looks` by look; a batch
    whose creation is `kept` is there even if create fails. `unlike` is what it has instead for the first calls."""

    def __init__(self, *faults: Exception | None, kept: bool = False, looks: Sequence[Exception] = ()) -> None:
        self.made: dict[str, Batch] = {}
        self.bodies: list[list[bytes]] = []
        self.unlike: dict[int, Found | None] = {}
        self.sure = [True]
        self.lost = False
        self._faults, self._kept, self._looks = list(faults), kept, list(looks)

    async def create(self, batch: Batch, bodies: Sequence[bytes]) -> str:
        fault = self._faults.pop(0) if self._faults else None
        if fault is None or self._kept:
            self.bodies.append(list(bodies))
            self.made[f"b{len(self.made) + 1}"] = batch
        if fault is not None:
            raise fault
        return f"b{len(self.made)}"

    async def find(self, batch: Batch, others: Collection[str]) -> Sought:
        known = next((name for name, made in self.made.items() if made.stamp == batch.stamp), None)
        return Sought(known, self.sure.pop(0) if len(self.sure) > 1 else self.sure[0])

    async def look(self, name: str) -> Looked | None:
        if self._looks:
            raise self._looks.pop(0)
        return None if self.lost else Looked(True, len(self.made[name].calls))

    async def results(self, batch: Batch, looked: Looked) -> Mapping[int, Found] | None:
        assert batch.id
        bodies = self.bodies[[*self.made].index(batch.id)]
        found: dict[int, Found | None] = {no: {"said": body.decode()} for no, body in enumerate(bodies)} | self.unlike
        return {no: one for no, one in found.items() if one is not None}

    async def close(self) -> None:
        return


class Echo:
    """A model of which each answer is what was asked."""

    name = "echo:m"

    def body(self, call: Call) -> bytes:
        return call.user.encode()

    def reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply:
        return Reply(found["said"], 1, 1)

    async def close(self) -> None:
        return


class Recorded:
    """Keeps what is put on record. Where `fault` is set, nothing can be."""

    def __init__(self) -> None:
        self.batches: dict[str, Batch] = {}
        self.looks = 0
        self.turns: list[int] = []
        self.fault: Exception | None = None

    async def intend(self, batch: Batch) -> None:
        if self.fault:
            raise self.fault
        self.batches[batch.stamp] = batch

    def handed(self, batch: Batch) -> None:
        self.batches[batch.stamp] = batch

    def looked(self) -> None:
        self.looks += 1

    async def turn(self, tokens: int) -> None:
        self.turns.append(tokens)
