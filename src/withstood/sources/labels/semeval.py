"""XML of the SemEval tasks on aspects. Both layouts are read by one reader; a document type is refused.

| layout | a target | a category |
|---|---|---|
| semeval2014 | aspectTerm: term, polarity, from, to | aspectCategory: category, polarity |
| semeval2016 (and 2015) | Opinion: target, category, polarity, from, to | the same; NULL is an implicit target |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple
from xml.parsers import expat

from withstood.claims.label import Label, Labelled
from withstood.errors import InputError
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written
from withstood.sources.records import Fault, inert, too_long

_CHUNK = 1 << 16
_MOST_LEVELS = 64


_NO_SIGNS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""XML has no way to write these."""

ROOM_2014 = Carries(refs="alone", bare=False, implicit_last=True, opinions="no", signs=_NO_SIGNS)
ROOM_2016 = Carries(opinions="no", signs=_NO_SIGNS)


class _Marks(NamedTuple):
    """The attributes of an element that is a label: which one is the term, which the ref."""

    term: str | None
    ref: str | None


MARKS: Mapping[str, _Marks] = MappingProxyType(
    {
        "aspectTerm": _Marks("term", None),
        "aspectCategory": _Marks(None, "category"),
        "Opinion": _Marks("target", "category"),
    }
)
YEARS: Mapping[str, str] = MappingProxyType(
    {
        "aspectTerms": "semeval2014",
        "aspectCategories": "semeval2014",
        "aspectTerm": "semeval2014",
        "aspectCategory": "semeval2014",
        "Reviews": "semeval2016",
        "Opinions": "semeval2016",
        "Opinion": "semeval2016",
    }
)
"""Elements that only one of the layouts has."""


def read(source: Source) -> Iterator[Written]:
    """Every sentence, in order. What is not well-formed XML is an `InputError`."""
    return _Sentences(source).written()


def layout(source: Source) -> str | None:
    """Which of the layouts the XML is in, once all of it is known to be well-formed; None where it is neither."""
    sentences = _Sentences(source)
    for _ in sentences.written():
        continue
    return next((YEARS[name] for name in sentences.elements if name in YEARS), None) or (
        "semeval2014" if "sentence" in sentences.elements else None
    )


class _Sentences:
    """Feeds the text to the parser piece by piece and keeps no more than the sentences of a piece."""

    def __init__(self, source: Source) -> None:
        self.elements: dict[str, None] = {}
        self._source, self._done = source, list[Written]()
        self._open: list[str] = []
        self._since = 0
        self._forget()
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.EntityDeclHandler = self._refuse_doctype

    def written(self) -> Iterator[Written]:
        with self._source.text() as stream:
            while True:
                piece = stream.read(_CHUNK)
                self._feed(piece)
                yield from self._done
                self._done.clear()
                if not piece:
                    return

    def _feed(self, piece: str) -> None:
        self._since += len(piece)
        try:
            self._parser.Parse(piece, not piece)
        except expat.ExpatError as fault:
            raise InputError(
                f"{self._source.content.name}, line {fault.lineno:,}, column {fault.offset + 1:,}: wanted well-formed "
                f"XML, found otherwise ({expat.ErrorString(fault.code)}). Repair that place, or export the file again."
            ) from None
        if self._since > self._source.most + _CHUNK:
            raise InputError(
                f"{self._source.content.name}, line {self._parser.CurrentLineNumber:,}: wanted tags and texts of at "
                f"most {self._source.most:,} characters, found a longer one. Look for a quote that is never closed."
            )

    def _refuse_doctype(self, *_: object) -> None:
        raise InputError(
            f"{self._source.content.name}, line {self._parser.CurrentLineNumber:,}: found a DOCTYPE, which may define "
            "entities and name other files; XML is read without it. Remove that line, and what it declares."
        )

    # --- what the parser says ------------------------------------------------------------------

    def _forget(self) -> None:
        self._line, self._id, self._text = 0, None, None
        self._labels: list[Label] = []
        self._fault: Unfit | None = None
        self._length = 0

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._since = 0
        self._open.append(name)
        if name in YEARS or name == "sentence":
            self.elements[name] = None
        if len(self._open) > _MOST_LEVELS:
            raise InputError(f"{self._source.content.name}: wanted XML of at most {_MOST_LEVELS} levels, found more.")
        if name == "sentence":
            self._forget()
            self._line, self._id = self._parser.CurrentLineNumber, attributes.get("id", "").strip() or None
        elif name == "text" and "sentence" in self._open:
            self._text = list[str]()
        elif name in MARKS:
            self._label(name, attributes)

    def _characters(self, piece: str) -> None:
        self._since = 0
        if self._open[-1] == "text" and self._text is not None and self._length <= self._source.most:
            self._text.append(piece)
            self._length += len(piece)

    def _end(self, name: str) -> None:
        self._since = 0
        self._open.pop()
        if name == "sentence":
            self._done.append(self._sentence())

    def _label(self, name: str, attributes: Mapping[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        if "sentence" not in self._open:
            message = f"wanted {name} inside a sentence, found it outside. Labels of whole texts are not read."
            self._done.append(Fault(line, None, "label_outside_sentence", message))
            return
        try:
            self._labels.append(_label(MARKS[name], attributes, name))
        except Unfit as fault:
            self._fault = self._fault or Unfit(fault.code, f"line {line:,}: {fault.message}")

    def _sentence(self) -> Written:
        if self._fault is not None:
            return Fault(self._line, self._id, self._fault.code, self._fault.message)
        if self._length > self._source.most:
            return too_long(self._line, self._source.most)
        if self._text is None:
            return Fault(self._line, self._id, "missing_text", "wanted a <text> in the sentence, found none. Add it.")
        return Entry(self._line, self._id, "".join(self._text), tuple(self._labels))


def _label(marks: _Marks, attributes: Mapping[str, str], name: str) -> Label:
    for wanted in (marks.term, marks.ref):
        if wanted is not None and wanted not in attributes:
            raise Unfit("broken_labels", f"wanted the attribute {wanted!r} of {name}, found none. Add it.")
    return Label(
        attributes.get(marks.term or "", ""),
        attributes.get(marks.ref or "", ""),
        attributes.get("polarity", ""),
        _place(attributes, "from"),
        _place(attributes, "to"),
    )


def _place(attributes: Mapping[str, str], name: str) -> int | None:
    written = attributes.get(name, "").strip()
    if not written:
        return None
    if not written.removeprefix("-").isdecimal() or len(written) > 9:
        raise Unfit("broken_labels", f"wanted a whole number as {name!r}, found {inert(written)}.")
    return int(written)


# --- writing -----------------------------------------------------------------------------------

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_CODES = str.maketrans({sign: f"&#{ord(sign)};" for sign in '&<>"\r'})
_CODES_IN_VALUES = _CODES | str.maketrans({sign: f"&#{ord(sign)};" for sign in "\n\t"})


def write_2014(rows: Iterable[Labelled]) -> Iterator[str]:
    yield f"{_HEAD}<sentences>\n"
    for row in rows:
        terms = [
            _element("aspectTerm", term=part.aspect_term, **_said(part)) for part in row.labels if part.aspect_term
        ]
        plain = [part for part in row.labels if not part.aspect_term]
        refs = [_element("aspectCategory", category=part.aspect_ref, **_said(part)) for part in plain]
        yield _sentence(row, _group("aspectTerms", terms) + _group("aspectCategories", refs))
    yield "</sentences>\n"


def write_2016(rows: Iterable[Labelled]) -> Iterator[str]:
    yield f'{_HEAD}<Reviews>\n<Review rid="1">\n<sentences>\n'
    for row in rows:
        opinions = [
            _element(
                "Opinion",
                target=label.aspect_term or "NULL",
                category=label.aspect_ref,
                **(_said(label) if label.aspect_term else _said(label) | {"from": "0", "to": "0"}),
            )
            for label in row.labels
        ]
        yield _sentence(row, _group("Opinions", opinions))
    yield "</sentences>\n</Review>\n</Reviews>\n"


def _said(label: Label) -> dict[str, str]:
    """What both layouts say of a label; nothing of what is not known."""
    said = {"polarity": "conflict" if label.polarity == "mixed" else label.polarity}
    if label.begin is not None and label.end is not None:
        said |= {"from": str(label.begin), "to": str(label.end)}
    return {name: value for name, value in said.items() if value}


def _element(name: str, **attributes: str) -> str:
    said = " ".join(f'{key}="{value.translate(_CODES_IN_VALUES)}"' for key, value in attributes.items())
    return f"      <{name} {said}/>\n"


def _group(name: str, elements: list[str]) -> str:
    return f"    <{name}>\n{''.join(elements)}    </{name}>\n" if elements else ""


def _sentence(row: Labelled, labels: str) -> str:
    case, text = _NO_SIGNS.sub(" ", row.id).translate(_CODES_IN_VALUES), row.text.translate(_CODES)
    return f'  <sentence id="{case}">\n    <text>{text}</text>\n{labels}  </sentence>\n'
