"""Memory in a flow: what is recalled is an ask like any other, what may be told of it is a table.

signature ── MEMORY (a program over the store) ── episodes ── advisories ──┬── the prompt of a review
                                                                           └── nothing, where it is masked
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from withstood.claims.advisory import Advisory, AdvisoryBundle, BundleMeta
from withstood.claims.case import Case, Conventions
from withstood.claims.episode import Recalled, Signature
from withstood.form import Json
from withstood.protocols.asks import Answers, Ask, Batch, Silent, put
from withstood.protocols.briefs import MEMORY, RecallBrief
from withstood.rules import memory_advisory, memory_condition, memory_recall, memory_signature
from withstood.rules.memory_advisory import Advice
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Ruling, Step


@dataclass(frozen=True, slots=True)
class Remembered:
    """What memory came to on one text. `silent` is why the seat gave no answer."""

    under: memory_condition.Output
    store_id: str | None = None
    topk: int = 0
    advisories: tuple[Advisory, ...] = ()
    silent: str | None = None
    steps: tuple[Step, ...] = ()

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        return ((MEMORY, self.silent),) if self.silent is not None else ()

    @property
    def text(self) -> str:
        """What a review reads of it: nothing where it is masked."""
        return memory_advisory.prompt(self.advisories) if self.under.speaks else ""

    @property
    def bundle(self) -> AdvisoryBundle:
        meta = BundleMeta(self.under.mode, self.topk, self.under.mask, self.topk > 0)
        return AdvisoryBundle(meta, self.under.speaks, self.advisories if self.under.speaks else ())

    def result(self) -> dict[str, Json]:
        return {
            "mode": self.under.mode,
            "retrieved_k": len(self.advisories),
            "write_enabled": self.under.write,
            "store_id": self.store_id,
            "retrieval_stage": "review_only",
        }


OFF = Remembered(memory_condition.under("M0"))


def signature(case: Case, agreed: Conventions, num_aspects: int) -> Signature:
    language = case.language if case.language in ("ko", "en") else "other"
    return memory_signature.sign(case.text, language, num_aspects, agreed.irony.get(language, ()))


def unasked(book: Rulebook) -> Remembered:
    return Remembered(memory_condition.under(book.memory.condition))


def recall(case: Case, book: Rulebook, query: Signature) -> Generator[Batch, Answers, Remembered]:
    """Once for a text, before it is reviewed; nobody is asked where nothing is to be recalled."""
    under = memory_condition.under(book.memory.condition)
    if not under.retrieve:
        return unasked(book)
    brief = RecallBrief(case.language, query, book.memory.topk)
    (found,) = yield from put([Ask(MEMORY, brief, Recalled)])
    if isinstance(found, Silent):
        return Remembered(under, topk=brief.topk, silent=found.why)
    advice = memory_advisory.advise(found.episodes)
    given = tuple([one.advisory for one in advice if one.advisory])
    steps = tuple(_steps(under, found, advice))
    return Remembered(under, found.store_id, brief.topk, given, steps=steps)


def _steps(under: memory_condition.Output, found: Recalled, advice: tuple[Advice, ...]) -> Iterator[Step]:
    held = f"{found.store_id}: {found.held} episodes, snapshot {found.snapshot[:12]}"
    yield Step(memory_condition.TABLE.edition, "", Ruling(under.mode, under.row), (held,))
    for episode, told in zip(found.episodes, advice, strict=True):
        like = ", ".join(episode.input_signature.detected_structure) if episode.input_signature else ""
        named = (f"{episode.episode_id}: {like}",)
        yield Step(memory_recall.TABLE.edition, episode.episode_id, Ruling("recalled", "4"), named)
        ruling = Ruling("advised" if told.advisory else "blocked", told.row, told.because)
        said = told.advisory.message if told.advisory else "it ended like one that failed"
        yield Step(memory_advisory.TABLE.edition, episode.episode_id, ruling, (f"{episode.episode_id}: {said}",))
