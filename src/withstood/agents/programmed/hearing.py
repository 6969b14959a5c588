"""What is the same for every tuple of one review: the text by place, and the refs that overlap."""

from __future__ import annotations

import functools
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from withstood.agents.programmed.analysis import Analysis, Sighting, lowered
from withstood.claims import quote
from withstood.protocols.briefs import ReviewBrief, TableTuple

Key = TypeVar("Key")
Value = TypeVar("Value")

UPPER = "제품 전체"
GRANULARITY = "granularity_overlap_candidate"
OPPOSITE = {("positive", "negative"), ("negative", "positive")}
_WIDEST_TERM = 200


class Hearing:
    """Looks things up by place, so that a long text with many tuples stays quick."""

    def __init__(self, analysis: Analysis, brief: ReviewBrief) -> None:
        self.brief, self._analysis = brief, analysis
        self.polarities = {candidate.polarity for candidate in brief.candidates}
        self._low = lowered(brief.text)
        self._begins = [sighting.begin for sighting in analysis.sightings]
        self._by_term = sorted((s.term, place) for place, s in enumerate(analysis.sightings) if s.term)
        self._clause_begins = [clause[0] for clause in analysis.clauses]
        self._lower_evidence = dict(self._overlaps())

    def said_of(self, item: TableTuple) -> Sighting | None:
        """What the text says where the tuple stands: by its target and opinion word, by either, or in its evidence."""
        at_target, in_evidence = self._at_target(item), self._in_evidence(item)
        groups = (
            [sighting for sighting in at_target if self._is_opinion_of(sighting, item)],
            [sighting for sighting in in_evidence if self._is_opinion_of(sighting, item)],
            at_target,
            in_evidence if item.opinion_term is None else [],
        )
        found = next((group for group in groups if group), [])
        return next((s for s in found if s.far == item.polarity), found[0] if found else None)

    def is_outranked(self, item: TableTuple, said: Sighting) -> bool:
        """Whether something that is tied closer to the same target says the opposite."""
        return any((other.far, said.far) in OPPOSITE and _is_closer(other, said) for other in self._at_target(item))

    def is_unsaid(self, item: TableTuple) -> bool:
        """Whether nothing at the target has the polarity of the tuple, and another tuple has what is said there."""
        said = {sighting.far for sighting in self._at_target(item)}
        return item.polarity not in said and not said.isdisjoint(self._by_place[item.begin, item.end])

    def is_contradicted(self, item: TableTuple) -> bool:
        """Whether a tuple that names its target says the opposite of the same ref, and is no background itself."""
        return any((other, item.polarity) in OPPOSITE for other in self._named[item.aspect_ref])

    def is_background(self, item: TableTuple) -> bool:
        """Whether the same sentence goes on to praise the same ref and no contrast is made: Korean comes to its point
        last, and what was wrong before is told on the way there."""
        if self.brief.language != "ko" or item.polarity != "negative":
            return False
        said, praised = self.said_of(item), self._praised[item.aspect_ref]
        if said is None or said.far != "negative" or said.marker == "contrast":
            return False
        after = bisect_right(praised, said.begin)
        return after < len(praised) and self._analysis.in_one_sentence(said.begin, praised[after])

    @functools.cached_property
    def _by_place(self) -> Mapping[tuple[int | None, int | None], set[str]]:
        """The polarities on the table for each place."""
        return _sets(((item.begin, item.end), item.polarity) for item in self.brief.candidates)

    @functools.cached_property
    def _named(self) -> Mapping[str, set[str]]:
        """The polarities of the tuples of each ref that name a target and are no background."""
        named = [item for item in self.brief.candidates if item.aspect_term.strip() and not self.is_background(item)]
        return _sets((item.aspect_ref, item.polarity) for item in named)

    @functools.cached_property
    def _praised(self) -> Mapping[str, list[int]]:
        """Where each ref is praised, in order."""
        praise = [item for item in self.brief.candidates if item.polarity == "positive"]
        places = _sets((item.aspect_ref, said.begin) for item in praise if (said := self.said_of(item)))
        return defaultdict(list, {ref: sorted(begins) for ref, begins in places.items()})

    def is_quoted(self, part: str | None) -> bool:
        """Whether a quotation stands in the text; nothing quoted is nothing missing."""
        return not part or not part.strip() or quote.occurs(part, self.brief.text)

    def beside(self, sighting: Sighting) -> tuple[Sighting, ...]:
        """What is said in the clauses right before and right after this one."""
        clauses = self._analysis.clauses
        place = bisect_right(self._clause_begins, sighting.clause[0]) - 1
        first, last = clauses[max(0, place - 1)], clauses[min(len(clauses) - 1, place + 1)]
        return tuple(other for other in self._between(first[0], last[1]) if other.clause != sighting.clause)

    def lower_evidence(self, tuple_id: str) -> frozenset[str | None] | None:
        """What the lower refs of the same overlap cite; None where no overlap names the tuple."""
        return self._lower_evidence.get(tuple_id)

    def _overlaps(self) -> Iterator[tuple[str, frozenset[str | None]]]:
        by_id = {candidate.tuple_id: candidate for candidate in self.brief.candidates}
        for flag in self.brief.flags:
            if flag.conflict_type == GRANULARITY:
                named = [by_id[tuple_id] for tuple_id in flag.tuple_ids if tuple_id in by_id]
                cited = frozenset(item.evidence for item in named if not is_upper(item.aspect_ref))
                yield from ((item.tuple_id, cited) for item in named)

    def _between(self, begin: int, end: int) -> tuple[Sighting, ...]:
        return self._analysis.sightings[bisect_left(self._begins, begin) : bisect_left(self._begins, end)]

    def _at_target(self, item: TableTuple) -> list[Sighting]:
        if item.begin is None or item.end is None:
            return []
        first = bisect_left(self._by_term, ((item.begin - _WIDEST_TERM, 0), 0))
        last = bisect_left(self._by_term, ((item.end, 0), 0))
        near = self._by_term[first:last]
        return [self._analysis.sightings[place] for term, place in near if item.begin < term[1]]

    def _in_evidence(self, item: TableTuple) -> tuple[Sighting, ...]:
        begin = self._low.find(lowered(item.evidence)) if item.evidence else -1
        return self._between(begin, begin + len(item.evidence or "")) if begin >= 0 else ()

    def _is_opinion_of(self, sighting: Sighting, item: TableTuple) -> bool:
        told, claimed = self._low[sighting.begin : sighting.end], lowered(item.opinion_term or "").strip()
        return bool(claimed) and (told in claimed or claimed in told)


@dataclass(frozen=True, slots=True)
class Docket:
    """One tuple before a reviewer, and what the text says where it stands."""

    tuple: TableTuple
    hearing: Hearing
    said: Sighting | None

    @property
    def is_opposed(self) -> bool:
        return self.said is not None and (self.tuple.polarity, self.said.far) in OPPOSITE

    @property
    def gives_way(self) -> bool:
        """The text says otherwise where that counts for more: closer to the target, of a named one, at the end."""
        if self.hearing.is_background(self.tuple) or (self.is_implicit and self.hearing.is_contradicted(self.tuple)):
            return True
        if self.said is None or self.is_opposed:
            return False
        return self.hearing.is_outranked(self.tuple, self.said) or self.hearing.is_unsaid(self.tuple)

    @property
    def is_implicit(self) -> bool:
        return not self.tuple.aspect_term.strip()

    @property
    def cites_what_is_not_there(self) -> bool:
        return self.tuple.evidence_found is False

    @property
    def quotes_what_is_not_there(self) -> bool:
        quoted = map(self.hearing.is_quoted, (self.tuple.aspect_term, self.tuple.opinion_term))
        return self.cites_what_is_not_there or not all(quoted)


def _is_closer(one: Sighting, other: Sighting) -> bool:
    """In the target's own clause, where the other one is not; or right before the target, and the other after it."""
    if one.stands_apart != other.stands_apart:
        return other.stands_apart
    return one.describes and one.gap <= 1 and not other.describes


def _sets(pairs: Iterable[tuple[Key, Value]]) -> defaultdict[Key, set[Value]]:
    found: defaultdict[Key, set[Value]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return found


def is_upper(ref: str) -> bool:
    return ref.split("#")[0].strip() == UPPER
