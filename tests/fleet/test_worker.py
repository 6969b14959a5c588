"""Workers as they run: processes of the command line over a real queue, killed, stopped and starved."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.stub_process import Served
from tests.conftest import Serve
from tests.fleet.work import reviews
from withstood.cli.fleet import summary
from withstood.cli.main import main
from withstood.fleet.registry import Registry

COMMAND = str(Path(sys.executable).with_name("withstood"))
PATIENCE = 60


class Said(NamedTuple):
    stdout: str
    stderr: str


class Site:
    """A folder, a store, and the command line over both."""

    def __init__(self, folder: Path, store: str, stub: Served | None = None) -> None:
        self.folder, self._children = folder, list[subprocess.Popen[str]]()
        self.registry = Registry(store)
        self.env = {**os.environ, "WITHSTOOD_STORE": store, "WITHSTOOD_CONFIG": str(folder / "withstood.toml")}
        models = f'[models]\ndefault = "{stub.openai}#m"\n' if stub else ""
        (folder / "withstood.toml").write_text(models)

    def run(self, *arguments: str, code: int = 0) -> Said:
        """A command in this process, which is quicker than one of its own."""
        with (
            pytest.MonkeyPatch.context() as here,
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as err,
        ):
            here.chdir(self.folder)
            here.setattr(os, "environ", self.env)
            here.setattr(sys, "argv", ["withstood", *arguments])
            with pytest.raises(SystemExit) as end:
                main()
        assert end.value.code == code, err.getvalue()
        return Said(out.getvalue(), err.getvalue())

    def worker(self, *options: str, lease: str = "2", room: int | None = None, **env: str) -> subprocess.Popen[str]:
        """`room`: no file may grow beyond so many blocks of 1024 bytes; half a module is not left in the cache."""
        limit = "" if room is None else f"ulimit -f {room}; export PYTHONDONTWRITEBYTECODE=1; "
        child = subprocess.Popen(
            ["bash", "-c", f'{limit}exec "$0" "$@"', COMMAND, "worker", "--lease", lease, *options],
            cwd=self.folder,
            env=self.env | env,
            text=True,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._children.append(child)
        return child

    def state(self, job: str = "j") -> dict[str, Any]:
        """What `withstood status --json` says, without a process."""
        return summary(self.registry.job(job))

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, self.state()
            time.sleep(0.1)

    def end(self) -> None:
        for child in self._children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
        self.registry.close()

    def bytes(self, name: str) -> bytes:
        return (self.folder / name / "results.jsonl").read_bytes()


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Site]]:
    with contextlib.ExitStack() as stack:

        def another(kind: str, stub: Served) -> Site:
            store = str(tmp_path / "s.db") if kind == "sqlite" else request.getfixturevalue("postgres").database()
            made = Site(tmp_path, store, stub)
            stack.callback(made.end)
            return made

        yield another


def finished(child: subprocess.Popen[str], code: int = 0) -> str:
    _, said = child.communicate(timeout=PATIENCE)
    assert child.returncode == code, said
    return said


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_workers_change_nothing(site: Callable[..., Site], serve: Serve, kind: str) -> None:
    """Two workers over one queue; one is killed in the middle, and its chunk is taken over."""
    stub = serve("--latency", "0.05")
    place = site(kind, stub)
    reviews(place.folder / "in.csv", 12)
    place.run("sentiment", "in.csv", "-o", "alone", "--store", str(place.folder / "alone.db"), code=65)
    undisturbed = stub.bill()["requests"]
    stub.reset()
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "7")
    victim = place.worker("--until-idle")
    place.until(lambda: stub.bill()["requests"] > 20)
    os.killpg(victim.pid, signal.SIGKILL)
    said = finished(place.worker("--until-idle"))
    assert "took over" in said
    assert place.state()["state"] == "finished"
    place.run("collect", "j", "-o", "out", code=65)
    assert place.bytes("out") == place.bytes("alone")
    assert [line.split()[:3] for line in place.run("runs").stdout.splitlines()] == [["j", "2/2", "chunks"]]
    assert len(place.run("runs", "--chunks").stdout.splitlines()) == 2
    booked = place.state()["spent"]["calls"]
    assert undisturbed <= stub.bill()["requests"] <= booked, "no request that is not on the books"
    assert booked <= undisturbed + 3 * 16, "three asks at most of each text that was under way"


BATCHES = """[endpoints.house]
url = "{url}"
batch = true
price_in = 3
price_out = 15

[models]
default = "house:m"

[batch]
gather_seconds = 0.1
look_seconds = 0.1
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_batches_of_a_killed_worker_are_taken_by_the_next(site: Callable[..., Site], serve: Serve, kind: str) -> None:
    stub = serve("--batch-seconds", "3")
    place = site(kind, stub)
    (place.folder / "withstood.toml").write_text(BATCHES.format(url=stub.openai))
    reviews(place.folder / "in.csv", 12)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "7", "--batch", "--most-money", "5")
    victim = place.worker("--until-idle")
    place.until(lambda: stub.bill()["requests"] == 12 * 3)
    os.killpg(victim.pid, signal.SIGKILL)
    assert "took over" in finished(place.worker("--until-idle"))
    place.run("collect", "j", "-o", "out", code=65)
    bill, spent = stub.bill(), place.state()["spent"]
    assert bill["repeats"] == 0
    assert spent["calls"] == bill["answers"]
    assert (spent["tokens_in"], spent["tokens_out"]) == (bill["tokens_in"], bill["tokens_out"])


def test_a_worker_that_hung_and_wakes_up_late_changes_nothing(site: Callable[..., Site], serve: Serve) -> None:
    stub = serve("--latency", "0.05")
    place = site("postgres", stub)
    reviews(place.folder / "in.csv", 8)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "100")
    hung = place.worker()
    place.until(lambda: stub.bill()["requests"] > 10)
    os.killpg(hung.pid, signal.SIGSTOP)
    assert "took over 1 chunk" in finished(place.worker("--until-idle"))
    place.run("collect", "j", "-o", "before", code=65)
    journal, books = place.run("runs", "--json").stdout, place.state()
    os.killpg(hung.pid, signal.SIGCONT)
    place.until(lambda: bool(place.registry.workers()))  # it is back, and says so
    time.sleep(1)
    hung.send_signal(signal.SIGTERM)
    finished(hung)
    assert (place.run("runs", "--json").stdout, place.state()) == (journal, books)
    place.run("collect", "j", "-o", "after", code=65)
    assert place.bytes("after") == place.bytes("before")


def test_a_full_disk_parks_the_job_with_its_reason(site: Callable[..., Site], serve: Serve) -> None:
    place = site("sqlite", serve())
    reviews(place.folder / "in.csv", 100)
    place.run("submit", "sentiment", "in.csv", "--job", "j")
    room = max(path.stat().st_size for path in place.folder.glob("s.db*")) // 1024 + 64
    for _ in range(
        3
    ):  # the register stands in the file that is full: whether it can still be told is a matter of a page
        finished(place.worker("--patience", "0.5", room=room), code=74)
        if place.state()["state"] == "parked":
            break
    assert place.state()["state"] == "parked"
    told = place.run("status", "j").stdout
    assert "j: parked" in told and "s.db cannot be used" in told and "Free the disk" in told
    assert place.state()["chunks"]["aside"] == 0
    place.run("resume", "j")
    finished(place.worker("--until-idle"))
    assert place.state()["decided"] == 101


def test_a_worker_that_is_told_to_stop_gives_back_what_it_has(site: Callable[..., Site], serve: Serve) -> None:
    stub = serve("--latency", "0.1")
    place = site("postgres", stub)
    reviews(place.folder / "in.csv", 16)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "100")
    first = place.worker()
    place.until(lambda: stub.bill()["requests"] > 10)
    first.send_signal(signal.SIGTERM)
    finished(first)
    state = place.state()
    assert (state["state"], state["chunks"]["waiting"]) == ("queued", 1)
    assert stub.bill()["in_flight"] == 0
    said = finished(place.worker("--until-idle"))
    assert "took over" not in said, "it was given back, nobody had to wait for the lease"
    assert place.state()["decided"] == 17
    assert stub.bill()["repeats"] <= stub.bill()["in_flight_max"]


def test_a_rulebook_of_its_own_need_not_be_where_the_workers_are(site: Callable[..., Site]) -> None:
    place = site("sqlite", None)
    rules = place.folder / "mine.toml"
    rules.write_text('preset = "strict"\n[arbiter]\nedition = "v1"\n')
    reviews(place.folder / "in.csv", 2)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--rules", "mine.toml", "--set", "conflicts.theta=0.5")
    rules.unlink()
    place.worker("--until-idle").wait(PATIENCE)
    assert place.state()["state"] == "finished"
    config = place.registry.job("j").commission.config
    assert (config.rules, config.set["arbiter.edition"], config.set["conflicts.theta"]) == ("strict", "v1", "0.5")


def test_a_job_is_paused_goes_on_and_is_cancelled(site: Callable[..., Site], serve: Serve) -> None:
    stub = serve("--latency", "0.2")
    place = site("sqlite", stub)
    reviews(place.folder / "in.csv", 40)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "10")
    place.worker()
    place.until(lambda: stub.bill()["requests"] > 5)
    assert json.loads(place.run("pause", "j", "--json").stdout)["state"] == "paused"
    place.until(lambda: not place.state()["chunks"]["running"])
    asked = stub.bill()["requests"]
    assert "cannot be paused" in place.run("pause", "j", code=2).stderr
    assert stub.bill()["requests"] == asked, "nothing goes out while it is paused"
    assert json.loads(place.run("resume", "j", "--json").stdout)["state"] == "queued"
    place.until(lambda: stub.bill()["requests"] > asked)
    assert json.loads(place.run("cancel", "j", "--json").stdout)["state"] == "cancelled"
    place.until(lambda: not place.state()["chunks"]["running"])
    assert place.state()["state"] == "cancelled"
    assert "nothing to resume" in place.run("resume", "j", code=2).stderr


def test_a_limit_stops_the_job_and_a_new_one_lets_it_go_on(site: Callable[..., Site], serve: Serve) -> None:
    stub = serve()
    place = site("postgres", stub)
    reviews(place.folder / "in.csv", 12)
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--chunk", "4", "--most-calls", "30")
    place.worker()
    place.until(lambda: place.state()["state"] == "stopped")
    place.until(lambda: not place.state()["chunks"]["running"])
    assert "limit of 30 calls" in place.state()["why"]
    assert stub.bill()["requests"] <= 30
    place.run("resume", "j", "--most-calls", "1000")
    place.until(lambda: place.state()["state"] == "finished")
    assert place.state()["decided"] == 13
    assert stub.bill()["requests"] == place.state()["spent"]["calls"]


def test_a_model_that_is_down_parks_the_job_with_its_reason(tmp_path: Path, serve: Serve) -> None:
    stub = serve("--fault", "quota=1")
    place = Site(tmp_path, str(tmp_path / "s.db"), stub)
    reviews(place.folder / "in.csv", 4)
    place.run("submit", "sentiment", "in.csv", "--job", "j")
    try:
        place.worker()
        place.until(lambda: place.state()["state"] == "parked")
        assert "quota" in place.state()["why"]
        assert stub.bill()["requests"] <= 16
    finally:
        place.end()


def test_a_worker_without_the_key_leaves_the_job_to_others(tmp_path: Path) -> None:
    place = Site(tmp_path, str(tmp_path / "s.db"))
    reviews(place.folder / "in.csv", 4)
    key = {"OPENAI_API_KEY": "sk-test"}
    place.env |= key
    place.run("submit", "sentiment", "in.csv", "--job", "j", "--model", "openai:some-model")
    try:
        place.worker(OPENAI_API_KEY="")
        place.until(lambda: any("cannot" in chunk.why for chunk in place.registry.job("j").chunks))
        assert "OPENAI_API_KEY" in place.run("status").stdout
        assert place.state()["state"] == "queued"
        assert place.run("runs").stdout == "", "nothing was begun"
    finally:
        place.end()


@pytest.mark.parametrize(
    ("option", "told"),
    [(("--memory", "M2"), "does not recall episodes"), (("--most-seconds", "9"), "no limit in time")],
)
def test_what_a_job_of_many_chunks_cannot_do_is_said(tmp_path: Path, option: tuple[str, str], told: str) -> None:
    place = Site(tmp_path, str(tmp_path / "s.db"))
    reviews(place.folder / "in.csv", 2)
    assert told in place.run("submit", "sentiment", "in.csv", *option, code=2).stderr
    assert place.run("status").stdout == ""
    place.end()


@pytest.mark.parametrize("command", [("worker",), ("submit", "sentiment", "in.csv")])
def test_a_database_that_is_not_reached_is_said_before_anything_begins(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    place = Site(tmp_path, "postgresql://user:geheim@127.0.0.1:1/nothing")
    reviews(tmp_path / "in.csv", 2)
    said = place.run(*command, code=74).stderr
    assert "postgresql://127.0.0.1:1/nothing cannot be used" in said
    assert "geheim" not in said
    assert len(said.splitlines()) == 1
