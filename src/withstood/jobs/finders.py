"""Where a research looks: a folder of documents or the open web, never both in one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from withstood.errors import UsageError
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


def named(sources: Sequence[str]) -> str:
    """The one place that was named, `web` or a folder; nothing where none was."""
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
    library = Library(Path(sources), origins=origins)
    library.read()
    return (library,)


def remember(finders: Iterable[Finder], pages: Sequence[tuple[str, str]]) -> None:
    """What an earlier sitting has read, by address: a finder of the web knows mirrors by it."""
    for finder in finders:
        if isinstance(finder, Remembering):
            finder.remember(pages)
