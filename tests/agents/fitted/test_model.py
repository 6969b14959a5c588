"""The file of a fitted reader: whole or refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agents.fitted import learned
from withstood.agents.fitted import model
from withstood.agents.fitted.features import EDITION
from withstood.errors import ConfigError


def put(folder: Path, change: Callable[[dict[str, Any]], object] = lambda value: None) -> Path:
    value = json.loads(model.written(learned.korean()))
    change(value)
    path = folder / "reader.json"
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def test_what_was_written_is_what_is_read(tmp_path: Path) -> None:
    for fit in (learned.korean(), learned.english()):
        path = tmp_path / "reader.json"
        path.write_text(model.written(fit), "utf-8")
        assert model.load(path) == fit


def weights(value: dict[str, Any]) -> dict[str, Any]:
    return value["parts"]["refs"]["weights"]


def first(value: dict[str, Any], found: Sequence[float]) -> None:
    weights(value)[next(iter(weights(value)))] = found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda value: value.update(format="other"), "wanted a fitted reader"),
        (lambda value: value.update(edition=99), f"wanted a reader of edition {EDITION}, found 99"),
        (lambda value: value.update(edition=None), f"wanted a reader of edition {EDITION}"),
        (lambda value: value.update(more=1), "more"),
        (lambda value: value.pop("parts"), "parts"),
        (lambda value: value["parts"].update(whole=None), "parts.whole"),
        (lambda value: value["parts"]["whole"].update(labels=[]), "parts.whole.labels"),
        (lambda value: value["parts"]["whole"].update(labels=["a", "a"]), "parts.whole.labels"),
        (lambda value: value["parts"]["whole"].update(transitions=[[0, 0]]), "parts.whole.transitions"),
        (lambda value: value["parts"]["refs"].update(bias=[1]), "parts.refs.bias"),
        (lambda value: first(value, []), "parts.refs.weights"),
        (lambda value: first(value, [1000, 5, 1]), "parts.refs.weights"),
        (lambda value: first(value, [1000, -1, 1]), "parts.refs.weights"),
        (lambda value: first(value, [1000, 0]), "parts.refs.weights"),
        (lambda value: first(value, [1000, 0, 10**12]), "parts.refs.weights"),
        (lambda value: first(value, [1000, 0, 0.5]), "parts.refs.weights"),
        (lambda value: first(value, [1000, 0, 7]), "the file is damaged"),
        (lambda value: value.update(sha256="0"), "the file is damaged"),
    ],
)
def test_a_file_that_is_not_whole_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(ConfigError, match=said) as fault:
        model.load(put(tmp_path, change))
    assert "Fit it again: withstood sentiment fit" in str(fault.value)


class _Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("trapped"),))


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"lCRF" + bytes(60), pickle.dumps(_Trap())]
)
def test_other_files_are_refused_and_nothing_in_them_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("reader.json").write_bytes(content)
    with pytest.raises(ConfigError, match=r"reader\.json: wanted"):
        model.load(Path("reader.json"))
    assert not Path("trapped").exists()


def test_a_file_that_is_not_there_or_a_folder_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ConfigError, match="Name the file that `sentiment fit` wrote"):
            model.load(path)


def test_a_file_beyond_the_bound_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "reader.json"
    with path.open("wb") as stream:
        stream.truncate(model.MOST_BYTES + 1)
    with pytest.raises(ConfigError, match="wanted at most 256 MiB"):
        model.load(path)
