"""What `withstood cancel` and `withstood pause` share."""

from __future__ import annotations

from typing import Any

import click

from withstood.cli import fleet, options


def stopped(job: str, state: Any, store: str | None) -> int:
    with fleet.queued(options.configured(store).store) as (registry, queue):
        from withstood.fleet import jobs

        click.echo(fleet.told(jobs.stop(job, state, registry, queue)))
    return 0
