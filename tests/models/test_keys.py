"""A key leaves no trace in a message."""

from __future__ import annotations

import sys
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.models.keys import Key, from_keyring

SIGNS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60)


@given(SIGNS, st.text(max_size=40), st.text(max_size=40))
def test_the_key_is_taken_out_wherever_it_stands(key: str, before: str, after: str) -> None:
    left = Key("V", key).taken_out(f"{before}{key}{after}")
    assert key not in left.replace("[key]", "")


@given(st.text(st.sampled_from("abcdef0123"), min_size=12, max_size=40), st.integers(0, 20), st.integers(6, 20))
def test_so_is_every_piece_of_six(key: str, start: int, length: int) -> None:
    piece = key[start : start + length]
    if len(piece) >= 6:
        assert Key("V", key).taken_out(f"x {piece} y") == "x [key] y"


def test_its_text_shows_in_no_repr() -> None:
    assert "secret" not in repr(Key("V", "secret"))


def keyring_module(monkeypatch: pytest.MonkeyPatch, locked: bool) -> None:
    class KeyringError(Exception):
        pass

    def get_password(service: str, user: str) -> str:
        if locked:
            raise KeyringError
        return f"{service}/{user}"

    faults = types.ModuleType("keyring.errors")
    vars(faults)["KeyringError"] = KeyringError
    keyring = types.ModuleType("keyring")
    vars(keyring)["get_password"] = get_password
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setitem(sys.modules, "keyring.errors", faults)


@pytest.mark.parametrize(("locked", "found"), [(False, "withstood/VAR"), (True, None)])
def test_a_keyring_that_is_open_and_one_that_is_locked(
    monkeypatch: pytest.MonkeyPatch, locked: bool, found: str | None
) -> None:
    keyring_module(monkeypatch, locked)
    assert from_keyring("VAR") == found


def test_no_keyring_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert from_keyring("VAR") is None
