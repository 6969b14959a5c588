"""Connections: a name is resolved once, every address that it gives is looked up in our table, and the connection goes
to one of those very addresses. Whoever changes the name's answer afterwards changes nothing."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

from httpcore2 import AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream, ConnectError, RemoteProtocolError

from withstood.sources.web.networks import forbidden
from withstood.sources.web.settings import NOBODY, Permitted
from withstood.sources.web.targets import Refused

MOST_ADDRESSES = 16
MOST_HEAD = 64 << 10
_READ = 64 << 10

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]


async def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses that the system knows a name by, each once."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as fault:
        raise Refused(f"the name {host} cannot be resolved: {getattr(fault, 'strerror', None) or fault}") from None
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class Dialing(AsyncNetworkBackend):
    """Opens connections to public addresses, and to whatever is permitted by name. `any_address` is for an endpoint
    that the user has configured; it is never for an address that was found."""

    def __init__(
        self,
        permitted: Permitted = NOBODY,
        resolve: Resolve = resolved,
        sockets: AsyncNetworkBackend | None = None,
        *,
        any_address: bool = False,
    ) -> None:
        self._permitted, self._resolve, self._any = permitted, resolve, any_address
        self._sockets = sockets or AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is the library's
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """To the first of the checked addresses that answers."""
        if host in self._permitted.hosts:
            return Counted(await self._sockets.connect_tcp(*self._permitted.hosts[host], timeout=timeout))
        fault: ConnectError | None = None
        for number in await self._checked(host, port):
            try:
                return Counted(await self._sockets.connect_tcp(number, port, timeout=timeout))
            except ConnectError as failed:
                fault = failed
        raise fault or ConnectError(f"{host} has no address")

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        """One forbidden address among them, and none is used."""
        found = list(await self._resolve(host, port))[:MOST_ADDRESSES]
        why = None if self._any else next((said for said in map(forbidden, found) if said), None)
        if why:
            raise Refused(f"{host} leads to an address that is not public: {why}")
        return found


class Counted(AsyncNetworkStream):
    """A connection that gives no more than `MOST_HEAD` before somebody says that the head is over."""

    def __init__(self, inner: AsyncNetworkStream) -> None:
        self._inner, self._left = inner, MOST_HEAD

    def head_is_over(self) -> None:
        self._left = -1

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        if self._left < 0:
            return await self._inner.read(max_bytes, timeout)
        if not self._left:
            raise RemoteProtocolError(f"its headers are longer than {MOST_HEAD >> 10} KiB")
        found = await self._inner.read(min(max_bytes, self._left, _READ), timeout)
        self._left -= len(found)
        return found

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> AsyncNetworkStream:
        return Counted(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
