"""The door to the web for whoever only wants a finder. It loads nothing of the extra before it is known to be there."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING

from withstood.errors import MissingExtra
from withstood.sources.web.settings import NOBODY, PLAIN, Permitted, Web

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
