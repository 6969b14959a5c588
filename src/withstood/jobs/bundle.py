"""Bundles: a run with all that its verdicts depend on, in one file that anybody with this package can verify.

| member | what |
|---|---|
| `manifest.json` | the run, the head of its journal, the SHA-256 of every other member |
| `journal.jsonl` | every record with its place and the hash that chains it to the one before |
| `texts/SHA256.txt` | the kept texts that evidence points into |
| `prompts/LANGUAGE/NAME` | the prompt files of the run, as far as this version still has them |
| `rulebook.toml` | the rulebook, which has its own hash |
| `report.md`, `report.html` | every verdict, row by row |
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from withstood import form
from withstood.__about__ import __version__
from withstood.errors import JournalDamaged, JournalError, Misfit
from withstood.form import Json
from withstood.jobs import header as headers
from withstood.jobs import rulebook_file
from withstood.jobs.explaining import Explainer
from withstood.jobs.header import Header
from withstood.journal.port import Kept, Record, RunEntry, Shelf, link, seed, text_hash
from withstood.report import dossier

FORMAT = "withstood bundle 1"
MANIFEST, JOURNAL, RULEBOOK = "manifest.json", "journal.jsonl", "rulebook.toml"
REPORTS = ("report.md", "report.html")
MOST_ON_A_PAGE = 500
_HASHES = re.compile(r'"sha256":"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """`missing` are hashes of texts and names of prompts that the exporter did not have."""

    format: str
    version: str
    run: str
    head: str
    records: int
    members: tuple[Member, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A record as it stands in `journal.jsonl`."""

    seq: int
    kind: str
    item: int
    key: str | None
    body: str
    hash: str

    def kept(self) -> Kept:
        return Kept(self.seq, Record(self.kind, self.item, self.body, self.key), self.hash)


# --- writing -----------------------------------------------------------------------------------


async def members(store: Shelf, entry: RunEntry) -> dict[str, bytes]:
    """The members of the bundle of a run."""
    known = headers.read(entry.name, entry.first)
    lines, wanted, last = list[str](), dict[str, None](), ""
    async for chunk in store.records(entry.name):
        for kept in chunk:
            seq, (kind, item, body, key), last = kept
            lines.append(form.dumps(Line(seq, kind, item, key, body, last)) + "\n")
            wanted |= dict.fromkeys(_HASHES.findall(body)) if kind == "answer" else {}
    found: dict[str, bytes] = {JOURNAL: "".join(lines).encode("utf-8", "surrogatepass")}
    missing = await _texts(store, list(wanted), found) + _prompts(known, found)
    found[RULEBOOK] = rulebook(entry.name, known)
    found |= await reports(store, entry, known)
    listed = tuple([Member(name, hashlib.sha256(part).hexdigest(), len(part)) for name, part in found.items()])
    manifest = Manifest(FORMAT, __version__, entry.name, last, len(lines), listed, tuple(missing))
    return {MANIFEST: (form.dumps(manifest) + "\n").encode(), **found}


def rulebook(run: str, known: Header) -> bytes:
    return rulebook_file.written(known.rulebook, f"The rulebook of run {run}.").encode()


async def _texts(store: Shelf, wanted: Sequence[str], found: dict[str, bytes]) -> list[str]:
    missing: list[str] = []
    for sha256 in wanted:
        text = await store.text(sha256)
        if text is None:
            missing.append(sha256)
        else:
            found[f"texts/{sha256}.txt"] = text.encode("utf-8", "surrogatepass")
    return missing


def _prompts(known: Header, found: dict[str, bytes]) -> list[str]:
    """The files whose hashes the seats of the run name."""
    files = dict(_prompt_files(resources.files("withstood.agents.prompted") / "prompts", "prompts"))
    by_hash = {hashlib.sha256(part).hexdigest(): (name, part) for name, part in files.items()}
    missing: list[str] = []
    for name, digest in sorted({pair for seat in known.seats.values() for pair in seat.prompts.items()}):
        if digest in by_hash:
            place, part = by_hash[digest]
            found[place] = part
        else:
            missing.append(f"prompt {name} {digest}")
    return missing


def _prompt_files(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for part in sorted(folder.iterdir(), key=lambda one: one.name):
        place = f"{name}/{part.name}"
        found += _prompt_files(part, place) if part.is_dir() else [(place, part.read_bytes())]
    return found


async def reports(store: Shelf, entry: RunEntry, known: Header) -> dict[str, bytes]:
    explainer = Explainer(entry, known)
    dossiers = [one async for one in explainer.of_run(store)]
    text = "".join(dossier.as_markdown(explainer.case, dossiers))
    page = dossier.as_page(explainer.case, dossiers[:MOST_ON_A_PAGE], max(0, len(dossiers) - MOST_ON_A_PAGE))
    return dict(zip(REPORTS, (text.encode("utf-8", "replace"), page.encode("utf-8", "replace")), strict=True))


# --- reading -----------------------------------------------------------------------------------


class BundledRun:
    """The one run of a bundle, read as from any store, when every record of it was held against the chain."""

    def __init__(self, source: str, manifest: Manifest, parts: Mapping[str, bytes]) -> None:
        self._source, self._manifest, self._parts = source, manifest, parts
        self._kept = self._chained()
        first, last = self._kept[0], self._kept[-1]
        self.entry = RunEntry(
            manifest.run, len(self._kept), first.record.body, last.record.kind, last.record.body, last.hash
        )

    @property
    def torn(self) -> Sequence[str]:
        return ()

    def _chained(self) -> list[Kept]:
        kept: list[Kept] = []
        hashed = seed(self._manifest.run)
        for no, row in enumerate(self._parts[JOURNAL].decode("utf-8", "surrogatepass").split("\n")[:-1], start=1):
            one = self._line(no, row)
            hashed = link(hashed, no, one.record)
            if one.seq != no or one.hash != hashed:
                raise self.damaged(f"{JOURNAL}, record {no}", "the record that was written", "another")
            kept.append(one)
        if not kept or kept[0].record.kind != "run":
            raise self.damaged(JOURNAL, "a run from its beginning", "none")
        if (len(kept), hashed) != (self._manifest.records, self._manifest.head):
            found = f"{len(kept)} up to {hashed}"
            raise self.damaged(JOURNAL, f"{self._manifest.records} records up to {self._manifest.head}", found)
        return kept

    def _line(self, no: int, row: str) -> Kept:
        try:
            return form.read(Line, form.loads(row)).kept()
        except Misfit as fault:
            raise self.damaged(f"{JOURNAL}, record {no}", "a record", f"{fault}") from None

    def damaged(self, where: str, wanted: str, found: str) -> JournalDamaged:
        return JournalDamaged(f"{self._source}: {where}: wanted {wanted}, found {found}.")

    async def records(self, run: str) -> AsyncIterator[Sequence[Kept]]:
        yield self._kept

    async def runs(self) -> Sequence[RunEntry]:
        return [self.entry]

    async def text(self, sha256: str) -> str | None:
        part = self._parts.get(f"texts/{sha256}.txt")
        return None if part is None else part.decode("utf-8", "surrogatepass")

    async def find(self, key: str) -> Record | None:
        return next((one.record for one in self._kept if one.record.key == key), None)


def read(source: str, parts: Mapping[str, bytes]) -> tuple[Manifest, BundledRun]:
    """The bundle, when every member is the one that the manifest names."""
    manifest = _manifest(source, parts)
    named = {one.name: one for one in manifest.members}
    for name in (JOURNAL, RULEBOOK, *REPORTS, *named, *parts):
        if name != MANIFEST and (name not in named or name not in parts):
            raise JournalDamaged(f"{source}: {name}: wanted the members that {MANIFEST} names, found them otherwise.")
    for name, one in named.items():
        if (hashlib.sha256(parts[name]).hexdigest(), len(parts[name])) != (one.sha256, one.size):
            raise JournalDamaged(f"{source}: {name}: wanted the content that {MANIFEST} names, found another.")
    for name in parts:
        place, _, file = name.partition("/")
        if place == "texts" and text_hash(_text(source, name, parts[name])) != file.removesuffix(".txt"):
            raise JournalDamaged(f"{source}: {name}: wanted the text of that hash, found another.")
    return manifest, BundledRun(source, manifest, parts)


def _text(source: str, name: str, part: bytes) -> str:
    try:
        return part.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise JournalDamaged(f"{source}: {name}: wanted a text, found other bytes.") from None


def _manifest(source: str, parts: Mapping[str, bytes]) -> Manifest:
    try:
        found: Json = form.loads(parts.get(MANIFEST, b""))
        if isinstance(found, Mapping) and str(found.get("format")) != FORMAT:
            raise JournalError(
                f"{source} is a {form.shown(found.get('format'))}; this version of withstood reads a {FORMAT}. Use the "
                "version that wrote it."
            )
        return form.read(Manifest, found)
    except Misfit as fault:
        raise JournalDamaged(f"{source}: {MANIFEST}: {fault}.") from None
