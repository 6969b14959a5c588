"""Every protocol on one hard text, under both presets, as bytes: `python -m tests.protocols.told`."""

from __future__ import annotations

from typing import Any

from tests.protocols.drive import PROTOCOLS, book, drive, reading
from tests.rules.episodes import episode
from withstood import form
from withstood.claims.ballot import Action, Review, ReviewAction
from withstood.claims.episode import Recalled
from withstood.protocols.asks import digests

TEXT = "화면이 좋지 않지만 가격은 좋아요. 배송은 안 좋아요"
FOUND = reading(
    ("본품#품질", "화면", "negative"),
    ("제품 전체#품질", "good 화면이", "negative"),
    ("본품#품질", "화면이", "positive"),
    ("본품#맛", "최고", "positive"),
    ("본품#맛", "최고임", "neutral"),
    ("", "배송", "negative"),
    ("", "배송", "mixed"),
)


def _review(*codes: str) -> Review:
    kinds = (Action.FLIP, Action.DROP, Action.KEEP, Action.FLAG)
    acts = [
        ReviewAction(kinds[no % 4], (f"t{no}", f"t{no * 2}"), {"polarity": "positive", "note": code}, code)
        for no, code in enumerate(codes)
    ]
    return Review(tuple(acts))


ANSWERS: dict[str, Any] = {
    "P-NEG": FOUND,
    "P-IMP": reading(("본품#가격", "가격", "positive"), ("본품#품질", "", "neutral")),
    "P-LIT": FOUND,
    "S0": FOUND,
    "A": _review("NEGATION_SCOPE", "WEAK_EVIDENCE", "", "CONTRAST_CLAUSE", "X"),
    "B": _review("", "REDUNDANT_UPPER_REF", "NEGATION_SCOPE", "", "WEAK_EVIDENCE", "Y"),
    "C": _review("CONTRAST_CLAUSE", "", "X", "WEAK_EVIDENCE"),
    "MEMORY": Recalled("memory.jsonl", "0" * 64, 2, (episode(1), episode(2, final={"a": "positive"}))),
}


def lines() -> list[str]:
    found: list[str] = []
    for protocol in PROTOCOLS:
        for preset in ("published", "strict"):
            rules = book(protocol, preset, conflicts__semantic="on", memory__condition="M2")
            driven = drive(protocol, TEXT, ANSWERS, rules)
            asked = [digests(batch) for batch in driven.batches]
            found += [form.dumps(part) for part in (driven.verdict, asked, rules)]
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
