"""Every seat has its prompt in both languages."""

from __future__ import annotations

import pytest

from tests.architecture.laws import SOURCE
from withstood.agents.prompted import frames, researcher
from withstood.protocols import briefs, debate_briefs, investigation_briefs

PROMPTS = SOURCE / "agents" / "prompted" / "prompts"
DEBATED = {*debate_briefs.STAGE1, debate_briefs.SPEAKER, debate_briefs.RAPPORTEUR, *debate_briefs.STAGE2}
SEATS = {
    *DEBATED,
    *briefs.READERS,
    *briefs.REVIEWERS,
    briefs.SINGLE,
    *frames.FRAMES,
    *researcher.ROLES,
    frames.LOOKED,
    investigation_briefs.PLAN,
}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_seat_has_a_prompt(language: str) -> None:
    written = {path.stem: path.read_text("utf-8") for path in (PROMPTS / language).glob("*.md")}
    assert written.keys() >= SEATS
    assert [name for name, text in written.items() if not text.strip()] == []


def test_both_languages_have_the_same_prompts() -> None:
    korean, english = ({path.name for path in (PROMPTS / language).iterdir()} for language in ("ko", "en"))
    assert korean == english
