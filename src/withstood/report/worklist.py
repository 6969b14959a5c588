"""The work list: what somebody should look at by hand, as CSV with room for what they find.

| row | when |
|---|---|
| 1 | an opinion was kept and marked: `why` is the mark |
| 2 | nobody answered, so that the text has no verdict: NO_VERDICT |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from withstood.form import Json
from withstood.report import lines
from withstood.report.lines import Line, Opinion
from withstood.report.table import written
from withstood.verdict import Step

NO_VERDICT = "NO_VERDICT"
VOTERS = ("A", "B", "C")
COLUMNS = (
    *("id", "why", "tuple_id", "aspect_term", "aspect_ref", "polarity", "begin", "end", "conflicts"),
    *VOTERS,
    *("text", "decision", "note"),
)
MOST_TEXT = 2000


def header() -> str:
    return written(COLUMNS)


def rows(result: Mapping[str, Json], path: Sequence[Step], text: str | None) -> str:
    """The rows of one result; nothing where nobody has to look."""
    return "".join(map(written, _rows(lines.read(result), path, (text or "")[:MOST_TEXT])))


def _rows(line: Line, path: Sequence[Step], text: str) -> Iterator[Sequence[str]]:
    if line.error is None and line.label is None:
        yield line.id, NO_VERDICT, *[""] * 10, text, "", ""
    for opinion in line.final:
        if opinion.flag:
            yield (*_of(line, opinion), *_votes(opinion, path), text, "", "")


def _of(line: Line, opinion: Opinion) -> Sequence[str]:
    conflicts = " ".join(one.conflict_type for one in line.flags if opinion.tuple_id in one.tuple_ids)
    place = (lines.plain(opinion.begin), lines.plain(opinion.end))
    said = (opinion.tuple_id, opinion.aspect_term, opinion.aspect_ref, opinion.polarity)
    return line.id, opinion.flag or "", *said, *place, conflicts


def _votes(opinion: Opinion, path: Sequence[Step]) -> Iterator[str]:
    """What each reviewer wanted, as the arbiter's step shows it."""
    seen = [on for step in path if step.item == opinion.tuple_id and step.table.startswith("arbiter") for on in step.on]
    for voter in VOTERS:
        yield next((on.removeprefix(f"{voter}: ") for on in seen if on.startswith(f"{voter}: ")), "")
