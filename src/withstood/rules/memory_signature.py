"""Signatures: what a text is like, without the text. Every row that applies fires.

| row | when | then |
|---|---|---|
| 1 | the text has one of: 안␣ 못␣ 없 않 not␣ n't␣ never␣ no␣ | structure negation, has_negation |
| 2 | the text has one of: 하지만 그런데 반면 but␣ however although | structure contrast; the first of these is contrast_marker |
| 3 | the text has one of the cues of irony of its language | structure irony |
| 4 | none of the rows before | structure none |
| 5 | fewer than 50 characters | short |
| 6 | fewer than 200 characters | medium |
| 7 | else | long |

The text is stripped and lower-cased first. ␣ is a space: "안 " is a marker, "안" is none. num_aspects is the number of
candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from withstood.claims.episode import Count, Language, LengthBucket, Signature, Structure
from withstood.rules.table import NoNumbers, Table

NEGATIONS = ("안 ", "못 ", "없", "않", "not ", "n't ", "never ", "no ")
CONTRASTS = ("하지만", "그런데", "반면", "but ", "however", "although")
SHORT, MEDIUM = 50, 200


def sign(text: str, language: Language, num_aspects: int, irony: Sequence[str] = ()) -> Signature:
    """`irony`: the cues of the text's language, as they stand in lower-cased text."""
    bare = text.strip().lower()
    structure = tuple(_structure(bare, irony)) or ("none",)
    marker = next((marker for marker in CONTRASTS if marker in bare), None)
    return Signature(language, structure, marker, "negation" in structure, num_aspects, _bucket(len(bare)))


def _structure(bare: str, irony: Sequence[str]) -> Iterator[Structure]:
    if any(marker in bare for marker in NEGATIONS):
        yield "negation"
    if any(marker in bare for marker in CONTRASTS):
        yield "contrast"
    if any(cue in bare for cue in irony):
        yield "irony"


def _bucket(length: int) -> LengthBucket:
    if length < SHORT:
        return "short"
    return "medium" if length < MEDIUM else "long"


@dataclass(frozen=True, slots=True)
class Input:
    text: str
    language: Language = "ko"
    num_aspects: Count = 0
    irony: tuple[str, ...] = ()


def _decide(case: Input, numbers: NoNumbers) -> Signature:
    return sign(case.text, case.language, case.num_aspects, case.irony)


TABLE = Table("memory-signature-1", __doc__, Input, Signature, _decide, section="none", aliases=("memory-signature",))
