"""Bundles hold what they were exported with, and nothing else passes for one."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli import shop
from tests.cli.commands import reviews, script, withstood
from withstood.errors import JournalDamaged, JournalError
from withstood.jobs import archive, bundle, verifying
from withstood.jobs.verifying import Verified
from withstood.journal.port import Record, link, seed

KEPT = sorted((Path(__file__).parent / "bundles").glob("*.zip"))
DAMAGES = 1000


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A review and an investigation, each as a bundle."""
    folder = shop.build(tmp_path_factory.mktemp("exported"))
    reviews(folder)
    calls = [
        ("sentiment", "in.csv", "-o", "out", "--run", "review", "--model", script(folder, "FLIP", "DROP")),
        ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "found", "--run", "inquiry"),
        ("export", "review", "-o", "review.zip"),
    ]
    for call in calls:
        done = withstood(folder, *call)
        assert done.code == 0, done.said
    done = withstood(folder, "export", "inquiry", "-o", "inquiry.zip", "--json")
    assert (done.code, json.loads(done.out)["file"]) == (0, "inquiry.zip")
    return {name: (folder / f"{name}.zip").read_bytes() for name in ("review", "inquiry")}


def verified(content: bytes, head: str | None = None) -> Verified:
    return asyncio.run(verifying.verified(content, "b.zip", head))


def test_what_was_exported_holds_anywhere(exported: dict[str, bytes], tmp_path: Path) -> None:
    review, inquiry = verified(exported["review"]), verified(exported["inquiry"])
    assert (review.rulings, review.unfounded) == (4, 0)
    assert inquiry.rulings == 1
    assert inquiry.quotes > 2 < inquiry.quotes + inquiry.texts
    (tmp_path / "b.zip").write_bytes(exported["inquiry"])
    done = withstood(tmp_path, "verify", "b.zip", "--head", inquiry.head)
    assert (done.code, f"Head: {inquiry.head}" in done.out.decode()) == (0, True), done.said
    assert list(tmp_path.iterdir()) == [tmp_path / "b.zip"]
    other = withstood(tmp_path, "verify", "b.zip", "--head", "0" * 64)
    assert (other.code, "wanted the head 000" in other.said) == (76, True)


def test_any_zip_program_opens_it(exported: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(exported["review"])) as opened:
        assert opened.testzip() is None
        names = [name for name in opened.namelist() if not name.startswith("prompts/")]
    assert names == ["manifest.json", "journal.jsonl", "rulebook.toml", "report.md", "report.html"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_runs_of_every_version_come_to_the_same_bytes(path: Path) -> None:
    """Bundles of released versions stay here for ever. Until a version is released, `python -m tests.jobs.keeping`
    makes its own anew."""
    found = asyncio.run(verifying.verified(path.read_bytes(), path.name, reports=False))
    assert found.rulings > 0


def test_there_are_runs_of_this_version() -> None:
    assert {path.stem.partition("-")[2] for path in KEPT} >= {"cr-v1", "cr-v2", "investigation"}


# --- damage ------------------------------------------------------------------------------------


def test_a_thousand_damaged_bundles_are_refused_with_the_place(exported: dict[str, bytes]) -> None:
    dice = random.Random(7)
    contents = list(exported.values())
    for no in range(DAMAGES):
        content = contents[no % len(contents)]
        damaged = DAMAGE[no % len(DAMAGE)](dice, bytearray(content))
        assert damaged != content
        with pytest.raises(JournalError) as met:
            verified(bytes(damaged))
        assert str(met.value).startswith("b.zip"), met.value


def _flip(dice: random.Random, content: bytearray) -> bytearray:
    content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    return content


def _cut(dice: random.Random, content: bytearray) -> bytearray:
    return content[: dice.randrange(len(content))]


def _grow(dice: random.Random, content: bytearray) -> bytearray:
    place = dice.randrange(len(content) + 1)
    return content[:place] + dice.randbytes(dice.randrange(1, 40)) + content[place:]


def _lose(dice: random.Random, content: bytearray) -> bytearray:
    place = dice.randrange(len(content) - 41)
    return content[:place] + content[place + dice.randrange(1, 40) :]


def _swap(dice: random.Random, content: bytearray) -> bytearray:
    """Two records of the journal in each other's place, in a container that is whole."""
    parts = archive.unpacked(bytes(content), "")
    lines = parts["journal.jsonl"].decode().splitlines(keepends=True)
    one, other = sorted(dice.sample(range(len(lines)), 2))
    lines[one], lines[other] = lines[other], lines[one]
    return bytearray(sealed({**parts, "journal.jsonl": "".join(lines).encode()}))


def _reword(dice: random.Random, content: bytearray) -> bytearray:
    """A word of a member changed, in a container and with a manifest that know of it."""
    parts = archive.unpacked(bytes(content), "")
    name = dice.choice([name for name in parts if name != "manifest.json"])
    part = bytearray(parts[name])
    place = dice.choice([no for no, sign in enumerate(part) if chr(sign).isalpha() and sign < 128])
    part[place] = ord("q") if part[place] != ord("q") else ord("z")
    return bytearray(sealed({**parts, name: bytes(part)}))


DAMAGE: tuple[Callable[[random.Random, bytearray], bytearray], ...] = (_flip, _flip, _cut, _grow, _lose, _swap, _reword)


def sealed(parts: Mapping[str, bytes], **changes: Any) -> bytes:
    """A container of these members, with a manifest that names them."""
    manifest = json.loads(parts["manifest.json"]) | changes
    others = {name: part for name, part in parts.items() if name != "manifest.json"}
    manifest["members"] = [
        {"name": name, "sha256": hashlib.sha256(part).hexdigest(), "size": len(part)} for name, part in others.items()
    ]
    return archive.packed({"manifest.json": json.dumps(manifest).encode(), **others})


def test_a_journal_forged_with_its_whole_chain_comes_to_another_ruling(exported: dict[str, bytes]) -> None:
    parts = archive.unpacked(exported["review"], "")
    run, hashed, lines = json.loads(parts["manifest.json"])["run"], "", list[str]()
    hashed = seed(run)
    for row in parts["journal.jsonl"].decode().splitlines():
        line = json.loads(row)
        if line["kind"] == "answer" and '"role":"A"' in line["body"]:
            line["body"] = line["body"].replace("FLIP", "KEEP")
        hashed = link(hashed, line["seq"], Record(line["kind"], line["item"], line["body"], line["key"]))
        lines.append(json.dumps(line | {"hash": hashed}, ensure_ascii=False) + "\n")
    forged = sealed({**parts, "journal.jsonl": "".join(lines).encode()}, head=hashed)
    with pytest.raises(JournalDamaged, match="item 'k1': wanted the ruling that its answers"):
        verified(forged)


def test_a_text_that_does_not_say_what_is_cited_is_refused(exported: dict[str, bytes]) -> None:
    parts = archive.unpacked(exported["inquiry"], "")
    name = next(name for name in parts if name.startswith("texts/"))
    with pytest.raises(JournalDamaged, match="wanted the text of that hash, found another"):
        verified(sealed({**parts, name: b"something else"}))
    without = {place: part for place, part in parts.items() if place != name}
    found = verified(sealed(without, missing=[name]))
    assert found.unfounded > 0
    assert any(name in note for note in found.notes)


def test_a_bundle_of_a_newer_version_is_named(exported: dict[str, bytes]) -> None:
    parts = archive.unpacked(exported["review"], "")
    with pytest.raises(JournalError, match="withstood bundle 9; this version of withstood reads a withstood bundle 1"):
        verified(sealed(parts, format="withstood bundle 9"))


# --- other archives ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../out.txt", "/etc/x", "a//b", "a/../b", "C:\\x", ".hidden", "a\x00b", "ä"])
def test_a_name_that_leads_elsewhere_is_refused(exported: dict[str, bytes], name: str) -> None:
    made = io.BytesIO(exported["review"])
    with zipfile.ZipFile(made, "a") as opened:
        opened.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(JournalDamaged, match="byte"):
        verified(made.getvalue())


def test_a_bomb_is_not_unpacked() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("manifest.json", b"0" * 10_000_000)
    with pytest.raises(JournalDamaged, match="packed in another way"):
        verified(made.getvalue())


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar", "w") as made:
        made.add(__file__, "manifest.json")
    for content in (b"", b"PK", (tmp_path / "b.tar").read_bytes(), archive.packed({}), archive.packed({"a": b""})):
        with pytest.raises(JournalDamaged):
            verified(content)
    done = withstood(tmp_path, "verify", "none.zip")
    assert (done.code, "cannot be read" in done.said) == (66, True)


@given(st.dictionaries(st.from_regex(archive.NAME, fullmatch=True).filter(lambda name: len(name) < 99), st.binary()))
def test_a_container_is_read_as_it_was_written(members: dict[str, bytes]) -> None:
    if members:
        assert archive.unpacked(archive.packed(members), "x") == members


def test_the_reports_are_those_of_the_journal(exported: dict[str, bytes]) -> None:
    parts = archive.unpacked(exported["review"], "")
    assert b"arbiter-v2" in parts["report.md"]
    with pytest.raises(JournalDamaged, match=r"report\.md: wanted the report of this journal, found another"):
        verified(sealed({**parts, "report.md": parts["report.md"] + b"and more\n"}))
    assert bundle.FORMAT in parts["manifest.json"].decode()
