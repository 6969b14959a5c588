"""The text of a PDF, read by a process of its own with little memory and little time. A parser that crashes or hangs
takes nothing with it."""

from __future__ import annotations

import importlib.util
import json
import resource
import subprocess
import sys
from typing import Any

from withstood.errors import CallFailed, MissingExtra

MOST_MEMORY = 1 << 30
MOST_SECONDS = 30
MOST_PAGES = 2_000

_CHILD = """
import json, sys
import pypdfium2
pages = pypdfium2.PdfDocument(sys.stdin.buffer.read())
texts = []
for no in range(min(len(pages), int(sys.argv[1]))):
    texts.append(pages[no].get_textpage().get_text_bounded())
title = (pages.get_metadata_dict() or {}).get("Title") or ""
sys.stdout.buffer.write(json.dumps({"title": title, "text": "\\n".join(texts)}).encode("utf-8", "surrogatepass"))
"""


def text(raw: bytes) -> tuple[str, str]:
    """Title and text. `CallFailed` says why it cannot be read."""
    if importlib.util.find_spec("pypdfium2") is None:
        raise MissingExtra("Reading PDF", "documents")
    command = [sys.executable, "-I", "-c", _CHILD, str(MOST_PAGES)]
    try:
        done = subprocess.run(
            command, input=raw, capture_output=True, timeout=2 * MOST_SECONDS, preexec_fn=_limited, check=False
        )
    except subprocess.TimeoutExpired:
        raise CallFailed(f"the PDF was not read within {2 * MOST_SECONDS} seconds", again=False) from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        raise CallFailed(f"the PDF cannot be read: {last or f'its reader ended with {done.returncode}'}", again=False)
    found: Any = json.loads(done.stdout)
    return str(found["title"]), str(found["text"]).replace("\r\n", "\n").replace("\r", "\n")


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
