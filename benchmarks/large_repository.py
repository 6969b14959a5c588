"""A repository of 50,000 files and 20,000 commits with a million log lines, looked at by programs alone.

    python benchmarks/large_repository.py

The repository is made by `git fast-import` from a seed, with one cause planted in it. A process of its own runs the
whole investigation; its memory with that of its children is sampled from outside. Prints one JSON object: seconds to
the first finding and to the verdict, the greatest memory, and at which place the cause is reported.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

AREAS = tuple("orders stock billing search mail users reports media basket prices shipping audit".split())
VERBS = tuple("load store check merge split count find send plan price".split())
NOUNS = tuple("parcel invoice voucher shelf customer letter picture label route budget".split())
END = 1_773_640_800
PLANTED = "services/billing/part007/merge_invoice_7.py"
QUESTION = "Why does the merging of invoices fail with a KeyError since this week?"


def body(path: str, draw: random.Random) -> str:
    verb, noun, number = draw.choice(VERBS), draw.choice(NOUNS), draw.randint(2, 900)
    return f'''\
"""{verb.title()} every {noun} of {path.split("/")[1]}."""

import logging

log = logging.getLogger(__name__)
LIMIT = {number}


def {verb}_{noun}(entries, limit=LIMIT):
    kept = []
    for entry in entries:
        if entry.get("state") == "open" and len(kept) < limit:
            kept.append(entry["number"] * {number % 17 + 1})
    log.info("{verb}ed %d of each {noun}", len(kept))
    return kept


def {noun}_total(entries):
    return sum(entry["amount"] for entry in entries)
'''


CAUSE = '''\
"""Merge the invoices of one customer."""

import logging

log = logging.getLogger(__name__)


def merge_invoices(invoices):
    total = 0
    for invoice in invoices:
        total += invoice["{key}"]
    log.info("merged %d invoices", len(invoices))
    return total
'''


def paths(count: int) -> list[str]:
    draw = random.Random(5)
    found = [PLANTED]
    for no in range(1, count):
        area = AREAS[no % len(AREAS)]
        name = f"{draw.choice(VERBS)}_{draw.choice(NOUNS)}_{no}"
        found.append(f"services/{area}/part{no // 12 % 360:03d}/{name}.py")
    return found


def stream(files: list[str], commits: int) -> Iterator[bytes]:
    """What `git fast-import` is told: one large beginning, then commits of one to three files."""
    draw = random.Random(7)
    begin = END - 400 * 86_400
    yield _commit("Import the services", begin)
    for path in files:
        yield _file(path, CAUSE.format(key="amount") if path == PLANTED else body(path, draw))
    for no in range(1, commits):
        when = begin + no * (400 * 86_400 - 40_000) // commits
        if no == commits - 60:
            yield _commit("invoices: read the sum under its new name", when)
            yield _file(PLANTED, CAUSE.format(key="total_amount"))
            continue
        chosen = draw.sample(files[1:], draw.randint(1, 3))
        yield _commit(f"{chosen[0].split('/')[1]}: {draw.choice(VERBS)} the {draw.choice(NOUNS)} otherwise", when)
        for path in chosen:
            yield _file(path, body(path, draw))


def _commit(message: str, when: int) -> bytes:
    head = f"commit refs/heads/main\ncommitter A <a@shop.example> {when} +0000\n"
    return f"{head}data {len(message.encode())}\n{message}\n".encode()


def _file(path: str, text: str) -> bytes:
    return f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n".encode()


def make_repository(folder: Path, files: int, commits: int) -> None:
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    importing = subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert importing.stdin is not None
    for part in stream(paths(files), commits):
        importing.stdin.write(part)
    importing.stdin.close()
    if importing.wait():
        raise SystemExit("git fast-import failed")
    subprocess.run(["git", "-C", folder, "reset", "-q", "--hard", "main"], check=True)


def make_logs(folder: Path, lines: int) -> None:
    """Five logs of one week; the planted failure is in one line of some ten thousand."""
    folder.mkdir()
    draw = random.Random(9)
    each = lines // 5
    for part in range(5):
        with (folder / f"service-{part}.log").open("w", encoding="utf-8") as out:
            written = 0
            while written < each:
                when = END - 7 * 86_400 + written * 7 * 86_400 // each
                stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
                said = (
                    _failure(draw) if part == 2 and written % 10_000 == 9_000 and when > END - 90_000 else _said(draw)
                )
                out.write(f"{stamp} {said}\n")
                written += said.count("\n") + 1


def _said(draw: random.Random) -> str:
    roll = draw.random()
    verb, noun, number = draw.choice(VERBS), draw.choice(NOUNS), draw.randint(1, 10**6)
    if roll < 0.002:
        return f"ERROR search: index of {noun} {number} is not ready, using the old one"
    if roll < 0.02:
        return f"WARNING http: client {number} closed the connection early"
    if roll < 0.5:
        return f"INFO http: GET /api/{noun}/{number} 200 in {number % 300} ms"
    return f"INFO {draw.choice(AREAS)}: {verb}ed {noun} {number} for user-{number % 977}@shop.example"


def _failure(draw: random.Random) -> str:
    return (
        f"ERROR billing.jobs: merging of invoices for customer {draw.randint(1, 9999)} failed\n"
        "Traceback (most recent call last):\n"
        f'  File "/srv/app/{PLANTED}", line 11, in merge_invoices\n'
        '    total += invoice["total_amount"]\n'
        "KeyError: 'total_amount'"
    )


# --- the run, in a process of its own ----------------------------------------------------------


def investigate(repo: Path, logs: Path) -> None:
    """Runs in the child: prints when the first finding was there, and the verdict."""
    from tests.stories.trial import Panel, named, ran
    from withstood.sources.workspace import opened

    begin = time.monotonic()
    first: list[float] = []
    worked: list[float] = []

    class Timed(Panel):
        def answers(self, batch):  # pyright: ignore[reportIncompatibleMethodOverride]
            found = super().answers(batch)
            if not first and any(getattr(one, "findings", ()) for one in found):
                first.append(time.monotonic() - begin)
                worked.append(_worked())
            return found

    with opened(repo, [logs]) as space:
        report, _ = ran(space, QUESTION, Timed(space))
    files = [named(one) for one in report["findings"]]
    told = {
        "first_finding_seconds": round(first[0], 1) if first else None,
        "first_finding_cpu_seconds": round(worked[0], 1) if worked else None,
        "whole_run_seconds": round(time.monotonic() - begin, 1),
        "whole_run_cpu_seconds": round(_worked(), 1),
        "findings": len(files),
        "cause_at_place": files.index(PLANTED) + 1 if PLANTED in files else None,
        "certainty": report["certainty"],
    }
    print(json.dumps(told))


def _worked() -> float:
    """Seconds of work of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


class Watch(threading.Thread):
    """The greatest memory of a process and all that it started."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.most, self.over = pid, 0, threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.1):
            self.most = max(self.most, sum(map(_resident, _family(self.pid))))


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        try:
            told = Path(f"/proc/{one}/task/{one}/children").read_text()
        except OSError:
            continue
        found += [int(child) for child in told.split()]
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def measured(repo: Path, logs: Path) -> dict[str, object]:
    command = [sys.executable, __file__, "--investigate", str(repo), str(logs)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    watch = Watch(running.pid)
    watch.start()
    said, _ = running.communicate()
    watch.over.set()
    if running.returncode:
        raise SystemExit(running.returncode)
    return {**json.loads(said), "most_memory_mib": watch.most >> 20}


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--files", type=int, default=50_000)
    told.add_argument("--commits", type=int, default=20_000)
    told.add_argument("--lines", type=int, default=1_000_000)
    told.add_argument("--keep", type=Path, help="a folder in which the repository and the logs are made, or used again")
    told.add_argument("--investigate", nargs=2, type=Path, help=argparse.SUPPRESS)
    asked = told.parse_args()
    if asked.investigate:
        investigate(*asked.investigate)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        repo, logs = folder / "repo", folder / "logs"
        if not repo.exists():
            make_repository(repo, asked.files, asked.commits)
            make_logs(logs, asked.lines)
        sizes = {"files": asked.files, "commits": asked.commits, "log_lines": asked.lines}
        print(json.dumps({**sizes, **measured(repo, logs)}))


if __name__ == "__main__":
    main()
