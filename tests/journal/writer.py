"""A process that writes a run until it is stopped: `python -m tests.journal.writer STORE RUN HOW`.

It prints the number of each record after `kept` has returned. HOW is `create`, `reopen`, or `powerless` to reopen it
as somebody whom the rights on files hold for.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tests.journal.records import FIRST, answer
from withstood.errors import WithstoodError
from withstood.journal import opening, postgres, sqlite


async def write(place: str, run: str, how: str) -> None:
    if how == "powerless" and os.getuid() == 0:
        os.setuid(65534)
    store = opening.store(place)
    journal = await (store.create(run, FIRST) if how == "create" else store.reopen(run))
    print("open", flush=True)
    for no in range(1, 100_000):
        journal.append(answer(no, text="x" * 200))
        await journal.kept()
        print(no, flush=True)


LOADED = (postgres, sqlite)
"""Whoever is powerless may not read the modules any more."""

if __name__ == "__main__":
    try:
        asyncio.run(write(sys.argv[1], sys.argv[2], sys.argv[3]))
    except WithstoodError as fault:
        sys.exit(f"{type(fault).__name__}: {fault}")
