"""Sources that want to harm their reader, before the whole panel: nothing hangs, fills the memory, or gives a secret
away."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from tests.sources.repositories import git, repository
from tests.stories.trial import ran
from withstood.sources import logs
from withstood.sources.workspace import opened

SECRETS = ("ghp_" + "a1B2" * 9, "AKIA" + "ABCD1234" * 2, "correct-horse-9")
CODE = f'''
"""Pay."""

TOKEN = "{SECRETS[0]}"
STORE = "postgres://pay:{SECRETS[2]}@db.example/pay"


def pay(order):
    return order["total"]
'''
LOG = f"""\
2026-03-15T10:00:00Z ERROR app.pay: paying failed with key {SECRETS[1]}
Traceback (most recent call last):
  File "/srv/app/pay.py", line 9, in pay
    return order["total"]
KeyError: 'total'
2026-03-15T10:00:01Z INFO app.pay: postgres://pay:{SECRETS[2]}@db.example/pay is up
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return repository(tmp_path / "made", (("pay", {"pay.py": CODE}), (f"rotate {SECRETS[0]}", {"b.py": "x = 1\n"})))


def test_no_secret_reaches_a_brief_an_answer_or_the_report(made: Path, tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text(LOG)
    with opened(made, [tmp_path / "app.log"]) as space:
        report, record = ran(space, "Why does paying fail with a KeyError for the total?")
        told = json.dumps([report, record], ensure_ascii=False)
        kept = [
            *(text.lines for file in space.files() if (text := space.text(file.path))),
            *map(repr, [space.digest()]),
        ]
    assert report["findings"] and "█" in str(kept)
    for secret in SECRETS:
        assert secret not in told and secret not in str(kept)


def test_pipes_devices_links_and_holes_do_not_stop_it(made: Path, tmp_path: Path) -> None:
    (tmp_path / "private.py").write_text("plan = 'the total plan'\n")
    (made / "link.py").symlink_to(tmp_path / "private.py")
    (made / "up").symlink_to(tmp_path)
    (made / "zero").symlink_to("/dev/zero")
    os.mkfifo(made / "pipe.py")
    (made / "loop").symlink_to(made)
    for path in (made / "hole.py", made / "nul.py"):
        path.write_bytes(b"total = 0\n\0\0")
    os.truncate(made / "hole.py", 2 << 30)
    folder = tmp_path / "logs"
    folder.mkdir()
    os.mkfifo(folder / "pipe.log")
    (folder / "link.log").symlink_to(tmp_path / "private.py")
    (folder / "app.log").write_text(LOG)
    (folder / "hole.log").write_bytes(b"")
    os.truncate(folder / "hole.log", 2 << 30)
    with opened(made, [folder]) as space:
        report, record = ran(space, "Why does paying fail with a KeyError for the total?")
        assert "hole.log" in str(space.missing)
    assert [one["evidence"][0]["path"] for one in report["findings"]][:1] == ["pay.py"]
    assert "the total plan" not in json.dumps([report, record])


def test_a_submodule_is_not_entered(made: Path, tmp_path: Path) -> None:
    other = repository(tmp_path / "other", (("private", {"plan.py": "total = 'the plan'\n"}),))
    git(made, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendor")
    git(made, "commit", "-q", "-m", "vendor")
    (tmp_path / "app.log").write_text(LOG)
    with opened(made, [tmp_path / "app.log"]) as space:
        report, _ = ran(space, "Why does paying fail with a KeyError for the total?")
        assert space.git is not None
    assert report["findings"]


def test_a_bomb_of_a_log_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LEAST_BOMB", 1 << 18)
    monkeypatch.setattr(logs, "EVERY", 1 << 16)
    (tmp_path / "bomb.log.gz").write_bytes(gzip.compress(b"a" * (16 << 20)))
    (tmp_path / "lines.log.gz").write_bytes(gzip.compress(b"a\n" * (1 << 20)))
    (tmp_path / "app.log").write_text(LOG)
    with opened(None, [tmp_path]) as space:
        digest = space.digest()
        assert all("times its size" in why for why in space.missing.values()) and len(space.missing) == 2
    assert any("KeyError" in str(crash) for crash in digest.crashes)


def test_a_line_of_a_million_signs_and_very_many_lines_take_little_memory(tmp_path: Path) -> None:
    with (tmp_path / "app.log").open("w") as out:
        out.write("2026-03-15T10:00:00Z INFO " + "x" * 1_000_000 + "\n")
        out.writelines(
            f"2026-03-15T10:00:01Z INFO app: row {no} of user{no % 7} took {no % 90} ms\n" for no in range(4_000)
        )
    with opened(None, [tmp_path]) as space:
        tracemalloc.start()
        digest = space.digest()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert digest.seen.count == 4_001
    assert most < 12 << 20
