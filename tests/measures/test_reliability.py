"""Shares with their intervals, by what was said and by how sure it was said."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from withstood.measures.reliability import Claim, by_confidence, by_word, expected_error, wilson

CLAIMS = st.lists(
    st.builds(
        Claim,
        st.text(max_size=3),
        st.sampled_from(["Confirmed", "Likely", "Uncertain"]),
        st.booleans(),
        st.none() | st.decimals("0", "1", places=2),
    ),
    max_size=40,
)


@given(CLAIMS)
def test_every_claim_is_in_one_bin(claims: list[Claim]) -> None:
    words, steps = by_word(claims), by_confidence(claims)
    assert sum(one.count for one in words) == len(claims)
    assert sum(one.right for one in words) == sum(claim.right for claim in claims)
    assert sum(one.count for one in steps) == sum(claim.stated is not None for claim in claims)
    for one in (*words, *steps):
        assert one.share is not None
        assert 0 <= one.low <= one.share <= one.high <= 1
    error = expected_error(steps)
    assert error is None or 0 <= error <= 1


def test_known_intervals() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(8, 10) == (Decimal("0.4902"), Decimal("0.9433"))
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1


def test_what_is_stated_exactly_right_has_no_error() -> None:
    claims = [Claim(str(no), "x", no < 8, Decimal("0.8")) for no in range(10)]
    assert expected_error(by_confidence(claims)) == 0
    assert by_confidence(claims)[0].name == "0.8-0.9"
