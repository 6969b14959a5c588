"""Labels and samples as the tests of this room draw and write them."""

from __future__ import annotations

from hypothesis import strategies as st

from withstood.claims.label import Label
from withstood.measures.sample import FINAL, STAGE1, Labels, Sample, labels

REFS = ("", "본품#품질", "본품#가격", "제품 전체#일반", "food")
TERMS = ("", "battery", "화면")
POLARITIES = ("positive", "negative", "neutral", "mixed", "")

label = st.builds(
    Label,
    aspect_term=st.sampled_from(TERMS),
    aspect_ref=st.sampled_from(REFS),
    polarity=st.sampled_from(POLARITIES),
    opinion_term=st.sampled_from((None, "", "good")),
)
some = st.lists(label, max_size=5).map(labels)


def sample(gold: Labels | None, final: Labels = (), stage1: Labels = (), **more: object) -> Sample:
    return Sample("x", gold=gold, said={STAGE1: stage1, FINAL: final}, **more)  # pyright: ignore[reportArgumentType]


samples = st.builds(sample, some, some, some)


def said(*opinions: str) -> Labels:
    """`term|ref|polarity`, as normalised labels."""
    parts = [opinion.split("|") for opinion in opinions]
    return labels([Label(term, ref, polarity) for term, ref, polarity in parts])
