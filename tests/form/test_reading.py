"""What goes out comes back the same; what does not fit is refused, with its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.form.shapes import Gone, Leaf, Mood, Tree, free_json, numbers, trees
from withstood import form
from withstood.claims.ballot import Absent, Ballot, Review, Vote
from withstood.claims.opinion import Reading

WHOLE = "the whole"


def misfit(wanted: Any, text: str) -> form.Misfit:
    with pytest.raises(form.Misfit) as caught:
        form.read(wanted, form.loads(text))
    return caught.value


@given(trees)
def test_what_is_written_is_read_again(tree: Tree) -> None:
    assert form.read(Tree, form.loads(form.dumps(tree))) == tree
    assert form.read(Tree, form.write(tree)) == tree


@given(trees)
def test_the_same_value_gives_the_same_bytes(tree: Tree) -> None:
    again = form.read(Tree, form.loads(form.dumps(tree)))
    assert form.dumps(again) == form.dumps(tree)
    assert "\n" not in form.dumps(tree)


@given(free_json)
def test_free_json_passes_unchanged(value: Any) -> None:
    assert form.loads(form.dumps(value)) == value
    assert form.loads(json.dumps(value)) == value


@given(st.text(st.sampled_from("0123456789"), min_size=1, max_size=900), st.text(st.sampled_from("0123456789")))
def test_decimals_are_exact_to_any_length(before: str, after: str) -> None:
    written = f"{int(before)}.{after}1"
    read = form.read(Decimal, form.loads(written))
    assert str(read) == written
    assert form.loads(form.dumps({"n": read})) == {"n": written}
    assert form.read(Decimal, written) == read


@given(numbers)
@example(Decimal("0.1"))
@example(Decimal(2) ** 53)
@example(Decimal("1e400"))
@example(Decimal("-0"))
def test_a_plain_number_is_the_number_or_its_text(number: Decimal) -> None:
    plain = form.plain_number(number)
    assert Decimal(repr(plain) if isinstance(plain, float) else plain) == number
    assert form.loads(json.dumps(plain)) is not None


def test_numbers_of_json_are_never_floats() -> None:
    found = form.loads('[0.1, 1e2, -0.0, 3, {"a": 2.50}]')
    assert found == [Decimal("0.1"), Decimal("1e2"), Decimal("-0.0"), 3, {"a": Decimal("2.50")}]
    assert "float" not in repr([type(part) for part in cast("list[Any]", found)])


def test_thresholds_hold_in_decimals() -> None:
    before, after = form.read(tuple[Decimal, ...], form.loads("[0.7, 0.5]"))
    assert before - after >= Decimal("0.2")


# --- refused texts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "{", "nope", "[1,]", '{"a":1', "'a'", "[1] 2", "\x00", '"\n"', "\ufeff{}", "[" * 200_000, "1" * 5000],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(form.Misfit, match="wanted JSON"):
        form.loads(text)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_what_is_not_a_number_of_json_is_refused(text: str) -> None:
    with pytest.raises(form.Misfit, match=r"wanted a number, found -?(NaN|Infinity)"):
        form.loads(text)


def test_a_key_stands_once() -> None:
    with pytest.raises(form.Misfit, match="b: wanted a key once, found the same key twice"):
        form.loads('{"a": 1, "c": {"b": 1, "a": 2, "b": 3}}')


def test_bytes_are_utf_8() -> None:
    assert form.loads('{"말": "뜻"}'.encode()) == {"말": "뜻"}
    with pytest.raises(form.Misfit, match="wanted JSON"):
        form.loads('"뜻"'.encode("cp949"))


@pytest.mark.parametrize(("left", "right"), ["[]", ('{"a":', "}")])
def test_depth_has_a_limit(left: str, right: str) -> None:
    def nested(levels: int) -> str:
        return left * levels + "1" + right * levels

    assert form.dumps(form.loads(nested(form.MOST_LEVELS))) == nested(form.MOST_LEVELS)
    for levels in (form.MOST_LEVELS + 1, 5_000, 200_000):
        with pytest.raises(form.Misfit, match=f"at most {form.MOST_LEVELS} levels"):
            form.loads(nested(levels))


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert form.loads(f"[{','.join(['[]'] * 5000)}]") == [[]] * 5000


@given(st.text() | st.binary())
@example("[[stub")
@example(b"\xff")
def test_any_text_is_read_or_is_a_misfit(text: str | bytes) -> None:
    for wanted in (Tree, Reading, Review):
        try:
            form.read(wanted, form.loads(text))
        except form.Misfit as fault:
            assert str(fault).isprintable()


@given(free_json)
def test_any_json_is_read_or_is_a_misfit(value: Any) -> None:
    for wanted in (Tree, Leaf, Ballot, Reading, Mood, Literal["a"], tuple[str, int], Decimal, int, bool, str):
        try:
            form.read(cast("type[Any]", wanted), value)
        except form.Misfit as fault:
            assert str(fault).isprintable()


@given(trees, st.data())
def test_one_wrong_part_is_found_at_its_place(tree: Tree, data: st.DataObject) -> None:
    found = form.write(replace(tree, leaves=(Leaf("a"), Leaf("b", 1), Leaf("c"))))
    place = data.draw(st.integers(0, 2))
    name = data.draw(st.sampled_from(["name", "count", "share", "mood"]))
    found["leaves"][place][name] = {"not": "this"}
    with pytest.raises(form.Misfit) as caught:
        form.read(Tree, found, at="tree")
    assert caught.value.at == f"tree.leaves[{place}].{name}"


# --- refused values ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "text", "at", "message"),
    [
        (Leaf, "{}", "name", "wanted this field, found nothing"),
        (Leaf, '{"name": "a", "colour": 1}', "colour", "wanted one of the fields name, count, share, mood"),
        (Leaf, '{"name": null}', "name", "wanted text, found null"),
        (Leaf, '{"name": 1}', "name", "wanted text, found 1"),
        (Leaf, '{"name": "a", "count": true}', "count", "wanted a number, found true"),
        (Leaf, '{"name": "a", "count": 1.5}', "count", "wanted a whole number, found 1.5"),
        (Leaf, '{"name": "a", "count": 1e999999}', "count", "wanted a number of at most 4000 places"),
        (Tree, '{"code": "a"}', "code", "wanted text like [a-z]{2,}, found a"),
        (Tree, '{"code": "ab\\n"}', "code", "wanted text like [a-z]{2,}"),
        (Tree, '{"code": "abcde"}', "code", "wanted a length of 0 to 4, found abcde"),
        (Tree, '{"few": []}', "few", "wanted a length of 1 to 2, found []"),
        (Tree, '{"few": ["a", "b", "c"]}', "few", "wanted a length of 1 to 2"),
        (Leaf, '{"name": "a", "share": "-1e-9"}', "share", "wanted a number from 0 to 1, found -1e-9"),
        (Leaf, '{"name": "a", "share": 1.0000000000000000000000000000001}', "share", "wanted a number from 0 to 1"),
        (Leaf, '{"name": "a", "share": "NaN"}', "share", "wanted a number, found NaN"),
        (Leaf, '{"name": "a", "share": "Infinity"}', "share", "wanted a number, found Infinity"),
        (Leaf, '{"name": "a", "share": "1_0"}', "share", "wanted a number, found 1_0"),
        (Leaf, '{"name": "a", "share": " 1"}', "share", "wanted a number, found 1"),
        (Leaf, '{"name": "a", "share": "\u0661"}', "share", "wanted a number"),
        (Leaf, '{"name": "a", "share": true}', "share", "wanted a number, found true"),
        (Leaf, '{"name": "a", "mood": "sideways"}', "mood", "wanted one of up, down, found sideways"),
        (Leaf, '{"name": "a", "mood": ["up"]}', "mood", "wanted one of up, down"),
        (Leaf, "[]", WHOLE, "wanted an object, found []"),
        (Tree, '{"leaves": {}}', "leaves", "wanted a list, found {}"),
        (Tree, '{"leaves": "ab"}', "leaves", "wanted a list, found ab"),
        (Tree, '{"leaves": [{"name": "a"}, {"name": "b", "mood": 1}]}', "leaves[1].mood", "wanted one of up, down"),
        (Tree, '{"pair": ["a"]}', "pair", "wanted a list of 2, found 1 items"),
        (Tree, '{"pair": ["a", "b"]}', "pair[1]", "wanted a number, found b"),
        (Tree, '{"either": {}}', "either.name", "wanted this field, found nothing"),
        (Tree, '{"either": {"gone": false}}', "either.gone", "wanted one of True, found false"),
        (Tree, '{"either": {"gone": 1}}', "either.gone", "wanted one of True, found 1"),
        (Tree, '{"choice": "c"}', "choice", "wanted one of a, b, 3, found c"),
        (Tree, '{"choice": 3.0}', "choice", "wanted one of a, b, 3"),
        (Tree, '{"sure": 1}', "sure", "wanted true or false, found 1"),
        (Tree, '{"sure": null}', "sure", "wanted true or false, found null"),
        (Tree, '{"word_or_count": 1.5}', "word_or_count", "wanted a whole number or text, found 1.5"),
        (Tree, '{"by_mood": {"no": 1}}', "by_mood.no", "wanted one of up, down"),
        (Tree, '{"by_mood": {"up": "x"}}', "by_mood.up", "wanted a number, found x"),
        (Tree, '{"by_name": {"x": [{"name": "a", "no": 1}]}}', "by_name.x[0].no", "found an unknown field"),
        (Tree, '{"free": 1}', "free", "wanted an object, found 1"),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(wanted: Any, text: str, at: str, message: str) -> None:
    fault = misfit(wanted, text)
    assert fault.at == at
    assert message in str(fault)


def test_an_endless_number_costs_nothing() -> None:
    for text in ("1e999999999", "-1e-999999999", '"1e999999999"', "1e99999999999999999999"):
        with pytest.raises(form.Misfit):
            form.read(int, form.loads(text))


def test_a_message_is_short_and_printable() -> None:
    fault = misfit(Leaf, json.dumps({"name": "a", "mood": "\x1b[31m" + "x" * 10_000}))
    assert len(str(fault)) < 200
    assert str(fault).isprintable()
    assert "\x1b" not in str(misfit(Leaf, json.dumps({"name": "a", "\x1b]0;": 1})))


def test_shown_says_nothing_where_nothing_is() -> None:
    assert (form.shown(""), form.shown(None), form.shown(b"\xff")) == ("nothing", "null", "\ufffd")


# --- shapes ------------------------------------------------------------------------------------


def test_a_union_takes_the_shape_that_the_keys_say() -> None:
    assert form.read(Tree, {"either": {"name": "a"}}).either == Leaf("a")
    assert form.read(Tree, {"either": {"gone": True}}).either == Gone()
    assert form.read(Tree, {"either": None}).either is None


def test_a_tag_must_stand_there() -> None:
    assert misfit(Gone, "{}").at == "gone"
    assert form.schema(Gone)["required"] == ["gone"]


def test_a_union_keeps_the_type_that_was_written() -> None:
    assert form.read(Tree, {"word_or_count": "12"}).word_or_count == "12"
    assert form.read(Tree, {"word_or_count": 12}).word_or_count == 12


def test_an_enum_may_read_more_than_it_writes() -> None:
    assert form.read(Leaf, {"name": "a", "mood": "DOWN"}).mood is Mood.DOWN
    assert form.write(Mood.DOWN) == "down"


def test_a_whole_number_may_be_written_as_a_decimal() -> None:
    assert form.read(tuple[int, ...], form.loads('[2.0, 2e1, "3", -0.0]')) == (2, 20, 3, 0)


def test_the_claims_read_as_published() -> None:
    vote = form.read(Vote, form.loads('{"action_type": " flip ", "new_value": {"polarity": "positive", "by": [1]}}'))
    assert vote.new_value == {"polarity": "positive", "by": [1]}
    ballot = form.read(Ballot, form.loads('{"A": {"absent": true}, "B": null, "C": {"action_type": "KEEP"}}'))
    assert (ballot.A, ballot.B, type(ballot.C)) == (Absent(), None, Vote)
    with pytest.raises(form.Misfit, match=r"A\.action_type"):
        form.read(Ballot, form.loads('{"A": {}}'))


@dataclass(frozen=True)
class Wrong:
    many: list[int]
    real: float


@pytest.mark.parametrize("wanted", [Wrong, float, set[int], list[str], dict, bytes])
def test_a_type_that_is_not_for_json_is_the_callers_mistake(wanted: Any) -> None:
    with pytest.raises(TypeError, match="wanted a frozen dataclass"):
        form.read(wanted, {})


@pytest.mark.parametrize("value", [{1, 2}, b"x", object(), (1, {2})])
def test_a_value_that_is_not_for_json_is_the_callers_mistake(value: object) -> None:
    with pytest.raises(TypeError, match="can stand in JSON"):
        form.dumps(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_no_nan_is_ever_written(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        form.dumps({"x": value})


def test_fields_keep_their_declared_order() -> None:
    assert list(form.write(Leaf("a"))) == ["name", "count", "share", "mood"]
    assert form.dumps(Leaf("뜻")) == '{"name":"뜻","count":0,"share":"0.5","mood":"up"}'


def test_a_digest_takes_any_text() -> None:
    assert len(form.digest("\ud800")) == 64
    assert form.digest("a") != form.digest("b")


def test_within_is_closed() -> None:
    assert [number in form.Within(0, 1) for number in (-1, 0, 1, 2)] == [False, True, True, False]
    assert 10**9 in form.Within(3)
    assert (str(form.Within(0, 1)), str(form.Within(3))) == ("from 0 to 1", "of at least 3")


def test_a_mapping_of_a_field_is_a_mapping() -> None:
    assert isinstance(form.read(Tree, {"by_name": {"a": []}}).by_name, Mapping)
