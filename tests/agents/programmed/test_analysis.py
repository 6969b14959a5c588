"""What an analysis promises, whatever the text."""

from __future__ import annotations

from hypothesis import given

from tests.agents.programmed.test_readers import ANOTHER, LANGUAGES, TEXTS
from withstood.agents.programmed.analysis import lowered


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
