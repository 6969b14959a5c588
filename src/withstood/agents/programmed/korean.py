"""The clause-and-lexicon reader for Korean: stems and nouns found in running text, bound within their clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from withstood.agents.programmed.analysis import TURNED, Analysis, Basis, Marker, Sighting, lowered, trimmed
from withstood.lexicons.hangul import has_tail
from withstood.lexicons.lexicon import Lexicon, Meaning, Polarity

T = TypeVar("T")

_STATED, _DENIED, _CUE, _LOOSE = map(Decimal, ("0.8", "0.7", "0.6", "0.5"))
_STOPS = re.compile(r"[.!?。！？\n…~^]+|ㅋ{2,}|ㅎ{2,}|[ㅠㅜ]{1,}")
_WORD = re.compile(r"[^\s.,!?~…^]+")
_BEFORE_DENIAL = re.compile(r"(?:^|[\s.,])(?:안|못|전혀|하나도|별로)\s*$")
_DESCRIBING = re.compile(r"[은는한운던인된진]\s+#?$")
_CONCEDED = re.compile(r"(?:지만|으나|긴\s*한데|기는\s*한데)$")
_REACH_BACK, _REACH_ON, _REACH_PROBLEM, _REACH_FAR = 16, 12, 9, 24


class Stems(Generic[T]):
    """Entries found at a place of running text, the longest first."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        found: dict[str, dict[str, T]] = {}
        for entry, meaning in entries:
            found.setdefault(entry[0], {})[entry] = meaning
        self._by_first: Mapping[str, tuple[tuple[str, T], ...]] = {
            first: tuple(sorted(rest.items(), key=lambda row: (-len(row[0]), row[0]))) for first, rest in found.items()
        }

    def at(self, text: str, place: int) -> tuple[str, T] | None:
        for row in self._by_first.get(text[place], ()):
            if text.startswith(row[0], place):
                return row
        return None


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun that names an aspect; the product itself is of the kind `product`."""

    begin: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Stem:
    """An opinion word or cue in the text."""

    begin: int
    end: int
    form: str
    meaning: Meaning
    is_cue: bool


class KoreanReader:
    """Pure computation on a text; everything it knows comes from the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        markers = lexicon.markers
        decoys = [(word, None) for word in lexicon.words.decoys]
        told = [(form, (meaning, False)) for form, meaning in lexicon.opinions.items()]
        implied = [(form, (meaning, True)) for form, meaning in lexicon.cues.items() if form not in lexicon.opinions]
        self._stems: Stems[tuple[Meaning, bool] | None] = Stems([*implied, *told, *decoys])
        self._nouns = Stems(lexicon.aspects.items())
        self._relatives = lexicon.relatives
        self._after_nouns = frozenset(particle[0] for particle in lexicon.words.particles)
        self._turn = _any_of(markers.turns, "(?:", r")(?=[\s,.!?~]|$)")
        self._denial = _any_of(markers.denials)
        self._shield = _any_of(markers.shields)
        self._distance = _any_of(markers.distances)
        self._gone = _any_of(markers.gone)
        self._arisen = _any_of(markers.arisen)

    def read(self, text: str) -> Analysis:
        low = lowered(text)
        clauses = self._clauses(low)
        stems, nouns = self._scan(low)
        seen: list[Sighting] = []
        for clause in clauses:
            here = [noun for noun in nouns if clause[0] <= noun.begin < clause[1]]
            told = [stem for stem in stems if clause[0] <= stem.begin < clause[1]]
            seen += self._of_clause(low, clause, here, told)
        return Analysis(text, tuple(clauses), tuple(_once(_meant(low, seen))))

    def _clauses(self, low: str) -> list[tuple[int, int]]:
        """Runs between marks of punctuation and turns; a turn ends the clause that it closes."""
        cuts = sorted(
            {m.end() for m in _STOPS.finditer(low)} | {m.end() for m in self._turn.finditer(low)} | {len(low)}
        )
        found = [trimmed(low, begin, end) for begin, end in zip([0, *cuts], cuts, strict=False)]
        return [(begin, end) for begin, end in found if end > begin]

    def _scan(self, low: str) -> tuple[list[Stem], list[Noun]]:
        stems: list[Stem] = []
        nouns: list[Noun] = []
        past_stem = past_noun = 0
        for place, sign in enumerate(low):
            if sign == " ":
                continue
            if place >= past_stem and (stem := self._stem_at(low, place)):
                past_stem = place + len(stem[0])
                if stem[1] is not None:
                    stems.append(Stem(place, past_stem, stem[0], *stem[1]))
            if place >= past_noun and (noun := self._nouns.at(low, place)) and self._stands(low, place, noun[0]):
                past_noun = place + len(noun[0])
                nouns.append(Noun(place, past_noun, noun[1]))
        return stems, nouns

    def _stem_at(self, low: str, place: int) -> tuple[str, tuple[Meaning, bool] | None] | None:
        found = self._stems.at(low, place)
        if found is None or len(found[0]) > 1 or found[1] is None:
            return found
        return found if _begins_word(low, place) or (has_tail(found[0]) and found[0] in "좋싫") else None

    def _stands(self, low: str, place: int, noun: str) -> bool:
        """A short noun must be a word of its own, with at most a particle; a longer one may be part of a compound."""
        after = low[place + len(noun)] if place + len(noun) < len(low) else " "
        ends = not after.isalnum() or after in self._after_nouns
        if len(noun) == 1:
            return _begins_word(low, place) and ends and after != "나"
        return ends or len(noun) > 2 or self._stems.at(low, place + len(noun)) is not None

    # --- binding ---

    def _of_clause(self, low: str, clause: tuple[int, int], nouns: list[Noun], stems: list[Stem]) -> Iterator[Sighting]:
        for place, stem in enumerate(stems):
            noun = self._target(low, stem, nouns, clause)
            told = self._told(stem, noun)
            if told is None:
                continue
            following = stems[place + 1].begin if place + 1 < len(stems) else clause[1]
            said = self._polarity(low, stem, told, clause, following)
            if said is not None:
                yield self._sighting(low, stem, noun, clause, said)

    def _target(self, low: str, stem: Stem, nouns: list[Noun], clause: tuple[int, int]) -> Noun | None:
        after = [n for n in nouns if stem.end <= n.begin <= stem.end + _REACH_ON]
        if after and _DESCRIBING.search(low, stem.begin, after[0].begin):
            return self._named(after[0])
        before = [n for n in nouns if stem.begin - _REACH_BACK <= n.begin and n.begin <= stem.begin]
        known = [n for n in before if n.kind != "product"]
        chosen = known[-1] if known else before[-1] if before else None
        if chosen is None and stem.is_cue and len(nouns) == 1:
            chosen = nouns[0]
        return chosen

    def _named(self, noun: Noun) -> Noun:
        return noun

    def _told(self, stem: Stem, noun: Noun | None) -> Polarity | None:
        if noun is not None and (found := self._relatives.get((stem.form, noun.kind))) is not None:
            return found
        return None if stem.meaning.kind == "relative" else stem.meaning.polarity

    def _sighting(
        self, low: str, stem: Stem, noun: Noun | None, clause: tuple[int, int], said: tuple[Polarity, Polarity, Marker]
    ) -> Sighting:
        about, cue = stem.meaning.about, stem.is_cue
        basis: Basis = "cue" if cue else "stated" if about != "general" or noun else "whole"
        sure = (
            _CUE
            if cue
            else (_DENIED if said[2] == "negation" else _STATED)
            if noun
            else _CUE
            if about != "general"
            else _LOOSE
        )
        term = (noun.begin, noun.end) if noun else None
        return Sighting(stem.begin, stem.end, clause, term, noun.kind if noun else "none", about, *said, basis, sure)

    # --- polarity ---

    def _polarity(
        self, low: str, stem: Stem, told: Polarity, clause: tuple[int, int], following: int
    ) -> tuple[Polarity, Polarity, Marker] | None:
        if stem.meaning.kind == "problem":
            return self._problem(low, stem, clause)
        near = self._denied_nearby(low, stem, clause)
        far = near or self._denied_further(low, stem, clause, following)
        marker: Marker = "negation" if far else "contrast" if self._has_turn(low, clause) else ""
        return TURNED[told] if near else told, TURNED[told] if far else told, marker

    def _problem(self, low: str, stem: Stem, clause: tuple[int, int]) -> tuple[Polarity, Polarity, Marker] | None:
        end = min(clause[1], stem.end + _REACH_PROBLEM)
        if self._gone.search(low, stem.end, end):
            return "positive", "positive", "negation"
        if self._arisen.search(low, stem.end, end):
            return "negative", "negative", ""
        return None

    def _denied_nearby(self, low: str, stem: Stem, clause: tuple[int, int]) -> bool:
        if _BEFORE_DENIAL.search(low, clause[0], stem.begin):
            return True
        found = self._denial.search(low, stem.end, min(clause[1], stem.end + 7))
        return found is not None and found.start() <= stem.end + 3 and not self._shielded(low, found.start(), clause)

    def _denied_further(self, low: str, stem: Stem, clause: tuple[int, int], following: int) -> bool:
        end = min(clause[1] + 2, stem.end + _REACH_FAR, following)
        found = self._distance.search(low, stem.end, end)
        return found is not None and not self._shielded(low, found.start(), clause)

    def _shielded(self, low: str, place: int, clause: tuple[int, int]) -> bool:
        return any(m.start() <= place < m.end() for m in self._shield.finditer(low, max(0, place - 4), clause[1] + 2))

    def _has_turn(self, low: str, clause: tuple[int, int]) -> bool:
        return self._turn.search(low, clause[0], clause[1]) is not None


def _meant(low: str, seen: list[Sighting]) -> list[Sighting]:
    """Without what only leads up to praise (the trouble that the product took away), and without a noun's own praise
    where the clause goes on to say something of it."""
    told_of = {s.term for s in seen if s.term and not _is_its_own_term(s)}
    seen = [s for s in seen if not (_is_its_own_term(s) and s.term in told_of)]
    last_praise = max((s.begin for s in seen if s.far == "positive"), default=-1)
    return [s for s in seen if not (s.far == "negative" and s.begin < last_praise and _is_background(low, s))]


def _is_its_own_term(sighting: Sighting) -> bool:
    """A noun such as 보습력, which praises by being named, where nothing else is said of it."""
    return sighting.term is not None and sighting.begin <= sighting.term[0] and sighting.term[1] == sighting.end


def _is_background(low: str, sighting: Sighting) -> bool:
    return sighting.kind in ("none", "product") and _CONCEDED.search(low, *sighting.clause) is None


def _begins_word(low: str, place: int) -> bool:
    return place == 0 or not low[place - 1].isalnum()


def _any_of(entries: Iterable[str], before: str = "", after: str = "") -> re.Pattern[str]:
    longest_first = sorted(set(entries), key=lambda entry: (-len(entry), entry))
    inner = "|".join(map(re.escape, longest_first)) or "(?!)"
    return re.compile(f"{before}{inner}{after}")


def _once(seen: list[Sighting]) -> Iterator[Sighting]:
    """A target and its polarity once, by the surest opinion word."""
    best: dict[object, Sighting] = {}
    for sighting in seen:
        key = (sighting.term or (sighting.about, sighting.clause), sighting.about, sighting.near, sighting.far)
        if key not in best or best[key].sure < sighting.sure:
            best[key] = sighting
    yield from sorted(best.values(), key=lambda s: (s.begin, s.term or (0, 0)))
