"""Normalisation: two spellings of one thing are one thing before anything is compared.

| part | how |
|---|---|
| term | in lower case, white space collapsed, without punctuation, quotes and brackets at its ends |
| ref | white space collapsed, none around `#`; the package entity with a dot; neither case nor `#` is touched |
| polarity | pos, neg, neu in full; what is missing or no polarity is "", and counts as neutral |
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from withstood.claims.label import Label

POLARITIES = ("positive", "negative", "neutral", "mixed")
UNSAID = "neutral"
"""A polarity that is missing or unknown counts as this one."""

_SHORT = {"pos": "positive", "neg": "negative", "neu": "neutral"}
_ENDS = ".,;:!?\"'`“”‘’()[]{}<>「」『』《》〈〉（）［］ "


@lru_cache(maxsize=4096)
def term(text: str) -> str:
    return " ".join(text.lower().split()).strip(_ENDS)


@lru_cache(maxsize=4096)
def ref(text: str) -> str:
    plain = re.sub(r" ?# ?", "#", " ".join(text.split()))
    return re.sub(r"^패키지 ?/ ?구성품(?=#|$)", "패키지·구성품", plain)


def polarity(text: str) -> str:
    """The polarity in full; "" for what is none."""
    plain = text.strip().lower()
    full = _SHORT.get(plain, plain)
    return full if full in POLARITIES else ""


def label(stated: Label) -> Label:
    """A label as it is compared."""
    return replace(
        stated,
        aspect_term=term(stated.aspect_term),
        aspect_ref=ref(stated.aspect_ref),
        polarity=polarity(stated.polarity),
        opinion_term=None if stated.opinion_term is None else term(stated.opinion_term),
    )
