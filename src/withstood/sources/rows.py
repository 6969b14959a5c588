"""Rows: what has been read, looked at before anybody else sees it."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.sources import encodings
from withstood.sources.records import Fault, Found, Record, torn
from withstood.sources.redaction import redact


@dataclass(frozen=True, slots=True)
class Row:
    """One review. `no` counts rows from 1, `line` is where it begins in the file; secrets in it are covered. `group`
    and `time` are as they stand in the columns that were named for them."""

    no: int
    line: int
    id: str
    text: str
    redacted: int = 0
    group: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be read as a review, and why."""

    no: int
    line: int
    id: str | None
    code: str
    message: str


def looked_at(no: int, found: Record) -> Row | BadRow:
    """A record as a row: its secrets covered, and refused where there is no text in it. Without an id its number is
    its id."""
    if isinstance(found, Found) and encodings.is_torn(found.text + (found.id or "")):
        found = torn(found.line, None)
    if isinstance(found, Fault):
        return refused(no, found)
    fault = _fault(found)
    text, covered = redact(found.text)
    case = str(no) if found.id is None else redact(found.id)[0]
    if fault is not None:
        return BadRow(no, found.line, case.replace("\0", "\\x00"), *fault)
    return Row(no, found.line, case, text, covered, _short(found.group), _short(found.time))


MOST_BESIDE = 120


def _short(words: str) -> str:
    """What stands beside a review, as far as a report has room for it."""
    whole = words.replace("\0", "").encode("utf-8", encodings.TORN).decode("utf-8", "replace")
    return redact(whole)[0][:MOST_BESIDE]


def refused(no: int, fault: Fault) -> BadRow:
    case = None if fault.id is None else redact(fault.id)[0]
    return BadRow(no, fault.line, case, fault.code, fault.message)


_NUL = ("nul", "wanted text, found a NUL character in it. Remove it; the file may be damaged, or in UTF-16.")
_EMPTY = ("empty_text", "wanted a text, found nothing but white space. Fill it in, or leave the row out.")


def _fault(found: Found) -> tuple[str, str] | None:
    if "\0" in found.text or "\0" in (found.id or ""):
        return _NUL
    if not found.text or found.text.isspace():
        return _EMPTY
    return None
