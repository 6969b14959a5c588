"""What a run or a file of results has decided, text by text, as measures need it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from withstood import form
from withstood.claims.ballot import Absent, Ballot, Review, Vote
from withstood.claims.case import Case, Conventions
from withstood.claims.label import Label
from withstood.errors import InputError, Misfit
from withstood.form import Json
from withstood.jobs import header as headers
from withstood.jobs import recorded
from withstood.jobs.header import Header
from withstood.jobs.recorded import Recorded
from withstood.journal.port import Shelf
from withstood.measures import normal
from withstood.measures.sample import Held, Labels, Mapped, Rated, labels
from withstood.protocols.briefs import READERS, REVIEWERS
from withstood.report import lines
from withstood.report.lines import Line, Opinion
from withstood.rules import candidates, scope, sentence_label
from withstood.rules.rulebook import Rulebook
from withstood.verdict import Step

RESULTS = "results.jsonl"
UNHELD = Held()


@dataclass(frozen=True, slots=True)
class Decided:
    """One text as it was decided. Its words, its review and its marks are known where there is a journal."""

    line: Line
    text_hash: str
    held: Held
    debate: Mapped | None = None
    text: str = ""

    def by_reader(self, readers: Iterable[str]) -> Mapping[str, Labels]:
        """What each of them said for itself."""
        return {role: said([one for one in self.line.stage1 if one.origin == role]) for role in readers}

    @property
    def relabelled(self) -> bool:
        """The text has another label than its stage 1 would have given it."""
        before = sentence_label.label([opinion.polarity for opinion in self.line.stage1]).outcome
        return self.line.label is not None and self.line.label != before


class Source(Protocol):
    """A run of a store, or a file of results. `readers` are those whose opinions stand apart in it; `refs` those that
    may be used, empty where nobody knows."""

    @property
    def name(self) -> str: ...
    @property
    def readers(self) -> tuple[str, ...]: ...
    @property
    def refs(self) -> frozenset[str]: ...
    def decided(self) -> AsyncIterator[Decided]:
        """Every text that was decided; rows that were refused are passed over."""
        ...


async def source(store: Shelf, named: str) -> Source:
    """What a user names: a file of results, the folder it stands in, or a run."""
    if path := _file(named):
        return File(path)
    entry = await recorded.find(store, named)
    return Run(store, entry.name, headers.read(entry.name, entry.first))


def _file(named: str) -> Path | None:
    path = Path(named, RESULTS) if Path(named).is_dir() else Path(named)
    return path if path.is_file() else None


# --- a run -------------------------------------------------------------------------------------


class Run:
    """A run of the store."""

    def __init__(self, store: Shelf, name: str, known: Header) -> None:
        if known.job != "sentiment":
            raise InputError(f"Run {name} is of the job {known.job}; what is measured are runs of sentiment.")
        self.name, self.header = name, known
        self.readers = tuple([role for role in READERS if role in known.seats])
        agreed = form.read(Conventions, known.agreed)
        self.refs = frozenset(normal.ref(ref) for refs in agreed.refs.values() for ref in refs)
        self._store = store

    async def decided(self) -> AsyncIterator[Decided]:
        async for case in recorded.in_order(recorded.cases(self._store, self.name, Case)):
            if case.case is not None and case.ruling is not None:
                result: Any = form.loads(case.ruling.line)
                yield of_case(case, result, case.ruling.path, self.header.rulebook)


def of_case(case: Recorded, result: Mapping[str, Json], path: Iterable[Step], book: Rulebook) -> Decided:
    """A recorded case with this verdict: the recorded one, or what it comes to under another rulebook."""
    line = lines.read(result)
    reviews = {
        role: form.read(Review, answer.answer)
        for (role, _), answer in case.answers.items()
        if role in REVIEWERS and answer.silent is None
    }
    asked = any(role in REVIEWERS for role, _ in case.answers)
    return Decided(
        line,
        str(result.get("text_hash")),
        _held(line, path, reviews if asked else None, book),
        _mapped(result),
        case.case.text,
    )


def _held(line: Line, path: Iterable[Step], reviews: Mapping[str, Review] | None, book: Rulebook) -> Held:
    marks = [step.ruling.because for step in path if step.table == candidates.TABLE.edition]
    counted = {mark: marks.count(mark) for mark in candidates.ROWS}
    plain = _counted(line)
    if reviews is None:
        return Held(*plain, named=0, marks=counted)
    named = sum(len(review.review_actions) for review in reviews.values())
    return Held(*plain, named, tuple(_rated(line, reviews, book)), counted)


def _counted(line: Line) -> tuple[int, int, int, int]:
    changed = sum(acted.action != "KEEP" for acted in line.actions)
    return len(line.stage1), len(line.flags), len(line.actions), changed


def _rated(line: Line, reviews: Mapping[str, Review], book: Rulebook) -> Iterator[Rated]:
    """Every tuple with what each reviewer wanted done with it: of several admitted actions the last."""
    known = {opinion.tuple_id for opinion in line.stage1}
    flagged = {tuple_id: flag.conflict_type for flag in line.flags for tuple_id in flag.tuple_ids}
    votes = {
        role: {
            tuple_id: Vote(action.action_type, action.reason_code, action.new_value)
            for action in review.review_actions
            for tuple_id in action.target_tuple_ids
            if scope.admit(tuple_id, known, flagged, book.review).outcome == "admitted"
        }
        for role, review in reviews.items()
    }
    for opinion in line.stage1:
        slots = {role: votes[role].get(opinion.tuple_id) if role in votes else Absent() for role in REVIEWERS}
        yield Rated(opinion.polarity, Ballot(**slots))


# --- a file ------------------------------------------------------------------------------------


class File:
    """A file of results: it is looked through once to see whose opinions stand in it."""

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path
        origins = {opinion.origin for _, line in self._lines() for opinion in line.stage1}
        self.readers = tuple([role for role in READERS if role in origins])
        self.refs = frozenset[str]()

    async def decided(self) -> AsyncIterator[Decided]:
        for result, line in self._lines():
            if line.error is None:
                yield Decided(line, str(result.get("text_hash")), Held(*_counted(line)), _mapped(result))

    def _lines(self) -> Iterator[tuple[Mapping[str, Json], Line]]:
        try:
            with self._path.open(encoding="utf-8") as rows:
                for no, row in enumerate(rows, start=1):
                    if row.strip():
                        yield _read(row, f"{self.name}, line {no}")
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"{self.name} cannot be read as results: {fault}.") from None


def _read(row: str, where: str) -> tuple[Mapping[str, Json], Line]:
    try:
        result = form.loads(row)
        if not isinstance(result, Mapping):
            raise Misfit("", "an object as `withstood sentiment` writes it", form.shown(row))
        return result, lines.read(result)
    except Misfit as fault:
        raise InputError(f"{where} is not a line of results: {fault}.") from None


# --- both --------------------------------------------------------------------------------------


def _mapped(result: Mapping[str, Json]) -> Mapped | None:
    """The figures of a debate, where there was one."""
    debate = result.get("debate")
    if not isinstance(debate, Mapping):
        return None
    mapping = _counts(debate.get("mapping"))
    return Mapped(
        mapping.get("direct", 0),
        mapping.get("fallback", 0),
        mapping.get("none", 0),
        _counts(debate.get("fail_reasons")),
        _counts(debate.get("override")),
    )


def _counts(value: Json) -> dict[str, int]:
    """The whole numbers of an object; other entries of it are passed over."""
    pairs = cast("Mapping[str, Json]", value).items() if isinstance(value, Mapping) else ()
    return {name: count for name, count in pairs if isinstance(count, int) and not isinstance(count, bool)}


def said(opinions: Iterable[Opinion]) -> Labels:
    """Opinions of a result as labels that can be measured."""
    return labels([_label(opinion) for opinion in opinions])


def _label(opinion: Opinion) -> Label:
    return Label(
        opinion.aspect_term,
        opinion.aspect_ref,
        opinion.polarity,
        opinion.begin,
        opinion.end,
        opinion.opinion_term,
    )
