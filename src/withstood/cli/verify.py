"""`withstood verify`: whether a bundle is as it was exported, and comes to the verdicts that it tells."""

from __future__ import annotations

from pathlib import Path

import click

from withstood import form
from withstood.jobs import verifying
from withstood.report.inert import visible


@click.command("verify")
@click.argument("bundle", metavar="BUNDLE", type=click.Path(path_type=Path))
@click.option("--head", metavar="HASH", help="The head of the journal, as you know it from elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="What was found to hold, as JSON.")
def command(bundle: Path, head: str | None, as_json: bool) -> int:
    """Check BUNDLE: its bytes, the chain of its journal, its rulebook, every quote against the kept text; and judge
    every ruling again. Nothing is asked, nothing is written.

    A bundle that anybody could have made anew is only as good as the head that you compare it with: --head.
    """
    found = verifying.verify(bundle, head)
    if as_json:
        click.echo(form.dumps(found))
        return 0
    click.echo(
        f"{visible(found.run)} holds: {found.records:,} records, {found.rulings:,} rulings judged again, "
        f"{found.quotes:,} quotes found in {found.texts:,} texts. Head: {found.head}"
    )
    if found.unfounded:
        click.echo(f"{found.unfounded:,} quotes could not be looked for: their texts are not in the bundle.", err=True)
    for note in found.notes:
        click.echo(visible(note), err=True)
    return 0
