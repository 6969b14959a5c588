"""Investigator ids: `CODE-CALLCHAIN-R1`, `CR-AGREED-R3`, `CODE-DATAFLOW-R3-DEEP`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from withstood.errors import Misfit

CHALLENGER = "CR"
_IID = re.compile(r"([A-Z][A-Z0-9]*)-([A-Z][A-Z0-9]*)-R([1-9][0-9]?)(-DEEP)?")


@dataclass(frozen=True, slots=True, order=True)
class Iid:
    """One investigator in one round. Its `voice` is who it is in any round."""

    prefix: str
    perspective: str
    round: int = 1
    deep: bool = False

    def __str__(self) -> str:
        return f"{self.voice}-R{self.round}{'-DEEP' if self.deep else ''}"

    @property
    def voice(self) -> str:
        return f"{self.prefix}-{self.perspective}"

    @property
    def challenges(self) -> bool:
        return self.prefix == CHALLENGER


def parse(text: str) -> Iid:
    found = _IID.fullmatch(text)
    if found is None:
        raise Misfit("", "an investigator id like CODE-CALLCHAIN-R1", repr(text[:60]))
    return Iid(found[1], found[2], int(found[3]), bool(found[4]))


def voice(text: str) -> str:
    """Who speaks: type and perspective, whatever the round. An id of another form speaks for itself."""
    found = _IID.fullmatch(text)
    return f"{found[1]}-{found[2]}" if found else text


def is_challenger(text: str) -> bool:
    return text.startswith(f"{CHALLENGER}-")
