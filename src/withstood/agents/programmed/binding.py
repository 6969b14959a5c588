"""Which nouns an English opinion word is about."""

from __future__ import annotations

from collections.abc import Iterator

from withstood.agents.programmed.analysis import Basis
from withstood.agents.programmed.page import ARTICLES, Bounds, Chunk, Page
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
)
from withstood.lexicons.lexicon import Lexicon
from withstood.lexicons.taxonomy import OTHER

_AND = frozenset({"and", "&", ",", "or", "nor", "/", "plus", "as"})
_REFERRING = frozenset("it they which he she that".split())
_DEMONSTRATIVE = frozenset("them these those this".split())
_SPEAKERS = frozenset("i we you i'm we're i've we've me us".split())
_OF_NOUNS = frozenset("with in at from on of for".split())
_OF_VERBS = frozenset("to up out off than as for over about beyond in on".split())
_SETTINGS = frozenset("for on at in to from during before after until".split())
_UNKNOWN = (None, OTHER, "product")
_REACH, _WIDE = 6, 40


class Binding:
    """Pure rules of place; the first that finds a noun decides."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._adverbs = frozenset(lexicon.words.adverbs) | frozenset(lexicon.markers.intensifiers)

    def targets(self, page: Page, opinion: Opinion, clause: Bounds) -> tuple[list[Chunk], Basis]:
        """What the first rule finds that finds anything, and how it is named: a noun that the lexicon does not know is
        what the text is about only as a subject, and one after a preposition often says where, when or what for."""
        for rule in _OF_VERB if opinion.meaning.kind == "verb" else _OF_ADJECTIVE:
            found = rule(self, page, opinion, clause)
            if found and found[0].kind is not None:
                if found[0].kind == OTHER and rule is not Binding.subject:
                    return found, "passing"
                is_setting = rule is not Binding.described and _before(page, found[0], clause) in _SETTINGS
                return found, "setting" if is_setting else "stated"
        return (found, "stated") if (found := _earlier(page, clause[0])) else ([], "whole")

    def described(self, page: Page, opinion: Opinion, clause: Bounds) -> list[Chunk]:
        """The noun that the opinion stands before: great food, fresh and tasty rolls."""
        place, after_opinion = self._past_further_opinions(page, opinion, clause)
        chunk = page.starting.get(place) if place < clause[1] else None
        if chunk is None or (page.words[place - 1] == "," and not after_opinion):
            return []
        if page.is_subject(chunk, clause) and self._is_predicate(page, opinion, clause):
            return []
        return [chunk, *_joined_after(page, chunk, clause)]

    def _past_further_opinions(self, page: Page, opinion: Opinion, clause: Bounds) -> tuple[int, bool]:
        place, end = opinion.last, min(clause[1], opinion.last + _WIDE)
        while place < end and (page.roles[place] == OPINION or page.words[place] in ("and", "-", ",")):
            place += 1
        after_opinion = any(page.roles[passed] == OPINION for passed in range(opinion.last, place))
        return place + self._is_modifier(page, place, clause), after_opinion

    def _is_modifier(self, page: Page, place: int, clause: Bounds) -> bool:
        if place >= clause[1] or page.roles[place] != FUNCTION or page.words[place - 1] == ",":
            return False
        return not any(page.words[place] in words for words in (_AND, _REFERRING, _DEMONSTRATIVE, ARTICLES))

    def _is_predicate(self, page: Page, opinion: Opinion, clause: Bounds) -> bool:
        place = page.back_over(opinion.first - 1, clause[0], self._adverbs)
        return place >= clause[0] and page.roles[place] == LINK

    def subject(self, page: Page, opinion: Opinion, clause: Bounds) -> list[Chunk]:
        """What the clause is about: the food was great, the drinks and the service are top."""
        place, lowest = opinion.first - 1, max(clause[0], opinion.first - _WIDE)
        while place >= lowest and not _ends_search(page, place):
            place -= 1
        if place < lowest:
            return _earlier(page, clause[0]) if page.begins_bare(clause, opinion) else []
        if page.words[place] in _REFERRING:
            return _earlier(page, place)
        chunk = page.chunk_at(place)
        if chunk is None or not page.links_between(chunk, opinion.first):
            return []
        chunk = _head_of(page, chunk, clause)
        return [chunk, *_joined_before(page, chunk, clause)]

    def object(self, page: Page, opinion: Opinion, clause: Bounds) -> list[Chunk]:
        """What is loved or recommended, and what one is pleased with."""
        for place in range(opinion.last, min(clause[1], opinion.last + _REACH)):
            if chunk := page.starting.get(place):
                return [chunk, *_joined_after(page, chunk, clause)]
            if page.roles[place] in (LINK, VERB, TURN, STOP, PAUSE):
                return []
        return []

    def beside(self, page: Page, opinion: Opinion, clause: Bounds) -> list[Chunk]:
        """The nearest noun of the clause that the lexicon knows."""
        reach = range(max(clause[0], opinion.first - _WIDE), min(clause[1], opinion.last + _WIDE))
        known = [chunk for place in reach if (chunk := page.starting.get(place)) and chunk.kind not in _UNKNOWN]
        return sorted(known, key=lambda chunk: _distance(chunk, opinion))[:1]


_OF_VERB = (Binding.object, Binding.subject)
_OF_ADJECTIVE = (Binding.described, Binding.subject, Binding.object, Binding.beside)


def _ends_search(page: Page, place: int) -> bool:
    """Whether the search for a subject, going back, ends here: at a noun, a pronoun, a speaker, a preposition."""
    word, role = page.words[place], page.roles[place]
    if role == PREPOSITION:
        return word not in _OF_VERBS
    return role in (NOUN, STOP) or word in _REFERRING or word in _DEMONSTRATIVE or word in _SPEAKERS


def _distance(chunk: Chunk, opinion: Opinion) -> int:
    return min(abs(chunk.first - opinion.last), abs(opinion.first - chunk.last))


def _earlier(page: Page, before: int) -> list[Chunk]:
    """What a pronoun means: the last noun of the same sentence that the lexicon knows and no preposition opens."""
    for place in range(before - 1, max(-1, before - _WIDE), -1):
        chunk = page.starting.get(place)
        if chunk is not None and chunk.kind not in _UNKNOWN and not _is_after_preposition(page, chunk):
            return [chunk]
        if page.words[place] in ".!?":
            return []
    return []


def _head_of(page: Page, chunk: Chunk, clause: Bounds) -> Chunk:
    """The pizza with mushrooms: the noun before the preposition."""
    place = _back_over_articles(page, chunk.first - 1, clause)
    if place > clause[0] and page.words[place] in _OF_NOUNS:
        head = page.chunk_at(place - 1)
        if head is not None and head.first >= clause[0] and head.kind is not None:
            return head
    return chunk


def _joined_after(page: Page, chunk: Chunk, clause: Bounds) -> Iterator[Chunk]:
    place = chunk.last
    while place < clause[1] and page.words[place] in _AND:
        while place < clause[1] and (page.words[place] in _AND or page.words[place] in ARTICLES):
            place += 1
        joined = page.starting.get(place)
        if joined is None or page.is_subject(joined, clause):
            return
        yield joined
        place = joined.last


def _joined_before(page: Page, chunk: Chunk, clause: Bounds) -> Iterator[Chunk]:
    place = _back_over_articles(page, chunk.first - 1, clause)
    while place >= clause[0] and page.words[place] in _AND:
        while place >= clause[0] and page.words[place] in _AND:
            place -= 1
        joined = page.chunk_at(place)
        if joined is None or joined.first < clause[0]:
            return
        yield joined
        place = _back_over_articles(page, joined.first - 1, clause)


def _is_after_preposition(page: Page, chunk: Chunk) -> bool:
    place = _back_over_articles(page, chunk.first - 1, (0, chunk.first))
    return place >= 0 and page.roles[place] == PREPOSITION


def _before(page: Page, chunk: Chunk, clause: Bounds) -> str:
    """The word before a noun and its articles."""
    place = _back_over_articles(page, chunk.first - 1, clause)
    return page.words[place] if place >= clause[0] else ""


def _back_over_articles(page: Page, place: int, clause: Bounds) -> int:
    while place >= clause[0] and page.words[place] in ARTICLES:
        place -= 1
    return place
