"""A small repository with a past, logs and a question, told step by step and written down by git in one go.

Everything is fixed: times, authors, names of commits. `Story` collects, `written` makes the folders.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

NOW = datetime(2026, 3, 16, 6, 0, tzinfo=UTC)
"""When somebody asks. Days and minutes of a story are counted from here."""

AUTHORS = ("Mina Roh", "Jonas Beck", "Adaeze Obi", "Tomas Rey")


@dataclass(frozen=True, slots=True)
class Truth:
    """Where the cause stands: any of these files; none where nothing is wrong. `commit` is the subject of the commit
    that brought it."""

    files: tuple[str, ...]
    kind: str
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    message: str
    when: int
    author: str
    files: Mapping[str, str | None]


@dataclass(slots=True)
class Story:
    name: str
    question: str
    truth: Truth
    steps: list[Step] = field(default_factory=list[Step])
    logs: dict[str, str] = field(default_factory=dict[str, str])
    tree: dict[str, str] = field(default_factory=dict[str, str])

    def commit(self, message: str, files: Mapping[str, str | None], *, day: float) -> None:
        """The files as they are from now on; None takes one away."""
        when = int((NOW + timedelta(days=day)).timestamp())
        self.steps.append(Step(message, when, AUTHORS[len(message) % len(AUTHORS)], dict(files)))
        for path, text in files.items():
            if text is None:
                del self.tree[path]
            else:
                self.tree[path] = text

    def edit(self, message: str, path: str, *changes: tuple[str, str], day: float) -> None:
        """One file changed in some places, each of which must be there once."""
        self.commit(message, {path: replaced(self.tree[path], path, changes)}, day=day)

    def tidy(self, message: str, paths: Sequence[str], old: str, new: str, *, day: float) -> None:
        """A change that reads the same in many files and means nothing."""
        self.commit(message, {path: self.tree[path].replace(old, new) for path in paths}, day=day)

    def line_of(self, path: str, part: str) -> int:
        """The number of the one line of a file that holds this."""
        found = [no for no, line in enumerate(self.tree[path].splitlines(), start=1) if part in line]
        assert len(found) == 1, (self.name, path, part, found)
        return found[0]

    def log(self, name: str, lines: Sequence[tuple[float, str]], style: str = "plain") -> None:
        """Lines with the minutes before now (negative) at which they were written, sorted, each with its time."""
        ordered = sorted(lines, key=lambda line: line[0])
        self.logs[name] = "".join(f"{STYLES[style](minute, said)}\n" for minute, said in ordered)


def replaced(text: str, path: str, changes: Sequence[tuple[str, str]]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, (path, old, text.count(old))
        text = text.replace(old, new)
    return text


def stamp(minute: float) -> str:
    return (NOW + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _plain(minute: float, said: str) -> str:
    return f"{stamp(minute)} {said}"


def _json(minute: float, said: str) -> str:
    """One object to an event: a level, a logger, a message, and what follows it as a stack."""
    head, _, tail = said.partition("\n")
    level, _, rest = head.partition(" ")
    logger, _, message = rest.partition(": ")
    told = {"ts": stamp(minute), "level": level.lower(), "logger": logger, "msg": message}
    return json.dumps({**told, "stack": tail} if tail else told, ensure_ascii=False)


def _syslog(minute: float, said: str) -> str:
    """Every line with the head of its own that a syslog daemon gives it."""
    when = NOW + timedelta(minutes=minute)
    head = f"{when:%b} {when.day:2} {when:%H:%M:%S} node-3 app[4711]: "
    return "\n".join(head + line for line in said.split("\n"))


def _spring(minute: float, said: str) -> str:
    """Local time of Seoul with milliseconds, level in a column, thread in brackets."""
    when = NOW + timedelta(minutes=minute)
    head, newline, tail = said.partition("\n")
    level, _, rest = head.partition(" ")
    return f"{when:%Y-%m-%d %H:%M:%S}.{when.microsecond // 1000:03}+00:00 {level:>7} [exec-2] {rest}{newline}{tail}"


def _compose(minute: float, said: str) -> str:
    """As a runner of containers shows it: the name of the service before every line."""
    return "\n".join(f"web-1  | {line}" for line in _plain(minute, said).split("\n"))


STYLES: Mapping[str, Callable[[float, str], str]] = {
    "plain": _plain,
    "json": _json,
    "syslog": _syslog,
    "spring": _spring,
    "compose": _compose,
}


def noise(seed: int, said: Sequence[str], count: int, first: float, last: float) -> list[tuple[float, str]]:
    """Ordinary lines spread over a time. `#` in a line becomes a number."""
    draw = random.Random(seed)
    span = last - first
    return [
        (first + span * no / count, draw.choice(said).replace("#", str(draw.randint(100, 9999)))) for no in range(count)
    ]


def written(story: Story, folder: Path) -> tuple[Path, Path]:
    """The repository with its history, and the folder of logs."""
    repo, logs = folder / "repo", folder / "logs"
    repo.mkdir(parents=True)
    logs.mkdir()
    _git(repo, "init", "-q", "-b", "main")
    _git(repo, "fast-import", "--quiet", said="".join(_stream(story.steps)).encode())
    _git(repo, "reset", "-q", "--hard", "main")
    for name, text in story.logs.items():
        raw = text.encode()
        (logs / name).write_bytes(gzip.compress(raw, mtime=0) if name.endswith(".gz") else raw)
    return repo, logs


def _stream(steps: Sequence[Step]) -> list[str]:
    out: list[str] = []
    for step in steps:
        mail = step.author.split()[0].lower() + "@shop.example"
        out.append(f"commit refs/heads/main\ncommitter {step.author} <{mail}> {step.when} +0000\n")
        out.append(_data(step.message))
        for path, text in step.files.items():
            out.append(f"D {path}\n" if text is None else f"M 100644 inline {path}\n{_data(text)}")
    return out


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def _git(folder: Path, *arguments: str, said: bytes = b"") -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, input=said, check=True, capture_output=True)
