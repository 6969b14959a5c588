"""What an English clause makes of an opinion word: denials near and far, problems, and too much of a good thing."""

from __future__ import annotations

from withstood.agents.programmed.analysis import TURNED, Marker
from withstood.agents.programmed.page import ARTICLES, Bounds, Page
from withstood.agents.programmed.tokens import NOUN, OPINION, TURN, Opinion
from withstood.lexicons.lexicon import Lexicon, Polarity

Said = tuple[Polarity, Polarity, Marker]

_TOO_MUCH = frozenset({"taste", "portion", "size", "design", "ambience", "comfort", "general", "variety"})
_SCOPE_ENDS = frozenset(", ; and so because how if when unless until without".split())
_BETWEEN = frozenset({"as", "that", "be", "been", "have"})
_REACH_NEAR, _REACH_FAR, _REACH_PROBLEM = 4, 9, 3


class Scope:
    """The polarity of an opinion right beside its denials, under the whole clause, and what turned it."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._adverbs = frozenset(lexicon.words.adverbs) | frozenset(lexicon.markers.intensifiers)
        self._gone = frozenset(lexicon.markers.gone)
        self._arisen = frozenset(lexicon.markers.arisen)

    def said(self, page: Page, opinion: Opinion, clause: Bounds, told: Polarity) -> Said | None:
        """None for a problem of which the text does not say whether it is there."""
        if opinion.meaning.kind == "problem":
            return self._of_problem(page, opinion, clause)
        if self._is_too_much(page, opinion):
            return "negative", "negative", ""
        near = self._denied_nearby(page, opinion, clause)
        far = near or self._denied_further(page, opinion, clause, told)
        marker: Marker = "negation" if far else "contrast" if page.has_turn(clause) else ""
        return TURNED[told] if near else told, TURNED[told] if far else told, marker

    def _of_problem(self, page: Page, opinion: Opinion, clause: Bounds) -> Said | None:
        before = page.words[max(clause[0], opinion.first - _REACH_PROBLEM) : opinion.first]
        if any(word in self._gone or word.endswith("n't") for word in before):
            return "positive", "positive", "negation"
        return ("negative", "negative", "") if before and before[-1] in self._arisen else None

    def _is_too_much(self, page: Page, opinion: Opinion) -> bool:
        before = page.words[opinion.first - 1] if opinion.first else ""
        meaning = opinion.meaning
        return before in ("too", "overly") and meaning.about in _TOO_MUCH and meaning.kind == "adjective"

    def _denied_nearby(self, page: Page, opinion: Opinion, clause: Bounds) -> bool:
        """With nothing but adverbs between: not very good, n't really that great."""
        for place in range(opinion.first - 1, max(clause[0], opinion.first - _REACH_NEAR) - 1, -1):
            word = page.words[place]
            if place in page.denied:
                return True
            if word not in self._adverbs and word not in ARTICLES and word not in _BETWEEN:
                return False
        return False

    def _denied_further(self, page: Page, opinion: Opinion, clause: Bounds, told: Polarity) -> bool:
        """A denial of the same predicate, or a phrase that keeps its distance from the whole clause.

        A denial from afar does not turn blame into praise: who does not need bad food was not served good food.
        """
        passed_noun = False
        for place in range(opinion.first - 1, max(clause[0], opinion.first - _REACH_FAR) - 1, -1):
            if page.words[place] in _SCOPE_ENDS or page.roles[place] == TURN:
                return False
            if place in page.distant:
                return not page.denied.intersection(range(max(clause[0], place - _REACH_NEAR), place - 1))
            if place in page.denied and not passed_noun:
                return told == "positive"
            passed_noun = passed_noun or page.roles[place] in (NOUN, OPINION)
        return False
