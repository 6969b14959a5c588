"""Jobs on a real PostgreSQL, decided by real worker processes. Each part prints one JSON object.

python benchmarks/fleet.py kills --cases 400 --kills 20       workers killed at random (in full: 2000 and 200)
python benchmarks/fleet.py reviews --cases 100000 --rounds 3  programmed agents, 1 worker and 2 in turn
python benchmarks/fleet.py reviews --cases 1000000 --workers 2     2 workers alone
python benchmarks/fleet.py calls --cases 2000                 a model of no latency (in full: 100000)
python benchmarks/fleet.py share --cases 6000                 the share of engine and journal in the CPU
python benchmarks/fleet.py outage --cases 400 --down 5        the database stopped, then restarted again and again
python benchmarks/fleet.py resume --asks 10000                a run of so many answers goes on after a crash
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, LiteralString
from unittest import mock

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import meters, postgres_server, stub_process
from benchmarks.postgres_server import Server
from benchmarks.stub_process import Served
from withstood import form
from withstood.agents.programmed.seats import ProgrammedAgent
from withstood.engine.entries import AnswerEntry, CallEntry, LostEntry, ReplyEntry
from withstood.engine.limits import Spend
from withstood.fleet import deciding
from withstood.fleet.registry import Registry
from withstood.journal import opening

COMMAND = str(Path(sys.executable).with_name("withstood"))
PRICE_IN, PRICE_OUT = Decimal("0.15"), Decimal("0.60")
FSYNC = ("fsync=on", "shared_buffers=256MB", "max_wal_size=4GB")
WORDS = ("screen", "battery", "배터리", "service", "taste", "방", "staff", "price", "noise", "delivery")
SAID = ("is bright but heats up", "dies fast", "오래 가요 그런데 무거워요", "was friendly but not fast", "is fine")


class Bench:
    """A folder, a database, a stub model, and the command line."""

    def __init__(self, folder: Path, url: str, stub: Served | None) -> None:
        self.folder, self.url, self.stub = folder, url, stub
        self.env = {**os.environ, "WITHSTOOD_STORE": url, "WITHSTOOD_CONFIG": str(folder / "withstood.toml")}
        told = "" if stub is None else _endpoint(stub)
        (folder / "withstood.toml").write_text(told)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [COMMAND, *arguments], env=self.env, cwd=self.folder, text=True, capture_output=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.returncode}\n{done.stderr}")
        return done.stdout

    def worker(self, *options: str, log: str = "worker") -> subprocess.Popen[bytes]:
        """A worker in a process group of its own."""
        with (self.folder / f"{log}.log").open("ab") as said:
            command = [COMMAND, "worker", *options]
            return subprocess.Popen(
                command, env=self.env, cwd=self.folder, stdout=said, stderr=said, start_new_session=True
            )

    def state(self, job: str) -> dict[str, Any]:
        return json.loads(self.run("status", job, "--json"))


def _endpoint(stub: Served) -> str:
    return (
        f'[models]\ndefault = "stub:m"\n[endpoints.stub]\nkind = "openai"\nurl = "{stub.openai}"\n'
        f"price_in = {PRICE_IN}\nprice_out = {PRICE_OUT}\n"
    )


@contextlib.contextmanager
def bench(settings: Sequence[str] = FSYNC, stub: Sequence[str] | None = None) -> Iterator[tuple[Bench, Server]]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="withstood-fleet-")))
        server = stack.enter_context(postgres_server.serving(settings))
        served = None if stub is None else stack.enter_context(stub_process.serving(*stub))
        yield Bench(folder, server.database(), served), server


def reviews(path: Path, count: int) -> None:
    """Synthetic reviews, no two alike."""
    draw = random.Random(7)
    with path.open("w", encoding="utf-8") as rows:
        rows.write("id,text\n")
        for no in range(1, count + 1):
            rows.write(f"r{no},Visit {no}: the {draw.choice(WORDS)} {draw.choice(SAID)}. {draw.choice(WORDS)} 좋아요\n")


def kill(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


# --- kills -------------------------------------------------------------------------------------


def kills(cases: int, wanted: int, chunk: int, latency: float) -> dict[str, Any]:
    with bench(stub=("--latency", str(latency))) as (place, _):
        assert place.stub is not None
        reviews(place.folder / "in.csv", cases)
        alone = {**place.env, "WITHSTOOD_STORE": str(place.folder / "alone.db")}
        subprocess.run(
            [COMMAND, "sentiment", "in.csv", "-o", "alone"], env=alone, cwd=place.folder, check=True,
            capture_output=True,
        )  # fmt: skip
        undisturbed = place.stub.bill()
        place.stub.reset()
        place.run("submit", "sentiment", "in.csv", "--job", "k", "--chunk", str(chunk), "--tries", "30")
        began = time.monotonic()
        made = _disturb(place, wanted)
        state = place.state("k")
        place.run("collect", "k", "-o", "out")
        same = (place.folder / "out/results.jsonl").read_bytes() == (place.folder / "alone/results.jsonl").read_bytes()
        counts = asyncio.run(_ledger(place.url))
        bill = place.stub.bill()
        extra = bill["requests"] - undisturbed["requests"]
        return {
            "cases": cases,
            "kills": made,
            "seconds": round(time.monotonic() - began),
            "state": state["state"],
            "byte_identical": same,
            "journaled_calls_sent_again": counts["again"],
            "requests_undisturbed": undisturbed["requests"],
            "extra_requests": extra,
            "most_in_flight": bill["in_flight_max"],
            "extra_within_bound": extra <= made * 16,
            "bill_undisturbed": str(_cost(undisturbed)),
            "ledger_of_answers": str(counts["known"].cost),
            "ledger_equals_bill": counts["known"].cost == _cost(undisturbed),
            "bill_with_kills": str(_cost(bill)),
            "ledger_with_unknown_at_most": str(counts["all"].cost),
            "never_more_than_booked": _cost(bill) <= (counts["all"].cost or 0),
            "status_says": state["spent"]["cost"],
        }


def _disturb(place: Bench, wanted: int) -> int:
    """Two workers; one of them, or both at once, are killed at random until the job is finished."""
    draw, made = random.Random(11), 0
    options = ("--until-idle", "--lease", "2", "--at-once", "1")
    workers = [place.worker(*options), place.worker(*options)]
    while any(child.poll() is None for child in workers):
        if _more_was_asked(place, draw.randint(5, 60)) and made < wanted:
            for which in draw.choice(([0], [1], [0], [1], [0, 1])):
                if workers[which].poll() is None and made < wanted:
                    kill(workers[which])
                    made += 1
                    workers[which] = place.worker(*options)
    return made


def _more_was_asked(place: Bench, wanted: int, patience: float = 8) -> bool:
    """Waits until so many more requests went out, so that a kill falls into work."""
    assert place.stub is not None
    before, until = place.stub.bill()["requests"], time.monotonic() + patience
    while time.monotonic() < until:
        time.sleep(0.05)
        if place.stub.bill()["requests"] >= before + wanted:
            return True
    return False


async def _ledger(url: str) -> dict[str, Any]:
    """What the journals of all chunks say: what answers cost, what else was booked, what came twice."""
    store = opening.store(url)
    known, lost, again = Spend(), Spend(), 0
    for run in await store.runs():
        answered: set[tuple[int, str, int]] = set()
        async for chunk in store.records(run.name):
            for kept in [one.record for one in chunk]:
                if kept.kind == "answer":
                    answer = form.read(AnswerEntry, form.loads(kept.body))
                    known += answer.spent
                    answered.add((kept.item, answer.role, answer.round))
                elif kept.kind == "reply":
                    known += form.read(ReplyEntry, form.loads(kept.body)).spent
                elif kept.kind == "lost":
                    lost += form.read(LostEntry, form.loads(kept.body)).spent
                elif kept.kind == "call":
                    call = form.read(CallEntry, form.loads(kept.body))
                    again += (kept.item, call.role, call.round) in answered
    await store.close()
    return {"known": known, "all": known + lost, "again": again}


def _cost(bill: dict[str, Any]) -> Decimal:
    return (PRICE_IN * bill["tokens_in"] + PRICE_OUT * bill["tokens_out"]) / 1_000_000


# --- how much, how fast ------------------------------------------------------------------------


def throughput(cases: int, chunk: int, workers: int | None, rounds: int) -> dict[str, Any]:
    """Programmed agents, on the same rows: so many workers; or one and two in turn, so that what else the machine does
    meets both."""
    if workers:
        return _decided(cases, chunk, workers)
    found = [(_decided(cases, chunk, 1), _decided(cases, chunk, 2)) for _ in range(rounds)]
    ratios = [round(two["texts_a_second"] / one["texts_a_second"], 3) for one, two in found]
    return {"two_over_one": sorted(ratios)[len(ratios) // 2], "of_each_round": ratios, "rounds": found}


def _decided(cases: int, chunk: int, count: int) -> dict[str, Any]:
    """A job from its file to its results. Rates and CPU are those of the time in which all workers were at work; they
    are as exact as chunks are small beside the job."""
    with bench() as (place, server), psycopg.connect(place.url, autocommit=True) as db:
        reviews(place.folder / "in.csv", cases)
        submit = [COMMAND, "submit", "sentiment", "in.csv", "--job", "r", "--chunk", str(chunk)]
        submitted = meters.timed([*submit, "--at-once", "100", "--in-flight", "100"], place.env, place.folder)
        workers = [place.worker("--until-idle", log=f"w{no}") for no in range(count)]
        seen = meters.watched(workers, server.pid, lambda: _number(db, DONE))
        assert place.state("r")["state"] == "finished"
        size = _number(db, SIZE)
        collected = meters.timed([COMMAND, "collect", "r", "-o", "out"], place.env, place.folder)
        with (place.folder / "out/results.jsonl").open("rb") as lines:
            assert sum(1 for _ in lines) == cases
    first, last = meters.steady(seen)
    rows, span = last.rows - first.rows, last.at - first.at
    return {
        "cases": cases,
        "workers": count,
        "texts_a_second": round(rows / span, 1),
        "cpu_ms_a_text_of_workers": round(1000 * (last.workers - first.workers) / rows, 3),
        "cpu_ms_a_text_of_database": round(1000 * (last.database - first.database) / rows, 3),
        "cores_busy_with_both": round((last.workers + last.database - first.workers - first.database) / span, 2),
        "memory_last_over_second_quarter": [meters.growth(seen, no) for no in range(count)],
        "memory_peak_mib": round(max(max(sample.memory) for sample in seen)),
        "journal_bytes_a_text": round(size / cases),
        "submit": submitted,
        "collect": collected,
    }


DONE = "SELECT coalesce(sum(rows), 0)::bigint FROM withstood.fleet_chunk WHERE state = 'done'"
SIZE = "SELECT pg_total_relation_size('withstood.block') + pg_total_relation_size('withstood.answer')"


def _number(db: psycopg.Connection[Any], query: LiteralString) -> int:
    return (db.execute(query).fetchone() or (0,))[0]


def calls(cases: int, chunk: int, workers: int) -> dict[str, Any]:
    """A model that answers at once: journaled calls a second of each worker, and who takes the CPU."""
    with bench(stub=()) as (place, server), psycopg.connect(place.url, autocommit=True) as db:
        assert place.stub is not None
        reviews(place.folder / "in.csv", cases)
        place.run("submit", "sentiment", "in.csv", "--job", "c", "--chunk", str(chunk), "--in-flight", "128")
        running = [place.worker("--until-idle") for _ in range(workers)]
        seen = meters.watched(running, server.pid, lambda: _number(db, DONE))
        assert place.state("c")["state"] == "finished"
        bill, stub = place.stub.bill(), meters.cpu(place.stub.pid)
        span, made = bill["last_answer"] - bill["first_request"], bill["answers"]
        return {
            "cases": cases,
            "calls": made,
            "workers": workers,
            "calls_a_second_each": round(made / span / workers, 1),
            "cpu_ms_a_call_of_workers": round(1000 * seen[-1].workers / made, 3),
            "cpu_ms_a_call_of_database": round(1000 * (seen[-1].database - seen[0].database) / made, 3),
            "cpu_ms_a_call_of_stub": round(1000 * stub / made, 3),
            "journal_bytes_a_call": round(_number(db, SIZE) / made),
            "memory_last_over_second_quarter": [meters.growth(seen, no) for no in range(workers)],
        }


# --- whose CPU it is ---------------------------------------------------------------------------


class Purse:
    """Seconds of CPU: of all sittings with all their threads, and within them of agents and flows."""

    sittings = deciding = 0.0


def share(cases: int, chunk: int) -> dict[str, Any]:
    """Chunks decided here as a worker decides them, one after the other. What agents and flows (protocol, rules) take
    is counted at their calls; engine and journal are all the rest of a sitting; around it there are the rows of the
    chunk, the plan and the register."""
    purse = Purse()
    with bench() as (place, _):
        reviews(place.folder / "in.csv", cases)
        place.run("submit", "sentiment", "in.csv", "--job", "r", "--chunk", str(chunk))
        with _counted(purse):
            asyncio.run(_decide_all(place, [1]))  # imports and word lists are no part of what a text costs
            purse.sittings = purse.deciding = 0.0
            before = time.process_time()
            rows = asyncio.run(_decide_all(place, range(2, -(-cases // chunk) + 1)))
            whole = time.process_time() - before
    parts = {
        "agents_and_rules": purse.deciding,
        "engine_and_journal": purse.sittings - purse.deciding,
        "chunks": whole - purse.sittings,
    }
    found: dict[str, Any] = {"texts": rows, "cpu_ms_a_text": round(1000 * whole / rows, 3)}
    return found | {name: round(part / whole, 3) for name, part in parts.items()}


async def _decide_all(place: Bench, chunks: Iterable[int]) -> int:
    registry, rows = Registry(place.url), 0
    registry.beat("w")
    for no in chunks:
        store = opening.store(place.url)
        claim = registry.claim("r", no, "w")
        assert claim is not None
        sat = await deciding.decide(claim, store, registry)
        await store.close()
        assert sat is not None and sat.outcome is not None
        assert registry.settle(claim, sat.outcome)
        rows += next(one.rows for one in registry.job("r").chunks if one.no == no)
    registry.close()
    return rows


@contextlib.contextmanager
def _counted(purse: Purse) -> Iterator[None]:
    """Put meters where the engine calls agents and flows."""
    sit, answer = deciding.sit, ProgrammedAgent.answer

    async def answered(self: Any, ask: Any, line: Any) -> Any:
        began = time.thread_time()
        try:
            return await answer(self, ask, line)
        finally:
            purse.deciding += time.thread_time() - began

    def flowing(flow: Any) -> Any:
        answers = None
        while True:
            began = time.thread_time()
            try:
                batch = flow.send(answers)
            except StopIteration as end:
                return end.value
            finally:
                purse.deciding += time.thread_time() - began
            answers = yield batch

    async def sat(sitting: Any, *others: Any) -> Any:
        before = time.process_time()
        try:
            return await sit(replace(sitting, flow_of=lambda case: flowing(sitting.flow_of(case))), *others)
        finally:
            purse.sittings += time.process_time() - before

    with mock.patch.object(deciding, "sit", sat), mock.patch.object(ProgrammedAgent, "answer", answered):
        yield


# --- a database that is not there --------------------------------------------------------------


def outage(cases: int, down: float, restarts: int, chunk: int) -> dict[str, Any]:
    with bench(stub=("--latency", "0.05")) as (place, server):
        reviews(place.folder / "in.csv", cases)
        place.run("submit", "sentiment", "in.csv", "--job", "o", "--chunk", str(chunk))
        workers = [place.worker("--until-idle", "--lease", "10") for _ in range(2)]
        made = 0
        assert _more_was_asked(place, 20, patience=60)
        server.stop()
        time.sleep(down)
        server.start()
        for _ in range(restarts):
            time.sleep(1.5)
            if all(child.poll() is not None for child in workers):
                break
            server.stop(random.choice((signal.SIGINT, signal.SIGQUIT)))
            server.start()
            made += 1
        ends = [child.wait() for child in workers]
        place.run("collect", "o", "-o", "out")
        lines = (place.folder / "out/results.jsonl").read_text().splitlines()
        counts = asyncio.run(_ledger(place.url))
        return {
            "cases": cases,
            "seconds_down": down,
            "restarts": made,
            "ends": ends,
            "state": place.state("o")["state"],
            "rows": len(lines),
            "journaled_calls_sent_again": counts["again"],
        }


def disk(cases: int, positions: int) -> dict[str, Any]:
    """No file may grow beyond a place that moves on: each worker meets a full disk, the last one has room."""
    with tempfile.TemporaryDirectory(prefix="withstood-fleet-") as folder:
        place = Bench(Path(folder), str(Path(folder) / "s.db"), None)
        reviews(place.folder / "in.csv", cases)
        alone = str(place.folder / "alone.db")
        place.run("sentiment", "in.csv", "-o", "alone", "--store", alone)
        size = Path(alone).stat().st_size
        place.run("submit", "sentiment", "in.csv", "--job", "d", "--chunk", str(cases // 4))
        least = (place.folder / "s.db").stat().st_size
        ends, parked = list[int](), 0
        for no in range(1, positions + 1):
            ends.append(_cramped(place, least + (size - least) * no // (positions + 1)))
            if place.state("d")["state"] == "parked":
                parked += 1
                place.run("resume", "d")
        place.worker("--until-idle", "--lease", "2").wait()
        place.run("collect", "d", "-o", "out")
        same = (place.folder / "out/results.jsonl").read_bytes() == (place.folder / "alone/results.jsonl").read_bytes()
        return {
            "cases": cases,
            "positions": positions,
            "ended_with_74": ends.count(74),
            "parked_with_reason": parked,
            "state": place.state("d")["state"],
            "byte_identical": same,
        }


def _cramped(place: Bench, room: int) -> int:
    limit = (
        f"ulimit -f {room // 1024}; PYTHONDONTWRITEBYTECODE=1 exec {COMMAND} worker --until-idle --lease 2 --patience 1"
    )
    with (place.folder / "worker.log").open("ab") as said:
        return subprocess.run(
            ["bash", "-c", limit], env=place.env, cwd=place.folder, stdout=said, stderr=said, check=False
        ).returncode


def resume(asks: int) -> dict[str, Any]:
    """A chunk with so many recorded answers is taken up again after a kill: from start to first new request."""
    cases = asks // 3
    with bench(stub=()) as (place, _):
        assert place.stub is not None
        reviews(place.folder / "in.csv", cases + 200)
        place.run("submit", "sentiment", "in.csv", "--job", "s", "--chunk", str(cases + 200), "--at-once", "1",
                  "--in-flight", "64")  # fmt: skip
        child = place.worker("--until-idle", "--lease", "1")
        while place.stub.bill()["answers"] < asks:
            time.sleep(0.2)
        kill(child)
        before = place.stub.bill()["requests"]
        place.stub.reset()
        began = time.time()
        child = place.worker("--until-idle", "--lease", "1")
        while not place.stub.bill()["requests"]:
            time.sleep(0.05)
        taken, worked = place.stub.bill()["first_request"] - began, meters.cpu(child.pid)
        child.wait()
        return {"asks_before": before, "seconds_to_go_on": round(taken, 2), "cpu_of_the_worker": round(worked, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("kills", "reviews", "calls", "share", "outage", "disk", "resume"))
    parser.add_argument("--cases", type=int)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--chunk", type=int)
    parser.add_argument("--latency", type=float, default=0.1)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--down", type=float, default=5)
    parser.add_argument("--restarts", type=int, default=3)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--asks", type=int, default=10_000)
    told = parser.parse_args()
    found = {
        "kills": lambda: kills(told.cases or 400, told.kills, told.chunk or 100, told.latency),
        "reviews": lambda: throughput(told.cases or 100_000, told.chunk or 1000, told.workers, told.rounds),
        "share": lambda: share(told.cases or 6000, told.chunk or 500),
        "calls": lambda: calls(told.cases or 2000, told.chunk or 500, told.workers or 2),
        "outage": lambda: outage(told.cases or 400, told.down, told.restarts, told.chunk or 100),
        "disk": lambda: disk(told.cases or 400, told.positions),
        "resume": lambda: resume(told.asks),
    }[told.part]()
    print(json.dumps(found, indent=1, default=str))


if __name__ == "__main__":
    main()
