"""Commands are for programs, too: what a command has to say comes as JSON where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from withstood.cli.main import cli

OTHERWISE = {
    "mcp": "speaks JSON-RPC",
    "worker": "has no result; `status --json` tells of it",
    "memory export": "its lines are JSON",
    "rules new": "writes a rulebook",
    "research thesis": "has `--format json`",
}


def _leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    inner = command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []
    if not inner:
        yield " ".join(path), command
    for name in inner:
        found = command.get_command(click.Context(command), name)  # type: ignore[attr-defined]
        assert found is not None
        yield from _leaves(found, (*path, name))


@pytest.mark.parametrize(("name", "command"), list(_leaves(cli)))
def test_every_command_tells_in_json(name: str, command: click.Command) -> None:
    flags = {flag for option in command.params for flag in option.opts}
    assert ("--json" in flags) != (name in OTHERWISE)
