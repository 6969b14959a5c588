"""The rulebook: presets, settings, and a hash that says what decided."""

from __future__ import annotations

import dataclasses
import itertools
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood import form
from withstood.errors import Misfit
from withstood.rules.rulebook import ARBITERS, PRESETS, Rulebook
from withstood.rules.table import NoNumbers

# Written down by hand. A change here is a change of what a recorded run says of its rules.
PUBLISHED = "1b71308ee2e384707ab159805f81a8437df4acaa53c00d3dd2a8cbee74157d90"
STRICT = "f6dd89d1fda5911b36c7aaa094ca8040ae437d26e6585c308b5a7db9d3836582"

DEFAULTS = {
    "arbiter.edition": "v2",
    "arbiter.reason_gate": "off",
    "arbiter.reliability": "",
    "conflicts.mode": "primary_secondary",
    "conflicts.theta": "0.6",
    "conflicts.semantic": "off",
    "conflicts.granularity": "off",
    "review.scope": "flagged",
    "review.when": "flagged",
    "review.flags": "shown",
    "override.min_total": "1.6",
    "override.min_margin": "0.8",
    "override.min_target_conf": "0.7",
    "gates.max_one": "off",
    "gates.neutral_only": "off",
    "gates.evidence": "off",
    "gates.l3_conservative": "off",
    "gates.implicit_soft_only": "off",
    "gates.adoption": "off",
    "gates.ev_threshold": "0.5",
    "moderator.edition": "1",
    "moderator.feeder": "aggregate",
    "debate.held": "on",
    "debate.rounds": "2",
    "debate.order": "analyst critic empath",
    "debate.blind_first_round": "off",
    "debate.stance": "stated",
    "debate.override": "on",
    "debate.stage2": "on",
    "debate.validator": "on",
    "debate.moderator": "on",
    "single.passes": "1",
    "memory.condition": "M0",
    "memory.view": "start",
    "memory.topk": "3",
    "memory.gate": "on",
    "memory.cap": "0",
    "research.unchecked": "kept",
    "authority.edition": "1",
    "authority.paper": "",
    "authority.official": "",
    "authority.blog": "",
    "authority.forum": "",
    "strength.edition": "1",
    "strength.base_a": "0.5",
    "strength.base_b": "0.4",
    "strength.per_support": "0.1",
    "strength.per_contradiction": "0.15",
    "strength.per_domain": "0.03",
    "strength.domain_cap": "0.15",
    "verification.verify_at": "0.65",
    "verification.reject_under": "0.25",
    "verification.visits": "2",
    "verification.strong": "0.5",
    "selection.conflict_tries": "3",
    "selection.conflict_pause": "5",
    "selection.min_move": "0.01",
    "selection.broad_under": "5",
    "thesis.tested_at": "0.55",
    "evidence.drift": "8",
    "evidence.struck_percent": "50",
    "grouping.near": "3",
    "grouping.touching": "2",
    "mass.strong": "3",
    "mass.moderate": "2",
    "mass.weak": "1",
    "mass.factor": "2",
    "mass.gap": "3",
    "mass.edition": "1",
    "mass.reliability": "",
    "rows.without": "",
}
OTHERS = {
    "arbiter.edition": "v1",
    "arbiter.reason_gate": "on",
    "conflicts.mode": "primary",
    "conflicts.theta": "0.75",
    "conflicts.semantic": "on",
    "conflicts.granularity": "on",
    "review.scope": "any",
    "review.when": "always",
    "review.flags": "hidden",
    "override.min_total": "1",
    "override.min_margin": "0.5",
    "override.min_target_conf": "0.6",
    "gates.max_one": "on",
    "gates.neutral_only": "on",
    "gates.evidence": "on",
    "gates.l3_conservative": "on",
    "gates.implicit_soft_only": "on",
    "gates.adoption": "on",
    "gates.ev_threshold": "0.25",
    "moderator.edition": "2",
    "moderator.feeder": "distinct",
    "debate.held": "off",
    "debate.rounds": "3",
    "debate.order": "empath critic",
    "debate.blind_first_round": "on",
    "debate.stance": "persona",
    "debate.override": "off",
    "debate.stage2": "off",
    "debate.validator": "off",
    "debate.moderator": "off",
    "single.passes": "5",
    "memory.condition": "C2_eval_only",
    "memory.view": "running",
    "memory.topk": "1",
    "memory.gate": "off",
    "memory.cap": "300",
    "research.unchecked": "dropped",
    "authority.edition": "2",
    "authority.paper": "journal.example",
    "authority.official": "vendor.example",
    "authority.blog": "blog.example",
    "authority.forum": "forum.example",
    "strength.edition": "2",
    "strength.base_a": "0.55",
    "strength.base_b": "0.45",
    "strength.per_support": "0.2",
    "strength.per_contradiction": "0.25",
    "strength.per_domain": "0.04",
    "strength.domain_cap": "0.2",
    "verification.verify_at": "0.7",
    "verification.reject_under": "0.3",
    "verification.visits": "3",
    "verification.strong": "0.6",
    "selection.conflict_tries": "4",
    "selection.conflict_pause": "6",
    "selection.min_move": "0.02",
    "selection.broad_under": "6",
    "thesis.tested_at": "0.6",
    "evidence.drift": "3",
    "evidence.struck_percent": "25",
    "grouping.near": "0",
    "grouping.touching": "0",
    "mass.strong": "5",
    "mass.moderate": "3",
    "mass.weak": "0.5",
    "mass.factor": "1.5",
    "mass.gap": "2",
    "mass.edition": "w1",
    "mass.reliability": "CODE-CALLCHAIN:0.9;LOG:0.6",
    "rows.without": "arbiter-v2:1a;judgement-1:3",
}


def test_published_is_the_default_and_says_what_the_specification_says() -> None:
    assert PRESETS["published"] == Rulebook()
    assert Rulebook().settings() == DEFAULTS


def test_strict_keeps_prose_and_self_declared_codes_away() -> None:
    assert sorted(PRESETS) == ["published", "strict"]
    editions = dict.fromkeys(("moderator.edition", "authority.edition", "strength.edition"), "2")
    others = {"arbiter.reason_gate": "on", "research.unchecked": "dropped", "debate.stance": "persona"}
    assert PRESETS["strict"].settings() == DEFAULTS | others | editions
    assert PRESETS["strict"].preset == "strict"


def test_hashes_stand_as_they_were_written_down() -> None:
    assert (PRESETS["published"].hash, PRESETS["strict"].hash) == (PUBLISHED, STRICT)


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_the_hash_is_the_same_in_another_process(seed: str) -> None:
    asked = "from withstood.rules.rulebook import PRESETS; print(*[book.hash for book in PRESETS.values()])"
    said = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
    )
    assert said.stdout.decode().split() == [PUBLISHED, STRICT]


@given(st.permutations(sorted(OTHERS)), st.integers(0, 8))
def test_the_order_of_settings_changes_nothing(names: list[str], most: int) -> None:
    chosen = {name: OTHERS[name] for name in names[:most]}
    book = Rulebook().adjusted(chosen)
    again = Rulebook().adjusted(dict(sorted(chosen.items())))
    assert (book, book.hash) == (again, again.hash)
    assert book.settings() == DEFAULTS | chosen


def test_every_setting_changes_the_hash() -> None:
    some = [(), *itertools.combinations(OTHERS, 1), *itertools.combinations(OTHERS, 2)]
    hashes = {Rulebook().adjusted({name: OTHERS[name] for name in names}).hash for names in some}
    assert len(hashes) == len(some)


def test_a_rulebook_comes_back_from_its_text() -> None:
    for book in [*PRESETS.values(), Rulebook().adjusted(OTHERS)]:
        assert form.read(Rulebook, form.loads(form.dumps(book))) == book
        assert form.read(Rulebook, form.loads(form.dumps(book))).hash == book.hash


@pytest.mark.parametrize("spelling", ["0.75", "0.750", "75e-2", "0.75000000000000000000000000000000000000"])
def test_equal_numbers_have_equal_hashes(spelling: str) -> None:
    assert Rulebook().adjusted({"conflicts.theta": spelling}).hash == Rulebook().adjusted(OTHER_THETA).hash


OTHER_THETA = {"conflicts.theta": "0.75"}


def test_an_edition_may_be_named_short() -> None:
    assert Rulebook().adjusted({"arbiter": "v1"}) == Rulebook().adjusted({"arbiter.edition": "v1"})


def test_the_later_of_two_changes_counts() -> None:
    assert Rulebook().adjusted({"arbiter": "v1", "arbiter.edition": "v2"}).arbiter.edition == "v2"


@pytest.mark.parametrize(
    ("name", "value", "at", "wanted"),
    [
        ("arbiter", "v3", "arbiter.edition", "one of v1, v2"),
        ("arbiter", "", "arbiter.edition", "one of v1, v2"),
        ("arbiter.edition", "V1", "arbiter.edition", "one of v1, v2"),
        ("arbiter.reason_gate", "yes", "arbiter.reason_gate", "one of off, on"),
        ("review.scope", "all", "review.scope", "one of flagged, any"),
        ("review.when", "never", "review.when", "one of flagged, always"),
        ("conflicts.mode", "secondary", "conflicts.mode", "one of primary, primary_secondary"),
        ("conflicts.theta", "1.01", "conflicts.theta", "a number from 0 to 1"),
        ("conflicts.theta", "-0.01", "conflicts.theta", "a number from 0 to 1"),
        ("conflicts.theta", "NaN", "conflicts.theta", "a number"),
        ("conflicts.theta", "half", "conflicts.theta", "a number"),
        ("conflicts.theta", "", "conflicts.theta", "a number"),
        ("conflicts", "on", "conflicts", "one of the settings conflicts.mode, "),
        ("review.scopes", "any", "review.scopes", "one of the settings "),
        ("preset", "strict", "preset", "a setting of one of the sections arbiter, "),
        ("", "x", "the whole", "a setting of one of the sections arbiter, "),
        ("arbiter.edition.edition", "v1", "arbiter.edition.edition", "one of the settings "),
    ],
)
def test_a_wrong_setting_is_refused_at_its_place(name: str, value: str, at: str, wanted: str) -> None:
    with pytest.raises(Misfit) as caught:
        Rulebook().adjusted({"review.when": "always", name: value})
    assert caught.value.at == at
    assert caught.value.wanted.startswith(wanted)


def test_a_rulebook_is_frozen() -> None:
    book: Any = Rulebook()
    for part, name in [(book, "preset"), (book, "arbiter"), (book.arbiter, "edition"), (book.conflicts, "theta")]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, name, "x")
    for table in (PRESETS, ARBITERS):
        with pytest.raises(TypeError):
            table["mine"] = book  # pyright: ignore[reportIndexIssue]


def test_adjusting_leaves_the_preset_as_it_is() -> None:
    changed = PRESETS["strict"].adjusted(OTHERS)
    assert (changed.preset, changed.arbiter.edition) == ("strict", "v1")
    assert PRESETS["strict"].hash == STRICT


def test_a_table_is_given_the_numbers_of_its_section() -> None:
    assert Rulebook().section("none") == NoNumbers()
    assert Rulebook().section("review") is Rulebook().review
