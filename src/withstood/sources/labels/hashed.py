"""Research files of one sentence a line: the sentence, `####`, a list of labels.

| layout | a label | order of its parts |
|---|---|---|
| aste | ([4, 5], [8], 'POS') | tokens of the target, tokens of the opinion, polarity |

Tokens are what stands between white space, counted from 0; the numbers of a target follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from withstood import form
from withstood.claims.label import Label
from withstood.sources.labels import literals
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, by_line
from withstood.sources.labels.literals import Literal

MARK = "####"
_TOKEN = re.compile(r"\S+")


def aste(source: Source) -> Iterator[Written]:
    return by_line(source, _aste)


def _aste(line: int, written: str) -> Entry:
    text, labels = halves(written)
    tokens = [found.span() for found in _TOKEN.finditer(text)]
    return Entry(line, None, text, tuple([_triplet(label, text, tokens) for label in labels]))


def halves(written: str) -> tuple[str, Sequence[Literal]]:
    """The sentence and the labels of a line."""
    text, mark, labels = written.rpartition(MARK)
    if not mark:
        raise Unfit("no_labels", f"wanted a sentence, {MARK} and a list of labels, found no {MARK} on the line.")
    return text, literals.parsed(labels)


def _triplet(label: Literal, text: str, tokens: Sequence[tuple[int, int]]) -> Label:
    if not isinstance(label, tuple) or len(label) != 3 or not isinstance(label[2], str):
        raise _shape("a triplet such as ([0, 1], [3], 'POS')", label)
    begin, end = _span(label[0], tokens)
    start, stop = _span(label[1], tokens)
    return Label(text[begin:end], "", label[2], begin, end, text[start:stop], start, stop)


def _span(ids: Literal, tokens: Sequence[tuple[int, int]]) -> tuple[int, int]:
    found = [part for part in ids if isinstance(part, int)] if isinstance(ids, tuple) else []
    if not found or not isinstance(ids, tuple) or len(found) != len(ids) or found != [*range(found[0], found[-1] + 1)]:
        raise _shape("token numbers that follow each other, such as [4, 5]", ids)
    if found[0] < 0 or found[-1] >= len(tokens):
        raise Unfit(
            "wrong_offsets",
            f"wanted tokens from 0 to {len(tokens) - 1} (the sentence has {len(tokens)}), found {list(found)}. "
            "Count the words between white space from 0.",
        )
    return tokens[found[0]][0], tokens[found[-1]][1]


def _shape(wanted: str, found: Literal) -> Unfit:
    return Unfit("broken_labels", f"wanted {wanted}, found {form.shown(str(found), 40)}. Repair the line.")
