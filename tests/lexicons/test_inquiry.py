"""The cast table and the vocabularies hold together, and a user's folder adds to them."""

from __future__ import annotations

from pathlib import Path

from withstood.lexicons import inquiry

AGREED = inquiry.agreed()


def test_every_voice_that_is_called_exists() -> None:
    voices = AGREED.cast.voices()
    for kind in AGREED.cast.kinds:
        assert set(kind.cast) <= set(voices), kind.name
        assert len(kind.cast) >= 3
    assert set(AGREED.cast.fill) <= set(voices)
    for profile in AGREED.cast.profiles:
        assert all(voice.startswith("CR-") for voice in profile.challengers)
        assert set(profile.challengers) <= set(voices)


def test_the_types_are_those_of_the_published_table() -> None:
    assert [(one.prefix, len(one.perspectives)) for one in AGREED.cast.types] == [
        ("CODE", 8), ("LOG", 5), ("HIST", 5), ("REL", 5), ("CR", 3),
    ]  # fmt: skip
    assert all(one.says["en"] and one.says["ko"] for kind in AGREED.cast.types for one in kind.perspectives)


def test_no_cue_belongs_to_two_terms() -> None:
    for vocabulary in (AGREED.causes, AGREED.directions):
        cues = [cue for term in vocabulary.terms for cue in term.cues]
        assert sorted(cues) == sorted(set(cues))


def test_a_folder_of_ones_own_adds_types_perspectives_kinds_and_causes(tmp_path: Path) -> None:
    folder = tmp_path / "inquiry"
    folder.mkdir()
    (folder / "cast.toml").write_text(
        '[types.CODE.perspectives.SQL]\nname = "queries"\n'
        '[types.DB]\nname = "database"\nreads = "files"\nneeds = "files"\n'
        '[types.DB.perspectives.PLAN]\nname = "plans"\n'
        '[kinds.query]\ncues = "query"\ncast = "CODE-SQL, DB-PLAN, CODE-DATAFLOW"\n'
    )
    (folder / "causes.toml").write_text('[terms.bad-plan]\nen = "The plan is bad"\ncues = "seq scan"\n')
    ours = inquiry.agreed(tmp_path)
    assert {"CODE-SQL", "DB-PLAN"} <= set(ours.cast.voices())
    assert ours.cast.kinds[-1].name == "query"
    assert ours.cast.fill == AGREED.cast.fill
    assert ours.causes.key("a seq scan again") == "bad-plan"
    assert ours.causes.key("race condition") == "race"
