"""A local model that costs nothing: OpenAI chat completions and Anthropic messages over HTTP/1.1 on loopback.

    python benchmarks/stub_server.py --port 0 --latency 0.2

Prints the port on its first line. Answers follow the JSON schema of the request (stub_answers.py) and depend on the
seed and the prompt only. `GET /bill` says what was asked and what it cost, `GET /requests` how often each body came,
`POST /reset` forgets both. It ends with SIGTERM, with --seconds, or when the pipe on its standard input closes.

Faults come at a rate (`--fault 500=0.01`), by header (`x-stub-fault: 500`) or by a mark in the prompt: `[[stub:500]]`
always, `[[stub:500*2]]` the first two times that this body comes. The kinds are the table FAULTS. Batches of either
wire are taken as stub_batches.py says; `--batch-seconds` is how long one goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import signal
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import fstat, read
from typing import Any

import stub_answers
from stub_batches import EXPIRED, Batches

STATUSES = {200: "OK", 302: "Found", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}
MARK = re.compile(rb"\[\[stub:(\w+)(?:\*(\d+))?\]\]")
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong instead of an answer. `status` alone is an error reply; `how` names a way to spoil a good one."""

    status: int = 200
    message: str = ""
    code: str = ""
    how: str = ""


FAULTS = {
    "429": Fault(429, "rate limit reached", "rate_limit_exceeded"),
    "quota": Fault(429, "you exceeded your current quota", "insufficient_quota"),
    "401": Fault(401, "invalid api key", "invalid_api_key"),
    "400": Fault(400, "this request cannot be served", "invalid_request_error"),
    "500": Fault(500, "internal error", "server_error"),
    "503": Fault(503, "overloaded", "overloaded_error"),
    "expired": Fault(EXPIRED, "not computed in time", "batch_expired"),
    "redirect": Fault(302, "elsewhere"),
    "drip": Fault(how="drip"),
    "cut": Fault(how="cut"),
    "hang": Fault(how="hang"),
    "prose": Fault(how="prose"),
    "usage": Fault(how="usage"),
    "length": Fault(how="length"),
    "refusal": Fault(how="refusal"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    seed: int = 0
    latency: float = 0.0
    retry_after: str = "1"
    drip_pause: float = 0.05
    batch_seconds: float = 0.0
    rates: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Bill:
    """What came and what went. `first_request` and `last_answer` are seconds since the epoch."""

    requests: int = 0
    answers: int = 0
    abandoned: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    in_flight: int = 0
    in_flight_max: int = 0
    first_request: float | None = None
    last_answer: float | None = None
    by_schema: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    bodies: Counter[bytes] = field(default_factory=Counter)

    def open(self, body: bytes) -> int:
        """Books a request; how often its body has now been seen."""
        self.first_request = self.first_request or time.time()
        self.requests += 1
        self.in_flight += 1
        self.in_flight_max = max(self.in_flight, self.in_flight_max)
        digest = hashlib.sha256(body).digest()
        self.bodies[digest] += 1
        return self.bodies[digest]

    def close(self, heard: bool) -> None:
        """Books an answer, or one that nobody waited for."""
        self.in_flight -= 1
        self.answers += heard
        self.abandoned += not heard
        self.last_answer = time.time() if heard else self.last_answer

    def lines(self) -> dict[str, Any]:
        names = ("requests", "answers", "abandoned", "tokens_in", "tokens_out", "in_flight", "in_flight_max")
        found: dict[str, Any] = {name: getattr(self, name) for name in (*names, "first_request", "last_answer")}
        repeats = sum(count - 1 for count in self.bodies.values())
        return found | {"repeats": repeats, "by_schema": dict(self.by_schema), "faults": dict(self.faults)}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The same of either wire: schema and its name, system and user text, and the name of the tool if it is one."""

    schema: Mapping[str, Any]
    name: str
    system: str
    user: str
    model: str
    tool: bool = False


# --- the two wires -----------------------------------------------------------------------------


def _read_openai(request: Mapping[str, Any]) -> Wanted:
    form = (request.get("response_format") or {}).get("json_schema") or {}
    messages = request["messages"]
    system = "\n".join(_plain(turn["content"]) for turn in messages if turn["role"] in ("system", "developer"))
    user = "\n".join(_plain(turn["content"]) for turn in messages if turn["role"] not in ("system", "developer"))
    return Wanted(form.get("schema") or {}, form.get("name", "none"), system, user, request.get("model", "stub"))


def _read_anthropic(request: Mapping[str, Any]) -> Wanted:
    system = _plain(request.get("system", ""))
    user = "\n".join(_plain(turn["content"]) for turn in request["messages"])
    model = request.get("model", "stub")
    for tool in request.get("tools") or ():
        return Wanted(tool.get("input_schema") or {}, tool["name"], system, user, model, tool=True)
    form = request.get("output_format") or (request.get("output_config") or {}).get("format") or {}
    return Wanted(form.get("schema") or {}, form.get("name", "none"), system, user, model)


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _write_openai(wanted: Wanted, text: str, usage: tuple[Any, Any], end: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if end == "refusal":
        message |= {"content": None, "refusal": "I cannot help with that."}
    finish = {"length": "length", "refusal": "content_filter"}.get(end, "stop")
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 0,
        "model": wanted.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": _sum(usage)},
    }


def _write_anthropic(wanted: Wanted, text: str, usage: tuple[Any, Any], end: str) -> dict[str, Any]:
    whole = wanted.tool and end == "stop"
    part = {"type": "tool_use", "id": "tool_stub", "name": wanted.name, "input": json.loads(text)} if whole else None
    finish = {"length": "max_tokens", "refusal": "refusal"}.get(end, "tool_use" if whole else "end_turn")
    return {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": wanted.model,
        "content": [] if end == "refusal" else [part or {"type": "text", "text": text}],
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {"input_tokens": usage[0], "output_tokens": usage[1]},
    }


def _sum(usage: tuple[Any, Any]) -> Any:
    return usage[0] + usage[1] if all(isinstance(part, int) for part in usage) else usage[0]


WIRES: dict[bytes, tuple[Callable[[Mapping[str, Any]], Wanted], Callable[..., dict[str, Any]]]] = {
    b"/v1/chat/completions": (_read_openai, _write_openai),
    b"/v1/messages": (_read_anthropic, _write_anthropic),
}


# --- the model ---------------------------------------------------------------------------------


class Stub:
    """The stub behind all connections: its settings and its bill."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.bill = settings, Bill()
        self.batches = Batches(self._batched, settings.batch_seconds)

    def _batched(self, path: bytes, body: bytes) -> tuple[int, bytes]:
        """One call of a batch: its status and its answer."""
        reply, how = self.reply(path, b"", body)
        self.bill.close(heard=True)
        status = 500 if how in ("hang", "cut", "drip") else int(reply[9:12])
        return status, reply.split(b"\r\n\r\n", 1)[1]

    def reply(self, path: bytes, head: bytes, body: bytes) -> tuple[bytes, str]:
        """The whole reply to a model call, and how it is to be sent: "", "drip", "cut" or "hang"."""
        seen = self.bill.open(body)
        kind = self._fault(head, body, seen)
        fault = FAULTS.get(kind, Fault())
        if kind:
            self.bill.faults[kind] += 1
        if fault.status != 200:
            return self._refusal(fault, kind), ""
        try:
            return self._answer(path, body, fault.how), fault.how
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as broken:
            return self._refusal(Fault(400, f"not a request that the stub reads: {broken!r}"), ""), ""

    def _fault(self, head: bytes, body: bytes, seen: int) -> str:
        at = head.find(b"\r\nx-stub-fault:")
        if at >= 0:
            return head[at + 15 :].split(b"\r\n", 1)[0].strip().decode()
        mark = MARK.search(body) if b"[[stub:" in body else None
        if mark:
            return mark[1].decode() if not mark[2] or seen <= int(mark[2]) else ""
        return self._chance(body, seen) if self.settings.rates else ""

    def _chance(self, body: bytes, seen: int) -> str:
        point = stub_answers.Dice(b"%d %d" % (self.settings.seed, seen) + body).below(10**6) / 10**6
        for kind, rate in self.settings.rates.items():
            point -= rate
            if point < 0:
                return kind
        return ""

    def _refusal(self, fault: Fault, kind: str) -> bytes:
        extra = b""
        if kind in ("429", "503"):
            extra = b"retry-after: %s\r\n" % self.settings.retry_after.encode()
        if fault.status == 302:
            extra = b"location: /v1/elsewhere\r\n"
        error = {"type": fault.code, "code": fault.code, "message": fault.message}
        return whole(fault.status, ENCODE({"type": "error", "error": error}).encode(), extra)

    def _answer(self, path: bytes, body: bytes, how: str) -> bytes:
        understand, write = WIRES[path]
        wanted = understand(json.loads(body))
        value = stub_answers.answer(wanted.schema, wanted.system, wanted.user, self.settings.seed)
        text = "Here is what I think: it is rather good." if how == "prose" else ENCODE(value)
        usage: tuple[Any, Any] = (len(wanted.system) // 3 + len(wanted.user) // 2 + 8, len(text) // 2 + 4)
        self.bill.by_schema[wanted.name] += 1
        self.bill.tokens_in += usage[0]
        self.bill.tokens_out += usage[1]
        if how == "usage":
            usage = (-(10**12), "many")
        text = text[: len(text) // 2] if how == "length" else text
        end = how if how in ("length", "refusal") else "prose" if how == "prose" else "stop"
        return whole(200, ENCODE(write(wanted, text, usage, end)).encode("utf-8", "replace"))


def whole(status: int, body: bytes, extra: bytes = b"") -> bytes:
    reason = STATUSES.get(status, "Error").encode()
    head = b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n"
    return head % (status, reason, extra, len(body)) + body


# --- the connection ----------------------------------------------------------------------------


class Connection(asyncio.Protocol):
    """One kept connection: one request at a time, the next waits in the buffer."""

    def __init__(self, stub: Stub) -> None:
        self.stub, self.loop = stub, asyncio.get_running_loop()
        self.buffer, self.busy, self.hanging = bytearray(), False, False
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.busy:
            self._next()

    def _next(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self.buffer[:end].lower()
        at = head.find(b"\r\ncontent-length:")
        length = int(head[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(self.buffer) < end + 4 + length:
            return
        body = bytes(self.buffer[end + 4 : end + 4 + length])
        del self.buffer[: end + 4 + length]
        self._serve(bytes(head), body)

    def _serve(self, head: bytes, body: bytes) -> None:
        method, path = head.split(b" ", 2)[:2]
        if path not in WIRES or method != b"post":
            served = self.stub.batches.serve(method.decode(), path.decode(), body)
            self.transport.write(whole(*served) if served else self._page(path))
            self._next()
            return
        self.busy = True
        reply, how = self.stub.reply(path, head, body)
        if self.stub.settings.latency:
            self.loop.call_later(self.stub.settings.latency, self._send, reply, how)
        else:
            self._send(reply, how)

    def _page(self, path: bytes) -> bytes:
        bill = self.stub.bill
        if path == b"/reset":
            self.stub.bill = Bill()
        if path == b"/requests":
            return whole(200, ENCODE([[digest.hex(), count] for digest, count in bill.bodies.items()]).encode())
        return whole(200 if path in (b"/bill", b"/reset") else 404, ENCODE(bill.lines()).encode())

    def _send(self, reply: bytes, how: str) -> None:
        if self.transport.is_closing():
            self._done(heard=False)
        elif how == "hang":
            self.hanging = True
        elif how == "drip":
            self._drip(reply, 0)
        else:
            self.transport.write(reply[: len(reply) * 2 // 3] if how == "cut" else reply)
            if how == "cut":
                self.transport.close()
            self._done(heard=True)

    def _drip(self, reply: bytes, at: int) -> None:
        if self.transport.is_closing() or at == len(reply):
            self._done(heard=at == len(reply))
            return
        self.transport.write(reply[at : at + 1])
        self.loop.call_later(self.stub.settings.drip_pause, self._drip, reply, at + 1)

    def _done(self, heard: bool) -> None:
        self.stub.bill.close(heard)
        self.busy = self.hanging = False
        if self.buffer and not self.transport.is_closing():
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.hanging:
            self._done(heard=False)


# --- the command -------------------------------------------------------------------------------


async def serve(settings: Settings, port: int, seconds: float | None = None) -> None:
    loop, stub, ended = asyncio.get_running_loop(), Stub(settings), asyncio.Event()
    server = await loop.create_server(lambda: Connection(stub), "127.0.0.1", port, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, ended.set)
    if stat.S_ISFIFO(fstat(sys.stdin.fileno()).st_mode):
        loop.add_reader(sys.stdin.fileno(), lambda: read(sys.stdin.fileno(), 64) or ended.set())
    if seconds is not None:
        loop.call_later(seconds, ended.set)
    await ended.wait()
    server.close()


def _rate(written: str) -> tuple[str, float]:
    kind, _, rate = written.partition("=")
    if kind not in FAULTS:
        raise argparse.ArgumentTypeError(f"wanted KIND=RATE with a kind of {', '.join(FAULTS)}; found {written}")
    return kind, float(rate or 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="A local stub model server.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=None, help="end by itself after so many")
    parser.add_argument("--retry-after", default="1", help="what a 429 or 503 says")
    parser.add_argument("--drip-pause", type=float, default=0.05, help="seconds between the bytes of a dripping reply")
    parser.add_argument("--batch-seconds", type=float, default=0.0, help="how long a batch goes on")
    parser.add_argument("--fault", type=_rate, action="append", default=[], metavar="KIND=RATE")
    given = parser.parse_args()
    settings = Settings(
        given.seed, given.latency, given.retry_after, given.drip_pause, given.batch_seconds, dict(given.fault)
    )
    asyncio.run(serve(settings, given.port, given.seconds))


if __name__ == "__main__":
    main()
