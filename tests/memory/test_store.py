"""The store of episodes: what is kept, what is refused and where, and two writers at once."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchmarks.postgres_server import Server
from tests.rules.episodes import PLAIN, episode
from withstood import form
from withstood.claims.episode import Episode, Lesson, Snapshot, Snapshots
from withstood.errors import ConfigError, InputError, Misfit, StoreError, UsageError
from withstood.memory import opening
from withstood.memory import store as module
from withstood.memory.entries import Tombstone, line
from withstood.memory.postgres import PostgresEpisodes
from withstood.memory.store import EpisodeStore, New

ROOT = Path(__file__).parents[2]


def lesson(**changes: Any) -> Lesson:
    kept = episode(**changes)
    return Lesson(**{name: getattr(kept, name) for name in Lesson.__dataclass_fields__})


def news(*sources: str) -> list[New]:
    return [New(lesson(), source) for source in sources]


@pytest.fixture
def file_store(tmp_path: Path) -> EpisodeStore:
    return EpisodeStore(tmp_path / "deep" / "memory.jsonl")


@pytest.fixture(params=["file", "postgres"])
def store(request: pytest.FixtureRequest) -> EpisodeStore:
    if request.param == "file":
        return request.getfixturevalue("file_store")
    return opening.episodes(request.getfixturevalue("postgres").database())


def named(store: EpisodeStore) -> str:
    """What a user calls it."""
    return store.url if isinstance(store, PostgresEpisodes) else str(store.path)


def again(store: EpisodeStore) -> EpisodeStore:
    return opening.episodes(named(store))


def ids(store: EpisodeStore) -> list[str]:
    return [entry.episode_id for entry in again(store).contents().entries]


def write(store: EpisodeStore, *lines: str, end: str = "\n") -> None:
    store.path.parent.mkdir(parents=True, exist_ok=True)
    store.path.write_text("\n".join(lines) + end)


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(line(PLAIN)) | changes)


# --- what is kept ------------------------------------------------------------------------------


def test_numbers_rise_and_go_on_when_the_store_is_opened_again(store: EpisodeStore) -> None:
    store.add(news("a#1", "a#2"))
    again(store).add(news("b#1"))
    assert ids(store) == ["epi_000001", "epi_000002", "epi_000003"]
    (entry,) = [entry for entry in store.contents().entries if entry.episode_id == "epi_000003"]
    assert isinstance(entry, Episode)
    assert entry.provenance.created_from_split == "b#1"
    assert (entry.provenance.used_in_eval, entry.provenance.has_gold) == (False, False)
    assert entry.provenance.timestamp.endswith("Z")


def test_what_is_kept_is_read_again(file_store: EpisodeStore) -> None:
    told = lesson(final={"a": "positive"}, resolved=True, risk_type="L3")
    file_store.add([New(told, "a#1")])
    (kept,) = EpisodeStore(file_store.path).contents().episodes
    assert {name: getattr(kept, name) for name in Lesson.__dataclass_fields__} == {
        name: getattr(told, name) for name in Lesson.__dataclass_fields__
    }
    (text,) = file_store.path.read_text().splitlines()
    assert json.loads(text)["stage_snapshot"]["final"]["confidence"] == 0.5, "numbers, for other programs"


def test_a_source_is_kept_once(store: EpisodeStore) -> None:
    first = store.add(news("a#1", "a#2"))
    again = store.add(news("a#2", "a#3", "a#1"))
    assert [entry.episode_id for entry in again] == ["epi_000002", "epi_000003", "epi_000001"]
    assert again[2] == first[0]
    assert len(ids(store)) == 3


def test_the_oldest_go_and_no_number_comes_again(store: EpisodeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    for no in range(5):
        store.add(news(f"a#{no}"))
    assert ids(store) == ["epi_000003", "epi_000004", "epi_000005"]
    store.add(news(*(f"b#{no}" for no in range(9))))
    assert ids(store) == ["epi_000012", "epi_000013", "epi_000014"]


def test_five_thousand_lines_are_kept(file_store: EpisodeStore) -> None:
    write(file_store, *(line(episode(no)) for no in range(1, 5001)))
    file_store.add(news("a#1"))
    kept = file_store.path.read_text().splitlines()
    assert len(kept) == module.MOST == 5000
    assert ids(file_store)[0] == "epi_000002"
    assert ids(file_store)[-1] == "epi_005001"


# --- revoked -----------------------------------------------------------------------------------


def test_what_was_revoked_leaves_a_tombstone(file_store: EpisodeStore) -> None:
    file_store.add([New(lesson(final={"화면": "positive"}), f"a#{no}") for no in (1, 2, 3)])
    assert file_store.revoke(["epi_000002"], "asked to") == ("epi_000002",)
    assert ids(file_store) == ["epi_000001", "epi_000002", "epi_000003"]
    held = EpisodeStore(file_store.path).contents()
    tombstone = held.entries[1]
    assert isinstance(tombstone, Tombstone)
    assert (tombstone.revoked.why, tombstone.provenance.created_from_split) == ("asked to", "a#2")
    assert [one.episode_id for one in held.episodes] == ["epi_000001", "epi_000003"]
    assert "화면" not in file_store.path.read_text().splitlines()[1]
    assert file_store.revoke(["epi_000002"]) == ()


def test_what_was_revoked_is_not_written_again(store: EpisodeStore) -> None:
    store.add(news("a#1"))
    store.revoke(["epi_000001"])
    (entry,) = store.add(news("a#1"))
    assert isinstance(entry, Tombstone)
    assert ids(store) == ["epi_000001"]


def test_the_number_of_a_revoked_last_one_is_not_given_again(store: EpisodeStore) -> None:
    store.add(news("a#1"))
    store.revoke(["epi_000001"])
    store.add(news("a#2"))
    assert ids(store) == ["epi_000001", "epi_000002"]


def test_an_unknown_number_revokes_nothing(store: EpisodeStore) -> None:
    store.add(news("a#1"))
    with pytest.raises(UsageError, match="no episode epi_000009"):
        store.revoke(["epi_000001", "epi_000009"])
    assert len(store.contents().episodes) == 1


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (changed(schema_version="2.0"), ConfigError, "line 2: an episode of version 2.0"),
        (changed(schema_version=1.2), ConfigError, "line 2: an episode of version 1.2"),
        (changed(schema_version=None), ConfigError, "line 2: an episode of version null"),
        (changed(raw_text="x"), InputError, "line 2: raw_text: wanted no such field"),
        (changed(case_summary={"gold_label": "positive"}), InputError, "line 2: case_summary.gold_label: wanted no"),
        (changed(extra=[[{"cot": 0}]]), InputError, "line 2: extra[0][0].cot: wanted no such field"),
        (changed(episode_type="fine"), InputError, "line 2: episode_type: wanted one of success, harm, neutral"),
        (changed(episode_id="epi_1"), InputError, "line 2: episode_id: wanted text like epi_[0-9]{6,}, found epi_1"),
        (changed(error_category=[]), InputError, "line 2: error_category: wanted a length of 1 or more"),
        (changed(colour="red"), InputError, "line 2: colour: wanted one of the fields"),
        (changed(evaluation={}), InputError, "line 2: evaluation.risk_before: wanted this field"),
        ("{", InputError, "line 2: the whole: wanted JSON"),
        ("[]", InputError, "line 2: the whole: wanted an episode"),
        (changed(), InputError, "line 2: episode_id: wanted a number that stands once, found epi_000001 again"),
    ],
)
def test_a_line_that_cannot_be_taken_is_named(
    file_store: EpisodeStore, text: str, kind: type[Exception], said: str
) -> None:
    write(file_store, line(PLAIN), text)
    before = file_store.path.read_bytes()
    for act in (file_store.contents, lambda: file_store.add(news("a#1")), lambda: file_store.revoke(["epi_000001"])):
        with pytest.raises(kind) as caught:
            act()
        assert said in str(caught.value)
    assert file_store.path.read_bytes() == before


def test_forbidden_fields_that_carry_nothing_are_let_pass(file_store: EpisodeStore) -> None:
    empty = json.loads(line(PLAIN)) | {"raw_text": "", "gold": None}
    empty["case_summary"]["cot"] = None
    del empty["schema_version"]
    write(file_store, json.dumps(empty))
    assert file_store.contents().entries == (PLAIN,)


@pytest.mark.parametrize("name", ["gold", "raw_text"])
def test_a_forbidden_field_is_not_written(file_store: EpisodeStore, name: str) -> None:
    snapshot = Snapshot((name,), {name: "positive"})
    with pytest.raises(Misfit, match=f"stage_snapshot.final.polarities.{name}: wanted no such field"):
        file_store.add([New(lesson(stage_snapshot=Snapshots(Snapshot(), snapshot)), "a#1")])
    assert not file_store.path.exists()


def test_a_version_may_be_a_number(file_store: EpisodeStore) -> None:
    write(file_store, changed(schema_version=1.1))
    assert file_store.contents().entries == (PLAIN,)


def test_a_torn_last_line_is_left_out_and_reported(file_store: EpisodeStore) -> None:
    whole = line(PLAIN)
    for cut in (1, len(whole) // 2, len(whole) - 1):
        write(file_store, whole, line(episode(2))[:cut], end="")
        held = file_store.contents()
        assert held.entries == (PLAIN,)
        assert held.torn is not None
        assert "the last line (2) was torn" in held.torn
    file_store.add(news("a#1"))
    assert EpisodeStore(file_store.path).contents().torn is None
    assert len(ids(file_store)) == 2


def test_a_last_line_that_is_whole_needs_no_end(file_store: EpisodeStore) -> None:
    write(file_store, line(PLAIN), "", line(episode(2)), end="")
    assert ids(file_store) == ["epi_000001", "epi_000002"]
    assert file_store.contents().torn is None


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(InputError, match="The memory store"):
            EpisodeStore(path).contents()


# --- a world that fails ------------------------------------------------------------------------


@pytest.mark.parametrize("act", [EpisodeStore.prepare, lambda store: store.add(news("a#1"))])
def test_a_place_that_cannot_be_written(tmp_path: Path, act: Callable[[EpisodeStore], Any]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        act(EpisodeStore(tmp_path / "file" / "memory.jsonl"))


def test_a_full_disk_leaves_the_store_as_it_was(file_store: EpisodeStore) -> None:
    """A child that may write no file longer than what stands there already."""
    file_store.add(news("a#1"))
    before = file_store.path.read_bytes()
    code = f"import sys; from tests.memory.writer import add; add({str(file_store.path)!r}, 'b')"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, len(before) + 10))

    done = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=ROOT, preexec_fn=limited, capture_output=True, text=True, timeout=60
    )
    assert "cannot be written" in done.stdout, done.stderr
    assert file_store.path.read_bytes() == before
    assert sorted(path.name for path in file_store.path.parent.iterdir()) == ["memory.jsonl", "memory.jsonl.lock"]


def test_two_processes_never_give_a_number_twice(store: EpisodeStore) -> None:
    def child(name: str) -> subprocess.CompletedProcess[str]:
        code = f"from tests.memory.writer import add\nfor no in range(10): add({named(store)!r}, f'{name}{{no}}')"
        return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)

    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(child, "ab"))
    assert [end.stdout for end in ends] == ["", ""], [end.stderr for end in ends]
    assert ids(store) == [f"epi_{no:06}" for no in range(1, 21)]


def test_a_writer_does_not_wait_for_ever(file_store: EpisodeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    file_store.add(news("a#1"))
    monkeypatch.setattr(module, "PATIENCE", 0)
    with file_store._alone():  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(StoreError, match="written by another process"):
            EpisodeStore(file_store.path).add(news("a#2"))
        assert len(EpisodeStore(file_store.path).contents().entries) == 1, "readers never wait"


def test_a_change_by_another_is_seen(store: EpisodeStore) -> None:
    store.add(news("a#1"))
    other = again(store)
    assert len(other.contents().entries) == 1
    store.add(news("a#2"))
    assert len(other.contents().entries) == 2


def test_every_line_is_the_published_form(file_store: EpisodeStore) -> None:
    file_store.add([New(lesson(final={"a": "positive"}), "a#1")])
    value = form.loads(file_store.path.read_text().strip())
    assert isinstance(value, dict)
    assert value["schema_version"] == "1.1"
    assert isinstance(form.read(Episode, value), Episode)


def test_a_database_that_is_not_reached() -> None:
    with pytest.raises(StoreError, match="1/nothing cannot be used") as fault:
        opening.episodes("postgresql://user:geheim@127.0.0.1:1/nothing").add(news("a#1"))
    assert "geheim" not in str(fault.value)


def test_what_cannot_be_kept_leaves_a_database_as_it_was(postgres: Server) -> None:
    url = postgres.database()
    opening.episodes(url).add(news("a#1"))
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("ALTER TABLE withstood.episode ADD CHECK (no < 1)")
    with pytest.raises(StoreError, match="cannot be used"):
        opening.episodes(url).add(news("b#1"))
    assert ids(opening.episodes(url)) == ["epi_000001"]


def test_a_database_waits_for_its_writer_and_not_for_ever(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opening.episodes(postgres.database())
    store.add(news("a#1"))
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with store._alone():  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(StoreError, match="written by another process"):
            again(store).add(news("a#2"))
        assert len(again(store).contents().entries) == 1, "readers never wait"
