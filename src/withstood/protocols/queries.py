"""Search queries: by template where nobody phrases one, and what the state of the graph adds to any of them."""

from __future__ import annotations

from withstood.protocols.research_briefs import SelectBrief

LENSES = {
    "ko": {
        "definition": "정의",
        "scope": "범위",
        "comparison": "비교",
        "cases": "사례",
        "limitations": "한계",
        "application": "활용",
    },
}
MOST_SIGNS = 200


def template(brief: SelectBrief) -> str:
    """What to look for, in the words of the graph itself."""
    if brief.target_type == "6lens":
        return short(f"{brief.question} {LENSES.get(brief.language, {}).get(brief.lens or '', brief.lens or '')}")
    if brief.target_type == "unexplored":
        return short(brief.target_id or "")
    if brief.conflict_with is not None:
        return comparison(brief)
    return short(" ".join(brief.keywords[:2]) or brief.about)


def comparison(brief: SelectBrief) -> str:
    word = "비교" if brief.language == "ko" else "comparison"
    return f"{short(brief.about, MOST_SIGNS // 2)} vs {short(brief.against, MOST_SIGNS // 2)} {word}"


def final(query: str, brief: SelectBrief) -> str:
    """The query as it goes out: a stalemate is compared, and poor sources are asked for papers."""
    stalemate = "STALEMATE" in brief.health_issues and brief.conflict_with is not None
    words = comparison(brief) if stalemate else short(query) or template(brief)
    return f"{words} research paper" if "LOW_QUALITY" in brief.health_issues else words


def short(text: str, most: int = MOST_SIGNS) -> str:
    """On one line, cut between words."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[:most].rpartition(" ")[0] or plain[:most]
