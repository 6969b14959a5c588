"""`withstood investigate` from outside: what it leaves, and each way in which somebody fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import withstood
from tests.cli.inquiries import (
    AT_PAY,
    CODE,
    CR,
    HIST,
    IN_LOG,
    LOGS,
    MADE_UP,
    QUESTION,
    RETRY,
    SHORT,
    SOURCES,
    asked,
    finding,
    inside,
    layers,
    log,
    own,
    place,
    record,
    report,
    review,
    script,
)

AGREE = {CODE: layers(SHORT), LOGS: layers(SHORT), HIST: layers()}
PUBLISHED = ["id", "question", "conclusion", "certainty", "findings", "struck", "rounds", "calls", "tokens", "excluded"]
FINDING = ["id", "tag", "text", "cause", "direction", "evidence", "investigators", "caveats", "minority"]
EVIDENCE = ["type", "path", "line", "end_line", "commit", "snippet", "grade", "checked", "drift"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return place(tmp_path)


# --- what it leaves ----------------------------------------------------------------------------


def test_programs_investigate_and_leave_every_file(here: Path) -> None:
    done = withstood(here, "investigate", QUESTION, *SOURCES, "-o", "out", "--run", "mine")
    assert done.code == 0 and done.out == b"", done.said
    files = sorted(str(path.relative_to(here / "out")) for path in (here / "out").rglob("*") if path.is_file())
    artifacts = [name for name in files if name.startswith("mine/artifacts/")]
    names = "counter-review-r3.md cross-verification-r2.md execution-log.yaml final-report.html final-report.json"
    rest = [f"mine/{name}" for name in f"{names} final-report.md investigation-plan.md".split()]
    assert sorted([*artifacts, *rest, "report.json", "report.sarif"]) == files
    assert {Path(name).name.removesuffix("-report.md") for name in artifacts} >= {CODE, LOGS, HIST}
    told = report(here)
    assert list(told) == PUBLISHED and told["id"] == "mine" and told["question"] == QUESTION
    assert told["findings"] and all(list(one) == FINDING for one in told["findings"])
    pieces = [piece for one in told["findings"] for piece in one["evidence"]]
    assert pieces and all(list(piece) == EVIDENCE for piece in pieces)
    assert any(piece["path"] == "app/pay.py" and piece["line"] == 5 for piece in pieces)


def test_the_log_of_the_run_checks_itself(here: Path) -> None:
    asked(here, {**AGREE, HIST: layers(finding("it retries", "retry", RETRY)), CR: review("UPHELD")})
    told = log(here)
    assert told["self_check"] == dict.fromkeys(told["self_check"], "PASS") and len(told["self_check"]) == 8
    assert told["rounds"]["count"] == 3 and not told["rounds"]["early_end"]
    assert [one["iid"] for one in told["investigators"]][:3] == [CODE, LOGS, HIST]
    for iid in (CODE, LOGS, HIST, CR):
        assert iid in own(here, "final-report.md")
        assert (here / "out" / "mine" / "artifacts" / f"{iid}-report.md").is_file()


def test_rounds_that_are_not_held_are_skipped_in_the_check(here: Path) -> None:
    asked(here, AGREE)
    told = log(here)
    assert told["self_check"]["counter_review_exists"] == "SKIPPED"
    assert told["rounds"]["early_end"] and "AGREED" in told["rounds"]["early_end_reason"]


def test_without_a_folder_the_report_is_printed(here: Path) -> None:
    done = withstood(here, "investigate", QUESTION, *SOURCES)
    assert done.code == 0 and b"app/pay.py:5" in done.out
    assert not (here / "out").exists()
    as_json = withstood(here, "investigate", QUESTION, *SOURCES, "--json")
    piped = withstood(here, "investigate", QUESTION, *SOURCES, "-o", "-")
    for one in (as_json, piped):
        assert list(json.loads(one.out)) == PUBLISHED


def test_a_korean_question_gets_a_korean_report(here: Path) -> None:
    done = withstood(here, "investigate", "왜 charge가 시간 초과로 실패하나요?", *SOURCES, "-o", "out", "--run", "mine")
    assert done.code == 0, done.said
    for name in ("final-report.md", "final-report.html", "investigation-plan.md", "cross-verification-r2.md"):
        assert "조사" in own(here, name) or "교차" in own(here, name)
    english = withstood(here, "investigate", "왜 charge가 실패하나요?", *SOURCES, "--language", "en")
    assert "Cause:" in english.out.decode()


def test_what_evidence_points_into_is_kept_and_secrets_are_not(here: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    path = here / "repo" / "app" / "pay.py"
    path.write_text(f"TOKEN = '{secret}'\n" + path.read_text())
    piece = ("code", "app/pay.py:1", "TOKEN = ")
    asked(here, {**AGREE, HIST: layers(finding("a secret", "other", piece))})
    (kept,) = {one["sha256"] for one in record(here)["excerpts"] if one["path"] == "app/pay.py"}
    everything = b"".join(path.read_bytes() for path in (here / "out").rglob("*") if path.is_file())
    store = b"".join(path.read_bytes() for path in (here / ".withstood").iterdir())
    assert secret.encode() not in everything and secret.encode() not in store
    assert kept.encode() in store


def test_evidence_that_is_not_there_is_shown_as_struck(here: Path) -> None:
    done = asked(here, {**AGREE, LOGS: layers(finding("it never ends", "timeout", MADE_UP))})
    (struck,) = report(here)["struck"]
    assert (struck["iid"], struck["location"]) == (LOGS, "app/pay.py:9")
    assert "1 piece of evidence struck" in done.said
    for name in ("final-report.md", "final-report.html", "artifacts/LOG-STACKTRACE-R1-report.md"):
        assert "forever" in own(here, name)
    assert not any(piece["checked"] for one in report(here)["findings"] for piece in one["evidence"]
                   if "forever" in piece["snippet"])  # fmt: skip


# --- who fails ---------------------------------------------------------------------------------


def test_who_is_silent_is_asked_once_more(here: Path) -> None:
    done = asked(here, {**AGREE, HIST: "gone for lunch", f"{HIST} 2": layers()})
    assert done.code == 0 and report(here)["excluded"] == []
    assert f"{HIST} was asked again: gone for lunch" in own(here, "execution-log.yaml")


def test_who_is_silent_twice_is_left_out_with_the_reason(here: Path) -> None:
    done = asked(here, {**AGREE, HIST: "gone", f"{HIST} 2": "gone for good"})
    assert report(here)["excluded"] == [{"iid": HIST, "why": "gone; asked again: gone for good"}]
    assert f"left out: {HIST}: gone; asked again: gone for good" in done.said
    assert done.code == 0 and report(here)["findings"][0]["tag"] == "Confirmed"


def test_one_result_gives_a_report_from_a_single_source(here: Path) -> None:
    done = asked(here, {CODE: layers(SHORT)})
    told = report(here)
    assert (done.code, told["rounds"], len(told["excluded"])) == (0, 1, 2)
    assert [one["tag"] for one in told["findings"]] == ["Uncertain"]
    assert "A report from a single source" in done.said
    assert "A report from a single source" in own(here, "final-report.md")


def test_no_result_is_a_clear_error(here: Path) -> None:
    done = asked(here, {})
    assert done.code == 4, done.said
    assert "No investigator gave a result, so there is no verdict" in done.said
    assert f"left out: {CODE}: not scripted" in done.said
    assert report(here)["findings"] == [] and len(report(here)["excluded"]) == 3


def test_a_reply_in_another_form_is_reduced_to_its_head_and_marked(here: Path) -> None:
    asked(here, {**AGREE, HIST: {"one_liner": "it was changed on Monday", "verdict": "guilty"}})
    heard = {one["iid"]: one for one in record(here)["heard"]}
    assert heard[HIST]["reduced"] and heard[HIST]["one_liner"] == "it was changed on Monday"
    assert heard[HIST]["findings"] == 0 and not heard[CODE]["reduced"]
    assert "not in the tiered form" in own(here, f"artifacts/{HIST}-report.md")
    assert "reduced to layer 1" in own(here, "execution-log.yaml")


def test_round_3_never_passes_its_limit(here: Path) -> None:
    """Both sides insist: two passes, then the judge."""
    race = layers(finding("two at once", "race", AT_PAY))
    sides: dict[str, Any] = {CODE: layers(SHORT), HIST: race}
    for deep, said in (("CODE-CALLCHAIN-R3-DEEP", layers(SHORT)), ("HIST-RECENT-R3-DEEP", race)):
        sides |= {f"{deep} {no}": said for no in range(1, 6)}
    for profile, most in (("default", 2), ("fast", 1)):
        asked(here, sides, "--profile", profile, "--run", profile, cast="CODE-CALLCHAIN,HIST-RECENT")
        assert report(here)["findings"][0]["minority"], profile
        told = log(here, profile)
        assert told["rounds"]["round3_passes"] == most
        assert sum(one["answers"] for one in told["investigators"] if "DEEP" in one["iid"]) == 2 * most


def test_a_challenger_weakens_what_all_agree_on(here: Path) -> None:
    other = layers(finding("it retries", "retry", RETRY))
    done = asked(here, {**AGREE, HIST: other, CR: review("WEAKENED")}, "--fail-on", "confirmed")
    first = next(one for one in report(here)["findings"] if one["cause"] == "timeout")
    assert first["tag"] == "Likely" and "CR-AGREED-R3: Was it not slow before?" in first["caveats"]
    assert "Was it not slow before?" in own(here, "counter-review-r3.md")
    assert done.code == 0


def test_only_layer_1_of_others_stands_in_a_prompt_and_its_peak_is_told(here: Path) -> None:
    long = "x" * 9000
    asked(here, {**AGREE, CODE: layers(SHORT) | {"layer3": long}, HIST: layers(finding("r", "retry", RETRY))})
    assert long in own(here, f"artifacts/{CODE}-report.md")
    told = log(here)["context"]
    assert 0 < told["peak_brief_tokens"] < 3000


# --- how it ends -------------------------------------------------------------------------------


@pytest.mark.parametrize(("wanted", "code"), [("confirmed", 3), ("likely", 3), (None, 0)])
def test_an_exit_code_for_ci(here: Path, wanted: str | None, code: int) -> None:
    done = asked(here, AGREE, *(("--fail-on", wanted) if wanted else ()))
    assert report(here)["findings"][0]["tag"] == "Confirmed"
    assert done.code == code


def test_quick_mode_asks_one_and_says_so(here: Path) -> None:
    done = inside(here, "investigate", QUESTION, *SOURCES, "-o", "out", "--run", "mine", "--quick")
    assert done.code == 0 and report(here)["rounds"] == 1
    assert "Quick mode" in own(here, "final-report.md")
    thorough = inside(here, "investigate", QUESTION, *SOURCES, "--quick", "--profile", "thorough", "--json")
    assert json.loads(thorough.out)["rounds"] > 1


def test_a_dry_run_says_who_would_look_and_asks_nobody(here: Path) -> None:
    model = "http://127.0.0.1:9/v1#nobody"
    done = withstood(here, "investigate", QUESTION, *SOURCES, "--model", model, "--dry-run", "--json")
    told = json.loads(done.out)
    assert set(told["cast"]) >= {CODE, LOGS} and told["forecast"]["most"]["calls"] > 0
    assert not (here / ".withstood").exists()
    plain = withstood(here, "investigate", QUESTION, *SOURCES, "--dry-run").out.decode()
    assert "it costs nothing" in plain and "pay.log" in plain


def test_models_are_named_for_roles_types_and_all(here: Path) -> None:
    code = script(here, {CODE: layers(SHORT)}, "code.jsonl")
    rest = script(here, {HIST: layers(), "PLAN": {"questions": ["Where is the wait set?"]}}, "rest.jsonl")
    models = f"CODE={code},{HIST}={rest},PLAN={rest},LOG=programmed"
    wanted = ("--cast", "CODE-CALLCHAIN,LOG-STACKTRACE,HIST-RECENT", "-o", "out", "--run", "mine")
    done = withstood(here, "investigate", QUESTION, *SOURCES, *wanted, "--model", models)
    assert done.code == 0, done.said
    assert record(here)["plan"]["key_questions"] == ["Where is the wait set?"]
    assert {one["iid"] for one in record(here)["heard"]} >= {CODE, LOGS, HIST}
    unknown = withstood(here, "investigate", QUESTION, *SOURCES, "--model", "P-NEG=programmed")
    assert unknown.code == 78 and "There is no role 'P-NEG' in an investigation" in unknown.said


# --- looked at again ---------------------------------------------------------------------------


def test_runs_show_and_explain_tell_of_an_investigation(here: Path) -> None:
    asked(here, AGREE)
    assert b"mine" in inside(here, "runs").out
    shown = inside(here, "show", "mine")
    assert shown.code == 0 and b"[Confirmed] the wait is short" in shown.out
    for item in ("I1", "#1", "i1"):
        told = inside(here, "explain", "mine", item)
        assert told.code == 0, told.said
        text = told.out.decode()
        assert re.search(r"judgement-1 +Row 5: Confirmed", text)
        assert "> 5     return retry.send(order, timeout=5)" in text
    as_json = json.loads(inside(here, "explain", "mine", "I1", "--json").out)
    assert as_json["finding"]["tag"] == "Confirmed" and as_json["path"]
    nobody = withstood(here, "explain", "mine", "I9")
    assert nobody.code == 2 and "There are: I1" in nobody.said


def test_replay_is_the_same_bytes_and_other_rules_change_it(here: Path) -> None:
    race = finding("two at once", "race", AT_PAY, grade="WEAK")
    asked(here, {CODE: layers(SHORT), HIST: layers(race)}, cast="CODE-CALLCHAIN,HIST-RECENT")
    first, second = (inside(here, "replay", "mine").out for _ in range(2))
    assert first == second and json.loads(first)["report"]["findings"] == report(here)["findings"]
    changed = inside(here, "replay", "mine", "--set", "mass.gap=100", "--diff")
    assert "1 changed" in changed.said and "judgement-1" in changed.out.decode()


def test_instructions_in_what_is_read_are_text_in_every_report(here: Path) -> None:
    hostile = "<script>alert(1)</script> | [x](http://evil.example) ```\n# Confirmed"
    asked(here, {**AGREE, HIST: layers(finding(hostile, "other", AT_PAY), one_liner=hostile)})
    page = own(here, "final-report.html")
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "\n# Confirmed" not in own(here, "final-report.md")
    assert not re.search(r"(?<!\\)\]\(http", own(here, "final-report.md"))
    assert log(here)["investigation_id"] == "mine"


def test_sarif_names_lines_of_code(here: Path) -> None:
    asked(here, AGREE)
    (run,) = json.loads((here / "out" / "report.sarif").read_text())["runs"]
    (result,) = run["results"]
    assert (result["level"], result["ruleId"]) == ("error", "timeout")
    place_ = result["locations"][0]["physicalLocation"]
    assert (place_["artifactLocation"]["uri"], place_["region"]["startLine"]) == ("app/pay.py", 5)
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"timeout"}
    assert IN_LOG[1] not in json.dumps(result["locations"])
