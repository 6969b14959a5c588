"""Verifying a bundle: the container, every member, the chain, the rulebook, every quote against its text, and every
ruling judged again. Nothing but this package is needed, and nothing is asked."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from withstood import form
from withstood.__about__ import __version__
from withstood.agents.programmed.inspector import MOST_WIDE
from withstood.claims import citing, quote
from withstood.claims.inspection import Inspection
from withstood.claims.research import Inspected
from withstood.engine.entries import line
from withstood.engine.replay import Answered, Needs
from withstood.errors import InputError, JournalDamaged, Misfit
from withstood.jobs import archive, bundle, kinds, recorded, rulebook_file
from withstood.jobs import header as headers
from withstood.jobs.bundle import BundledRun, Manifest
from withstood.jobs.header import Header
from withstood.jobs.recorded import Recorded
from withstood.protocols import investigation_briefs, research_briefs
from withstood.protocols.asks import Ask
from withstood.sources.redaction import redact


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found to hold. `unfounded` counts the quotes whose text is not in the bundle."""

    run: str
    version: str
    head: str
    records: int
    texts: int
    rulings: int
    quotes: int
    unfounded: int = 0
    notes: tuple[str, ...] = ()


def verify(path: Path, head: str | None = None) -> Verified:
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise InputError(f"The bundle {path} cannot be read: {fault.strerror}.") from None
    return asyncio.run(verified(content, str(path), head))


async def verified(content: bytes, source: str, head: str | None = None, reports: bool = True) -> Verified:
    """`JournalDamaged` names the first place that does not hold. `reports`: whether they are made anew and compared."""
    parts = archive.unpacked(content, source)
    manifest, store = bundle.read(source, parts)
    if head is not None and manifest.head != head:
        raise store.damaged("manifest.json", f"the head {head} that you named", manifest.head)
    known = headers.read(manifest.run, store.entry.first)
    _rulebook(store, manifest, known, parts)
    _prompts(store, known, parts)
    rulings, quotes = await _rejudged(store, known)
    notes = await _reports(store, manifest, known, parts) if reports else []
    return Verified(
        run=manifest.run,
        version=manifest.version,
        head=manifest.head,
        records=manifest.records,
        texts=sum(name.startswith("texts/") for name in parts),
        rulings=rulings,
        quotes=len(quotes),
        unfounded=quotes.count(False),
        notes=(*notes, *(f"not in the bundle: {one}" for one in manifest.missing)),
    )


def _rulebook(store: BundledRun, manifest: Manifest, known: Header, parts: Mapping[str, bytes]) -> None:
    """The rulebook has the hash that the journal names, and the file says the same."""
    raw: Any = form.loads(store.entry.first)
    if form.digest(form.dumps(raw["rulebook"])) != known.rulebook_hash:
        raise store.damaged("journal.jsonl, record 1", f"the rulebook {known.rulebook_hash}", "another")
    if manifest.version == __version__:
        if parts[bundle.RULEBOOK] != bundle.rulebook(manifest.run, known):
            raise store.damaged(bundle.RULEBOOK, "the rulebook of the run", "another")
        return
    try:
        stated = rulebook_file.parsed(parts[bundle.RULEBOOK].decode("utf-8", "replace"))
    except (Misfit, ValueError) as fault:
        raise store.damaged(bundle.RULEBOOK, "the rulebook of the run", f"{fault}") from None
    if stated.book({}) != known.rulebook:
        raise store.damaged(bundle.RULEBOOK, "the rulebook of the run", "another")


def _prompts(store: BundledRun, known: Header, parts: Mapping[str, bytes]) -> None:
    """Every prompt file is one that a seat of the run names by its hash."""
    named = {digest for seat in known.seats.values() for digest in seat.prompts.values()}
    for name, part in parts.items():
        if name.startswith("prompts/") and hashlib.sha256(part).hexdigest() not in named:
            raise store.damaged(name, "a prompt of the run", "another")


async def _rejudged(store: BundledRun, known: Header) -> tuple[int, list[bool]]:
    """Every ruling, and of every quote whether its text is there."""
    kind = kinds.of(known)
    flow_of = kind.flows(known, known.rulebook)
    rulings, quotes = 0, list[bool]()
    async for case in recorded.cases(store, store.entry.name, kind.matter):
        if case.case is None or case.ruling is None:
            continue
        answered = Answered(case.answers)
        now = answered.judge(flow_of(case.case))
        ruling = case.ruling
        if isinstance(now, Needs) or line(now.result) != ruling.line or now.path != ruling.path:
            raise _diverged(store, case, known)
        rulings += 1
        for ask, value in answered.given():
            quotes += [await _founded(store, case, *one) for one in _quotes(ask, value)]
    return rulings, quotes


def _diverged(store: BundledRun, case: Recorded, known: Header) -> JournalDamaged:
    by = "" if known.version == __version__ else f" It was decided by withstood {known.version}, this is {__version__}."
    return store.damaged(
        f"journal.jsonl, item {case.id!r}", "the ruling that its answers and its rulebook give", f"another.{by}"
    )


def _quotes(ask: Ask[Any], value: Any) -> Iterator[tuple[str, str, str]]:
    """The words that code has found, each with the hash of the text where they stand."""
    brief = ask.brief
    if isinstance(value, Inspection) and isinstance(brief, investigation_briefs.CheckBrief):
        said = {one.id: one.snippet for one in brief.citations}
        for piece in value.pieces:
            if piece.seen in ("there", "comment") and piece.sha256 and piece.id in said:
                yield piece.id, said[piece.id], piece.sha256
    if isinstance(value, Inspected) and isinstance(brief, research_briefs.CheckBrief):
        words = {one.id: one.words for one in brief.observations}
        for seen in value.seen:
            if seen.found and seen.sha256 and seen.id in words:
                yield seen.id, words[seen.id], seen.sha256


async def _founded(store: BundledRun, case: Recorded, name: str, words: str, sha256: str) -> bool:
    text = await store.text(sha256)
    if text is None:
        return False
    if not (quote.stands(words, text) or _stands_in_lines(words, text)):
        raise store.damaged(f"texts/{sha256}.txt", f"the words that {name} of item {case.id!r} cites", "others")
    return True


def _stands_in_lines(words: str, text: str) -> bool:
    """As the evidence check looks for them. A log's kept lines are clipped; behind the clip nothing can be seen."""
    lines = text.splitlines()
    found = citing.find(redact(words)[0], lines, 1, (1, len(lines)))
    return found is not None or any(len(one) >= MOST_WIDE for one in lines)


async def _reports(store: BundledRun, manifest: Manifest, known: Header, parts: Mapping[str, bytes]) -> list[str]:
    if manifest.version != __version__:
        return [f"the reports were made by withstood {manifest.version}, and are not compared"]
    for name, made in (await bundle.reports(store, store.entry, known)).items():
        if parts[name] != made:
            raise store.damaged(name, "the report of this journal", "another")
    return []
