"""What `withstood cancel` and `withstood pause` share."""

from __future__ import annotations

from typing import Any

from withstood.cli import fleet, options


def stopped(job: str, state: Any, as_json: bool, store: str | None) -> int:
    with fleet.queued(options.configured(store).store) as (registry, queue):
        from withstood.fleet import jobs

        fleet.show(jobs.stop(job, state, registry, queue), as_json)
    return 0
