"""`withstood panel`: anybody's recorded voters, judged by published editions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from withstood.claims.pool import Choice
from withstood.cli import figures, options
from withstood.jobs import books, calibration, outputs, pool
from withstood.jobs.calibration import FORMAT, Calibration
from withstood.jobs.pool import Found, Learning
from withstood.measures.panels import Accuracy, coverage, credit
from withstood.report import chart_picture, panel
from withstood.report.panel import Paneled


@click.command("panel")
@click.argument("votes", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--learn", type=click.Choice(["gold", "votes"]), help="Reliability from gold, or from the votes alone.")
@options.settings
@click.option("--resamples", type=click.IntRange(1), default=1000, show_default=True, help="Draws an interval.")
@click.option("--export", metavar="FILE", help="Write what was learned of the voters, as a calibration.")
@click.option("-o", "--out", metavar="DIR", help="Leave a page, curves as SVG, every choice, and the JSON, there.")
@click.option("--json", "as_json", is_flag=True, help="Every figure as JSON.")
def command(
    votes: Path,
    learn: Learning | None,
    changes: dict[str, str],
    resamples: int,
    export: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Judge recorded votes by every published edition of a panel: majority, confidence, order, reliability, evidence.

    \b
    {"item": "q1", "voter": "a", "vote": "yes", "order": "ab", "grade": "STRONG", "gold": "yes"}

    FILE is JSON Lines; order, grade, confidence and gold may be left out. With gold, every edition stands beside the
    best single voter, the majority, and the best that could be made of the pool, on items held out.
    """
    found = pool.judge(pool.read(votes), books.book("published", {}, changes), learn)
    made = panel.report(_paneled(votes.name, found, resamples))
    drawn = {f"panel-{no}.svg": chart_picture.svg(one) for no, one in enumerate(made.charts, start=1)}
    figures.tell(made, out, as_json, {**drawn, "choices.jsonl": "".join(pool.lines(found))})
    if export is not None:
        outputs.whole(Path(export), [calibration.written(_calibration(votes.name, found))])
    return 65 if found.pool.refused else 0


def _paneled(name: str, found: Found, resamples: int) -> Paneled:
    curves = {edition: coverage(_credited(found, edition)) for edition in pool.EDITIONS}
    undecided = Counter(name for one in found.judged for name, choice in one.choices.items() if choice.choice is None)
    return Paneled(
        source=name,
        items=len(found.judged),
        options=len(found.pool.options),
        editions=tuple(pool.EDITIONS),
        voters=found.pool.voters,
        best_possible=pool.BEST_POSSIBLE,
        learning=found.learning,
        known=found.known,
        undecided={edition: undecided[edition] for edition in pool.EDITIONS},
        accuracy=Accuracy(found.systems, found.marked, resamples) if found.marked else None,
        curves=curves,
        refused=found.pool.refused,
    )


def _credited(found: Found, edition: str) -> list[tuple[Choice, int]]:
    chosen = [(one.choices[edition], one.ballot.gold) for one in found.judged]
    return [(choice, credit(choice, gold)) for choice, gold in chosen if gold is not None]


def _calibration(name: str, found: Found) -> Calibration:
    return Calibration(FORMAT, (name,), voters=found.known)
