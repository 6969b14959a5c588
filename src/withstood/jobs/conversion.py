"""Labels from one layout into another; also what a run has decided, as labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

from withstood import form
from withstood.claims.case import Case
from withstood.claims.label import Label, Labelled
from withstood.errors import InputError, Misfit, UsageError
from withstood.jobs import outputs, recorded
from withstood.journal.port import Shelf
from withstood.report import lines
from withstood.sources import labelled, reviews
from withstood.sources.labelled import LAYOUTS, Carried
from withstood.sources.rows import BadRow

MOST_TOLD = 20
"""So many refused texts, and so many remarks, are told in words."""

Rows: TypeAlias = Callable[[], Iterator[Labelled | BadRow]]
Opened: TypeAlias = Callable[[], AbstractAsyncContextManager[Shelf]]

_ENDINGS: Mapping[str, str] = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """`source` is a labelled file, a results.jsonl, or the name of a run. A results.jsonl has no texts: they are in
    `texts`. Without `to` the ending of `out` says the layout."""

    source: str
    out: Path | Literal["-"]
    to: str | None = None
    layout: str | None = None
    texts: Path | None = None
    text_column: str = "text"
    id_column: str = "id"
    encoding: str | None = None
    refs: frozenset[str] = frozenset()


@dataclass(slots=True)
class Converted:
    """What was written, and what was not."""

    layout: str
    to: str
    texts: int = 0
    labels: int = 0
    refused: int = 0
    faults: list[BadRow] = field(default_factory=list[BadRow])
    remarks: Counter[str] = field(default_factory=Counter[str])
    remarked: list[str] = field(default_factory=list[str])
    unknown_refs: Counter[str] = field(default_factory=Counter[str])
    losses: Counter[str] = field(default_factory=Counter[str])


async def convert(wanted: Wanted, opened: Opened) -> Converted:
    """Write the file. `opened` gives the store, and is called only where a run is named."""
    to = _layout_of(wanted)
    _refuse_itself(wanted)
    layout, rows = await _source(wanted, opened)
    made = Converted(layout, to)
    carried = Carried(lambda: _watched(rows, wanted.refs, made), to, made.losses)
    outputs.whole(wanted.out, carried.written())
    return made


def _refuse_itself(wanted: Wanted) -> None:
    source, out = Path(wanted.source), wanted.out
    if out != "-" and source.exists() and out.exists() and out.samefile(source):
        raise UsageError(f"{out} is what is read. Name another file to write.")


def _layout_of(wanted: Wanted) -> str:
    ending = "" if wanted.out == "-" else wanted.out.suffix.lower()
    if wanted.to is None and ending not in _ENDINGS:
        raise UsageError(f"Say which layout to write: --to with one of {', '.join(LAYOUTS)}.")
    return labelled.known(wanted.to or _ENDINGS[ending])


def _watched(rows: Rows, refs: frozenset[str], made: Converted) -> Iterator[Labelled]:
    """The good rows; everything is counted anew each time that they are gone through."""
    made.texts = made.labels = made.refused = 0
    for kept in (made.faults, made.remarked, made.remarks, made.unknown_refs):
        kept.clear()
    for row in rows():
        if isinstance(row, BadRow):
            made.refused += 1
            if len(made.faults) < MOST_TOLD:
                made.faults.append(row)
            continue
        _count(row, refs, made)
        yield row


def _count(row: Labelled, refs: frozenset[str], made: Converted) -> None:
    made.texts += 1
    made.labels += len(row.labels)
    made.remarks.update(remark.code for remark in row.remarks)
    room = MOST_TOLD - len(made.remarked)
    made.remarked += [f"line {row.line}, {row.id}: {remark.message}" for remark in islice(row.remarks, max(room, 0))]
    said = [label.aspect_ref for label in row.labels if label.aspect_ref]
    made.unknown_refs.update(ref for ref in said if refs and ref not in refs)


# --- where the labels come from ----------------------------------------------------------------


async def _source(wanted: Wanted, opened: Opened) -> tuple[str, Rows]:
    kind = _kind(wanted)
    if kind == "run":
        async with opened() as store:
            found = await _of_run(wanted.source, store)
        return kind, lambda: iter(found)
    if kind == "results":
        decided = _of_results(Path(wanted.source), _texts(wanted))
        return kind, lambda: iter(decided)
    read = labelled.read(
        "-" if wanted.source == "-" else Path(wanted.source),
        wanted.layout,
        encoding=wanted.encoding,
        text_column=wanted.text_column,
        id_column=wanted.id_column,
    )
    return read.layout, lambda: iter(read)


def _kind(wanted: Wanted) -> Literal["run", "results", "labels"]:
    """A word that is no file is the name of a run."""
    path = Path(wanted.source)
    if wanted.source == "-" or wanted.layout is not None:
        return "labels"
    if path.is_file():
        return "results" if _is_results(path) else "labels"
    return "labels" if path.suffix or path.name != wanted.source or path.exists() else "run"


async def _of_run(name: str, store: Shelf) -> list[Labelled | BadRow]:
    """The final tuples of a run. Texts that were refused or are not decided yet have none."""
    entry = await recorded.find(store, name)
    found: list[Labelled | BadRow] = []
    async for case in recorded.cases(store, entry.name, Case):
        if case.case is not None and case.kept is not None:
            result: Any = form.loads(case.line)
            found.append(Labelled(case.no, case.id, case.case.text, _labels(result), case.case.line))
    if not found:
        raise InputError(f"Run {entry.name} has decided no text yet.")
    return found


def _labels(result: Mapping[str, Any]) -> tuple[Label, ...]:
    """The final tuples, each once. A term that does not stand in the text has no place."""
    said = [
        Label(
            opinion.aspect_term,
            opinion.aspect_ref,
            opinion.polarity or "",
            *((opinion.begin, opinion.end) if opinion.aspect_term else (None, None)),
            opinion.opinion_term or None,
        )
        for opinion in lines.final(result)
    ]
    return tuple(dict.fromkeys(said))


# --- results without their texts ---------------------------------------------------------------


def _is_results(path: Path) -> bool:
    """Whether the first line is a result of a run."""
    with path.open("rb") as raw:
        first = raw.readline(1 << 22)
    try:
        value: Any = form.loads(first)
    except Misfit:
        return False
    return isinstance(value, dict) and ("text_hash" in value or "error" in value) and "text" not in value


def _texts(wanted: Wanted) -> dict[str, str]:
    """The texts by their hash."""
    if wanted.texts is None:
        raise UsageError(
            f"{wanted.source} holds results, and results hold no texts. Name the file that was decided (--texts FILE), "
            "or the run instead of its results."
        )
    survey = reviews.survey(
        wanted.texts, text_column=wanted.text_column, id_column=wanted.id_column, encoding=wanted.encoding
    )
    return {form.digest(row.text): row.text for row in reviews.rows(survey) if isinstance(row, reviews.Row)}


def _of_results(path: Path, texts: Mapping[str, str]) -> list[Labelled | BadRow]:
    with path.open(encoding="utf-8") as stream:
        return [_row(no, line, texts) for no, line in enumerate(stream, start=1)]


def _row(no: int, line: str, texts: Mapping[str, str]) -> Labelled | BadRow:
    try:
        result: Any = form.loads(line)
        case = str(result["id"])
        if "error" in result:
            return BadRow(no, no, case, "undecided", f"was refused in the run: {result['error'].get('message')}")
        text = texts.get(result["text_hash"])
        if text is None:
            message = "wanted a text with the hash of this result, found none. Name the file that was decided."
            return BadRow(no, no, case, "other_text", message)
        return Labelled(no, case, text, _labels(result), no)
    except (Misfit, KeyError, TypeError, AttributeError):
        return BadRow(no, no, None, "broken_result", f"wanted a result of a run, found {form.shown(line)}.")
