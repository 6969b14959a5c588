"""Answers from a file: which line answers whom, what is refused, what was left over."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.calls import call
from withstood.errors import InputError
from withstood.models.port import Price, Reply
from withstood.models.scripted import NOT_SCRIPTED, Scripted


def written(folder: Path, *lines: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def answers(path: Path, *seats: tuple[str, str, int]) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        model = Scripted(path)
        found = [await model.complete(replace(call(), case=case, role=role, round=no)) for case, role, no in seats]
        await model.close()
        return found

    return asyncio.run(all_of_them())


def test_each_seat_gets_its_own_line(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"case": "1", "role": "A", "answer": {"n": 1}},
        {"case": "1", "role": "A", "round": 2, "answer": {"n": 2}},
        "",
        {"case": "*", "role": "A", "answer": {"n": 3}},
        {"case": "2", "role": "A", "silent": "away"},
        {"case": "*", "role": "B", "silent": "off"},
    )
    asked = [("1", "A", 1), ("1", "A", 2), ("2", "A", 1), ("3", "A", 1), ("1", "B", 1), ("1", "C", 1), ("1", "A", 3)]
    found = answers(path, *asked)
    assert [reply.text for reply in found] == [
        '{"n":1}',
        '{"n":2}',
        "away",
        '{"n":3}',
        "off",
        NOT_SCRIPTED,
        NOT_SCRIPTED,
    ]
    assert [reply.finish for reply in found] == ["stop", "stop", "refused", "stop", "refused", "refused", "refused"]
    assert {(reply.tokens_in, reply.tokens_out) for reply in found} == {(0, 0)}


def test_a_case_may_be_a_number(tmp_path: Path) -> None:
    assert answers(written(tmp_path, {"case": 7, "role": "A", "answer": {}}), ("7", "A", 1))[0].text == "{}"


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text() | st.booleans() | st.none(), max_size=4))
def test_an_answer_arrives_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, answer: dict[str, Any]) -> None:
    line = json.dumps({"case": "1", "role": "A", "answer": answer}, ensure_ascii=True)
    reply = answers(written(tmp_path_factory.mktemp("script"), line), ("1", "A", 1))[0]
    assert json.loads(reply.text) == answer


def test_decimals_keep_every_digit(tmp_path: Path) -> None:
    line = '{"case": "1", "role": "A", "answer": {"confidence": 0.70000000000000000001}}'
    assert "0.70000000000000000001" in answers(written(tmp_path, line), ("1", "A", 1))[0].text


def test_what_answered_nothing_is_told(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *({"case": case, "role": "A", "answer": {}} for case in ("1", "2")),
        {"case": "*", "role": "B", "silent": ""},
    )

    async def left() -> list[str]:
        model = Scripted(path)
        await model.complete(replace(call(), case="2", role="A"))
        found = list(model.unused())
        assert model.count_unused() == len(found)
        await model.close()
        return found

    assert asyncio.run(left()) == [f"{path}:1 1 A 1", f"{path}:3 * B 1"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "wanted JSON"),
        ("[]", "an object"),
        ('{"case": "1", "role": "A"}', "neither"),
        ('{"case": "1", "role": "A", "answer": {}, "silent": "x"}', "both"),
        ('{"role": "A", "answer": {}}', "case"),
        ('{"case": "1", "answer": {}}', "role"),
        ('{"case": "1", "role": "A", "round": 0, "answer": {}}', "round"),
        ('{"case": "1", "role": "A", "round": "x", "answer": {}}', "round"),
        ('{"case": "1", "role": "A", "answer": []}', "answer"),
        ('{"case": "1", "role": "A", "answer": {}, "more": 1}', "more"),
        ('{"case": "1", "case": "2", "role": "A", "answer": {}}', "the same key twice"),
        ('{"case": "0", "role": "A", "answer": {}}', "again, after line 1"),
        ('{"case": "1", "role": "A", "answer": {"x": NaN}}', "NaN"),
    ],
)
def test_a_bad_line_is_told_by_its_place(tmp_path: Path, line: str, says: str) -> None:
    path = written(tmp_path, {"case": "0", "role": "A", "answer": {}}, "", line)
    with pytest.raises(InputError) as caught:
        Scripted(path)
    assert f"{path}:3:" in str(caught.value) and says in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the script"):
        Scripted(tmp_path / "none.jsonl")


def test_a_file_that_changes_while_it_is_used(tmp_path: Path) -> None:
    path = written(tmp_path, {"case": "1", "role": "A", "answer": {}})

    async def changed() -> None:
        model = Scripted(path)
        written(tmp_path, {"case": "2", "role": "A", "answer": {}})
        try:
            await model.complete(replace(call(), case="1", role="A"))
        finally:
            await model.close()

    with pytest.raises(InputError, match="the line that was there when the file was opened"):
        asyncio.run(changed())


def test_the_name_tells_the_content_and_hides_the_folder(tmp_path: Path) -> None:
    one = Scripted(written(tmp_path, {"case": "1", "role": "A", "answer": {}}))
    other = Scripted(written(tmp_path, {"case": "2", "role": "A", "answer": {}}))
    assert one.name.startswith("scripted:answers.jsonl@") and one.name != other.name
    assert str(tmp_path) not in one.name
    assert one.price == Price()
    asyncio.run(one.close())
    asyncio.run(other.close())
