"""`--batch`: the whole command over a server of batches."""

from __future__ import annotations

import signal
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from benchmarks.stub_process import Served
from tests.cli.commands import results, reviews, withstood
from tests.cli.test_signals import in_terminal, started
from tests.conftest import Serve

ROWS = "id,text\n" + "".join(f"r{no},The screen number {no} is bright but the battery is weak\n" for no in range(8))
ALWAYS = ("--set", "review.when=always")
BATCH = ("sentiment", "in.csv", "-o", "out", "--batch", "--model", "house:m", *ALWAYS)


def laid_out(folder: Path, stub: Served, rows: str = ROWS, *, gather: str = "0.1", kind: str = "openai") -> Path:
    reviews(folder, rows)
    endpoint = f'kind = "{kind}"\nurl = "{stub.openai}"\nbatch = true\nprice_in = 3\nprice_out = 15\n'
    (folder / "withstood.toml").write_text(
        f"[endpoints.house]\n{endpoint}\n[batch]\ngather_seconds = {gather}\nlook_seconds = 0.05\n"
    )
    return folder


def billed(stub: Served) -> Decimal:
    bill = stub.bill()
    return (bill["tokens_in"] * Decimal(3) + bill["tokens_out"] * Decimal(15)) / 2 / 1_000_000


def told(ended: Any) -> Any:
    assert ended.code == 0, ended.said
    return ended.lines()[0]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_what_batches_answer_is_what_single_calls_answer(tmp_path: Path, serve: Serve, kind: str) -> None:
    stub = serve("--batch-seconds", "0.2")
    laid_out(tmp_path, stub, kind=kind)
    summary = told(withstood(tmp_path, *BATCH, "--json"))
    assert (summary["status"], summary["texts"]) == ("finished", 8)
    assert Decimal(summary["spent"]["cost"]) == billed(stub)
    bill = stub.bill()
    assert (bill["requests"], bill["repeats"]) == (48, 0)
    single = withstood(tmp_path, "sentiment", "in.csv", "-o", "single", "--model", "house:m", *ALWAYS, "--json")
    assert Decimal(told(single)["spent"]["cost"]) == 2 * Decimal(summary["spent"]["cost"])
    assert results(tmp_path) == results(tmp_path, "single")


def test_a_run_by_batches_is_exported_verified_and_judged_again(tmp_path: Path, serve: Serve) -> None:
    told(withstood(laid_out(tmp_path, serve()), *BATCH, "--run", "mine", "--json"))
    assert withstood(tmp_path, "export", "mine", "-o", "mine.zip").code == 0
    assert b"8 rulings judged again" in withstood(tmp_path, "verify", "mine.zip").out
    assert "0 changed" in withstood(tmp_path, "replay", "mine").said


def test_calls_that_fail_in_a_batch_are_tried_again_and_then_absent(tmp_path: Path, serve: Serve) -> None:
    stub = serve()
    rows = "id,text\na,late [[stub:expired*1]]\nb,bad [[stub:400]]\nc,The screen is bright\n"
    ended = withstood(laid_out(tmp_path, stub, rows), *BATCH, "--json")
    assert Decimal(told(ended)["spent"]["cost"]) == billed(stub)
    assert ended.said.count("on 1 text (house:m answered 400: this request cannot be served (1 attempt))") == 6
    assert stub.bill()["faults"] == {"expired": 6, "400": 6}


def test_a_batch_that_the_provider_refuses_as_a_whole_parks_the_run(tmp_path: Path, serve: Serve) -> None:
    rows = ROWS + "bad,too much [[stub:unbatched]]\n"
    ended = withstood(laid_out(tmp_path, serve(), rows), *BATCH)
    assert ended.code == 69, ended.said
    assert "too much is waiting" in ended.said and "--resume" in ended.said


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_whoever_stops_it_is_told_what_goes_on_and_takes_it_later(
    tmp_path: Path, serve: Serve, sign: signal.Signals
) -> None:
    stub = serve("--batch-seconds", "3")
    laid_out(tmp_path, stub)
    with started(tmp_path, *BATCH) as child:
        while stub.bill()["requests"] < 24:
            time.sleep(0.02)
        time.sleep(0.2)
        child.send_signal(sign)
        _, said = child.communicate(timeout=20)
    assert child.returncode == 130, said
    assert "batch batch_1 of batch:house:m: 0 of 24 calls done. It goes on there" in said
    assert "--resume" in said
    summary = told(withstood(tmp_path, *BATCH, "--resume", "--json"))
    bill = stub.bill()
    assert (bill["requests"], bill["repeats"]) == (48, 0)
    assert Decimal(summary["spent"]["cost"]) == billed(stub)


def test_a_terminal_shows_that_a_batch_is_waited_for(tmp_path: Path, serve: Serve) -> None:
    laid_out(tmp_path, serve("--batch-seconds", "1"))
    assert "waiting for batch batch_1 of batch:house:m: 0 of 24 calls done" in in_terminal(tmp_path, *BATCH)


def test_it_goes_on_only_as_it_was_begun(tmp_path: Path, serve: Serve) -> None:
    laid_out(tmp_path, serve())
    limited = withstood(tmp_path, *BATCH, "--most-calls", "30", "--run", "mine")
    assert limited.code == 75, limited.said
    single = [part for part in BATCH if part != "--batch"]
    assert withstood(tmp_path, *single, "--run", "mine", "--resume").code == 76
    assert told(withstood(tmp_path, *BATCH, "--run", "mine", "--resume", "--json"))["spent"]["calls"] == 48


def test_answers_of_batches_are_reused_by_single_calls(tmp_path: Path, serve: Serve) -> None:
    stub = serve()
    told(withstood(laid_out(tmp_path, stub), *BATCH, "--json"))
    single = [part for part in BATCH if part != "--batch"]
    assert told(withstood(tmp_path, *single, "--reuse", "--json"))["spent"]["calls"] == 0
    assert stub.bill()["requests"] == 48


@pytest.mark.parametrize(("money", "code"), [("0.1", 75), ("0.4", 0)])
def test_a_limit_is_reached_by_what_batches_cost_not_by_what_they_might(
    tmp_path: Path, serve: Serve, money: str, code: int
) -> None:
    stub = serve()
    laid_out(tmp_path, stub)
    forecast = told(withstood(tmp_path, *BATCH, "--dry-run", "--json"))
    assert Decimal(forecast["most"]["cost"]) > 2 * Decimal(money)
    ended = withstood(tmp_path, *BATCH, "--most-money", money)
    assert ended.code == code, ended.said
    assert Decimal("0.06") < billed(stub) <= Decimal(money)


def test_the_forecast_is_at_the_price_of_batches(tmp_path: Path, serve: Serve) -> None:
    laid_out(tmp_path, serve())
    single = [part for part in BATCH if part != "--batch"]
    dear, half = (told(withstood(tmp_path, *one, "--dry-run", "--json")) for one in (single, BATCH))
    assert Decimal(dear["most"]["cost"]) == 2 * Decimal(half["most"]["cost"])


@pytest.mark.parametrize("model", ["scripted:in.csv", "http://127.0.0.1:9/v1#m", "ollama:m", "A=google:m"])
def test_a_model_without_a_batch_endpoint_is_refused_before_anything(tmp_path: Path, model: str) -> None:
    reviews(tmp_path, ROWS)
    ended = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--batch", "--model", model)
    assert ended.code == 78 and "takes no batches" in ended.said
    assert not (tmp_path / "out").exists() and not (tmp_path / ".withstood").exists()


def test_programs_beside_a_model_stay_programs(tmp_path: Path, serve: Serve) -> None:
    stub = serve()
    laid_out(tmp_path, stub)
    told(withstood(tmp_path, *BATCH, "--model", "B=programmed", "--json"))
    assert stub.bill()["requests"] == 8 * 5
