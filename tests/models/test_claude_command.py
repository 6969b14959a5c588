"""The command as a model, on a small program that stands in for it."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.models.calls import SECRET, call, settings
from withstood.errors import CallFailed, ConfigError, KeyRefused, ModelUnavailable
from withstood.models.names import open_model
from withstood.models.port import Call, Price, Reply, Turn

RESULT = '{"type": "result", "is_error": false, "result": %s, "usage": {"input_tokens": 8, "output_tokens": 2}}'


def stand_in(folder: Path, program: str) -> Path:
    """A `claude` that runs this program."""
    path = folder / "claude"
    path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{program}\n", "utf-8")
    path.chmod(0o755)
    return path


def run(
    folder: Path, program: str, *, asked: Call | None = None, deadline: float = 20.0, spec: str = "claude:m"
) -> Any:
    stand_in(folder, program)
    environment = {
        "PATH": f"{folder}:/usr/bin:/bin",
        "HOME": "/nowhere",
        "ANTHROPIC_API_KEY": SECRET,
        "OTHER": "secret",
    }

    async def once() -> Any:
        model = open_model(spec, settings(deadline, environment))
        try:
            return await model.complete(asked or call())
        except Exception as fault:  # noqa: BLE001 - the test looks at it
            return fault
        finally:
            await model.close()

    return asyncio.run(once())


def echo(what: str) -> str:
    return f"said = sys.stdin.read(); print({RESULT!r} % json.dumps(json.dumps({what})))"


def test_an_answer(tmp_path: Path) -> None:
    assert run(tmp_path, f"sys.stdin.read(); print({RESULT!r} % json.dumps('{{}}'))") == Reply("{}", 8, 2, "stop")


def test_what_the_command_is_given(tmp_path: Path) -> None:
    found = eval(
        run(tmp_path, echo("{'said': said, 'argv': sys.argv, 'env': dict(os.environ), 'cwd': os.listdir()}")).text,
        {"null": None},
    )
    assert found["said"] == call().user
    argv = found["argv"]
    assert argv[argv.index("--model") + 1] == "m" and argv[argv.index("--system-prompt") + 1] == "system words"
    assert argv[argv.index("--tools") + 1] == "" and "-p" in argv
    assert found["env"]["ANTHROPIC_API_KEY"] == SECRET and "OTHER" not in found["env"]
    assert found["cwd"] == []
    assert SECRET not in " ".join(argv)


def test_without_a_model_the_command_chooses(tmp_path: Path) -> None:
    assert "--model" not in run(tmp_path, echo("sys.argv"), spec="claude").text


def test_an_earlier_turn_stands_in_the_prompt(tmp_path: Path) -> None:
    said = run(tmp_path, echo("said"), asked=call(Turn("bad one", "again, please"))).text
    assert "bad one" in said and "again, please" in said


def test_a_command_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    program = f"child = os.fork(); open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(60)"
    fault = run(tmp_path, program, deadline=1.0)
    assert isinstance(fault, CallFailed) and fault.again and fault.reached
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2
    assert [pid for pid in pids if _runs(int(pid))] == []


def _runs(pid: int) -> bool:
    """Whether the process still does something; one that waits to be collected does not."""
    time.sleep(0.1)
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("program", "error", "says"),
    [
        ("print('no json')", CallFailed, "no json"),
        ("sys.exit(3)", CallFailed, "ended with 3"),
        ("print('[]')", CallFailed, "wanted JSON"),
        ("print('{\"result\": 5}')", CallFailed, "wanted JSON"),
        ("print('[' * 100000)", CallFailed, "wanted JSON"),
        ("print(json.dumps({'is_error': True, 'result': 'Invalid API key'}))", KeyRefused, "log in"),
        ("sys.stderr.write('Please run /login'); sys.exit(1)", KeyRefused, "log in"),
        ("print(json.dumps({'is_error': True, 'result': 'Usage limit reached'}))", ModelUnavailable, "resume"),
        ("sys.stderr.write(\"error: unknown option '--tools'\"); sys.exit(1)", ModelUnavailable, "update"),
    ],
)
def test_what_is_not_an_answer(tmp_path: Path, program: str, error: type[Exception], says: str) -> None:
    fault = run(tmp_path, program)
    assert type(fault) is error and says in str(fault)


def test_the_key_is_in_no_error(tmp_path: Path) -> None:
    assert SECRET not in str(run(tmp_path, "print('your key', os.environ['ANTHROPIC_API_KEY'])"))


@pytest.mark.parametrize(("stop", "finish"), [("max_tokens", "length"), ("refusal", "refused"), ("end_turn", "stop")])
def test_how_it_ended(tmp_path: Path, stop: str, finish: str) -> None:
    assert run(tmp_path, f"print(json.dumps({{'result': 'x', 'stop_reason': {stop!r}}}))").finish == finish


def test_too_much_is_given_up(tmp_path: Path) -> None:
    fault = run(tmp_path, "sys.stdout.write('x' * (9 * 2**20))")
    assert isinstance(fault, CallFailed) and not fault.again


def test_one_that_prints_for_ever_is_killed(tmp_path: Path) -> None:
    fault = run(tmp_path, "while True: sys.stdout.write('x' * 65536)", deadline=1.0)
    assert isinstance(fault, CallFailed) and "1 seconds" in str(fault)


def test_noise_on_stderr_does_not_block(tmp_path: Path) -> None:
    program = f"sys.stderr.write('x' * 2**20); print({RESULT!r} % '\"ok\"')"
    assert run(tmp_path, program).text == "ok"


def test_a_command_that_is_not_there_is_told_before_anything_starts() -> None:
    with pytest.raises(ConfigError, match="PATH"):
        open_model("claude", settings(environment={"PATH": os.devnull}))


def test_a_command_that_goes_away(tmp_path: Path) -> None:
    path = stand_in(tmp_path, "")

    async def gone() -> None:
        model = open_model("claude", settings(environment={"PATH": str(tmp_path)}))
        path.unlink()
        try:
            await model.complete(call())
        finally:
            await model.close()

    with pytest.raises(ModelUnavailable, match="cannot be started"):
        asyncio.run(gone())


def test_it_costs_nothing_that_is_counted_here(tmp_path: Path) -> None:
    stand_in(tmp_path, "")
    model = open_model("claude:m", settings(environment={"PATH": str(tmp_path)}))
    assert (model.name, model.price) == ("claude:m", Price())
    asyncio.run(model.close())
