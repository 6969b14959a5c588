"""The text of one PDF, read by a process of its own with little memory and little time. A parser that crashes or hangs
takes nothing with it."""

from __future__ import annotations

from withstood.sources.reader import Reader


def text(raw: bytes) -> tuple[str, str]:
    """Title and text. `CallFailed` says why it cannot be read."""
    with Reader("pdf") as reader:
        return reader.read("pdf", raw)
