"""What is said of a target that is given."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.agents.programmed.test_readers import ANOTHER, LANGUAGES, TEXTS
from withstood.agents.programmed.analysis import lowered, weigh

CASES = [
    ("The soup was great but the service was slow.", {"soup": "positive", "service": "negative"}),
    ("The soup came at six, the bread was good.", {"soup": "neutral", "bread": "positive"}),
    ("The soup was tasty. The soup was cold.", {"soup": "positive"}),
]


@pytest.mark.parametrize(("text", "term", "wanted"), [(t, term, p) for t, said in CASES for term, p in said.items()])
def test_weighs_what_is_said_of_it(text: str, term: str, wanted: str) -> None:
    analysis = ANOTHER.look(text, "en")
    assert analysis is not None
    begin = text.find(term)
    assert weigh(analysis, begin, begin + len(term)) == wanted


@given(TEXTS)
def test_lower_case_keeps_every_sign_at_its_place(text: str) -> None:
    assert len(lowered(text)) == len(text)


@given(TEXTS, LANGUAGES)
def test_sightings_stand_in_order_inside_their_clauses(text: str, language: str) -> None:
    analysis = ANOTHER.look(text, language)
    assert analysis is not None
    begins = [sighting.begin for sighting in analysis.sightings]
    assert begins == sorted(begins)
    for sighting in analysis.sightings:
        assert sighting.clause in analysis.clauses
        assert sighting.clause[0] <= sighting.begin < sighting.end <= sighting.clause[1]
