"""Small labelled files that tests write and read."""

from __future__ import annotations

from pathlib import Path

from withstood.claims.label import Labelled
from withstood.sources import labelled
from withstood.sources.reviews import BadRow


def written(folder: Path, content: str | bytes, name: str = "labels") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def good(path: Path, layout: str | None = None) -> list[Labelled]:
    return [row for row in labelled.read(path, layout) if isinstance(row, Labelled)]


def bad(path: Path, layout: str | None = None) -> list[BadRow]:
    return [row for row in labelled.read(path, layout) if isinstance(row, BadRow)]
