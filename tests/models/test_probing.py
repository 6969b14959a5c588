"""One tiny call."""

from __future__ import annotations

import asyncio

import pytest

from tests.fakes.models import ListedModel
from withstood.errors import CallFailed
from withstood.models.port import Reply
from withstood.models.probing import probe


def test_a_probe_says_what_came_back() -> None:
    told = asyncio.run(probe(ListedModel(Reply('{"ok": true}', 12, 4))))
    assert "listed:model" in told and '{"ok": true}' in told and "12 tokens in, 4 out" in told


def test_a_probe_lets_errors_pass() -> None:
    with pytest.raises(CallFailed):
        asyncio.run(probe(ListedModel(CallFailed("down", again=True))))
