"""Research files of one sentence a line: the sentence, `####`, a list of labels; and ACOS with tabs.

| layout | a label | its parts |
|---|---|---|
| aste | ([4, 5], [8], 'POS') | tokens of the target, tokens of the opinion, polarity |
| tasd | ['wine list', 'DRINKS#STYLE', 'positive'] | target, ref, polarity |
| asqp, acos | ['wine list', 'DRINKS#STYLE', 'positive', 'long'] | target, ref, polarity, opinion |
| acos-tsv | 4,6 DRINKS#STYLE 2 8,9 | tokens of the target, ref, polarity, tokens of the opinion; tabs between |

Tokens are what stands between white space, counted from 0. In aste each one is listed; in acos-tsv there is the first
and the one after the last, -1,-1 is implicit, and the polarities are 0 (negative), 1 (neutral), 2 (positive).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TypeAlias

from withstood import form
from withstood.claims.label import Label, Labelled
from withstood.sources.labels import literals
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, by_line
from withstood.sources.labels.literals import Literal
from withstood.sources.records import Fault, inert, whole_lines

MARK = "####"
NONE = "NULL"

_TOKEN = re.compile(r"\S+")
_LINE_ENDS = re.compile(r"[\r\n]")
_TABS = re.compile(r"[\r\n\t]")
_THREE = frozenset({"positive", "negative", "neutral"})

ASTE_ROOM = Carries(
    ids=False,
    polarities=_THREE,
    refs="no",
    implicit=False,
    places="must",
    opinions="written",
    tokens=True,
    signs=_LINE_ENDS,
)
TASD_ROOM = Carries(ids=False, places="no", opinions="no", signs=_LINE_ENDS)
ASQP_ROOM = Carries(ids=False, places="no", opinions="must", signs=_LINE_ENDS)
ACOS_ROOM = Carries(ids=False, polarities=_THREE, places="must", opinions="must", tokens=True, signs=_TABS)

Spans: TypeAlias = Sequence[tuple[int, int]]


# --- reading -----------------------------------------------------------------------------------


def aste(source: Source) -> Iterator[Written]:
    return by_line(source, lambda line, written: _hashed(line, written, _triplet))


def tasd(source: Source) -> Iterator[Written]:
    return by_line(source, lambda line, written: _hashed(line, written, _words(3)))


def asqp(source: Source) -> Iterator[Written]:
    return by_line(source, lambda line, written: _hashed(line, written, _words(4)))


def acos_tsv(source: Source) -> Iterator[Written]:
    return by_line(source, _tabbed)


_LOOK_AT = 1000


def layout(source: Source) -> str | None:
    """Which of these layouts the lines are in, by the first one that has a label; None where it is none of them."""
    with source.lines() as lines:
        for line in islice(whole_lines(lines), _LOOK_AT):
            found = None if isinstance(line, Fault) else _layout(line)
            if found:
                return found
            if found is None:
                return None
    return "aste"


def _layout(line: str) -> str | None:
    """The empty text where the line has no label to go by."""
    if MARK not in line:
        return "acos-tsv" if _TABBED.fullmatch(line.rpartition("\t")[2].strip()) else None
    try:
        labels = _halves(line)[1]
    except Unfit:
        return ""
    if not labels or not isinstance(labels[0], tuple):
        return ""
    return {3: "aste" if isinstance(labels[0][0], tuple) else "tasd", 4: "asqp"}.get(len(labels[0]), "")


def _hashed(line: int, written: str, read: Callable[[Literal, str, Spans], Label]) -> Entry:
    text, labels = _halves(written)
    tokens = [found.span() for found in _TOKEN.finditer(text)]
    return Entry(line, None, text, tuple([read(label, text, tokens) for label in labels]))


def _halves(written: str) -> tuple[str, Sequence[Literal]]:
    text, mark, labels = written.rpartition(MARK)
    if not mark:
        raise Unfit("no_labels", f"wanted a sentence, {MARK} and a list of labels, found no {MARK} on the line.")
    return text, literals.parsed(labels)


def _triplet(label: Literal, text: str, tokens: Spans) -> Label:
    if not isinstance(label, tuple) or len(label) != 3 or not isinstance(label[2], str):
        raise _shape("a triplet such as ([0, 1], [3], 'POS')", label)
    begin, end = _listed(label[0], tokens)
    start, stop = _listed(label[1], tokens)
    return Label(text[begin:end], "", label[2], begin, end, text[start:stop], start, stop)


def _listed(ids: Literal, tokens: Spans) -> tuple[int, int]:
    found = [part for part in ids if isinstance(part, int)] if isinstance(ids, tuple) else []
    if not found or not isinstance(ids, tuple) or len(found) != len(ids) or found != [*range(found[0], found[-1] + 1)]:
        raise _shape("token numbers that follow each other, such as [4, 5]", ids)
    return _characters(found[0], found[-1] + 1, tokens)


def _characters(first: int, after: int, tokens: Spans) -> tuple[int, int]:
    """The place of some tokens."""
    if not 0 <= first < after <= len(tokens):
        raise Unfit(
            "wrong_offsets",
            f"wanted tokens from 0 to {len(tokens) - 1}, found {first} to {after - 1}. "
            f"The sentence has {len(tokens)} words between white space; count them from 0.",
        )
    return tokens[first][0], tokens[after - 1][1]


def _words(wide: int) -> Callable[[Literal, str, Spans], Label]:
    sample = ("wine list", "DRINKS#STYLE", "positive", "long")[:wide]

    def read(label: Literal, text: str, tokens: Spans) -> Label:
        parts = [part or "" for part in label if isinstance(part, str | None)] if isinstance(label, tuple) else []
        if len(parts) != wide or not isinstance(label, tuple) or len(label) != wide:
            raise _shape(f"a label such as {list(sample)}", label)
        return Label(parts[0], parts[1], parts[2], opinion_term=parts[3] if wide == 4 else None)

    return read


def _shape(wanted: str, found: Literal) -> Unfit:
    return Unfit("broken_labels", f"wanted {wanted}, found {form.shown(str(found), 40)}. Repair the line.")


_TABBED = re.compile(r"(-?\d{1,6}),(-?\d{1,6}) (.*) (\S+) (-?\d{1,6}),(-?\d{1,6})")
_NUMBERED: Mapping[str, str] = MappingProxyType({"0": "negative", "1": "neutral", "2": "positive"})
_NUMBERS: Mapping[str, str] = MappingProxyType({read: number for number, read in _NUMBERED.items()})


def _tabbed(line: int, written: str) -> Entry:
    text, *quads = written.split("\t")
    tokens = [found.span() for found in _TOKEN.finditer(text)]
    return Entry(line, None, text, tuple([_quad(quad.strip(), text, tokens) for quad in quads if quad.strip()]))


def _quad(written: str, text: str, tokens: Spans) -> Label:
    found = _TABBED.fullmatch(written)
    if found is None:
        raise Unfit("broken_labels", f'wanted a label such as "4,6 DRINKS#STYLE 2 8,9", found {inert(written)}.')
    polarity = _NUMBERED.get(found[4])
    if polarity is None:
        raise Unfit("unknown_polarity", f"wanted 0 (negative), 1 (neutral) or 2 (positive), found {inert(found[4])}.")
    begin, end = _between(int(found[1]), int(found[2]), tokens)
    start, stop = _between(int(found[5]), int(found[6]), tokens)
    return Label(text[begin:end], found[3], polarity, begin, end, text[start:stop], start, stop)


def _between(first: int, after: int, tokens: Spans) -> tuple[int, int]:
    return (0, 0) if (first, after) == (-1, -1) else _characters(first, after, tokens)


# --- writing -----------------------------------------------------------------------------------

_SHORT: Mapping[str, str] = MappingProxyType({"positive": "POS", "negative": "NEG", "neutral": "NEU"})


def write_aste(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        tokens = [found.span() for found in _TOKEN.finditer(row.text)]
        labels = [
            f"({_ids(label.begin, label.end, tokens)}, {_ids(label.opinion_begin, label.opinion_end, tokens)}, "
            f"'{_SHORT[label.polarity]}')"
            for label in row.labels
        ]
        yield f"{row.text}{MARK}[{', '.join(labels)}]\n"


def write_tasd(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        yield _line(row, [[label.aspect_term or NONE, label.aspect_ref, label.polarity] for label in row.labels])


def write_asqp(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        quads = [
            [label.aspect_term or NONE, label.aspect_ref, label.polarity, label.opinion_term or NONE]
            for label in row.labels
        ]
        yield _line(row, quads)


def write_acos_tsv(rows: Iterable[Labelled]) -> Iterator[str]:
    for row in rows:
        tokens = [found.span() for found in _TOKEN.finditer(row.text)]
        quads = [
            f"{_ends(label.begin, label.end, tokens)} {label.aspect_ref} {_NUMBERS[label.polarity]} "
            f"{_ends(label.opinion_begin, label.opinion_end, tokens)}"
            for label in row.labels
        ]
        yield "\t".join([row.text, *quads]) + "\n"


def _line(row: Labelled, labels: Sequence[Sequence[str]]) -> str:
    """A mark inside of a label is written as its code, for the last one on a line ends the sentence."""
    written = repr([list(label) for label in labels]).replace(MARK, r"\x23###")
    return f"{row.text}{MARK}{written}\n"


def _covering(begin: int | None, end: int | None, tokens: Spans) -> list[int]:
    if begin is None or end is None:
        return []
    return [no for no, (start, stop) in enumerate(tokens) if begin < stop and start < end]


def _ids(begin: int | None, end: int | None, tokens: Spans) -> str:
    return str(_covering(begin, end, tokens))


def _ends(begin: int | None, end: int | None, tokens: Spans) -> str:
    covering = _covering(begin, end, tokens)
    return f"{covering[0]},{covering[-1] + 1}" if covering else "-1,-1"
