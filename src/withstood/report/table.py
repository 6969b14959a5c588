"""The long table: one row for each final tuple, as CSV that no spreadsheet runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood.form import Json
from withstood.report import lines
from withstood.report.inert import cell
from withstood.report.lines import Opinion

COLUMNS = (
    "id",
    "label",
    "aspect_term",
    "aspect_ref",
    "polarity",
    "begin",
    "end",
    "opinion_term",
    "confidence",
    "origin",
    "flag",
)
_ENDING = "\r\n"


def header() -> str:
    return written(COLUMNS)


def rows(result: Mapping[str, Json]) -> str:
    """The rows of one result; nothing where it has no final tuple."""
    case, label = lines.plain(result.get("id")), lines.plain(result.get("label"))
    return "".join(_row(case, label, opinion) for opinion in lines.final(result))


def _row(case: str, label: str, opinion: Opinion) -> str:
    begin, end = (lines.plain(place) for place in (opinion.begin, opinion.end))
    texts = (case, label, opinion.aspect_term, opinion.aspect_ref, opinion.polarity)
    return written((*texts, begin, end, opinion.opinion_term or "", opinion.sure, opinion.origin, opinion.flag or ""))


def written(cells: Sequence[str]) -> str:
    """One row."""
    return ",".join(map(_quoted, cells)) + _ENDING


def _quoted(text: str) -> str:
    """Quoted where it must be, with quotes doubled."""
    safe = cell(text)
    if any(sign in safe for sign in ',"\r\n') or safe != safe.strip():
        return '"' + safe.replace('"', '""') + '"'
    return safe
