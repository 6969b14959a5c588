"""Mutated quotes and true ones before the check of quotes, over code, logs and prose, English and Korean.

    python benchmarks/quotes.py --mutated 20000

A mutated quote has a word of denial dropped or cut off, a digit changed, or is stitched from two parts; one that by
chance stands somewhere in its text is no lie, and is not counted. A true quote is not cut off at a denial; it comes
with other white space, other quotation marks, ligatures, and in the other form of Unicode. Prints one JSON object: how
many mutated ones were accepted, by kind, and the share of true ones that were.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.stories.shelf import NAMES, story
from withstood.claims import citing, quote

PROSE = (
    "The room was not clean and the staff did not answer. We paid 129 euros for 3 nights, which is not cheap.",
    "Breakfast isn't included; it costs 14.50 per person. The “quiet” side isn't quiet, and the lift never works.",
    "No refund was given, although the page says that a booking can be cancelled without a fee within 48 hours.",
    "The first file of the office is fine, the affiliate link is not. Nobody found the difference of 0.5 percent.",
    "화면은 밝지만 배터리가 안 좋아서 하루를 못 버팁니다. 무게는 1.35kg이고 가격은 1,290,000원입니다.",
    "배송은 2일 걸렸고 포장은 나쁘지 않았습니다. 다만 설명서가 없어서 처음에는 켜지 못했습니다.",
    "결제가 완료되지 않았는데 주문 상태는 완료로 보입니다. 환불 요청 3건이 아직 처리되지 않았습니다.",
    "소리는 작지 않지만 저음이 안 나옵니다. 3월 14일에 교환을 요청했으나 답을 못 받았습니다.",
)
DENIALS = re.compile(
    r"(?<![\w가-힣])(?:not|never|no|without|안|못) |n't|(?<=[가-힣])지 (?:않|못)(?=[가-힣])|(?<![=!])!(?=[\w(])",
    re.IGNORECASE,
)
DENYING = frozenset(("not", "never", "no", "without", "neither", "nor", "안", "못"))
SPACES = (" ", "  ", "\t", "\n", "\u00a0", "\u2009", "\u3000", " \r\n ", " \u200b")
QUOTES = {"'": "'‘’‛′", '"': '"“”„″'}
LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"))


def texts() -> list[list[str]]:
    """Each as lines: files and logs of the stories, and prose."""
    found = [[line] for line in PROSE]
    for name in NAMES:
        told = story(name)
        found += [text.splitlines()[:400] for text in (*told.tree.values(), *told.logs.values())]
    return [lines for lines in found if sum(map(len, lines)) > 40]


def passage(draw: random.Random, lines: Sequence[str]) -> str | None:
    """Some words of one to three lines, in a row."""
    at = draw.randrange(len(lines))
    words = " ".join(lines[at : at + draw.randint(1, 3)]).split()
    if len(words) < 3:
        return None
    begin = draw.randrange(len(words) - 2)
    end = begin + draw.randint(3, 14)
    if _denies(words[begin - 1 : begin]) or any(
        word.startswith(("않", "못", "없", "아니")) for word in words[end : end + 1]
    ):
        return None
    said = " ".join(words[begin:end])
    return said if sum(map(str.isalnum, said)) >= 8 else None


def _denies(words: Sequence[str]) -> bool:
    return any(word.lower() in DENYING or word.lower().endswith(("n't", "cannot")) for word in words)


# --- lies --------------------------------------------------------------------------------------


def dropped(draw: random.Random, said: str, lines: Sequence[str]) -> str | None:
    found = list(DENIALS.finditer(said))
    if not found:
        return None
    one = draw.choice(found)
    return said[: one.start()] + said[one.end() :]


def cut(draw: random.Random, said: str, lines: Sequence[str]) -> str | None:
    """What stands right after a denial."""
    whole = " ".join(" ".join(lines).split())
    found = [one.end() for one in DENIALS.finditer(whole) if one[0][-1] == " "]
    if not found:
        return None
    return " ".join(whole[draw.choice(found) :].split()[: draw.randint(3, 10)])


def changed(draw: random.Random, said: str, lines: Sequence[str]) -> str | None:
    places = [at for at, sign in enumerate(said) if sign in "0123456789"]
    if not places:
        return None
    at = draw.choice(places)
    return said[:at] + str((int(said[at]) + draw.randint(1, 9)) % 10) + said[at + 1 :]


def stitched(draw: random.Random, said: str, lines: Sequence[str]) -> str | None:
    other = passage(draw, lines)
    if other is None:
        return None
    words, rest = said.split(), other.split()
    joint = draw.choice((" ", " ", " ... ", "\n"))
    return " ".join(words[: draw.randint(2, len(words))]) + joint + " ".join(rest[-draw.randint(2, len(rest)) :])


LIES: dict[str, Callable[[random.Random, str, Sequence[str]], str | None]] = {
    "dropped": dropped,
    "cut": cut,
    "changed": changed,
    "stitched": stitched,
}


def is_there(said: str, lines: Sequence[str]) -> bool:
    """By chance, word for word: words are compared, nothing of what is measured is used."""
    words, whole = unicodedata.normalize("NFC", said).split(), unicodedata.normalize("NFC", " ".join(lines)).split()
    return any(whole[at : at + len(words)] == words for at in range(len(whole) - len(words) + 1))


# --- noise -------------------------------------------------------------------------------------


def noisy(draw: random.Random, said: str) -> str:
    plain = said
    for letters, ligature in LIGATURES:
        if draw.random() < 0.5:
            plain = plain.replace(letters, ligature)
    signs = [
        draw.choice(SPACES) if sign == " " else draw.choice(QUOTES[sign]) if sign in QUOTES else sign for sign in plain
    ]
    return unicodedata.normalize(draw.choice(("NFC", "NFD")), "".join(signs))


def accepted(said: str, lines: Sequence[str]) -> bool:
    """By the check of cited lines."""
    return citing.find(said, lines, 1, (1, len(lines))) is not None


def measured(mutated: int, true: int, seed: int = 3) -> dict[str, object]:
    draw, shelf = random.Random(seed), texts()
    tried, taken, held, found = Counter[str](), Counter[str](), 0, 0
    kinds = tuple(LIES)
    while tried.total() < mutated:
        lines, kind = (
            draw.choice(shelf) if draw.random() < 0.6 else draw.choice(shelf[: len(PROSE)]),
            draw.choice(kinds),
        )
        said = passage(draw, lines)
        lie = LIES[kind](draw, said, lines) if said else None
        if lie is None or len(lie.split()) < 2 or (kind != "cut" and is_there(lie, lines)):
            continue
        tried[kind] += 1
        shown = noisy(draw, lie) if draw.random() < 0.5 else lie
        taken[kind] += accepted(shown, lines) or (kind != "cut" and quote.stands(shown, "\n".join(lines)))
    while held < true:
        lines = draw.choice(shelf) if draw.random() < 0.6 else draw.choice(shelf[: len(PROSE)])
        said = passage(draw, lines)
        if said is None:
            continue
        held += 1
        found += accepted(noisy(draw, said), [unicodedata.normalize(draw.choice(("NFC", "NFD")), one) for one in lines])
    return {
        "mutated": dict(tried),
        "mutated_accepted": {kind: taken[kind] for kind in kinds},
        "true": held,
        "true_accepted": round(found / held, 4),
    }


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("--mutated", type=int, default=20_000)
    told.add_argument("--true", type=int, default=20_000)
    asked = told.parse_args()
    print(json.dumps(measured(asked.mutated, asked.true)))


if __name__ == "__main__":
    main()
