"""A research from its question to its thesis: by programs, by answers from elsewhere, stopped and gone on with."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.jobs.studies import DOCUMENTS, KOREAN, QUESTION, limited, resumed, script, shelf, studied
from withstood.claims import quote
from withstood.claims.graph import Graph
from withstood.errors import InputError, LimitReached, OutputError, UsageError
from withstood.jobs import finders, sessions
from withstood.jobs.settings import Config
from withstood.report import cognigraph
from withstood.sources.finder import Found
from withstood.sources.session_folder import SessionFolder
from withstood.sources.web.settings import Web


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shelf(tmp_path / "shelf")
    return tmp_path


def graph(place: Path) -> Graph:
    return sessions.graph(place / "out")


# --- by programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [QUESTION, KOREAN])
def test_programs_bring_true_quotes_and_edges_both_ways(place: Path, question: str) -> None:
    ending = studied(place, question, iterations=9)
    assert (ending.status, ending.graph.iteration) == ("finished", 9)
    found = ending.graph
    assert len(found.observations) >= 2
    assert all(quote.stands(one.quote, DOCUMENTS[one.source_url or ""]) for one in found.observations.values())
    assert all(one.checked and one.sha256 for one in found.observations.values())
    assert {edge.type for edge in found.edges} >= {"SUPPORTS", "CONTRADICTS" if question == QUESTION else "CONFLICTS"}
    ideas = [one for one in found.hypotheses.values() if one.type == "B"]
    assert ideas
    assert all("mechanical" in (one.reasoning_tool or "") or "기계적" in (one.reasoning_tool or "") for one in ideas)
    thesis = (place / "out" / "thesis.md").read_text()
    assert ("No model took part" in thesis) == (question == QUESTION)
    assert ("모델이 참여하지 않았습니다" in thesis) == (question == KOREAN)


def test_the_same_question_has_the_same_graph(place: Path, tmp_path: Path) -> None:
    studied(place, iterations=5)
    first = (place / "out" / cognigraph.FILE).read_bytes()
    (place / "out").rename(place / "before")
    studied(place, iterations=5)
    assert (place / "out" / cognigraph.FILE).read_bytes() == first


def test_a_conflict_ends_where_both_sides_have_evidence(place: Path) -> None:
    found = studied(place, iterations=12).graph
    conflicts = [edge for edge in found.edges if edge.type == "CONFLICTS"]
    assert conflicts
    for edge in conflicts:
        supported = {one.end for one in found.edges if one.type == "SUPPORTS"}
        assert not edge.resolved or {edge.start, edge.end} <= supported


def test_more_of_the_same_goes_on_where_it_stood(place: Path) -> None:
    studied(place, iterations=4)
    middle = graph(place)
    ending = resumed(place, iterations=3)
    assert ending.graph.iteration == 7
    assert {*middle.observations} <= {*ending.graph.observations}
    whole = place / "whole"
    shelf(whole / "shelf")
    assert studied(whole, iterations=7).graph == ending.graph
    note = sessions.note(place / "out", ending.graph)
    assert len(note.runs) == 1
    assert note.run not in note.runs


def test_the_thesis_stands_in_three_forms(place: Path) -> None:
    ending = studied(place, iterations=3)
    told = json.loads((place / "out" / "thesis.json").read_text())
    assert told["conclusive"] is ending.conclusive
    assert all(one["hypotheses"] for one in told["conclusion"])
    assert told["conclusion"] or told["missing"]
    page = (place / "out" / "thesis.html").read_text()
    assert "<script" not in page
    assert "<svg" in page


# --- answers from elsewhere --------------------------------------------------------------------


def test_scripted_answers_are_checked_against_the_shelf(place: Path) -> None:
    model = f"scripted:{script(place / 'answers.jsonl')}"
    ending = studied(place, iterations=5, models={"default": model})
    assert [*ending.graph.observations] == ["obs_1", "obs_2", "obs_3", "obs_4"]
    assert [name for name in ending.graph.hypotheses if "B" in name] == ["hyp_B1"]
    assert ending.graph.hypotheses["hyp_A1"].strength == Decimal("0.5") + 4 * Decimal("0.2") * Decimal("0.08")
    assert "No model took part" not in (place / "out" / "thesis.md").read_text()


def test_without_sources_answers_are_kept_and_marked(place: Path) -> None:
    model = f"scripted:{script(place / 'answers.jsonl')}"
    ending = studied(place, iterations=5, models={"default": model}, sources=())
    assert len(ending.graph.observations) == 5
    assert not any(one.checked for one in ending.graph.observations.values())


def test_what_is_not_scripted_is_absent_and_told(place: Path) -> None:
    path = place / "answers.jsonl"
    path.write_text('{"case": "*", "role": "SELECT", "answer": {"search_query": "caching"}}\n')
    ending = studied(place, iterations=2, models={"default": f"scripted:{path}"})
    assert ending.graph.iteration == 2
    assert not ending.graph.observations
    assert "skipped: EXPLORE 1: not scripted" in ending.notes


# --- stopped -----------------------------------------------------------------------------------


def test_a_limit_leaves_a_partial_thesis_and_goes_on(place: Path) -> None:
    model = f"scripted:{script(place / 'answers.jsonl')}"
    ending = studied(place, iterations=5, models={"default": model}, limits=limited(calls=5))
    assert ending.status == "stopped"
    assert isinstance(ending.error, LimitReached)
    assert 0 < ending.graph.iteration < 5
    assert "partial thesis" in (place / "out" / "thesis.md").read_text()
    assert json.loads((place / "out" / "thesis.json").read_text())["partial"]
    whole = resumed(place)
    assert whole.status == "finished"
    assert whole.graph.iteration == 5
    assert "partial thesis" not in (place / "out" / "thesis.md").read_text()
    other = place / "other"
    shelf(other / "shelf")
    assert studied(other, iterations=5, models={"default": model}).graph == whole.graph


def test_no_time_is_a_thesis_too(place: Path) -> None:
    ending = studied(place, iterations=5, limits=limited(seconds=0))
    assert ending.status == "stopped"
    assert (place / "out" / "thesis.md").is_file()
    assert not ending.conclusive


# --- the folder --------------------------------------------------------------------------------


def test_a_graph_changed_by_hand_is_the_truth(place: Path) -> None:
    model = f"scripted:{script(place / 'answers.jsonl')}"
    studied(place, iterations=5, models={"default": model}, limits=limited(calls=5))
    path = place / "out" / cognigraph.FILE
    path.write_text(path.read_text().replace(QUESTION, "Is caching worth it?"))
    ending = resumed(place)
    assert ending.graph.question == "Is caching worth it?"
    assert any("changed since" in note for note in ending.notes)


def test_a_broken_graph_is_refused_with_the_place(place: Path) -> None:
    studied(place, iterations=3)
    path = place / "out" / cognigraph.FILE
    text = path.read_text()
    broken = text.replace('"to": "hyp_A1"', '"to": "hyp_A77"', 1)
    assert broken != text
    path.write_text(broken)
    with pytest.raises(InputError, match=r"edges\[\d+\]\.to: .*hyp_A77"):
        resumed(place)
    assert path.read_text() == broken


def test_unknown_fields_survive(place: Path) -> None:
    studied(place, iterations=2)
    path = place / "out" / cognigraph.FILE
    told = json.loads(path.read_text())
    told["their_own"] = {"deep": [1, 2]}
    told["observations"]["obs_1"]["stars"] = 5
    told["edges"][0]["by"] = "hand"
    path.write_text(json.dumps(told))
    resumed(place, iterations=2)
    after = json.loads(path.read_text())
    assert after["their_own"] == {"deep": [1, 2]}
    assert after["observations"]["obs_1"]["stars"] == 5
    assert after["edges"][0]["by"] == "hand"


def test_one_process_at_a_time(place: Path) -> None:
    studied(place, iterations=1)
    held = SessionFolder(place / "out")
    with pytest.raises(OutputError, match="Another process"):
        resumed(place)
    held.close()


def test_a_folder_that_holds_a_research_is_not_begun_anew(place: Path) -> None:
    studied(place, iterations=1)
    with pytest.raises(UsageError, match="resume"):
        studied(place, iterations=1)


# --- private and open --------------------------------------------------------------------------


def test_private_and_web_never_meet_in_one_run(place: Path) -> None:
    with pytest.raises(UsageError, match="no web access"):
        studied(place, sources=("web", str(place / "shelf")))
    with pytest.raises(UsageError, match="one folder"):
        studied(place, sources=("a", "b"))


def test_what_has_read_private_files_never_goes_to_the_web(place: Path) -> None:
    studied(place, iterations=1)
    with pytest.raises(UsageError, match="private files"):
        resumed_on(place, "web")
    (place / "out" / sessions.FILE).unlink()
    with pytest.raises(UsageError, match="private files"):
        resumed_on(place, "web")


def resumed_on(place: Path, sources: str) -> None:
    studied(place, "", sources=(sources,), resume=True)


def test_a_run_on_a_folder_opens_no_connection(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted at the socket, whatever the question and the documents say."""
    import socket

    (place / "shelf" / "lure.md").write_text("Caching read requests is explained at http://lure.example/ in 300 words.")
    opened: list[object] = []

    def connect(*given: object) -> None:
        opened.append(given)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", connect)
    assert studied(place, "Does caching make read requests faster? http://lure.example/", iterations=4).graph.iteration
    assert opened == []


def test_the_open_web_is_judged_strictly(place: Path) -> None:
    class Nothing:
        name = "nothing"

        async def find(self, query: str, language: str, *, deep: bool) -> Found:
            return Found()

    note_of = studied(place, iterations=1, sources=("web",), finders=(Nothing(),))
    assert sessions.note(place / "out", note_of.graph).rules == "strict"
    (place / "out").rename(place / "first")
    studied(place, iterations=1, sources=("web",), finders=(Nothing(),), rules="published")
    assert sessions.note(place / "out", graph(place)).rules == "published"


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("question", ["", "  ", "?!"])
def test_a_question_is_needed(place: Path, question: str) -> None:
    with pytest.raises(UsageError, match="no question"):
        studied(place, question)


def test_somewhere_to_look_is_needed(place: Path) -> None:
    with pytest.raises(UsageError, match="--sources"):
        studied(place, sources=())


def test_a_folder_without_documents_is_said(place: Path) -> None:
    (place / "bare").mkdir()
    (place / "bare" / "a.bin").write_bytes(b"\0\1")
    with pytest.raises(InputError, match="no document"):
        finders.opened(str(place / "bare"), Web())


def test_what_cannot_be_read_is_told_and_passed_over(place: Path) -> None:
    (place / "shelf" / "broken.pdf").write_bytes(b"%PDF-1.4 this is none")
    ending = studied(place, iterations=1)
    assert any("broken.pdf" in note for note in ending.notes)
    assert ending.graph.observations


def test_a_role_that_no_model_may_fill(place: Path) -> None:
    with pytest.raises(UsageError, match="no role 'CHECK'"):
        studied(place, models={"CHECK": "scripted:x"})


def test_no_iterations_is_no_research(place: Path) -> None:
    with pytest.raises(UsageError, match="at least one iteration"):
        studied(place, iterations=-1)


def test_two_researches_side_by_side(tmp_path: Path) -> None:
    """Two sessions in one store, at once."""
    from withstood.jobs import research as job
    from withstood.journal.sqlite import SqliteStore

    documents = str(shelf(tmp_path / "shelf"))

    async def both() -> list[job.Ending]:
        store = SqliteStore(tmp_path / "runs.db")
        orders = [job.Order(tmp_path / name, QUESTION, (documents,), 3) for name in ("one", "two")]
        try:
            return await asyncio.gather(*[job.run(job.plan(order, store, Config()), store) for order in orders])
        finally:
            await store.close()

    one, two = asyncio.run(both())
    assert one.run != two.run
    assert one.graph == two.graph
