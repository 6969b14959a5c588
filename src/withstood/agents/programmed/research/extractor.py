"""EXPLORE by program: sentences of the pages become observations, claims and edges, with the words as they stand there.

What it takes: sentences with measures, results and definitions as observations; sentences that compare, recommend or
assert as claims. What it cannot do: understand. Irony, a claim spread over several sentences, a table, an opinion that
is told as another's, words that mean the same and look different pass it by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from withstood.agents.port import Line
from withstood.agents.programmed.program import Program
from withstood.agents.programmed.research import reading, relating, settling
from withstood.agents.programmed.research.reading import Sentence, Weights
from withstood.claims.research import Claimed, Drawn, Exploration, Observed, Page
from withstood.journal.port import Texts
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.research_briefs import ExploreBrief
from withstood.rules import admission

Answer = TypeVar("Answer")

MOST_OBSERVATIONS, MOST_BROAD = 4, 5
MOST_CLAIMS = 2
MOST_A_PAGE = 3
RELEVANT, ASKED = 0.4, 0.5
LEAST_TERMS = 2


@dataclass(frozen=True, slots=True)
class _Spot:
    """A sentence and the page that it stands in."""

    page: Page
    sentence: Sentence
    relevance: float


class Extractor(Program):
    name = "programmed:extractor@1"

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        if not isinstance(ask.brief, ExploreBrief):
            return Silent(f"wanted an ExploreBrief for {self.name}, found a {type(ask.brief).__name__}")
        read = [(page, await self._texts.text(page.sha256) or "") for page in ask.brief.pages]
        return cast("Answer", _Reading(ask.brief, read).exploration())


@dataclass(slots=True)
class _Reading:
    """One exploration on its way."""

    brief: ExploreBrief
    pages: Sequence[tuple[Page, str]]
    asked: frozenset[str] = field(init=False)
    weights: Weights = field(init=False)
    held: dict[str, Sentence] = field(init=False)

    def __post_init__(self) -> None:
        self.asked = reading.topics(self.brief.question)
        self.weights = Weights([one.terms for _, text in self.pages for one in reading.sentences(text)], self.asked)
        self.held = {name: reading.read(summary) for name, summary in self.brief.existing_hypotheses.items()}

    def exploration(self) -> Exploration:
        spots = self._spots()
        claimed = self._claimed(spots)
        observed = self._observed(spots, claimed)
        edges = [*self._weighing(observed, claimed), *self._conflicts(claimed)]
        if not observed and not claimed and not edges:
            return self._nothing()
        return Exploration(
            "success" if observed else "partial",
            tuple([_observation(name, spot) for name, spot in observed.items()]),
            tuple([_claim(name, spot, self.weights) for name, spot in claimed.items()]),
            tuple(edges),
            self._other_words(),
            self._resolution(observed, edges),
        )

    def _nothing(self) -> Exploration:
        """Other words may find something, twice; then it is a result that there is nothing, as long as there was
        anything to read."""
        looked = bool(self.pages) and self.brief.retry_count >= 2
        return Exploration("partial" if looked else "failure", retry_keywords=self._other_words())

    def _other_words(self) -> tuple[str, ...]:
        """The target alone, then the question as it was put."""
        about = self._target_words() or [*reading.words(self.brief.search_query).values()]
        asked = [*reading.words(self.brief.question).values()]
        return tuple(dict.fromkeys([" ".join(words[:6]) for words in (about, asked, [self.brief.question]) if words]))

    def _target_words(self) -> list[str]:
        named = self.brief.existing_hypotheses.get(self.brief.target_id or "", "")
        found = reading.words(named or self.brief.target_id or "")
        rare = sorted(found, key=lambda stem: (-self.weights.of(stem), stem))
        return [reading.surface(stem, found[stem]) for stem in rare]

    # --- what is relevant ---

    def _spots(self) -> list[_Spot]:
        """Sentences that bear on the question or the target, the nearest first."""
        wanted = self.asked | reading.topics(self.brief.search_query)
        asked = self.asked
        found = [
            _Spot(page, sentence, self._relevance(sentence, wanted, asked))
            for page, text in self.pages
            for sentence in reading.sentences(text)
        ]
        near = [spot for spot in found if spot.relevance >= RELEVANT]
        return sorted(near, key=lambda spot: -spot.relevance)

    def _relevance(self, sentence: Sentence, wanted: frozenset[str], asked: frozenset[str]) -> float:
        terms = sentence.terms
        least = min(LEAST_TERMS, len(wanted))
        if len(terms & wanted) < least and self._on_target(sentence) == 0:
            return 0.0
        return max(self.weights.share(terms, wanted), self.weights.share(terms, asked), self._on_target(sentence))

    def _on_target(self, sentence: Sentence) -> float:
        targets = [self.held[name] for name in self._targets() if name in self.held]
        return max([reading.bearing(sentence, one, self.weights).cover for one in targets], default=0.0)

    def _targets(self) -> tuple[str, ...]:
        if self.brief.target_type != "hypothesis":
            return ()
        return tuple([name for name in (self.brief.target_id, self.brief.conflict_with) if name])

    # --- observations ---

    def _observed(self, spots: Sequence[_Spot], claimed: Mapping[str, _Spot]) -> dict[str, _Spot]:
        """New facts and definitions; for a target also what others say of it, since that is what it must withstand."""
        most = MOST_BROAD if self.brief.search_mode == "broad" else MOST_OBSERVATIONS
        known = dict(self.brief.existing_observations) | {name: one.sentence.text for name, one in claimed.items()}
        found: dict[str, _Spot] = {}
        by_page: dict[str, int] = {}
        for spot in sorted(spots, key=self._telling, reverse=True):
            if len(found) == most:
                break
            if by_page.get(spot.page.url, 0) == MOST_A_PAGE or not self._is_observation(spot.sentence):
                continue
            if not self._is_new(spot.sentence, known, spot.page):
                continue
            name = f"obs_{self.brief.next_obs_id + len(found)}"
            found[name] = spot
            known[name] = spot.sentence.text
            by_page[spot.page.url] = by_page.get(spot.page.url, 0) + 1
        return found

    def _telling(self, spot: _Spot) -> tuple[int, float]:
        """What turns for or against the target goes first."""
        return (int(self._bears(spot.sentence)), spot.relevance)

    def _is_observation(self, sentence: Sentence) -> bool:
        return sentence.kind in ("fact", "definition") or self._bears(sentence)

    def _bears(self, sentence: Sentence) -> bool:
        targets = [(name, self.held[name]) for name in self._targets() if name in self.held]
        return any(relating.edge("new", sentence, name, one, self.weights) is not None for name, one in targets)

    def _is_new(self, sentence: Sentence, known: Mapping[str, str], page: Page) -> bool:
        """A claim's own words are no observation of it; known words on another page are a copy, which code counts."""
        if admission.copied(sentence.text, self.brief.existing_hypotheses) is not None:
            return False
        return admission.copied(sentence.text, known) is None

    # --- claims ---

    def _claimed(self, spots: Sequence[_Spot]) -> dict[str, _Spot]:
        """Broad: what is claimed of the question. Deep: only what stands against the target, so that the round ends."""
        found: dict[str, _Spot] = {}
        for spot in sorted(spots, key=lambda spot: -self._to_the_point(spot.sentence)):
            if len(found) == self._most_claims():
                break
            known = {name: one.text for name, one in self.held.items()} | {
                name: one.sentence.text for name, one in found.items()
            }
            fresh = admission.copied(spot.sentence.text, known) is None
            if spot.sentence.kind == "claim" and fresh and self._is_wanted(spot):
                found[f"hyp_A{self.brief.next_hyp_id + len(found)}"] = spot
        return found

    def _most_claims(self) -> int:
        return MOST_CLAIMS if self.brief.search_mode == "broad" else 1

    def _is_wanted(self, spot: _Spot) -> bool:
        if not self._is_asked(spot.sentence):
            return False
        if self.brief.target_type != "hypothesis" or self.brief.search_mode == "broad":
            return True
        targets = [(name, self.held[name]) for name in self._targets() if name in self.held]
        return any(relating.conflict("new", spot.sentence, name, one, self.weights) for name, one in targets)

    def _to_the_point(self, sentence: Sentence) -> float:
        """How much of the question it covers, and how little else it says."""
        asked = self.asked
        of_it, of_all = self.weights.share(sentence.terms, asked), self.weights.share(asked, sentence.terms)
        return 2 * of_it * of_all / (of_it + of_all) if of_it and of_all else 0.0

    def _is_asked(self, sentence: Sentence) -> bool:
        """A claim is one of the question, whatever else the target has in it."""
        asked = self.asked
        shared = len(sentence.terms & asked)
        if reading.of_another(sentence, reading.read(self.brief.question)):
            return False
        return shared >= min(LEAST_TERMS, len(asked)) and self.weights.share(sentence.terms, asked) >= ASKED

    # --- edges ---

    def _weighing(self, observed: Mapping[str, _Spot], claimed: Mapping[str, _Spot]) -> list[Drawn]:
        held = self.held | {name: spot.sentence for name, spot in claimed.items()}
        new = {name: spot.sentence for name, spot in observed.items()}
        return [*self._between(new, held), *self._of_old(claimed)]

    def _between(self, observed: Mapping[str, Sentence], held: Mapping[str, Sentence]) -> list[Drawn]:
        drawn = [
            relating.edge(name, sentence, other, claim, self.weights)
            for name, sentence in observed.items()
            for other, claim in held.items()
        ]
        return [one for one in drawn if one is not None]

    def _of_old(self, claimed: Mapping[str, _Spot]) -> list[Drawn]:
        """What was observed before, on new claims and on the target. An idea of our own may have been made of it, so it
        may only refute such a one."""
        old = {name: reading.read(words) for name, words in self.brief.existing_observations.items()}
        targets = {name: self.held[name] for name in self._targets() if name in self.held}
        drawn = self._between(old, {name: spot.sentence for name, spot in claimed.items()} | targets)
        return [one for one in drawn if one.type == "CONTRADICTS" or not one.end.startswith("hyp_B")]

    def _conflicts(self, claimed: Mapping[str, _Spot]) -> list[Drawn]:
        found: list[Drawn] = []
        held = dict(self.held)
        for name, spot in claimed.items():
            pairs = [relating.conflict(name, spot.sentence, other, one, self.weights) for other, one in held.items()]
            found += [one for one in pairs if one is not None]
            held[name] = spot.sentence
        return found

    def _resolution(self, observed: Mapping[str, _Spot], edges: Sequence[Drawn]) -> settling.Resolution | None:
        one, other = self.brief.target_id, self.brief.conflict_with
        if one is None or other is None:
            return None
        sentences = {name: reading.read(words) for name, words in self.brief.existing_observations.items()}
        sentences |= {name: spot.sentence for name, spot in observed.items()}
        return settling.settled(one, other, self.held, sentences, edges)


def _observation(name: str, spot: _Spot) -> Observed:
    return Observed(name, reading.bare(spot.sentence.text), spot.page.url, quote=spot.sentence.text, page=spot.page.id)


def _claim(name: str, spot: _Spot, weights: Weights) -> Claimed:
    """Its keywords are its rarest words, and with what would speak against it."""
    found = reading.words(spot.sentence.text)
    rare = sorted(found, key=lambda stem: (-weights.of(stem), stem))[:4]
    named = [reading.surface(stem, found[stem]) for stem in found if stem in rare]
    return Claimed(name, reading.bare(spot.sentence.text), (" ".join(named),) if named else ())
