"""What workers tell OpenTelemetry: the spans of their chunks, figures that name nothing there are many of, no text."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.fakes.collector import collecting
from tests.fleet.test_worker import Site, finished
from tests.fleet.work import reviews
from tests.jobs.studies import QUESTION, shelf
from withstood.engine.events import Event
from withstood.engine.limits import Ledger, Limits, Spend
from withstood.jobs.forecast import Forecast
from withstood.jobs.sitting import Watch
from withstood.jobs.telemetry import Sender, Tags

NOTHING = Forecast(1, 0, 0, 0, Spend(), Spend())
TOLD: tuple[tuple[Event, str], ...] = (("opened", ""), ("asked", "A"), ("answered", "A"), ("asked", "B"))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path, str(tmp_path / "s.db"))
    yield made
    made.end()


def test_the_chunks_of_a_worker_are_spans_of_their_own_and_one_figure() -> None:
    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    sender = Sender(tracers, MeterProvider([reader]))
    own = {"withstood.job": "j", "withstood.worker": "w"}
    for no in (1, 2):
        with sender.beside(Tags({**own, "withstood.chunk": no}, own)) as watching:
            ledger = Ledger(Limits(), Spend(calls=5, cost=Decimal(1)))  # what an earlier worker has spent
            listener = watching(Watch(f"j.00000{no}", NOTHING, ledger, 0))
            for event, role in TOLD:
                listener.tell(event, f"case {no}", role)
            ledger.booked += Spend(calls=no, cost=Decimal("0.5"))
        assert len(spans.get_finished_spans()) == 4 * no, "what is open when the worker loses the chunk is ended"
    told = {span.attributes["withstood.run"]: dict(span.attributes) for span in spans.get_finished_spans()
            if span.attributes and span.name == "run"}  # fmt: skip
    assert told == {f"j.00000{no}": {"withstood.run": f"j.00000{no}", **own, "withstood.chunk": no} for no in (1, 2)}
    points = figures(reader)
    assert points["withstood.asks"] == [(own | {"withstood.role": "A"}, 2), (own | {"withstood.role": "B"}, 2)]
    assert points["withstood.spent.calls"] == [(own, 3.0)]
    assert points["withstood.spent.cost"] == [(own, 1.0)]


def figures(reader: InMemoryMetricReader) -> dict[str, list[tuple[dict[str, Any], float]]]:
    data: Any = reader.get_metrics_data()
    metrics = [metric for resource in data.resource_metrics for scope in resource.scope_metrics
               for metric in scope.metrics]  # fmt: skip
    return {one.name: [(dict(point.attributes), point.value) for point in one.data.data_points] for one in metrics}


def test_a_worker_sends_the_spans_of_all_three_jobs(site: Site) -> None:
    reviews(site.folder / "in.csv", 4)
    shelf(site.folder / "shelf")
    (site.folder / "app.log").write_text("2026-01-01 00:00:01 ERROR refund failed: night batch is locked\n" * 3)
    site.run("submit", "sentiment", "in.csv", "--job", "texts", "--chunk", "3")
    site.run("submit", "research", QUESTION, "--sources", "shelf", "-n", "1", "--job", "reading")
    site.run("submit", "investigate", "why do refunds fail?", "--logs", "app.log", "--quick", "--job", "looking")
    with collecting() as collector:
        said = finished(site.worker("--until-idle", **collector.variables))
    assert {site.state(job)["state"] for job in ("texts", "reading", "looking")} == {"finished"}, said
    assert set(collector.paths) == {"/v1/traces", "/v1/metrics"}
    for told in (b"withstood.job", b"withstood.chunk", b"withstood.worker", b"texts.000002", b"reading", b"looking"):
        assert told in collector.sent, told
    for text in (b"battery", b"read requests", b"refund"):
        assert text not in collector.sent, text
