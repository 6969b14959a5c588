"""The chain of a run, checked as it is read: what every store does with the records that it finds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from withstood.errors import JournalDamaged
from withstood.journal.port import Kept, link, seed


@dataclass(slots=True)
class Chain:
    """One reading of a run from its beginning. `place` is the store in words. Where the last record may be torn,
    `total` is its number, and `report` is told."""

    place: str
    run: str
    total: int = 0
    report: Callable[[str], None] | None = None
    seq: int = 0
    hashed: str = ""

    def check(self, rows: Sequence[Kept]) -> Sequence[Kept]:
        """The next rows, as far as they are what was written. Only a last record that is torn may be missing."""
        hashed = self.hashed or seed(self.run)
        for place, kept in enumerate(rows):
            self.seq += 1
            if kept.seq == self.seq and is_chained(hashed, kept):
                hashed = kept.hash
            elif self.report and kept.seq == self.seq == self.total and not _whole(kept.record.body):
                self.report(f"run {self.run}: the last record ({self.seq}) was torn and has been cut")
                return rows[:place]
            else:
                raise JournalDamaged(
                    f"{self.place}: run {self.run}, record {self.seq}: wanted the record that was written, found "
                    "another. Nothing in this run after that place can be trusted; restore the store from a copy."
                )
        self.hashed = hashed
        return rows


def is_chained(before: str, kept: Kept) -> bool:
    """Whether the record is the one that was written. SQLite keeps bytes in a column of text if told to."""
    return isinstance(kept.record.body, str) and link(before, kept.seq, kept.record) == kept.hash


def _whole(body: object) -> bool:
    try:
        json.loads(body if isinstance(body, str) else "")
    except ValueError:
        return False
    return True
