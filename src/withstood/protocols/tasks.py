"""What is asked: targets and polarity, the polarity of given targets, or targets alone. Answers are held to it.

| task | a triplet | then |
|---|---|---|
| all | any | as it is |
| polarity | is about a given target: same term, place and ref where it names them | with its term, place and ref |
| polarity | is about another one | left out |
| targets | any | without polarity |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from withstood.claims.case import Target, Task
from withstood.claims.opinion import Reading, Span, Triplet


def held(reading: Reading, task: Task, given: Sequence[Target]) -> Reading:
    """The reading as far as it was asked for."""
    if task == "targets":
        return Reading(tuple([replace(triplet, polarity="") for triplet in reading.triplets]))
    return Reading(tuple(_about(reading.triplets, given))) if given else reading


def _about(triplets: Sequence[Triplet], given: Sequence[Target]) -> Iterator[Triplet]:
    """Of targets that are alike but for their place, one without a place is the first that nothing was said of."""
    told: set[Target] = set()
    for triplet in triplets:
        found = [target for target in given if _is(target, triplet)]
        if found:
            target = next((one for one in found if one not in told), found[0])
            told.add(target)
            yield _placed(triplet, target)


def _is(target: Target, said: Triplet) -> bool:
    term, ref = said.aspect_term.strip(), (said.aspect_ref or "").strip()
    if term != target.aspect_term.strip() or (ref and target.aspect_ref and ref != target.aspect_ref):
        return False
    if not term:
        return ref == target.aspect_ref
    return said.span is None or target.begin is None or (said.span.start, said.span.end) == (target.begin, target.end)


def _placed(said: Triplet, target: Target) -> Triplet:
    placed = target.aspect_term and target.begin is not None and target.end is not None
    return replace(
        said,
        aspect_term=target.aspect_term,
        aspect_ref=target.aspect_ref or None,
        span=Span(target.begin or 0, target.end or 0) if placed else None,
    )
