"""JSON Lines of the Korean aspect corpus (NIKL 2022).

`{"id", "sentence_form", "annotation": [[ref, [term, begin, end], polarity], ...]}`; a target that is not written is
`[null, 0, 0]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from withstood import form
from withstood.claims.label import Label, Labelled
from withstood.form import Json
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, an_object, by_line
from withstood.sources.records import inert

ROOM = Carries(places="must", opinions="no")


def read(source: Source) -> Iterator[Written]:
    return by_line(source, _entry)


def _entry(line: int, written: str) -> Entry:
    value = an_object(written)
    case, text, labels = value.get("id"), value.get("sentence_form"), value.get("annotation")
    case = None if case is None else str(case)
    if not isinstance(text, str):
        raise Unfit("missing_text", "wanted text in 'sentence_form', found none. Add it.", case)
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise Unfit("no_labels", "wanted a list in 'annotation', found none. Add it; it may be empty.", case)
    try:
        return Entry(line, case, text, tuple([_label(label) for label in labels]))
    except Unfit as fault:
        raise Unfit(fault.code, fault.message, case) from None


def _label(label: Json) -> Label:
    match label:
        case [str(ref), [str() | None as term, int(begin), int(end)], str(polarity)]:
            return Label(term or "", ref, polarity, begin, end)
        case _:
            raise Unfit(
                "broken_labels",
                f'wanted ["ref", ["term", begin, end], "polarity"] in \'annotation\', found {inert(str(label))}.',
            )


def write(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        labels = [[label.aspect_ref, _target(label), label.polarity] for label in row.labels]
        yield form.dumps({"id": row.id, "sentence_form": row.text, "annotation": labels}) + "\n"


def _target(label: Label) -> list[Json]:
    return [label.aspect_term or None, label.begin or 0, label.end or 0]
