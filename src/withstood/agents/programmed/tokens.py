"""English text as tokens, each with what it does in its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from withstood.agents.programmed.analysis import lowered
from withstood.lexicons.lexicon import Lexicon, Meaning

T = TypeVar("T")

_TOKEN = re.compile(r"[a-z0-9à-öø-ÿ$&]+(?:[-'/][a-z0-9à-öø-ÿ]+)*\+?|'[a-z]+|[.,;:!?()\[\]\n]|-{1,2}|…|\"")
_HARD = frozenset(".;!?()[]\n…:")
_PAUSE = frozenset({",", "-", "--", '"'})

OPINION, NOUN, LINK, VERB, PREPOSITION, FUNCTION, PAUSE, STOP, TURN = range(9)


class Phrases(Generic[T]):
    """Entries of one or more words, found at a place, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        found: dict[str, dict[tuple[str, ...], T]] = {}
        for entry, meaning in entries:
            words = tuple(_TOKEN.findall(entry))
            if words:
                found.setdefault(words[0], {})[words] = meaning
        self._by_first: Mapping[str, tuple[tuple[int, tuple[str, ...], T], ...]] = {
            first: tuple(sorted(((len(w), w, m) for w, m in rest.items()), key=lambda row: (-row[0], row[1])))
            for first, rest in found.items()
        }

    def at(self, words: list[str], place: int) -> tuple[int, T] | None:
        """How many words the longest entry at this place has, and what it means."""
        rows = self._by_first.get(words[place])
        if rows is not None:
            for length, entry, meaning in rows:
                if length == 1 or tuple(words[place : place + length]) == entry:
                    return length, meaning
        return None


@dataclass(frozen=True, slots=True)
class Opinion:
    """An opinion word or phrase among the tokens."""

    first: int
    last: int
    meaning: Meaning
    is_cue: bool


@dataclass(slots=True)
class Sentence:
    """The tokens of a text with their roles. `denied` are the places of denials that are meant as such."""

    words: list[str]
    begins: list[int]
    ends: list[int]
    roles: list[int]
    opinions: list[Opinion]
    denied: set[int]
    distant: set[int]


class Tokens:
    """Turns texts into sentences, with the word lists of one lexicon made ready once."""

    def __init__(self, lexicon: Lexicon) -> None:
        words, markers = lexicon.words, lexicon.markers
        self._decoys = Phrases((entry, None) for entry in words.decoys)
        self._shields = Phrases((entry, None) for entry in markers.shields)
        self._distances = Phrases((entry, None) for entry in markers.distances)
        self._opinions = Phrases([*_told(lexicon.opinions, False), *_told(lexicon.cues, True)])
        self._names = Phrases((entry, None) for entry in lexicon.aspects if " " in entry)
        self._turns = Phrases((entry, None) for entry in markers.turns)
        self._denials = frozenset(markers.denials)
        self._nouns = frozenset(entry for entry in lexicon.aspects if " " not in entry)
        self._roles = _roles(lexicon)
        self._either = frozenset(words.verbs) & self._nouns | frozenset(words.links) & self._nouns
        self._before_nouns = frozenset(words.function) - frozenset(_PRONOUNS)

    def read(self, text: str) -> Sentence:
        found = list(_TOKEN.finditer(lowered(text)))
        words = [token.group() for token in found]
        sentence = Sentence(words, [t.start() for t in found], [t.end() for t in found], [], [], set(), set())
        sentence.roles = [self._role(words, place) for place in range(len(words))]
        self._mark(sentence)
        return sentence

    def _role(self, words: list[str], place: int) -> int:
        word = words[place]
        role = self._roles.get(word)
        if word in self._either and self._is_noun_here(words, place):
            return NOUN
        if role is not None:
            return role
        if word in _HARD:
            return STOP
        if word in _PAUSE:
            return PAUSE
        if len(word) > 4 and word.endswith("ly") and word not in self._nouns:
            return FUNCTION
        return FUNCTION if word[0] in "0123456789$&'" else NOUN

    def _is_noun_here(self, words: list[str], place: int) -> bool:
        before = words[place - 1] if place else ""
        return not before or before in self._before_nouns or self._opinions.at(words, place - 1) is not None

    def _mark(self, sentence: Sentence) -> None:
        words, place = sentence.words, 0
        shielded: set[int] = set()
        while place < len(words):
            self._mark_scope(sentence, place, shielded)
            place += self._mark_at(sentence, place)
        sentence.denied = {p for p, w in enumerate(words) if p not in shielded and self._denies(w)}
        sentence.denied -= {p for o in sentence.opinions for p in range(o.first, o.last)}
        begun = {opinion.first for opinion in sentence.opinions}
        sentence.opinions[:] = [
            o for o in sentence.opinions if not (o.last in begun and words[o.last - 1][-2:] == "ly")
        ]

    def _denies(self, word: str) -> bool:
        return word in self._denials or word.endswith("n't")

    def _mark_scope(self, sentence: Sentence, place: int, shielded: set[int]) -> None:
        if shield := self._shields.at(sentence.words, place):
            shielded.update(range(place, place + shield[0]))
        if distance := self._distances.at(sentence.words, place):
            sentence.distant.add(place + distance[0] - 1)

    def _mark_at(self, sentence: Sentence, place: int) -> int:
        """Marks the longest entry that begins here; returns how many tokens it took."""
        words = sentence.words
        opinion, name = self._opinions.at(words, place), self._names.at(words, place)
        decoy, turn = self._decoys.at(words, place), self._turns.at(words, place)
        length = opinion[0] if opinion else 0
        if name and name[0] >= max(length, decoy[0] if decoy else 0):
            sentence.roles[place : place + name[0]] = [NOUN] * name[0]
            return name[0]
        if decoy and decoy[0] >= length:
            return decoy[0]
        if turn and turn[0] >= length:
            sentence.roles[place : place + turn[0]] = [TURN] * turn[0]
            return turn[0]
        if opinion:
            meaning, is_cue = opinion[1]
            sentence.opinions.append(Opinion(place, place + length, meaning, is_cue))
            sentence.roles[place : place + length] = [OPINION] * length
            return length
        return 1


_PRONOUNS = (
    "i we us you he him she it they them who which that what i'm i've i'd i'll we're we've we'd we'll you're you'll to "
    "not n't never always also just even still only ca wo 'd 'll 've"
).split()


def _told(meanings: Mapping[str, Meaning], cue: bool) -> Iterator[tuple[str, tuple[Meaning, bool]]]:
    for entry, meaning in meanings.items():
        yield entry, (meaning, cue)


def _roles(lexicon: Lexicon) -> Mapping[str, int]:
    words = lexicon.words
    found = dict.fromkeys(words.verbs, VERB)
    found |= dict.fromkeys(words.prepositions, PREPOSITION)
    found |= dict.fromkeys((*words.function, *words.modifiers, *words.adverbs, *lexicon.markers.denials), FUNCTION)
    found |= dict.fromkeys(words.links, LINK)
    return found
