from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.sources.repositories import git
from tests.stories.shelf import HARMLESS, NAMES, story
from tests.stories.story import NOW, written

FRAME = re.compile(r'File "/srv/app/([\w/]+\.py)", line (\d+), in \w+\n {4}(.+)')


@pytest.mark.parametrize("name", NAMES)
def test_a_story_is_written_down_as_it_is_told(name: str, tmp_path: Path) -> None:
    told = story(name)
    repo, logs = written(told, tmp_path)
    subjects = git(repo, "log", "--format=%s").splitlines()
    assert subjects == [step.message.partition("\n")[0] for step in reversed(told.steps)]
    assert git(repo, "status", "--porcelain") == ""
    for path, text in told.tree.items():
        assert (repo / path).read_text("utf-8") == text
        if path.endswith(".py"):
            ast.parse(text)
    assert sorted(path.name for path in logs.iterdir()) == sorted(told.logs)


@pytest.mark.parametrize("name", NAMES)
def test_the_truth_of_a_story_stands_in_it(name: str) -> None:
    told = story(name)
    assert set(told.truth.files) <= told.tree.keys()
    whens = [step.when for step in told.steps]
    assert whens == sorted(whens) and whens[-1] < NOW.timestamp()
    if told.truth.commit:
        (brought,) = [step for step in told.steps if step.message == told.truth.commit]
        assert set(brought.files) & set(told.truth.files)


@pytest.mark.parametrize("name", NAMES)
def test_tracebacks_show_lines_that_are_there(name: str) -> None:
    told = story(name)
    for log in told.logs.values():
        for path, line, code in FRAME.findall(log):
            if path in told.tree:
                assert told.tree[path].splitlines()[int(line) - 1].strip() == code


def test_a_story_is_the_same_whenever_it_is_told() -> None:
    assert all((story(name).logs, story(name).steps) == (story(name).logs, story(name).steps) for name in NAMES)


def test_what_is_planted_takes_lines_that_are_there_anyway() -> None:
    with_words, without = story("planted"), story("planted", HARMLESS)
    assert with_words.tree != without.tree and with_words.logs != without.logs
    assert [text.count("\n") for text in with_words.tree.values()] == [
        text.count("\n") for text in without.tree.values()
    ]


def test_there_are_enough_of_every_sort() -> None:
    told = [story(name) for name in NAMES]
    assert len(told) >= 20
    assert sum(not one.truth.files for one in told) >= 2
    assert {Path(path).suffix for one in told for path in one.truth.files} >= {".py", ".java", ".js", ".go", ".sql"}
    assert any(re.search("[가-힣]", one.question) for one in told)
