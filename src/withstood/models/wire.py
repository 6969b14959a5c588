"""One request and its answer: what all HTTP adapters share.

One attempt and one deadline; connections are kept; no redirect, cookie, proxy or other thing from the environment.
It goes to transports of httpx2 rather than to its client, and to one for each connection: a pool looks through all of
its connections whenever a request comes or ends, which at 64 of them is most of what a call costs.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from withstood.errors import CallFailed, MissingExtra, WorldError
from withstood.form import shown
from withstood.models.keys import Key
from withstood.models.port import Call
from withstood.models.statuses import failure

if TYPE_CHECKING:
    import httpx2

JSON = "application/json"
NONE: Mapping[str, str] = {}
MOST_BYTES = 8 * 2**20
_CONNECT_WITHIN = 10.0
_MOST_KEPT = 64

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Address:
    """Where to ask: `name` is what messages and the journal call it."""

    name: str
    url: str
    headers: Mapping[str, str]
    key: Key | None = None


class Wire:
    """Connections to one address."""

    def __init__(self, address: Address, *, deadline: float, in_flight: int, most_bytes: int = MOST_BYTES) -> None:
        self._httpx2, self._most_bytes = _httpx2(address.name), most_bytes
        self._name, self._key, self._deadline = address.name, address.key, deadline
        self._url, self._base = self._httpx2.URL(address.url), address.url
        fixed = {"Host": self._url.netloc.decode("ascii"), **_HEADERS, **address.headers}
        self._headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in fixed.items()]
        self._slots = asyncio.Semaphore(in_flight)
        self._lanes: list[httpx2.AsyncHTTPTransport] = []
        self._free: list[httpx2.AsyncHTTPTransport] = []
        self._trust = ssl.create_default_context() if self._url.scheme == "https" else False

    async def post(self, body: bytes, path: str = "", kind: str = JSON) -> dict[str, Any]:
        """The JSON object that came back, whole. Everything else is an error of `models.port.Model.complete`."""
        return self.object(await self._asked("POST", path, body, kind))

    async def get(self, path: str) -> bytes | None:
        """What stands at this path; None where there is nothing."""
        return await self._asked("GET", path, absent=True)

    async def _asked(self, method: str, path: str, body: bytes = b"", kind: str = JSON, *, absent: bool = False) -> Any:
        try:
            async with asyncio.timeout(self._deadline):
                status, headers, content = await self._exchange(method, path, body, kind)
        except TimeoutError:
            raise CallFailed(f"{self._name}: no whole answer within {self._deadline:g} seconds", again=True) from None
        except self._httpx2.TransportError as fault:
            raise self._broken(fault) from None
        if absent and status == 404:
            return None
        if not 200 <= status < 300:
            raise self.failure(status, content, headers)
        return content

    def failure(self, status: int, content: bytes, headers: Mapping[str, str] = NONE) -> WorldError:
        """What an answer of this status means."""
        return failure(self._name, status, headers, content, self._key)

    async def close(self) -> None:
        for lane in self._lanes:
            await lane.aclose()

    @asynccontextmanager
    async def _lane(self) -> AsyncGenerator[httpx2.AsyncHTTPTransport]:
        """A transport that nobody else uses now, the one that was used last if there is one: it is connected."""
        async with self._slots:
            lane = self._free.pop() if self._free else self._new_lane()
            try:
                yield lane
            finally:
                self._free.append(lane)

    def _new_lane(self) -> httpx2.AsyncHTTPTransport:
        limits = self._httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        self._lanes.append(self._httpx2.AsyncHTTPTransport(trust_env=False, limits=limits, verify=self._trust))
        return self._lanes[-1]

    async def _exchange(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, Mapping[str, str], bytes]:
        headers = [*self._headers, (b"Content-Type", kind.encode()), (b"Content-Length", b"%d" % len(body))]
        stream, patience = self._httpx2.ByteStream(body), {"timeout": {"connect": _CONNECT_WITHIN}}
        url = self._httpx2.URL(self._base + path) if path else self._url
        request = self._httpx2.Request(method, url, headers=headers, stream=stream, extensions=patience)
        async with self._lane() as lane:
            response = await lane.handle_async_request(request)
            try:
                return response.status_code, response.headers, await self._whole(response)
            finally:
                await response.aclose()

    async def _whole(self, response: httpx2.Response) -> bytes:
        """The body as it was sent; one that is compressed, which was not asked for, is not opened."""
        if response.headers.get("content-encoding", "identity") != "identity":
            raise CallFailed(f"{self._name} sent a compressed answer that was not asked for", again=False)
        parts: list[bytes] = []
        length = 0
        async with aclosing(response.aiter_raw()) as incoming:
            async for part in incoming:
                length += len(part)
                if length > self._most_bytes:
                    raise CallFailed(f"{self._name} sent more than {self._most_bytes // 2**20} MiB", again=False)
                parts.append(part)
        return b"".join(parts)

    def _broken(self, fault: Exception) -> CallFailed:
        h = self._httpx2
        unsent = (h.ConnectError, h.ConnectTimeout, h.PoolTimeout, h.UnsupportedProtocol, h.LocalProtocolError)
        said = shown(str(fault) or type(fault).__name__, 200)
        said = self._key.taken_out(said) if self._key else said
        if isinstance(fault, unsent):
            return CallFailed(f"{self._name} cannot be reached: {said}", again=True, reached=False)
        return CallFailed(f"{self._name}: the connection broke off: {said}", again=True)

    def object(self, content: bytes) -> dict[str, Any]:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            raise CallFailed(f"{self._name}: wanted JSON, found {self._shown(content[:400])}", again=True) from None
        if not isinstance(found, dict):
            raise self.lacks("a JSON object", found)
        return found

    def lacks(self, wanted: str, found: object) -> CallFailed:
        """The failure of a call whose answer has not what every answer of this wire has."""
        return CallFailed(f"{self._name}: wanted {wanted}, found {self._shown(found)}", again=False)

    def _shown(self, found: object) -> str:
        said = shown(found, 200)
        return self._key.taken_out(said) if self._key else said


_HEADERS = {
    "User-Agent": "withstood",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "Connection": "keep-alive",
}


def _httpx2(wanted_for: str) -> Any:
    try:
        import httpx2
    except ImportError:
        raise MissingExtra(f"The model {wanted_for}", "models") from None
    return httpx2


# --- what goes out -----------------------------------------------------------------------------


class Fixed:
    """The part of a request that is the same for every call of one schema: drawn and encoded once."""

    def __init__(self, draw: Callable[[Call], Mapping[str, Any]]) -> None:
        self._draw = draw
        self._kept: dict[tuple[int, str, int], tuple[Mapping[str, Any], bytes]] = {}

    def request(self, call: Call, changing: Mapping[str, Any]) -> bytes:
        """The whole body: what changes, then what does not."""
        return encode(changing)[:-1].encode("utf-8", "replace") + b"," + self._tail(call)

    def _tail(self, call: Call) -> bytes:
        # The schema is kept beside its text, so that its identity cannot pass to another object.
        place = (id(call.schema), call.schema_name, call.most_tokens)
        if place not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[place] = (call.schema, encode(self._draw(call)).encode()[1:])
        return self._kept[place][1]


# --- what comes in -----------------------------------------------------------------------------


def plain(text: object) -> str:
    """Text that can be stored: not text is empty, half a surrogate pair becomes the replacement character."""
    if not isinstance(text, str):
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def counted(usage: object, names: tuple[str, ...], most: int) -> int:
    """The sum of these counts, between 0 and `most`. A sum that is missing or makes no sense is booked as `most`."""
    found = [usage[name] for name in names if usage.get(name) is not None] if isinstance(usage, dict) else []
    if not found or not all(type(count) is int and count >= 0 for count in found):
        return most
    return min(sum(found), most)
