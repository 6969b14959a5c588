"""Somebody stops a run: it says how to go on, and it goes on. And what a terminal shows."""

from __future__ import annotations

import functools
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.commands import command, environment, reviews, withstood
from tests.conftest import Serve

ROWS = "id,text\n" + "".join(f"r{no},The screen number {no} is bright but the battery is weak\n" for no in range(30))
ARGUMENTS = ("sentiment", "in.csv", "-o", "out", "--in-flight", "2", "--set", "review.when=always")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_goes_on(tmp_path: Path, serve: Serve, sign: signal.Signals) -> None:
    reviews(tmp_path, ROWS)
    slow, stub = serve("--latency", "0.05"), f"{serve().openai}#stub"
    assert withstood(tmp_path, *ARGUMENTS[:3], "whole", *ARGUMENTS[4:], "--store", "o.db", "--model", stub).code == 0
    (tmp_path / "withstood.toml").write_text(endpoint(slow.openai))
    with started(tmp_path, *ARGUMENTS, "--run", "mine", "--model", "here:stub") as child:
        while slow.bill()["answers"] < 12:
            time.sleep(0.02)
        child.send_signal(sign)
        _, said = child.communicate(timeout=20)
    assert child.returncode == 130, said
    assert "Traceback" not in said
    assert "interrupted" in said
    assert "--resume" in said
    (listed,) = withstood(tmp_path, "runs", "--json").lines()
    assert listed["status"] == "interrupted"
    asked = slow.bill()["requests"]
    again = withstood(tmp_path, *ARGUMENTS, "--resume", "--json", "--model", "here:stub")
    assert again.code == 0, again.said
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()
    bill = slow.bill()
    unknown = bill["repeats"]
    assert bill["requests"] == 180 + unknown
    assert unknown <= 2  # a call that is cut off may not have got as far as the server
    (told,) = again.lines()
    assert bill["requests"] <= told["spent"]["calls"] <= 182  # what was cut off counts, whether or not it got there
    assert told["spent"]["tokens_out"] >= bill["tokens_out"]
    assert asked < 180


def endpoint(url: str) -> str:
    return f'[endpoints.here]\nkind = "openai"\nurl = "{url}"\nprice_in = 1\nprice_out = 1\n'


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """As from a terminal: what a shell puts in the background hands down that SIGINT is ignored."""
    out = err = subprocess.PIPE
    heard = functools.partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        command(*arguments), cwd=folder, stdout=out, stderr=err, text=True, env=environment(), preexec_fn=heard
    )


def test_a_stop_before_anything_began(tmp_path: Path) -> None:
    reviews(tmp_path, ROWS * 500)
    with started(tmp_path, *ARGUMENTS) as child:
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=20)
    assert child.returncode in (130, -signal.SIGINT), said


def test_two_sittings_of_one_run_at_once(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, ROWS)
    stub = serve("--latency", "0.1")
    model = ("--model", f"{stub.openai}#stub")
    with started(tmp_path, *ARGUMENTS, "--run", "mine", *model) as child:
        while stub.bill()["answers"] < 4:
            time.sleep(0.02)
        same = withstood(tmp_path, *ARGUMENTS, "--resume", "--run", "mine", *model)
        assert same.code == 73 and "Another run writes to out" in same.said, same.said
        second = withstood(tmp_path, *ARGUMENTS, "-o", "other", "--resume", "--run", "mine", *model)
        assert second.code == 74, second.said
        assert "Run mine is being written by another process" in second.said
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)


def test_a_terminal_shows_a_bar_that_is_cleared(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, ROWS)
    shown = in_terminal(tmp_path, *ARGUMENTS, "--model", f"{serve('--latency', '0.05').openai}#stub")
    bars = re.findall(r"\r\x1b\[K\[([#.]{24})\] (\d+)/30 texts", shown)
    assert len(bars) > 2
    done = [int(count) for _, count in bars]
    assert done == sorted(done)
    assert [bar.count("#") for bar, _ in bars] == [24 * count // 30 for count in done]
    assert re.search(r"\d+ s left", shown)
    last = shown.rpartition("\x1b[K")[2]
    assert "finished: 30 texts" in last
    assert "#" not in last


def test_no_terminal_no_bar(tmp_path: Path) -> None:
    reviews(tmp_path, ROWS)
    done = withstood(tmp_path, *ARGUMENTS)
    assert "\r" not in done.said
    assert "\x1b" not in done.said


def in_terminal(folder: Path, *arguments: str) -> str:
    ours, theirs = pty.openpty()
    with subprocess.Popen(command(*arguments), cwd=folder, stdout=theirs, stderr=theirs, env=environment()):
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
    os.close(ours)
    return shown.decode()


def _read(terminal: int) -> bytes:
    """Linux says with an error that nobody holds the other end any more."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
