"""`withstood sentiment --protocol debate` from outside: scripted and programmed, resumed, judged again, explained,
measured, taken apart; and from Python."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import results, reviews, withstood

TEXT = "The screen is bright but the battery is weak"
GOLD = (
    '<sentences><sentence id="a"><text>The screen is bright but the battery is weak</text><aspectTerms>'
    '<aspectTerm term="screen" polarity="positive" from="4" to="10"/>'
    '<aspectTerm term="battery" polarity="negative" from="29" to="36"/></aspectTerms></sentence></sentences>'
)


def script(folder: Path, **more: Any) -> str:
    """Stage 1 takes the battery for good; both advocates and ATSA2 see to it."""
    said = [("screen", "positive", 0.8), ("battery", "positive", 0.6)]
    sentiments = [{"aspect_term": {"term": t, "span": None}, "polarity": p, "confidence": c} for t, p, c in said]
    answers: dict[tuple[str, int], Any] = {
        ("ATE1", 1): {"aspects": [{"term": "screen", "span": "4-10"}, {"term": "battery", "span": [29, 36]}]},
        ("ATSA1", 1): {"aspect_sentiments": sentiments},
        ("VALIDATOR1", 1): {"structural_risks": [{"type": "CONTRAST", "severity": "low"}], "consistency_score": 0.5},
        ("rapporteur", 1): {"consensus": "they differ", "rationale": "", "label": "mixed"},
        ("ATE2", 1): {"aspect_review": [{"term": "screen", "action": "keep"}]},
        ("ATSA2", 1): {"sentiment_review": [{"aspect_term": "screen", "action": "maintain"}]},
        ("VALIDATOR2", 1): {"final_validation": {"remaining_risks": ["CONTRAST"], "final_consistency_score": 0.5}},
    }
    for no in (1, 2):
        answers["analyst", no] = {"message": "let us see", "key_points": []}
        answers["critic", no] = {"message": "the battery is weak", "key_points": ["battery"]}
        answers["empath", no] = {"message": "a bright display", "key_points": []}
    answers |= {(role, 1): answer for role, answer in more.items()}
    lines = [{"case": "*", "role": role, "round": no, "answer": answer} for (role, no), answer in answers.items()]
    (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "scripted:answers.jsonl"


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    (tmp_path / "gold.xml").write_text(GOLD)
    arguments = ("in.csv", "--protocol", "debate", "-o", "out", "--run", "mine", "--model", script(tmp_path))
    done = withstood(tmp_path, "sentiment", *arguments)
    assert done.code == 0, done.said
    assert "unused" not in done.said
    return tmp_path


def test_a_scripted_debate_is_decided_by_the_published_tables(decided: Path) -> None:
    (line,) = results(decided)
    assert [(one["tuple_id"], one["aspect_term"], one["polarity"], one["confidence"]) for one in line["final"]] == [
        ("t0", "screen", "positive", 0.8),
        ("t1", "battery", "negative", 0.7),
    ]
    assert [(one["begin"], one["end"]) for one in line["final"]] == [(4, 10), (29, 36)]
    assert line["actions"][1] == {"tuple_id": "t1", "action": "FLIP", "reason_code": "DEBATE_OVERRIDE", "row": "5"}
    assert (line["label"], line["confidence"], line["applied_rules"], line["asks"]) == ("positive", 0.8, ["RuleB"], 13)
    assert line["rationale"] == "RuleB: Stage2 preferred."
    assert line["debate"]["mapping"] == {"direct": 4, "fallback": 0, "none": 2}
    assert line["debate"]["fail_reasons"]["neutral_stance"] == 2
    assert line["debate"]["override"]["applied"] == 1
    assert line["debate"]["override"]["skipped_already_confident"] == 1


def test_explain_shows_every_intermediate(decided: Path) -> None:
    done = withstood(decided, "explain", "mine", "a")
    told = done.out.decode()
    for part in (
        "polarity-names-1",
        "Analyst(neutral): no aspect; neutral, weight 0.6",
        "message: the battery is weak",
        "debate_override_flip positive->negative",
        "consensus: they differ",
        "stage 1: sentence positive 0.8, aspect positive 0.8",
        "RuleB: Stage2 preferred.",
        "positive → negative  [changed]",
    ):
        assert part in told, part
    data = json.loads(withstood(decided, "explain", "mine", "a", "--json").out)
    assert len(data["answers"]) == 13


def test_a_debate_is_judged_again_without_asking(decided: Path) -> None:
    (decided / "answers.jsonl").unlink()
    again = withstood(decided, "replay", "mine")
    assert again.code == 0, again.said
    assert again.out == (decided / "out" / "results.jsonl").read_bytes()
    (other,) = withstood(decided, "replay", "mine", "--set", "debate.override=off").lines()
    assert [one["polarity"] for one in other["final"]] == ["positive", "positive"]
    needs = withstood(decided, "replay", "mine", "--set", "debate.held=off")
    assert needs.out == b""


def test_a_debate_that_was_stopped_goes_on(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\nb,{TEXT}\n")
    model = script(tmp_path)
    whole = ("in.csv", "--protocol", "debate", "-o", "whole", "--run", "whole", "--model", model)
    assert withstood(tmp_path, "sentiment", *whole).code == 0
    part = ("in.csv", "--protocol", "debate", "-o", "out", "--model", model)
    stopped = withstood(tmp_path, "sentiment", *part, "--run", "part", "--most-calls", "17")
    assert stopped.code != 0
    assert len(results(tmp_path)) < 2
    resumed = withstood(tmp_path, "sentiment", *part, "--resume", "--run", "part")
    assert resumed.code == 0, resumed.said
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == (tmp_path / "whole" / "results.jsonl").read_bytes()
    told = [json.loads((tmp_path / name / "run.json").read_text()) for name in ("whole", "out")]
    assert [one["calls"] for one in told] == [26, 26]


def test_a_debate_is_measured_with_its_warnings(decided: Path) -> None:
    done = withstood(decided, "evaluate", "mine", "--gold", "gold.xml", "--json")
    assert done.code == 0, done.said
    told = json.loads(done.out)
    value = {one["measure"]: one["value"] for one in told["figures"] if one["of"] == "final" and one["on"] == "all"}
    assert value["coverage"] == pytest.approx(4 / 6, abs=1e-6)
    assert value["fail: neutral_stance"] == pytest.approx(2 / 6, abs=1e-6)
    assert value["override applied"] == 1
    assert (value["fix"], value["term-pol micro"]) == (1, 1)


def test_low_coverage_is_told(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    nothing = {"message": "hm", "stance": "neutral"}
    more = {"analyst": nothing, "critic": nothing, "empath": nothing}
    model = script(tmp_path, **more)
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    kept = [line for line in lines if line["round"] == 1]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in kept))
    withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out", "--run", "mine", "--model", model)
    told = withstood(tmp_path, "evaluate", "mine").out.decode()
    assert "high: Name the aspect terms in the speakers' prompts" in told
    assert "high: Sharpen the stances of the speakers" in told


def variant(told: Any, name: str) -> Any:
    (found,) = [one for one in told["variants"] if one["name"] == name]
    return found


def test_a_debate_is_taken_apart_from_its_answers(decided: Path) -> None:
    (decided / "answers.jsonl").unlink()
    told = json.loads(withstood(decided, "ablate", "mine", "--gold", "gold.xml", "--json").out)
    changed = {
        one["name"]: next(each["value"] for each in one["figures"] if each["measure"] == "changed")
        for one in told["variants"]
    }
    assert changed["no override"] == changed["no stage 2"] == changed["no moderator"] == 1
    assert changed["override profile t1"] == 1
    assert changed["moderator 2"] == 0
    assert {variant(told, name)["needs"] for name in ("no override", "no stage 2", "no moderator")} == {0}
    assert variant(told, "no debate")["needs"] == 3
    assert variant(told, "no validator")["needs"] == 1
    assert variant(told, "memory M1")["needs"] == 1
    assert variant(told, "self-consistency (13 passes of S0)")["needs"] == 13
    assert "advice of 300 characters" not in changed


def test_what_a_variant_needs_is_asked_once_and_what_is_known_never(decided: Path) -> None:
    """`no debate` needs three reviews that are told of no debate; the answers of stage 1 are reused."""
    live = ("ablate", "mine", "--only", "no debate", "--live", "--model", "scripted:answers.jsonl", "--json")
    done = withstood(decided, *live)
    assert done.code == 0, done.said
    assert (
        variant(json.loads(done.out), "no debate")["needs"],
        variant(json.loads(done.out), "no debate")["texts"],
    ) == (0, 1)
    again = withstood(decided, *live)
    assert json.loads(again.out)["variants"] == json.loads(done.out)["variants"]


def test_a_variant_that_keeps_episodes_leaves_the_store_alone(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out", "--run", "mine", "--memory", "M2")
    store = tmp_path / ".withstood" / "memory.jsonl"
    before = store.read_bytes()
    assert before.count(b"\n") == 1
    done = withstood(tmp_path, "ablate", "mine", "--only", "memory", "--live", "--json")
    assert done.code == 0, done.said
    assert store.read_bytes() == before


# --- without a model ---------------------------------------------------------------------------


def test_a_debate_needs_no_key(tmp_path: Path) -> None:
    rows = f'id,text\na,{TEXT}\nk,"화면이 좋지 않지만 가격은 좋아요"\nf,"Bonjour, c\'est très bon"\n'
    reviews(tmp_path, rows)
    done = withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out")
    assert done.code == 0, done.said
    assert [
        (one["id"], [(each["aspect_term"], each["polarity"]) for each in one["final"]]) for one in results(tmp_path)
    ] == [
        ("a", [("screen", "positive"), ("battery", "negative")]),
        ("k", [("화면", "negative"), ("가격", "positive")]),
        ("f", []),
    ]
    assert results(tmp_path)[2]["label"] is None
    assert (tmp_path / "out" / "report.html").read_text().count("Rule") >= 1


def test_a_forecast_counts_every_seat(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    arguments = ("in.csv", "--protocol", "debate", "--dry-run", "--json", "-o", "out", "--model", script(tmp_path))
    told = json.loads(withstood(tmp_path, "sentiment", *arguments).out)
    assert (told["least_asks"], told["most_asks"], told["most"]["calls"]) == (3, 13, 26)


def test_personas_order_and_rounds_are_configured(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    (tmp_path / "withstood.toml").write_text(
        '[set]\n"debate.order" = "auditor critic"\n"debate.rounds" = 1\n'
        '[personas.auditor]\nname = "Auditor"\nrole = "reads"\ngoal = "all of it"\nstance = "pro"\nstyle = "slow"\n'
    )
    done = withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out", "--run", "mine")
    assert done.code == 0, done.said
    assert results(tmp_path)[0]["debate"]["turns"] == 2
    assert "Auditor(pro)" in withstood(tmp_path, "explain", "mine", "a").out.decode()
    (tmp_path / "withstood.toml").write_text("[personas.auditor]\nname = 3\n")
    wrong = withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out")
    assert wrong.code == 78
    assert "personas.auditor.role: wanted this field" in wrong.said
    persona = "".join(f'{part} = "x"\n' for part in ("name", "role", "goal", "stance", "style"))
    (tmp_path / "withstood.toml").write_text(f"[personas.ATE1]\n{persona}")
    taken = withstood(tmp_path, "sentiment", "in.csv", "--protocol", "debate", "-o", "out")
    assert (taken.code, "found 'ATE1'" in taken.said) == (78, True)


def test_personas_and_synonyms_may_come_from_files(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    folder = tmp_path / "words" / "en"
    folder.mkdir(parents=True)
    (folder / "debate.toml").write_text('[synonyms]\nbattery = ["juice"]\n')
    (folder / "personas.toml").write_text(
        '[personas.critic]\nname = "Grump"\nrole = "r"\ngoal = "g"\nstance = "con"\nstyle = "s"\n'
    )
    model = script(tmp_path)
    lines = (
        (tmp_path / "answers.jsonl").read_text().replace("the battery is weak", "no juice").replace('["battery"]', "[]")
    )
    (tmp_path / "answers.jsonl").write_text(lines)
    arguments = (
        "in.csv",
        "--protocol",
        "debate",
        "-o",
        "out",
        "--run",
        "mine",
        "--model",
        model,
        "--lexicons",
        "words",
    )
    assert withstood(tmp_path, "sentiment", *arguments).code == 0
    assert results(tmp_path)[0]["debate"]["override"]["applied"] == 1
    assert "Grump(con): battery" in withstood(tmp_path, "explain", "mine", "a").out.decode()
    shutil.rmtree(tmp_path / "words")
    assert withstood(tmp_path, "replay", "mine").code == 0


def test_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from withstood.jobs.sentiment import Order, decide

    monkeypatch.chdir(tmp_path)
    ending = decide(Order(source=(TEXT,), protocol="debate"), store=str(tmp_path / "journal.db"))
    assert [one["polarity"] for one in ending.results[0]["final"]] == ["positive", "negative"]


def test_several_passes_of_one_reader_vote(tmp_path: Path) -> None:
    reviews(tmp_path, f"id,text\na,{TEXT}\n")
    said = [("positive",), ("negative", "positive"), ("positive",)]
    lines = [
        {
            "case": "*",
            "role": "S0",
            "round": no,
            "answer": {"triplets": [{"aspect_term": "screen", "polarity": one} for one in polarities]},
        }
        for no, polarities in enumerate(said, start=1)
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ("in.csv", "--protocol", "single", "--set", "single.passes=3", "-o", "out")
    done = withstood(tmp_path, "sentiment", *arguments, "--model", "scripted:answers.jsonl", "--run", "mine")
    assert done.code == 0, done.said
    (line,) = results(tmp_path)
    assert [(one["tuple_id"], one["polarity"]) for one in line["final"]] == [("t0", "positive")]
    assert (len(line["stage1"]), line["asks"]) == (4, 3)
    assert "3 of 3" in withstood(tmp_path, "explain", "mine", "a").out.decode()
