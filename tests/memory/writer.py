"""A process of its own that adds to a store, and says in one line what stopped it."""

from __future__ import annotations

import signal

from tests.rules.episodes import PLAIN
from withstood.claims.episode import Lesson
from withstood.errors import WithstoodError
from withstood.memory import opening
from withstood.memory.store import New


def add(path: str, source: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file that may not grow is an error, not the end
    lesson = Lesson(**{name: getattr(PLAIN, name) for name in Lesson.__dataclass_fields__})
    try:
        opening.episodes(path).add([New(lesson, source)])
    except WithstoodError as fault:
        print(fault)
