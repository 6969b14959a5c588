"""`withstood explain`: one verdict, row by row, or all of a run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal, TypeAlias

import click

from withstood import form
from withstood.cli import options
from withstood.jobs import calibration, outputs, recorded
from withstood.jobs import header as headers
from withstood.jobs.explaining import Explainer
from withstood.jobs.kinds import Told
from withstood.journal.port import Store
from withstood.report import dossier, what_if
from withstood.report.dossier import Dossier

MOST_ON_A_PAGE = 500
Format: TypeAlias = Literal["text", "markdown", "html", "json"]


@click.command("explain")
@click.argument("run")
@click.argument("item", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "markdown", "html", "json"]), default="text")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("-o", "--out", metavar="FILE", help="Write it there instead of to stdout.")
@click.option("--supposing/--no-supposing", default=True, help="Whether to tell what would have changed ITEM.")
@click.option("--calibration", "measured", metavar="FILE", help="What `withstood calibrate` has measured.")
@options.store
def command(
    run: str,
    item: str | None,
    format_: Format,
    as_json: bool,
    out: str | None,
    supposing: bool,
    measured: str | None,
    store: str | None,
) -> int:
    """Which rows decided ITEM of RUN, on which votes and evidence, with which numbers, what the minority said, and what
    would have changed it. Without ITEM: every verdict of the run.

    RUN may be the beginning of a name, or last. ITEM is an id, or '#3' for the third row of the input.
    """
    wanted = _Wanted(run, item, "json" if as_json else format_, supposing, measured)
    pieces, code = asyncio.run(_pieces(wanted, store))
    if code:
        click.echo("".join(pieces), err=True)
    elif out:
        outputs.whole(Path(out), pieces)
    else:
        for piece in pieces:
            click.echo(piece, nl=False)
    return code


class _Wanted:
    """What is to be explained, and how."""

    def __init__(self, run: str, item: str | None, format_: Format, supposing: bool, measured: str | None) -> None:
        self.run, self.item, self.format, self.supposing = run, item, format_, supposing
        self.calibration = calibration.read(Path(measured)) if measured else None


async def _pieces(wanted: _Wanted, store: str | None) -> tuple[list[str], int]:
    async with options.opened(options.configured(store)) as kept:
        entry = await recorded.find(kept, wanted.run)
        explainer = Explainer(entry, headers.read(entry.name, entry.first), wanted.calibration)
        if wanted.item is None:
            return _told(wanted, explainer, [one async for one in explainer.of_run(kept)]), 0
        told = await explainer.kind.explain(kept, entry, explainer.known, wanted.item)
        if told.code:
            return [told.text], told.code
        return await _of_item(wanted, explainer, kept, wanted.item, told), 0


async def _of_item(wanted: _Wanted, explainer: Explainer, kept: Store, item: str, told: Told) -> list[str]:
    found = await explainer.of_item(kept, item, wanted.supposing)
    if wanted.format == "json":
        more = {"fired": found.fired, "what_if": found.supposed, "measured": found.measured or None}
        return [form.dumps({**told.data, **more}) + "\n"]
    if wanted.format == "text":
        supposed = f"\n{what_if.text(found.supposed)}" if found.supposed else ""
        measured = f"\nMeasured: {found.measured}\n" if found.measured else ""
        return [told.text, measured, supposed]
    return _told(wanted, explainer, [found])


def _told(wanted: _Wanted, explainer: Explainer, found: list[Dossier]) -> list[str]:
    if wanted.format == "json":
        return [form.dumps(one) + "\n" for one in found]
    if wanted.format == "html":
        return [dossier.as_page(explainer.case, found[:MOST_ON_A_PAGE], max(0, len(found) - MOST_ON_A_PAGE))]
    return list(dossier.as_markdown(explainer.case, found))
