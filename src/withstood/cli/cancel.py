"""`withstood cancel`: a job is stopped for good."""

from __future__ import annotations

import click

from withstood.cli import options
from withstood.cli.steering import stopped


@click.command("cancel")
@click.argument("job")
@options.store
def command(job: str, store: str | None) -> int:
    """Stop JOB for good. What was decided stays and can be collected."""
    return stopped(job, "cancelled", store)
