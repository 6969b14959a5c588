"""`withstood doctor` about the sources of a research: what is there, what is missing, what answers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import withstood
from tests.town.served import served


def findings(folder: Path, *options: str, **variables: str) -> dict[str, tuple[bool | None, str]]:
    done = withstood(folder, "doctor", "--json", *options, variables=variables)
    told = [json.loads(line) for line in done.out.splitlines()]
    return {one["what"]: (one["ok"], one["told"]) for one in told}


def test_each_provider_says_what_it_needs(tmp_path: Path) -> None:
    found = findings(tmp_path, BRAVE_API_KEY="k-0123456789")
    assert found["search with brave"] == (True, "ready (not called; --live does)")
    assert found["search with tavily"] == (None, "set TAVILY_API_KEY in the environment")
    assert found["search with searxng"][0] is None
    assert "k-0123456789" not in str(found)
    assert withstood(tmp_path, "doctor").code == 0


def test_one_that_is_named_and_lacks_something_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "withstood.toml").write_text('[web]\nproviders = ["exa"]\n')
    assert findings(tmp_path)["search with exa"] == (False, "set EXA_API_KEY in the environment")
    assert withstood(tmp_path, "doctor").code == 78


def test_live_asks_it(tmp_path: Path) -> None:
    with served() as town:
        told = f'[web]\nproviders = ["searxng"]\nsearxng = "http://127.0.0.1:{town.port}"\n'
        (tmp_path / "withstood.toml").write_text(told)
        assert findings(tmp_path, "--live")["search with searxng"] == (True, "answered with 0 addresses")
        town.down = 429
        ok, said = findings(tmp_path, "--live")["search with searxng"]
        assert ok is False
        assert "limited (status 429)" in said
    ok, said = findings(tmp_path, "--live")["search with searxng"]
    assert ok is False
    assert "cannot be reached" in said


def test_a_fitted_reader_is_looked_at(tmp_path: Path) -> None:
    rows = ["the food was good ####[([1], [3], 'POS')]", "the bread was bad ####[([1], [3], 'NEG')]"] * 5
    (tmp_path / "rows.txt").write_text("\n".join(rows) + "\n")
    assert withstood(tmp_path, "sentiment", "fit", "rows.txt", "-o", "mine.json", "--folds", "0").code == 0
    (tmp_path / "withstood.toml").write_text('[models]\ndefault = "fitted:mine.json"\n')
    assert findings(tmp_path)["model for default"] == (
        True,
        "fitted:mine.json: a reader fitted on 10 texts of rows.txt",
    )
    (tmp_path / "mine.json").write_text("{}")
    ok, said = findings(tmp_path)["model for default"]
    assert ok is False
    assert "mine.json: wanted a fitted reader" in said
    assert withstood(tmp_path, "doctor").code == 78
