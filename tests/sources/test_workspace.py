from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.sources.repositories import repository
from withstood.errors import InputError
from withstood.sources.workspace import opened

LOG = """\
2026-11-19 01:02:03 ERROR pay order 12 failed
Traceback (most recent call last):
  File "app/pay.py", line 2, in charge
TimeoutError: late
2026-11-19 01:02:09 ERROR pay order 13 failed
Traceback (most recent call last):
  File "app/pay.py", line 2, in charge
TimeoutError: late
2026-11-19 01:03:00 INFO pay order 14 done
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    files = {"app/pay.py": "def charge():\n    pass  # 환불\n", "notes.md": "token=ghp_" + "a1B2" * 9 + "\n"}
    top = repository(tmp_path / "made", (("first", files),))
    (top / "euckr.txt").write_bytes("결제 오류".encode("cp949"))
    (top / "data.bin").write_bytes(b"\0\1")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_text(LOG)
    (tmp_path / "logs" / "b.log.gz").write_bytes(gzip.compress(LOG.encode()))
    (tmp_path / "logs" / "c.bin").write_bytes(b"\0")
    return top


def test_files_texts_and_search(made: Path) -> None:
    with opened(made) as space:
        assert [file.path for file in space.files()] == ["app/pay.py", "data.bin", "euckr.txt", "notes.md"]
        text = space.text("app/pay.py")
        assert text is not None and text.lines == ("def charge():", "    pass  # 환불")
        assert space.text("data.bin") is None and space.text("none") is None and space.text("../x") is None
        korean, notes = space.text("euckr.txt"), space.text("notes.md")
        assert korean is not None and korean.lines == ("결제 오류",)
        assert notes is not None and "ghp_" not in notes.lines[0]
        assert [(hit.path, hit.line) for hit in space.search("환불|결제")] == [("app/pay.py", 2), ("euckr.txt", 1)]
        assert list(space.search("환불", under=["notes"])) == []


def test_the_first_reading_counts(made: Path) -> None:
    with opened(made) as space:
        before = space.text("app/pay.py")
        (made / "app/pay.py").write_text("changed\n")
        assert space.text("app/pay.py") == before


def test_logs_are_read_once_and_what_cannot_be_read_is_told(made: Path, tmp_path: Path) -> None:
    with opened(made, [tmp_path / "logs"]) as space:
        digest = space.digest()
        assert (digest.seen.count, digest.lines) == (6, 18)
        assert space.missing.keys() == {"logs/c.bin"}
        failed = digest.patterns["pay order <n> failed"]
        assert (failed.level, failed.seen.count, len(failed.minutes)) == ("error", 4, 1)
        (crash,) = digest.crashes.values()
        assert (crash.trace.kind, crash.seen.count, crash.seen.places[0].path) == ("TimeoutError", 4, "logs/a.log")
        assert space.log_lines("logs/b.log.gz", 4, 5) == tuple(LOG.splitlines()[3:5])
        assert space.log_lines("logs/none", 1, 2) is None
        assert space.digest() is digest


def test_one_source_missing_and_all_missing(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with opened(tmp_path / "plain") as space:
        assert "no git repository" in space.missing["history"]
    with pytest.raises(InputError, match="nothing to look at"), opened(None):
        pass
    with pytest.raises(InputError, match="There is no log"), opened(None, [tmp_path / "none.log"]):
        pass
