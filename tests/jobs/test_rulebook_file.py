"""Rulebooks as files: what is written is read again, what is wrong is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.errors import ConfigError
from withstood.jobs import books, rulebook_file
from withstood.rules.rulebook import PRESETS

CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "arbiter": st.sampled_from(["v1", "v2"]),
        "review.scope": st.sampled_from(["flagged", "any"]),
        "mass.factor": st.decimals("0", "9", places=3).map(str),
        "strength.per_support": st.decimals("0", "1", places=4).map(str),
    },
)


@given(preset=st.sampled_from(sorted(PRESETS)), changes=CHANGES)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, preset: str, changes: dict[str, str]
) -> None:
    book = PRESETS[preset].adjusted(changes)
    text = rulebook_file.written(book, "a story about # it")
    path = tmp_path_factory.getbasetemp() / "one.toml"
    path.write_text(text)
    assert books.book(str(path), {"arbiter.edition": "v1"}, {}) == book
    assert f'hash = "{book.hash}"' in text


def test_what_a_file_leaves_out_is_as_the_protocol_sets_it(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text('preset = "strict"\n[mass]\nfactor = 3\n')
    found = books.book(str(tmp_path / "some.toml"), {"arbiter.edition": "v1"}, {"mass.gap": "5"})
    assert found == PRESETS["strict"].adjusted({"arbiter": "v1", "mass.factor": "3", "mass.gap": "5"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('preset = "lenient"', "preset: wanted one of published, strict, found lenient"),
        ("[arbitr]\nedition = 'v2'", "arbitr: wanted one of the sections"),
        ("[arbiter]\nrow9 = 'off'", "arbiter.row9: wanted one of the settings arbiter.edition, arbiter.reason_gate"),
        ("[mass]\nfactor = 'much'", "mass.factor: wanted a number, found much"),
        ("[mass]\nfactor = true", "mass.factor: wanted a number or a word, found true"),
        ("[mass]\nfactor = nan", "mass.factor"),
        ("[arbiter]\nedition = 'v9'", "arbiter.edition: wanted one of v1, v2"),
        ("mass = 3", "mass: wanted a section with settings, found 3"),
        ("preset = ", "is not TOML"),
        ("hash = 'abc'\n[mass]\nfactor = 3", "the file was changed"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(ConfigError, match="The rulebook") as met:
        books.book(str(tmp_path / "wrong.toml"), {}, {})
    assert said in str(met.value)


def test_a_file_that_was_changed_by_hand_says_so(tmp_path: Path) -> None:
    text = rulebook_file.written(PRESETS["published"]).replace('factor = "2"', 'factor = "3"')
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(ConfigError, match="the file was changed"):
        books.book(str(tmp_path / "one.toml"), {}, {})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        books.book(str(tmp_path / "none.toml"), {}, {})
