"""Investigator ids are printed as they are read, and name the same voice in every round."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims import iid
from withstood.claims.iid import Iid
from withstood.errors import Misfit

names = st.from_regex(r"[A-Z][A-Z0-9]{0,12}", fullmatch=True)


@given(st.builds(Iid, names, names, st.integers(1, 99), st.booleans()))
def test_what_is_printed_reads_back(one: Iid) -> None:
    assert iid.parse(str(one)) == one
    assert iid.voice(str(one)) == one.voice


@pytest.mark.parametrize(
    "text", ["", "CODE", "CODE-CALLCHAIN", "code-callchain-R1", "CODE-CALLCHAIN-R0", "CODE-A-R1-DEEPER"]
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(Misfit, match="CODE-CALLCHAIN-R1"):
        iid.parse(text)


def test_a_deep_dive_is_the_same_voice_and_a_challenger_is_known() -> None:
    assert iid.voice("CODE-CALLCHAIN-R1") == iid.voice("CODE-CALLCHAIN-R3-DEEP") == "CODE-CALLCHAIN"
    assert iid.is_challenger("CR-AGREED-R3")
    assert not iid.is_challenger("CODE-CRASH-R1")
