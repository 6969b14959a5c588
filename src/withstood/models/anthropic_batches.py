"""Batches as Anthropic takes them: all calls in one request, and one place to read the results.

| processing_status | means |
|---|---|
| in_progress, canceling | it goes on |
| ended | every call has a result: succeeded, errored, canceled or expired |

A batch carries no word of ours except in the names of its calls, and those are shown once it has ended. So one that is
looked for by its stamp cannot be told from a stranger of the same size and day before it ends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from withstood.errors import ModelUnavailable
from withstood.form import shown
from withstood.models.gatherer import Found, Looked, Sought, unanswered
from withstood.models.port import Batch
from withstood.models.results import DAY, custom_id, id_of, lines, place
from withstood.models.wire import Wire

PATH = "/messages/batches"
GOES_ON = ("in_progress", "canceling")
AGAIN = ("canceled", "expired", "api_error", "overloaded_error", "rate_limit_error", "timeout_error")
PAGE = 100


class AnthropicBatches:
    """See `gatherer.Endpoint`."""

    def __init__(self, name: str, wire: Wire) -> None:
        self._name, self._wire = name, wire
        self._strangers: set[tuple[str, str]] = set()

    async def create(self, batch: Batch, bodies: Sequence[bytes]) -> str:
        head = '{"custom_id":"%s","params":'
        calls = [(head % custom_id(batch, no)).encode() + body + b"}" for no, body in enumerate(bodies)]
        return id_of(self._wire, await self._wire.post(b'{"requests":[' + b",".join(calls) + b"]}", PATH))

    async def find(self, batch: Batch, others: Collection[str]) -> Sought:
        after, sure = "", True
        while True:
            page = await self._page(after)
            listed = [one for one in page.get("data") or () if isinstance(one, dict)]
            for one in listed:
                name = id_of(self._wire, one)
                if name in others or (name, batch.stamp) in self._strangers or not _may_be(one, batch):
                    continue
                if one.get("processing_status") in GOES_ON:
                    sure = False
                elif await self._is(name, batch):
                    return Sought(name)
            if not page.get("has_more") or not listed or _created(listed[-1]) < batch.at - DAY:
                return Sought(None, sure)
            after = f"&after_id={id_of(self._wire, listed[-1])}"

    async def _page(self, after: str) -> dict[str, Any]:
        content = await self._wire.get(f"{PATH}?limit={PAGE}{after}")
        if content is None:
            raise ModelUnavailable(f"{self._name} has no batches at {PATH}. Look at its address, then resume.")
        return self._wire.object(content)

    async def _is(self, name: str, batch: Batch) -> bool:
        content = await self._wire.get(f"{PATH}/{name}/results")
        if content and any(place(batch, line) is not None for line in lines(content)):
            return True
        self._strangers.add((name, batch.stamp))
        return False

    async def look(self, name: str) -> Looked | None:
        content = await self._wire.get(f"{PATH}/{name}")
        if content is None:
            return None
        found = self._wire.object(content)
        status = found.get("processing_status")
        if status not in (*GOES_ON, "ended"):
            raise self._wire.lacks("a batch with a status", found)
        counts = _counts(found)
        why = unanswered(f"{self._name}: batch {name} has ended and has no answer to this call")
        return Looked(
            status == "ended", sum(counts.values()) - counts.get("processing", 0), (f"{PATH}/{name}/results",), why
        )

    async def results(self, batch: Batch, looked: Looked) -> Mapping[int, Found] | None:
        content = await self._wire.get(looked.places[0])
        if content is None:
            return None
        return {
            no: self._found(line.get("result")) for line in lines(content) if (no := place(batch, line)) is not None
        }

    def _found(self, result: Any) -> Found:
        result = result if isinstance(result, dict) else {}
        kind, message = result.get("type"), result.get("message")
        if kind == "succeeded" and isinstance(message, dict):
            return message
        fault = result.get("error")
        fault = fault.get("error", fault) if isinstance(fault, dict) else {"type": kind, "message": f"the call {kind}"}
        said = f"{self._name}: {fault.get('type')}: {shown(fault.get('message'), 200)}"
        return unanswered(said, again=fault.get("type") in AGAIN)

    async def close(self) -> None:
        await self._wire.close()


def _may_be(listed: Mapping[str, Any], batch: Batch) -> bool:
    return sum(_counts(listed).values()) == len(batch.calls) and _created(listed) >= batch.at - DAY


def _counts(found: Mapping[str, Any]) -> dict[str, int]:
    counts = found.get("request_counts") or {}
    return {part: count for part, count in counts.items() if type(count) is int}


def _created(listed: Mapping[str, Any]) -> float:
    """0 where it does not say, as if it were very old."""
    try:
        return datetime.fromisoformat(str(listed.get("created_at")).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0
