"""What a user can get wrong, and what the world can: a clear message, the documented exit code, nothing lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import command, environment, results, reviews, withstood
from tests.conftest import Serve
from withstood.errors import EXIT_CODES

GOOD = "id,text\na,The screen is bright\nb,The battery is weak\n"
HEADER = b"id,text\n"

# the file, further arguments, the exit code, and words that must be said
REFUSED: dict[str, tuple[bytes | None, tuple[str, ...], int, tuple[str, ...]]] = {
    "no file": (None, (), 66, ("in.csv",)),
    "empty file": (b"", (), 66, ("in.csv", "empty")),
    "only a header": (HEADER, (), 66, ("in.csv", "no rows")),
    "no such column": (b"id,review\na,good\n", (), 66, ("text", "--text-column", "review")),
    "no such named column": (GOOD.encode(), ("--text-column", "body"), 66, ("body",)),
    "unknown encoding": (GOOD.encode(), ("--encoding", "utf-99"), 66, ("utf-99",)),
    "wrong encoding": (
        HEADER + "a,좋아요\n".encode("cp949"),
        ("--encoding", "utf-8"),
        66,
        ("UTF-8", "--encoding", "line 2"),
    ),
    "unknown format": (GOOD.encode(), ("--format", "docx"), 66, ("docx",)),
    "unknown protocol": (GOOD.encode(), ("--protocol", "cr-v9"), 2, ("cr-v9", "cr-v2")),
    "unknown rulebook": (GOOD.encode(), ("--rules", "lenient"), 2, ("lenient", "published")),
    "unknown edition": (GOOD.encode(), ("--set", "arbiter.edition=v9"), 2, ("arbiter.edition", "v9")),
    "unknown setting": (GOOD.encode(), ("--set", "arbiter.mood=good"), 2, ("mood",)),
    "unknown role": (GOOD.encode(), ("--model", "D=programmed"), 78, ("'D'", "P-NEG")),
    "unknown provider": (GOOD.encode(), ("--model", "nobody:x"), 78, ("nobody", "ollama")),
    "unknown taxonomy": (GOOD.encode(), ("--taxonomy", "nowhere"), 78, ("nowhere",)),
    "missing key": (GOOD.encode(), ("--model", "openai:some-model"), 77, ("OPENAI_API_KEY",)),
    "missing script": (GOOD.encode(), ("--model", "scripted:none.jsonl"), 66, ("none.jsonl",)),
    "limit that is no number": (GOOD.encode(), ("--most-calls", "many"), 2, ("calls", "many")),
    "limit below zero": (GOOD.encode(), ("--in-flight", "0"), 2, ("in_flight", "0")),
    "setting without value": (GOOD.encode(), ("--set", "arbiter"), 2, ("name=value",)),
    "money without a price": (
        *(GOOD.encode(), ("--model", "claude-like=http://example.invalid/v1#m", "--most-money", "1"), 78),
        ("role",),
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_before_anything_starts(tmp_path: Path, kind: str) -> None:
    content, arguments, code, words = REFUSED[kind]
    if content is not None:
        reviews(tmp_path, content)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", *arguments)
    assert done.code == code, done.said
    assert code in dict(EXIT_CODES)
    for word in words:
        assert word in done.said
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / ".withstood").exists()


BAD_ROWS: dict[str, tuple[bytes, str, str]] = {
    "a line of 5 MB": (b"c," + b"x" * 5_000_000, "too_long", "longer"),
    "an id that was there": (b"a,another text", "duplicate_id", "id of its own"),
    "no text": (b"c,", "empty_text", "found nothing"),
    "a column too many": (b"c,one,two", "too_many_columns", "quotes"),
    "a NUL": (b"c,one\0two", "nul", "NUL"),
}


@pytest.mark.parametrize("kind", BAD_ROWS)
def test_one_bad_row_stops_no_other(tmp_path: Path, kind: str) -> None:
    row, code, words = BAD_ROWS[kind]
    reviews(tmp_path, HEADER + b"a,The screen is bright\n" + row + b"\nb,The battery is weak\n")
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine")
    assert done.code == 65, done.said
    assert "at its place, with the reason" in done.said
    one, bad, two = results(tmp_path)
    assert (one["label"], two["label"]) == ("positive", "negative")
    assert (bad["line"], bad["error"]["code"]) == (3, code)
    assert words in bad["error"]["message"]
    assert withstood(tmp_path, "replay", "mine").out == (tmp_path / "out" / "results.jsonl").read_bytes()
    assert withstood(tmp_path, "explain", "mine", "#2").code in (0, 65)


def test_a_review_in_a_third_language_is_not_guessed_at(tmp_path: Path) -> None:
    reviews(tmp_path, HEADER + "a,The screen is bright\nb,画面はとても明るいです\nc,El servicio es muy malo\n".encode())
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out")
    assert done.code in (0, 65), done.said
    one, two, three = results(tmp_path)
    assert one["label"] == "positive"
    for line in (two, three):
        assert line["label"] is None
        assert line["skipped"]
    assert "absent" in done.said


# --- models that do not do their part ----------------------------------------------------------


def at(stub: Any) -> str:
    return f"{stub.openai}#stub"


def test_a_refused_key_parks_and_the_run_goes_on(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, GOOD)
    refusing, good = serve("--fault", "401=1"), serve()
    variables = {"STUB_KEY": "sk-secret-of-the-test"}
    endpoint = '[endpoints.stub]\nkind = "openai"\nurl = "{}"\nkey_env = "STUB_KEY"\n'
    (tmp_path / "withstood.toml").write_text(endpoint.format(refusing.openai))
    arguments = ("sentiment", "in.csv", "-o", "out", "--model", "stub:stub")
    done = withstood(tmp_path, *arguments, variables=variables)
    assert done.code == 77, done.said
    assert "STUB_KEY" in done.said
    assert "sk-secret" not in done.said
    (tmp_path / "withstood.toml").write_text(endpoint.format(good.openai))
    assert withstood(tmp_path, *arguments, "--resume", variables=variables).code == 0
    assert len(results(tmp_path)) == 2


def test_a_model_that_answers_prose_is_absent(tmp_path: Path, serve: Serve) -> None:
    stub = serve("--fault", "prose=1")
    reviews(tmp_path, GOOD)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", f"P-NEG={at(stub)}")
    assert done.code == 0, done.said
    for line in results(tmp_path):
        assert line["skipped"][0]["role"] == "P-NEG"
        assert "unreadable answer" in line["skipped"][0]["why"]
    assert [line["label"] for line in results(tmp_path)] == ["positive", "negative"]
    assert stub.bill()["requests"] == 4  # the question and one repair, for each text


def test_one_text_that_a_model_will_not_take_stops_no_other(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, GOOD + "c,Not this one [[stub:400]]\nd,The staff was rude\n")
    stub = serve()
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", at(stub))
    assert done.code == 0, done.said
    lines = results(tmp_path)
    assert [line["id"] for line in lines] == ["a", "b", "c", "d"]
    assert [line["label"] is None for line in lines] == [False, False, True, False]
    assert "answered 400" in lines[2]["skipped"][0]["why"]


def test_a_model_that_is_not_there_parks(tmp_path: Path) -> None:
    reviews(tmp_path, GOOD)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--model", "http://127.0.0.1:9/v1#nobody")
    assert done.code == 69, done.said
    assert "127.0.0.1:9" in done.said
    assert "--resume" in done.said


def test_an_empty_quota_parks(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, GOOD)
    done = withstood(tmp_path, "sentiment", "in.csv", "--model", at(serve("--fault", "quota=1")))
    assert done.code == 69, done.said
    assert "quota" in done.said


def test_usage_that_makes_no_sense_is_booked_at_its_most(tmp_path: Path, serve: Serve) -> None:
    reviews(tmp_path, GOOD)
    model = at(serve("--fault", "usage=1"))
    (told,) = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--json", "--model", model).lines()
    assert told["spent"]["calls"] >= 6
    assert told["spent"]["tokens_in"] > 1000
    assert told["spent"]["tokens_out"] > 1000


# --- no room, no right -------------------------------------------------------------------------


def test_an_output_folder_that_cannot_be_written(tmp_path: Path) -> None:
    reviews(tmp_path)
    (tmp_path / "file").write_text("here first")
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "file/out")
    assert done.code == 73, done.said
    assert "file/out" in done.said
    assert not (tmp_path / ".withstood").exists()


def test_standard_output_without_room_loses_nothing(tmp_path: Path) -> None:
    reviews(tmp_path)
    whole = withstood(tmp_path, "sentiment", "in.csv", "--store", "other.db")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("sentiment", "in.csv"), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, env=environment()
        )
    assert done.returncode == 73
    assert b"standard output" in done.stderr
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr
    again = withstood(tmp_path, "sentiment", "in.csv", "--resume")
    assert (again.code, again.out) == (0, whole.out)


@pytest.mark.parametrize("arguments", [("runs",), ("show", "mine"), ("explain", "mine", "e1"), ("replay", "mine")])
def test_any_command_says_that_its_output_has_no_room(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command(*arguments), cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, env=environment())
    assert done.returncode == 73
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def with_room(folder: Path, room: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """No file may grow past so many bytes; half a module is not left in the cache."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))

    given = environment(PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(
        command(*arguments), cwd=folder, capture_output=True, env=given, preexec_fn=limited, timeout=60
    )


@pytest.mark.parametrize("room", [1000, 30_000, 45_000, 90_000])
def test_a_full_disk_parks_and_nothing_is_lost(tmp_path: Path, room: int) -> None:
    """Where the room ends: in the first page of the store, in the journal, in the results, in the report."""
    rows = "id,text\n" + "".join(f"r{no},The screen is bright but the battery is weak\n" for no in range(40))
    reviews(tmp_path, rows)
    whole = withstood(tmp_path, "sentiment", "in.csv", "--store", "other/journal.db")
    done = with_room(tmp_path, room, "sentiment", "in.csv", "-o", "out")
    assert done.returncode in (73, 74), done.stderr
    assert b"Traceback" not in done.stderr
    assert not (tmp_path / "out" / "results.jsonl").exists() or len(results(tmp_path)) <= 40
    began = withstood(tmp_path, "runs", "--json").lines()
    again = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", *(["--resume"] if began else []))
    assert again.code == 0, again.said
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == whole.out


def test_an_output_that_fails_at_the_very_end_can_be_gone_on_with(tmp_path: Path) -> None:
    """The report cannot take its place: the run says so, and --resume finds it again."""
    reviews(tmp_path)
    (tmp_path / "out" / "report.html").mkdir(parents=True)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out")
    assert done.code == 73, done.said
    (tmp_path / "out" / "report.html").rmdir()
    assert withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--resume").code == 0
    assert len(results(tmp_path)) == 4


def test_a_store_that_is_something_else(tmp_path: Path) -> None:
    reviews(tmp_path)
    done = withstood(tmp_path, "sentiment", "in.csv", "--store", "in.csv")
    assert done.code == 76
    assert "in.csv is no journal" in done.said
    assert (tmp_path / "in.csv").read_text().startswith("id,text")


def test_every_exit_code_is_documented_once() -> None:
    codes = [code for code, _ in EXIT_CODES]
    assert codes == sorted(set(codes))


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    reviews(tmp_path)
    withstood(tmp_path, "sentiment", "in.csv", "--run", "mine")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command("runs"), cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, env=environment())
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_config_that_is_wrong_is_named(tmp_path: Path) -> None:
    reviews(tmp_path)
    for text in ("[limits]\ncalls = 'many'", "nonsense = 1", "= ="):
        (tmp_path / "withstood.toml").write_text(text)
        done = withstood(tmp_path, "sentiment", "in.csv")
        assert done.code == 78
        assert "withstood.toml" in done.said


def test_rows_of_json_that_are_broken(tmp_path: Path) -> None:
    rows = [json.dumps({"id": "a", "text": "The screen is bright"}), '{"id": "b", "text"', '{"id": "c", "text": 5}']
    reviews(tmp_path, "\n".join(rows), "in.jsonl")
    done = withstood(tmp_path, "sentiment", "in.jsonl", "-o", "out")
    assert done.code == 65
    assert [line.get("error", {}).get("code") for line in results(tmp_path)] == [
        *(None, "broken_json", "text_not_text"),
    ]
