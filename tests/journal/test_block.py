"""Blocks: what is packed comes back as it was, and what was not packed is no block."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.journal.block import Block, pack, rows_of, unpack
from withstood.journal.port import Kept, Record, link, seed

words = st.text(st.characters(), max_size=20)
kept = st.builds(
    Kept,
    st.integers(1, 2**40),
    st.builds(Record, words, st.integers(0, 2**40), words, st.none() | words),
    words,
)


@given(words, st.lists(kept, max_size=5))
def test_any_block_comes_back(before: str, rows: list[Kept]) -> None:
    assert unpack(pack(Block(before, rows))) == Block(before, rows)


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"no zlib",
        zlib.compress(b"no json"),
        zlib.compress(b"{}"),
        zlib.compress(b'["",[1]]'),
        zlib.compress(b'["",[[1,2]]]'),
        zlib.compress(b"\xff"),
        zlib.compress(b"[" * 100_000),
    ],
)
def test_in_the_place_of_what_is_no_block_stands_what_no_chain_takes(packed: bytes) -> None:
    assert unpack(packed) is None
    assert rows_of([(7, packed)]) == [Kept(7, Record("", 0, ""), "")]


def chained(*records: Record) -> Block:
    rows, before = list[Kept](), seed("one")
    for seq, record in enumerate(records, start=1):
        before = link(before, seq, record)
        rows.append(Kept(seq, record, before))
    return Block(seed("one"), rows)


def test_an_answer_is_found_in_its_block_if_it_is_as_it_was_written() -> None:
    one, two = Record("answer", 1, "{}", "first"), Record("answer", 2, "{}", "second")
    block = chained(one, two)
    assert block.find("first") == one
    assert block.find("second") == two
    assert block.find("third") is None
    forged = block.rows[1]._replace(record=two._replace(body="[]"))
    assert Block(block.before, [block.rows[0], forged]).find("second") is None
    assert Block("another", block.rows).find("first") is None
