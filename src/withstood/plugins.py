"""What other packages bring, found by name: entry points. Nothing of them is loaded before it is named."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from withstood.errors import ConfigError

MODELS, AGENTS = "withstood.models", "withstood.agents"
SOURCES, PROTOCOLS = "withstood.sources", "withstood.protocols"


def names(group: str) -> dict[str, str]:
    """Every name of a group, and where it leads."""
    return {one.name: one.value for one in metadata.entry_points(group=group)}


def found(group: str, name: str) -> Any | None:
    """What stands under this name, loaded; None where nothing does."""
    for one in metadata.entry_points(group=group, name=name):
        try:
            return one.load()
        except (ImportError, AttributeError) as fault:
            what = group.removeprefix("withstood.").removesuffix("s")
            raise ConfigError(
                f"The {what} {name!r} is an entry point ({one.value}) that does not load: {fault}"
            ) from None
    return None
