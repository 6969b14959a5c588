"""A sign to stop, while a program computes and while something is waited for."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from withstood.cli.stopping import stopping
from withstood.errors import Interrupted

SPIN = "def spin():\n    while True:\n        pass\n"


def spinning(name: str) -> Callable[[], None]:
    """A function of a module of that name which never comes to its end."""
    room: dict[str, Any] = {"__name__": name}
    exec(SPIN, room)
    return room["spin"]


def sent(*after: float, sign: int = signal.SIGINT) -> None:
    for seconds in after:
        threading.Timer(seconds, os.kill, (os.getpid(), sign)).start()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_program_that_computes_is_ended(sign: signal.Signals) -> None:
    async def run() -> None:
        with stopping():
            sent(0.05, sign=sign)
            spinning("withstood.agents.programmed.somebody")()

    with pytest.raises(Interrupted, match="--resume"):
        asyncio.run(run())


def test_whoever_waits_is_cancelled() -> None:
    async def run() -> None:
        with stopping():
            sent(0.05)
            await asyncio.sleep(30)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


def test_the_second_sign_ends_everything() -> None:
    async def run() -> None:
        with stopping():
            sent(0.05, 0.15)
            spinning("somewhere.else")()

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())


def test_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)

    async def run() -> None:
        with stopping():
            assert signal.getsignal(signal.SIGTERM) is not before

    asyncio.run(run())
    assert signal.getsignal(signal.SIGTERM) is before
