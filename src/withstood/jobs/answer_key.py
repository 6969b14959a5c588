"""An answer key: what is right of the items of a run, written down by somebody who knows.

JSON Lines: `{"item": id, "gold": "what the headline should be"}`, or `{"item": id, "claim": "F1", "right": true}` for
one claim of an item. An item or a claim may stand there once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from withstood import form
from withstood.errors import InputError, Misfit


@dataclass(frozen=True, slots=True)
class Truth:
    """One line of the key. Either `gold` or `right` is there."""

    item: str
    gold: str | None = None
    claim: str | None = None
    right: bool | None = None


class AnswerKey:
    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._truths: dict[tuple[str, str | None], Truth] = {}
        self.taken: set[tuple[str, str | None]] = set()
        for no, truth in _lines(path):
            place = (truth.item, truth.claim)
            if place in self._truths:
                raise InputError(f"{path}, line {no}: {form.shown(truth.item)} stands there twice. Leave one of them.")
            self._truths[place] = truth
        if not self._truths:
            raise InputError(f'{path} says nothing. Wanted lines such as {{"item": "r1", "gold": "negative"}}.')

    def __len__(self) -> int:
        return len(self._truths)

    def headline(self, item: str, said: str) -> bool | None:
        """Whether the headline of an item is right; None where the key says nothing of it."""
        return self._is_right((item, None), said)

    def claim(self, item: str, claim: str, said: str) -> bool | None:
        """Whether one claim of an item is right."""
        return self._is_right((item, claim), said)

    def _is_right(self, place: tuple[str, str | None], said: str) -> bool | None:
        truth = self._truths.get(place)
        if truth is None:
            return None
        self.taken.add(place)
        return truth.right if truth.right is not None else truth.gold == said


def _lines(path: Path) -> Iterator[tuple[int, Truth]]:
    try:
        rows = path.read_text("utf-8-sig").splitlines()
    except OSError as fault:
        raise InputError(f"The answer key {path} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError as fault:
        raise InputError(f"The answer key {path} cannot be read: wanted UTF-8, found another byte ({fault}).") from None
    for no, row in enumerate(rows, start=1):
        if row.strip():
            yield no, _truth(path, no, row)


def _truth(path: Path, no: int, row: str) -> Truth:
    try:
        truth = form.read(Truth, form.loads(row))
        if (truth.gold is None) == (truth.right is None):
            raise Misfit("", "either gold or right", form.shown(row))
    except Misfit as fault:
        raise InputError(f"{path}, line {no} is no line of an answer key: {fault}.") from None
    return truth
