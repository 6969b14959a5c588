"""Where a research looks: a folder of documents, the open web, or what a package brings; one of them in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from withstood import plugins
from withstood.errors import ConfigError, UsageError
from withstood.sources.finder import Finder
from withstood.sources.library import Library
from withstood.sources.origins import Origin
from withstood.sources.web import opening
from withstood.sources.web.settings import Web

WEB = "web"


class OpenFinder(Finder, Protocol):
    """A finder that holds something, and lets it go."""

    def close(self) -> None: ...


@runtime_checkable
class Remembering(Protocol):
    def remember(self, pages: Iterable[tuple[str, str]]) -> None: ...


@runtime_checkable
class Telling(Protocol):
    """A finder whose documents are the same wherever `known_by` is."""

    @property
    def known_by(self) -> str: ...


def named(sources: Sequence[str]) -> str:
    """The one place that was named, `web`, a folder or a name; nothing where none was."""
    if len(sources) > 1:
        private = [one for one in sources if one != WEB]
        raise UsageError(
            "A run that reads private files has no web access, so --sources web stands alone. Make two researches."
            if len(private) < len(sources)
            else "Wanted one folder after --sources. Put the documents below one folder, or link them there."
        )
    return sources[0] if sources else ""


def opened(sources: str, web: Web, origins: Sequence[Origin] = ()) -> tuple[OpenFinder, ...]:
    """Read and indexed before anything starts, so that an empty folder is said at once."""
    if not sources:
        return ()
    if sources == WEB:
        return (opening.opened(web),)
    if is_plugged(sources):
        return (_plugged(sources),)
    library = Library(Path(sources), origins=origins)
    library.read()
    return (library,)


def is_plugged(sources: str) -> bool:
    """Whether a package of the user's brings what is named: NAME, or NAME:REST. A folder of that name goes before."""
    return bool(sources) and not Path(sources).exists() and sources.partition(":")[0] in plugins.names(plugins.SOURCES)


def _plugged(sources: str) -> OpenFinder:
    name, _, rest = sources.partition(":")
    factory: Callable[[str], OpenFinder] | None = plugins.found(plugins.SOURCES, name)
    finder = factory(rest) if factory is not None else None
    if not all(hasattr(finder, part) for part in ("name", "find", "close")):
        raise ConfigError(f"Wanted of the source {name!r} a finder with name, find and close; found {finder!r:.80}.")
    return cast("OpenFinder", finder)


def known_by(finders: Iterable[Finder]) -> tuple[str, ...]:
    """What the same documents are known by; nothing of the web, and of a package's finder only what it tells."""
    return tuple([finder.known_by for finder in finders if isinstance(finder, Telling)])


def remember(finders: Iterable[Finder], pages: Sequence[tuple[str, str]]) -> None:
    """What an earlier sitting has read, by address: a finder of the web knows mirrors by it."""
    for finder in finders:
        if isinstance(finder, Remembering):
            finder.remember(pages)
