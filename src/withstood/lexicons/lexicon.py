"""A lexicon: the words of one language that tell an opinion, its target, and how the two are bound."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, TypeVar

from withstood.errors import ConfigError
from withstood.lexicons import english, files, forum, hangul, inquiry
from withstood.lexicons.taxonomy import Taxonomy, taxonomies_of

Polarity: TypeAlias = Literal["positive", "negative", "neutral"]
Kind: TypeAlias = Literal["word", "adjective", "verb", "noun", "problem", "relative"]
Inflect: TypeAlias = Callable[[str], Iterable[str]]

LANGUAGES = ("ko", "en")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an opinion word or a cue says: its polarity, and what it is about where it says so by itself.

    A `problem` is a bad thing that a product may cause, or take away: it counts only where the text says which.
    A `relative` word is good of one thing and bad of another: it counts only of what `Lexicon.relatives` has.
    """

    polarity: Polarity
    about: str = "general"
    kind: Kind = "word"


@dataclass(frozen=True, slots=True)
class Group:
    words: tuple[str, ...]
    polarity: Polarity
    about: str = "general"
    kind: Kind = "word"


@dataclass(frozen=True, slots=True)
class Opinions:
    group: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """What words say of some kinds of aspect, whatever they say elsewhere: a low price, a loud fan."""

    words: tuple[str, ...]
    of: tuple[str, ...]
    polarity: Polarity


@dataclass(frozen=True, slots=True)
class Relations:
    group: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Aspects:
    """Kind of aspect to the nouns that name it."""

    classes: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class Markers:
    """`negation`, `contrast` and `irony` are what the conventions publish: found as they stand in the lower-cased text.

    The others are for scope: `denials` turn an opinion round, `shields` look like a denial and are none,
    `distances` turn it round from further off, `turns` begin the other side of a contrast, `gone` says that a problem
    is taken away, `arisen` that there is one.
    """

    negation: tuple[str, ...] = ()
    contrast: tuple[str, ...] = ()
    irony: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    shields: tuple[str, ...] = ()
    distances: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    arisen: tuple[str, ...] = ()
    intensifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """Words that are neither opinion nor target, by what they do in a sentence; a language uses those that it has."""

    function: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    adverbs: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    never_targets: tuple[str, ...] = ()
    partitives: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    decoys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything of one language, inflected and ready to look up. Never changed after it was loaded."""

    language: str
    opinions: Mapping[str, Meaning]
    cues: Mapping[str, Meaning]
    relatives: Mapping[tuple[str, str], Polarity]
    aspects: Mapping[str, str]
    markers: Markers
    words: Words
    taxonomies: tuple[Taxonomy, ...]


@functools.lru_cache(maxsize=16)
def load(language: str, extra: Path | None = None, taxonomy: str | None = None) -> Lexicon:
    """The lexicon of a language, with the user's files over ours. The same arguments give the same object.

    `taxonomy` may be the path of a taxonomy file, whose table of aspects is then known too.
    """
    if language not in LANGUAGES:
        raise ConfigError(f"wanted a language that has a lexicon ({' or '.join(LANGUAGES)}), found {language}.")
    files.check(extra, (*FILES, *inquiry.FILES, *forum.FILES))
    return Lexicon(
        language=language,
        opinions=_meanings(f"{language}/opinions.toml", language, extra),
        cues=_meanings(f"{language}/implicit.toml", language, extra),
        relatives=_relatives(language, extra),
        aspects=_aspects(language, extra),
        markers=_joined(f"{language}/markers.toml", Markers, extra),
        words=_joined(f"{language}/words.toml", Words, extra),
        taxonomies=taxonomies_of(language, extra, taxonomy),
    )


_NAMES = ("opinions", "implicit", "relative", "aspects", "markers", "words")
FILES = tuple(f"{language}/{name}.toml" for language in LANGUAGES for name in _NAMES)

_AS_IT_STANDS: Inflect = lambda word: (word,)  # noqa: E731
_INFLECT: Mapping[tuple[str, str], Inflect] = {
    ("en", "verb"): english.verb,
    ("en", "noun"): english.noun,
    ("en", "problem"): english.noun,
    ("en", "relative"): english.adjective,
    ("en", "adjective"): english.adjective,
}


def _meanings(name: str, language: str, extra: Path | None) -> Mapping[str, Meaning]:
    """Later groups win, so that a user's entry may turn one of ours; a form that is itself an entry keeps its own."""
    found: dict[str, Meaning] = {}
    written: dict[str, Meaning] = {}
    for part in files.stack(name, Opinions, extra):
        for group in part.group:
            meaning = Meaning(group.polarity, group.about, group.kind)
            inflect = hangul.forms if language == "ko" else _INFLECT.get((language, group.kind), _AS_IT_STANDS)
            for word in map(str.lower, group.words):
                found |= dict.fromkeys(inflect(word), meaning)
                written[word] = meaning
    return MappingProxyType(found | (written if language == "en" else {}))


def _relatives(language: str, extra: Path | None) -> Mapping[tuple[str, str], Polarity]:
    found: dict[tuple[str, str], Polarity] = {}
    inflect = hangul.forms if language == "ko" else english.adjective
    for part in files.stack(f"{language}/relative.toml", Relations, extra):
        for group in part.group:
            forms = [form for word in group.words for form in inflect(word.lower())]
            found |= {(form, kind): group.polarity for form in forms for kind in group.of}
    return MappingProxyType(found)


def _aspects(language: str, extra: Path | None) -> Mapping[str, str]:
    found: dict[str, str] = {}
    inflect = english.noun if language == "en" else _AS_IT_STANDS
    for part in files.stack(f"{language}/aspects.toml", Aspects, extra):
        for kind, nouns in part.classes.items():
            for word in map(str.lower, nouns):
                found |= dict.fromkeys(inflect(word), kind)
    return MappingProxyType(found)


Lists = TypeVar("Lists", Markers, Words)


def _joined(name: str, wanted: type[Lists], extra: Path | None) -> Lists:
    parts = files.stack(name, wanted, extra)
    names = [part.name for part in fields(wanted)]
    return wanted(**{n: tuple(dict.fromkeys(w for part in parts for w in getattr(part, n))) for n in names})
