"""A small web on the loopback: every host of `pages.toml` on one port, with a search like SearXNG's.

    with served() as town:
        finder = opened(town.web, permitted=town.permitted)

`town.asked` is what came in, `(host, path)` in order.
"""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.town import pages
from tests.town.pages import Page, Sent
from withstood.sources.terms import telling, terms
from withstood.sources.web.settings import Permitted, Web

SEARCH = "search.town"
MOST = 20


@dataclass(slots=True)
class Town:
    """`down`: the search answers every query with this status."""

    pages: Mapping[str, Page]
    robots: Mapping[str, str]
    port: int = 0
    down: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def permitted(self) -> Permitted:
        hosts = {page.host for page in self.pages.values()} | {SEARCH}
        return Permitted(dict.fromkeys(sorted(hosts), ("127.0.0.1", self.port)))

    @property
    def web(self) -> Web:
        return Web(providers=("searxng",), searxng=f"http://{SEARCH}", pause=Decimal(0))

    def visits(self, host: str) -> list[str]:
        """The paths that a host was asked for, without its robots.txt."""
        return [path for asked, path in self.asked if asked == host and path != "/robots.txt"]

    def answer(self, host: str, path: str) -> Sent:
        self.asked.append((host, path))
        if host in (SEARCH, "127.0.0.1"):
            return self._searched(path)
        if path == "/robots.txt":
            rules = self.robots.get(host)
            return Sent(200 if rules else 404, {"Content-Type": "text/plain"}, (rules or "").encode())
        page = self.pages.get(f"http://{host}{path}")
        return pages.sent(page) if page else Sent(404, {"Content-Type": "text/html"}, b"<p>no such page</p>")

    def _searched(self, path: str) -> Sent:
        if self.down:
            return Sent(self.down, {"Content-Type": "text/html"}, b"later")
        query = parse_qs(urlsplit(path).query).get("q", [""])[0]
        hits = [{"url": page.url, "title": page.title, "content": ""} for page in ranked(self.pages, query)]
        return Sent(200, {"Content-Type": "application/json"}, json.dumps({"results": hits[:MOST]}).encode())


def ranked(found: Mapping[str, Page], query: str) -> list[Page]:
    """By how many telling terms of the query a page has, rare ones first; a redirect has the words of its address."""
    words = {
        url: Counter(terms(page.words if page.paragraphs else f"{page.title} {url}")) for url, page in found.items()
    }
    seldom = Counter(term for counted in words.values() for term in counted)
    worth = {term: math.log(1 + len(found) / seldom[term]) for term in telling(query) if seldom[term]}
    sums = {
        url: sum(w * (1 + math.log(counted[t])) for t, w in worth.items() if t in counted)
        for url, counted in words.items()
    }
    order = sorted((url for url in sums if sums[url]), key=lambda url: (-sums[url], url))
    return [found[url] for url in order]


@contextmanager
def served(more: Mapping[str, Page] | None = None) -> Iterator[Town]:
    """`more` are pages of a test's own, by address."""
    found, robots = pages.read()
    town = Town({**found, **(more or {})}, robots)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _listener(town))
    town.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield town
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _listener(town: Town) -> type[BaseHTTPRequestHandler]:
    class Listener(BaseHTTPRequestHandler):
        wbufsize = 1 << 16  # head and body in one segment, or the second waits for the first to be acknowledged

        def do_GET(self) -> None:
            sent = town.answer(self.headers.get("Host", "").partition(":")[0], self.path)
            self.send_response(sent.status)
            for name, value in {**sent.headers, "Content-Length": str(len(sent.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent.body)

        def log_message(self, format: str, *args: object) -> None:
            return  # what was asked is kept in `asked`

    return Listener
