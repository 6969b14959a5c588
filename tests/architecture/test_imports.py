"""What an import brings along, seen from a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LOADED = "import sys, json; before = set(sys.modules)\n{}\nprint(json.dumps(sorted(set(sys.modules) - before)))"

EVERY_RULE = """
import importlib, pkgutil, withstood.rules
for found in pkgutil.iter_modules(withstood.rules.__path__):
    importlib.import_module(f"withstood.rules.{found.name}")
"""

HELP = """
from withstood.cli.main import main
sys.argv = ["withstood", "--help"]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
"""

HEAVY = ("withstood.models", "httpx2", "jinja2", "rich", "withstood.agents", "sqlite3", "asyncio")


def loaded(statements: str) -> list[str]:
    """The modules that a fresh interpreter loads for these statements."""
    command = [sys.executable, "-c", LOADED.format(statements)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def foreign(names: list[str]) -> set[str]:
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"withstood"}


@pytest.mark.parametrize(
    "statements", ["import withstood", "import withstood.rules", EVERY_RULE, "import withstood.form"]
)
def test_needs_the_standard_library_only(statements: str) -> None:
    assert foreign(loaded(statements)) == set()


def test_foreign_modules_are_seen() -> None:
    assert "click" in foreign(loaded("import click"))


def test_help_loads_neither_models_nor_renderers() -> None:
    names = loaded(HELP)
    assert "withstood.cli.main" in names
    assert [name for name in names if any(name == part or name.startswith(f"{part}.") for part in HEAVY)] == []
