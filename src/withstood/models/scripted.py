"""Answers from elsewhere: a file of JSON Lines that says what every seat answers, and no model at all.

A line is `{"case", "role", "round" = 1, "answer"}` or `{"case", "role", "round" = 1, "silent": why}`; the case `*`
stands for every case without a line of its own. Only the places of the lines are kept in memory.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

from withstood import form
from withstood.errors import InputError, Misfit
from withstood.models.port import Call, Price, Reply

ANY_CASE = "*"
NOT_SCRIPTED = "not scripted"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file. Exactly one of `answer` and `silent` is there."""

    case: str
    role: str
    round: Annotated[int, form.Within(1)] = 1
    answer: Mapping[str, Any] | None = None
    silent: str | None = None

    @property
    def seat(self) -> str:
        return _seat(self.case, self.role, self.round)


class Scripted:
    """Every line is read once when the file is opened, so that a bad one is found before anything starts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("rb")
        except OSError as fault:
            raise InputError(f"Cannot read the script {path}: {fault.strerror}. Give --model scripted:FILE.") from None
        self._offsets, self._used = array("Q"), bytearray()
        self._numbers, self._places, found = array("Q"), dict[str, int](), hashlib.sha256()
        try:
            for number, offset, raw in self._lines():
                found.update(raw)
                if raw.strip():
                    self._keep(number, offset, raw)
        except BaseException:
            self._file.close()
            raise
        self.name = f"scripted:{path.name}@{found.hexdigest()[:12]}"
        self.price: Price | None = Price()

    async def complete(self, call: Call) -> Reply:
        place = self._places.get(_seat(call.case, call.role, call.round))
        if place is None:
            place = self._places.get(_seat(ANY_CASE, call.role, call.round))
        if place is None:
            return Reply(NOT_SCRIPTED, finish="refused")
        self._used[place] = 1
        line = self._line(place)
        if line.silent is not None:
            return Reply(line.silent, finish="refused")
        return Reply(form.dumps(line.answer))

    async def close(self) -> None:
        self._file.close()

    def unused(self) -> Iterator[str]:
        """The lines that answered nothing, as `FILE:LINE case role round`."""
        for place, was_used in enumerate(self._used):
            if not was_used:
                line = self._line(place)
                yield f"{self._path}:{self._numbers[place]} {line.case} {line.role} {line.round}"

    def count_unused(self) -> int:
        return self._used.count(0)

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        offset = 0
        for number, raw in enumerate(self._file, 1):
            yield number, offset, raw
            offset += len(raw)

    def _keep(self, number: int, offset: int, raw: bytes) -> None:
        line = self._read(number, raw)
        if line.seat in self._places:
            first = self._numbers[self._places[line.seat]]
            self._fault(number, f"{line.case} {line.role} round {line.round} once", f"it again, after line {first}")
        self._places[line.seat] = len(self._used)
        self._offsets.append(offset)
        self._numbers.append(number)
        self._used.append(0)

    def _line(self, place: int) -> Line:
        number = self._numbers[place]
        self._file.seek(self._offsets[place])
        line = self._read(number, self._file.readline())
        if self._places.get(line.seat) != place:
            self._fault(number, "the line that was there when the file was opened", "another one")
        return line

    def _read(self, number: int, raw: bytes) -> Line:
        try:
            line = form.read(Line, _case_as_text(form.loads(raw)))
        except Misfit as fault:
            self._fault(number, f"{fault.wanted} at {fault.at}", fault.found)
        if (line.answer is None) == (line.silent is None):
            self._fault(number, "either answer or silent", "both" if line.answer is not None else "neither")
        return line

    def _fault(self, number: int, wanted: str, found: str) -> NoReturn:
        raise InputError(f"{self._path}:{number}: wanted {wanted}, found {found}. Mend the line and run again.")


def _seat(case: str, role: str, number: int) -> str:
    return f"{case}\n{role}\n{number}"


def _case_as_text(found: Any) -> Any:
    """A case may be written as a number, as ids in an input often are."""
    if isinstance(found, dict) and type(found.get("case")) is int:
        return found | {"case": str(found["case"])}
    return found
