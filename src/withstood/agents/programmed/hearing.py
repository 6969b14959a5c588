"""What is the same for every tuple of one review: the text by place, and the refs that overlap."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from withstood.agents.programmed.analysis import Analysis, Sighting, lowered
from withstood.claims import quote
from withstood.protocols.briefs import ReviewBrief, TableTuple

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
        return item.polarity not in said and any(
            other.polarity in said and (other.begin, other.end) == (item.begin, item.end) for other in self.brief.candidates
        )

    def is_background(self, item: TableTuple) -> bool:
        """Whether the same sentence goes on to praise the same ref and no contrast is made: Korean comes to its point
        last, and what was wrong before is told on the way there."""
        if self.brief.language != "ko" or item.polarity != "negative":
            return False
        said = self.said_of(item)
        if said is None or said.far != "negative" or said.marker == "contrast":
            return False
        praised = [self.said_of(one) for one in self.brief.candidates if _praises(one, item.aspect_ref)]
        return any(other and said.begin < other.begin and self._analysis.in_one_sentence(said, other) for other in praised)

    def is_contradicted(self, item: TableTuple) -> bool:
        """Whether a tuple that names its target says the opposite of the same ref, and is no background itself."""
        return any(
            other.aspect_ref == item.aspect_ref
            and other.aspect_term.strip()
            and (other.polarity, item.polarity) in OPPOSITE
            and not self.is_background(other)
            for other in self.brief.candidates
        )

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
        near = [self._analysis.sightings[place] for term, place in self._by_term[first:last] if item.begin < term[1]]
        return near

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
        """What the text says otherwise is closer to the target, or named where this tuple names nothing."""
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
    """In the target's own clause, where the other one is not; or right before the target, and the other one after it."""
    if one.stands_apart != other.stands_apart:
        return other.stands_apart
    if one.term is None or other.term is None:
        return False
    return one.gap <= 1 and one.begin < one.term[0] and other.begin > other.term[0]


def _praises(item: TableTuple, ref: str) -> bool:
    return item.polarity == "positive" and item.aspect_ref == ref


def is_upper(ref: str) -> bool:
    return ref.split("#")[0].strip() == UPPER
