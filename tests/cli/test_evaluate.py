"""`withstood evaluate` from outside: scripted answers whose figures can be counted on one hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Ended, reviews, script, withstood

TEXTS = """id,text
a,The battery is good but the battery is bad
b,The battery is bad
c,The battery is good
"""


def xml(*sentences: tuple[str, str, str]) -> str:
    """id, text, and `term polarity begin` of its one label."""
    parts: list[str] = []
    for case, text, label in sentences:
        term, polarity, begin = label.split()
        place = f'from="{begin}" to="{int(begin) + len(term)}"'
        inside = f'<aspectTerms><aspectTerm term="{term}" polarity="{polarity}" {place}/></aspectTerms>'
        parts.append(f'<sentence id="{case}"><text>{text}</text>{inside}</sentence>')
    return f"<sentences>{''.join(parts)}</sentences>"


GOLD = xml(
    ("a", "The battery is good but the battery is bad", "battery negative 28"),
    ("b", "The battery is bad", "battery negative 4"),
    ("c", "The battery is good", "battery positive 4"),
)


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """Two readers that disagree on every text; A and B drop the positive one, C keeps it."""
    reviews(tmp_path, TEXTS)
    (tmp_path / "gold.xml").write_text(GOLD)
    done = withstood(tmp_path, "sentiment", "in.csv", "-o", "out", "--run", "mine", "--model", script(tmp_path))
    assert done.code == 0, done.said
    return tmp_path


def evaluated(folder: Path, *arguments: str) -> tuple[Ended, Any]:
    done = withstood(folder, "evaluate", *arguments, "--json")
    return done, json.loads(done.out) if done.out else None


def figure(told: Any, measure: str, of: str = "final", on: str = "all") -> Any:
    (found,) = [one for one in told["figures"] if (one["measure"], one["of"], one["on"]) == (measure, of, on)]
    return found["value"]


def test_figures_are_those_that_can_be_counted(decided: Path) -> None:
    done, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert done.code == 0, done.said
    assert (told["samples"], told["primary"]) == (3, "ote-pol")
    assert figure(told, "ote-pol micro") == pytest.approx(2 / 3, abs=1e-6)
    assert figure(told, "ote-pol precision", "stage 1") == 0.5
    assert figure(told, "ote-pol recall", "stage 1") == 1
    assert figure(told, "ote-pol micro", "P-NEG") == pytest.approx(2 / 3, abs=1e-6)
    assert figure(told, "ote-pol micro", "P-IMP") == pytest.approx(1 / 3, abs=1e-6)
    assert figure(told, "ote-pol micro", "majority of readers") == 0
    assert [figure(told, fate) for fate in ("fix", "break", "still", "keep")] == [2, 0, 1, 0]
    assert figure(told, "net gain") == pytest.approx(2 / 3, abs=1e-6)
    assert figure(told, "CDA") == pytest.approx(2 / 3, abs=1e-6)
    assert figure(told, "polarity accuracy", "constant polarity") == pytest.approx(2 / 3, abs=1e-6)
    assert told["constant"] == {"ref": "", "ref_polarity": "", "polarity": "negative"}


def test_the_ballots_are_read_from_the_journal(decided: Path) -> None:
    """On t0 all keep; on t1 two drop and one keeps."""
    _, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert figure(told, "perfect (process)") == figure(told, "majority (process)") == 0.5
    assert figure(told, "AAR") == 1
    assert figure(told, "cohen (process)") == pytest.approx(1 / 3, abs=1e-6)
    assert figure(told, "review action rate") == 1
    assert figure(told, "arbiter change rate") == 1
    assert figure(told, "polarity conflict rate", "stage 1") == 1
    assert figure(told, "polarity conflict rate") == 0


def test_results_of_a_file_are_measured_alike(decided: Path) -> None:
    _, of_run = evaluated(decided, "mine", "--gold", "gold.xml")
    done, of_file = evaluated(decided, "out/results.jsonl", "--gold", "gold.xml")
    assert (done.code, done.said) == (0, "")
    for measure in ("ote-pol micro", "ote-pol macro", "net gain", "arbiter change rate", "polarity accuracy"):
        assert figure(of_file, measure) == figure(of_run, measure)
    assert figure(of_file, "AAR") is None
    assert evaluated(decided, "out", "--gold", "gold.xml")[1]["figures"] == of_file["figures"]


def test_without_gold_what_needs_none_is_told(decided: Path) -> None:
    done, told = evaluated(decided, "mine")
    assert done.code == 0
    assert (told["gold"], told["primary"]) == (None, None)
    assert figure(told, "AAR") == 1
    assert not [one for one in told["figures"] if "pol micro" in one["measure"]]
    assert b"Agreement of the reviewers" in withstood(decided, "evaluate", "mine").out


def test_two_runs_are_compared_in_pairs(decided: Path) -> None:
    other = ("sentiment", "in.csv", "--run", "other", "--model", script(decided, "KEEP", "KEEP"), "-o", "out2")
    assert withstood(decided, *other).code == 0
    done, told = evaluated(decided, "mine", "--gold", "gold.xml", "--against", "other")
    assert done.code == 0, done.said
    (gap,) = [one for one in told["differences"] if (one["measure"], one["against"]) == ("ote-pol micro", "other")]
    assert gap["value"] == pytest.approx(2 / 3 - 2 / 3, abs=1e-6)
    assert gap["low"] <= gap["value"] <= gap["high"]
    assert figure(told, "ote-pol precision", "other") == 0.5


def test_a_page_and_data_are_left(decided: Path) -> None:
    done = withstood(decided, "evaluate", "mine", "--gold", "gold.xml", "-o", "figures", "--sanity")
    assert done.code == 0, done.said
    assert "sanity: gold against gold is 1" in done.said
    assert "F1 (micro)" in done.out.decode()
    page = (decided / "figures" / "evaluation.html").read_text()
    assert page.count("<svg") > 10
    assert "<script" not in page
    told = json.loads((decided / "figures" / "evaluation.json").read_text())
    assert told["sanity"] == {"failed": []}
    assert told["interval"]["covered"] == 95


def test_the_same_command_says_the_same(decided: Path) -> None:
    first, again = (withstood(decided, "evaluate", "mine", "--gold", "gold.xml", "--json").out for _ in range(2))
    assert first == again


# --- gold that does not fit --------------------------------------------------------------------


def test_gold_of_another_input_is_refused(decided: Path) -> None:
    (decided / "gold.xml").write_text(xml(("z", "Nothing like it", "Nothing neutral 0")))
    done = withstood(decided, "evaluate", "mine", "--gold", "gold.xml")
    assert (done.code, done.out) == (66, b"")
    assert "does not match mine" in done.said
    assert "'a'" in done.said


def test_another_text_under_an_id_is_named_with_its_line(decided: Path) -> None:
    (decided / "gold.xml").write_text(GOLD.replace(">The battery is bad<", ">The battery is worse<"))
    done, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert (done.code, told["samples"]) == (65, 2)
    assert "1 texts with other words in the gold: 'b': the gold has another text under this id (line 1)" in done.said


def test_ids_may_differ_where_the_texts_are_the_same(decided: Path) -> None:
    (decided / "gold.xml").write_text(GOLD.replace('id="a"', 'id="x"').replace('id="c"', 'id="a"'))
    done, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert (done.code, told["samples"]) == (0, 3)
    assert figure(told, "ote-pol micro") == pytest.approx(2 / 3, abs=1e-6)


def test_more_and_fewer_texts_are_told_and_no_fault(decided: Path) -> None:
    more = ("d", "The battery is fine", "battery positive 4")
    less = [("b", "The battery is bad", "battery negative 4"), more]
    (decided / "gold.xml").write_text(xml(*less))
    done, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert (done.code, told["samples"]) == (0, 1)
    assert "2 decided texts without gold: 'a'; 'c'" in done.said
    assert "1 labelled texts that were not decided: 'd' (line 1)" in done.said


def test_a_label_that_does_not_fit_its_text_is_named(decided: Path) -> None:
    (decided / "gold.xml").write_text(GOLD.replace('from="28" to="35"', 'from="27" to="34"'))
    done, told = evaluated(decided, "mine", "--gold", "gold.xml")
    assert (done.code, told["samples"]) == (65, 2)
    assert "1 rows of the gold refused: line 1: wrong_offsets" in done.said


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("mine", "--gold", "nothing.xml"), 66, "nothing.xml"),
        (("mine", "--gold", "in.csv", "--layout", "wrong"), 66, "wrong"),
        (("nobody",), 2, "no run 'nobody'"),
        (("mine", "--sanity"), 2, "--gold"),
        (("in.csv",), 66, "in.csv, line 1 is not a line of results"),
    ],
)
def test_what_cannot_be_measured(decided: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    done = withstood(decided, "evaluate", *arguments)
    assert (done.code, done.out) == (code, b"")
    assert told in done.said
