"""Dossiers: why a verdict of any job is what it is, as Markdown, as a page and as data: every row that fired, on which
votes and evidence, with which numbers, against whom, and what would have changed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from withstood.report import what_if
from withstood.report.inert import markdown, visible_lines
from withstood.report.page import template
from withstood.report.what_if import WhatIf
from withstood.verdict import Step

FENCE = "```"


@dataclass(frozen=True, slots=True)
class Fired:
    """A step with the sentence of its row, and the settings that its table had."""

    step: Step
    sentence: str
    numbers: tuple[tuple[str, str], ...]

    @property
    def told(self) -> str:
        ruling = self.step.ruling
        row = f"row {ruling.row}: " if ruling.row else ""
        return f"{row}{ruling.outcome}" + (f" ({ruling.because})" if ruling.because else "")


@dataclass(frozen=True, slots=True)
class Dossier:
    """One item. `measured` is the share of such verdicts that was right, where that is known."""

    item: str
    headline: str
    text: str | None
    fired: tuple[Fired, ...]
    silent: tuple[tuple[str, str], ...] = ()
    supposed: WhatIf | None = None
    measured: str = ""

    def by_item(self) -> Mapping[str, Sequence[Fired]]:
        """Steps on one thing together, in the order in which the things come up."""
        found: dict[str, list[Fired]] = {}
        for one in self.fired:
            found.setdefault(one.step.item, []).append(one)
        return found


@dataclass(frozen=True, slots=True)
class Case:
    """The run that dossiers are of."""

    run: str
    protocol: str
    rulebook: str
    rulebook_hash: str
    head: str


def as_markdown(case: Case, dossiers: Iterable[Dossier]) -> Iterator[str]:
    yield f"# {markdown(case.run)}\n\n"
    yield f"Protocol {markdown(case.protocol)}, rulebook {markdown(case.rulebook)} `{case.rulebook_hash}`, "
    yield f"journal `{case.head}`.\n"
    for one in dossiers:
        yield "\n".join(_markdown(one)) + "\n"


def _markdown(one: Dossier) -> Iterator[str]:
    measured = f" ({markdown(one.measured)})" if one.measured else ""
    yield f"\n## {markdown(one.item)}: {markdown(one.headline)}{measured}\n"
    if one.text is not None:
        yield from [f"> {markdown(line)}" for line in one.text.splitlines()]
        yield ""
    for item, fired in one.by_item().items():
        yield f"### {markdown(item) or 'The whole'}\n"
        yield "| table | ruling | the row says | looked at | numbers | minority |\n|---|---|---|---|---|---|"
        yield from [_row(step) for step in fired]
        yield ""
    if one.silent:
        yield "### Without an answer\n"
        yield from [f"- {markdown(role)}: {markdown(why)}" for role, why in one.silent]
    if one.supposed is not None:
        yield f"\n### What would have changed it\n\n{FENCE}text"
        yield from what_if.parts(one.supposed)
        yield FENCE


def _row(fired: Fired) -> str:
    step = fired.step
    cells = (
        step.table,
        fired.told,
        fired.sentence,
        "; ".join(step.on),
        ", ".join(f"{name}={value}" for name, value in fired.numbers),
        "; ".join(f"{one.voter}: {one.said}{f' ({one.because})' if one.because else ''}" for one in step.minority),
    )
    return "| " + " | ".join(markdown(cell) for cell in cells) + " |"


def as_page(case: Case, dossiers: Sequence[Dossier], left_out: int = 0) -> str:
    supposed = [visible_lines("\n".join(what_if.parts(one.supposed))) if one.supposed else "" for one in dossiers]
    page = template("dossier.html.j2")
    return page.render(case=case, dossiers=list(zip(dossiers, supposed, strict=True)), left_out=left_out)
