"""The three reviewing seats: each looks at every flagged tuple for its own concern, and names one action for it.

A, negation and contrast: does the tuple's own clause turn its opinion?

    the clause says the same, or nothing that is known       KEEP
    it says the opposite under a denial                      FLIP NEGATION_SCOPE
    it says the opposite beside a contrast                   FLIP CONTRAST_CLAUSE
    it says something else and nothing turns it              FLAG POLARITY_UNCERTAIN
    the other side of the contrast stands in no tuple        FLAG CONTRAST_CLAUSE

B, implicit inference: is an unstated aspect inferred from something that is there?

    it gives way (below)                                     DROP WEAK_INFERENCE
    the aspect is stated                                     KEEP
    the evidence is not in the text                          DROP WEAK_EVIDENCE
    what stands there says the opposite                      DROP WEAK_INFERENCE
    nothing that is known stands there                       FLAG WEAK_INFERENCE
    else                                                     KEEP

C, literal grounding: does what the tuple quotes stand there, and say that?

    it gives way (below)                                     DROP WEAK_EVIDENCE
    a term, opinion word or evidence is not in the text      DROP WEAK_EVIDENCE
    the opinion word as quoted says the opposite             DROP WEAK_EVIDENCE
    an upper ref beside a lower one of the same clause       DROP REDUNDANT_UPPER_REF
    an upper ref beside a lower one of another clause        FLAG REDUNDANT_REF_UNCERTAIN
    nothing explicit, only a cue                             FLAG EXPLICIT_NOT_REQUIRED
    else                                                     KEEP

A tuple gives way to what the text says otherwise

    in the target's own clause, where the tuple's opinion stands in another one
    right before the target, where the tuple's opinion comes after it
    at the target, where nothing there has the polarity of the tuple and another tuple has the one that is said
    of a target that is named and of the same ref, where the tuple names none
    at the end of a Korean sentence that makes no contrast, where the tuple is blame and that is praise of the same ref
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from withstood.agents.programmed.hearing import OPPOSITE, Docket, Hearing, is_upper
from withstood.agents.programmed.readers import NO_READER
from withstood.agents.programmed.sight import Sight
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.protocols.asks import Silent
from withstood.protocols.briefs import ReviewBrief

Opinion = tuple[Action, str, str | None]
Concern = Callable[[Docket], Opinion]

KEEP: Opinion = (Action.KEEP, "", None)


def review(sight: Sight, concern: Concern, brief: ReviewBrief) -> Review | Silent:
    """One action for every tuple that a flag names, in the order of the candidates."""
    analysis = sight.look(brief.text, brief.language)
    if analysis is None:
        return Silent(NO_READER)
    named = {tuple_id for flag in brief.flags for tuple_id in flag.tuple_ids}
    flagged = [candidate for candidate in brief.candidates if candidate.tuple_id in named]
    hearing = Hearing(analysis, brief)
    return Review(
        tuple(_action(item.tuple_id, concern(Docket(item, hearing, hearing.said_of(item)))) for item in flagged)
    )


def structure(docket: Docket) -> Opinion:
    said = docket.said
    if said is None or said.far == docket.tuple.polarity:
        return (Action.FLAG, "CONTRAST_CLAUSE", None) if _other_side_is_missing(docket) else KEEP
    if docket.is_opposed and said.marker:
        return Action.FLIP, _TURNED_BY[said.marker], said.far
    return Action.FLAG, "POLARITY_UNCERTAIN", None


def inference(docket: Docket) -> Opinion:
    if docket.gives_way:
        return Action.DROP, "WEAK_INFERENCE", None
    if not docket.is_implicit:
        return KEEP
    if docket.cites_what_is_not_there:
        return Action.DROP, "WEAK_EVIDENCE", None
    if docket.is_opposed:
        return Action.DROP, "WEAK_INFERENCE", None
    return KEEP if docket.said is not None else (Action.FLAG, "WEAK_INFERENCE", None)


def grounding(docket: Docket) -> Opinion:
    if docket.gives_way:
        return Action.DROP, "WEAK_EVIDENCE", None
    if docket.quotes_what_is_not_there or (docket.is_opposed and not docket.is_implicit):
        return Action.DROP, "WEAK_EVIDENCE", None
    if found := _redundancy(docket):
        return found
    if docket.is_implicit and (docket.said is None or docket.said.basis == "cue"):
        return Action.FLAG, "EXPLICIT_NOT_REQUIRED", None
    return KEEP


CONCERNS: Mapping[str, tuple[str, Concern]] = {
    "A": ("programmed:structure@2", structure),
    "B": ("programmed:inference@2", inference),
    "C": ("programmed:grounding@2", grounding),
}

_TURNED_BY = {"negation": "NEGATION_SCOPE", "contrast": "CONTRAST_CLAUSE"}


def _action(tuple_id: str, opinion: Opinion) -> ReviewAction:
    action, reason, polarity = opinion
    return ReviewAction(action, (tuple_id,), {"polarity": polarity} if polarity else None, reason)


def _other_side_is_missing(docket: Docket) -> bool:
    """Whether a clause beside the tuple's own says the opposite, and no candidate does."""
    said = docket.said
    if said is None or said.marker != "contrast":
        return False
    return any(
        (other.far, said.far) in OPPOSITE and other.far not in docket.hearing.polarities
        for other in docket.hearing.beside(said)
    )


def _redundancy(docket: Docket) -> Opinion | None:
    lower = docket.hearing.lower_evidence(docket.tuple.tuple_id)
    if lower is None or not is_upper(docket.tuple.aspect_ref):
        return None
    if docket.tuple.evidence and docket.tuple.evidence in lower:
        return Action.DROP, "REDUNDANT_UPPER_REF", None
    return Action.FLAG, "REDUNDANT_REF_UNCERTAIN", None
