"""How files spell a polarity, and a target that is not written in the text.

| read as | spelled, in any case |
|---|---|
| positive | positive, pos, p, +, 1, +1, 긍정, 긍정적 |
| negative | negative, neg, n, -, -1, 부정, 부정적 |
| neutral | neutral, neu, o, 0, 중립, 중립적 |
| mixed | mixed, conflict, conflicted, both, 혼합, 복합, 상충 |
| not labelled | nothing at all |
| implicit | NULL, null, None, implicit, N/A, -, _, nothing at all |

Any other polarity is refused: a label that was guessed is worse than a row that is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from withstood.sources.labels.entries import Unfit
from withstood.sources.records import inert

_SPELLED = {
    "positive": "positive pos p + 1 +1 긍정 긍정적",
    "negative": "negative neg n - -1 부정 부정적",
    "neutral": "neutral neu o 0 중립 중립적",
    "mixed": "mixed conflict conflicted both 혼합 복합 상충",
}
POLARITIES: Mapping[str, str] = MappingProxyType(
    {"": ""} | {spelling: read for read, spellings in _SPELLED.items() for spelling in spellings.split()}
)
IMPLICIT = frozenset({"", "null", "none", "implicit", "n/a", "-", "_"})


def polarity(written: str) -> str:
    found = POLARITIES.get(written.strip().casefold())
    if found is None:
        raise Unfit(
            "unknown_polarity",
            f"wanted positive, negative, neutral or mixed (or POS, NEG, NEU, conflict, 1, -1, 0, 긍정, 부정, 중립), "
            f"found {inert(written)}. Correct the label.",
        )
    return found


def is_implicit(term: str) -> bool:
    return term.strip().casefold() in IMPLICIT
