"""Examples: for each aspect and polarity the first opinions with the words around them, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass

from withstood.report.lines import Opinion

MOST_EACH = 2
MOST_KEPT = 400
AROUND = 70


@dataclass(frozen=True, slots=True)
class Example:
    """An opinion in its text: what stands before its term, the term, what follows. An implicit one has no term."""

    id: str
    polarity: str
    before: str
    term: str
    after: str


class Examples:
    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], list[Example]] = {}

    def add(self, case: str, text: str, aspect: str, polarity: str, opinion: Opinion) -> None:
        """Kept where there is room for this aspect and polarity still."""
        key = (aspect, polarity)
        if key not in self._kept and len(self._kept) >= MOST_KEPT:
            return
        kept = self._kept.setdefault(key, [])
        if len(kept) < MOST_EACH and all(one.id != case for one in kept):
            kept.append(Example(case, polarity, *_around(text, opinion)))

    def of(self, aspect: str) -> list[Example]:
        """In the order in which the polarities came up."""
        return [one for (name, _), kept in self._kept.items() if name == aspect for one in kept]


def _around(text: str, opinion: Opinion) -> tuple[str, str, str]:
    begin, end = opinion.begin, opinion.end
    if begin is None or end is None or not 0 <= begin < end <= len(text):
        return _cut(text, 0, 2 * AROUND), "", ""
    start = max(0, begin - AROUND)
    head = ("…" if start else "") + text[start:begin]
    return head, text[begin:end], _cut(text, end, AROUND)


def _cut(text: str, start: int, most: int) -> str:
    return text[start : start + most] + ("…" if len(text) > start + most else "")
