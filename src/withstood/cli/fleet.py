"""What the commands of the fleet share: a register, a queue, and how a job is shown."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from withstood import form
from withstood.errors import MissingExtra
from withstood.report.inert import visible

if TYPE_CHECKING:
    from withstood.fleet.commission import Commission
    from withstood.fleet.queue import Queue
    from withstood.fleet.registry import Chunk, Job, Registry


@contextmanager
def register(named: str) -> Generator[Registry]:
    try:
        from withstood.fleet.registry import Registry
    except ModuleNotFoundError:
        raise MissingExtra("A job for many workers", "fleet") from None
    registry = Registry(named)
    try:
        yield registry
    finally:
        registry.close()


@contextmanager
def queued(named: str) -> Generator[tuple[Registry, Queue]]:
    with register(named) as registry:
        registry.jobs()  # what is wrong with the store is said in its own words
        from withstood.fleet.queue import Queue

        queue = Queue(named)
        try:
            yield registry, queue
        finally:
            queue.close()


def summary(job: Job) -> dict[str, Any]:
    """A job as data."""
    spent = job.spent
    return {
        "job": job.name,
        "kind": job.commission.kind,
        "state": job.state,
        "why": job.why,
        "input": job.commission.header.input.name,
        "rows": job.rows,
        "decided": sum(_decided(one, job.commission) for one in job.chunks),
        "chunks": {state: job.count(state) for state in ("waiting", "running", "done", "aside")},
        "spent": {
            "calls": spent.calls,
            "tokens_in": spent.tokens_in,
            "tokens_out": spent.tokens_out,
            "cost": spent.cost,
        },
        "aside": [{"chunk": one.no, "tries": one.tries, "why": one.why} for one in job.chunks if one.state == "aside"],
    }


def _decided(one: Chunk, known: Commission) -> int:
    if one.state == "done":
        return one.rows
    return 0 if known.is_unit else min(one.decided, one.rows)


as_json = click.option("--json", "as_json", is_flag=True, help="The job as one JSON line.")


def show(job: Job, as_json: bool) -> None:
    click.echo(form.dumps(summary(job)) if as_json else told(job))


def told(job: Job) -> str:
    said = summary(job)
    chunks = " · ".join(f"{count} {state}" for state, count in said["chunks"].items() if count)
    lines = [f"{job.name}: {job.state}, {said['decided']} of {job.rows} rows, chunks: {chunks or 'none'}"]
    if said["spent"]["calls"]:
        cost = said["spent"]["cost"]
        price = "" if cost is None else f", {cost}"
        lines.append(f"  at most {said['spent']['calls']} calls, {spent_tokens(said)} tokens{price}")
    lines += [f"  {job.why}"] if job.why else []
    lines += [f"  chunk {one['chunk']} is set aside: {one['why']}" for one in said["aside"]]
    lines += [f"  chunk {one.no} waits: {one.why}" for one in job.chunks if one.state == "waiting" and one.why][:10]
    return "\n".join(visible(line) for line in lines)


def spent_tokens(said: dict[str, Any]) -> int:
    return said["spent"]["tokens_in"] + said["spent"]["tokens_out"]


def say(text: str) -> None:
    click.echo(visible(text), err=True)
