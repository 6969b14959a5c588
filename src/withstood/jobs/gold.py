"""Gold: labels of a file, set beside the texts that a run has decided. What does not match is named, never guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from withstood import form
from withstood.claims.label import Labelled
from withstood.errors import InputError
from withstood.measures.pairs import knowledge
from withstood.measures.sample import Labels, labels
from withstood.report.evaluation import Mismatch
from withstood.sources import labelled
from withstood.sources.reviews import BadRow

MOST_TOLD = 5
"""So many of the mismatches of one kind are told in words."""


@dataclass(frozen=True, slots=True)
class Golden:
    """The labels of one text. `line` is where it begins in the gold file."""

    id: str
    line: int
    text: str
    labels: Labels


class Gold:
    """The labels of a file by id and by text. `of` hands each out once; `mismatches` is what did not come together.

    A text is found by its id where the hash of the text is the same too, else by the hash alone. `kind` is what
    messages call the labels."""

    def __init__(self, path: Path, layout: str | None = None, kind: str = "gold") -> None:
        self.name, self.kind = path.name, kind
        self._by_id: dict[str, Golden] = {}
        self._by_hash: dict[str, list[Golden]] = {}
        self._refused: list[str] = []
        self._other_text: list[str] = []
        self._not_there: list[str] = []
        self._taken: set[str] = set()
        for row in labelled.read(path, layout):
            self._add(row)
        if not self._by_id:
            raise InputError(f"{self.name} has no text whose labels can be read. {' '.join(self._refused[:1])}")
        self.knowledge = knowledge(label for golden in self for label in golden.labels)

    def _add(self, row: Labelled | BadRow) -> None:
        if isinstance(row, BadRow):
            self._refused.append(f"line {row.line}: {row.code}: {row.message}")
            return
        golden = Golden(row.id, row.line, row.text, labels(row.labels))
        self._by_id[row.id] = golden
        self._by_hash.setdefault(form.digest(row.text), []).append(golden)

    def __iter__(self) -> Iterator[Golden]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def of(self, case: str, text_hash: str) -> Golden | None:
        """The labels of a decided text; None where there are none for it."""
        same_id = self._by_id.get(case)
        same_text = [one for one in self._by_hash.get(text_hash, ()) if one.id not in self._taken]
        found = same_id if same_id in same_text else next(iter(same_text), None)
        if found is not None:
            self._taken.add(found.id)
        elif same_id is not None:
            self._other_text.append(f"{case!r}: the {self.kind} has another text under this id (line {same_id.line})")
        else:
            self._not_there.append(repr(case))
        return found

    @property
    def matched(self) -> int:
        return len(self._taken)

    def check(self, source: str) -> None:
        """Raise where not one text came together: then the gold is that of another input."""
        if not self._taken:
            shown = next(iter(self._other_text), None) or f"for example text {next(iter(self._not_there), 'none')}"
            raise InputError(
                f"The {self.kind} in {self.name} does not match {source}: not one text has labels there ({shown}). "
                "Name the file whose texts were decided; ids are compared, and texts where the ids differ."
            )

    def mismatches(self) -> Iterator[Mismatch]:
        missed = [f"{one.id!r} (line {one.line})" for one in self if one.id not in self._taken]
        for what, found, fault in (
            (f"rows of the {self.kind} refused", self._refused, True),
            (f"texts with other words in the {self.kind}", self._other_text, True),
            (f"decided texts without {self.kind}", self._not_there, False),
            ("labelled texts that were not decided", missed, False),
        ):
            if found:
                yield Mismatch(what, len(found), tuple(found[:MOST_TOLD]), fault)
