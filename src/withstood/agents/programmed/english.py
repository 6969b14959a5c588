"""The clause-and-lexicon reader for English: which opinion is tied to which target, and what turns it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from withstood.agents.programmed.analysis import TURNED, Analysis, Basis, Marker, Sighting, trimmed
from withstood.agents.programmed.tokens import (
    FUNCTION,
    LINK,
    NOUN,
    OPINION,
    PAUSE,
    PREPOSITION,
    STOP,
    TURN,
    VERB,
    Opinion,
    Sentence,
    Tokens,
)
from withstood.lexicons.lexicon import Lexicon, Polarity

_STATED, _JOINED, _DENIED, _CUE, _LOOSE = map(Decimal, ("0.8", "0.7", "0.7", "0.6", "0.5"))
_AND = frozenset({"and", "&", ",", "or", "nor", "/", "plus", "as"})
_ARTICLES = frozenset("the a an our my their his her its your this these those some both all".split())
_BACK = frozenset("it they them which that these those this he she".split())
_SCOPE_ENDS = frozenset(", ; and so because how if when unless until without".split())
_SPEAKERS = frozenset("i we you i'm we're i've we've me us".split())
_TOO_MUCH = frozenset({"taste", "portion", "size", "design", "ambience", "comfort", "general", "variety"})
_REACH_NEAR, _REACH_FAR, _REACH_OBJECT = 4, 9, 6


_Said: TypeAlias = tuple[Polarity, Polarity, Marker]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of nouns that may be a target. `kind` is None where it names nothing that is reviewed."""

    first: int
    last: int
    kind: str | None


class EnglishReader:
    """Pure computation on a text; everything it knows comes from the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._tokens = Tokens(lexicon)
        self._aspects = lexicon.aspects
        self._relatives = lexicon.relatives
        self._never = frozenset(lexicon.words.never_targets)
        self._partitives = frozenset(lexicon.words.partitives)
        self._adverbs = frozenset(lexicon.words.adverbs) | frozenset(lexicon.markers.intensifiers)
        self._gone = frozenset(lexicon.markers.gone)
        self._arisen = frozenset(lexicon.markers.arisen)

    def read(self, text: str) -> Analysis:
        sentence = self._tokens.read(text)
        bounds = _clauses(sentence)
        page = _Page(text, sentence, bounds, self._chunks(sentence))
        seen = [sighting for opinion in sentence.opinions for sighting in self._see(page, opinion)]
        return Analysis(text, tuple(page.span(b, e) for b, e in bounds if e > b), tuple(_once(seen)))

    # --- targets ---

    def _chunks(self, sentence: Sentence) -> list[Chunk]:
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
        first = max(first, last - 5)
        kind = None if self._ends_idly(words, first, last) else self._kind(words, first, last)
        if kind and words[last - 1] in self._partitives:
            last = self._with_of(sentence, last)
        return Chunk(first, last, kind)

    def _ends_idly(self, words: list[str], first: int, last: int) -> bool:
        if any(" ".join(words[start:last]) in self._aspects for start in range(first, last - 1)):
            return False
        return words[last - 1] in self._never or self._is_participle(words[last - 1])

    def _is_participle(self, word: str) -> bool:
        return word.endswith(("ing", "ed")) and len(word) > 5 and word not in self._aspects

    def _with_of(self, sentence: Sentence, last: int) -> int:
        words, roles = sentence.words, sentence.roles
        if last + 1 >= len(words) or words[last] != "of":
            return last
        place = last + 1
        while place < len(words) and (words[place] in _ARTICLES):
            place += 1
        end = place
        while end < len(words) and roles[end] == NOUN:
            end += 1
        return end if end > place and words[end - 1] not in self._never else last

    def _kind(self, words: list[str], first: int, last: int) -> str:
        for start in range(first, last):
            if kind := self._aspects.get(" ".join(words[start:last])):
                return kind
        return next((k for w in reversed(words[first:last]) if (k := self._aspects.get(w)) and k != "product"), "other")

    # --- binding ---

    def _see(self, page: _Page, opinion: Opinion) -> Iterator[Sighting]:
        clause = page.clause_of(opinion.first)
        targets = [] if opinion.basis_is_cue else self._targets(page, opinion, clause)
        explicit = [chunk for chunk in targets if chunk.kind is not None]
        for place, chunk in enumerate(explicit or [None]):
            told = self._told(page, opinion, chunk)
            if told is not None and (said := self._polarity(page, opinion, clause, told)):
                yield page.sighting(opinion, clause, chunk, said, self._sure(opinion, chunk, place, said[2]))

    def _told(self, page: _Page, opinion: Opinion, chunk: Chunk | None) -> Polarity | None:
        """What the word says of this target; None for a relative word where the lexicon does not know that."""
        if chunk is not None and opinion.last - opinion.first == 1:
            found = self._relatives.get((page.words[opinion.first], chunk.kind or ""))
            if found is not None:
                return found
        return None if opinion.meaning.kind == "relative" else opinion.meaning.polarity

    def _sure(self, opinion: Opinion, chunk: Chunk | None, place: int, marker: Marker) -> Decimal:
        if chunk is None:
            return _CUE if opinion.basis_is_cue or opinion.meaning.about != "general" else _LOOSE
        return _JOINED if place else _DENIED if marker == "negation" else _STATED

    def _targets(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> list[Chunk]:
        if opinion.meaning.kind == "verb":
            return self._object(page, opinion, clause) or self._subject(page, opinion, clause)
        after = self._described(page, opinion, clause)
        if after:
            return after
        return (
            self._subject(page, opinion, clause)
            or self._object(page, opinion, clause)
            or self._beside(page, opinion, clause)
        )

    def _described(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> list[Chunk]:
        """The noun that the opinion stands before: great food, fresh and tasty rolls."""
        place, words, roles = opinion.last, page.words, page.roles
        while place < clause[1] and (roles[place] == OPINION or words[place] in ("and", "-", ",")):
            place += 1
        if place < clause[1] and roles[place] == FUNCTION and words[place] not in _AND and words[place] not in _BACK:
            place += words[place] not in _ARTICLES and words[place - 1] != ","
        chunk = page.starting.get(place)
        if chunk is None or place >= clause[1] or (words[place - 1] == "," and not self._runs_on(page, opinion, place)):
            return []
        if page.is_subject(chunk, clause) and self._is_predicate(page, opinion, clause):
            return []
        return [chunk, *self._joined_after(page, chunk, clause)]

    def _runs_on(self, page: _Page, opinion: Opinion, place: int) -> bool:
        return any(page.roles[p] == OPINION for p in range(opinion.last, place))

    def _is_predicate(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> bool:
        place = page.back_over(opinion.first - 1, clause[0], self._adverbs)
        return place >= clause[0] and page.roles[place] == LINK

    def _joined_after(self, page: _Page, chunk: Chunk, clause: tuple[int, int]) -> Iterator[Chunk]:
        place = chunk.last
        while place < clause[1] and page.words[place] in _AND:
            while place < clause[1] and (page.words[place] in _AND or page.words[place] in _ARTICLES):
                place += 1
            joined = page.starting.get(place)
            if joined is None or page.is_subject(joined, clause):
                return
            yield joined
            place = joined.last

    def _subject(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> list[Chunk]:
        """What the clause is about: the food was great, the drinks and the service are top."""
        place = opinion.first - 1
        while place >= clause[0] and page.roles[place] not in (NOUN, STOP) and page.words[place] not in _BACK:
            if page.words[place] in _SPEAKERS:
                return []
            if page.roles[place] == PREPOSITION and page.words[place] not in (
                "to",
                "up",
                "out",
                "off",
                "than",
                "as",
                "for",
                "over",
                "about",
                "beyond",
                "in",
                "on",
            ):
                return []
            place -= 1
        if place < clause[0]:
            return self._earlier(page, clause) if page.begins_bare(clause, opinion) else []
        if page.roles[place] == STOP:
            return []
        if page.words[place] in _BACK:
            return (
                self._earlier(page, clause) if page.words[place] in ("it", "they", "which", "he", "she", "that") else []
            )
        chunk = page.ending_at(place)
        if chunk is None or not page.links_between(chunk.last, opinion.first):
            return []
        chunk = self._head_of(page, chunk, clause)
        return [chunk, *self._joined_before(page, chunk, clause)]

    def _earlier(self, page: _Page, clause: tuple[int, int]) -> list[Chunk]:
        """What a pronoun means: the last known target of the clauses before, in the same sentence."""
        for chunk in reversed(page.chunks):
            if chunk.last <= clause[0] and chunk.kind not in (None,):
                return [chunk] if not page.stops_between(chunk.last, clause[0]) else []
        return []

    def _head_of(self, page: _Page, chunk: Chunk, clause: tuple[int, int]) -> Chunk:
        """The pizza with mushrooms: the noun before the preposition."""
        place = chunk.first - 1
        while place > clause[0] and page.words[place] in _ARTICLES:
            place -= 1
        if place > clause[0] and page.words[place] in ("with", "in", "at", "from", "on", "of", "for"):
            head = page.ending_at(place - 1)
            if head is not None and head.first >= clause[0] and head.kind is not None:
                return head
        return chunk

    def _joined_before(self, page: _Page, chunk: Chunk, clause: tuple[int, int]) -> Iterator[Chunk]:
        place = chunk.first - 1
        while place >= clause[0]:
            while place >= clause[0] and page.words[place] in _ARTICLES:
                place -= 1
            if place < clause[0] or page.words[place] not in _AND:
                return
            while place >= clause[0] and page.words[place] in _AND:
                place -= 1
            joined = page.ending_at(place)
            if joined is None or joined.first < clause[0]:
                return
            yield joined
            place = joined.first - 1

    def _object(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> list[Chunk]:
        """What is loved or recommended, and what one is pleased with."""
        for place in range(opinion.last, min(clause[1], opinion.last + _REACH_OBJECT)):
            if chunk := page.starting.get(place):
                return [chunk, *self._joined_after(page, chunk, clause)]
            if page.roles[place] in (LINK, VERB, TURN, STOP, PAUSE):
                return []
        return []

    def _beside(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> list[Chunk]:
        """The nearest noun of the clause that the lexicon knows."""
        known = [
            c for c in page.chunks if clause[0] <= c.first < clause[1] and c.kind not in (None, "other", "product")
        ]
        near = [c for c in known if min(abs(c.first - opinion.last), abs(opinion.first - c.last)) <= _REACH_OBJECT]
        return sorted(near, key=lambda c: min(abs(c.first - opinion.last), abs(opinion.first - c.last)))[:1]

    # --- polarity ---

    def _polarity(self, page: _Page, opinion: Opinion, clause: tuple[int, int], told: Polarity) -> _Said | None:
        if opinion.meaning.kind == "problem":
            found = self._problem(page, opinion, clause)
            return (found, found, "negation" if found == "positive" else "") if found else None
        if self._is_too_much(page, opinion):
            return "negative", "negative", ""
        near, far = self._denied(page, opinion, clause)
        marker: Marker = "negation" if far else "contrast" if page.has_turn(clause) else ""
        return TURNED[told] if near else told, TURNED[told] if far else told, marker

    def _problem(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> Polarity | None:
        before = [page.words[place] for place in range(max(clause[0], opinion.first - 3), opinion.first)]
        if any(word in self._gone or word.endswith("n't") for word in before):
            return "positive"
        return "negative" if before and (before[-1] in self._arisen) else None

    def _is_too_much(self, page: _Page, opinion: Opinion) -> bool:
        before = page.words[opinion.first - 1] if opinion.first else ""
        return (
            before in ("too", "overly") and opinion.meaning.about in _TOO_MUCH and opinion.meaning.kind == "adjective"
        )

    def _denied(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> tuple[bool, bool]:
        near = self._denied_nearby(page, opinion, clause)
        if near:
            return True, True
        passed_noun = False
        for place in range(opinion.first - 1, max(clause[0], opinion.first - _REACH_FAR) - 1, -1):
            if page.words[place] in _SCOPE_ENDS or page.roles[place] == TURN:
                break
            if place in page.distant:
                return False, not page.denied.intersection(range(max(clause[0], place - _REACH_NEAR), place - 1))
            if place in page.denied and not passed_noun:
                return False, True
            passed_noun = passed_noun or page.roles[place] in (NOUN, OPINION)
        return False, False

    def _denied_nearby(self, page: _Page, opinion: Opinion, clause: tuple[int, int]) -> bool:
        for place in range(opinion.first - 1, max(clause[0], opinion.first - _REACH_NEAR) - 1, -1):
            if place in page.denied:
                return True
            skipped = page.words[place] in self._adverbs or page.words[place] in _ARTICLES
            if not skipped and page.words[place] not in ("as", "that", "be", "been", "have", "been"):
                return False
        return False


class _Page:
    """One text laid out: its tokens, clauses and chunks, and the questions that binding asks of them."""

    def __init__(self, text: str, sentence: Sentence, bounds: list[tuple[int, int]], chunks: list[Chunk]) -> None:
        self.text, self.words, self.roles = text, sentence.words, sentence.roles
        self.denied, self.distant = sentence.denied, sentence.distant
        self.chunks = chunks
        self.starting = {chunk.first: chunk for chunk in chunks}
        self._by_token = {place: chunk for chunk in chunks for place in range(chunk.first, chunk.last)}
        self._begins, self._ends, self._bounds = sentence.begins, sentence.ends, bounds

    def clause_of(self, place: int) -> tuple[int, int]:
        return next(bound for bound in self._bounds if bound[0] <= place < bound[1])

    def span(self, first: int, last: int) -> tuple[int, int]:
        return trimmed(self.text, self._begins[first], self._ends[last - 1])

    def ending_at(self, place: int) -> Chunk | None:
        return self._by_token.get(place)

    def is_subject(self, chunk: Chunk, clause: tuple[int, int]) -> bool:
        return chunk.last < clause[1] and self.roles[chunk.last] in (LINK, VERB)

    def links_between(self, first: int, last: int) -> bool:
        return any(self.roles[place] in (LINK, VERB, PAUSE) for place in range(first, last)) or first == last

    def stops_between(self, first: int, last: int) -> bool:
        return any(self.words[place] in ".!?" for place in range(first, last))

    def begins_bare(self, clause: tuple[int, int], opinion: Opinion) -> bool:
        """Whether nothing but a turn and adverbs stands before the opinion: the pizza is huge but cheap."""
        before = range(clause[0], opinion.first)
        return (
            bool(before)
            and self.roles[clause[0]] == TURN
            and all(self.roles[p] in (TURN, FUNCTION, OPINION) for p in before)
        )

    def has_turn(self, clause: tuple[int, int]) -> bool:
        after = clause[1] < len(self.roles) and self.roles[clause[1]] == TURN
        return after or self.roles[clause[0]] == TURN

    def back_over(self, place: int, lowest: int, words: frozenset[str]) -> int:
        while place >= lowest and (
            self.words[place] in words or place in self.denied or self.words[place] in _ARTICLES
        ):
            place -= 1
        return place

    def sighting(
        self, opinion: Opinion, clause: tuple[int, int], chunk: Chunk | None, said: _Said, sure: Decimal
    ) -> Sighting:
        begin, end = self.span(opinion.first, opinion.last)
        about, cue = opinion.meaning.about, opinion.basis_is_cue
        basis: Basis = "cue" if cue else "stated" if chunk or about != "general" else "whole"
        term = self.span(chunk.first, chunk.last) if chunk else None
        kind = (chunk.kind or "other") if chunk else "none"
        return Sighting(begin, end, self.span(*clause), term, kind, about, *said, basis, sure)


def _clauses(sentence: Sentence) -> list[tuple[int, int]]:
    """Runs of tokens between full stops and turns; a turn begins the clause that it opens."""
    found: list[tuple[int, int]] = []
    first = 0
    for place, role in enumerate(sentence.roles):
        if role == STOP or (role == TURN and place and sentence.roles[place - 1] != TURN):
            found.append((first, place))
            first = place + (role == STOP)
    found.append((first, len(sentence.roles)))
    return [(b, e) for b, e in found if e > b]


def _once(seen: list[Sighting]) -> Iterator[Sighting]:
    """A target and its polarity once, by the surest opinion word."""
    best: dict[object, Sighting] = {}
    for sighting in seen:
        key = (sighting.term or (sighting.about, sighting.clause), sighting.near, sighting.far)
        if key not in best or best[key].sure < sighting.sure:
            best[key] = sighting
    yield from sorted(best.values(), key=lambda s: (s.begin, s.term or (0, 0)))
