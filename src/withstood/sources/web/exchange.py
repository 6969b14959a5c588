"""One request and one answer, over one connection that is used once. Nothing from the environment goes with it: no
cookie, no credential, no proxy."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

import httpcore2

from withstood.__about__ import __version__
from withstood.sources.web import bodies
from withstood.sources.web.dialing import Dialing
from withstood.sources.web.targets import Refused, Target

AGENT = "withstood"
MOST_HEADERS = 200
_CONNECT_WITHIN = 10.0


@dataclass(frozen=True, slots=True)
class Sent:
    """What goes out besides the target. Headers may hold a key and show in no repr."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    method: str = "GET"
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Came:
    """An answer: header names in lower case, the last of each name."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def location(self) -> str | None:
        return self.headers.get("location") if self.status in (301, 302, 303, 307, 308) else None


class Unreached(Exception):
    """Why there was no answer: the network, not the page."""


PLAIN = Sent()
Room = Callable[[int, Mapping[str, str]], int]
"""How many bytes a body may have, by status and headers; 0 where it is not wanted."""


class Exchange:
    """`dialing` says where connections may go."""

    def __init__(self, dialing: Dialing, *, seconds: float, contact: str | None = None) -> None:
        self._dialing, self._seconds = dialing, seconds
        self._agent = f"{AGENT}/{__version__}" + (f" (+{contact})" if contact else "")
        self._trust: ssl.SSLContext | None = None

    async def exchange(self, target: Target, room: Room, sent: Sent = PLAIN) -> Came:
        """`Refused` where the answer is not taken, `Unreached` where there is none."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._once(target, room, sent)
        except TimeoutError:
            raise Unreached(f"it was not there within {self._seconds:g} seconds") from None
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, ssl.SSLError) as fault:
            raise Unreached(_told(fault)) from None

    async def _once(self, target: Target, room: Room, sent: Sent) -> Came:
        origin = httpcore2.Origin(target.scheme.encode(), target.host.encode(), target.port)
        trust = self._trusted() if target.scheme == "https" else None
        request = httpcore2.Request(
            sent.method,
            httpcore2.URL(
                scheme=target.scheme.encode(),
                host=target.host.encode(),
                port=target.port,
                target=target.path.encode(),
            ),
            headers=self._headers(target, sent),
            content=sent.content or None,
            extensions={"timeout": {"connect": _CONNECT_WITHIN}},
        )
        async with httpcore2.AsyncHTTPConnection(
            origin, ssl_context=trust, network_backend=self._dialing
        ) as connection:
            return await self._answer(await connection.handle_async_request(request), room)

    async def _answer(self, answer: httpcore2.Response, room: Room) -> Came:
        try:
            headers = _read(answer.headers)
            if over := getattr(answer.extensions.get("network_stream"), "head_is_over", None):
                over()
            most = room(answer.status, headers)
            content = b""
            if most:
                async with aclosing(answer.aiter_stream()) as stream:
                    encoding, said = headers.get("content-encoding", ""), headers.get("content-length", "")
                    content = await bodies.collected(stream, encoding, most, said)
            return Came(answer.status, headers, content)
        finally:
            await answer.aclose()

    def _headers(self, target: Target, sent: Sent) -> list[tuple[str, str]]:
        given = {
            "Host": target.netloc,
            "User-Agent": self._agent,
            "Accept-Encoding": bodies.ACCEPTED,
            "Connection": "close",
            **({"Content-Length": str(len(sent.content))} if sent.content else {}),
            **sent.headers,
        }
        return list(given.items())

    def _trusted(self) -> ssl.SSLContext:
        self._trust = self._trust or ssl.create_default_context()
        return self._trust


def _read(raw: list[tuple[bytes, bytes]]) -> Mapping[str, str]:
    if len(raw) > MOST_HEADERS:
        raise Refused(f"its answer has more than {MOST_HEADERS} headers")
    return {name.decode("latin-1").lower(): _text(value) for name, value in raw}


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _told(fault: Exception) -> str:
    said = " ".join(str(fault).split())[:200]
    return f"it cannot be reached: {said or type(fault).__name__}"
