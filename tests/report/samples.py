"""Results as the sentiment protocol writes them, small and large, friendly and hostile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from withstood.report.facts import RunFacts
from withstood.verdict import MinorityOpinion, Ruling, Step

TEXT = "The battery is great, but the fan never stops."
ROWS = {
    ("arbiter-v2", "1"): "two or three equal votes → that action",
    ("conflicts-1", "1"): "one ref, two polarities → ref_polarity_mismatch",
    ("sentence-label-1", "3"): "two or more polarities → mixed",
}
FACTS = RunFacts("amber-heron", "cr-v2", "published", "0a1b", {"A": "programmed:a@1"}, "r.csv", notes=("a note",))

HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=http://127.0.0.1:9/x onerror=document.title='owned'>",
    '"><svg onload=document.title="owned">',
    "'; alert(1); '",
    "javascript:document.title='owned'",
    "</style><script>document.title='owned'</script>",
    "{{ 7*7 }}{% raw %}",
    "\x1b[31mred\x1b[0m\x1b]0;owned\x07",
    "\u202eright to left\u202c \u2066x\u2069 \u200bzero",
    "[click](http://127.0.0.1:9/) ![x](http://127.0.0.1:9/) www.example.com",
    "| a | b |\n| --- | --- |\n# heading\n- list\n```\ncode",
    '=HYPERLINK("http://127.0.0.1:9/")',
    "half \ud83d",
    "&lt;b&gt; &amp;",
)


def opinion(tuple_id: str = "t0", **parts: Any) -> dict[str, Any]:
    return {
        "tuple_id": tuple_id,
        "aspect_term": "battery",
        "aspect_ref": "BATTERY#GENERAL",
        "polarity": "positive",
        "begin": 4,
        "end": 11,
        "opinion_term": "great",
        "confidence": "0.85",
        "origin": "P-LIT",
        "flag": None,
    } | parts


def result(case: str = "r1", stage1: Sequence[dict[str, Any]] = (), **parts: Any) -> dict[str, Any]:
    return {
        "id": case,
        "text_hash": "0" * 64,
        "stage1": list(stage1),
        "flags": [],
        "actions": [],
        "final": list(stage1),
        "label": "positive",
        "confidence": "0.7",
        "rationale": "The label follows from the final tuples.",
        "applied_rules": [],
        "memory": {"mode": "off"},
        "asks": 3,
        "skipped": [],
    } | parts


def refused(case: str | None = None) -> dict[str, Any]:
    return {"id": case, "line": 4, "error": {"code": "too_few_columns", "message": "wanted 2 columns, found 1."}}


def disputed(word: str = "battery", case: str = "r1") -> tuple[dict[str, Any], tuple[Step, ...]]:
    """One tuple kept, one flipped, one dropped, one marked; `word` stands wherever text may stand."""
    found = [
        opinion("t0", aspect_term=word, evidence=word, evidence_found=True),
        opinion("t1", polarity="negative", opinion_term=word, origin="P-NEG"),
        opinion("t2", aspect_term="", begin=0, end=0, aspect_ref=word),
        opinion("t3", aspect_term="ghost", begin=None, end=None, polarity=word),
    ]
    final = [found[0], found[1] | {"polarity": "positive"}, found[3] | {"flag": word}]
    line = result(
        case,
        found,
        final=final,
        flags=[
            {
                "conflict_type": "ref_polarity_mismatch",
                "aspect_ref": word,
                "aspect_term": word,
                "tuple_ids": ["t0", "t1"],
            }
        ],
        actions=[{"tuple_id": "t1", "action": "FLIP", "reason_code": word, "row": "1"}],
        skipped=[{"role": "C", "why": word}, {"role": "A", "why": "nothing was flagged"}],
        label="mixed",
    )
    path = (
        Step("conflicts-1", "t0,t1", Ruling("ref_polarity_mismatch", "1"), (word,)),
        Step(
            "arbiter-v2",
            "t1",
            Ruling("FLIP", "1", word),
            (f"A: FLIP {word}", "B: FLIP"),
            (MinorityOpinion("C", "KEEP", word),),
        ),
        Step("sentence-label-1", "", Ruling("mixed", "3")),
    )
    return line, path


ANY_TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30))


@st.composite
def results(draw: st.DrawFn) -> dict[str, Any]:
    """Any line that the specification allows."""
    found = [
        opinion(
            f"t{no}",
            aspect_term=draw(ANY_TEXT),
            aspect_ref=draw(ANY_TEXT),
            polarity=draw(st.one_of(st.sampled_from(["positive", "negative", "neutral", "mixed"]), ANY_TEXT)),
            begin=draw(st.none() | st.integers(0, 60)),
            end=draw(st.none() | st.integers(0, 60)),
            opinion_term=draw(st.none() | ANY_TEXT),
            flag=draw(st.none() | ANY_TEXT),
        )
        for no in range(draw(st.integers(0, 4)))
    ]
    final = [one for one in found if draw(st.booleans())]
    return result(draw(ANY_TEXT), found, final=final, label=draw(st.sampled_from(["positive", "mixed", None])))
