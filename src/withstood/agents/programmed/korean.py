"""The clause-and-lexicon reader for Korean: stems and nouns found in running text, bound within their clause."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from withstood.agents.programmed.analysis import TURNED, Analysis, Basis, Marker, Sighting, lowered, trimmed
from withstood.lexicons.lexicon import Lexicon, Meaning, Polarity

T = TypeVar("T")

_STATED, _DENIED, _CUE, _LOOSE = map(Decimal, ("0.8", "0.7", "0.6", "0.5"))
_STOPS = re.compile(r"[.!?。！？\n…~^]+|ㅋ{2,}|ㅎ{2,}|[ㅠㅜ]{1,}")
_BEFORE_DENIAL = re.compile(r"(?:^|[\s.,])(?:안|못|전혀|하나도|별로)\s*$")
_DESCRIBING = re.compile(r"[은는한운던인된진]\s+#?$")
_CONCEDED = ("지만", "으나", "긴 한데", "긴한데", "기는 한데")
_ANYWHERE = "좋싫"
_REACH_BACK, _REACH_ON, _REACH_PROBLEM, _REACH_FAR = 16, 12, 9, 24
_REACH_DENIAL, _ENDING = 7, 3


Said = tuple[Polarity, Polarity, Marker]


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


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of text with what was found in it. `turns`: it ends in a turn; `sentence`: where its sentence ends."""

    begin: int
    end: int
    turns: bool
    sentence: int
    nouns: list[Noun]
    stems: list[Stem]

    @property
    def bounds(self) -> tuple[int, int]:
        return (self.begin, self.end)


class KoreanReader:
    """Pure computation on a text; everything it knows comes from the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._finds = Finds(lexicon)
        self._scope = Scope(lexicon)
        self._relatives = lexicon.relatives

    def read(self, text: str) -> Analysis:
        low = lowered(text)
        clauses = self._finds.clauses(low)
        seen = [sighting for clause in clauses for sighting in _meant(list(self._of_clause(low, clause)))]
        bounds = tuple(clause.bounds for clause in clauses)
        return Analysis(text, bounds, tuple(_once(_without_background(seen, clauses, low))))

    def _of_clause(self, low: str, clause: Clause) -> Iterator[Sighting]:
        begins = [noun.begin for noun in clause.nouns]
        for place, stem in enumerate(clause.stems):
            noun = _target(low, stem, clause, begins)
            told = self._told(stem, noun)
            following = clause.stems[place + 1].begin if place + 1 < len(clause.stems) else clause.end
            said = self._scope.said(low, stem, told, clause, following) if told else None
            if said is not None:
                yield _sighting(stem, noun, clause, said)

    def _told(self, stem: Stem, noun: Noun | None) -> Polarity | None:
        """What the word says of this target; None for a relative word where the lexicon does not know that."""
        if noun is not None and (found := self._relatives.get((stem.form, noun.kind))) is not None:
            return found
        return None if stem.meaning.kind == "relative" else stem.meaning.polarity


class Finds:
    """Clauses, opinion stems and nouns, found in one pass over the text."""

    def __init__(self, lexicon: Lexicon) -> None:
        decoys = [(word, None) for word in lexicon.words.decoys]
        told = [(form, (meaning, False)) for form, meaning in lexicon.opinions.items()]
        implied = [(form, (meaning, True)) for form, meaning in lexicon.cues.items() if form not in lexicon.opinions]
        self._stems: Stems[tuple[Meaning, bool] | None] = Stems([*implied, *told, *decoys])
        self._nouns = Stems(lexicon.aspects.items())
        self._after_nouns = frozenset(particle[0] for particle in lexicon.words.particles)
        self._turn = _any_of(lexicon.markers.turns, "(?:", r")(?=[\s,.!?~]|$)")

    def clauses(self, low: str) -> list[Clause]:
        """Runs between marks of punctuation and turns; a turn ends the clause that it closes."""
        stops = [*(found.end() for found in _STOPS.finditer(low)), len(low)]
        turns = {found.end() for found in self._turn.finditer(low)}
        cuts = sorted({*stops, *turns})
        stems, nouns = self._scan(low)
        spans = [(*trimmed(low, begin, end), end) for begin, end in zip([0, *cuts], cuts, strict=False)]
        return [
            Clause(
                begin,
                end,
                cut in turns,
                stops[bisect_left(stops, cut)],
                _within(nouns, begin, cut),
                _within(stems, begin, cut),
            )
            for begin, end, cut in spans
            if end > begin
        ]

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
        return found if _begins_word(low, place) or found[0] in _ANYWHERE else None

    def _stands(self, low: str, place: int, noun: str) -> bool:
        """A short noun must be a word of its own, with at most a particle; a longer one may be part of a compound."""
        after = low[place + len(noun)] if place + len(noun) < len(low) else " "
        ends = not after.isalnum() or after in self._after_nouns
        if len(noun) == 1:
            return _begins_word(low, place) and ends and after != "나"
        return ends or len(noun) > 2 or self._stems.at(low, place + len(noun)) is not None


class Scope:
    """The polarity of a stem right beside its denials, under the whole clause, and what turned it."""

    def __init__(self, lexicon: Lexicon) -> None:
        markers = lexicon.markers
        self._denial, self._shield = _any_of(markers.denials), _any_of(markers.shields)
        self._distance = _any_of(markers.distances)
        self._gone, self._arisen = _any_of(markers.gone), _any_of(markers.arisen)

    def said(self, low: str, stem: Stem, told: Polarity, clause: Clause, following: int) -> Said | None:
        """None for a problem of which the text does not say whether it is there."""
        if stem.meaning.kind == "problem":
            return self._of_problem(low, stem, clause)
        near = self._denied_nearby(low, stem, clause)
        far = near or self._denied_further(low, stem, clause, following)
        marker: Marker = "negation" if far else "contrast" if clause.turns else ""
        return TURNED[told] if near else told, TURNED[told] if far else told, marker

    def _of_problem(self, low: str, stem: Stem, clause: Clause) -> Said | None:
        end = min(clause.end, stem.end + _REACH_PROBLEM)
        if self._gone.search(low, stem.end, end):
            return "positive", "positive", "negation"
        return ("negative", "negative", "") if self._arisen.search(low, stem.end, end) else None

    def _denied_nearby(self, low: str, stem: Stem, clause: Clause) -> bool:
        if _BEFORE_DENIAL.search(low[max(clause.begin, stem.begin - _REACH_DENIAL) : stem.begin]):
            return True
        found = self._denial.search(low, stem.end, min(clause.end, stem.end + _REACH_DENIAL))
        return found is not None and found.start() <= stem.end + _ENDING and not self._is_shielded(low, found.start())

    def _denied_further(self, low: str, stem: Stem, clause: Clause, following: int) -> bool:
        found = self._distance.search(low, stem.end, min(clause.end + 2, stem.end + _REACH_FAR, following))
        return found is not None and not self._is_shielded(low, found.start())

    def _is_shielded(self, low: str, place: int) -> bool:
        near = self._shield.finditer(low, max(0, place - 4), place + _REACH_ON)
        return any(found.start() <= place < found.end() for found in near)


def _target(low: str, stem: Stem, clause: Clause, begins: list[int]) -> Noun | None:
    """The noun that the stem describes, else the last one before it, one of an aspect before the product itself."""
    following = bisect_left(begins, stem.end)
    if following < len(begins) and begins[following] <= stem.end + _REACH_ON:
        after = clause.nouns[following]
        if _DESCRIBING.search(low, stem.begin, after.begin):
            return after
    before = clause.nouns[bisect_left(begins, stem.begin - _REACH_BACK) : bisect_right(begins, stem.begin)]
    known = [noun for noun in before if noun.kind != "product"]
    if before:
        return (known or before)[-1]
    return clause.nouns[0] if stem.is_cue and len(clause.nouns) == 1 else None


def _sighting(stem: Stem, noun: Noun | None, clause: Clause, said: Said) -> Sighting:
    about = stem.meaning.about
    basis: Basis = "cue" if stem.is_cue else "stated" if about != "general" or noun else "whole"
    term, kind = ((noun.begin, noun.end), noun.kind) if noun else (None, "none")
    sure = _sure(stem, noun, said[2])
    return Sighting(stem.begin, stem.end, clause.bounds, term, kind, about, *said, basis, sure)


def _sure(stem: Stem, noun: Noun | None, marker: Marker) -> Decimal:
    if stem.is_cue or (noun is None and stem.meaning.about != "general"):
        return _CUE
    return _LOOSE if noun is None else _DENIED if marker == "negation" else _STATED


Found = TypeVar("Found", Noun, Stem)


def _within(found: list[Found], begin: int, end: int) -> list[Found]:
    first = bisect_left(found, begin, key=_begin)
    return found[first : bisect_left(found, end, key=_begin)]


def _begin(found: Noun | Stem) -> int:
    return found.begin


def _meant(seen: list[Sighting]) -> Iterator[Sighting]:
    """Without a noun's own praise, such as 보습력, where the clause goes on to say something of it."""
    told_of = {sighting.term for sighting in seen if not _is_its_own_term(sighting)}
    return (sighting for sighting in seen if not _is_its_own_term(sighting) or sighting.term not in told_of)


def _is_its_own_term(sighting: Sighting) -> bool:
    return sighting.term is not None and sighting.begin <= sighting.term[0] and sighting.term[1] == sighting.end


def _without_background(seen: list[Sighting], clauses: list[Clause], low: str) -> list[Sighting]:
    """Without the trouble that somebody had before the product, in a sentence that ends in praise."""
    sentence_of = {clause.bounds: clause.sentence for clause in clauses}
    praised = {sentence_of[s.clause]: s.begin for s in seen if s.far == "positive"}
    return [s for s in seen if s.begin > praised.get(sentence_of[s.clause], -1) or not _is_background(low, s)]


def _is_background(low: str, sighting: Sighting) -> bool:
    of_its_own = sighting.kind not in ("none", "product") or sighting.about in ("general", "price")
    return sighting.far == "negative" and not of_its_own and not low.endswith(_CONCEDED, *sighting.clause)


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
