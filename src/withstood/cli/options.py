"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import click

from withstood.jobs import settings as configuration
from withstood.journal.port import Store

F = TypeVar("F", bound=Callable[..., Any])

LIMITS: dict[str, str] = {
    "in_flight": "Calls at the same time.",
    "requests_per_minute": "Requests a minute.",
    "tokens_per_minute": "Tokens a minute.",
    "calls": "Calls in all.",
    "tokens": "Tokens in all.",
    "money": "Money in all, in the currency of the prices you gave.",
    "seconds": "Time in all.",
}


def pairs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`a=1,b=2` and repeated options, as one mapping."""
    found: dict[str, str] = {}
    for part in (part for value in values for part in value.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.BadParameter(f"wanted name=value, found {part!r}", ctx, param)
        found[name.strip()] = value.strip()
    return found


def seated(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`ROLE=MODEL` pairs; a model alone is for all roles."""
    parts = [part for value in values for part in value.split(",") if part]
    named = [part if "=" in part.partition(":")[0] else f"default={part}" for part in parts]
    return pairs(ctx, param, tuple(named))


def settings(command: F) -> F:
    return click.option(
        "--set", "changes", multiple=True, callback=pairs, metavar="KEY=VALUE", help="Change a setting of the rulebook."
    )(command)


def rules(command: F) -> F:
    return click.option(
        "--rules", metavar="NAME|FILE", help="The rulebook to start from: published, strict, or a .toml file."
    )(command)


def models(command: F) -> F:
    return click.option(
        "--model",
        multiple=True,
        callback=seated,
        metavar="[ROLE=]MODEL",
        help="A model for all seats or for one: default=openai:MODEL,B=scripted:FILE,C=programmed.",
    )(command)


def agents(command: F) -> F:
    return click.option(
        "--agents",
        multiple=True,
        callback=seated,
        metavar="[ROLE=]AGENT",
        help="Agents for all seats or for one: programmed, fitted:FILE, or a package's; --model goes before.",
    )(command)


def store(command: F) -> F:
    return click.option(
        "--store", metavar="FILE|URL", help=f"Where runs are kept: a file, or postgresql://... [{configuration.STORE}]."
    )(command)


def memory_store(command: F) -> F:
    return click.option(
        "--memory-store", metavar="FILE|URL", help=f"Where episodes are kept [{configuration.MEMORY_STORE}]."
    )(command)


def limits(command: F) -> F:
    for name, text in reversed(LIMITS.items()):
        command = click.option(f"--{'most-' * (name in MOST)}{name.replace('_', '-')}", name, help=text)(command)
    return command


MOST = {"calls", "tokens", "money", "seconds"}


def configured(store_path: str | None) -> configuration.Config:
    config = configuration.load()
    return replace(config, store=store_path) if store_path else config


@asynccontextmanager
async def opened(config: configuration.Config) -> AsyncGenerator[Store]:
    from withstood.journal import opening

    kept = opening.store(config.store)
    try:
        yield kept
    finally:
        await kept.close()
