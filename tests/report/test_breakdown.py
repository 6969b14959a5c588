"""By group, over time, examples and the work list: each says what the texts say, in bounded memory."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.samples import FACTS, HOSTILE, ROWS, TEXT, disputed, opinion, refused, result, results
from withstood.report import markdown, page, worklist
from withstood.report.breakdown import MOST_COLUMNS, Breakdown, Periods, period
from withstood.report.examples import MOST_EACH, MOST_KEPT, Example, Examples
from withstood.report.lines import Opinion
from withstood.report.tally import Tally

POLARITIES = ("positive", "negative")


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("2024-03-05", "2024-03"),
        ("2024-03-05T10:00:00Z", "2024-03"),
        (" 2024/3/5 ", "2024-03"),
        ("2024. 12. 31", "2024-12"),
        ("2024년 3월 5일", "2024-03"),
        ("20240305", "2024-03"),
        ("2024-13-05", "2024-13-05"),
        ("05/03/2024", "2024"),
        ("2024", "2024"),
        ("week 12", "week 12"),
        ("", ""),
    ],
)
def test_the_period_of_a_date(time: str, told: str) -> None:
    assert period(time) == told


def test_groups_stand_in_the_order_of_their_size() -> None:
    found = Breakdown()
    for group in ("small", "large", "large"):
        found.add(group, [("food", "positive"), ("wine", "negative")])
    assert found.columns() == ["large", "small"]
    assert [(one.column, one.parts) for one in found.row("food", POLARITIES)] == [
        ("large", (("positive", 2), ("negative", 0))),
        ("small", (("positive", 1), ("negative", 0))),
    ]


def test_periods_stand_in_the_order_of_time_and_become_years_where_there_are_many() -> None:
    found = Periods()
    for day in ("2024-02-01", "2023-12-31", "2024-02-20"):
        found.add(day, [("food", "positive")])
    assert found.columns() == ["2023-12", "2024-02"]
    assert [one.total for one in found.row("food", POLARITIES)] == [1, 2]
    for month in range(1, 13):
        found.add(f"2025-{month}-01", [("food", "negative")])
    assert found.columns() == ["2023", "2024", "2025"]
    assert [one.total for one in found.row("food", POLARITIES)] == [1, 2, 12]


def test_no_more_columns_than_can_be_read_and_it_says_so() -> None:
    groups, weeks = Breakdown(), Periods()
    for no in range(MOST_COLUMNS + 3):
        groups.add(f"g{no}", [])
        weeks.add(f"week {no:02d}", [])
    assert (len(groups.columns()), groups.hidden) == (MOST_COLUMNS, 3)
    assert (weeks.columns()[-1], weeks.hidden) == (f"week {MOST_COLUMNS + 2}", 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), max_size=30))
def test_squares_add_up(texts: list[tuple[str, str]]) -> None:
    found = Breakdown()
    for group, aspect in texts:
        found.add(group, [(aspect, "positive")])
    for aspect in "xy":
        assert sum(one.total for one in found.row(aspect, POLARITIES)) == sum(name == aspect for _, name in texts)


def test_memory_is_bounded_and_what_is_lacking_is_told() -> None:
    found = Breakdown(most=10)
    for no in range(100):
        found.add("all", [(f"aspect {no}", "positive")])
    assert found.short_by > 0


# --- examples ----------------------------------------------------------------------------------


def test_an_example_is_the_term_with_the_words_around_it() -> None:
    found = Examples()
    found.add("r1", TEXT, "power", "positive", Opinion("t0", "battery", begin=4, end=11))
    long = "x" * 200 + "fan" + "y" * 200
    found.add("r2", long, "power", "negative", Opinion("t0", "fan", begin=200, end=203))
    found.add("r3", long, "power", "neutral", Opinion("t0", "", begin=0, end=0))
    first, cut, implicit = found.of("power")
    assert first == Example("r1", "positive", "The ", "battery", " is great, but the fan never stops.")
    assert (cut.before[0], cut.term, cut.after[-1]) == ("…", "fan", "…")
    assert (implicit.term, implicit.after) == ("", "")
    assert found.of("other") == []


def test_few_examples_are_kept_and_none_twice_from_one_text() -> None:
    found = Examples()
    for no in range(3 * MOST_KEPT):
        found.add(f"r{no // 2}", TEXT, f"aspect {no % (MOST_KEPT + 5)}", "positive", Opinion())
        found.add(f"r{no // 2}", TEXT, "aspect 0", "positive", Opinion())
    assert len(found.of("aspect 0")) == MOST_EACH
    assert len({one.id for one in found.of("aspect 0")}) == MOST_EACH
    assert found.of(f"aspect {MOST_KEPT + 1}") == []


@given(results())
def test_offsets_that_do_not_fit_show_the_text(line: dict[str, object]) -> None:
    tally = Tally()
    tally.add(line, (), TEXT)  # pyright: ignore[reportArgumentType]
    for bar in tally.aspects():
        for one in tally.examples.of(bar.name):
            assert one.term in TEXT


# --- the work list -----------------------------------------------------------------------------


def listed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(worklist.header() + text, newline="")))


def test_a_marked_opinion_is_listed_with_its_votes() -> None:
    line, path = disputed()
    marked = [
        one | ({"flag": "TIE_UNRESOLVED"} if one["tuple_id"] == "t1" else {"flag": None}) for one in line["final"]
    ]
    (row,) = listed(worklist.rows(line | {"final": marked}, path, TEXT))
    assert (row["id"], row["why"], row["tuple_id"], row["polarity"]) == ("r1", "TIE_UNRESOLVED", "t1", "positive")
    assert (row["conflicts"], row["begin"], row["end"]) == ("ref_polarity_mismatch", "4", "11")
    assert (row["A"], row["B"], row["C"]) == ("FLIP battery", "FLIP", "")
    assert (row["text"], row["decision"], row["note"]) == (TEXT, "", "")


def test_a_text_without_a_verdict_is_listed_and_a_refused_row_is_not() -> None:
    (row,) = listed(worklist.rows(result("r9", label=None), (), TEXT))
    assert (row["id"], row["why"], row["text"]) == ("r9", "NO_VERDICT", TEXT)
    assert worklist.rows(refused("r8"), (), None) == ""
    assert worklist.rows(result("r7", [opinion()]), (), TEXT) == ""


def test_no_cell_is_a_formula() -> None:
    for word in HOSTILE:
        line, path = disputed(word)
        for row in listed(worklist.rows(line, path, word)):
            assert set(row) == set(worklist.COLUMNS)
            assert not any((cell or "").startswith(("=", "+", "-", "@")) for cell in row.values())


# --- in the reports ----------------------------------------------------------------------------


def test_reports_show_groups_periods_examples_and_minorities() -> None:
    tally = Tally()
    line, path = disputed()
    tally.add(line, path, TEXT, "en", "north", "2024-03-05")
    told = markdown.render(tally, FACTS)
    assert "Aspects by group" in told
    assert "north" in told
    assert "2024\\-03" in told or "2024-03" in told
    assert "wanted KEEP, ruled FLIP" in told
    shown = page.render(tally, FACTS, ROWS)
    for words in ("Aspects by group", "Aspects over time", "north", "2024-03", "Examples", "Minority opinions"):
        assert words in shown
    assert '<mark class="positive">battery</mark>' in shown


def test_without_groups_there_is_no_table_of_them() -> None:
    tally = Tally()
    tally.add(result("r1", [opinion()]), (), TEXT)
    assert "Aspects by group" not in page.render(tally, FACTS, ROWS) + markdown.render(tally, FACTS)


def test_hostile_groups_stay_text() -> None:
    for word in HOSTILE:
        tally = Tally()
        tally.add(result("r1", [opinion()]), (), word, "en", word, word)
        shown = page.render(tally, FACTS, ROWS)
        assert "<script" not in shown
        assert "<img" not in shown
        assert "\x1b" not in shown + markdown.render(tally, FACTS)
