"""The web, put together: from what the user has set, the keys in the environment, and what code permits."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TypeAlias

from withstood.errors import ConfigError, MissingExtra
from withstood.sources.reader import Reader
from withstood.sources.web.chain import Chain
from withstood.sources.web.dialing import Dialing, Resolve, resolved
from withstood.sources.web.exchange import Exchange
from withstood.sources.web.fetcher import Fetcher
from withstood.sources.web.finder import WebFinder
from withstood.sources.web.opening import lacks
from withstood.sources.web.politeness import Politeness
from withstood.sources.web.providers import rest
from withstood.sources.web.providers.metasearch import Metasearch
from withstood.sources.web.providers.port import NotSearched, Provider
from withstood.sources.web.settings import KEYS, NOBODY, ORDER, Permitted, ProviderName, Web

__all__ = ["NotSearched", "finder", "providers"]

Faults: TypeAlias = dict[ProviderName, str]

_KEYED: Mapping[str, Callable[[str, Exchange], Provider]] = {
    "tavily": rest.tavily,
    "brave": rest.brave,
    "exa": rest.exa,
}


def finder(
    web: Web,
    environment: Mapping[str, str] | None = None,
    permitted: Permitted = NOBODY,
    resolve: Resolve = resolved,
) -> WebFinder:
    """A provider that is named and has not what it needs is a `ConfigError`."""
    seconds = float(web.page_seconds)
    exchange = Exchange(Dialing(permitted, resolve), seconds=seconds, contact=web.contact)
    fetcher = Fetcher(exchange, Politeness(float(web.pause)), web.page_bytes)
    return WebFinder(Chain(providers(web, environment, permitted)), fetcher, Reader("html", "pdf"), web)


def providers(
    web: Web, environment: Mapping[str, str] | None = None, permitted: Permitted = NOBODY
) -> tuple[Provider, ...]:
    """Those that are named, in their order; else those that have what they need."""
    variables = os.environ if environment is None else environment
    faults: Faults = {name: lacks(name, web, variables) for name in web.providers or ORDER}
    if web.providers and any(faults.values()):
        raise ConfigError(" ".join(f"web.providers names {name}: {why}." for name, why in faults.items() if why))
    named: list[ProviderName] = [name for name in faults if not faults[name]]
    if not named:
        raise MissingExtra("Search on the web without a key", "web")
    return tuple([_provider(name, web, variables, permitted) for name in named])


def _provider(name: ProviderName, web: Web, variables: Mapping[str, str], permitted: Permitted) -> Provider:
    seconds = float(web.page_seconds)
    if name == "ddgs":
        return Metasearch()
    if name == "searxng":
        return rest.searxng(web.searxng or "", Exchange(Dialing(permitted, any_address=True), seconds=seconds))
    return _KEYED[name](variables[KEYS[name]].strip(), Exchange(Dialing(permitted), seconds=seconds))
