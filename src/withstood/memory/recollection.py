"""What one run recalls from a store, and what it adds to it.

A run is advised by the episodes that were there when it began; under `memory.view=running` also by its own, text after
text in the order of the input. So what a text recalls depends neither on which text was quicker nor on other runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from withstood import form
from withstood.claims.episode import Episode, Lesson, Recalled, Signature
from withstood.memory.entries import Entry, line, number
from withstood.memory.store import EpisodeStore, New
from withstood.protocols.briefs import RecallBrief
from withstood.rules import memory_condition, memory_recall, memory_writing


@dataclass(frozen=True, slots=True)
class Mark:
    """A store as it was when a run began: its highest number, how many episodes it held, and the hash of them."""

    store_id: str
    last: int
    held: int
    snapshot: str


class Recollection:
    """`begin` comes first, then `recall` and `learn` as texts are decided, `settle` at the end of the sitting."""

    def __init__(self, store: EpisodeStore, numbers: memory_condition.Numbers) -> None:
        self._store, self._numbers = store, numbers
        self._under = memory_condition.under(numbers.condition)
        self._shelves = _Shelves()
        self._recent = deque[str](maxlen=memory_writing.RECENT)
        self._pending: list[New] = []
        self._source = self._snapshot = ""
        self._held = self._kept = self._passed_over = 0
        self.notes: list[str] = []

    @property
    def one_by_one(self) -> bool:
        """Whether a text must be written before the next one is begun."""
        return self._under.retrieve and self._under.write and self._numbers.view == "running"

    def mark(self) -> Mark:
        """The store as it is now; a store that is still to be written is empty."""
        if self._under.write and not self._store.exists():
            return Mark(self._store.id, 0, 0, _hash(()))
        held = self._store.contents()
        return Mark(self._store.id, held.last, len(held.episodes), _hash(held.episodes))

    def begin(self, source: str, mark: Mark) -> None:
        """Go on from the store as it was at the mark. `source` names the run in what it adds."""
        self._source = source
        if self._under.write:
            self._store.prepare()
        contents = self._store.contents()
        there = [episode for episode in contents.episodes if number(episode.episode_id) <= mark.last]
        for episode in there:
            self._shelve(episode)
        self._snapshot, self._held = _hash(there), len(there)
        if contents.torn:
            self.notes.append(contents.torn)
        if len(there) < mark.held:
            self.notes.append(
                f"memory: {mark.held - len(there)} of the {mark.held} episodes that the run began with are gone from "
                f"{self._store.id}"
            )

    def recall(self, brief: RecallBrief) -> Recalled:
        chosen = memory_recall.recall(brief.query, self._shelves.foremost(brief.query), brief.topk)
        return Recalled(self._store.id, self._snapshot, self._held, tuple(chosen))

    def learn(self, no: int, lesson: Lesson) -> None:
        """Take the lesson of a text, in the order of the input: it is kept where it is worth it."""
        ruling = memory_writing.admit(lesson, self._recent, self._numbers.gate)
        if ruling.decision == "skipped":
            self._passed_over += 1
            return
        self._kept += 1
        self._recent.append(memory_writing.fingerprint(lesson))
        self._pending.append(New(lesson, f"{self._source}#{no}"))
        if self.one_by_one:
            for entry in self._write():
                self._shelve_own(entry)

    def settle(self) -> None:
        """Write what was learned; what an earlier sitting wrote already stands."""
        self._write()

    def told(self) -> tuple[str, ...]:
        """What the user should know of it."""
        if not self._under.write:
            return tuple(self.notes)
        told = (
            f"memory: episodes kept in {self._store.id}: {self._kept}; passed over as nothing new: {self._passed_over}"
        )
        return (*self.notes, told)

    def _write(self) -> tuple[Entry, ...]:
        entries = self._store.add(self._pending) if self._pending else ()
        self._pending = []
        return entries

    def _shelve(self, episode: Episode) -> None:
        self._shelves.add(episode)
        self._recent.append(memory_writing.fingerprint(episode))

    def _shelve_own(self, entry: Entry) -> None:
        if isinstance(entry, Episode):
            self._shelves.add(entry)
            self._snapshot = form.digest(f"{self._snapshot}\n{line(entry)}")
            self._held += 1


class _Shelves:
    """Episodes by language and structure. Of those that are alike in both, recall can only take the oldest ones."""

    def __init__(self) -> None:
        self._shelves: dict[tuple[str, ...], list[tuple[int, Episode]]] = {}
        self._count = 0

    def add(self, episode: Episode) -> None:
        self._count += 1
        signature = episode.input_signature
        if signature is not None:
            shelf = self._shelves.setdefault((signature.language, *signature.detected_structure), [])
            if len(shelf) < memory_recall.MOST:
                shelf.append((self._count, episode))

    def foremost(self, query: Signature) -> list[Episode]:
        """The oldest of each kind in this language, in the order in which they were kept."""
        there = [kept for kind, shelf in self._shelves.items() if kind[0] == query.language for kept in shelf]
        return [episode for _, episode in sorted(there, key=lambda kept: kept[0])]


def _hash(episodes: Iterable[Episode]) -> str:
    return form.digest("\n".join([line(episode) for episode in episodes]))
