"""Batches as OpenAI takes them: a file of calls, a batch of that file, one or two files of results.

| status | means |
|---|---|
| validating, in_progress, finalizing, cancelling | it goes on |
| completed | every call has an answer, or a failure of its own |
| expired, cancelled | some calls have an answer; the others may be made again |
| failed | no call was made |
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from withstood.errors import CallFailed, ModelUnavailable, WorldError
from withstood.form import shown
from withstood.models.gatherer import Found, Looked, Sought, unanswered
from withstood.models.port import Batch
from withstood.models.results import DAY, custom_id, id_of, lines, place
from withstood.models.wire import Wire, encode

GOES_ON = ("validating", "in_progress", "finalizing", "cancelling")
OVER = ("completed", "expired", "cancelled", "failed")
STAMP = "withstood"
PAGE = 100


class OpenAIBatches:
    """See `gatherer.Endpoint`."""

    def __init__(self, name: str, wire: Wire) -> None:
        self._name, self._wire = name, wire

    async def create(self, batch: Batch, bodies: Sequence[bytes]) -> str:
        file = await self._wire.post(*_form(batch, bodies))
        wanted = {
            "input_file_id": id_of(self._wire, file),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {STAMP: batch.stamp},
        }
        return id_of(self._wire, await self._wire.post(encode(wanted).encode(), "/batches"))

    async def find(self, batch: Batch, others: Collection[str]) -> Sought:
        after = ""
        while True:
            page = await self._object(f"/batches?limit={PAGE}{after}")
            listed = [one for one in page.get("data") or () if isinstance(one, dict)]
            for one in listed:
                if (one.get("metadata") or {}).get(STAMP) == batch.stamp:
                    return Sought(id_of(self._wire, one))
            if not page.get("has_more") or not listed or _age(listed[-1]) < batch.at - DAY:
                return Sought(None)
            after = f"&after={id_of(self._wire, listed[-1])}"

    async def look(self, name: str) -> Looked | None:
        content = await self._wire.get(f"/batches/{name}")
        if content is None:
            return None
        found = self._wire.object(content)
        status = found.get("status")
        if status not in (*GOES_ON, *OVER):
            raise self._wire.lacks("a batch with a status", found)
        counts = found.get("request_counts") or {}
        done = sum(count for part in ("completed", "failed") if type(count := counts.get(part)) is int)
        files = [found.get(part) for part in ("output_file_id", "error_file_id")]
        places = tuple([f"/files/{id_of(self._wire, {'id': file})}/content" for file in files if file])
        return Looked(status in OVER, done, places, self._why(name, status, found))

    def _why(self, name: str, status: str, found: Mapping[str, Any]) -> WorldError:
        if status != "failed":
            return unanswered(f"{self._name}: batch {name} is {status} and has no answer to this call")
        said = shown((found.get("errors") or {}).get("data") or "no reason given", 300)
        return ModelUnavailable(
            f"{self._name} took no call of batch {name}: {said}. Where too much waits there already, come back later "
            "or with a smaller --in-flight; then resume."
        )

    async def results(self, batch: Batch, looked: Looked) -> Mapping[int, Found] | None:
        found: dict[int, Found] = {}
        for where in looked.places:
            content = await self._wire.get(where)
            if content is None:
                return None
            found |= {no: self._found(line) for line in lines(content) if (no := place(batch, line)) is not None}
        return found

    def _found(self, line: Mapping[str, Any]) -> Found:
        response = line.get("response")
        if not isinstance(response, dict):
            return unanswered(f"{self._name}: {shown(line.get('error'), 200)}")
        status, body = response.get("status_code"), response.get("body")
        if status == 200 and isinstance(body, dict):
            return body
        fault = self._wire.failure(status if type(status) is int else 500, json.dumps(body).encode())
        return unanswered(str(fault), again=fault.again) if isinstance(fault, CallFailed) else fault

    async def _object(self, path: str) -> dict[str, Any]:
        content = await self._wire.get(path)
        if content is None:
            raise ModelUnavailable(f"{self._name} has no batches at {path}. Look at its address, then resume.")
        return self._wire.object(content)

    async def close(self) -> None:
        await self._wire.close()


def _age(listed: Mapping[str, Any]) -> int:
    created = listed.get("created_at")
    return created if type(created) is int else 0


def _form(batch: Batch, bodies: Sequence[bytes]) -> tuple[bytes, str, str]:
    """The file as a form: its content, its path, and what it is."""
    edge = secrets.token_hex(16)
    parts = (
        f'--{edge}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n',
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{batch.stamp}.jsonl"\r\n',
        "Content-Type: application/jsonl\r\n\r\n",
    )
    content = b"".join(_lines(batch, bodies))
    whole = "".join(parts).encode() + content + f"\r\n--{edge}--\r\n".encode()
    return whole, "/files", f"multipart/form-data; boundary={edge}"


def _lines(batch: Batch, bodies: Sequence[bytes]) -> Iterator[bytes]:
    for no, body in enumerate(bodies):
        head = f'{{"custom_id":"{custom_id(batch, no)}","method":"POST","url":"/v1/chat/completions","body":'
        yield head.encode() + body + b"}\n"
