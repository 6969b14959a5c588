"""What packages bring by entry points: found by name, ours before theirs, and told where it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from withstood import plugins
from withstood.errors import ConfigError, UsageError
from withstood.jobs import finders, panels, sessions, text_protocols
from withstood.jobs.settings import Config
from withstood.protocols.sentiment import PROTOCOLS
from withstood.sources.web.settings import Web

CODE = """
NOTHING = None


class Agent:
    name = "mine"
    answer = prompts = most_tokens = models = lambda self: None


def agents(rest):
    return {rest: Agent()}


def no_agents(rest):
    return {"A": object()}


def number(rest):
    return 7
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    installed = tmp_path / "brought-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1\n")
    places = {
        plugins.AGENTS: ("mine = brought:agents", "broken = brought:no_agents", "number = brought:number",
                         "ollama = brought:agents", "lost = brought:nowhere"),
        plugins.SOURCES: ("number = brought:number", "gone = not_installed:f"),
        plugins.PROTOCOLS: ("cr-v1 = brought:NOTHING", "odd = brought:agents"),
    }  # fmt: skip
    (installed / "entry_points.txt").write_text(
        "".join(f"[{group}]\n" + "".join(f"{one}\n" for one in named) for group, named in places.items())
    )
    (tmp_path / "brought.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield


def seat(spec: str) -> dict[str, Any]:
    return panels.panel(("A", "B"), Config(models={"A": spec}), {})


def test_an_agent_takes_the_seat_that_it_plays() -> None:
    assert seat("mine:A")["A"].name == "mine"
    assert seat("mine:default")["A"].name == "mine"
    with pytest.raises(ConfigError, match=r"mine:B cannot play A\. It plays B; name another for A"):
        seat("mine:B")


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("broken", "The agent of 'broken' for A is none: it has no name, answer"),
        ("number", "'number' wants to give an agent for each role, and gave 7"),
        ("lost", r"The agent 'lost' is an entry point \(brought:nowhere\) that does not load"),
        ("nobody", "There is no model provider 'nobody'"),
    ],
)
def test_an_agent_that_does_not_fit_is_told(spec: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        seat(spec)


def test_our_names_go_before() -> None:
    assert panels.plugged("ollama:A", ()) is None
    assert panels.plugged("mine:A", ("mine",)) is None
    assert text_protocols.named("cr-v1").presets == PROTOCOLS["cr-v1"]


def test_a_source_that_does_not_fit_is_told() -> None:
    with pytest.raises(ConfigError, match="Wanted of the source 'number' a finder with name, find and close; found 7"):
        finders.opened("number:1", Web())
    with pytest.raises(ConfigError, match="The source 'gone' is an entry point"):
        finders.opened("gone", Web())


def test_a_folder_goes_before_a_source_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert finders.is_plugged("number:1")
    (tmp_path / "number:1").mkdir()
    assert not finders.is_plugged("number:1")


def test_nothing_private_is_taken_to_a_source_that_nobody_knows() -> None:
    assert sessions.gone_to("none", "number:1", elsewhere=True) == "private"
    assert sessions.gone_to("web", "number:1", elsewhere=True) == "private"
    assert sessions.gone_to("private", "number:1") == "private"
    with pytest.raises(UsageError, match="a query elsewhere would tell of them"):
        sessions.gone_to("private", "number:1", elsewhere=True)


def test_a_protocol_that_is_none_is_told() -> None:
    with pytest.raises(ConfigError, match="Wanted of the protocol 'odd' a TextProtocol, found"):
        text_protocols.named("odd")
    with pytest.raises(UsageError, match=r"There is no protocol 'nobody'. There are: cr-v1, .*, odd\."):
        text_protocols.named("nobody")
