"""The three reviewing seats: each looks at every flagged tuple for its own concern, and names one action for it.

A, negation and contrast: does the tuple's own clause turn its opinion?

    the clause says the same, or nothing that is known       KEEP
    it says the opposite under a denial                      FLIP NEGATION_SCOPE
    it says the opposite beside a contrast                   FLIP CONTRAST_CLAUSE
    it says something else and nothing turns it              FLAG POLARITY_UNCERTAIN
    the other side of the contrast stands in no tuple        FLAG CONTRAST_CLAUSE

B, implicit inference: is an unstated aspect inferred from something that is there?

    the aspect is stated                                     KEEP
    the evidence is not in the text                          DROP WEAK_EVIDENCE
    what stands there says the opposite                      DROP WEAK_INFERENCE
    nothing that is known stands there                       FLAG WEAK_INFERENCE
    else                                                     KEEP

C, literal grounding: does what the tuple quotes stand there, and say that?

    a term, opinion word or evidence is not in the text      DROP WEAK_EVIDENCE
    the opinion word as quoted says the opposite             DROP WEAK_EVIDENCE
    an upper ref beside a lower one of the same clause       DROP REDUNDANT_UPPER_REF
    an upper ref beside a lower one of another clause        FLAG REDUNDANT_REF_UNCERTAIN
    nothing explicit, only a cue                             FLAG EXPLICIT_NOT_REQUIRED
    else                                                     KEEP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from withstood.agents.programmed.analysis import Analysis, Sighting, lowered
from withstood.agents.programmed.readers import NO_READER
from withstood.agents.programmed.sight import Sight
from withstood.claims import quote
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.flag import Flag
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import ReviewBrief, TableTuple

UPPER = "제품 전체"
GRANULARITY = "granularity_overlap_candidate"
_OPPOSITE = {("positive", "negative"), ("negative", "positive")}

Verdict = tuple[Action, str, str | None]
KEEP: Verdict = (Action.KEEP, "", None)


@dataclass(frozen=True, slots=True)
class Docket:
    """One tuple before a reviewer: the text around it, its rivals, and what the text says where it stands."""

    tuple: TableTuple
    analysis: Analysis
    brief: ReviewBrief
    said: Sighting | None

    @property
    def opposed(self) -> bool:
        return self.said is not None and (self.tuple.polarity, self.said.far) in _OPPOSITE

    @property
    def implicit(self) -> bool:
        return not self.tuple.aspect_term.strip()

    @property
    def cites_what_is_not_there(self) -> bool:
        return self.tuple.evidence_found is False

    @property
    def quotes_what_is_not_there(self) -> bool:
        quoted = (self.tuple.aspect_term, self.tuple.opinion_term)
        missing = [part for part in quoted if part and part.strip() and not quote.stands(part, self.brief.text)]
        return bool(missing) or self.cites_what_is_not_there


Concern = Callable[[Docket], Verdict]


def review(sight: Sight, concern: Concern, brief: ReviewBrief) -> Review | Silent:
    """One action for every tuple that a flag or a risk names, in the order of the candidates."""
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    named = {tuple_id for flag in brief.flags for tuple_id in flag.tuple_ids}
    return Review(
        tuple(
            _action(item.tuple_id, concern(Docket(item, analysis, brief, _said(analysis, item))))
            for item in brief.candidates
            if item.tuple_id in named
        )
    )


def structure(docket: Docket) -> Verdict:
    said = docket.said
    if said is None or said.far == docket.tuple.polarity:
        return (Action.FLAG, "CONTRAST_CLAUSE", None) if _other_side_is_missing(docket) else KEEP
    if docket.opposed and said.marker:
        return Action.FLIP, _TURNED_BY[said.marker], said.far
    return Action.FLAG, "POLARITY_UNCERTAIN", None


def inference(docket: Docket) -> Verdict:
    if not docket.implicit:
        return KEEP
    if docket.cites_what_is_not_there:
        return Action.DROP, "WEAK_EVIDENCE", None
    if docket.opposed:
        return Action.DROP, "WEAK_INFERENCE", None
    return KEEP if docket.said is not None else (Action.FLAG, "WEAK_INFERENCE", None)


def grounding(docket: Docket) -> Verdict:
    if docket.quotes_what_is_not_there or (docket.opposed and not docket.implicit):
        return Action.DROP, "WEAK_EVIDENCE", None
    if found := _redundancy(docket):
        return found
    if docket.implicit and (docket.said is None or docket.said.basis == "cue"):
        return Action.FLAG, "EXPLICIT_NOT_REQUIRED", None
    return KEEP


CONCERNS: Mapping[str, tuple[str, Concern]] = {
    "A": ("programmed:structure@1", structure),
    "B": ("programmed:inference@1", inference),
    "C": ("programmed:grounding@1", grounding),
}

_TURNED_BY = {"negation": "NEGATION_SCOPE", "contrast": "CONTRAST_CLAUSE"}


def _action(tuple_id: str, verdict: Verdict) -> ReviewAction:
    action, reason, polarity = verdict
    return ReviewAction(action, (tuple_id,), {"polarity": polarity} if polarity else None, reason)


def _said(analysis: Analysis, item: TableTuple) -> Sighting | None:
    """What the text says where the tuple stands: by its target and opinion word, else by either, else in its evidence."""
    tests = (
        lambda s: _is_at_target(s, item) and _is_opinion_of(analysis, s, item),
        lambda s: _is_opinion_of(analysis, s, item) and _is_in_evidence(analysis, s, item),
        lambda s: _is_at_target(s, item),
        lambda s: item.opinion_term is None and _is_in_evidence(analysis, s, item),
    )
    for fits in tests:
        found = [sighting for sighting in analysis.sightings if fits(sighting)]
        if found:
            return next((s for s in found if s.far == item.polarity), found[0])
    return None


def _is_at_target(sighting: Sighting, item: TableTuple) -> bool:
    if sighting.term is None or item.begin is None or item.end is None:
        return False
    return sighting.term[0] < item.end and item.begin < sighting.term[1]


def _is_opinion_of(analysis: Analysis, sighting: Sighting, item: TableTuple) -> bool:
    if not item.opinion_term:
        return False
    told, claimed = lowered(analysis.text[sighting.begin : sighting.end]), lowered(item.opinion_term)
    return told in claimed or claimed in told


def _is_in_evidence(analysis: Analysis, sighting: Sighting, item: TableTuple) -> bool:
    if not item.evidence:
        return False
    begin = lowered(analysis.text).find(lowered(item.evidence))
    return begin >= 0 and begin <= sighting.begin < begin + len(item.evidence)


def _other_side_is_missing(docket: Docket) -> bool:
    """Whether a clause beside the tuple's own says the opposite, and no candidate does."""
    said = docket.said
    if said is None or said.marker != "contrast":
        return False
    others = {s.far for s in docket.analysis.sightings if s.clause != said.clause and (s.far, said.far) in _OPPOSITE}
    return bool(others - {candidate.polarity for candidate in docket.brief.candidates})


def _redundancy(docket: Docket) -> Verdict | None:
    flag = _overlap_of(docket)
    if flag is None or not _is_upper(docket.tuple.aspect_ref):
        return None
    lower = [c for c in docket.brief.candidates if c.tuple_id in flag.tuple_ids and not _is_upper(c.aspect_ref)]
    if any(c.evidence and c.evidence == docket.tuple.evidence for c in lower):
        return Action.DROP, "REDUNDANT_UPPER_REF", None
    return Action.FLAG, "REDUNDANT_REF_UNCERTAIN", None


def _overlap_of(docket: Docket) -> Flag | None:
    named = (f for f in docket.brief.flags if docket.tuple.tuple_id in f.tuple_ids)
    return next((flag for flag in named if flag.conflict_type == GRANULARITY), None)


def _is_upper(ref: str) -> bool:
    return ref.split("#")[0].strip() == UPPER
