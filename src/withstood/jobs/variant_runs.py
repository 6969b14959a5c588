"""Variants that need answers which nobody gave: each becomes a run of its own. Answers that are known are reused."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from withstood import databases, form
from withstood.claims.case import Case, Conventions
from withstood.engine.limits import Limits, Spend
from withstood.errors import ConfigError, InputError, WithstoodError
from withstood.jobs import ablation, decided, recorded
from withstood.jobs import sentiment as job
from withstood.jobs.ablation import Answered, Wanted, given
from withstood.jobs.decided import Run
from withstood.jobs.forecast import Size
from withstood.jobs.header import Header, Input, Seat
from withstood.jobs.sentiment import Ending, Order, Plan, Source
from withstood.jobs.settings import Config
from withstood.jobs.sitting import Watching
from withstood.jobs.variants import Variant, variants
from withstood.journal.port import Store
from withstood.report.ablation import Ablated
from withstood.rules import memory_condition
from withstood.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Panel:
    """Who is asked, and within which limits: all variants together keep them. It must be the panel of the run."""

    models: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits | None = None


async def again(
    run: str,
    known: Header,
    book: Rulebook,
    panel: Panel,
    config: Config,
    store: Store,
    out: str | None,
    watching: Watching | None = None,
) -> Ending:
    """The texts of a run decided under another rulebook, as a run of its own that is named for both. What was answered
    is not asked again."""
    source = await decided.source(store, run)
    if not isinstance(source, Run):
        raise InputError(f"{run} is no run: without its journal there are no answers to judge again.")
    name = f"{run}.{book.hash[:8]}"[-64:]
    taken = {entry.name for entry in await store.runs()}
    live = _Live(source, panel, replace(config, set={}), store, watching)
    cases = [case.case async for case in recorded.in_order(recorded.cases(store, run, Case)) if case.case]
    planned = live.planned(known.protocol, book, cases, name, name in taken)
    order = replace(planned.order, out=Path(out) if out else "-")
    return await job.run(replace(planned, order=order), store, watching)


async def ablate(
    wanted: Wanted, panel: Panel, config: Config, store: Store, watching: Watching | None = None
) -> tuple[Ablated, WithstoodError | None]:
    """The table with every variant that could be asked for, and what stopped the asking where something did."""
    first = await ablation.ablate(wanted, store)
    run = await decided.source(store, wanted.run)
    needy = [row.name for row in first.rows if row.needs]
    if not needy or not isinstance(run, Run):
        return first, None
    cases = [case.case async for case in recorded.in_order(recorded.cases(store, run.name, Case)) if case.case]
    with TemporaryDirectory() as scratch:
        live = _Live(run, panel, replace(config, set={}), store, watching, Path(scratch))
        lives, error = await live.all([one for one in variants(run.header) if one.name in needy], cases)
    return await ablation.ablate(wanted, store, lives), error


@dataclass(slots=True)
class _Live:
    """Asks for one variant after the other, until a limit or a fault stops it."""

    run: Run
    panel: Panel
    config: Config
    store: Store
    watching: Watching | None
    scratch: Path | None = None
    spent: Spend = Spend()

    async def all(
        self, wanted: Sequence[Variant], cases: Sequence[Case]
    ) -> tuple[Mapping[str, Answered], WithstoodError | None]:
        lives: dict[str, Answered] = {}
        taken = {entry.name for entry in await self.store.runs()}
        for variant in wanted:
            name = run_of(self.run.name, variant)
            known = self.run.header
            planned = self.planned(variant.protocol_of(known), variant.book(known), cases, name, name in taken)
            ending = await job.run(planned, self.store, self.watching)
            self.spent += ending.spent
            lives[variant.name] = await _answered(Run(self.store, name, planned.header()))
            if ending.error is not None:
                return lives, ending.error
        return lives, None

    def planned(self, protocol: str, book: Rulebook, cases: Sequence[Case], name: str, resume: bool) -> Plan:
        known = self.run.header
        order = Order(
            source=tuple([case.text for case in cases]),
            protocol=protocol,
            models=self.panel.models,
            rules=book,
            limits=_left(self.panel.limits or self.config.limits, self.spent),
            run=name,
            resume=resume,
            reuse=True,
            memory_store=self._memory(book),
        )
        planned = replace(
            job.plan(order, self.config), source=_source(known, cases), agreed=form.read(Conventions, known.agreed)
        )
        _check_same(known, planned)
        return planned

    def _memory(self, book: Rulebook) -> str | None:
        """A variant that keeps episodes keeps them in a copy: taking a run apart adds nothing to the user's store."""
        if self.scratch is None or not memory_condition.under(book.memory.condition).write:
            return None
        if databases.is_url(self.config.episodes):
            raise ConfigError(
                "A variant that keeps episodes works on a copy of their store, and this one is in a database. Leave "
                "it out with --only, or name a file as memory_store."
            )
        theirs = Path(self.config.episodes)
        copy = self.scratch / book.memory.condition / theirs.name
        if not copy.parent.exists():
            copy.parent.mkdir()
            if theirs.exists():
                shutil.copyfile(theirs, copy)
        return str(copy)


def run_of(run: str, variant: Variant) -> str:
    """The name of a variant's own run."""
    return f"{run}.{'-'.join(part for part in _plain(variant.name).split() if part)}"[:64]


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() else " " for sign in name)


def _source(known: Header, cases: Sequence[Case]) -> Source:
    """The texts of the run as they stand in its journal; rows that were refused are not among them."""
    fresh = [replace(case, no=no) for no, case in enumerate(cases, start=1)]
    size = Size(len(fresh), 0, sum(len(case.text.encode()) for case in fresh))
    return Source(Input(known.input.name, known.input.sha256, len(fresh)), size, lambda: iter(fresh))


def _left(limits: Limits, spent: Spend) -> Limits:
    """What the variants before have left of the limits."""
    return replace(
        limits,
        calls=None if limits.calls is None else max(0, limits.calls - spent.calls),
        tokens=None if limits.tokens is None else max(0, limits.tokens - spent.tokens),
        money=None if limits.money is None or spent.cost is None else max(limits.money - spent.cost, 0 * limits.money),
    )


def _check_same(known: Header, planned: Plan) -> None:
    """Another panel would be another experiment. Seats that the run did not have are free."""
    now = planned.header().seats
    for role, seat in known.seats.items():
        if role in now and not _is_same(now[role], seat):
            raise ConfigError(
                f"The run was decided with {seat.agent} as {role}; now {now[role].agent} would be asked, or by another "
                "prompt. Name the models of the run with --model."
            )


def _is_same(now: Seat, then: Seat) -> bool:
    """The same agent with the same prompts. An agent in more seats may have more of them."""
    shared = now.prompts.keys() & then.prompts.keys()
    return now.agent == then.agent and all(now.prompts[name] == then.prompts[name] for name in shared)


async def _answered(run: Run) -> Answered:
    return {(one.line.id, one.text_hash): given(one.line) async for one in run.decided()}
