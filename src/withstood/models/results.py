"""What the batch endpoints of all providers share: how a call is named in its batch, and results line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from withstood.models.port import Batch
from withstood.models.wire import Wire

DAY = 24 * 3600
"""A clock may be off by so much: a batch that is older than the intent is not passed over."""
MOST_BYTES = 512 * 2**20
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")


def custom_id(batch: Batch, no: int) -> str:
    return f"{batch.stamp}-{no}"


def place(batch: Batch, line: Mapping[str, Any]) -> int | None:
    """Which call of the batch a line of results is about; None where it is none of this batch."""
    stamp, _, no = str(line.get("custom_id")).rpartition("-")
    ours = stamp == batch.stamp and no.isascii() and no.isdecimal() and int(no) < len(batch.calls)
    return int(no) if ours else None


def lines(content: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects of a file of JSON lines. A line that is none is left out: its call has no answer then."""
    for line in content.splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def id_of(wire: Wire, found: Mapping[str, Any]) -> str:
    """The id that a provider gave; it goes into an address, so it must look like one."""
    name = found.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise wire.lacks("an id", found)
    return name
