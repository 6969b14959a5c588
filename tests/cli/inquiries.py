"""A repository with a fault, a log that shows it, and answers of investigators in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from tests.agents.tools.places import LOG, PAY
from tests.cli.commands import Ended
from tests.sources.repositories import repository
from withstood.cli.main import cli

QUESTION = "Why does charge fail with a timeout?"
CODE, LOGS, HIST = "CODE-CALLCHAIN-R1", "LOG-STACKTRACE-R1", "HIST-RECENT-R1"
CAST = "CODE-CALLCHAIN,LOG-STACKTRACE,HIST-RECENT"
CR = "CR-AGREED-R3"
AT_PAY = ("code", "app/pay.py:5", "return retry.send(order, timeout=5)")
IN_LOG = ("log", "pay.log:4", "TimeoutError: late")
MADE_UP = ("code", "app/pay.py:9", "return charge(order, forever=True)")
RETRY = ("code", "app/retry.py:2", "for attempt in range(50):")
SENDING = "def send(order, timeout):\n    for attempt in range(50):\n        pass\n"
SOURCES = ("--repo", "repo", "--logs", "pay.log")


def place(folder: Path) -> Path:
    before = {"app/pay.py": PAY.replace("timeout=5", "timeout=30"), "app/retry.py": SENDING}
    commits = (("first", before), ("pay: wait five seconds", {"app/pay.py": PAY}))
    repository(folder / "repo", commits)
    (folder / "pay.log").write_text(LOG)
    return folder


def finding(text: str, cause: str, *evidence: tuple[str, str, str], grade: str = "STRONG") -> dict[str, Any]:
    pieces = [{"type": kind, "location": at, "snippet": words, "strength": grade} for kind, at, words in evidence]
    return {
        "description": text,
        "cause": cause,
        "direction": "adjust-timeout",
        "evidence": pieces,
        "confidence": "MEDIUM",
        "alternatives": ["the other side was slow"],
    }


def layers(*findings: Mapping[str, Any], one_liner: str = "the wait is short", **head: Any) -> dict[str, Any]:
    return {
        "layer1": {"one_liner": one_liner, "confidence": "HIGH", **head},
        "layer2": {"findings": list(findings)},
        "layer3": f"In full: {one_liner}.",
    }


def review(verdict: str, *evidence: tuple[str, str, str], item: str = "*") -> dict[str, Any]:
    pieces = [{"type": kind, "location": at, "snippet": words, "strength": "STRONG"} for kind, at, words in evidence]
    said = {"item": item, "verdict": verdict, "challenge": "Was it not slow before?", "impact": "little"}
    return {"challenges": [{**said, "evidence": pieces}]}


SHORT = finding("the wait is short", "timeout", AT_PAY, IN_LOG)


def script(folder: Path, answers: Mapping[str, Any], name: str = "answers.jsonl") -> str:
    """By role, or by role and number of asking (`CODE-CALLCHAIN-R1 2`). A text is the reason of a silence."""
    lines: list[dict[str, Any]] = []
    for key, said in answers.items():
        role, _, no = key.partition(" ")
        line = {"case": "*", "role": role, "round": int(no or 1)}
        lines.append(line | ({"silent": said} if isinstance(said, str) else {"answer": said}))
    (folder / name).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return f"scripted:{name}"


def asked(folder: Path, answers: Mapping[str, Any], *more: str, cast: str = CAST) -> Ended:
    """One investigation of `place` with scripted investigators, its files in `out`, under the name `mine`."""
    model = script(folder, answers)
    wanted = ("-o", "out", "--run", "mine", "--cast", cast, "--model", model)
    return inside(folder, "investigate", QUESTION, *SOURCES, *wanted, *more)


def inside(folder: Path, *arguments: str) -> Ended:
    """The command in this process, which is quicker; what it raises is raised."""
    with chdir(folder):
        done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return Ended(done.return_value, done.stdout_bytes, done.stderr)


def report(folder: Path) -> Any:
    return json.loads((folder / "out" / "report.json").read_text("utf-8"))


def record(folder: Path) -> Any:
    return json.loads((folder / "out" / "mine" / "final-report.json").read_text("utf-8"))["record"]


def log(folder: Path, run: str = "mine") -> Any:
    return yaml.safe_load((folder / "out" / run / "execution-log.yaml").read_text("utf-8"))


def own(folder: Path, name: str) -> str:
    return (folder / "out" / "mine" / name).read_text("utf-8")
