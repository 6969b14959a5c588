"""What processes take, read from /proc while they work: CPU, memory, and how far they are."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MIB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True, slots=True)
class Sample:
    """One look: rows that are done, seconds of CPU of the workers and of the database, memory of each worker in MiB."""

    at: float
    rows: int
    workers: float
    database: float
    memory: tuple[float, ...]


def cpu(pid: int) -> float:
    """Seconds of CPU of a process; none where it is gone."""
    with contextlib.suppress(OSError):
        return sum(_stat(pid)[11:13]) / TICKS
    return 0.0


def cpu_with_children(pid: int) -> float:
    """Of a process, its children that live and those that it has seen end."""
    living = [int(found.name) for found in Path("/proc").iterdir() if found.name.isdigit()]
    return sum(_stat(pid)[11:15]) / TICKS + sum(cpu(one) for one in living if _parent(one) == pid)


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError):
        return _stat(pid)[1]
    return 0


def _stat(pid: int) -> list[int]:
    """The fields after the name, the first of them (the state) as 0."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return [0, *map(int, told[1:])]


def memory(pid: int) -> float:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * MIB
    return 0.0


def watched(workers: Sequence[subprocess.Popen[bytes]], database: int, rows: Callable[[], int]) -> list[Sample]:
    """Waits for all, looks once a second, and says every half minute how far they are."""
    seen: list[Sample] = []
    while any(child.poll() is None for child in workers):
        spent = sum(cpu(child.pid) for child in workers)
        held = tuple([memory(child.pid) for child in workers])
        seen.append(Sample(time.monotonic(), rows(), spent, cpu_with_children(database), held))
        if len(seen) % 30 == 0:
            print(f"{seen[-1].rows} rows, MiB: {', '.join(f'{one:.0f}' for one in held)}", file=sys.stderr)
        time.sleep(1)
    return seen


def steady(seen: Sequence[Sample]) -> tuple[Sample, Sample]:
    """From the first chunks that are done to where nine tenths are: all workers are at work between."""
    most = max(sample.rows for sample in seen)
    within = [sample for sample in seen if 0 < sample.rows <= 0.9 * most]
    if len(within) < 2:
        raise RuntimeError(
            "wanted a job of some seconds at least, found one that was done at once: give it more --cases"
        )
    return within[0], within[-1]


def growth(seen: Sequence[Sample], worker: int) -> float:
    """Memory of a worker: mean of the last quarter over the mean of the second."""
    held = [sample.memory[worker] for sample in seen if sample.memory[worker]]
    quarter = max(1, len(held) // 4)
    second = held[quarter : 2 * quarter] or held
    return round((sum(held[-quarter:]) / quarter) / (sum(second) / len(second)), 3)


def timed(command: Sequence[str], env: dict[str, str], folder: Path) -> dict[str, float]:
    """A command to its end: seconds, and its memory at the peak."""
    began = time.monotonic()
    with (folder / "timed.log").open("ab") as said:
        child = subprocess.Popen(command, env=env, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{command}: {child.returncode}\n{(folder / 'timed.log').read_text()}")
    return {
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_mib": used.ru_maxrss // 1024,
    }
