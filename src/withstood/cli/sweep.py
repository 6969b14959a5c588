"""`withstood sweep`: how the verdicts of a run move with the settings."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click

from withstood.cli import figures, options, sweep_part
from withstood.cli.options import F
from withstood.jobs import axes, marking, sweeping
from withstood.jobs.axes import Axis
from withstood.jobs.sweeping import Order, Swept
from withstood.report import chart_picture, sweep
from withstood.report.sections import Report


def _axes(command: F) -> F:
    return click.option(
        "--set",
        "swept",
        multiple=True,
        required=True,
        metavar="KEY=VALUES",
        help="A setting and its values: mass.factor=1.5,2,3 or strength.per_support=0.05..0.2 or 0.05..0.2/16.",
    )(command)


@click.command("sweep")
@click.argument("run")
@_axes
@click.option("--rules", multiple=True, metavar="NAME|FILE|KEY=VALUE", help="What every point begins with.")
@click.option("--gold", metavar="FILE", type=click.Path(path_type=Path), help="Labels, or an answer key.")
@click.option("--layout", help="Of the labels; found out if not given.")
@click.option("--processes", type=click.IntRange(1), help="At the same time [as many as there are processors].")
@click.option("-o", "--out", metavar="DIR", help="Leave a page, the chart as SVG, and the JSON, there.")
@click.option("--json", "as_json", is_flag=True, help="Every point as JSON.")
@options.store
def command(run: str, swept: tuple[str, ...], out: str | None, as_json: bool, **given: Any) -> int:
    """Judge RUN again at many rulebooks, and show how its verdicts move; with --gold, how well they do.

    \b
    withstood sweep last --set conflicts.theta=0.4..0.9
    withstood sweep last --set arbiter=v1,v2 --set arbiter.reason_gate=off,on --gold labelled.xml -o swept/

    No model is called. Where a point would ask something that nobody has answered, the case is counted as open.
    """
    found = [axes.axis(one) for one in swept]
    config = options.configured(given["store"])
    order = Order(
        store=config.store,
        run=run,
        points=tuple(axes.points(found)),
        rules=given["rules"],
        gold=str(given["gold"]) if given["gold"] else None,
        layout=given["layout"],
    )
    made = _report(run, found, order, asyncio.run(_swept(order, given["processes"])))
    drawn = {f"sweep-{no}.svg": chart_picture.svg(one) for no, one in enumerate(made.charts, start=1)}
    figures.tell(made, out, as_json, drawn)
    return 0


async def _swept(order: Order, processes: int | None) -> Swept:
    async with options.opened(options.configured(order.store)) as store:
        return await sweeping.sweep(order, store, sweep_part.COMMAND, processes)


def _report(run: str, found: list[Axis], order: Order, swept: Swept) -> Report:
    settings = tuple([one.setting for one in found])
    points = [
        sweep.Point(
            tuple(point.values()),
            one.decided,
            one.changed,
            one.open,
            one.answers,
            one.headlines,
            one.moves,
            marking.value(swept.measure, one.marks) if swept.measure else None,
        )
        for point, one in zip(order.points, swept.tallies, strict=True)
    ]
    return sweep.report(sweep.Sweep(run, settings, swept.cases, swept.measure, swept.matched, tuple(points)))
