"""Subsets: on which samples a figure is measured.

| name | samples |
|---|---|
| all | every one |
| implicit | with an implicit target in the gold |
| explicit | with gold, none of it implicit |
| negated | with a cue of negation or contrast in the text |
| single, multi | with one gold pair, with two or more (of ref and polarity; of term and polarity where the gold has no refs) |
| conflict | with a conflict flag |
| mixed | with two or more polarities in the gold |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from withstood.measures.pairs import pairs, polarity_of
from withstood.measures.sample import Sample

_CUE = re.compile(
    r"(?<!\w)(?:안|못)(?!\w)|(?<!\w)(?:그러나|반면|근데)|않|없|아니|지만|는데"
    r"|\b(?:not|no|never|nothing|neither|nor|cannot|but|however|although|though)\b|n['’]t\b",
    re.IGNORECASE,
)


def cued(text: str) -> bool:
    """A cue of negation or contrast stands in the text."""
    return _CUE.search(text) is not None


def _implicit(sample: Sample) -> bool:
    return any(not label.aspect_term for label in sample.gold or ())


def _pairs(sample: Sample) -> int:
    gold = sample.gold or ()
    return len(pairs("ref-pol", gold) or pairs("ote-pol", gold))


SUBSETS: Mapping[str, Callable[[Sample], bool]] = MappingProxyType(
    {
        "all": lambda sample: True,
        "implicit": _implicit,
        "explicit": lambda sample: bool(sample.gold) and not _implicit(sample),
        "negated": lambda sample: cued(sample.text),
        "single": lambda sample: _pairs(sample) == 1,
        "multi": lambda sample: _pairs(sample) > 1,
        "conflict": lambda sample: sample.held.flags > 0,
        "mixed": lambda sample: len(set(map(polarity_of, sample.gold or ()))) > 1,
    }
)
