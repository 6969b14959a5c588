"""`withstood sentiment convert`: labels from one layout into another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from withstood import form, lexicons
from withstood.cli import options
from withstood.jobs import conversion as job
from withstood.report.inert import visible
from withstood.sources.labels.carrying import LOSSES


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option("--from", "layout", metavar="LAYOUT", help="The layout of IN; found by its content if not given.")
@click.option("--to", metavar="LAYOUT", help="The layout of OUT; by its ending (.csv, .tsv, .jsonl) if not given.")
@click.option("--texts", metavar="FILE", help="The file that was decided, where IN is a results.jsonl.")
@click.option("--taxonomy", help="Count refs that are not in it: nikl, restaurants, laptops, generic, or a file.")
@click.option("--text-column", default="text", show_default=True, help="The column or field with the text.")
@click.option("--id-column", default="id", show_default=True, help="The column or field with the id.")
@click.option("--encoding", help="Of IN; found out if not given.")
@click.option("--json", "as_json", is_flag=True, help="What was written, refused and lost, as JSON on stdout.")
@options.store
def command(source: str, out: str, store: str | None, taxonomy: str | None, as_json: bool, **given: Any) -> int:
    """Write the labels of IN to OUT in another layout. `withstood sentiment formats` lists the layouts.

    IN is a labelled file, - for standard input, the results.jsonl of a run, or the name of a run, whose final tuples
    are then the labels. OUT is a file, or - for standard output. What the layout of OUT has no room for is left out
    and counted.

    \b
    withstood sentiment convert train.xml train.jsonl
    withstood sentiment convert last out.xml --to semeval2016
    """
    if as_json and out == "-":
        raise click.UsageError("--json needs a file as OUT: otherwise the labels themselves go to standard output.")
    texts = Path(given.pop("texts")) if given["texts"] else given.pop("texts")
    refs = _refs(taxonomy) if taxonomy else frozenset[str]()
    wanted = job.Wanted(source, "-" if out == "-" else Path(out), texts=texts, refs=refs, **given)
    made = asyncio.run(job.convert(wanted, lambda: options.opened(options.configured(store))))
    if as_json:
        click.echo(form.dumps({part.name: getattr(made, part.name) for part in fields(made)}))
    for line in _told(made, out):
        click.echo(visible(line), err=True)
    return 65 if made.refused else 0


def _refs(taxonomy: str) -> frozenset[str]:
    return frozenset(ref for refs in lexicons.conventions(taxonomy).refs.values() for ref in refs)


def _told(made: job.Converted, out: str) -> Iterator[str]:
    place = "standard output" if out == "-" else out
    yield f"{made.layout} to {made.to}: {made.texts:,} texts with {made.labels:,} labels read, {place} written."
    for fault in made.faults:
        yield f"line {fault.line}{f', {fault.id}' if fault.id else ''}: {fault.code}: {fault.message}"
    if made.refused:
        yield f"{made.refused:,} texts were refused{_and_more(made.refused, len(made.faults))}."
    yield from made.remarked
    remarks = sum(made.remarks.values())
    if remarks > len(made.remarked):
        yield f"{remarks - len(made.remarked):,} more remarks."
    for ref, times in made.unknown_refs.most_common(job.MOST_TOLD):
        yield f"not in the taxonomy, and kept: {ref} ({times:,})"
    for code, times in made.losses.items():
        if times:
            yield f"no room in {made.to}: {times:,} {LOSSES[code]}"


def _and_more(count: int, told: int) -> str:
    return f"; the first {told} are told above" if count > told else ""
