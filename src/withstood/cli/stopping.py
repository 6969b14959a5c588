"""Ctrl-C and a polite request to stop, also while a program computes and no event is waited for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from withstood.errors import Interrupted

MESSAGE = "Interrupted. Go on with the same command and --resume."
_PROGRAMS = "withstood.agents.programmed"
_SIGNS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping() -> Iterator[None]:
    """Within a task: the first sign cancels it, or ends the program that computes in it by `Interrupted`, which the
    engine takes for the end of the sitting. The second one ends everything."""
    task, loop, met = asyncio.current_task(), asyncio.get_running_loop(), list[int]()
    assert task is not None

    def stop(sign: int, frame: FrameType | None) -> None:
        met.append(sign)
        if len(met) > 1:
            raise KeyboardInterrupt
        if _computes(frame):
            raise Interrupted(MESSAGE)
        loop.call_soon_threadsafe(task.cancel)

    before = [signal.signal(sign, stop) for sign in _SIGNS]
    try:
        yield
    finally:
        for sign, handler in zip(_SIGNS, before, strict=True):
            signal.signal(sign, handler)


def _computes(frame: FrameType | None) -> bool:
    """Whether a programmed agent stands on the stack."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(_PROGRAMS):
            return True
        frame = frame.f_back
    return False
