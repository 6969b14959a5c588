"""What is done to a job from outside: submit, look at, stop, let go on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from withstood.errors import ConfigError, UsageError
from withstood.fleet.commission import AT_ONCE, CHUNK, MOST_TRIES, Commission, Piece, Question, written
from withstood.fleet.cutting import cut
from withstood.fleet.deciding import close
from withstood.fleet.queue import Queue
from withstood.fleet.registry import Job, JobState, Registry
from withstood.fleet.units import study_of
from withstood.form import shown
from withstood.jobs import books, investigation, research, sentiment
from withstood.jobs.settings import Config
from withstood.journal.port import Store


def checked(name: str) -> str:
    if not re.fullmatch(r"\w[\w-]{0,40}", name):
        raise ConfigError(f"Wanted a job's name of letters, digits, '_' and '-', at most 41; found {shown(name)}.")
    return name


async def submit(
    name: str,
    planned: sentiment.Plan,
    store: Store,
    registry: Registry,
    *,
    chunk: int = CHUNK,
    at_once: int = AT_ONCE,
    most_tries: int = MOST_TRIES,
) -> Job:
    """Everything is kept before the job is entered in one piece; a job that is entered is queued by any worker."""
    try:
        _check(name, planned, registry)
        config = _told(planned.config)
        known = planned.header()
        commission = Commission("sentiment", planned.order.protocol, config, known, at_once, most_tries)
        registry.add(name, commission, await cut(planned.source.matters(), store, chunk))
        return registry.job(name)
    finally:
        await close(planned.panel)


async def submit_investigation(
    name: str, known: Question, planned: investigation.Plan, store: Store, registry: Registry
) -> Job:
    """A job of one unit."""
    try:
        _check_name(name, registry)
        source = await store.keep_text(written(known))
        commission = Commission(investigation.JOB, "investigation", _told(planned.config), planned.header(), at_once=1)
        registry.add(name, commission, [Piece(1, 0, source, 1)])
        return registry.job(name)
    finally:
        await close(planned.panel)


async def submit_research(name: str, planned: research.Plan, store: Store, registry: Registry) -> Job:
    """A job of one unit."""
    try:
        _check_name(name, registry)
        source = await store.keep_text(written(study_of(planned)))
        commission = Commission(research.JOB, "research", _told(planned.config), research.header(planned), at_once=1)
        registry.add(name, commission, [Piece(1, 0, source, 1)])
        return registry.job(name)
    finally:
        for finder in planned.opened:
            finder.close()
        await close(planned.panel)


def _told(config: Config) -> Config:
    """As workers are told it: each names the store itself, and the URL of one may hold a password; a rulebook's file
    need not be where they are."""
    preset, changes = books.spelled_out(config.rules, {name: str(value) for name, value in config.set.items()})
    return replace(config, store="", rules=preset, set=changes)


def _check(name: str, planned: sentiment.Plan, registry: Registry) -> None:
    if planned.memory is not None:
        raise UsageError(
            "A job does not recall episodes: what its chunks learn would depend on which is quicker. Leave out "
            "--memory and what withstood.toml says of it, or decide the file with `withstood sentiment`."
        )
    if planned.config.limits.seconds is not None:
        raise UsageError(
            "A job of many chunks has no limit in time: its workers come and go. Limit its calls, tokens or money, "
            "and leave out --most-seconds and limits.seconds."
        )
    _check_name(name, registry)


def _check_name(name: str, registry: Registry) -> None:
    if checked(name) in [job.name for job in registry.jobs()]:
        raise ConfigError(f"There is a job {name} already. Choose another name, or collect that one.")


def stop(name: str, state: JobState, registry: Registry, queue: Queue) -> Job:
    """Pause a job or cancel it: workers give back what they have of it."""
    job = registry.job(name)
    only = ("queued",) if state == "paused" else ("queued", "paused", "stopped", "parked")
    if not registry.turn_to(name, state, only=only):
        raise UsageError(f"Job {name} is {job.state}: it cannot be {state} any more.")
    queue.forget((name, chunk.no) for chunk in job.chunks if chunk.state != "done")
    return registry.job(name)


def resume(name: str, registry: Registry, queue: Queue, changed: Callable[[Commission], Commission] | None) -> Job:
    """Let a job go on that was paused, stopped at a limit or parked, and try again what was set aside."""
    job = registry.job(name)
    if job.state == "cancelled" or (job.state == "finished" and not job.count("aside")):
        raise UsageError(f"Job {name} is {job.state}: there is nothing to resume.")
    if changed is not None:
        registry.recommission(name, changed(job.commission))
    registry.wait_again(name)
    registry.turn_to(name, "queued", only=("queued", "paused", "stopped", "parked", "finished"))
    queue.put([chunk for chunk in registry.due() if chunk[0] == name])
    return registry.job(name)
