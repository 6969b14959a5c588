"""Where the documents of a folder came from, as their owner says: a table, never a document's own word.

A CSV file with the columns `path` and `url`. The first row that fits a document decides.

| path | what has the address |
|---|---|
| `papers/rag.pdf` | this document |
| `papers/*.pdf` | each document that fits; `*` stands for anything, also for a slash, `?` for one sign |
| `manual/` | every document below the folder: the rest of its path goes behind the address |
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote

from withstood.claims import address
from withstood.errors import InputError
from withstood.sources.workspace import decoded

COLUMNS = ("path", "url")
MOST_BYTES = 16 << 20
MOST_TOLD = 10


@dataclass(frozen=True, slots=True)
class Origin:
    """A row: which documents, and their address."""

    path: str
    url: str

    def of(self, path: str) -> str | None:
        """The address of a document; None where the row is about others."""
        if self.path.endswith("/"):
            inside = path.startswith(self.path)
            return f"{self.url.rstrip('/')}/{quote(path[len(self.path) :])}" if inside else None
        return self.url if path == self.path or fnmatchcase(path, self.path) else None


Origins = tuple[Origin, ...]


def place(origins: Sequence[Origin], path: str) -> str | None:
    """Where a document came from, by the first row that fits."""
    return next((url for one in origins if (url := one.of(path)) is not None), None)


def unused(origins: Sequence[Origin], paths: Sequence[str]) -> tuple[str, ...]:
    """The rows that no document has its address by."""
    used = {next((no for no, one in enumerate(origins) if one.of(path) is not None), -1) for path in paths}
    return tuple([one.path for no, one in enumerate(origins) if no not in used])


def read(path: Path) -> Origins:
    """`InputError` names every row that is wrong: an address too few or too many changes what a thesis stands on."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise InputError(f"Cannot read the origins {path}: {fault.strerror}. Name a CSV file of path,url.") from None
    if len(raw) > MOST_BYTES:
        raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MiB. Name folders or patterns in place of files.")
    try:
        rows = list(_rows(path, decoded(raw)))
    except csv.Error as fault:
        raise InputError(f"{path} is no CSV: {fault}. Wanted the columns path,url.") from None
    faults = [f"{path}:{line}: {why}" for line, one in rows if (why := _fault(one))]
    if faults:
        left = f"\nand {len(faults) - MOST_TOLD} more" if len(faults) > MOST_TOLD else ""
        raise InputError("\n".join(faults[:MOST_TOLD]) + left)
    if not rows:
        raise InputError(f"{path} has no row. Wanted a line such as papers/*.pdf,https://arxiv.org/abs/2005.11401")
    return tuple([one for _, one in rows])


def _rows(path: Path, text: str) -> Iterator[tuple[int, Origin]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True)
    names = [name.strip().lower() for name in reader.fieldnames or ()]
    if not all(name in names for name in COLUMNS):
        raise InputError(f"{path}:1: wanted the columns path,url, found {','.join(names) or 'nothing'}. Add that line.")
    reader.fieldnames = names
    for row in reader:
        yield reader.line_num, Origin((row["path"] or "").strip().removeprefix("./"), (row["url"] or "").strip())


def _fault(one: Origin) -> str:
    if not one.path:
        return "wanted a path below the folder of documents, found none. Fill it in, or leave the row out."
    if one.path.startswith("/") or ".." in one.path.split("/"):
        return f"wanted a path below the folder of documents, found {one.path!r}. Write it as it stands below it."
    if address.read(one.url) is None:
        return f"wanted an address that begins with http:// or https://, found {one.url!r}."
    return ""
