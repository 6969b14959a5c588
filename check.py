"""Everything that must hold before a change goes in: `.venv/bin/python check.py` (`--fast` leaves out pyright).

The steps run in order, each with its time; the first that fails ends the run with its output and its exit code.
The tests come last, so that their closing line is the last line.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SOURCES = ("src", "tests", "benchmarks", "docs", "check.py")


def steps(fast: bool) -> list[tuple[str, list[str]]]:
    """Name and command of each step; the tests are the last."""
    python = sys.executable
    sources = [name for name in SOURCES if (ROOT / name).exists()]
    found = [
        ("ruff check", [_tool("ruff"), "check", *sources]),
        ("ruff format", [_tool("ruff"), "format", "--check", *sources]),
        ("pyright", [_tool("pyright"), "--pythonpath", python]),
        ("lint-imports", [_tool("lint-imports"), "--no-cache", "--no-logo"]),
        ("docs are current", [python, "-m", "docs.generate", "--check"]),
        ("pytest", [python, "-m", "pytest", "-n", str(os.cpu_count() or 1), "--dist", "loadgroup"]),
    ]
    left_out = {"pyright"} if fast else set[str]()
    if not (ROOT / "docs" / "generate.py").exists():
        left_out.add("docs are current")
    return [(name, command) for name, command in found if name not in left_out]


def _tool(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def run(name: str, command: Sequence[str], shown: bool) -> int:
    """The step's exit code. Its output is shown as it comes, or only where it fails."""
    begun = time.monotonic()
    streams = None if shown else subprocess.PIPE
    done = subprocess.run(
        command, cwd=ROOT, check=False, text=True, stdin=subprocess.DEVNULL, stdout=streams, stderr=subprocess.STDOUT
    )
    if done.returncode and done.stdout:
        print(done.stdout, end="", flush=True)
    if done.returncode or not shown:
        result = f"failed with exit code {done.returncode}" if done.returncode else "ok"
        print(f"check: {name}: {result} ({time.monotonic() - begun:.1f} s)", flush=True)
    return done.returncode


def main(arguments: Sequence[str]) -> int:
    if set(arguments) - {"--fast"}:
        print(f"wanted nothing or --fast, found {' '.join(arguments)}", file=sys.stderr)
        return 2
    for name, command in steps("--fast" in arguments):
        if name == "pytest":
            print(f"check: {name}: running", flush=True)
        code = run(name, command, shown=name == "pytest")
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
