"""The one fetcher against addresses, redirects and bodies that mean harm. Connections are counted at the socket."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

import pytest
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream, ConnectError

from tests.fakes.connects import connects
from tests.sources.web import hostile
from withstood.sources.web.dialing import Dialing, Resolve
from withstood.sources.web.exchange import Exchange, Unreached
from withstood.sources.web.fetcher import Fetched, Fetcher
from withstood.sources.web.politeness import Politeness
from withstood.sources.web.settings import Permitted
from withstood.sources.web.targets import Refused

DOOR = "door.example"
MOST = 1 << 20
PAGE = b"<html><body><p>Plain words of a plain page.</p></body></html>"
PACKED = gzip.compress(PAGE, mtime=0)

Say = Callable[[socket.socket, str], None]


async def told(host: str, port: int) -> Sequence[str]:
    """The resolver of the tests: numbers are themselves, names are looked up in a table."""
    if host in hostile.NAMES:
        return hostile.NAMES[host]
    if any(sign.isalpha() for sign in host.replace(":", "")) and ":" not in host:
        raise Refused(f"the name {host} cannot be resolved")
    return [host]


@contextmanager
def serving(say: Say, address: str = "127.0.0.1", port: int = 0) -> Iterator[tuple[int, list[str]]]:
    """A server of plain sockets: `say` answers with whatever bytes it likes. Gives its port, and what was asked."""
    asked: list[str] = []
    listening = socket.create_server((address, port))
    ended = threading.Event()

    def converse(talk: socket.socket) -> None:
        with talk, suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                part = talk.recv(65536)
                if not part:
                    return
                head += part
            asked.append(head.decode("latin-1"))
            say(talk, head.decode("latin-1"))

    def accept() -> None:
        while not ended.is_set():
            with suppress(OSError):
                talk, _ = listening.accept()
                threading.Thread(target=converse, args=(talk,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listening.getsockname()[1], asked
    finally:
        ended.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def answer(body: bytes = PAGE, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    told = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers]
    if not any(line.lower().startswith("content-type") for line in headers):
        told.append("Content-Type: text/html")
    return "\r\n".join([*told, "", ""]).encode("utf-8") + body


def path_of(head: str) -> str:
    return head.split(" ")[1]


def with_pages(pages: dict[str, bytes]) -> Say:
    def say(talk: socket.socket, head: str) -> None:
        talk.sendall(pages.get(path_of(head)) or answer(b"none", status="404 Not Found"))

    return say


def fetcher(port: int, *, seconds: float = 20.0, resolve: Resolve = told, most: int = MOST) -> Fetcher:
    dialing = Dialing(Permitted({DOOR: ("127.0.0.1", port)}), resolve)
    return Fetcher(Exchange(dialing, seconds=seconds), Politeness(0.0), most)


def fetched(port: int, url: str = f"http://{DOOR}/", seconds: float = 20.0, most: int = MOST) -> Fetched:
    return asyncio.run(fetcher(port, seconds=seconds, most=most).fetch(url))


# --- where nobody may go -----------------------------------------------------------------------


def test_there_are_more_than_two_hundred_hostile_addresses() -> None:
    assert len(hostile.urls()) > 200


class Treasure(NamedTuple):
    url: str
    asked: list[str]


@pytest.fixture(scope="module")
def treasure() -> Iterator[Treasure]:
    """A real server inside, on a port that is allowed, where a connection would be answered. Other processes may have
    one of their own."""
    number = os.getpid()
    address = f"127.{number >> 16 & 127}.{number >> 8 & 255}.{number & 255 or 1}"
    with serving(with_pages({}), address, 8080) as (_, asked):
        with socket.create_connection((address, 8080)) as probe:
            probe.sendall(b"GET /probe HTTP/1.1\r\n\r\n")
            assert probe.recv(100)
        assert asked.pop().startswith("GET /probe")
        yield Treasure(f"http://{address}:8080/", asked)


def test_no_hostile_address_is_connected_to(treasure: Treasure) -> None:
    with serving(with_pages({})) as (port, _), connects() as heard:
        one = fetcher(port)
        for url in [*hostile.urls(), treasure.url]:
            with pytest.raises((Refused, Unreached)) as fault:
                asyncio.run(one.fetch(url))
            assert str(fault.value), url
    assert heard == []
    assert treasure.asked == []


def test_no_redirect_leads_there(treasure: Treasure) -> None:
    """The same addresses, as the places that pages of an honest host redirect to."""
    urls = [url for url in [*hostile.urls(), treasure.url] if not set("\r\n\0") & set(url) and url.strip()]
    pages = {f"/{no}": answer(b"", f"Location: {url}", status="302 Found") for no, url in enumerate(urls)}
    with serving(with_pages(pages)) as (port, asked), connects() as heard:
        one = fetcher(port)
        for no, url in enumerate(urls):
            with pytest.raises((Refused, Unreached)) as fault:
                asyncio.run(one.fetch(f"http://{DOOR}/{no}"))
            assert str(fault.value), url
        assert set(heard) == {("127.0.0.1", port)}
        assert len([line for line in asked if "/robots.txt" not in line.split("\r\n")[0]]) >= len(urls) > 200
    assert treasure.asked == []


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_every_hop_is_looked_at(status: str, treasure: Treasure) -> None:
    pages = {
        "/": answer(b"", "Location: /two", status=status),
        "/two": answer(b"", f"Location: http://{DOOR}/three", status=status),
        "/three": answer(b"", f"Location: {treasure.url}", status=status),
    }
    with serving(with_pages(pages)) as (port, asked), pytest.raises(Refused, match="not public"):
        fetched(port)
    assert [path_of(head) for head in asked] == ["/robots.txt", "/", "/two", "/three"]
    assert treasure.asked == []


def test_five_redirects_are_followed_and_no_sixth() -> None:
    pages = {f"/{no}": answer(b"", f"Location: /{no + 1}", status="302 Found") for no in range(1, 30)}
    with serving(with_pages({**pages, "/30": answer()})) as (port, asked):
        assert fetched(port, f"http://{DOOR}/25").url == f"http://{DOOR}/30"
        with pytest.raises(Refused, match="more than 5 times"):
            fetched(port, f"http://{DOOR}/24")
    assert [path_of(head) for head in asked].count("/30") == 1


def test_a_name_is_asked_for_once_and_the_answer_is_what_is_connected_to() -> None:
    """A name that answers with something else the second time gains nothing."""
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    asked: list[str] = []

    async def changing(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return answers[min(len(asked), 2) - 1]

    sockets = Told()
    exchange = Exchange(Dialing(resolve=changing, sockets=sockets), seconds=5)
    with connects() as heard, pytest.raises((Refused, Unreached)):
        asyncio.run(Fetcher(exchange, Politeness(0), MOST).fetch("https://changing.example/"))
    assert asked == ["changing.example"]
    assert sockets.connected == [("93.184.216.34", 443)]
    assert sockets.hosts == ["changing.example"]
    assert heard == []


def test_the_second_address_is_tried_where_the_first_does_not_answer() -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["2606:4700::1", "93.184.216.34"]

    sockets = Told(dead=("2606:4700::1",))
    exchange = Exchange(Dialing(resolve=two, sockets=sockets), seconds=5)
    with pytest.raises((Refused, Unreached)):
        asyncio.run(Fetcher(exchange, Politeness(0), MOST).fetch("http://two.example/"))
    assert sockets.connected == [("2606:4700::1", 80), ("93.184.216.34", 80)]


# --- what goes out -----------------------------------------------------------------------------


def test_nothing_of_the_environment_goes_out(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    with (
        serving(with_pages({})) as (proxy, through),
        serving(with_pages({"/": answer(PAGE, "Set-Cookie: a=b"), "/b": answer()})) as (port, asked),
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://user:secret@127.0.0.1:{proxy}")
        one = fetcher(port)
        asyncio.run(one.fetch(f"http://{DOOR}/"))
        asyncio.run(one.fetch(f"http://{DOOR}/b#part"))
    assert through == []
    names = {line.partition(":")[0].lower() for head in asked for line in head.split("\r\n")[1:] if line}
    assert names == {"host", "user-agent", "accept-encoding", "connection"}
    assert all(f"Host: {DOOR}\r\n" in head for head in asked)


# --- bombs, drips, floods ----------------------------------------------------------------------


class Counting:
    """Says the head, then the same part again and again, and counts what went out."""

    def __init__(self, head: bytes, part: bytes, pause: float = 0.0) -> None:
        self.head, self.part, self.pause, self.sent = head, part, pause, 0
        self.ended = threading.Event()

    def __call__(self, talk: socket.socket, head: str) -> None:
        if "/robots.txt" in head.split("\r\n")[0]:
            talk.sendall(answer(b"none", status="404 Not Found"))
            return
        try:
            talk.sendall(self.head)
            while self.sent < 1 << 30:
                talk.sendall(self.part)
                self.sent += len(self.part)
                if self.pause:
                    self.ended.wait(self.pause)
        finally:
            self.ended.set()


CHUNK = b"%x\r\n" % 65536 + b"a" * 65536 + b"\r\n"
BUFFERED = 16 << 20
"""What the system may hold between two sockets."""


@pytest.mark.parametrize(
    ("head", "part", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n", CHUNK, "larger"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"a" * 65536, "larger"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1073741824\r\n\r\n", b"a" * 65536, "larger"),
        (b"HTTP/1.1 200 OK\r\n", b"X-Header: " + b"a" * 1000 + b"\r\n", "headers are longer"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"a" * 1000, "headers are longer"),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 50, "headers are longer"),
        (b"", b"garbage" * 100, "reached"),
    ],
)
def test_endless_answers_end(head: bytes, part: bytes, said: str) -> None:
    say = Counting(head, part)
    with serving(say) as (port, _), pytest.raises((Refused, Unreached), match=said):
        fetched(port)
    assert say.ended.wait(10)
    assert say.sent < MOST + BUFFERED


@pytest.mark.parametrize(
    ("head", "part"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n", b"a"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"a"),
        (b"", b""),
    ],
)
def test_drips_end(head: bytes, part: bytes) -> None:
    say = Counting(head, part, pause=0.02)
    with serving(say) as (port, _), pytest.raises(Unreached, match=r"within 0\.3 seconds"):
        fetched(port, seconds=0.3)
    say.ended.set()
    assert say.sent < 100


def bomb(encoding: str, size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, {"gzip": 31, "deflate": 15, "raw": -15}[encoding])
    part = bytes(1 << 20)
    return b"".join([packer.compress(part) for _ in range(size >> 20)]) + packer.flush()


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "raw"])
def test_a_bomb_is_not_unpacked(encoding: str) -> None:
    packed = bomb(encoding, 64 << 20)
    assert len(packed) < MOST
    named = "deflate" if encoding == "raw" else encoding
    with serving(with_pages({"/": answer(packed, f"Content-Encoding: {named}")})) as (port, _):
        tracemalloc.start()
        with pytest.raises(Refused, match="larger"):
            fetched(port)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 8 * MOST


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "deflate, gzip", "compress", "x" * 500])
def test_what_was_not_asked_for_is_not_unpacked(encoding: str) -> None:
    said = answer(gzip.compress(PACKED), f"Content-Encoding: {encoding}")
    with serving(with_pages({"/": said})) as (port, _), pytest.raises(Refused, match="not asked for"):
        fetched(port)


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", PACKED),
        ("GZIP", PACKED),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
        ("identity", PAGE),
    ],
)
def test_packed_pages_are_unpacked(encoding: str, packed: bytes) -> None:
    with serving(with_pages({"/": answer(packed, f"Content-Encoding: {encoding}")})) as (port, _):
        assert fetched(port).content == PAGE


@pytest.mark.parametrize(
    ("body", "headers", "said"),
    [
        (PACKED[:-20], ["Content-Encoding: gzip"], "ends before"),
        (PAGE, ["Content-Encoding: gzip"], "no gzip"),
        (b"", [], "nothing in it"),
        (PAGE, ["Content-Type: image/png"], "image/png"),
        (PAGE, ["Content-Type: application/zip"], "application/zip"),
        (bytes(100), ["Content-Type: text/plain"], "no text has"),
        (PAGE, [f"X-{no}: y" for no in range(300)], "more than 200 headers"),
    ],
)
def test_what_cannot_be_read_is_told(body: bytes, headers: list[str], said: str) -> None:
    with serving(with_pages({"/": answer(body, *headers)})) as (port, _), pytest.raises(Refused, match=said):
        fetched(port)


@pytest.mark.parametrize(
    "status", ["404 Not Found", "403 Forbidden", "429 Busy", "500 Oh", "204 No Content", "304 Same"]
)
def test_a_page_that_is_not_there_is_told(status: str) -> None:
    told = f"status {status[:3]}|nothing in it"
    with serving(with_pages({"/": answer(b"", status=status)})) as (port, _), pytest.raises(Refused, match=told):
        fetched(port)


def test_an_answer_that_breaks_off_is_told() -> None:
    with (
        serving(with_pages({"/": answer(PAGE, length=10_000)})) as (port, _),
        pytest.raises(Unreached, match="reached"),
    ):
        fetched(port)


def test_nobody_listens() -> None:
    with serving(with_pages({})) as (port, _):
        pass
    with pytest.raises((Refused, Unreached), match="reached"):
        fetched(port)


# --- robots ------------------------------------------------------------------------------------


def rules(text: str, *headers: str, status: str = "200 OK") -> bytes:
    return answer(text.encode(), "Content-Type: text/plain", *headers, status=status)


@pytest.mark.parametrize(
    ("robots", "path", "allowed"),
    [
        (rules("User-agent: *\nDisallow: /private/\n"), "/private/a", False),
        (rules("User-agent: *\nDisallow: /private/\n"), "/public", True),
        (rules("User-agent: *\nDisallow: /\nAllow: /open\n"), "/open", True),
        (rules("User-agent: withstood\nDisallow: /\n\nUser-agent: *\nAllow: /\n"), "/a", False),
        (rules("User-agent: other\nDisallow: /\n"), "/a", True),
        (rules("User-agent: *\nDisallow: /*.pdf$\n"), "/a/b.pdf", False),
        (rules("\ufeffUser-agent: *\nDisallow: /\n"), "/a", False),
        (rules("<html>no rules at all</html>"), "/a", True),
        (rules("", status="404 Not Found"), "/a", True),
        (rules("", status="401 Who"), "/a", True),
        (rules("", status="429 Busy"), "/a", False),
        (rules("", status="503 Down"), "/a", False),
        (rules("", "Location: http://127.0.0.1:8080/", status="302 Found"), "/a", False),
        (rules("User-agent: *\nDisallow: /a\n" + "#" * 600_000), "/b", False),
    ],
)
def test_robots_are_respected(robots: bytes, path: str, allowed: bool) -> None:
    with serving(with_pages({"/robots.txt": robots, path: answer()})) as (port, asked):
        try:
            assert fetched(port, f"http://{DOOR}{path}").content == PAGE
            read = True
        except Refused as fault:
            assert "robots.txt" in str(fault)
            read = False
    assert read == allowed
    assert any(path_of(head) == path for head in asked) == allowed


def test_robots_are_asked_for_once_for_each_site() -> None:
    pages = {"/robots.txt": rules("User-agent: *\nDisallow: /no\n"), **{f"/{no}": answer() for no in range(5)}}

    async def all_at_once(port: int) -> None:
        one = fetcher(port)
        await asyncio.gather(*[one.fetch(f"http://{DOOR}/{no}") for no in range(5)])

    with serving(with_pages(pages)) as (port, asked):
        asyncio.run(all_at_once(port))
    assert [path_of(head) for head in asked].count("/robots.txt") == 1


def test_a_redirect_is_held_to_the_robots_of_where_it_leads() -> None:
    pages = {
        "/robots.txt": rules("User-agent: *\nDisallow: /no\n"),
        "/yes": answer(b"", "Location: /no", status="302 Found"),
        "/no": answer(),
    }
    with serving(with_pages(pages)) as (port, asked), pytest.raises(Refused, match="robots"):
        fetched(port, f"http://{DOOR}/yes")
    assert "/no" not in [path_of(head) for head in asked]


# --- politeness --------------------------------------------------------------------------------


class Watch:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


def test_one_host_is_asked_one_at_a_time_with_pauses() -> None:
    watch = Watch()
    polite = Politeness(1.0, watch.sleep, watch.clock)
    under_way = [0, 0]

    async def visit(host: str, delay: float) -> None:
        async with polite.turn(host, delay):
            under_way[0] += 1
            under_way[1] = max(under_way)
            await asyncio.sleep(0)
            under_way[0] -= 1

    async def all_of_them() -> None:
        await asyncio.gather(visit("a", 0), visit("a", 0), visit("a", 4.0), visit("a", 0))

    asyncio.run(all_of_them())
    assert under_way[1] == 1
    assert watch.slept == [1.0, 1.0, 4.0]
    asyncio.run(visit("b", 0))
    assert len(watch.slept) == 3
    assert polite.waited == pytest.approx(6.0)


def test_a_pause_that_is_asked_for_is_kept_up_to_a_bound() -> None:
    for said, kept in (("3", 3.0), ("0.2", 0.5), ("86400", 10.0)):
        watch = Watch()
        pages = {"/robots.txt": rules(f"User-agent: *\nCrawl-delay: {said}\n"), "/a": answer(), "/b": answer()}
        with serving(with_pages(pages)) as (port, _):
            dialing = Dialing(Permitted({DOOR: ("127.0.0.1", port)}), told)
            one = Fetcher(Exchange(dialing, seconds=5), Politeness(0.5, watch.sleep, watch.clock), MOST)
            for path in ("a", "b"):
                asyncio.run(one.fetch(f"http://{DOOR}/{path}"))
        assert watch.slept == [0.5, kept]


# --- sockets that only tell --------------------------------------------------------------------


class Told(AsyncNetworkBackend):
    """Connects nowhere, and tells where it was to connect and under which name."""

    def __init__(self, dead: tuple[str, ...] = ()) -> None:
        self.connected: list[tuple[str, int]] = []
        self.hosts: list[str] = []
        self._dead = dead

    async def connect_tcp(self, host: str, port: int, *args: object, **named: object) -> AsyncNetworkStream:
        self.connected.append((host, port))
        if host in self._dead:
            raise ConnectError("dead")
        return Silent(self.hosts)


class Silent(AsyncNetworkStream):
    def __init__(self, hosts: list[str]) -> None:
        self._hosts = hosts

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        return

    async def aclose(self) -> None:
        return

    async def start_tls(
        self, ssl_context: object, server_hostname: str | None = None, timeout: float | None = None
    ) -> AsyncNetworkStream:
        self._hosts.append(server_hostname or "")
        return self
