"""`withstood collect`: the results of a job, in the order of its input."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from withstood import form
from withstood.cli import fleet, options, progress


@click.command("collect")
@click.argument("job")
@click.option("-o", "--out", required=True, metavar="DIR", help="Where results and reports go.")
@click.option("--parquet", is_flag=True, help="Results also as parts of Parquet, in DIR/parquet.")
@click.option("--part", type=click.IntRange(1), default=100_000, show_default=True, help="Rows in a part.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON on stdout.")
@options.store
def command(job: str, out: str, parquet: bool, part: int, as_json: bool, store: str | None) -> int:
    """Write the results and reports of JOB, as `withstood sentiment` writes them. What is not decided yet is left
    out, and counted."""
    return asyncio.run(_collected(job, Path(out), part if parquet else None, as_json, store))


async def _collected(name: str, out: Path, part: int | None, as_json: bool, store: str | None) -> int:
    config = options.configured(store)
    with fleet.register(config.store) as registry:
        found = registry.job(name)
        from withstood.fleet import merging, parquet

        if found.commission.kind != "sentiment":
            async with options.opened(config) as texts:
                names = await merging.lay_out(found, registry, texts, out)
            click.echo(form.dumps({"job": name, "files": names}) if as_json else "\n".join(names))
            return 0
        writer = parquet.Parts(out / "parquet", part) if part else None
        async with options.opened(config) as texts:
            ending = await merging.collect(found, registry, texts, out)
        if writer:
            writer.convert(out / "results.jsonl")
    if as_json:
        click.echo(form.dumps(progress.summary(ending)))
    progress.say_ending(ending, str(out))
    if ending.undecided:
        fleet.say(f"{ending.undecided} rows are not decided. `withstood status {name}` says why.")
        return 75
    return 65 if ending.refused else 0
