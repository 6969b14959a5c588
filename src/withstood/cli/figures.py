"""Options and output of the commands that tell figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click

from withstood import form
from withstood.cli.options import F
from withstood.jobs.outputs import Folder
from withstood.report import figures_page, sections
from withstood.report.inert import visible
from withstood.report.sections import Report

NOTHING: Mapping[str, str] = MappingProxyType({})


def options(command: F) -> F:
    """Gold, draws, and where the figures go."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Every figure as JSON."),
        click.option("-o", "--out", metavar="DIR", help="Leave a page with every interval drawn, and the JSON, there."),
        click.option("--resamples", type=click.IntRange(1), default=1000, show_default=True, help="Draws an interval."),
        click.option("--layout", help="Of the gold; found out if not given."),
        click.option("--gold", metavar="FILE", type=click.Path(path_type=Path), help="Labels of the same texts."),
    ):
        command = option(command)
    return command


def tell(report: Report, out: str | None, as_json: bool, others: Mapping[str, str] = NOTHING) -> None:
    """Figures on standard output and, with a folder, in files, `others` among them; notes on standard error."""
    if out is not None:
        folder = Folder(Path(out))
        page, data = figures_page.render(report), form.dumps(report.data) + "\n"
        folder.finish({f"{report.name}.html": page, f"{report.name}.json": data, **others})
        folder.close()
    click.echo(form.dumps(report.data) if as_json else sections.text(report), nl=as_json)
    for note in report.notes:
        click.echo(visible(note), err=True)
