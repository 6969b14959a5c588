"""The prompt files: every blank is filled, every rule of a role is said, data cannot become markup."""

from __future__ import annotations

import hashlib
import re
from importlib import resources

import jinja2
import pytest

from withstood.agents.prompted import prompts
from withstood.agents.prompted.agent import ROLES
from withstood.errors import Misfit
from withstood.protocols.briefs import READERS, REVIEWERS, SINGLE

LANGUAGES = prompts.LANGUAGES
READING = (*READERS, SINGLE)
TAXONOMIES = [("제품 전체#일반", "본품#품질"), ("product#general", "product#price"), ("food#quality",), ()]
FILLED = {"text": '"x"', "given": "[]", "candidates": "[]", "flags": "[]", "risks": "[]", "memory": ""}

REASONS = {
    "A": ("NEGATION_SCOPE", "CONTRAST_CLAUSE", "STRUCTURAL_INCONSISTENT", "POLARITY_UNCERTAIN", "KEEP_BEST_SUPPORTED"),
    "B": ("IMPLICIT_ASPECT", "WEAK_INFERENCE", "ASPECT_REF_MISMATCH", "STRUCTURAL_INCONSISTENT"),
    "C": (
        *("WEAK_EVIDENCE", "EXPLICIT_NOT_REQUIRED", "DUPLICATE_TUPLE", "POLARITY_UNCERTAIN"),
        *("granularity_overlap_candidate", "REDUNDANT_UPPER_REF", "REDUNDANT_REF_UNCERTAIN"),
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_a_prompt_has_two_parts_and_names_its_form(role: str, language: str) -> None:
    system = prompts.system(role, language, TAXONOMIES[0])
    user = prompts.user(role, language, FILLED)
    assert "JSON" in system and prompts.MARKER not in system + user
    assert ('{"triplets"' if role in READING else '{"review_actions"') in system
    assert "{{" not in system + user and "{%" not in system + user
    assert "\n\n\n" not in system + user


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", ROLES)
def test_both_languages_ask_for_the_same_fields_and_codes(role: str, language: str) -> None:
    other = prompts.system(role, "en" if language == "ko" else "ko", ())
    codes = re.compile(r"\b[A-Z]{3,}(?:_[A-Z]+)*\b|\b[a-z]+(?:_[a-z]+)+\b", re.ASCII)
    assert set(codes.findall(prompts.system(role, language, ()))) == set(codes.findall(other))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", READING)
def test_targets_that_are_given_are_shown_as_data_and_others_are_not_mentioned(role: str, language: str) -> None:
    target = '[{"aspect_term": "{{ lamp }}"}]'
    shown = prompts.user(role, language, {**FILLED, "given": target})
    assert target in shown and "\n\n\n" not in shown
    assert len(prompts.user(role, language, FILLED).splitlines()) < len(shown.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", REVIEWERS)
def test_a_reviewer_is_told_its_codes_and_every_action(role: str, language: str) -> None:
    system = prompts.system(role, language, ())
    for word in (*REASONS[role], "KEEP", "DROP", "FLIP", "MERGE", "FLAG", "FORMAT_INCOMPLETE", "flags", "risks"):
        assert word in system


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", READING)
@pytest.mark.parametrize("refs", TAXONOMIES)
def test_the_escape_hatch_is_there_where_the_taxonomy_has_one(role: str, language: str, refs: tuple[str, ...]) -> None:
    system = prompts.system(role, language, refs)
    general = [ref for ref in refs if ref.endswith(("#일반", "#general"))]
    assert [system.count(ref) for ref in refs] == [2 if ref in general else 1 for ref in refs]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("role", [*ROLES, prompts.REPAIR])
def test_the_digest_is_that_of_the_file(role: str, language: str) -> None:
    file = resources.files("withstood.agents.prompted") / "prompts" / language / f"{role}.md"
    assert prompts.prompt(role, language).digest == hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("role", ROLES)
def test_a_blank_that_is_not_filled_is_a_fault(role: str) -> None:
    with pytest.raises(jinja2.UndefinedError):
        prompts.user(role, "ko", {})


def test_data_is_never_read_as_a_template() -> None:
    text = '"{{ 7 * 7 }} {% for x in y %} <b>&amp;"'
    assert text in prompts.user("P-NEG", "en", {"text": text, "given": "[]"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_repair_tells_place_wanted_found_and_is_bounded(language: str) -> None:
    told = prompts.repair(language, Misfit("triplets[0].confidence", "a number", "high"), {"type": "object"})
    for part in ("triplets[0].confidence", "a number", "high", '{"type": "object"}'):
        assert part in told
    assert len(prompts.repair(language, Misfit("x" * 10**6, "y" * 10**6, "z" * 10**6), {})) < 2000


def test_a_role_without_a_prompt() -> None:
    with pytest.raises(KeyError, match="no prompt"):
        prompts.prompt("Z", "ko")
