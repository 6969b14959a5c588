"""`withstood rule NAME`: a published table on JSON Lines. A bad line is answered at its place; the rest goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import books
from withstood.jobs.published import tables
from withstood.rules.rulebook import Rulebook
from withstood.rules.table import Table


class Answer(NamedTuple):
    text: str
    refused: bool


def answers(table: Table, book: Rulebook, lines: Iterable[bytes]) -> Iterator[Answer]:
    """One answer for each line that is not blank."""
    for no, raw in enumerate(lines, start=1):
        text = raw.removeprefix(b"\xef\xbb\xbf") if no == 1 else raw
        if text.strip():
            yield _answer(table, book, text, no)


def _answer(table: Table, book: Rulebook, text: bytes, no: int) -> Answer:
    try:
        value = form.loads(text.decode())
    except UnicodeDecodeError as fault:
        return _refused(no, "bad_encoding", f"wanted UTF-8, found another byte at place {fault.start + 1}")
    except form.Misfit as fault:
        return _refused(no, "bad_json", str(fault))
    try:
        decided = table.judge(form.read(table.takes, value), book)
    except form.Misfit as fault:
        return _refused(no, "bad_form", str(fault))
    return Answer(form.dumps({"edition": table.edition} | form.write(decided)), refused=False)


def _refused(no: int, code: str, message: str) -> Answer:
    return Answer(form.dumps({"line": no, "error": {"code": code, "message": message}}), refused=True)


@click.command("rule")
@click.argument("name", required=False)
@click.option("--list", "listing", is_flag=True, help="Name all tables.")
@click.option("--table", "shown", is_flag=True, help="Print the table itself.")
@click.option("--schema", is_flag=True, help="Print the JSON Schemas of input and output.")
@click.option("--json", "as_json", is_flag=True, help="With --list: one JSON line for each table.")
@options.settings
@click.option("--rules", "preset", default="published", show_default=True, help="published, strict or a .toml file.")
def command(
    name: str | None, listing: bool, shown: bool, schema: bool, as_json: bool, changes: dict[str, str], preset: str
) -> int:
    """Judge your own data by a published table.

    Reads JSON Lines on standard input, writes one JSON line for each, in order. A line that cannot be read is
    answered with its number and an error; the exit code is then 65.

    \b
    echo '{"votes":{"A":{"action_type":"FLIP"},"B":{"action_type":"FLIP"},"C":null}}' | withstood rule arbiter-v2
    """
    if listing or name is None:
        return _list(as_json)
    table = _named(name)
    if shown:
        click.echo((table.text or "").strip())
        return 0
    if schema:
        click.echo(form.dumps({"input": form.schema(table.takes), "output": _output_schema(table)}))
        return 0
    return _judge(table, books.book(preset, {}, changes))


def _list(as_json: bool) -> int:
    for name, table in tables().items():
        if as_json:
            click.echo(form.dumps({"name": name, "edition": table.edition, "summary": table.summary}))
            continue
        click.echo(f"{name:<18} {table.summary if name == table.edition else f'the same as {table.edition}'}")
    return 0


def _named(name: str) -> Table:
    found = tables()
    if name not in found:
        raise click.UsageError(f"There is no table {name!r}. There are: {', '.join(found)}.")
    return found[name]


def _output_schema(table: Table) -> dict[str, Any]:
    drawn = form.schema(table.gives)
    drawn["properties"] = {"edition": {"enum": [table.edition]}} | drawn["properties"]
    drawn["required"] = ["edition", *drawn["properties"].keys() - {"edition"}]
    return drawn | {"required": sorted(drawn["required"])}


def _judge(table: Table, book: Rulebook) -> int:
    refused = False
    for answer in answers(table, book, sys.stdin.buffer):
        refused |= answer.refused
        click.echo(answer.text)
    return 65 if refused else 0
