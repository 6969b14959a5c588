"""By which rulebook a recorded run is judged again, and how two rulings are set side by side."""

from __future__ import annotations

import pytest

from withstood import form
from withstood.claims.case import Conventions
from withstood.engine.entries import RulingEntry, record
from withstood.errors import UsageError
from withstood.form import Misfit
from withstood.jobs import rejudging, sentiment
from withstood.jobs.header import Header, Input
from withstood.jobs.recorded import Recorded
from withstood.jobs.rejudging import Rejudged
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step, Verdict


def header(protocol: str, book: Rulebook) -> Header:
    agreed = form.write(Conventions({}, {}, {}))
    return Header("0", "sentiment", protocol, book, book.hash, agreed, {}, Input("r.csv", "0" * 64, 1))


@pytest.mark.parametrize("protocol", ["cr-v1", "cr-v2", "single"])
@pytest.mark.parametrize("preset", ["published", "strict"])
def test_another_preset_keeps_what_the_protocol_sets(protocol: str, preset: str) -> None:
    known = header(protocol, sentiment.rulebook(protocol, "published", {"review.scope": "any"}))
    assert rejudging.rulebook(known, (preset,), {}) == sentiment.rulebook(protocol, preset, {})


def test_changes_are_made_to_the_recorded_rulebook() -> None:
    known = header("cr-v2", sentiment.rulebook("cr-v2", "strict", {}))
    found = rejudging.rulebook(known, ("arbiter=v1",), {"review.scope": "any"})
    assert found == sentiment.rulebook("cr-v2", "strict", {"arbiter": "v1", "review.scope": "any"})


def test_a_preset_and_a_change_may_stand_together() -> None:
    known = header("cr-v2", sentiment.rulebook("cr-v2", "published", {}))
    found = rejudging.rulebook(known, ("strict,arbiter=v1",), {})
    assert found == sentiment.rulebook("cr-v2", "strict", {"arbiter": "v1"})


def test_what_is_not_there_is_refused() -> None:
    known = header("cr-v2", Rulebook())
    with pytest.raises(UsageError, match="published, strict"):
        rejudging.rulebook(known, ("lenient",), {})
    with pytest.raises(Misfit):
        rejudging.rulebook(known, ("arbiter=v9",), {})


def test_a_changed_label_is_one_change() -> None:
    then = (_step("arbiter-v2", "t0", "DROP", "3b"), _step("sentence-label-1", "", "negative", "2"))
    now = (_step("arbiter-v1", "t0", "FLAG", "3b"), _step("sentence-label-1", "", "mixed", "3"))
    again = Rejudged(Recorded(1, None, {}, record(1, RulingEntry("{}", then))), Verdict({}, now), "")
    found = [(change.item, change.then, change.now) for change in rejudging.changes(again)]
    assert found == [("t0", then[0], now[0]), ("", then[1], now[1])]


def _step(table: str, item: str, outcome: str, row: str) -> Step:
    return Step(table, item, Ruling(outcome, row))
