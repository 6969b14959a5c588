"""What every room's tests share: one way to run hypothesis, and the stub model server on demand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, settings

from benchmarks import postgres_server
from benchmarks.stub_process import Served, serving

Serve: TypeAlias = Callable[..., Served]

settings.register_profile("quick", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("quick"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts stub model servers: `serve("--latency", "0.1", "--fault", "500=0.2")`. They end with the test."""
    with ExitStack() as running:
        yield lambda *options: running.enter_context(serving(*options))


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A PostgreSQL server that the tests start themselves; it does not fsync, so it is for what is written alone."""
    if postgres_server.programs() is None:
        pytest.skip("PostgreSQL is not installed: wanted initdb and postgres on PATH or in /usr/lib/postgresql/*/bin")
    with postgres_server.serving(postgres_server.UNSAFE) as server:
        yield server
