"""The clause-and-lexicon reader for English: which opinion is tied to which target, and what turns it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from withstood.agents.programmed.analysis import Analysis, Basis, Marker, Sighting
from withstood.agents.programmed.binding import Binding
from withstood.agents.programmed.page import Bounds, Chunk, Nouns, Page
from withstood.agents.programmed.scope import Said, Scope
from withstood.agents.programmed.tokens import Opinion, Sentence, Tokens
from withstood.lexicons.lexicon import Lexicon, Polarity
from withstood.lexicons.taxonomy import NONE, OTHER

_STATED, _JOINED, _DENIED, _CUE, _LOOSE = map(Decimal, ("0.8", "0.7", "0.7", "0.6", "0.5"))


class EnglishReader:
    """Pure computation on a text; everything it knows comes from the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._tokens, self._nouns = Tokens(lexicon), Nouns(lexicon)
        self._binding, self._scope = Binding(lexicon), Scope(lexicon)
        self._relatives = lexicon.relatives

    def read(self, text: str) -> Analysis:
        page, sentence = self.lay_out(text)
        seen = [sighting for opinion in sentence.opinions for sighting in self._see(page, opinion)]
        return Analysis(text, tuple(page.span(*bounds) for bounds in page.clauses), tuple(_once(seen)))

    def lay_out(self, text: str) -> tuple[Page, Sentence]:
        sentence = self._tokens.read(text)
        return Page(text, sentence, self._nouns.of(sentence)), sentence

    def _see(self, page: Page, opinion: Opinion) -> Iterator[Sighting]:
        clause = page.clause_of(opinion.first)
        bound, named = ([], "cue") if opinion.is_cue else self._binding.targets(page, opinion, clause)
        targets: list[Chunk | None] = [chunk for chunk in bound if chunk.kind is not None]
        for place, chunk in enumerate(targets or [None]):
            told = self._told(page, opinion, chunk)
            said = self._scope.said(page, opinion, clause, told) if told else None
            if said is not None:
                basis = _basis(opinion, chunk, named)
                yield _sighting(page, opinion, clause, chunk, said, basis, _sure(opinion, chunk, place, said[2]))

    def _told(self, page: Page, opinion: Opinion, chunk: Chunk | None) -> Polarity | None:
        """What the word says of this target; None for a relative word where the lexicon does not know that."""
        if chunk is not None and opinion.last - opinion.first == 1:
            found = self._relatives.get((page.words[opinion.first], chunk.kind or ""))
            if found is not None:
                return found
        return None if opinion.meaning.kind == "relative" else opinion.meaning.polarity


def _sure(opinion: Opinion, chunk: Chunk | None, place: int, marker: Marker) -> Decimal:
    if chunk is None:
        return _CUE if opinion.is_cue or opinion.meaning.about != "general" else _LOOSE
    return _JOINED if place else _DENIED if marker == "negation" else _STATED


def _basis(opinion: Opinion, chunk: Chunk | None, named: Basis) -> Basis:
    if opinion.is_cue or chunk is not None:
        return named
    return "stated" if opinion.meaning.about != "general" else "whole"


def _sighting(
    page: Page, opinion: Opinion, clause: Bounds, chunk: Chunk | None, said: Said, basis: Basis, sure: Decimal
) -> Sighting:
    begin, end = page.span(opinion.first, opinion.last)
    term = page.span(chunk.first, chunk.last) if chunk else None
    kind = (chunk.kind or OTHER) if chunk else NONE
    return Sighting(begin, end, page.span(*clause), term, kind, opinion.meaning.about, *said, basis, sure)


def _once(seen: list[Sighting]) -> Iterator[Sighting]:
    """A target and its polarity once, by the surest opinion word."""
    best: dict[object, Sighting] = {}
    for sighting in seen:
        key = (sighting.term or (sighting.about, sighting.clause), sighting.near, sighting.far)
        if key not in best or best[key].sure < sighting.sure:
            best[key] = sighting
    yield from sorted(best.values(), key=lambda s: (s.begin, s.term or (0, 0)))
