"""Whether the labels of an entry fit its text. What does not fit is refused with what stands there instead.

| row | what is found | then |
|---|---|---|
| 1 | a polarity that is in no spelling | the text is refused |
| 2 | a place where the text does not read like the term | the text is refused |
| 3 | a term without a place that stands in the text once | it gets that place |
| 4 | a term without a place that stands there more than once | it stays without one |
| 5 | a term without a place that stands nowhere | it stays, and is remarked on |
| 6 | a label that is there twice, the same in everything | it is kept once, and remarked on |
| 7 | targets that overlap and are not the same | they stay, and are remarked on |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from withstood import form
from withstood.claims.label import Label, Labelled, Remark
from withstood.sources.labels import spellings
from withstood.sources.labels.entries import Unfit, Written
from withstood.sources.labels.places import Target, found, places
from withstood.sources.records import Fault, Found
from withstood.sources.redaction import redact
from withstood.sources.rows import BadRow, looked_at, refused

MOST_LABELS = 1000


def checked(no: int, written: Written) -> Labelled | BadRow:
    """An entry with its labels in our spelling, or why it is refused."""
    if isinstance(written, Fault):
        return refused(no, written)
    row = looked_at(no, Found(written.line, written.id, written.text))
    if isinstance(row, BadRow):
        return row
    try:
        read = _fitting(written.labels, written.text)
    except Unfit as fault:
        return BadRow(no, row.line, row.id, fault.code, fault.message)
    labels = tuple(dict.fromkeys(read))
    remarks = (*_unplaced(labels, written.text), *_repeated(read), *_overlapping(labels))
    shown = labels if row.redacted == 0 else tuple([_covered(label, row.text) for label in labels])
    return Labelled(no, row.id, row.text, shown, row.line, remarks)


def _fitting(labels: Sequence[Label], text: str) -> list[Label]:
    if len(labels) > MOST_LABELS:
        raise Unfit("too_many_labels", f"wanted at most {MOST_LABELS:,} labels of one text, found {len(labels):,}.")
    return [_label(label, text) for label in labels]


def _label(said: Label, text: str) -> Label:
    polarity, ref = spellings.polarity(said.polarity), said.aspect_ref.strip()
    target = _target(said.aspect_term, said.begin, said.end, text)
    if said.opinion_term is None:
        return Label(target.term, ref, polarity, target.begin, target.end)
    opinion = _target(said.opinion_term, said.opinion_begin, said.opinion_end, text)
    return Label(target.term, ref, polarity, target.begin, target.end, opinion.term, opinion.begin, opinion.end)


def _target(term: str, begin: int | None, end: int | None, text: str) -> Target:
    nowhere = begin is None or end is None or (begin < 0 and end < 0)
    if spellings.is_implicit(term) and (nowhere or begin == end):
        return Target("")
    if begin is not None and end is not None and not nowhere:
        _check_place(term, begin, end, text)
        return Target(term, begin, end)
    return found(term.strip(), text)


# --- wrong places ------------------------------------------------------------------------------


def _check_place(term: str, begin: int, end: int, text: str) -> None:
    if not term.strip() or not 0 <= begin < end <= len(text) or text[begin:end] != term:
        there = _shown(text[begin:end]) if 0 <= begin < end <= len(text) else f"no such place in {len(text)} characters"
        raise Unfit(
            "wrong_offsets",
            f"wanted the term {_shown(term)} at {begin}-{end}, found {there}. {_hint(term, begin, end, text)}",
        )


def _shown(words: str) -> str:
    return f'"{form.shown(redact(words)[0], 40)}"'


def _hint(term: str, begin: int, end: int, text: str) -> str:
    there = [f"{start}-{stop}" for start, stop in islice(places(term, text), 5)]
    if not there:
        return "It stands nowhere in the text: correct the term or the text."
    return f"It stands at {', '.join(there)}{_counted_otherwise(term, begin, end, text)}. Correct the place."


def _counted_otherwise(term: str, begin: int, end: int, text: str) -> str:
    if not 0 <= begin <= end:
        return ""
    if text[begin : end + 1] == term:
        return " (an end is one past the last character; this one is the last)"
    for unit, codec, width in (("UTF-8 bytes", "utf-8", 1), ("UTF-16 units", "utf-16-le", 2)):
        if text.encode(codec)[begin * width : end * width] == term.encode(codec):
            return f" (places count characters; this one counts {unit})"
    return ""


# --- what is remarked on -----------------------------------------------------------------------


def _unplaced(labels: Sequence[Label], text: str) -> Iterator[Remark]:
    terms = [(label.aspect_term, label.begin) for label in labels]
    terms += [(label.opinion_term or "", label.opinion_begin) for label in labels]
    for term in dict.fromkeys(term for term, begin in terms if term and begin is None and term not in text):
        yield Remark("term_not_in_text", f"the term {_shown(term)} does not stand in the text; it is kept as it is.")


def _repeated(labels: Sequence[Label]) -> Iterator[Remark]:
    for label, times in Counter(labels).items():
        if times > 1:
            yield Remark("repeated_label", f"the label {_named(label)} stands there {times} times; it counts once.")


def _overlapping(labels: Sequence[Label]) -> Iterator[Remark]:
    placed = sorted({(label.begin, label.end) for label in labels if label.begin is not None and label.end is not None})
    for (begin, end), (start, stop) in pairwise(placed):
        if start < end:
            yield Remark(
                "overlapping_targets", f"the targets at {begin}-{end} and {start}-{stop} overlap; both are kept."
            )


def _named(label: Label) -> str:
    parts = (label.aspect_term and _shown(label.aspect_term), label.aspect_ref and _shown(label.aspect_ref))
    return " ".join(part for part in (*parts, label.polarity) if part) or "without a target"


# --- secrets -----------------------------------------------------------------------------------


def _covered(label: Label, text: str) -> Label:
    """The label of a text in which secrets are covered: its words as they stand there now."""
    term = redact(label.aspect_term)[0] if label.begin is None else text[label.begin : label.end]
    opinion = label.opinion_term
    if opinion is not None:
        placed = label.opinion_begin is not None
        opinion = text[label.opinion_begin : label.opinion_end] if placed else redact(opinion)[0]
    return replace(label, aspect_term=term, opinion_term=opinion)
