"""`withstood memory`: what a store of episodes holds, and taking back what should not be in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from withstood import form
from withstood.cli import options
from withstood.errors import OutputError, UsageError
from withstood.jobs import settings
from withstood.memory import opening
from withstood.memory.entries import Contents, Entry, Tombstone, line
from withstood.memory.store import EpisodeStore, replace_lines
from withstood.report.inert import visible


@click.group("memory")
def command() -> None:
    """Episodes of earlier reviews: list them, look at one, take some back, copy them out.

    Runs recall and add episodes with `withstood sentiment --memory MODE`.
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each entry.")
@options.memory_store
def list_entries(as_json: bool, memory_store: str | None) -> int:
    """List what the store holds, the oldest first; what was revoked is marked."""
    held = _contents(_store(memory_store))
    for entry in held.entries:
        row = _row(entry)
        click.echo(form.dumps(asdict(row)) if as_json else _as_text(row))
    if not held.entries and not as_json:
        click.echo("There are no episodes here yet. A run with --memory M2 or C2 adds some.", err=True)
    return 0


@command.command("show")
@click.argument("episode")
@click.option("--json", "as_json", is_flag=True, help="The line of the store.")
@options.memory_store
def show(episode: str, as_json: bool, memory_store: str | None) -> int:
    """Everything that the store knows of EPISODE (epi_000001)."""
    store = _store(memory_store)
    found = next((entry for entry in _contents(store).entries if entry.episode_id == episode), None)
    if found is None:
        raise UsageError(f"There is no episode {episode} in {store.place}. `withstood memory list` names all.")
    if as_json:
        click.echo(line(found))
    else:
        click.echo("\n".join(_told(form.write(found))))
    return 0


@command.command("revoke")
@click.argument("episodes", nargs=-1, required=True, metavar="EPISODE...")
@click.option("--why", default="", help="Kept with what is left of it.")
@click.option("--json", "as_json", is_flag=True, help="What was revoked, as JSON.")
@options.memory_store
def revoke(episodes: tuple[str, ...], why: str, as_json: bool, memory_store: str | None) -> int:
    """Take back what each EPISODE says. Its number and where it came from stay; it is never recalled again."""
    revoked = _store(memory_store).revoke(episodes, why)
    before = [one for one in dict.fromkeys(episodes) if one not in revoked]
    if as_json:
        click.echo(form.dumps({"revoked": revoked, "revoked_before": before}))
    else:
        click.echo(
            "\n".join([*(f"{one} revoked" for one in revoked), *(f"{one} was revoked before" for one in before)])
        )
    return 0


@command.command("export")
@click.option("-o", "--out", metavar="FILE", help="Where they go; without it, to standard output.")
@options.memory_store
def export(out: str | None, memory_store: str | None) -> int:
    """Copy the episodes that were not revoked, as JSON Lines that are a store of their own."""
    lines = [line(episode) for episode in _contents(_store(memory_store)).episodes]
    if out is None:
        click.echo("".join(f"{text}\n" for text in lines), nl=False)
        return 0
    try:
        replace_lines(Path(out), lines)
    except OSError as fault:
        raise OutputError(f"The episodes cannot be written to {out}: {fault.strerror}. Name another file.") from None
    click.echo(f"{len(lines)} episodes written to {visible(out)}", err=True)
    return 0


def _store(path: str | None) -> EpisodeStore:
    return opening.episodes(path or settings.load().episodes)


def _contents(store: EpisodeStore) -> Contents:
    held = store.contents()
    if held.torn:
        click.echo(visible(held.torn), err=True)
    return held


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry as it is listed."""

    episode_id: str
    episode_type: str
    source: str
    language: str | None = None
    structure: tuple[str, ...] = ()
    risk_type: str | None = None
    action_taken: str | None = None
    conflict_resolved: bool | None = None
    principle_id: str | None = None
    revoked: str | None = None
    why: str = ""


def _row(entry: Entry) -> _Row:
    source = entry.provenance.created_from_split
    if isinstance(entry, Tombstone):
        return _Row(entry.episode_id, "revoked", source, revoked=entry.revoked.timestamp, why=entry.revoked.why)
    signature, delta = entry.input_signature, entry.outcome_delta
    return _Row(
        entry.episode_id,
        entry.episode_type,
        source,
        signature.language if signature else None,
        signature.detected_structure if signature else (),
        entry.risk_type,
        entry.action_taken,
        delta.conflict_resolved if delta else None,
        entry.correction.principle_id,
    )


def _as_text(row: _Row) -> str:
    if row.revoked:
        told = f"{row.revoked} {row.why}"
    else:
        resolved = {True: "resolved", False: "open", None: "-"}[row.conflict_resolved]
        parts = (row.language, ",".join(row.structure), row.risk_type, row.action_taken, resolved, row.principle_id)
        told = "  ".join(part or "-" for part in parts)
    return visible(f"{row.episode_id}  {row.episode_type:<8} {told}  from {row.source}")


def _told(value: Any, at: str = "") -> Iterator[str]:
    """Each field on a line of its own."""
    for name, part in value.items():
        if isinstance(part, dict):
            yield from _told(part, f"{at}{name}.")
        elif part not in (None, [], ""):
            yield visible(f"{at}{name}: {part if isinstance(part, str) else form.dumps(part)}")
