"""The reports of an investigation, in both languages, with hostile text in them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.inquest import cite, finding, report, review
from tests.report.inquests import CODE, CR, HIST, HOSTILE, LOG, disagreement, inquest
from withstood.errors import UsageError
from withstood.report import inquest_explanation, inquest_files, inquest_log, inquest_text, inquest_words, sarif
from withstood.report.inquest import TAGS

LANGUAGES = ("en", "ko")


def test_every_label_is_there_in_both_languages() -> None:
    english, korean = (inquest_words.of(language) for language in LANGUAGES)
    assert english.keys() == korean.keys()
    assert all(value.strip() for value in (*english.values(), *korean.values()))
    blanks = re.compile(r"\{\w+")
    for name, value in english.items():
        assert sorted(blanks.findall(value)) == sorted(blanks.findall(korean[name])), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_are_those_of_the_spec(language: str) -> None:
    found = inquest(language=language)
    files = inquest_files.files(found)
    iids = [one.iid for one in found.answers]
    assert set(files) == {
        "report.json", "report.sarif", "q1/investigation-plan.md", "q1/cross-verification-r2.md",
        "q1/counter-review-r3.md", "q1/final-report.md", "q1/final-report.json", "q1/final-report.html",
        "q1/execution-log.yaml", *(f"q1/artifacts/{iid}-report.md" for iid in iids),
    }  # fmt: skip
    final = files["q1/final-report.md"]
    for tag in TAGS:
        assert f"### [{tag}]" in final
    for iid in (CODE, LOG, HIST):
        assert iid in final
    assert "made up" in final and "made up" in files["q1/final-report.html"]
    assert inquest_files.files(found) == files


def test_the_log_fails_where_something_is_missing() -> None:
    found = inquest()
    files = {name.removeprefix("q1/"): text for name, text in inquest_files.files(found).items()}
    assert {state for _, state in inquest_log.checks(found, files)} <= {"PASS", "SKIPPED"}
    gone = {
        "plan_exists": "investigation-plan.md",
        "artifact_for_each_iid": f"artifacts/{CODE}-report.md",
        "cross_verification_exists": "cross-verification-r2.md",
        "counter_review_exists": "counter-review-r3.md",
        "final_report_exists": "final-report.md",
    }
    for check, name in gone.items():
        left = {one: text for one, text in files.items() if one != name}
        assert dict(inquest_log.checks(found, left))[check] == "FAIL", check
    without = {**files, "final-report.md": files["final-report.md"].replace(HIST, "?")}
    assert dict(inquest_log.checks(found, without))["every_iid_in_report"] == "FAIL"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_that_was_read_is_text(language: str) -> None:
    files = inquest_files.files(inquest(disagreement(HOSTILE), language))
    page = Tags()
    page.feed(files["q1/final-report.html"])
    assert "b" in page.seen and not page.seen & {"script", "img", "a", "link", "iframe", "object"}
    assert not {name for name in page.attributes if name.startswith("on") or name in ("src", "href")}
    assert "<b>x</b>" not in files["q1/final-report.html"]
    for name, text in files.items():
        assert ("\x1b" not in text and "\u202e" not in text) or name.endswith("json"), name
        if name.endswith(".md"):
            assert "\n# [Confirmed]" not in text
            assert not re.search(r"(?<!\\)\]\(javascript", text)


def test_sarif_is_what_code_scanning_takes() -> None:
    told: Any = json.loads(sarif.sarif(inquest()))
    (run,) = told["runs"]
    assert told["version"] == "2.1.0" and run["tool"]["driver"]["name"] == "withstood"
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    for result in run["results"]:
        assert result["ruleId"] in rules and result["level"] in ("error", "warning", "note")
        assert result["message"]["text"] and result["partialFingerprints"]
        for one in (*result["locations"], *result["relatedLocations"]):
            region = one["physicalLocation"]["region"]
            assert 1 <= region["startLine"] <= region["endLine"]
            assert not one["physicalLocation"]["artifactLocation"]["uri"].endswith(".log")
    assert sarif._address("a b/환불 100%.py") == "a%20b/%ED%99%98%EB%B6%88%20100%25.py"


def test_an_item_is_explained_by_its_rows_its_sides_and_its_challenges() -> None:
    found = inquest()
    rows = {("judgement-1", "6"): "the heavier side is adopted"}
    first = found.report.findings[0].id
    told = inquest_explanation.explain(found, first, rows)
    assert "judgement-1" in told.text and "citation-1" in told.text
    assert {step["item"] for step in told.data["path"]} >= {first}
    for item in found.record.items:
        assert item.id in inquest_explanation.explain(found, item.id, {}).text
    with pytest.raises(UsageError, match="There are: I1"):
        inquest_explanation.explain(found, "I99", {})


def test_a_terminal_gets_plain_text() -> None:
    text = inquest_text.render(inquest(disagreement(HOSTILE)))
    assert text.endswith("\n") and "\x1b" not in text and "\\x1b[2J" in text
    assert "struck: LOG-STACKTRACE-R1 conf.py:1" in text


def test_challenges_stand_in_the_counter_review() -> None:
    none = finding("None is used", "null-dereference", cite("pay.py:12"), cite("app.log:3"))
    weak = finding("late", "timeout", cite("conf.py:1", "WEAK"))
    found = inquest({CODE: report(none), LOG: report(none), HIST: report(weak), CR: review("WEAKENED")})
    files = inquest_files.files(found)
    for name in ("counter-review-r3.md", "final-report.md", "final-report.html", f"artifacts/{CR}-report.md"):
        assert "is there no guard?" in files[f"q1/{name}"], name
    assert dict(inquest_log.checks(found, {name[3:]: text for name, text in files.items()})) == dict.fromkeys(
        dict(inquest_log.checks(found, {})), "PASS"
    )


def test_nothing_here_knows_a_path_of_this_machine() -> None:
    everything = "".join(inquest_files.files(inquest()).values())
    assert str(Path.cwd()) not in everything
