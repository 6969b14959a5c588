"""Requests to the files of a repository."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from withstood.agents.tools.answering import Answered, Refused
from withstood.agents.tools.requests import Callers, List, Read, Search, Symbols
from withstood.agents.tools.results import Page, page
from withstood.form import shown
from withstood.sources.patterns import Pattern
from withstood.sources.symbols import is_code, symbols
from withstood.sources.workspace import Text, Workspace

MOST_LOOKED = 256 << 20
"""So many signs of text one search looks at."""
MOST_READ = 200
NEAREST = 3


def list_files(space: Workspace, asked: List) -> Answered:
    under, named = _folder(asked.under), asked.named.lower()
    found = [
        f"{file.path}  {file.size} bytes"
        for file in space.files()
        if file.path.startswith(under) and named in file.path.lower()
    ]
    left_out = sum(space.folder.left_out.values()) if space.folder else 0
    return Answered(f"{len(found)} files; {left_out} files or links are kept out", page(found, asked.skip))


def read_file(space: Workspace, asked: Read) -> Answered:
    text = text_of(space, asked.path)
    first = asked.first or 1
    if first > len(text.lines):
        return Answered(f"{shown_path(text.path)} has {len(text.lines)} lines, none from line {first} on")
    last = min(asked.last or first + MOST_READ - 1, len(text.lines))
    return numbered(f"{shown_path(text.path)}, which has {len(text.lines)}", text.lines[first - 1 : last], first)


def numbered(told: str, lines: Sequence[str], first: int) -> Answered:
    """Lines with their numbers, the first of which is given; where not all fit, the answer says where it ends."""
    found = page([f"{no}: {line}" for no, line in enumerate(lines, start=first)], most=MOST_READ)
    return Answered(f"lines {first} to {first + len(found.lines) - 1} of {told}", Page(found.lines))


def search(space: Workspace, asked: Search) -> Answered:
    pattern = Pattern(asked.pattern, ignore_case=asked.ignore_case)
    hits = _hits(space, _folder(asked.under), pattern)
    found = page((f"{path}:{no}: {line}" for path, no, line in hits), asked.skip)
    return Answered(f"{len(found.lines)} lines shown", found)


def symbols_of(space: Workspace, asked: Symbols) -> Answered:
    text = text_of(space, asked.path)
    found = [f"{one.line}: {one.kind} {one.name}" for one in symbols(text.path, text.lines)]
    return Answered(f"{len(found)} definitions in {shown_path(text.path)}", page(found, asked.skip))


def callers(space: Workspace, asked: Callers) -> Answered:
    name = asked.name.strip().rpartition(".")[2]
    if not name.replace("$", "_").isidentifier():
        raise Refused(f"wanted the name of one function, method or class; found {shown(asked.name)}")
    # No word may go on to its left or right: $ is a sign of names in some languages.
    pattern = Pattern(rf"(?:^|[^\w$]){name.replace('$', '[$]')}[ ]?\(")
    found = page(_calls(space, _folder(asked.under), name, pattern), asked.skip)
    return Answered(f"{len(found.lines)} places where it is called, by the text of the line", found)


def _calls(space: Workspace, under: str, name: str, pattern: Pattern) -> Iterator[str]:
    defined: tuple[str, frozenset[int]] = ("", frozenset())
    for path, no, line in _hits(space, under, pattern, only_code=True):
        if defined[0] != path:
            text = space.text(path)
            lines = {one.line for one in symbols(path, text.lines if text else ()) if one.name == name}
            defined = path, frozenset(lines)
        if no not in defined[1]:
            yield f"{path}:{no}: {line}"


def _hits(space: Workspace, under: str, pattern: Pattern, *, only_code: bool = False) -> Iterator[tuple[str, int, str]]:
    looked = 0
    for file in space.files():
        if not file.path.startswith(under) or (only_code and not is_code(file.path)):
            continue
        text = space.text(file.path)
        for no, line in enumerate(text.lines if text else (), start=1):
            looked += len(line)
            if pattern.found(line):
                yield file.path, no, line
        if looked > MOST_LOOKED:
            raise Refused(f"more than {MOST_LOOKED >> 20} MiB of text would be searched; name a folder with `under`")


# --- which file is meant -----------------------------------------------------------------------


def text_of(space: Workspace, path: str) -> Text:
    """A file that the workspace lists; a name that it does not list is answered with the nearest ones."""
    wanted = path.strip().removeprefix("./")
    if not any(file.path == wanted for file in space.files()):
        raise Refused(f"there is no file {shown(path, 200)}{_nearest(wanted, [file.path for file in space.files()])}")
    text = space.text(wanted)
    if text is None:
        raise Refused(f"{shown_path(wanted)} cannot be read as text: it is binary, or larger than what is read")
    return text


def _nearest(wanted: str, paths: Sequence[str]) -> str:
    last = wanted.rpartition("/")[2].lower()
    same = [path for path in paths if path.rpartition("/")[2].lower() == last]
    near = same or difflib.get_close_matches(wanted, paths[:5000], n=NEAREST, cutoff=0.5)
    return f"; nearest: {', '.join(map(shown_path, near[:NEAREST]))}" if near else "; `list` shows what there is"


def shown_path(path: str) -> str:
    return shown(path, 200)


def _folder(under: str) -> str:
    return "" if under.strip() in (".", "/") else under.strip().removeprefix("./")
