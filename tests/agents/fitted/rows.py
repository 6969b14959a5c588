"""Labelled reviews of a small grammar of our own, as many as are wanted."""

from __future__ import annotations

from withstood.claims.label import Label, Labelled

NOUNS = ("soup", "bread", "waiter", "window", "lamp", "chair", "tea", "music")
WORDS = {"good": "positive", "great": "positive", "lovely": "positive", "bad": "negative", "rude": "negative"}
REFS = {"waiter": "place#service", "window": "place#room", "lamp": "place#room", "chair": "place#room"}
KOREAN = {"향": "본품#품질", "용기": "패키지·구성품#디자인"}


def english(count: int) -> list[Labelled]:
    """The soup is good but the waiter is rude: terms, refs, opinion words, two polarities in some texts."""
    return [_english(no) for no in range(count)]


def _english(no: int) -> Labelled:
    noun, other = NOUNS[no % len(NOUNS)], NOUNS[(no * 3 + 1) % len(NOUNS)]
    word, another = list(WORDS)[no % len(WORDS)], list(WORDS)[(no * 2 + 1) % len(WORDS)]
    text = f"The {noun} is {word} but the {other} was {another}, number {no}."
    return Labelled(
        no + 1, f"e{no}", text, (_label(text, noun, word, 0), _label(text, other, another, text.index("but")))
    )


def _label(text: str, noun: str, word: str, after: int) -> Label:
    begin, spoken = text.index(noun, after), text.index(word, after)
    ref = REFS.get(noun, "food#taste")
    return Label(noun, ref, WORDS[word], begin, begin + len(noun), word, spoken, spoken + len(word))


def korean(count: int) -> list[Labelled]:
    """Categories alone: no term is named in the labels."""
    names = list(KOREAN)
    return [
        Labelled(
            no + 1, f"k{no}", f"{names[no % 2]}이 정말 좋아요 {no}번", (Label("", KOREAN[names[no % 2]], "positive"),)
        )
        for no in range(count)
    ]
