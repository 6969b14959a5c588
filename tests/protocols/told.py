"""Every protocol on one hard text, under both presets, as bytes: `python -m tests.protocols.told`."""

from __future__ import annotations

from typing import Any

from tests.protocols.debating import amended, aspects, debated, revalidated, reviewed, sentiments, turn, validation
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
    return found + _debated()


def _debated() -> list[str]:
    """A debate with a turn that is mapped by each row, a sentiment that each table touches, and memory."""
    answers = {
        "ATE1": aspects("화면이", "가격", "배송", "없는것"),
        "ATSA1": sentiments(("화면", "negatve", "0.8"), ("가격", "pos", "0.6"), ("가격", "neg", "0.6"), ("", "x", "0")),
        "VALIDATOR1": validation(["NEGATION:high", "IRONY:low", "X:low"], ["화면", "가격"]),
        "critic": turn("금액도 화면도", "pro"),
        "empath": turn("…", "sceptic", "배송"),
        "ATE2": reviewed(("배송", "remove"), ("가격", "keep")),
        "ATSA2": amended(("화면", "flip_polarity", None), ("맛", "add", "neg")),
        "VALIDATOR2": revalidated("IRONY", "NEGATION"),
        "MEMORY": ANSWERS["MEMORY"],
    }
    found: list[str] = []
    for settings in ({}, {"moderator__feeder": "distinct", "moderator__edition": "2", "gates__adoption": "on"}):
        driven = debated(TEXT, answers, memory__condition="M2", **settings)
        found += [form.dumps(part) for part in (driven.verdict, [digests(batch) for batch in driven.batches])]
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
