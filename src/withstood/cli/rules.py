"""`withstood rules`: rulebooks shown, compared, and written as files."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood import form
from withstood.cli import options
from withstood.errors import OutputError
from withstood.jobs import books, calibration, outputs, rulebook_file
from withstood.jobs.books import Named
from withstood.report.inert import visible
from withstood.report.sections import aligned

BOOK = "NAME|FILE|RUN"


@click.group("rules")
def command() -> None:
    """Rulebooks: which edition of each table decides, and with which numbers.

    A rulebook is a preset (published, strict), a file that ends in .toml, or that of a recorded run.
    """


@command.command("show")
@click.argument("book", metavar=BOOK, default="published")
@click.option("--json", "as_json", is_flag=True, help="The settings as JSON.")
@options.store
def show(book: str, as_json: bool, store: str | None) -> int:
    """Every setting of a rulebook, as a file that `--rules` takes."""
    (found,) = asyncio.run(_named([book], store))
    if as_json:
        click.echo(form.dumps({"name": found.name, "hash": found.hash, "settings": found.book.settings()}))
    else:
        click.echo(rulebook_file.written(found.book, f"The rulebook {visible(found.name)}."), nl=False)
    return 0


@command.command("diff")
@click.argument("one", metavar=BOOK)
@click.argument("other", metavar=BOOK)
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each setting that differs.")
@options.store
def diff(one: str, other: str, as_json: bool, store: str | None) -> int:
    """The settings in which two rulebooks differ, side by side."""
    first, second = asyncio.run(_named([one, other], store))
    there = second.book.settings()
    rows = [(name, value, there[name]) for name, value in first.book.settings().items() if value != there[name]]
    if as_json:
        for name, value, now in rows:
            click.echo(form.dumps({"setting": name, "one": value, "other": now}))
    elif rows:
        click.echo("\n".join(aligned([("setting", first.name, second.name), *rows])))
    else:
        click.echo(f"{first.name} and {second.name} say the same.", err=True)
    return 0


@command.command("new")
@click.argument("path", metavar="FILE")
@click.option("--from", "source", default="published", show_default=True, metavar=BOOK, help="What to begin with.")
@options.settings
@click.option("--calibration", "measured", metavar="FILE", help="Who was measured weighs by it.")
@options.store
def new(path: str, source: str, changes: dict[str, str], measured: str | None, store: str | None) -> int:
    """Write a rulebook to FILE, with its hash. Take the hash out to change the file by hand.

    With --calibration, as `withstood panel --export` or `withstood calibrate --export` writes it, the votes of A, B and
    C are weighed by arbiter-w1, and the evidence of investigators such as CODE-CALLCHAIN by judgement-w1.
    """
    if not rulebook_file.is_file(path):
        raise click.UsageError(f"Wanted a file that ends in {rulebook_file.SUFFIX}, found {path!r}.")
    if Path(path).exists():
        raise OutputError(f"There is a file {path} already. Name another one.")
    (found,) = asyncio.run(_named([source], store))
    weighed = calibration.read(Path(measured)).settings() if measured else {}
    book = found.book.adjusted(weighed).adjusted(changes)
    outputs.whole(Path(path), [rulebook_file.written(book, f"Begun with {visible(found.name)}.")])
    click.echo(f"{path}: {book.hash}", err=True)
    return 0


async def _named(names: list[str], store: str | None) -> list[Named]:
    async with options.opened(options.configured(store)) as kept:
        return [await books.named(name, kept) for name in names]
