"""One English text laid out: tokens, clauses and noun chunks, and the questions that binding asks of them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from withstood.agents.programmed.analysis import trimmed
from withstood.agents.programmed.tokens import FUNCTION, LINK, NOUN, OPINION, PAUSE, STOP, TURN, VERB, Opinion, Sentence
from withstood.lexicons.lexicon import Lexicon
from withstood.lexicons.taxonomy import OTHER

Bounds = tuple[int, int]

ARTICLES = frozenset("the a an our my their his her its your this these those some both all".split())
_LONGEST = 5
_LONGEST_TURN = 12


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of nouns that may be a target. `kind` is None where it names nothing that is reviewed."""

    first: int
    last: int
    kind: str | None


class Nouns:
    """Finds the chunks of a sentence, and what kind of aspect each names."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._aspects = lexicon.aspects
        self._never = frozenset(lexicon.words.never_targets)
        self._partitives = frozenset(lexicon.words.partitives)

    def of(self, sentence: Sentence) -> list[Chunk]:
        found: list[Chunk] = []
        place, roles = 0, sentence.roles
        while place < len(roles):
            first = place
            while place < len(roles) and roles[place] == NOUN:
                place += 1
            if place > first:
                found.append(self._chunk(sentence, first, place))
                place = max(place, found[-1].last)
            place += 1
        return found

    def _chunk(self, sentence: Sentence, first: int, last: int) -> Chunk:
        words = sentence.words
        while last - first > 1 and self._ends_idly(words, first, last):
            last -= 1
        first = max(first, last - _LONGEST)
        if self._ends_idly(words, first, last):
            return Chunk(first, last, None)
        kind = self._kind(words, first, last)
        return Chunk(first, self._with_of(sentence, last) if words[last - 1] in self._partitives else last, kind)

    def _ends_idly(self, words: list[str], first: int, last: int) -> bool:
        """Whether the last word is none of a target: a night, a verb that was taken for a noun."""
        if any(" ".join(words[start:last]) in self._aspects for start in range(first, last - 1)):
            return False
        word = words[last - 1]
        is_participle = word.endswith(("ing", "ed")) and len(word) > 5 and word not in self._aspects
        return is_participle or word in self._never

    def _with_of(self, sentence: Sentence, last: int) -> int:
        """A selection of wines is one target."""
        words, roles = sentence.words, sentence.roles
        if last + 1 >= len(words) or words[last] != "of":
            return last
        place = last + 1
        while place < len(words) and words[place] in ARTICLES:
            place += 1
        end = place
        while end < len(words) and roles[end] == NOUN:
            end += 1
        return end if end > place and words[end - 1] not in self._never else last

    def _kind(self, words: list[str], first: int, last: int) -> str:
        for start in range(first, last):
            if kind := self._aspects.get(" ".join(words[start:last])):
                return kind
        kinds = (self._aspects.get(word) for word in reversed(words[first:last]))
        return next((kind for kind in kinds if kind and kind != "product"), "other")


class Page:
    """A text with its tokens, clauses and chunks."""

    def __init__(self, text: str, sentence: Sentence, chunks: list[Chunk]) -> None:
        self.text, self.words, self.roles = text, sentence.words, sentence.roles
        self.denied, self.distant = sentence.denied, sentence.distant
        self.clauses = _clauses(sentence)
        self.starting = {chunk.first: chunk for chunk in chunks}
        self._by_token = {place: chunk for chunk in chunks for place in range(chunk.first, chunk.last)}
        self._clause_of = {place: bounds for bounds in self.clauses for place in range(*bounds)}
        self._begins, self._ends = sentence.begins, sentence.ends

    def clause_of(self, place: int) -> Bounds:
        return self._clause_of[place]

    def span(self, first: int, last: int) -> tuple[int, int]:
        return trimmed(self.text, self._begins[first], self._ends[last - 1])

    def token_at(self, begin: int, end: int) -> int | None:
        """The first token that touches this place."""
        place = bisect_right(self._ends, begin)
        return place if place < len(self._begins) and self._begins[place] < end else None

    def chunk_at(self, place: int) -> Chunk | None:
        return self._by_token.get(place)

    def is_subject(self, chunk: Chunk, clause: Bounds) -> bool:
        return chunk.last < clause[1] and self.roles[chunk.last] in (LINK, VERB)

    def links_between(self, chunk: Chunk, last: int) -> bool:
        """Whether the chunk may be the subject of what begins at `last`; a known one may stand right before."""
        between = range(chunk.last, last)
        return (not between and chunk.kind != OTHER) or any(self.roles[p] in (LINK, VERB, PAUSE) for p in between)

    def begins_bare(self, clause: Bounds, opinion: Opinion) -> bool:
        """Whether nothing but a turn and adverbs stands before the opinion: the pizza is huge but cheap."""
        before = range(clause[0], opinion.first)
        idle = (TURN, FUNCTION, OPINION, LINK, PAUSE)
        is_turned = 0 < len(before) <= _LONGEST_TURN and self.roles[clause[0]] == TURN
        return is_turned and all(self.roles[place] in idle for place in before)

    def has_turn(self, clause: Bounds) -> bool:
        """Whether the clause opens with a turn, or the next one does."""
        return self.roles[clause[0]] == TURN or (clause[1] < len(self.roles) and self.roles[clause[1]] == TURN)

    def back_over(self, place: int, lowest: int, words: frozenset[str]) -> int:
        """The first place, going back, that is no adverb, article or denial."""
        while place >= lowest and (place in self.denied or self.words[place] in words or self.words[place] in ARTICLES):
            place -= 1
        return place


def _clauses(sentence: Sentence) -> list[Bounds]:
    """Runs of tokens between full stops and turns; a turn begins the clause that it opens."""
    found: list[Bounds] = []
    first = 0
    for place, role in enumerate(sentence.roles):
        if role == STOP or (role == TURN and place and sentence.roles[place - 1] != TURN):
            found.append((first, place))
            first = place + (role == STOP)
    found.append((first, len(sentence.roles)))
    return [bounds for bounds in found if bounds[1] > bounds[0]]
