"""A session of the first form comes in as a graph, and what is passed over is told."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from withstood.claims.graph import check
from withstood.errors import InputError
from withstood.sources import session_v1

FILES = {
    "summary.md": "# Research summary\n\n**Question**: Is RAG better than fine-tuning?\n\nThree claims so far.\n",
    "holes.json": '{"pending": [{"question": "cost of updates"}, "latency"], "done": ["old one"]}',
    "evidence/ev_1.md": "# Evidence 1\n\n## Source\n- URL: https://arxiv.org/abs/2401.1\n\n"
    "## Content\nRAG won 41 of 64.\n",
    "evidence/ev_2.md": "# Evidence 2\nURL: https://blog.example.com/x\n\nThe update cost fell.\n\n"
    "- SUPPORTS claim_2 (WEAK)\n",
    "evidence/notes.txt": "not one of ours",
    "claims/claim_1.md": "# Claim 1\n\n## Statement\nRAG is better.\n\n## Relations\n- SUPPORTS: ev_1 (STRONG)\n"
    "- REBUTS: ev_2\n- REBUTS: claim_2\n- SUPPORTS: ev_9\n",
    "claims/claim_2.md": "# Claim 2\n\nFine-tuning is better.\n\n- QUALIFIES claim_1: only where facts change\n",
}


def session(folder: Path, files: dict[str, str] = FILES) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_evidence_claims_and_holes_become_a_graph(tmp_path: Path) -> None:
    graph, told = session_v1.read(session(tmp_path))
    check(graph)
    assert graph.question == "Is RAG better than fine-tuning?"
    assert {name: (one.summary, one.authority) for name, one in graph.observations.items()} == {
        "obs_1": ("RAG won 41 of 64.", Decimal("0.9")),
        "obs_2": ("The update cost fell.", Decimal("0.2")),
    }
    assert graph.hypotheses["hyp_A1"].summary.startswith("RAG is better. (QUALIFIES claim_1: only where facts change")
    assert graph.hypotheses["hyp_A2"].summary == "Fine-tuning is better."
    assert [(edge.type, edge.start, edge.end, str(edge.weight)) for edge in graph.edges] == [
        ("SUPPORTS", "obs_2", "hyp_A2", "0.3"),
        ("SUPPORTS", "obs_1", "hyp_A1", "0.8"),
        ("CONTRADICTS", "obs_2", "hyp_A1", "0.5"),
        ("CONFLICTS", "hyp_A1", "hyp_A2", "1"),
    ]
    assert [lead.keyword for lead in graph.unexplored] == ["cost of updates", "latency"]
    assert any("notes.txt" in line for line in told)
    assert any("obs_9" in line for line in told)


def test_what_is_broken_is_told_and_the_rest_comes_in(tmp_path: Path) -> None:
    graph, told = session_v1.read(session(tmp_path, FILES | {"holes.json": "{broken", "summary.md": ""}))
    assert (graph.question, graph.unexplored) == ("", ())
    assert any("holes.json" in line for line in told)
    (tmp_path / "evidence" / "ev_3.md").write_bytes(b"\xff\xfe bad")
    assert any("ev_3" in line for line in session_v1.read(tmp_path)[1])


def test_nothing_is_no_session(tmp_path: Path) -> None:
    assert not session_v1.is_session(tmp_path)
    (tmp_path / "claims").mkdir()
    with pytest.raises(InputError, match="neither"):
        session_v1.read(tmp_path)
