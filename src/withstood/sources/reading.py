"""Pages and PDFs as text, in a process that nobody else depends on: run as `python -m withstood.sources.reading`.

It takes one document after the other and reads each in a child of its own, which has little memory and little time. A
document that crashes or hangs its parser takes nothing with it, and leaves nothing for the next one.

A request is a line with kind and length, and the document; an answer is a line with its length, and a JSON object with
a title and a text, or with a fault.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeAlias

MOST_MEMORY = 1 << 30
MOST_SECONDS = 20
MOST_PAGES = 2_000
MOST_SIGNS = 2_000_000
_MOST_ANSWER = 16 << 20

Text: TypeAlias = tuple[str, str]


def of_html(raw: bytes) -> Text:
    """Title and main text of a page, which is in UTF-8."""
    from lxml.etree import LxmlError
    from trafilatura import bare_extraction

    from withstood.sources import documents

    title, everything = documents.of_html(raw)
    try:
        found: Any = bare_extraction(raw.decode("utf-8", "replace"), include_comments=False, with_metadata=False)
    except (ValueError, AttributeError, TypeError, KeyError, IndexError, RecursionError, LxmlError):
        found = None  # what it cannot take apart is read more simply
    return title, str(getattr(found, "text", "") or "").strip() or everything


def of_pdf(raw: bytes) -> Text:
    import pypdfium2

    pages = pypdfium2.PdfDocument(raw)
    texts: list[str] = []
    for no in range(min(len(pages), MOST_PAGES)):
        texts.append(pages[no].get_textpage().get_text_bounded())
        if sum(map(len, texts)) > MOST_SIGNS:
            break
    title: str = (pages.get_metadata_dict() or {}).get("Title") or ""
    return title, "\n".join(texts).replace("\r\n", "\n").replace("\r", "\n")


Read: TypeAlias = Callable[[bytes], Text]
READERS: Mapping[str, Read] = {"html": of_html, "pdf": of_pdf}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one document may take: seconds of a processor, and bytes of memory."""

    seconds: int = MOST_SECONDS
    memory: int = MOST_MEMORY


BOUNDS = Bounds()


def load(kinds: Sequence[str]) -> None:
    """What the children of these kinds need is loaded before there are any: by reading a page of ours."""
    if "html" in kinds:
        of_html(b"<html><head><title>Ours</title></head><body><main><p>A sentence of ours.</p></main></body></html>")
    if "pdf" in kinds:
        importlib.import_module("pypdfium2")


def serve(
    incoming: BinaryIO, outgoing: BinaryIO, readers: Mapping[str, Read] = READERS, bounds: Bounds = BOUNDS
) -> None:
    """Until nobody asks any more."""
    while head := incoming.readline():
        kind, _, length = head.decode("ascii").partition(" ")
        answer = _in_child(readers[kind], incoming.read(int(length)), bounds)
        outgoing.write(b"%d\n" % len(answer) + answer)
        outgoing.flush()


def _in_child(reader: Read, raw: bytes, bounds: Bounds) -> bytes:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _read_and_end(reader, raw, write, bounds)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        found = _within(answer, time.monotonic() + 2 * bounds.seconds)
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    return found if found.endswith(b"}") else _fault(_why(status, bounds))


def _read_and_end(reader: Read, raw: bytes, write: int, bounds: Bounds) -> None:
    """The child's whole life."""
    code = 1
    try:
        _bounded(bounds)
        title, text = reader(raw)
        answer = json.dumps({"title": _storable(title)[:1_000], "text": _storable(text)[:MOST_SIGNS]}).encode()
        with os.fdopen(write, "wb") as stream:
            stream.write(answer)
        code = 0
    except MemoryError:
        os.write(write, _fault(f"its parser wants more than {bounds.memory >> 20} MiB of memory"))
    except BaseException as fault:
        os.write(write, _fault(" ".join(f"{type(fault).__name__}: {fault}".split())[:200]))
        raise
    finally:
        os._exit(code)


def _storable(text: str) -> str:
    """Without NULs and halves of surrogate pairs, which no store takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _bounded(bounds: Bounds) -> None:
    """No more memory, time, files and processes than one document needs."""
    resource.setrlimit(resource.RLIMIT_AS, (bounds.memory, bounds.memory))
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + bounds.seconds, used + bounds.seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)


def _within(answer: BinaryIO, deadline: float) -> bytes:
    """What comes before the deadline, and no more than an answer may have."""
    found = bytearray()
    while len(found) <= _MOST_ANSWER:
        if not select.select([answer], [], [], max(0.0, deadline - time.monotonic()))[0]:
            return b""
        part = os.read(answer.fileno(), 1 << 16)
        if not part:
            return bytes(found)
        found += part
    return b""


def _why(status: int, bounds: Bounds) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGXCPU):
        return f"its parser crashed with signal {os.WTERMSIG(status)}"
    return f"its parser did not end within {bounds.seconds} seconds"


def _fault(why: str) -> bytes:
    return json.dumps({"fault": why}).encode()


if __name__ == "__main__":
    load(sys.argv[1:])
    serve(sys.stdin.buffer, sys.stdout.buffer)
