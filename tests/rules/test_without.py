"""Rows that are passed over: every table can do without those that it says it can do without."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from tests.rules.test_rule_command import ask
from withstood.claims.ballot import Absent, Action, Ballot, Vote
from withstood.errors import Misfit
from withstood.jobs.published import tables
from withstood.rules import arbiter_v1, arbiter_v2, classification, judgement_1, moderator_1, moderator_2
from withstood.rules.classification import Group, Member
from withstood.rules.judgements import Input, Numbers
from withstood.rules.rulebook import DROPPABLE, Rulebook


def one(name: str, case: Any, **changes: str) -> Any:
    return ask(name, json.dumps(case), **changes)[0]


LADDERS = {table.edition: table for table in tables().values() if table.droppable}
REASONS = ("", "CONTRAST_CLAUSE", "WEAK_EVIDENCE")
SLOTS = (None, Absent(), *(Vote(action, reason) for action in Action for reason in REASONS))


def test_the_rulebook_knows_every_table_that_can_do_without_a_row() -> None:
    assert {name: table.droppable for name, table in LADDERS.items()} == DROPPABLE


@pytest.mark.parametrize("edition", sorted(DROPPABLE))
def test_what_can_be_passed_over_stands_on_the_page_and_something_is_left(edition: str) -> None:
    rows = LADDERS[edition].rows()
    assert set(DROPPABLE[edition]) <= set(rows)
    if not edition.startswith("moderator"):
        assert set(DROPPABLE[edition]) < set(rows)


@pytest.mark.parametrize("table", [arbiter_v1, arbiter_v2])
def test_an_arbiter_without_a_row_never_names_it_and_else_decides_as_before(table: Any) -> None:
    for row in table.TABLE.droppable:
        for slots in product(SLOTS, repeat=3):
            ballot = Ballot(*slots)
            for conflict in (None, "granularity_overlap_candidate"):
                before = table.arbitrate(ballot, conflict)
                after = table.arbitrate(ballot, conflict, frozenset({row}))
                assert after.row != row
                assert after == before or before.row == row


def test_a_facet_of_its_own_is_not_heard_without_1a() -> None:
    ballot = Ballot(Vote(Action.KEEP), Vote(Action.KEEP), Vote(Action.DROP, "REDUNDANT_UPPER_REF"))
    conflict = "granularity_overlap_candidate"
    assert arbiter_v2.arbitrate(ballot, conflict).row == "1a"
    assert arbiter_v2.arbitrate(ballot, conflict, frozenset({"1a"})).row == "1"


@pytest.mark.parametrize("table", [moderator_1, moderator_2])
def test_a_moderator_without_a_rule_says_nothing_by_it(table: Any) -> None:
    case = {
        "stage1": {"ate": {"label": "positive", "confidence": 0.6}, "atsa": {"label": "negative", "confidence": 0.9}},
        "stage2": {"ate": {"label": "negative", "confidence": 0.5}},
        "validator": {"suggested_label": "neutral", "confidence": 0.9},
    }
    edition = table.TABLE.edition
    fired = one(edition, case)["applied_rules"]
    assert len(fired) > 2
    for rule in fired:
        left = one(edition, case, rows__without=f"{edition}:{rule.removeprefix('Rule')}")
        assert rule not in left["applied_rules"]


def test_every_signal_counts_without_the_first_rows_of_the_override() -> None:
    case = {
        "aspect_hints": {"screen": [{"weight": 0.5, "polarity_hint": "negative"}]},
        "sentiments": [{"term": "screen", "polarity": "positive", "confidence": 0.6}],
    }
    assert one("override-1", case)["log"][0]["outcome"] == "skipped_low_signal"
    assert one("override-1", case, rows__without="override-1:1")["log"][0]["outcome"] == "skipped_conflict"
    assert one("override-1", case, rows__without="override-1:1;override-1:2")["log"][0]["outcome"] == "applied"


def test_a_group_and_the_next_round_without_their_rows() -> None:
    against = Group("G", (Member("CODE-A-R1", "STRONG"),), (Member("LOG-B-R1"),))
    assert classification.classify([against]).groups[0].row == "2"
    assert classification.classify([against], frozenset({"2"})).groups[0].row == "3"
    assert classification.classify([against]).round3.row == "r1"
    assert classification.classify([against], frozenset({"r1"})).round3.row == "r5"
    asks = Group("G", (Member("CODE-A-R1", "STRONG", needs_further=True),))
    assert [one.row for one in classification.classify([asks]).groups] == ["3", "5"]
    assert [one.row for one in classification.classify([asks], frozenset({"5"})).groups] == ["3"]


def test_a_judgement_without_a_row_comes_to_a_later_one() -> None:
    case = Input("AGREED", "WEAKENED", ("CODE-A-R1",))
    rows = [judgement_1.judge(case, Numbers(), frozenset("1234567"[:count])).row for count in range(8)]
    assert rows == ["1", "2", "3", "4", "5", "8", "8", "8"]


@pytest.mark.parametrize(
    ("stated", "wanted"),
    [
        ("arbiter-v2:9", "one of the rows 0, 1a, 1, 3a, 3b, 3c of arbiter-v2"),
        ("arbiter-v2:2", "one of the rows 0, 1a, 1, 3a, 3b, 3c of arbiter-v2"),
        ("arbiter-v9:1", "a row of one of the tables arbiter-v1, arbiter-v2"),
        ("thesis-1:1", "a row of one of the tables arbiter-v1, arbiter-v2"),
        ("arbiter-v2", "text like"),
    ],
)
def test_an_unknown_row_is_refused_with_those_that_there_are(stated: str, wanted: str) -> None:
    with pytest.raises(Misfit, match=r"rows\.without") as fault:
        Rulebook().adjusted({"rows.without": stated})
    assert wanted in str(fault.value)


def test_nothing_is_passed_over_by_default() -> None:
    assert all(not Rulebook().without(edition) for edition in DROPPABLE)
