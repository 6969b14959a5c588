"""`--memory` and `withstood memory`, from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Ended, results, reviews, script, withstood

STORE = Path(".withstood") / "memory.jsonl"


def run(folder: Path, mode: str, *more: str) -> Ended:
    reviews(folder)
    return withstood(folder, "sentiment", "in.csv", "-o", "out", "--memory", mode, "--model", script(folder), *more)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    done = run(tmp_path, "M2")
    assert done.code == 0, done.said
    assert "memory: episodes kept in memory.jsonl: 4" in done.said
    return tmp_path


def listed(folder: Path) -> list[Any]:
    return withstood(folder, "memory", "list", "--json").lines()


def test_a_run_recalls_what_an_earlier_one_kept(filled: Path) -> None:
    assert run(filled, "M1", "--run", "second").code == 0
    memory = [line["memory"] for line in results(filled)]
    assert {told["mode"] for told in memory} == {"on"}
    assert all(told["retrieved_k"] and told["store_id"] == "memory.jsonl" for told in memory)
    assert len(listed(filled)) == 4
    told = withstood(filled, "explain", "second", "e1").out.decode()
    assert "memory-condition-1 Row M1: on" in told
    assert "epi_000002: contrast" in told
    assert "In a similar text" in told
    replayed = withstood(filled, "replay", "second")
    assert replayed.out == (filled / "out" / "results.jsonl").read_bytes()


def test_explain_names_what_was_blocked_and_why(filled: Path) -> None:
    lines = [json.loads(line) for line in (filled / STORE).read_text().splitlines()]
    for line in lines:
        line["episode_type"] = "harm"
    (filled / STORE).write_text("".join(json.dumps(line) + "\n" for line in lines))
    run(filled, "M1", "--run", "second")
    assert {line["memory"]["retrieved_k"] for line in results(filled)} == {0}
    told = withstood(filled, "explain", "second", "e1").out.decode()
    assert "memory-advisory-1 Row 1: blocked (opposite_polarity_failed)" in told
    assert "epi_000002: it ended like one that failed" in told


def test_the_configuration_may_say_it(tmp_path: Path) -> None:
    (tmp_path / "withstood.toml").write_text('memory = "C2"\nmemory_store = "mine.jsonl"\n')
    reviews(tmp_path)
    model = script(tmp_path)
    assert withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", model).code == 0
    assert {line["memory"]["store_id"] for line in results(tmp_path)} == {"mine.jsonl"}
    assert len(listed(tmp_path)) == 4
    withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", model, "--memory", "M0")
    assert {line["memory"]["mode"] for line in results(tmp_path)} == {"off"}


def test_a_dry_run_makes_no_store(tmp_path: Path) -> None:
    assert run(tmp_path, "M2", "--dry-run").code == 0
    assert not (tmp_path / ".withstood").exists()


def test_the_store_is_listed_and_shown(filled: Path) -> None:
    rows = listed(filled)
    assert [row["episode_id"] for row in rows] == [f"epi_{no:06}" for no in range(1, 5)]
    assert {(row["risk_type"], row["principle_id"]) for row in rows} == {("conflict", "EVIDENCE_NEEDED")}
    assert rows[0]["source"].endswith("#1")
    plain = withstood(filled, "memory", "list").out.decode().splitlines()
    assert [line.split()[0] for line in plain] == [row["episode_id"] for row in rows]
    (shown,) = withstood(filled, "memory", "show", "epi_000002", "--json").lines()
    assert shown == json.loads((filled / STORE).read_text().splitlines()[1])
    told = withstood(filled, "memory", "show", "epi_000002").out.decode()
    assert "correction.principle_id: EVIDENCE_NEEDED" in told
    assert "battery" not in told


def test_what_is_revoked_is_never_recalled(filled: Path) -> None:
    done = withstood(filled, "memory", "revoke", "epi_000002", "epi_000003", "--why", "=1+1\x1b[31m")
    assert (done.code, done.out.decode().splitlines()) == (0, ["epi_000002 revoked", "epi_000003 revoked"])
    (again,) = withstood(filled, "memory", "revoke", "epi_000002", "epi_000004", "--json").lines()
    assert again == {"revoked": ["epi_000004"], "revoked_before": ["epi_000002"]}
    assert [row["episode_type"] for row in listed(filled)] == ["success", *["revoked"] * 3]
    assert b"\x1b" not in withstood(filled, "memory", "list").out
    run(filled, "M1")
    assert [line["memory"]["retrieved_k"] for line in results(filled)] == [1, 0, 0, 0]
    exported = withstood(filled, "memory", "export")
    assert [line["episode_id"] for line in exported.lines()] == ["epi_000001"]


def test_an_export_is_a_store(filled: Path) -> None:
    done = withstood(filled, "memory", "export", "-o", "copy.jsonl")
    assert (done.code, done.out) == (0, b"")
    assert (filled / "copy.jsonl").read_bytes() == (filled / STORE).read_bytes()
    assert run(filled, "M1", "--memory-store", "copy.jsonl").code == 0
    assert withstood(filled, "memory", "export", "-o", "none/copy.jsonl").code == 73


@pytest.mark.parametrize(
    ("store", "code", "said"),
    [
        (None, 66, "let a run make one that also writes (--memory M2)"),
        ('{"schema_version":"0.9"}\n', 78, "line 1: an episode of version 0.9"),
        ('{"a":[[{"gold_label":"positive"}]]}\n', 66, "line 1: a[0][0].gold_label: wanted no such field in an episode"),
        ("{\n", 66, "line 1: the whole: wanted JSON"),
    ],
)
def test_a_store_that_cannot_be_taken(tmp_path: Path, store: str | None, code: int, said: str) -> None:
    if store is not None:
        (tmp_path / STORE).parent.mkdir()
        (tmp_path / STORE).write_text(store)
    for done in (run(tmp_path, "M1"), withstood(tmp_path, "memory", "list"), withstood(tmp_path, "memory", "export")):
        assert (done.code, done.out) == (code, b"")
        assert said in done.said
    assert not (tmp_path / "out").exists()


def test_a_command_that_is_not_right(filled: Path) -> None:
    for arguments, said in (
        (("memory", "show", "epi_000009"), "There is no episode epi_000009"),
        (("memory", "revoke", "epi_000001", "epi_000009"), "There is no episode epi_000009"),
        (("memory", "revoke"), "Missing argument"),
        (("sentiment", "in.csv", "--memory", "M9"), "memory.condition: wanted one of M0, M1, M2"),
    ):
        done = withstood(filled, *arguments)
        assert (done.code, said in done.said) == (2, True), done.said
    assert all(row["revoked"] is None for row in listed(filled))


def test_a_store_that_cannot_be_written_stops_the_run_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(tmp_path, "M2", "--memory-store", "file/memory.jsonl")
    assert done.code == 74
    assert "cannot be written" in done.said
