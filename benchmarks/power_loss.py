"""What a loss of power can leave of the SQLite store, and whether all that was acknowledged is still there.

    python benchmarks/power_loss.py --states 1000

A process writes a run under strace. From what it did, states of the disk are drawn: at any moment, each write that was
not synced is there, gone, or torn at a sector; each file that was made or taken away without a sync of its folder may
be back or missing. Each state is opened by the store and read. As a control the same is done with weaker settings.
Prints one JSON object. Needs strace.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from withstood.errors import WithstoodError
from withstood.journal.port import Record
from withstood.journal.sqlite import SqliteStore

SECTOR = 512
CALLS = "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,close"
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)")
SETTINGS = ("EXTRA", "FULL", "OFF")
"""EXTRA is what the store sets; the others are the control."""


# --- the process that is watched ---------------------------------------------------------------


async def write(path: Path, setting: str, commits: int) -> None:
    """Print the number of each record once it was said to be kept."""
    store = SqliteStore(path)
    journal = await store.create("one", Record("run", 0, "{}"))
    await store.on_thread(lambda db: db.execute(f"PRAGMA synchronous={setting}"))
    print("ack 0", flush=True)
    for no in range(1, commits + 1):
        journal.append(Record("answer", no, json.dumps({"no": no, "text": "x" * random.Random(no).randint(10, 3000)})))
        await journal.kept()
        print(f"ack {no}", flush=True)
    await journal.close()
    await store.close()


# --- what it did -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """`kind`: make, drop, write, cut, sync (of a file), settle (of the folder) or ack."""

    kind: str
    name: str = ""
    offset: int = 0
    data: bytes = b""


def watched(folder: Path, setting: str, commits: int) -> list[Act]:
    path, trace = folder / "store" / "journal.db", folder / "trace"
    own = [sys.executable, __file__, "--write", str(path), "--setting", setting, "--commits", str(commits)]
    strace = ["strace", "-f", "-y", "-xx", "-s", "100000", "-e", f"trace={CALLS}", "-o", str(trace)]
    subprocess.run([*strace, *own], check=True, stdout=subprocess.DEVNULL)
    return list(_acts(_calls(trace), str(path.parent)))


def _calls(trace: Path) -> Iterator[tuple[str, str, int]]:
    """Calls in the order in which they ended."""
    begun: dict[str, str] = {}
    for line in trace.read_text().splitlines():
        process = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>").rstrip()
            continue
        if "resumed>" in line:
            line = begun.pop(process) + line.partition("resumed>")[2]
        if found := LINE.match(line):
            yield found[2], found[3], int(found[4])


def _acts(calls: Iterator[tuple[str, str, int]], folder: str) -> Iterator[Act]:
    there = set[str]()
    written: dict[str, int] = {}
    for call, told, result in calls:
        if result < 0:
            continue
        name, is_ours = _named(call, told, folder)
        if call == "write" and told.startswith("1<"):
            yield from (Act("ack", offset=int(no)) for no in re.findall(r"ack (\d+)", _bytes(told).decode()))
        elif not is_ours or name.endswith((".lock", ".gitignore")):
            continue
        elif call == "openat" and "O_CREAT" in told and name not in there:
            there.add(name)
            yield Act("make", name)
        elif call == "unlink":
            there.discard(name)
            yield Act("drop", name)
        elif call == "ftruncate":
            yield Act("cut", name, int(told.rsplit(",", 1)[1]))
        elif call == "pwrite64":
            yield Act("write", name, int(told.rsplit(",", 1)[1]), _bytes(told))
        elif call == "write":
            written[name] = written.get(name, 0)
            raise ValueError(f"wanted writes with their place, found {call} to {name}")
        elif call in ("fsync", "fdatasync"):
            yield Act("sync", name) if name else Act("settle")


def _named(call: str, told: str, folder: str) -> tuple[str, bool]:
    """The name of the file in the folder; empty where it is the folder itself."""
    if call in ("openat", "unlink"):
        path = _bytes(told).decode(errors="replace")
    else:
        found = re.match(r"\d+<([^>]*)>", told)
        path = bytes(_unescaped(found[1])).decode(errors="replace") if found else ""
    return path.removeprefix(folder).lstrip("/"), path == folder or path.startswith(f"{folder}/")


def _bytes(told: str) -> bytes:
    found = re.search(r'"((?:[^"\\]|\\.)*)"', told)
    return bytes(_unescaped(found[1])) if found else b""


def _unescaped(text: str) -> Iterator[int]:
    yield from (int(pair, 16) if pair else ord(sign) for pair, sign in re.findall(r"\\x(..)|(.)", text))


# --- what a loss of power may leave ------------------------------------------------------------


@dataclass(slots=True)
class Inode:
    """A file: what is durable of it, and what was done since its last sync."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Act] = field(default_factory=list[Act])

    def sync(self) -> None:
        for act in self.pending:
            _apply(self.durable, act)
        self.pending.clear()

    def left(self, draw: random.Random) -> bytes:
        """Each act since the last sync is there, gone, or torn."""
        found = bytearray(self.durable)
        how = draw.choice(("all", "none", "some"))
        for act in self.pending:
            fate = draw.random() if how == "some" else (0.0 if how == "all" else 1.0)
            if fate < 0.5:
                _apply(found, act)
            elif fate < 0.75 and act.kind == "write" and len(act.data) > SECTOR:
                sectors = draw.randrange(len(act.data) // SECTOR)
                _apply(found, Act("write", act.name, act.offset, act.data[: sectors * SECTOR]))
        return bytes(found)


def _apply(content: bytearray, act: Act) -> None:
    if act.kind == "cut":
        del content[act.offset :]
        return
    if act.data:
        content.extend(b"\0" * (act.offset - len(content)))
        content[act.offset : act.offset + len(act.data)] = act.data


class Disk:
    def __init__(self) -> None:
        self.now: dict[str, Inode] = {}
        self.settled: dict[str, Inode] = {}
        self.moves: dict[str, list[Inode | None]] = {}
        self.acknowledged = -1

    def take(self, act: Act) -> None:
        if act.kind == "ack":
            self.acknowledged = act.offset
        elif act.kind == "make":
            self.now[act.name] = Inode()
            self.moves.setdefault(act.name, []).append(self.now[act.name])
        elif act.kind == "drop":
            self.now.pop(act.name, None)
            self.moves.setdefault(act.name, []).append(None)
        elif act.kind == "settle":
            self.settled = dict(self.now)
            self.moves.clear()
        elif act.kind == "sync":
            self.now[act.name].sync()
        else:
            self.now[act.name].pending.append(act)

    def left(self, draw: random.Random) -> dict[str, bytes]:
        """Files as they may be found. Of what happened to a name since the folder was synced, a beginning is there."""
        names: dict[str, Inode] = dict(self.settled)
        for name, moves in self.moves.items():
            for inode in moves[: draw.randint(0, len(moves))]:
                if inode is None:
                    names.pop(name, None)
                else:
                    names[name] = inode
        return {name: inode.left(draw) for name, inode in names.items()}


# --- what is found then ------------------------------------------------------------------------


async def found(folder: Path) -> int:
    """How many records can be read; -1 where the run or the store cannot."""
    store = SqliteStore(folder / "journal.db")
    try:
        return sum([len(chunk) async for chunk in store.records("one")])
    except WithstoodError:
        return -1
    finally:
        await store.close()


def states(acts: list[Act], wanted: int, seed: int) -> dict[str, Any]:
    """States at moments all over the run, once its first record was acknowledged."""
    draw = random.Random(seed)
    first = next(place for place, act in enumerate(acts) if act.kind == "ack")
    moments = sorted(draw.choices(range(first, len(acts)), k=wanted))
    disk, taken, lost, unlike = Disk(), 0, 0, set[int]()
    for moment in moments:
        while taken <= moment:
            disk.take(acts[taken])
            taken += 1
        left = disk.left(draw)
        unlike.add(hash(tuple(sorted(left.items()))))
        lost += _is_lost(left, disk.acknowledged + 1)
    return {"states": wanted, "unlike": len(unlike), "with_something_lost": lost}


def _is_lost(files: dict[str, bytes], acknowledged: int) -> bool:
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            (Path(place) / name).write_bytes(content)
        return asyncio.run(found(Path(place))) < acknowledged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=60)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--setting", choices=SETTINGS, default="EXTRA", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.write:
        asyncio.run(write(told.write, told.setting, told.commits))
        return
    outcome = dict[str, Any]()
    for setting in SETTINGS:
        with tempfile.TemporaryDirectory() as folder:
            acts = watched(Path(folder), setting, told.commits)
        outcome[setting] = {"acts": len(acts)} | states(acts, told.states, told.seed)
    print(json.dumps(outcome, indent=1))


if __name__ == "__main__":
    main()
