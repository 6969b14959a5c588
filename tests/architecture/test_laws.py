"""The laws hold in every room they are for, and each can be broken."""

from __future__ import annotations

import ast

import pytest

from tests.architecture import laws

BY_NAME = [pytest.param(law, id=law.name) for law in laws.LAWS]


@pytest.mark.parametrize("law", BY_NAME)
def test_holds(law: laws.Law) -> None:
    offences = [
        f"{path.relative_to(laws.SOURCE)}:{line}: {what}"
        for path in laws.modules(law.rooms)
        for line, what in law.find(ast.parse(path.read_text("utf-8")))
    ]
    assert offences == [], f"{law.name}:\n" + "\n".join(offences)


@pytest.mark.parametrize("law", BY_NAME)
def test_tells_broken_from_kept(law: laws.Law) -> None:
    assert [sample for sample in law.broken if not list(law.find(ast.parse(sample)))] == []
    assert [sample for sample in law.kept if list(law.find(ast.parse(sample)))] == []


def test_modules_are_named_for_what_they_are() -> None:
    vague = [path for path in laws.modules(laws.EVERYWHERE) if laws.words(path.stem) & laws.VAGUE]
    assert vague == []


def test_every_pure_room_is_looked_at() -> None:
    for room in laws.PURE:
        assert laws.modules((room,)), f"no module found in {room}"
