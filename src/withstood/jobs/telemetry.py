"""Traces and metrics of a run by OpenTelemetry: what the engine tells, heard as spans and counters.

One span for the run, in it one for each case, in that one for each ask. Counters of asks, answers, rulings, failed
attempts and refused rows by role; the spend of the run in calls, tokens and money. No text of a case stands in any of
them. Where they go is set by the environment (`OTEL_EXPORTER_OTLP_ENDPOINT` and its kin), or by the providers that are
passed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from withstood.__about__ import __version__
from withstood.engine.events import Event, Listener
from withstood.engine.limits import Spend
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
Figure: TypeAlias = tuple[tuple[tuple[str, str], ...], Spend]


@dataclass(frozen=True, slots=True)
class Tags:
    """What the span of a run says beside the run, and what its figures say. Figures are kept as long as the process
    lives, so they name nothing that there are many of."""

    span: Mapping[str, str | int]
    figures: Mapping[str, str]


class Telemetry:
    """Listens to one run."""

    def __init__(self, watch: Watch, instruments: _Instruments, tags: Tags, before: Spend) -> None:
        self._watch, self._instruments, self._before = watch, instruments, before
        self.figures = tags.figures
        self._run = instruments.tracer.start_span("run", attributes={"withstood.run": watch.run, **tags.span})
        self._cases: dict[str, Span] = {}
        self._asks: dict[tuple[str, str], Span] = {}

    @property
    def spent(self) -> Spend:
        return self._watch.ledger.booked - self._before

    def tell(self, event: Event, case: str, role: str = "") -> None:
        self._instruments.count(event, {**self.figures, **({"withstood.role": role} if role else {})})
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

        return self._instruments.tracer.start_span(name, set_span_in_context(parent), attributes=attributes)

    def _end(self, span: Span | None) -> None:
        if span is not None:
            span.end()

    def close(self) -> None:
        """End what is open."""
        for span in (*self._asks.values(), *self._cases.values(), self._run):
            span.end()


class _Instruments:
    """What all runs of this process tell by."""

    def __init__(self, tracers: TracerProvider, meters: MeterProvider, spent: Callable[[], Iterable[Figure]]) -> None:
        self.tracer = tracers.get_tracer(NAME, __version__)
        meter = meters.get_meter(NAME, __version__)
        self._counters = {event: meter.create_counter(name) for event, name in COUNTED.items()}
        for name in SPENT:
            meter.create_observable_gauge(f"withstood.spent.{name}", [_observer(name, spent)])

    def count(self, event: Event, attributes: Mapping[str, str]) -> None:
        if event in self._counters:
            self._counters[event].add(1, attributes)


def _observer(name: str, spent: Callable[[], Iterable[Figure]]) -> Any:
    from opentelemetry.metrics import Observation as Observed

    def observe(options: CallbackOptions) -> Iterable[Observation]:
        values = [(tags, getattr(spend, name)) for tags, spend in spent()]
        return [Observed(float(value), dict(tags)) for tags, value in values if value is not None]

    return observe


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
        self._providers, self._instruments = own, _Instruments(*own, self._spent)
        self._open: list[Telemetry] = []
        self._ended: dict[tuple[tuple[str, str], ...], Spend] = {}

    def _spent(self) -> list[Figure]:
        """By what figures say of a run: the spend of those that have ended, and of those that are open."""
        found = dict(self._ended)
        for one in tuple(self._open):
            key = tuple(one.figures.items())
            found[key] = found.get(key, Spend()) + one.spent
        return list(found.items())

    def watching(self, watching: Watching) -> Watching:
        """A run of this process alone, open until the sender is closed."""

        def both(watch: Watch) -> Listener:
            telemetry = Telemetry(watch, self._instruments, Tags({}, {"withstood.run": watch.run}), Spend())
            self._open.append(telemetry)
            return Both(watching(watch), telemetry)

        return both

    @contextmanager
    def beside(self, tags: Tags) -> Iterator[Watching]:
        """A run among others of this process. What is open at its end is ended; it is sent when there is time. Only
        what it spends here counts."""
        begun: list[Telemetry] = []

        def heard(watch: Watch) -> Listener:
            begun.append(Telemetry(watch, self._instruments, tags, watch.ledger.booked))
            self._open.append(begun[-1])
            return begun[-1]

        try:
            yield heard
        finally:
            for one in begun:
                self._end(one)

    def _end(self, one: Telemetry) -> None:
        one.close()
        self._open.remove(one)
        key = tuple(one.figures.items())
        self._ended[key] = self._ended.get(key, Spend()) + one.spent

    def close(self) -> None:
        """End all that is open, and send the rest."""
        for one in tuple(self._open):
            self._end(one)
        for provider in self._providers:
            flush = getattr(provider, "force_flush", None)
            if flush is not None:
                flush()


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
