"""The batch endpoints of the stub server, of either wire: files, batches, results.

A batch is answered when it is created and is shown as ended some seconds later. Each of its calls is answered, billed
and spoilt as if it had come by itself; one that is to expire has `[[stub:expired]]` in its prompt, and a batch with
`[[stub:unbatched]]` in a prompt is refused as a whole, after it was taken.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Answer = Callable[[bytes, bytes], tuple[int, bytes]]
"""From path and body of a call to status and body of its answer."""
EXPIRED = 410
UNBATCHED = b"[[stub:unbatched]]"


@dataclass(slots=True)
class Kept:
    """A batch: its results by the names of its calls, in an order of their own."""

    id: str
    made: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    results: list[tuple[str, int, Any]] = field(default_factory=list)
    failed: bool = False
    cancelled: bool = False

    def count(self, *statuses: int) -> int:
        return sum(status in statuses for _, status, _ in self.results)


class Batches:
    """All files and batches of one stub. `seconds` is how long a batch goes on."""

    def __init__(self, answer: Answer, seconds: float) -> None:
        self._answer, self._seconds = answer, seconds
        self._files: dict[str, bytes] = {}
        self._made: dict[str, Kept] = {}
        self.handed = 0

    def serve(self, method: str, target: str, body: bytes) -> tuple[int, bytes] | None:
        """Status and content; None where the address has nothing to do with batches."""
        path, _, query = target.partition("?")
        for wanted, pattern, serve in ROUTES:
            if wanted == method and (found := re.fullmatch(pattern, path)):
                return serve(self, body, query, *found.groups())
        return None

    def _over(self, kept: Kept) -> bool:
        return time.time() >= kept.made + self._seconds or kept.cancelled

    def _keep(self, name: str, calls: list[tuple[str, bytes, bytes]], metadata: Mapping[str, Any]) -> Kept:
        self.handed += 1
        kept = Kept(f"{name}_{len(self._made) + 1}", time.time(), metadata)
        kept.failed = any(UNBATCHED in body for _, _, body in calls)
        for custom_id, path, body in () if kept.failed else reversed(calls):
            status, answer = self._answer(path, body)
            kept.results.append((custom_id, status, json.loads(answer)))
        self._made[kept.id] = kept
        return kept

    def _page(self, query: str, shown: Callable[[Kept], Any], after: str) -> tuple[int, bytes]:
        asked = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
        names = list(reversed(self._made))
        start = names.index(asked[after]) + 1 if after in asked else 0
        some = names[start : start + int(asked.get("limit", "20"))]
        more = start + len(some) < len(names)
        return said({"data": [shown(self._made[name]) for name in some], "has_more": more})

    # --- as OpenAI has them --------------------------------------------------------------------

    def upload(self, body: bytes, query: str) -> tuple[int, bytes]:
        edge = body.split(b"\r\n", 1)[0]
        parts = [part.split(b"\r\n\r\n", 1) for part in body.split(edge)[1:-1]]
        if [b'name="purpose"' in head for head, _ in parts] != [True, False] or parts[0][1].strip() != b"batch":
            return said({"error": {"message": "wanted purpose=batch and a file"}}, 400)
        name = f"file-{len(self._files) + 1}"
        self._files[name] = parts[1][1].removesuffix(b"\r\n")
        return said({"id": name, "object": "file", "purpose": "batch"})

    def create_openai(self, body: bytes, query: str) -> tuple[int, bytes]:
        asked = json.loads(body)
        lines = [json.loads(line) for line in self._files[asked["input_file_id"]].splitlines()]
        calls = [(one["custom_id"], one["url"].encode(), _bytes(one["body"])) for one in lines]
        return said(self._openai(self._keep("batch", calls, asked.get("metadata") or {})))

    def _openai(self, kept: Kept) -> dict[str, Any]:
        over, good = self._over(kept), kept.count(200)
        bad = len(kept.results) - good
        ended = "cancelled" if kept.cancelled else "expired" if kept.count(EXPIRED) else "completed"
        shown: dict[str, Any] = {
            "id": kept.id,
            "object": "batch",
            "created_at": int(kept.made),
            "metadata": kept.metadata,
            "status": "failed" if kept.failed else ended if over else "in_progress",
            "request_counts": {"total": good + bad, "completed": good * over, "failed": bad * over},
            "output_file_id": f"{kept.id}-out" if over and good else None,
            "error_file_id": f"{kept.id}-err" if over and bad else None,
        }
        if kept.failed:
            shown["errors"] = {"data": [{"code": "token_limit_exceeded", "message": "too much is waiting"}]}
        return shown

    def look_openai(self, body: bytes, query: str, name: str) -> tuple[int, bytes]:
        return said(self._openai(self._made[name])) if name in self._made else absent(name)

    def list_openai(self, body: bytes, query: str) -> tuple[int, bytes]:
        return self._page(query, self._openai, "after")

    def cancel_openai(self, body: bytes, query: str, name: str) -> tuple[int, bytes]:
        return said(self._openai(self._cancelled(name)))

    def content(self, body: bytes, query: str, name: str, which: str) -> tuple[int, bytes]:
        lines = [_line(one) for one in self._made[name].results if (one[1] == 200) == (which == "out")]
        return 200, "".join(json.dumps(line) + "\n" for line in lines).encode()

    # --- as Anthropic has them -----------------------------------------------------------------

    def create_anthropic(self, body: bytes, query: str) -> tuple[int, bytes]:
        asked = json.loads(body)["requests"]
        calls = [(one["custom_id"], b"/v1/messages", _bytes(one["params"])) for one in asked]
        return said(self._anthropic(self._keep("msgbatch", calls, {})))

    def _anthropic(self, kept: Kept) -> dict[str, Any]:
        over, good, expired = self._over(kept), kept.count(200), kept.count(EXPIRED)
        ended = {"succeeded": good, "errored": len(kept.results) - good - expired, "expired": expired}
        counts = {name: count * over for name, count in ended.items()}
        return {
            "id": kept.id,
            "type": "message_batch",
            "created_at": datetime.fromtimestamp(kept.made, UTC).isoformat().replace("+00:00", "Z"),
            "processing_status": "ended" if over else "in_progress",
            "request_counts": {"processing": len(kept.results) * (not over), "canceled": 0, **counts},
        }

    def look_anthropic(self, body: bytes, query: str, name: str) -> tuple[int, bytes]:
        return said(self._anthropic(self._made[name])) if name in self._made else absent(name)

    def list_anthropic(self, body: bytes, query: str) -> tuple[int, bytes]:
        return self._page(query, self._anthropic, "after_id")

    def cancel_anthropic(self, body: bytes, query: str, name: str) -> tuple[int, bytes]:
        return said(self._anthropic(self._cancelled(name)))

    def results(self, body: bytes, query: str, name: str) -> tuple[int, bytes]:
        lines = [
            {"custom_id": name, "result": _result(status, body)} for name, status, body in self._made[name].results
        ]
        return 200, "".join(json.dumps(line) + "\n" for line in lines).encode()

    def _cancelled(self, name: str) -> Kept:
        """Nothing of it was answered yet."""
        kept = self._made[name]
        if not self._over(kept):
            kept.cancelled = True
            kept.results = [(one, EXPIRED, {}) for one, _, _ in kept.results]
        return kept


ROUTES: tuple[tuple[str, str, Callable[..., tuple[int, bytes]]], ...] = (
    ("post", "/v1/files", Batches.upload),
    ("get", r"/v1/files/(batch_\d+)-(out|err)/content", Batches.content),
    ("post", "/v1/batches", Batches.create_openai),
    ("get", "/v1/batches", Batches.list_openai),
    ("get", r"/v1/batches/(\w+)", Batches.look_openai),
    ("post", r"/v1/batches/(\w+)/cancel", Batches.cancel_openai),
    ("post", "/v1/messages/batches", Batches.create_anthropic),
    ("get", "/v1/messages/batches", Batches.list_anthropic),
    ("get", r"/v1/messages/batches/(\w+)", Batches.look_anthropic),
    ("get", r"/v1/messages/batches/(\w+)/results", Batches.results),
    ("post", r"/v1/messages/batches/(\w+)/cancel", Batches.cancel_anthropic),
)


def said(body: Any, status: int = 200) -> tuple[int, bytes]:
    return status, json.dumps(body).encode()


def absent(name: str) -> tuple[int, bytes]:
    return said({"error": {"message": f"there is no batch {name}"}}, 404)


def _bytes(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _line(one: tuple[str, int, Any]) -> dict[str, Any]:
    custom_id, status, body = one
    if status == EXPIRED:
        error = {"code": "batch_expired", "message": "this request could not be executed in time"}
        return {"id": "batch_req", "custom_id": custom_id, "response": None, "error": error}
    answer = {"status_code": status, "request_id": "req", "body": body}
    return {"id": "batch_req", "custom_id": custom_id, "response": answer, "error": None}


def _result(status: int, body: Any) -> dict[str, Any]:
    if status == 200:
        return {"type": "succeeded", "message": body}
    if status == EXPIRED:
        return {"type": "expired"}
    kind = "invalid_request_error" if status < 429 else "api_error"
    return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": f"answered {status}"}}}
