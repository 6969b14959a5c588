"""`withstood demo` as a stranger meets it: without a key, a network or a configuration, and without git too."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import withstood

REPORTS = (
    "withstood-demo/ko/report.html",
    "withstood-demo/en/report.html",
    "withstood-demo/refunds/demo-refunds/final-report.html",
    "withstood-demo/caching/thesis.html",
)


def test_the_demo_needs_nothing(tmp_path: Path) -> None:
    done = withstood(tmp_path, "demo")
    assert done.code == 0, done.said
    told = done.out.decode()
    for path in REPORTS:
        assert "<html" in (tmp_path / path).read_text("utf-8")
        assert path in told
    assert "[changed]" in told and "[극성 변경]" in told
    assert "[Confirmed] shop/bank.py:6" in told and "WAIT = 3" in told
    assert "hyp_A1" in told and "condition_difference" in told
    assert "withstood explain demo-caching hyp_A1" in done.said


def test_its_verdicts_are_as_data_too_and_a_second_one_stands_beside_the_first(tmp_path: Path) -> None:
    first = withstood(tmp_path, "demo", "--json")
    assert first.code == 0, first.said
    korean, english, refunds, caching = first.lines()
    assert [korean["run"], english["run"], refunds["id"]] == ["demo-ko", "demo-en", "demo-refunds"]
    assert (korean["texts"], english["texts"]) == (24, 24)
    assert refunds["findings"][0]["tag"] == "Confirmed"
    assert {one["type"] for one in refunds["findings"][0]["evidence"]} == {"code", "commit", "log"}
    assert caching["folder"] == "withstood-demo/caching" and caching["spent"]["calls"] == 0
    graph = (tmp_path / "withstood-demo/caching/cognigraph.json").read_bytes()
    second = withstood(tmp_path, "demo", "--json")
    assert second.code == 0, second.said
    assert second.lines()[3]["folder"] == "withstood-demo/caching-2"
    assert (tmp_path / "withstood-demo/caching/cognigraph.json").read_bytes() == graph
    assert len(withstood(tmp_path, "runs", "--json").lines()) == 8


def test_every_run_of_it_can_be_asked_why_and_judged_again(tmp_path: Path) -> None:
    withstood(tmp_path, "demo", "--json")
    for run, item in (("demo-ko", "ko-15"), ("demo-en", "en-07"), ("demo-refunds", "I1"), ("demo-caching", "hyp_A1")):
        explained = withstood(tmp_path, "explain", run, item, "--no-supposing")
        assert explained.code == 0 and item in explained.out.decode(), explained.said
        again = withstood(tmp_path, "replay", run)
        assert again.code == 0, again.said


def test_without_git_it_says_so_and_goes_on(tmp_path: Path) -> None:
    done = withstood(tmp_path, "demo", "--json", variables={"PATH": str(tmp_path)})
    assert done.code == 0, done.said
    assert "git is not installed" in done.said
    refunds = done.lines()[2]
    assert {one["type"] for one in refunds["findings"][0]["evidence"]} == {"code", "log"}


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = withstood(tmp_path, "demo", "-o", "file")
    assert done.code == 73
    assert "file" in done.said
