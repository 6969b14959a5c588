"""`withstood status`: how far jobs are, and who works on them."""

from __future__ import annotations

import click

from withstood.cli import fleet, options


@click.command("status")
@click.argument("job", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each job.")
@options.store
def command(job: str | None, as_json: bool, store: str | None) -> int:
    """How far a job is, or all of them; which workers there are."""
    with fleet.register(options.configured(store).store) as registry:
        found = [registry.job(name) for name in ([job] if job else [one.name for one in registry.jobs()])]
        workers = registry.workers()
    for one in found:
        fleet.show(one, as_json)
    if as_json:
        return 0
    for seen in workers:
        fleet.say(f"worker {seen.name}, seen {max(0, round(seen.ago))} s ago{': ' + seen.note if seen.note else ''}")
    if not found:
        fleet.say("There are no jobs here yet. `withstood submit` queues one.")
    return 0
