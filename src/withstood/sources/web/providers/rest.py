"""Providers that speak JSON over HTTP: what is sent to each, and where the addresses stand in its answer.

| provider | asked with | a query goes as | hits |
|---|---|---|---|
| searxng | GET {url}/search?format=json | q, language | results[].url |
| tavily | POST https://api.tavily.com/search | query, max_results | results[].url |
| brave | GET https://api.search.brave.com/res/v1/web/search | q, count, search_lang | web.results[].url |
| exa | POST https://api.exa.ai/search | query, numResults | results[].url |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from withstood.errors import ConfigError
from withstood.sources.web.exchange import Exchange, Sent, Unreached
from withstood.sources.web.providers.port import Hit, NotSearched, hit
from withstood.sources.web.targets import Refused, Target

MOST_BYTES = 2 << 20
MOST_HITS = 50
MOST_PAUSE = 3_600.0
_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Asked:
    target: Target
    sent: Sent


Draw = Callable[[str, str, int], Asked]


class RestProvider:
    """`draw` makes the request of a query; `path` leads to the list of hits."""

    def __init__(self, name: str, exchange: Exchange, draw: Draw, path: tuple[str, ...]) -> None:
        self.name = name
        self._exchange, self._draw, self._path = exchange, draw, path

    async def search(self, query: str, language: str, most: int) -> tuple[Hit, ...]:
        asked = self._draw(query, language, most)
        try:
            came = await self._exchange.exchange(
                asked.target, lambda status, _: MOST_BYTES * (status == 200), asked.sent
            )
        except (Refused, Unreached) as fault:
            raise NotSearched(str(fault), _PAUSE) from None
        if came.status != 200:
            raise _refusal(came.status, came.headers)
        return self._hits(came.content)[:most]

    def _hits(self, content: bytes) -> tuple[Hit, ...]:
        try:
            found: Any = json.loads(content)
        except (ValueError, RecursionError):
            raise NotSearched("its answer is no JSON (does the server allow format=json?)", None) from None
        for step in self._path:
            found = found.get(step) if isinstance(found, dict) else None
        if not isinstance(found, list):
            raise NotSearched(f"its answer has no {'.'.join(self._path)}", None)
        named = [hit(one.get("url"), one.get("title")) for one in found[:MOST_HITS] if isinstance(one, dict)]
        return tuple([one for one in named if one is not None])


def _room(status: int, _: Mapping[str, str]) -> int:
    return MOST_BYTES if status == 200 else 0


def _refusal(status: int, headers: Mapping[str, str]) -> NotSearched:
    """What is to be done about a status. What the answer says besides is not told: it may hold the key."""
    if status in (401, 403):
        return NotSearched(f"it does not take the key, or asks for one (status {status})", None)
    if status in (402, 432, 433):
        return NotSearched(f"its quota is used up (status {status})", None)
    if status in (429, 503):
        after = headers.get("retry-after", "")
        pause = min(float(after), MOST_PAUSE) if after.isdigit() else _PAUSE
        return NotSearched(f"it is limited (status {status}); asked again after {pause:g} seconds", pause)
    return NotSearched(f"it answers with status {status}", _PAUSE)


# --- each of them ------------------------------------------------------------------------------


def searxng(url: str, exchange: Exchange) -> RestProvider:
    place = _endpoint(url)

    def draw(query: str, language: str, most: int) -> Asked:
        asked = {"q": query, "format": "json", "language": language, "safesearch": "0"}
        return Asked(_at(place, f"{place.path.rstrip('/')}/search?{urlencode(asked)}"), Sent(_JSON))

    return RestProvider("searxng", exchange, draw, ("results",))


def tavily(key: str, exchange: Exchange) -> RestProvider:
    place = Target("https", "api.tavily.com", 443, "/search")

    def draw(query: str, language: str, most: int) -> Asked:
        body = {"query": query, "max_results": min(most, 20), "search_depth": "basic"}
        return Asked(place, _posted(body, {"Authorization": f"Bearer {key}"}))

    return RestProvider("tavily", exchange, draw, ("results",))


def brave(key: str, exchange: Exchange) -> RestProvider:
    place = Target("https", "api.search.brave.com", 443, "/res/v1/web/search")

    def draw(query: str, language: str, most: int) -> Asked:
        asked = {"q": query[:400], "count": min(most, 20), "search_lang": _BRAVE.get(language, language)}
        return Asked(_at(place, f"{place.path}?{urlencode(asked)}"), Sent(_JSON | {"X-Subscription-Token": key}))

    return RestProvider("brave", exchange, draw, ("web", "results"))


def exa(key: str, exchange: Exchange) -> RestProvider:
    place = Target("https", "api.exa.ai", 443, "/search")

    def draw(query: str, language: str, most: int) -> Asked:
        return Asked(place, _posted({"query": query, "numResults": min(most, 25), "type": "auto"}, {"x-api-key": key}))

    return RestProvider("exa", exchange, draw, ("results",))


_JSON = {"Accept": "application/json"}
_BRAVE = {"ko": "ko", "en": "en", "ja": "jp", "zh": "zh-hans"}


def _posted(body: Mapping[str, Any], headers: Mapping[str, str]) -> Sent:
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Sent({**_JSON, "Content-Type": "application/json", **headers}, "POST", content)


def _at(place: Target, path: str) -> Target:
    return Target(place.scheme, place.host, place.port, path)


def _endpoint(url: str) -> Target:
    """The user's own server, which may stand anywhere: `http://127.0.0.1:8888` too."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise _no_endpoint(url) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise _no_endpoint(url)
    return Target(parts.scheme, parts.hostname, port, parts.path or "/")


def _no_endpoint(url: str) -> ConfigError:
    return ConfigError(
        f"web.searxng: wanted the address of a SearXNG server, like http://127.0.0.1:8888; found {url!r}."
    )
