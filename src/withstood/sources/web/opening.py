"""The door to the web for whoever only wants a finder. It loads nothing of the extra before it is known to be there."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING

from withstood.errors import MissingExtra, WorldError
from withstood.sources.web.settings import KEYS, NOBODY, PLAIN, Permitted, ProviderName, Web

if TYPE_CHECKING:
    from withstood.sources.web.finder import WebFinder

NEEDED = ("httpcore2", "protego", "trafilatura", "pypdfium2")


def opened(
    web: Web = PLAIN, *, environment: Mapping[str, str] | None = None, permitted: Permitted = NOBODY
) -> WebFinder:
    """A finder for one run; `close` it. `environment` holds the keys; None: the environment of this process."""
    if not installed():
        raise MissingExtra("Research on the web", "web")
    from withstood.sources.web import parts

    return parts.finder(web, environment, permitted)


def installed() -> bool:
    return all(importlib.util.find_spec(part) is not None for part in NEEDED)


def lacks(name: ProviderName, web: Web, variables: Mapping[str, str]) -> str:
    """What a provider still needs; nothing where it can be asked."""
    if name == "searxng":
        return "" if web.searxng else "set web.searxng to the address of a SearXNG server"
    if name == "ddgs":
        there = importlib.util.find_spec("ddgs") is not None
        return "" if there else "install it: pip install 'withstood[web]'"
    return "" if variables.get(KEYS[name], "").strip() else f"set {KEYS[name]} in the environment"


async def probe(web: Web) -> str:
    """One small search; what came of it. `WorldError` where the provider does not answer."""
    from withstood.sources.web import parts

    [provider] = parts.providers(web)
    try:
        hits = await provider.search("weather", "en", 1)
    except parts.NotSearched as fault:
        raise WorldError(str(fault)) from None
    return f"answered with {len(hits)} address" + ("es" if len(hits) != 1 else "")
