"""One part of a sweep as a process of its own: the order on standard input, the tallies on standard output."""

from __future__ import annotations

import asyncio
import sys

from withstood import form
from withstood.cli import options
from withstood.errors import WithstoodError
from withstood.jobs import sweeping
from withstood.jobs.sweeping import Order, Swept

COMMAND = (sys.executable, "-m", "withstood.cli.sweep_part")


async def _swept(order: Order) -> Swept:
    async with options.opened(options.configured(order.store)) as store:
        return await sweeping.swept(order, store)


def main() -> int:
    try:
        order = form.read(Order, form.loads(sys.stdin.buffer.read()))
        sys.stdout.write(form.dumps(asyncio.run(_swept(order))))
    except WithstoodError as fault:
        sys.stdout.write(form.dumps({"message": str(fault), "code": fault.exit_code}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
