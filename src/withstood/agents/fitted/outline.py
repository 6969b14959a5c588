"""A text laid out for a fitted reader: tokens, what each does, and what the lexicon sees in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.analysis import Sighting, lowered
from withstood.agents.programmed.page import Page
from withstood.agents.programmed.sight import Sight
from withstood.lexicons.lexicon import LANGUAGES

Bounds = tuple[int, int]

_TOKEN = re.compile(r"\w+|[^\w\s]")
_BREAKS = frozenset(",.;:!?()-–—\n") | frozenset("but while although though however yet except whereas because".split())
_TURNS_KO = ("지만", "는데", "은데", "인데", "한데", "으나", "더니")
_DENIALS = frozenset("not n't no never nothing hardly without t none neither nor nobody cannot 안 못".split())
_DENIED_KO = ("않", "없", "아니")
_ROLES = ("opinion", "noun", "link", "verb", "preposition", "function", "pause", "stop", "turn")
_REACH = 3
_GAPS = (2, 7, 16, 31)


@dataclass(frozen=True, slots=True)
class Outline:
    """Everything is by token. `told` is the polarity of an opinion word, "" elsewhere; `tied` says how the lexicon's
    reader holds a target there, with a `B` where it begins; `names` are the nouns of the lexicon, of one word or more,
    as `B` or `I` with their kind; `roles` and `chunks` are "" where nothing is known."""

    text: str
    language: str
    words: tuple[str, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    shapes: tuple[str, ...]
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    roles: tuple[str, ...]
    chunks: tuple[str, ...]
    told: tuple[str, ...]
    tied: tuple[tuple[str, ...], ...]
    denied: tuple[bool, ...]
    breaks: tuple[bool, ...]
    sightings: tuple[Sighting, ...]

    def range_of(self, begin: int, end: int) -> Bounds:
        """The tokens that a place in the text touches; an empty run where it touches none."""
        first = bisect_right(self.ends, begin)
        return first, max(first, bisect_left(self.begins, end))

    def part(self, first: int, last: int) -> str:
        """What these tokens are in the text."""
        return self.text[self.begins[first] : self.ends[last - 1]]

    def clause(self, first: int, last: int) -> Bounds:
        """The tokens around these up to the nearest breaks."""
        while first > 0 and not self.breaks[first - 1]:
            first -= 1
        while last < len(self.words) and not self.breaks[last]:
            last += 1
        return first, last


class Outliner:
    """Lays texts out with what one `Sight` knows."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._names = {language: _Names(sight.kinds(language)) for language in LANGUAGES}

    def outline(self, text: str, language: str) -> Outline:
        low = lowered(text)
        spans = list(self._tokens(low, language))
        words = tuple([low[begin:end] for begin, end in spans])
        begins, ends = tuple([begin for begin, _ in spans]), tuple([end for _, end in spans])
        analysis = self._sight.look(text, language)
        sightings = analysis.sightings if analysis else ()
        told, tied = _seen(sightings, begins, ends)
        roles, chunks = _laid_out(self._sight.page(text, language), begins, ends)
        kinds = self._sight.kinds(language)
        denials = [word in _DENIALS or word.startswith(_DENIED_KO) for word in words]
        return Outline(
            text,
            language,
            words,
            begins,
            ends,
            tuple([_shape(text[begin:end]) for begin, end in spans]),
            tuple([kinds.get(word, "") for word in words]),
            self._names[language].among(words) if language in self._names else ("",) * len(words),
            roles,
            chunks,
            told,
            tied,
            tuple([any(denials[max(0, place - _REACH) : place]) for place in range(len(words))]),
            tuple([word in _BREAKS or word.endswith(_TURNS_KO) for word in words]),
            sightings,
        )

    def _tokens(self, low: str, language: str) -> Iterator[Bounds]:
        """Words and signs; a Korean word and the particle at its end are two."""
        particles = self._sight.particles(language)
        for found in _TOKEN.finditer(low):
            begin, end = found.span()
            cut = next((len(one) for one in particles if low.endswith(one, begin, end)), 0)
            if cut and end - begin - cut >= 2:
                yield begin, end - cut
                yield end - cut, end
            else:
                yield begin, end


class _Names:
    """Finds the nouns of a lexicon among words, the longest first."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = {tuple(_TOKEN.findall(noun)): kind for noun, kind in kinds.items()}
        longest: dict[str, int] = {}
        for noun in filter(None, self._kinds):
            longest[noun[0]] = max(longest.get(noun[0], 0), len(noun))
        self._longest = longest

    def among(self, words: Sequence[str]) -> tuple[str, ...]:
        """By word what it is of: `Bfood` where a noun of that kind begins, `Ifood` where one goes on."""
        found: list[str] = []
        while len(found) < len(words):
            place = len(found)
            parts = (tuple(words[place : place + size]) for size in range(self._longest.get(words[place], 0), 0, -1))
            name = next((part for part in parts if part in self._kinds), None)
            if name is None:
                found.append("")
            else:
                found += [f"{'I' if no else 'B'}{self._kinds[name]}" for no in range(len(name))]
        return tuple(found)


def _seen(
    sightings: Sequence[Sighting], begins: Sequence[int], ends: Sequence[int]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    told = [""] * len(begins)
    tied: list[tuple[str, ...]] = [()] * len(begins)
    for sighting in sightings:
        for place in _touched(begins, ends, sighting.begin, sighting.end):
            told[place] = sighting.far
        if sighting.term is not None:
            for no, place in enumerate(_touched(begins, ends, *sighting.term)):
                tied[place] = ("tied", f"tied:{sighting.basis}", "I" if no else "B", reach(sighting))
    return tuple(told), tuple(tied)


def reach(sighting: Sighting) -> str:
    """How far an opinion is from its target, and on which side: the further, the less a tie means."""
    return f"{bisect_right(_GAPS, sighting.gap)}{'<' if sighting.describes else '>'}"


def _touched(begins: Sequence[int], ends: Sequence[int], begin: int, end: int) -> range:
    return range(bisect_right(ends, begin), bisect_left(begins, end))


def _laid_out(page: Page | None, begins: Sequence[int], ends: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Roles and noun chunks of the page, token by token of ours."""
    roles, chunks = [""] * len(begins), [""] * len(begins)
    for place, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        there = page.token_at(begin, end) if page else None
        if page is None or there is None:
            continue
        roles[place] = _ROLES[page.roles[there]]
        chunk = page.chunk_at(there)
        if chunk is not None:
            chunks[place] = f"{'B' if there == chunk.first else 'I'}{chunk.kind or '-'}"
    return tuple(roles), tuple(chunks)


def _shape(word: str) -> str:
    if word.isupper():
        return "A"
    if word[:1].isupper():
        return "T"
    return "d" if word[:1].isdigit() else "w" if word[:1].isalpha() else word
