"""A real HTTP server on the loopback that says what a test tells it to, byte by byte if need be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Say: TypeAlias = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came in; header names in lower case."""

    line: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Loopback:
    url: str = ""
    seen: list[Seen] = field(default_factory=list[Seen])
    connections: int = 0


def answer(status: int, body: object, headers: Mapping[str, str] | None = None) -> Say:
    """A whole answer; a body that is not bytes is written as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return raw(_head(status, len(content), headers or {}) + content)


def cut_off(body: bytes, missing: int = 10) -> Say:
    """Promises more than it sends, and hangs up."""
    return raw(_head(200, len(body) + missing, {}) + body, hang_up=True)


def raw(content: bytes, *, hang_up: bool = False) -> Say:
    async def say(writer: asyncio.StreamWriter) -> None:
        writer.write(content)
        await writer.drain()
        if hang_up:
            writer.close()

    return say


def drip(pause: float) -> Say:
    """One byte at a time, for ever, so that no read ever takes long."""

    async def say(writer: asyncio.StreamWriter) -> None:
        writer.write(_head(200, 10_000, {}))
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(pause)

    return say


def _head(status: int, length: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} As Told", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in ({"Content-Type": "application/json"} | dict(headers)).items()]
    return "\r\n".join([*lines, "", ""]).encode()


@asynccontextmanager
async def loopback(*says: Say) -> AsyncIterator[Loopback]:
    """Answers the requests in order; the last answer is repeated."""
    found = Loopback()
    talks: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks[writer] = asyncio.current_task()
        found.connections += 1
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while not writer.is_closing():
                found.seen.append(await _request(reader))
                await says[min(len(found.seen), len(says)) - 1](writer)
        writer.close()

    server = await asyncio.start_server(converse, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.close()
        for writer in talks:
            writer.close()
        await asyncio.gather(*(talk for talk in talks.values() if talk), return_exceptions=True)
        await asyncio.gather(*(writer.wait_closed() for writer in talks), return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return Seen(head[0], headers, await reader.readexactly(int(headers.get("content-length", "0"))))
