"""What our writer of YAML writes, another reader reads back as it was."""

from __future__ import annotations

from typing import Any

import pytest
import yaml as reader
from hypothesis import given
from hypothesis import strategies as st

from withstood.report import yaml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(TEXTS, st.integers(-(10**9), 10**9), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_what_is_written_is_read_back(value: dict[str, Any]) -> None:
    assert (reader.safe_load(yaml.dump(value)) or {}) == value


@pytest.mark.parametrize(
    "text", ["no", "1.0", "2026-01-01", "!!python/object:os.system", "a: b\n- c", "\u2028", "~", "&a", ""]
)
def test_a_text_stays_a_text(text: str) -> None:
    assert reader.safe_load(yaml.dump({"said": text, text: [text]})) == {"said": text, text: [text]}


def test_half_a_character_is_no_character() -> None:
    assert reader.safe_load(yaml.dump({"said": "a\ud800b"})) == {"said": "a\ufffdb"}
