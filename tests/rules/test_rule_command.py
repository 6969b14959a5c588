"""`withstood rule`: every promise of its page, through its answers and through the real command."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.form.test_schema import fits
from tests.rules.ballots import VALUES, published
from tests.rules.cases_in import cases_in
from tests.rules.from_schema import as_text, least, spoiled, values
from withstood import form
from withstood.claims.ballot import Absent, Action, Vote
from withstood.cli.rule import Answer, _output_schema, answers  # pyright: ignore[reportPrivateUsage]
from withstood.jobs.published import row_texts, tables
from withstood.rules.rulebook import PRESETS

TABLES = tables()
EDITIONS = [table.edition for table in {id(table): table for table in TABLES.values()}.values()]
NAMES = ("conflicts", "arbiter-v1", "arbiter-v2")

PAIR = (
    '{"candidates":[{"tuple_id":"t0","aspect_ref":"F#A","aspect_term":"abcxx","polarity":"p"},'
    '{"tuple_id":"t1","aspect_ref":"F#A","aspect_term":"abcyy","polarity":"n"}]MORE}'
)


def raw(name: str, *lines: str | bytes, preset: str = "published", **changes: str) -> list[Answer]:
    table = TABLES[name]
    numbers = PRESETS[preset].adjusted({key.replace("__", "."): value for key, value in changes.items()})
    told = [line if isinstance(line, bytes) else f"{line}\n".encode() for line in lines]
    return list(answers(table, numbers, told))


def ask(name: str, *lines: str | bytes, **changes: str) -> list[Any]:
    return [json.loads(answer.text) for answer in raw(name, *lines, **changes)]


def fault(name: str, line: str | bytes) -> tuple[str, str]:
    [answer] = raw(name, line)
    assert answer.refused
    error = json.loads(answer.text)["error"]
    return error["code"], error["message"]


def kinds(line: str, **changes: str) -> list[str]:
    return [flag["conflict_type"] for flag in ask("conflicts", line, **changes)[0]["flags"]]


# --- answers -----------------------------------------------------------------------------------


def test_one_answer_for_each_line_in_order() -> None:
    lines = [PAIR.replace("F#A", f"F#{no}").replace("MORE", "") for no in range(50)]
    assert [answer["flags"][0]["aspect_ref"] for answer in ask("conflicts", *lines)] == [f"F#{no}" for no in range(50)]


def test_an_answer_has_the_published_fields_in_order() -> None:
    [flagged] = ask("conflicts", PAIR.replace("MORE", ""))
    assert list(flagged) == ["edition", "flags"]
    assert list(flagged["flags"][0]) == ["conflict_type", "aspect_ref", "aspect_term", "tuple_ids"]
    for name in ("arbiter-v1", "arbiter-v2"):
        [decided] = ask(name, '{"votes":{}}')
        assert list(decided) == ["edition", "action", "reason_code", "new_value", "row"]
        assert decided["edition"] == name


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_answer_names_its_edition(name: str) -> None:
    """An alias answers as what it stands for."""
    [answer] = ask(name, as_text(least(form.schema(TABLES[name].takes))))
    assert next(iter(answer.items())) == ("edition", TABLES[name].edition)


def test_aliases_are_the_names_of_the_page() -> None:
    assert set(NAMES) <= TABLES.keys()
    assert TABLES["conflicts"] is TABLES["conflicts-1"]
    assert {name for name in TABLES if "arbiter" in name} == {"arbiter-v1", "arbiter-v2", "arbiter-w1"}


@pytest.mark.parametrize("edition", ["v1", "v2"])
@given(votes=st.tuples(*[st.sampled_from(["none", "absent", *Action])] * 3), data=st.data())
def test_the_arbiter_on_lines_is_the_arbiter(edition: str, votes: tuple[str, ...], data: st.DataObject) -> None:
    slots = [_drawn(vote, data) for vote in votes]
    kind = data.draw(st.sampled_from([None, "granularity_overlap_candidate", "x"]))
    told = {"votes": dict(zip("ABC", map(_told, slots), strict=True)), "conflict_type": kind}
    [answer] = ask(f"arbiter-{edition}", as_text(told))
    action, reason, value, row = published(edition, tuple(slots), kind)
    assert answer == {
        "edition": f"arbiter-{edition}",
        "action": action,
        "reason_code": reason,
        "new_value": value,
        "row": row,
    }


def _drawn(vote: str, data: st.DataObject) -> Vote | Absent | None:
    if vote in ("none", "absent"):
        return Absent() if vote == "absent" else None
    code = st.sampled_from(["", "contrast_clause", "WEAK_EVIDENCE", "my own words"])
    return Vote(Action(vote), data.draw(code), data.draw(st.sampled_from(VALUES)))


def _told(slot: Vote | Absent | None) -> Any:
    return form.write(slot)


@pytest.mark.parametrize("vote", ['{"action_type":"keep"}', '{"action_type":"Merge","reason_code":"free words, 자유"}'])
def test_reason_codes_are_free_and_actions_are_read_in_any_case(vote: str) -> None:
    [answer] = ask("arbiter-v2", f'{{"votes":{{"A":{vote}}}}}')
    assert (answer["action"], answer["row"]) == ("KEEP", "1")


def test_what_may_be_left_out_may_be_left_out() -> None:
    short, long = ask(
        "arbiter-v2",
        '{"votes":{"A":{"action_type":"DROP"}}}',
        '{"votes":{"A":{"action_type":"DROP","reason_code":"","new_value":null},"B":null,"C":null},"conflict_type":null}',
    )
    assert short == long
    assert ask("conflicts", '{"candidates":[{"tuple_id":"t0"}]}') == [{"edition": "conflicts-1", "flags": []}]


def test_a_new_value_is_answered_as_it_came() -> None:
    value = '{"polarity":"부정","a":[1,null,{"b":true}]}'
    vote = f'{{"action_type":"FLIP","new_value":{value}}}'
    [answer] = ask("arbiter-v1", f'{{"votes":{{"A":{vote},"B":{vote}}}}}')
    assert answer["new_value"] == json.loads(value)


# --- places, blank lines, bytes ----------------------------------------------------------------


def test_a_bad_line_is_answered_at_its_place_and_the_rest_goes_on() -> None:
    good = '{"votes":{}}'
    found = raw("arbiter-v1", good, "{", "", "  \t", good, '{"votes":1}', good)
    assert [answer.refused for answer in found] == [False, True, False, True, False]
    told = [json.loads(answer.text) for answer in found]
    assert [answer.get("line") for answer in told] == [None, 2, None, 6, None]
    assert list(told[1]) == ["line", "error"]
    assert list(told[1]["error"]) == ["code", "message"]


def test_every_blank_line_is_counted_and_none_is_answered() -> None:
    [answer] = ask("conflicts", b"\n", b"\r\n", b"   \n", b"\t\n", b"oops")
    assert answer["line"] == 5


def test_lines_of_every_machine() -> None:
    mark = b"\xef\xbb\xbf"
    found = ask("conflicts", mark + b'{"candidates":[]}\r\n', b'{"candidates":[]}', mark + b'{"candidates":[]}\n')
    assert [answer.get("line") for answer in found] == [None, None, 3]


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (b"\xff{}", "bad_encoding", "wanted UTF-8, found another byte at place 1"),
        ('{"candidates":["향"]}'.encode("cp949"), "bad_encoding", "found another byte at place 17"),
        ("{", "bad_json", "wanted JSON"),
        ("[] []", "bad_json", "wanted JSON"),
        ("\x00", "bad_json", "wanted JSON"),
        ('{"candidates":[],"candidates":[]}', "bad_json", "candidates: wanted a key once"),
        ('{"candidates":[{"tuple_id":"t0","polarity":"a","polarity":"a"}]}', "bad_json", "polarity: wanted a key once"),
        ('{"candidates":[],"theta":NaN}', "bad_json", "wanted a number, found NaN"),
        ('{"candidates":[],"theta":-Infinity}', "bad_json", "wanted a number, found -Infinity"),
        ('{"candidates":[{"tuple_id":"\\ud800"}]}', "bad_json", "wanted whole characters"),
        ("[" * 5000 + "]" * 5000, "bad_json", "levels"),
        ("[]", "bad_form", "the whole: wanted an object, found []"),
        ("null", "bad_form", "the whole: wanted an object, found null"),
        ("{}", "bad_form", "candidates: wanted this field, found nothing"),
        ('{"candidates":null}', "bad_form", "candidates: wanted a list, found null"),
        ('{"candidates":[],"colour":1}', "bad_form", "colour: wanted one of the fields candidates, mode"),
        ('{"candidates":[{"tuple_id":"t0","id":"t0"}]}', "bad_form", "candidates[0].id: wanted one of the fields"),
        ('{"candidates":[{}]}', "bad_form", "candidates[0].tuple_id: wanted this field, found nothing"),
        ('{"candidates":[{"tuple_id":0}]}', "bad_form", "candidates[0].tuple_id: wanted text, found 0"),
        ('{"candidates":[],"mode":"secondary"}', "bad_form", "mode: wanted one of primary, primary_secondary"),
        ('{"candidates":[],"semantic":"on"}', "bad_form", "semantic: wanted true or false, found on"),
        ('{"candidates":[],"granularity":1}', "bad_form", "granularity: wanted true or false, found 1"),
        ('{"candidates":[],"theta":1.000000000000000000001}', "bad_form", "theta: wanted a number from 0 to 1"),
        ('{"candidates":[],"theta":"-1e-40"}', "bad_form", "theta: wanted a number from 0 to 1"),
        ('{"candidates":[],"theta":"NaN"}', "bad_form", "theta: wanted a number, found NaN"),
        ('{"candidates":[],"theta":true}', "bad_form", "theta: wanted a number, found true"),
        (
            '{"candidates":[{"tuple_id":"a"},{"tuple_id":"b"},{"tuple_id":"a"}]}',
            "bad_form",
            'candidates[2].tuple_id: wanted an id that no earlier candidate has, found "a" again',
        ),
    ],
)
def test_a_line_of_candidates_that_is_refused(line: str | bytes, code: str, message: str) -> None:
    said = fault("conflicts", line)
    assert said[0] == code
    assert message in said[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "votes: wanted this field, found nothing"),
        ('{"votes":null}', "votes: wanted an object, found null"),
        ('{"votes":{"D":null}}', "votes.D: wanted one of the fields A, B, C"),
        ('{"votes":{"A":{}}}', "votes.A.action_type: wanted this field"),
        ('{"votes":{"A":{"action_type":""}}}', "votes.A.action_type: wanted one of KEEP, DROP, FLIP, FLAG, MERGE"),
        ('{"votes":{"B":{"action_type":"DELETE"}}}', "votes.B.action_type: wanted one of KEEP"),
        ('{"votes":{"B":{"action_type":null}}}', "votes.B.action_type: wanted one of KEEP"),
        ('{"votes":{"A":"KEEP"}}', "votes.A: wanted"),
        ('{"votes":{"A":{"action_type":"KEEP","reason":"x"}}}', "votes.A.reason: wanted one of the fields"),
        ('{"votes":{"A":{"action_type":"KEEP","reason_code":null}}}', "votes.A.reason_code: wanted text, found null"),
        ('{"votes":{"A":{"action_type":"FLIP","new_value":"negative"}}}', "votes.A.new_value: wanted an object"),
        ('{"votes":{"A":{"absent":false}}}', "votes.A.absent: wanted one of True, found false"),
        ('{"votes":{"A":{"absent":true,"action_type":"KEEP"}}}', "votes.A."),
        ('{"votes":{},"conflict_type":1}', "conflict_type: wanted text, found 1"),
        ('{"votes":{},"flags":[]}', "flags: wanted one of the fields votes, conflict_type"),
    ],
)
@pytest.mark.parametrize("name", ["arbiter-v1", "arbiter-v2"])
def test_a_ballot_that_is_refused(name: str, line: str, message: str) -> None:
    code, said = fault(name, line)
    assert code == "bad_form"
    assert message in said


@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=6))
def test_any_bytes_are_answered_line_by_line(lines: list[bytes]) -> None:
    found = raw("conflicts", *[line + b"\n" for line in lines])
    told = [no for no, line in enumerate(lines, 1) if (line.removeprefix(b"\xef\xbb\xbf") if no == 1 else line).strip()]
    assert [json.loads(answer.text).get("line") for answer in found] == told


# --- numbers and settings ----------------------------------------------------------------------


@pytest.mark.parametrize("theta", ["0.6", '"0.6"', "6e-1", '"6E-1"', "0.60", '".6"'])
def test_a_number_is_a_number_or_its_text(theta: str) -> None:
    assert len(kinds(PAIR.replace("MORE", f',"semantic":true,"theta":{theta}'))) == 2


@pytest.mark.parametrize(
    "theta", ["0.6000000000000000000000000000000000000001", '"0.6000000000000000000000000000000000000001"']
)
def test_numbers_are_read_exactly(theta: str) -> None:
    assert len(kinds(PAIR.replace("MORE", f',"semantic":true,"theta":{theta}'))) == 1


def test_decimals_are_answered_exactly() -> None:
    long = "0.1234567890123456789012345678901234567891"
    [answer] = ask("candidates", f'{{"aspect_term":"최고","confidence":{long}}}')
    assert Fraction(answer["confidence"]) * 2 == Fraction(long)


def test_a_setting_is_taken_where_the_field_is_left_out() -> None:
    line = PAIR.replace("MORE", "")
    assert kinds(line) == ["ref_polarity_mismatch"]
    assert len(kinds(line, conflicts__semantic="on")) == 2
    assert len(kinds(line, conflicts__semantic="on", conflicts__theta="0.61")) == 1
    other = PAIR.replace("MORE", "").replace("F#A", "").replace("abcxx", "abcyy")
    assert kinds(other) == ["term_polarity_mismatch"]
    assert kinds(other, conflicts__mode="primary") == []


@pytest.mark.parametrize(
    ("more", "changes", "count"),
    [
        (',"theta":"0.6"', {"conflicts__theta": "0.9", "conflicts__semantic": "on"}, 2),
        (',"theta":0', {"conflicts__theta": "0.9", "conflicts__semantic": "on"}, 2),
        (',"theta":"0.9"', {"conflicts__theta": "0.1", "conflicts__semantic": "on"}, 1),
        (',"semantic":false', {"conflicts__semantic": "on"}, 1),
        (',"semantic":true', {"conflicts__semantic": "off"}, 2),
    ],
)
def test_the_field_wins_over_the_setting(more: str, changes: dict[str, str], count: int) -> None:
    assert len(kinds(PAIR.replace("MORE", more), **changes)) == count


def test_the_scope_is_a_setting() -> None:
    line = '{"tuple_id":"t0","known":["t0"],"named":[]}'
    assert ask("scope", line)[0]["outcome"] == "refused"
    assert ask("scope", line, review__scope="any")[0]["outcome"] == "admitted"


@pytest.mark.parametrize("name", EDITIONS)
def test_the_tables_are_the_same_in_every_preset(name: str) -> None:
    """`strict` puts a gate before the arbiter; no table of its own changes."""
    line = as_text(
        {"votes": {"A": {"action_type": "FLIP", "reason_code": "NEGATION_SCOPE"}, "B": {"action_type": "DROP"}}}
    )
    assert raw(name, line, preset="strict") == raw(name, line)


# --- schemas -----------------------------------------------------------------------------------

# What a schema cannot say of these tables.
BEYOND = (
    "wanted [begin, end] with 0 <= begin <= end",
    "of this graph, found",
    "wanted an id that no earlier ",
    "wanted a name that no earlier side has",
    "wanted an investigator that supports or opposes it, found nobody",
)


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
def test_what_the_schema_allows_is_answered_as_the_schema_says(name: str, data: st.DataObject) -> None:
    value = data.draw(values(form.schema(TABLES[name].takes)))
    [answer] = raw(name, as_text(value))
    if answer.refused:
        assert any(reason in answer.text for reason in BEYOND)
    else:
        assert fits(_output_schema(TABLES[name]), form.loads(answer.text))


@pytest.mark.parametrize("name", EDITIONS)
@given(data=st.data())
def test_what_the_schema_closes_is_refused(name: str, data: st.DataObject) -> None:
    drawn = form.schema(TABLES[name].takes)
    value = data.draw(values(drawn))
    for what, broken in spoiled(drawn, value):
        [answer] = raw(name, as_text(broken))
        assert answer.refused, (what, broken)


# --- the command -------------------------------------------------------------------------------


def withstood(*arguments: str, given_: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "withstood", "rule", *arguments]
    return subprocess.run(command, input=given_, capture_output=True, check=False)


def test_the_command_answers_and_says_by_its_exit_code_that_a_line_was_refused() -> None:
    good, bad = b'{"votes":{"A":{"action_type":"FLIP","new_value":{"polarity":"\xeb\xb6\x80"}}}}\n', b'{"votes":[]}\n'
    done = withstood("arbiter-v2", given_=good + b"\n" + bad + good)
    assert (done.returncode, done.stderr) == (65, b"")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("line") for answer in told] == [None, 3, None]
    assert withstood("arbiter-v2", given_=good).returncode == 0


def test_the_command_takes_settings_and_presets() -> None:
    line = PAIR.replace("MORE", "").encode()
    done = withstood("conflicts", "--set", "conflicts.semantic=on", "--set", "conflicts.theta=0.6", given_=line)
    assert (done.returncode, done.stdout.count(b"semantic_conflict_candidate")) == (0, 1)
    strict = withstood("conflicts", "--rules", "strict", given_=line)
    assert (strict.returncode, strict.stdout.count(b"ref_polarity_mismatch")) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("conflicts", "--set", "conflicts.theta=2"), "conflicts.theta: wanted a number from 0 to 1, found 2"),
        (("conflicts", "--set", "conflicts.colour=2"), "conflicts.colour: wanted one of the settings"),
        (("conflicts", "--set", "theta"), "wanted name=value"),
        (("conflicts", "--rules", "lax"), "There is no rulebook 'lax'. There are: published, strict; or"),
        (("conflict",), "There is no table 'conflict'. There are: "),
    ],
)
def test_a_command_that_is_not_right_says_so_and_answers_nothing(arguments: tuple[str, ...], said: str) -> None:
    done = withstood(*arguments, given_=b'{"candidates":[]}')
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_the_list_names_all_tables() -> None:
    done = withstood("--list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == list(TABLES)


def test_the_table_is_the_docstring() -> None:
    text = withstood("arbiter-v1", "--table").stdout.decode()
    assert text.strip() == (TABLES["arbiter-v1"].text or "").strip()
    assert "| 3a | FLIP, DROP and KEEP, and the FLIP has a structural reason | FLIP |" in text


def test_the_schemas_are_printed() -> None:
    done = withstood("conflicts", "--schema")
    drawn = json.loads(done.stdout)
    assert list(drawn) == ["input", "output"]
    assert drawn["input"] == form.loads(form.dumps(form.schema(TABLES["conflicts"].takes)))
    assert "edition" in drawn["output"]["required"]


def test_every_row_of_every_table_can_be_looked_up() -> None:
    texts = row_texts()
    assert {edition for edition, _ in texts} == set(EDITIONS)
    assert texts["arbiter-v2", "1a"].endswith("FLAG (FACET_MINORITY_SIGNAL)")


def test_the_cases_of_the_arbiter_are_answered_on_lines_too() -> None:
    """The readable cases once more, as anybody would send them."""
    splits = [case for case in cases_in("arbiter")["case"] if case["name"] == "so does MERGE"]
    line = (
        '{"votes":{"A":{"action_type":"FLIP","new_value":{"polarity":"negative"}},'
        '"B":{"action_type":"MERGE","reason_code":"DUPLICATE_TUPLE"},"C":{"action_type":"DROP","reason_code":"WEAK_EVIDENCE"}}}'
    )
    assert splits[0]["v2"] == "DROP (3b)"
    assert [(answer["action"], answer["row"]) for answer in ask("arbiter-v2", line)] == [("DROP", "3b")]
