"""The small tables over all their inputs: gate, scope, application, sentence label, evidence."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims.ballot import Action, Ballot, Decision, Vote
from withstood.claims.opinion import Candidate
from withstood.rules import (
    application,
    arbiter_v1,
    arbiter_v2,
    candidates,
    conflicts,
    evidence,
    reason_gate,
    scope,
    sentence_label,
)
from withstood.rules.table import NoNumbers

CUES: tuple[reason_gate.Cue, ...] = ("negation", "contrast", "weak_evidence", "upper_ref")
CUE_SETS = [frozenset(some) for n in range(5) for some in itertools.combinations(CUES, n)]

# (action, code): the row, and the cues of which one is enough.
POWERS: dict[tuple[str, str], tuple[str, set[str]]] = {
    ("FLIP", "NEGATION_SCOPE"): ("1", {"negation"}),
    ("FLIP", "CONTRAST_CLAUSE"): ("2", {"contrast"}),
    ("FLIP", "STRUCTURAL_INCONSISTENT"): ("3", {"negation", "contrast"}),
    ("DROP", "WEAK_EVIDENCE"): ("4", {"weak_evidence"}),
    ("DROP", "REDUNDANT_UPPER_REF"): ("5", {"upper_ref"}),
}
CODES = sorted({code for _, code in POWERS} | {"", "DUPLICATE_TUPLE", "FORMAT_INCOMPLETE", "JUSTIFIED_INFERENCE"})


# --- the reason-code gate ----------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("action", list(Action))
def test_the_gate_for_every_set_of_cues(action: Action, code: str) -> None:
    row, enough = POWERS.get((action.value, code), ("6", set[str](CUES)))
    for cues in CUE_SETS:
        ruling = reason_gate.admit(action, code, cues)
        passes = row == "6" or bool(enough & cues)
        assert (ruling.outcome, ruling.row, ruling.because) == ("passed" if passes else "struck", row, code)
        answer = reason_gate.TABLE.decide(reason_gate.Input(action, code, tuple(cues)), NoNumbers())
        assert (answer.reason_code, answer.outcome) == (code if passes else "", ruling.outcome)


written = st.sampled_from(CODES).flatmap(
    lambda code: st.sampled_from(
        [code, code.lower(), code.title(), f" {code}\t", code.replace("S", "\u017f"), f"{code}."]
    )
)


@given(written, written)
def test_no_code_has_power_in_an_arbiter_that_the_gate_does_not_know(flip: str, drop: str) -> None:
    """Whatever way a code is written: where the gate strikes it, no arbiter would have heard another one."""
    votes = Vote(Action.FLIP, flip), Vote(Action.DROP, drop), Vote(Action.KEEP)
    gated = [
        Vote(
            vote.action_type,
            vote.reason_code if reason_gate.admit(vote.action_type, vote.reason_code, set()).row == "6" else "",
        )
        for vote in votes
    ]
    assert arbiter_v1.arbitrate(Ballot(*gated)).row == "3b"
    assert arbiter_v2.arbitrate(Ballot(*gated)).row == "3c"


def test_the_gate_knows_every_code_that_carries_power() -> None:
    carried = {("FLIP", code) for code in arbiter_v2.STRUCTURAL | arbiter_v1.STRUCTURAL}
    carried |= {("DROP", code) for code in arbiter_v2.JUSTIFIED}
    assert {(action.value, code) for action, code in reason_gate.NEEDS} == carried == set(POWERS)


# --- scope -------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["flagged", "any"])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_scope(known: bool, named: bool, setting: Any) -> None:
    wanted = {
        (True, True, "flagged"): ("admitted", "", "3"),
        (True, False, "flagged"): ("refused", "NOT_FLAGGED", "4"),
        (True, True, "any"): ("admitted", "", "2"),
        (True, False, "any"): ("admitted", "", "2"),
    }.get((known, named, setting), ("refused", "UNKNOWN_TUPLE", "1"))
    asked = scope.Input("t0", ("t0", "t1") if known else ("t1",), ("t0",) if named else ("t1",))
    answer = scope.TABLE.decide(asked, scope.Numbers(scope=setting))
    assert (answer.outcome, answer.reason_code, answer.row) == wanted


# --- application -------------------------------------------------------------------------------


def _candidate(**parts: Any) -> Candidate:
    told: dict[str, Any] = {
        "polarity": "positive",
        "evidence": "e",
        "evidence_found": True,
        "invalid": ("invalid_ref",),
    }
    return Candidate(
        **{
            "tuple_id": "t0",
            "aspect_term": "x",
            "aspect_ref": "F#A",
            "begin": 1,
            "end": 2,
            "opinion_term": "o",
            "confidence": Decimal("0.5"),
            "origin": "P-NEG",
            **told,
            **parts,
        }
    )


VALUES: list[Any] = [None, {}, {"polarity": "Negative "}, {"polarity": ""}, {"polarity": None}, {"polarity": 1}]
VALUES += [{"polarity": ["negative"]}, {"normalized_ref": "F#B"}, {"polarity": "mixed", "aspect_ref": "F#B"}]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("code", ["", "TIE_UNRESOLVED"])
@pytest.mark.parametrize("action", list(Action))
def test_application(action: Action, code: str, value: Any) -> None:
    before = _candidate()
    after = application.apply(before, Decision(action, code, value, "1"))
    polarity = (value or {}).get("polarity")
    if action is Action.DROP:
        assert after is None
    elif action is Action.FLIP and isinstance(polarity, str) and polarity:
        assert after == _candidate(polarity=polarity)
    elif action is Action.FLAG:
        assert after == _candidate(flag=code or "FLAG")
    else:
        assert after == before


def test_application_as_a_table() -> None:
    def answer(*decision: Any) -> tuple[Any, ...]:
        found = application.TABLE.decide(application.Input("positive", Decision(*decision)), NoNumbers())
        return found.kept, found.polarity, found.flag

    assert answer(Action.DROP, "", None, "1") == (False, None, None)
    assert answer(Action.FLIP, "", {"polarity": "negative"}, "1") == (True, "negative", None)
    assert answer(Action.FLAG, "TIE_UNRESOLVED", None, "3c") == (True, "positive", "TIE_UNRESOLVED")
    assert answer(Action.KEEP, "", None, "1") == (True, "positive", None)


# --- the label of a text -----------------------------------------------------------------------

POLARITIES = ("positive", "negative", "neutral", "mixed", "angry", None, "")
MULTISETS = [some for n in range(5) for some in itertools.combinations_with_replacement(POLARITIES, n)]


def test_the_label_of_every_set_of_up_to_four() -> None:
    for some in MULTISETS:
        told = [polarity or "neutral" for polarity in some]
        if len(set(told)) > 1:
            wanted = ("mixed", "3")
        elif told and told[0] in ("positive", "negative"):
            wanted = (told[0], "1" if told[0] == "positive" else "2")
        else:
            wanted = ("neutral", "4")
        ruling = sentence_label.label(some)
        assert (ruling.outcome, ruling.row) == wanted, some


def test_the_label_depends_on_no_order_and_its_confidence_on_nothing() -> None:
    for some in MULTISETS:
        answer = sentence_label.TABLE.decide(sentence_label.Input(some[::-1]), NoNumbers())
        assert answer.label == sentence_label.label(some).outcome
        assert str(answer.confidence) == "0.7"


# --- evidence ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cited", "outcome", "row"),
    [
        (None, "none", "1"),
        ("", "none", "1"),
        ("  ", "struck", "3"),
        ("화면이  좋고", "found", "2"),
        ("화면은 좋고", "struck", "3"),
        ("화면이 좋고 배터리는", "found", "2"),
    ],
)
def test_evidence(cited: str | None, outcome: str, row: str) -> None:
    answer = evidence.TABLE.decide(evidence.Input("화면이 좋고\n배터리는 별로예요", cited), NoNumbers())
    assert (answer.outcome, answer.row) == (outcome, row)


@pytest.mark.parametrize("found", [None, True, False])
@pytest.mark.parametrize("cited", [None, "", "x"])
def test_evidence_that_was_looked_for(cited: str | None, found: bool | None) -> None:
    wanted = ("none", "1") if not cited else ("found", "2") if found else ("struck", "3")
    ruling = evidence.ruling(cited, found)
    assert (ruling.outcome, ruling.row) == wanted


# --- docstrings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "rows"),
    [
        (application, "1 2 3 4 5"),
        (candidates, "1 2 3"),
        (conflicts, "1 2 3 4"),
        (evidence, "1 2 3"),
        (reason_gate, "1 2 3 4 5 6"),
        (scope, "1 2 3 4"),
        (sentence_label, "1 2 3 4"),
    ],
)
def test_the_docstring_has_the_rows(module: Any, rows: str) -> None:
    assert list(module.TABLE.rows()) == rows.split()
    assert all(module.TABLE.rows().values())
    assert module.TABLE.summary.endswith(".")
