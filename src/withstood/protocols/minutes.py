"""The minutes of an investigation: what was asked, what came back, what was left out, and every ruling."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from withstood import form
from withstood.claims import tiers
from withstood.protocols.asks import Answers, Ask, Batch, Brief, Silent, put
from withstood.verdict import Ruling, Step

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Excluded:
    """An investigator that gave no answer, also when it was asked again."""

    iid: str
    why: str


@dataclass(frozen=True, slots=True)
class Heard:
    """One answer: by whom, and at which asking. `label` tells two askings of one investigator apart."""

    iid: str
    no: int
    answer: Any

    @property
    def label(self) -> str:
        return self.iid if self.no == 1 else f"{self.iid}.{self.no}"


@dataclass(frozen=True, slots=True)
class Called:
    """One batch: who was asked at the same time, and which of them gave no answer."""

    asked: tuple[str, ...]
    silent: tuple[str, ...]


@dataclass(slots=True)
class Minutes:
    """Grows while the flow goes on; it belongs to one flow alone."""

    path: list[Step] = field(default_factory=list[Step])
    asked: dict[str, int] = field(default_factory=dict[str, int])
    excluded: list[Excluded] = field(default_factory=list[Excluded])
    events: list[str] = field(default_factory=list[str])
    batches: list[Called] = field(default_factory=list[Called])
    peak: int = 0

    def rule(self, table: str, item: str, ruling: Ruling, on: Sequence[str] = ()) -> None:
        self.path.append(Step(table, item, ruling, tuple(on)))

    def note(self, event: str) -> None:
        """Something that happened and that nobody ruled on."""
        self.events.append(event)

    def ask(self, role: str, brief: Brief, wants: type[Answer]) -> Ask[Answer]:
        """The next asking of this role, and how long its brief is."""
        self.asked[role] = self.asked.get(role, 0) + 1
        self.peak = max(self.peak, tiers.tokens(form.dumps(brief)))
        return Ask(role, brief, wants, self.asked[role])

    def hear(self, asks: Sequence[Ask[Any]]) -> Generator[Batch, Answers, list[Heard]]:
        """One batch, and one more for those that were silent. Who is silent twice is left out, with the reason."""
        answers = yield from self._put(asks)
        found = {ask.role: Heard(ask.role, ask.round, answer) for ask, answer in zip(asks, answers, strict=True)}
        silent = [ask for ask in asks if isinstance(found[ask.role].answer, Silent)]
        again = [self.ask(ask.role, ask.brief, ask.wants) for ask in silent]
        for ask, answer in zip(again, (yield from self._put(again)), strict=True):
            first: Silent = found[ask.role].answer
            found[ask.role] = Heard(ask.role, ask.round, answer)
            if isinstance(answer, Silent):
                self.excluded.append(Excluded(ask.role, _twice(first.why, answer.why)))
            else:
                self.note(f"{ask.role} was asked again: {first.why}")
        return [one for one in found.values() if not isinstance(one.answer, Silent)]

    def _put(self, asks: Sequence[Ask[Any]]) -> Generator[Batch, Answers, tuple[Any, ...]]:
        answers = yield from put(asks)
        if asks:
            silent = [ask.role for ask, answer in zip(asks, answers, strict=True) if isinstance(answer, Silent)]
            self.batches.append(Called(tuple([ask.role for ask in asks]), tuple(silent)))
        return answers


def _twice(first: str, second: str) -> str:
    return first if first == second else f"{first}; asked again: {second}"
