"""`withstood doctor`: what is configured, what works, what is missing."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import platform
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click

from withstood import databases, form, lexicons
from withstood.__about__ import __version__
from withstood.cli import options
from withstood.errors import WithstoodError
from withstood.jobs import panels
from withstood.jobs.settings import FILE, Config
from withstood.models import names
from withstood.models.port import Gathering, Model
from withstood.models.probing import probe
from withstood.models.settings import Settings
from withstood.sources.web import opening
from withstood.sources.web.settings import ORDER, Web

EXTRAS = (
    ("models over HTTP", "httpx2", "models"),
    ("code beside Python", "tree_sitter", "code"),
    ("MCP server", "mcp", "mcp"),
)


class Finding(NamedTuple):
    """`ok` None: a thing to know, neither right nor wrong."""

    what: str
    ok: bool | None
    told: str


@click.command("doctor")
@click.option("--live", is_flag=True, help="Make one small call to each model and search provider. It may cost money.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each finding.")
@options.store
def command(live: bool, as_json: bool, store: str | None) -> int:
    """Look at the configuration, the store, the word lists and the models, and say what to do."""
    findings = asyncio.run(_all(options.configured(store), live))
    for finding in findings:
        mark = {True: "ok", False: "MISSING", None: "-"}[finding.ok]
        click.echo(form.dumps(finding._asdict()) if as_json else f"{mark:<8} {finding.what:<22} {finding.told}")
    return 78 if any(finding.ok is False for finding in findings) else 0


async def _all(config: Config, live: bool) -> list[Finding]:
    found = [*_machine(), _configuration(config), await _store(config), _words(config), *_readers()]
    found += [finding async for finding in _models(config, live)]
    return found + [finding async for finding in _searches(config.web, live)]


def _machine() -> Iterator[Finding]:
    yield Finding(
        "withstood", None, f"{__version__} on Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )
    for what, module, extra in EXTRAS:
        there = importlib.util.find_spec(module) is not None
        yield Finding(what, None, "installed" if there else f"not installed: pip install 'withstood[{extra}]'")
    git = shutil.which("git")
    yield Finding("git", None, git or "not installed: investigations look at files and logs, and at no history")


def _configuration(config: Config) -> Finding:
    told = f"{FILE} in this folder" if Path(FILE).is_file() else "defaults and environment"
    return Finding("configuration", True, f"{told}; rulebook {config.rules}")


async def _store(config: Config) -> Finding:
    try:
        async with options.opened(config) as kept:
            return Finding("store", True, f"{databases.told(config.store)}: {len(await kept.runs())} runs")
    except WithstoodError as fault:
        return Finding("store", False, str(fault))


def _words(config: Config) -> Finding:
    extra = Path(config.lexicons) if config.lexicons else None
    return _tried("word lists", lambda: ", ".join(lexicons.conventions(config.taxonomy, extra).refs))


def _readers() -> Iterator[Finding]:
    """What of the sources of a research can be read."""
    for what, module, extra in (
        ("documents in PDF", "pypdfium2", "documents"),
        ("Korean by morphemes", "kiwipiepy_model", "ko"),
    ):
        there = importlib.util.find_spec(module) is not None
        yield Finding(what, None, "installed" if there else f"not installed: pip install 'withstood[{extra}]'")


def _tried(what: str, told: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, told())
    except WithstoodError as fault:
        return Finding(what, False, str(fault))


async def _models(config: Config, live: bool) -> AsyncIterator[Finding]:
    """Each model that a role is configured to use."""
    settings = Settings(endpoints=config.endpoints)
    if not config.models:
        yield Finding("models", None, "none configured; every seat is filled by a program")
    for role, spec in config.models.items():
        yield await _model(f"model for {role}", spec, settings, live)


async def _model(what: str, spec: str, settings: Settings, live: bool) -> Finding:
    if spec == panels.PROGRAMMED:
        return Finding(what, True, spec)
    if spec.startswith(panels.FITTED):
        return _tried(what, lambda: f"{spec}: {_fitted(Path(spec.removeprefix(panels.FITTED)))}")
    try:
        if panels.plugged(spec, settings.endpoints) is not None:
            return Finding(what, True, f"{spec}: agents of a package")
        model = names.open_model(spec, settings)
    except WithstoodError as fault:
        return Finding(what, False, f"{spec}: {fault}")
    try:
        return Finding(what, True, f"{spec}: {await _answered(model, live)}")
    except WithstoodError as fault:
        return Finding(what, False, f"{spec}: {fault}")
    finally:
        await model.close()


def _fitted(path: Path) -> str:
    from withstood.agents import fitted

    about = fitted.load(path).about
    return f"a reader fitted on {about.texts:,} texts of {about.data}"


async def _answered(model: Model, live: bool) -> str:
    if isinstance(model, Gathering):
        return "ready (not called: a batch of one call would take hours)"
    return await probe(model) if live else "ready (not called; --live does)"


async def _searches(web: Web, live: bool) -> AsyncIterator[Finding]:
    """Each provider that could be asked; one that is named and lacks something is a fault."""
    if not opening.installed():
        yield Finding("search on the web", None, "not installed: pip install 'withstood[web]'")
        return
    for name in web.providers or ORDER:
        what = f"search with {name}"
        if why := opening.lacks(name, web, os.environ):
            yield Finding(what, False if name in web.providers else None, why)
        else:
            yield await _search(what, replace(web, providers=(name,)), live)


async def _search(what: str, web: Web, live: bool) -> Finding:
    try:
        told = await opening.probe(web) if live else "ready (not called; --live does)"
    except WithstoodError as fault:
        return Finding(what, False, str(fault))
    return Finding(what, True, told)
