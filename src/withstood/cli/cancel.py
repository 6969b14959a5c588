"""`withstood cancel`: a job is stopped for good."""

from __future__ import annotations

import click

from withstood.cli import fleet, options
from withstood.cli.steering import stopped


@click.command("cancel")
@click.argument("job")
@fleet.as_json
@options.store
def command(job: str, as_json: bool, store: str | None) -> int:
    """Stop JOB for good. What was decided stays and can be collected."""
    return stopped(job, "cancelled", as_json, store)
