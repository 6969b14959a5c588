"""`withstood resume`: a job goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from withstood import form
from withstood.cli import fleet, options
from withstood.engine.limits import Limits

if TYPE_CHECKING:
    from withstood.fleet.commission import Commission


@click.command("resume")
@click.argument("job")
@options.limits
@fleet.as_json
@options.store
def command(job: str, as_json: bool, store: str | None, **given: Any) -> int:
    """Let JOB go on: after a pause, after a limit (give a new one), after a fault. What was set aside is tried anew."""
    named = {name: given[name] for name in options.LIMITS if given[name] is not None}

    def raised(known: Commission) -> Commission:
        limits = form.read(Limits, form.write(known.config.limits) | named, "limit")
        return replace(known, config=replace(known.config, limits=limits))

    with fleet.queued(options.configured(store).store) as (registry, queue):
        from withstood.fleet import jobs

        fleet.show(jobs.resume(job, registry, queue, raised if named else None), as_json)
    return 0
