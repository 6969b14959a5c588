"""`withstood worker`: one more process, here or on another machine, that decides what is queued."""

from __future__ import annotations

import signal

import click

from withstood.cli import fleet, options
from withstood.cli.watched import sending
from withstood.errors import MissingExtra


@click.command("worker")
@click.option("--at-once", type=click.IntRange(1, 100), default=2, show_default=True, help="Chunks at the same time.")
@click.option(
    "--lease", type=click.FloatRange(0.5, 3600), default=30, show_default=True,
    help="Seconds of silence after which a worker counts as dead and is relieved.",
)  # fmt: skip
@click.option(
    "--patience", type=click.FloatRange(0, 86_400), default=600, show_default=True,
    help="Seconds to wait for a store that cannot be used, before giving up.",
)  # fmt: skip
@click.option("--until-idle", is_flag=True, help="End once nothing is left to decide.")
@options.store
def command(at_once: int, lease: float, patience: float, until_idle: bool, store: str | None) -> int:
    """Take chunks of jobs off the queue and decide them, until it is told to stop. SIGTERM and Ctrl-C give back what
    is under way: what was decided of it is kept."""
    config = options.configured(store)
    with fleet.register(config.store) as registry:
        registry.jobs()
    try:
        from withstood.fleet.worker import Terms, Worker
    except ModuleNotFoundError:
        raise MissingExtra("A worker", "fleet") from None
    with sending() as sender:
        worker = Worker(config.store, Terms(at_once, lease, patience, until_idle), fleet.say, sender)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *caught: worker.stop())
        fleet.say(f"worker {worker.name} takes chunks from {registry.place}")
        worker.work()
    return 0
