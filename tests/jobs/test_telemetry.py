"""What a run tells OpenTelemetry: spans in each other, counters that agree with the journal, and no text of a case."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.cli.commands import reviews, script, withstood
from tests.fakes.collector import collecting
from tests.fakes.stores import MemoryStore
from tests.jobs.studies import QUESTION, shelf
from withstood.engine.events import Deaf
from withstood.jobs import sentiment as job
from withstood.jobs.settings import Config
from withstood.jobs.telemetry import Sender

TEXTS = ("The screen is bright, but the battery is weak", "Nothing to say about it")


def test_spans_and_counters_are_those_of_the_run(tmp_path: Path) -> None:
    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    sender = Sender(tracers, MeterProvider([reader]))
    order = job.Order(TEXTS, models={"default": f"scripted:{tmp_path}/{script(tmp_path).partition(':')[2]}"})

    async def run() -> job.Ending:
        return await job.run(job.plan(order, Config()), MemoryStore(), sender.watching(lambda watch: Deaf()))

    ending = asyncio.run(run())
    sender.close()
    done = spans.get_finished_spans()
    names = Counter(span.name for span in done)
    assert names == {"run": 1, "case": 2, "ask": sum(result["asks"] for result in ending.results)}
    by_id = {span.context.span_id: span for span in done if span.context}
    for span in done:
        parents = {"run": None, "case": "run", "ask": "case"}
        assert (by_id[span.parent.span_id].name if span.parent else None) == parents[span.name]
    counted = metrics(reader)
    assert counted["withstood.asks"] == counted["withstood.answers"] == names["ask"]
    assert counted["withstood.rulings"] == 2
    told = "".join(span.to_json() for span in done) + str(reader.get_metrics_data())
    assert "battery" not in told


def metrics(reader: InMemoryMetricReader) -> Counter[str]:
    found: Counter[str] = Counter()
    data: Any = reader.get_metrics_data()
    for resource in data.resource_metrics if data else ():
        for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
            found[metric.name] += sum(getattr(point, "value", 0) for point in metric.data.data_points)
    return found


@pytest.fixture
def collector() -> Iterator[Any]:
    with collecting() as found:
        yield found


RUNS = (("sentiment", "in.csv"), ("research", "Does caching make reads faster?", "--sources", "notes", "-n", "1"))


@pytest.mark.parametrize("call", RUNS, ids=[call[0] for call in RUNS])
def test_a_run_is_sent_where_the_environment_says(tmp_path: Path, collector: Any, call: tuple[str, ...]) -> None:
    reviews(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("Caching makes reads faster than asking the database.\n")
    done = withstood(tmp_path, *call, "-o", "out", variables=collector.variables)
    assert done.code == 0, done.said
    assert set(collector.paths) == {"/v1/traces", "/v1/metrics"}


def test_nothing_is_sent_where_it_says_nothing(tmp_path: Path, collector: Any) -> None:
    reviews(tmp_path)
    assert withstood(tmp_path, "sentiment", "in.csv", "-o", "out").code == 0
    assert collector.paths == []


def test_a_research_is_sent_too(tmp_path: Path, collector: Any) -> None:
    shelf(tmp_path / "shelf")
    call = ("research", QUESTION, "--sources", "shelf", "-o", "out", "-n", "1")
    done = withstood(tmp_path, *call, variables=collector.variables)
    assert done.code == 0, done.said
    assert set(collector.paths) == {"/v1/traces", "/v1/metrics"}
    assert b"EXPLORE" in collector.sent
    assert b"read requests" not in collector.sent
