"""`withstood pause`: a job is stopped for a while."""

from __future__ import annotations

import click

from withstood.cli import fleet, options
from withstood.cli.steering import stopped


@click.command("pause")
@click.argument("job")
@fleet.as_json
@options.store
def command(job: str, as_json: bool, store: str | None) -> int:
    """Stop JOB until `withstood resume`. Workers give back what they have of it."""
    return stopped(job, "paused", as_json, store)
