"""Words of one's own find their term, the longest cue first; what finds none is a key of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims.vocabulary import Term, Vocabulary
from withstood.lexicons import inquiry

AGREED = inquiry.agreed()
SMALL = Vocabulary(
    (
        Term("time", {"en": "Time", "ko": "시간"}, ("timeout", "시간 초과")),
        Term("retry", {"en": "Retry"}, ("retry", "timeout of a retry")),
    )
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("retry", "retry"),
        ("The TIMEOUT is wrong", "time"),
        ("a timeout of a retry", "retry"),
        ("timeouts", "timeouts"),
        ("시간 초과가 원인", "time"),
        ("", ""),
        ("the pool of the blue", "blue pool"),
        ("blue pool!", "blue pool"),
    ],
)
def test_keys(text: str, key: str) -> None:
    assert SMALL.key(text) == key


@pytest.mark.parametrize("vocabulary", [AGREED.causes, AGREED.directions])
def test_every_id_and_every_name_is_its_own_key(vocabulary: Vocabulary) -> None:
    for term in vocabulary.terms:
        assert vocabulary.key(term.id) == term.id
        assert vocabulary.key(term.id.replace("-", " ").upper()) == term.id
        for name in term.names.values():
            assert vocabulary.key(name) == term.id
        for cue in term.cues:
            assert vocabulary.key(cue) == term.id, cue


@given(st.lists(st.sampled_from("blue pool of water runs dry".split()), min_size=1))
def test_the_order_of_words_does_not_count(words: list[str]) -> None:
    assert SMALL.key(" ".join(words)) == SMALL.key(" ".join(reversed(words)))
