"""Traces and metrics of a run by OpenTelemetry: what the engine tells, heard as spans and counters.

One span for the run, in it one for each case, in that one for each ask. Counters of asks, answers, rulings, failed
attempts and refused rows by role; the spend of the run in calls, tokens and money. No text of a case stands in any of
them. Where they go is set by the environment (`OTEL_EXPORTER_OTLP_ENDPOINT` and its kin), or by the providers that are
passed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from withstood.__about__ import __version__
from withstood.engine.events import Event, Listener
from withstood.errors import MissingExtra
from withstood.jobs.sitting import Watch, Watching

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation
    from opentelemetry.trace import Span, TracerProvider

NAME = "withstood"
COUNTED: dict[Event, str] = {
    "asked": "withstood.asks",
    "answered": "withstood.answers",
    "ruled": "withstood.rulings",
    "failed": "withstood.failed_attempts",
    "refused": "withstood.refused_rows",
}
SPENT = ("calls", "tokens_in", "tokens_out", "cost")


class Telemetry:
    """Listens to one run. `close` ends what is open and sends the rest."""

    def __init__(self, watch: Watch, tracers: TracerProvider, meters: MeterProvider) -> None:
        self._watch = watch
        self._tracer = tracers.get_tracer(NAME, __version__)
        self._providers = (tracers, meters)
        meter = meters.get_meter(NAME, __version__)
        self._counters = {event: meter.create_counter(name) for event, name in COUNTED.items()}
        for name in SPENT:
            meter.create_observable_gauge(f"withstood.spent.{name}", [self._spent(name)])
        self._run = self._tracer.start_span("run", attributes={"withstood.run": watch.run})
        self._cases: dict[str, Span] = {}
        self._asks: dict[tuple[str, str], Span] = {}

    def _spent(self, name: str) -> Any:
        from opentelemetry.metrics import Observation as Observed

        def observe(options: CallbackOptions) -> Iterable[Observation]:
            value = getattr(self._watch.ledger.booked, name)
            return [] if value is None else [Observed(float(value), {"withstood.run": self._watch.run})]

        return observe

    def tell(self, event: Event, case: str, role: str = "") -> None:
        if event in self._counters:
            attributes = {"withstood.run": self._watch.run} | ({"withstood.role": role} if role else {})
            self._counters[event].add(1, attributes)
        if event == "opened":
            self._cases[case] = self._begun("case", self._run, {"withstood.case": case})
        elif event == "asked":
            self._asks[case, role] = self._begun("ask", self._cases.get(case, self._run), {"withstood.role": role})
        elif event == "answered":
            self._end(self._asks.pop((case, role), None))
        elif event == "ruled":
            self._end(self._cases.pop(case, None))
        elif (case, role) in self._asks:
            self._asks[case, role].add_event(event)

    def _begun(self, name: str, parent: Span, attributes: dict[str, str]) -> Span:
        from opentelemetry.trace import set_span_in_context

        return self._tracer.start_span(name, set_span_in_context(parent), attributes=attributes)

    def _end(self, span: Span | None) -> None:
        if span is not None:
            span.end()

    def close(self) -> None:
        for span in (*self._asks.values(), *self._cases.values(), self._run):
            span.end()
        for provider in self._providers:
            flush = getattr(provider, "force_flush", None)
            if flush is not None:
                flush()


class Both:
    """Two listeners that are told the same."""

    def __init__(self, one: Listener, other: Listener) -> None:
        self._one, self._other = one, other

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self._one.tell(event, case, role)
        self._other.tell(event, case, role)


class Sender:
    """Makes every run that is watched tell its telemetry as well. Without providers, those of the environment."""

    def __init__(self, tracers: TracerProvider | None = None, meters: MeterProvider | None = None) -> None:
        own = (tracers, meters) if tracers is not None and meters is not None else _from_environment()
        self._tracers, self._meters = own
        self._open: list[Telemetry] = []

    def watching(self, watching: Watching) -> Watching:
        def both(watch: Watch) -> Listener:
            telemetry = Telemetry(watch, self._tracers, self._meters)
            self._open.append(telemetry)
            return Both(watching(watch), telemetry)

        return both

    def close(self) -> None:
        for one in self._open:
            one.close()
        self._open.clear()


def _from_environment() -> tuple[TracerProvider, MeterProvider]:
    try:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider as Meters
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider as Tracers
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("Telemetry", "otel") from None
    resource = Resource.create({"service.name": NAME, "service.version": __version__})
    tracers = Tracers(resource=resource)
    tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return tracers, Meters([PeriodicExportingMetricReader(OTLPMetricExporter())], resource=resource)
