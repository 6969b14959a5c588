"""The written forms of Korean predicates, by the arithmetic of the syllable block.

An entry that ends in 다 is a predicate; its forms are beginnings that every ending shares, such as 예쁘, 예쁜, 예뻐 for
예쁘다. Any other entry is taken as it stands.
"""

from __future__ import annotations

_FIRST, _VOWELS, _TAILS = 0xAC00, 21, 28
_LETTERS_OF_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_N, _L, _M, _B, _SS = 4, 8, 16, 17, 20
_CONTRACTED = {"ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅚ": "ㅙ", "ㅡ": "ㅓ"}
_SOFTENED = ("우", "운", "울", "움", "워", "웠", "와", "왔")
_BRIGHT = "ㅏㅗ"
_B_REGULAR = frozenset({"좁", "넓", "뽑", "씹", "입", "잡", "접", "꼽"})


def forms(entry: str) -> tuple[str, ...]:
    """Every written beginning of the entry; the entry itself where it is no predicate."""
    if len(entry) < 2 or not entry.endswith("다"):
        return (entry,)
    stem = entry[:-1]
    if not _is_syllable(stem[-1]):
        return (entry,)
    return tuple(dict.fromkeys(_of_stem(stem[:-1], stem[-1])))


def has_tail(syllable: str) -> bool:
    """Whether the syllable ends in a consonant."""
    return _is_syllable(syllable) and _parts(syllable)[2] != 0


def _of_stem(before: str, last: str) -> list[str]:
    head, vowel, tail = _parts(last)
    if tail == _B and last not in _B_REGULAR:
        soft = before + _block(head, vowel, 0)
        return [before + last, *(soft + form for form in _SOFTENED)]
    if tail == _L:
        return [before + last, before + _block(head, vowel, _N), before + _block(head, vowel, _B)]
    if tail:
        return [before + last]
    plain = [before + _block(head, vowel, tail) for tail in (0, _N, _L, _M, _B)]
    return plain + _past_forms(before, last)


def _past_forms(before: str, last: str) -> list[str]:
    """The stem run together with 아 or 어, and with its past tense."""
    head, vowel, _ = _parts(last)
    if last == "하":
        return [before + form for form in ("해", "했", "하여")]
    if last == "르" and before and _is_syllable(before[-1]) and not has_tail(before[-1]):
        bright = _LETTERS_OF_VOWELS[_parts(before[-1])[1]] in _BRIGHT
        stem = before[:-1] + _with_tail(before[-1], _L)
        return [stem + form for form in (("라", "랐") if bright else ("러", "렀"))]
    bound = _bound(before, head, vowel)
    return [before + bound, before + _with_tail(bound, _SS)]


def _bound(before: str, head: int, vowel: int) -> str:
    """The last syllable run together with 아 or 어: 쁘 gives 뻐, 프 after 아 gives 파, 리 gives 려."""
    letter = _LETTERS_OF_VOWELS[vowel]
    joined = _CONTRACTED.get(letter, letter)
    if letter == "ㅡ" and before and _is_syllable(before[-1]):
        joined = "ㅏ" if _LETTERS_OF_VOWELS[_parts(before[-1])[1]] in _BRIGHT else "ㅓ"
    return _block(head, _LETTERS_OF_VOWELS.index(joined), 0)


def _is_syllable(sign: str) -> bool:
    return "가" <= sign <= "힣"


def _parts(syllable: str) -> tuple[int, int, int]:
    place = ord(syllable) - _FIRST
    return place // (_VOWELS * _TAILS), place // _TAILS % _VOWELS, place % _TAILS


def _block(head: int, vowel: int, tail: int) -> str:
    return chr(_FIRST + (head * _VOWELS + vowel) * _TAILS + tail)


def _with_tail(syllable: str, tail: int) -> str:
    head, vowel, _ = _parts(syllable)
    return _block(head, vowel, tail)
