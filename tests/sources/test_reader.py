"""Parsers in processes of their own: what crashes, hangs or swells takes nothing with it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.sources.pdfs import pdf
from withstood.errors import CallFailed, MissingExtra
from withstood.sources import reader as rooms
from withstood.sources.reader import Reader

BAD = """
import os, signal, sys, time
from withstood.sources import reading

def crash(raw): os.kill(os.getpid(), signal.SIGSEGV)
def hang(raw): time.sleep(600)
def spin(raw):
    while True: pass
def swell(raw): return "", "a" * (8 << 30)
def talk(raw): return "", "a" * (1 << 30)
def leave(raw): os._exit(0)
def fail(raw): raise ValueError("not like\\nthis")
def write(raw):
    with open(sys.argv[1], "w") as stream: stream.write("x" * 100)
    return "", "written"
def shout(raw): print("2\\n{}"); return "", "quiet"
def halves(raw): return "\\ud800", "a\\0b\\udfff"
def good(raw): return "T", raw.decode()

readers = {name: one for name, one in globals().items() if callable(one)}
reading.serve(sys.stdin.buffer, sys.stdout.buffer, readers, reading.Bounds(seconds=1, memory=1 << 30))
"""


def asked(folder: Path, *kinds: str) -> list[dict[str, str]]:
    """One process, one document of each kind after the other."""
    said = b"".join(f"{kind} 4\n".encode() + b"text" for kind in kinds)
    command = [sys.executable, "-c", BAD, str(folder / "written")]
    done = subprocess.run(command, input=said, capture_output=True, timeout=60, check=True)
    found: list[dict[str, str]] = []
    rest = done.stdout
    while rest:
        length, _, rest = rest.partition(b"\n")
        found.append(json.loads(rest[: int(length)]))
        rest = rest[int(length) :]
    return found


def test_every_way_to_go_wrong_is_told_and_the_next_one_is_read(tmp_path: Path) -> None:
    kinds = ["crash", "spin", "hang", "swell", "leave", "fail", "write", "shout", "halves"]
    found = asked(tmp_path, *[name for kind in kinds for name in (kind, "good")])
    assert found[1::2] == [{"title": "T", "text": "text"}] * len(kinds)
    told = {kind: one.get("fault", "") for kind, one in zip(kinds, found[::2], strict=True)}
    assert told["crash"] == "its parser crashed with signal 11"
    assert told["spin"] == told["hang"] == "its parser did not end within 1 seconds"
    assert told["swell"] == "its parser wants more than 1024 MiB of memory"
    assert told["leave"]
    assert told["fail"] == "ValueError: not like this"
    assert "File too large" in told["write"]
    assert found[2 * kinds.index("shout")] == {"title": "", "text": "quiet"}
    assert found[2 * kinds.index("halves")] == {"title": "?", "text": "a b?"}


def test_a_text_has_an_end(tmp_path: Path) -> None:
    [found] = asked(tmp_path, "talk")
    assert "fault" in found or len(found["text"]) <= 2_000_000


def test_pages_and_pdfs_are_read_one_after_the_other() -> None:
    told = "검색 증강 생성은 문서를 먼저 찾고 그 내용으로 답한다. " * 8
    page = f"<html><head><title>제목</title></head><body><nav>차림표</nav><main><p>{told}</p></main></body></html>"
    with Reader("html", "pdf") as reader:
        for _ in range(3):
            title, text = reader.read("html", page.encode())
            assert (title, text) == ("제목", told.strip())
            assert reader.read("pdf", pdf("one line", title="P"))[1].split() == ["one", "line"]
        with pytest.raises(CallFailed, match="PDF cannot be read"):
            reader.read("pdf", b"%PDF-1.4 nothing of the kind")


@pytest.mark.parametrize(
    "page",
    [
        b"<div>" * 50_000 + b"deep words in here",
        b"<p>" + b"word " * 300_000,
        b"<table>" * 3_000 + b"x",
        b"&" * 100_000,
        b"\xff" * 999,
    ],
)
def test_odd_pages_are_read_or_told(page: bytes) -> None:
    with Reader("html") as reader:
        try:
            assert isinstance(reader.read("html", page)[1], str)
        except CallFailed as fault:
            assert "HTML cannot be read" in str(fault)
        assert reader.read("html", b"<p>still there</p>")[1] == "still there"


def test_a_reader_that_was_killed_starts_anew() -> None:
    with Reader("pdf") as reader:
        reader.read("pdf", pdf("one"))
        process = reader._process
        assert process is not None
        process.kill()
        process.wait()
        assert reader.read("pdf", pdf("two"))[1].strip() == "two"


def test_whoever_waits_for_a_document_is_let_go() -> None:
    reader = Reader()
    process = subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    reader._process = process
    failed: list[str] = []

    def wait() -> None:
        try:
            reader.read("pdf", b"%PDF-")
        except CallFailed as fault:
            failed.append(str(fault))

    waiting = threading.Thread(target=wait)
    waiting.start()
    while not reader._turn.locked():
        time.sleep(0.001)
    reader.close()
    waiting.join()
    assert "its reader ended" in failed[0]
    assert process.returncode is not None


def test_a_part_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rooms.PARTS, "pdf", ("no_such_part", "Reading PDF", "documents"))
    with pytest.raises(MissingExtra, match=r"withstood\[documents\]"):
        Reader("pdf").read("pdf", b"")
