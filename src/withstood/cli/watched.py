"""Whoever watches a run, and telemetry beside it where the environment names a place to send it to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from withstood.jobs.sitting import Watching

if TYPE_CHECKING:
    from withstood.jobs.telemetry import Sender

PLACES = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
)


@contextmanager
def watched(watching: Watching) -> Iterator[Watching]:
    """What is open when the run ends, however it ends, is sent then."""
    with sending() as sender:
        yield sender.watching(watching) if sender else watching


@contextmanager
def sending() -> Iterator[Sender | None]:
    """Whoever sends, where the environment names a place."""
    if not any(os.environ.get(name) for name in PLACES):
        yield None
        return
    from withstood.jobs.telemetry import Sender

    sender = Sender()
    try:
        yield sender
    finally:
        sender.close()
