"""The written forms of English words, by the regular rules of spelling."""

from __future__ import annotations

_VOWELS = "aeiou"


def verb(word: str) -> tuple[str, ...]:
    """love, loves, loved, loving; of a phrase the first word changes."""
    head, _, rest = word.partition(" ")
    return tuple(f"{form} {rest}".strip() for form in (head, _s(head), _ed(head), _ing(head)))


def noun(word: str) -> tuple[str, ...]:
    """dish, dishes; of a phrase the last word changes."""
    before, _, last = word.rpartition(" ")
    return tuple(f"{before} {form}".strip() for form in (last, _s(last)))


def adjective(word: str) -> tuple[str, ...]:
    """nice, nicer, nicest, nicely; long words and phrases change only to their adverb or not at all."""
    if " " in word or "-" in word:
        return (word,)
    if len(word) > 6:
        return (word, _ly(word))
    stem = _doubled(word)
    return (word, *((stem[:-1] + "ier", stem[:-1] + "iest") if _ends_in_y(word) else _graded(stem)), _ly(word))


def _graded(stem: str) -> tuple[str, str]:
    return (stem + "r", stem + "st") if stem.endswith("e") else (stem + "er", stem + "est")


def _s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if _ends_in_y(word) else word + "s"


def _ed(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    return word[:-1] + "ied" if _ends_in_y(word) else _doubled(word) + "ed"


def _ing(word: str) -> str:
    return word[:-1] + "ing" if word.endswith("e") and not word.endswith("ee") else _doubled(word) + "ing"


def _ly(word: str) -> str:
    if _ends_in_y(word):
        return word[:-1] + "ily"
    if word.endswith("le"):
        return word[:-1] + "y"
    return word + ("ally" if word.endswith("ic") else "ly")


def _ends_in_y(word: str) -> bool:
    return len(word) > 2 and word[-1] == "y" and word[-2] not in _VOWELS


def _doubled(word: str) -> str:
    """A short word of the pattern consonant, vowel, consonant doubles its last letter."""
    short = 3 <= len(word) <= 4 and word[-1] not in _VOWELS + "wxy" and word[-2] in _VOWELS and word[-3] not in _VOWELS
    return word + word[-1] if short else word
