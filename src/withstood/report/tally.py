"""What all texts of a run come to, added up one at a time in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from withstood.form import Json
from withstood.report import lines
from withstood.report.breakdown import Breakdown, Periods
from withstood.report.counts import Counts
from withstood.report.examples import Examples
from withstood.report.inert import shortened
from withstood.report.lines import Line, Opinion
from withstood.verdict import Step

POLARITIES = ("positive", "negative", "neutral", "mixed")
OTHER = "other"
MOST_TEXT = 20_000
"""A shown text is cut here; `withstood explain` shows it whole."""

_MOST_NAME = 120


@dataclass(frozen=True, slots=True)
class Item:
    """One text that is shown in full. `no` is its place in the input, from 1."""

    no: int
    line: Line
    path: tuple[Step, ...]
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """How often each polarity was found for one aspect. `parts` has all of POLARITIES and OTHER, in that order."""

    name: str
    parts: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _, count in self.parts)


class Tally:
    """`add` every result in input order; renderers read the rest.

    At most `most_shown` texts are kept in full: first those with a conflict, a flag or a minority opinion, then those
    with an absence or an error, then those with an opinion, then the others; within each, the earliest.
    """

    def __init__(self, most_shown: int = 300) -> None:
        self.texts = self.opinions = self.asks = self.saved = 0
        self.most_shown = most_shown
        self.labels = Counts[str](100)
        self.languages = Counts[str](100)
        self.conflicts = Counts[str](100)
        self.flags = Counts[str](200)
        self.actions = Counts[str](100)
        self.rulings = Counts[tuple[str, str, str]](1000)
        self.absences = Counts[tuple[str, str]](200)
        self.errors = Counts[str](100)
        self._refs = Counts[tuple[str, str]](1000)
        self._terms = Counts[tuple[str, str]](4000)
        self.minorities = Counts[tuple[str, str, str]](200)
        self.groups, self.periods, self.examples = Breakdown(), Periods(), Examples()
        self._kept: tuple[list[Item], ...] = ([], [], [], [])

    def add(
        self,
        result: Mapping[str, Json],
        path: Sequence[Step] = (),
        text: str | None = None,
        language: str | None = None,
        group: str = "",
        time: str = "",
    ) -> None:
        """One line of results with the steps of its verdict and, where they are known, its text and its language, and
        the group and the time that stand beside it."""
        line = lines.read(result)
        if language is not None:
            self.languages.add(_name(language))
        self.texts += 1
        if line.error is not None:
            self.errors.add(_name(line.error.code))
        else:
            self._count(line, path)
            self._break_down(line, text or "", group, time)
        self._keep(Item(self.texts, line, tuple(path), None if text is None else shortened(text, MOST_TEXT)))

    def _count(self, line: Line, path: Sequence[Step]) -> None:
        self.asks += line.asks
        self.labels.add(_name(line.label or "none"))
        for conflict in line.flags:
            self.conflicts.add(_name(conflict.conflict_type))
        for acted in line.actions:
            self.actions.add(_name(acted.action))
        for step in path:
            self.rulings.add((_name(step.table), _name(step.ruling.row), _name(step.ruling.outcome)))
            for voice in step.minority:
                self.minorities.add((_name(voice.voter), _name(voice.said), _name(step.ruling.outcome)))
        self._count_absences(line)
        self._count_opinions(line)

    def _count_absences(self, line: Line) -> None:
        for absence in line.skipped:
            if absence.saved:
                self.saved += 1
            else:
                self.absences.add((_name(absence.role), _name(absence.why)))

    def _count_opinions(self, line: Line) -> None:
        """What several readers found alike counts once; so does a ref or a term that several places bear out."""
        polarity = {opinion: _polarity(opinion) for opinion in line.final}
        self.opinions += len({(one.aspect_ref, one.aspect_term, one.begin, polarity[one]) for one in line.final})
        for place in _on_aspects(line):
            self._refs.add(place)
        for place in dict.fromkeys((_name(one.aspect_term.strip()), polarity[one]) for one in line.final):
            if place[0]:
                self._terms.add(place)
        for opinion in line.final:
            if opinion.flag:
                self.flags.add(_name(opinion.flag))

    def _break_down(self, line: Line, text: str, group: str, time: str) -> None:
        for breakdown, name in ((self.groups, group), (self.periods, time)):
            if name:
                breakdown.add(_name(name), _on_aspects(line))
        for opinion in line.final if text else ():
            self.examples.add(line.id, text, _name(opinion.aspect_ref), _polarity(opinion), opinion)

    def figures(self) -> tuple[tuple[str, int], ...]:
        """The summary: its names are those of `words`."""
        return (
            ("texts", self.texts),
            ("opinions", self.opinions),
            ("conflicts", self.conflicts.total),
            ("flagged", self.flags.total),
            ("changed_or_dropped", self.actions["FLIP"] + self.actions["DROP"]),
            ("asks", self.asks),
            ("saved", self.saved),
            ("absences", self.absences.total),
            ("errors", self.errors.total),
        )

    # --- what is shown in full ---

    def _keep(self, item: Item) -> None:
        rank = _rank(item)
        if self.shown >= self.most_shown:
            worst = max((place for place, kept in enumerate(self._kept) if kept), default=-1)
            if worst <= rank:
                return
            self._kept[worst].pop()
        self._kept[rank].append(item)

    @property
    def shown(self) -> int:
        return sum(map(len, self._kept))

    def items(self) -> Iterator[Item]:
        """Those kept in full, the most telling first."""
        for kept in self._kept:
            yield from kept

    # --- aspects ---

    def aspects(self) -> list[Bar]:
        """Per aspect reference, the most frequent first."""
        return _bars(self._refs)

    def terms(self) -> list[Bar]:
        """Per aspect term as it stands in the texts, the most frequent first."""
        return _bars(self._terms)

    @property
    def terms_short_by(self) -> int:
        """So many times at most was a term found more often than `terms` says."""
        return self._terms.short_by

    @property
    def aspects_short_by(self) -> int:
        return self._refs.short_by


def _on_aspects(line: Line) -> list[tuple[str, str]]:
    """Each aspect with each polarity that the text has on it, once."""
    return list(dict.fromkeys((_name(one.aspect_ref), _polarity(one)) for one in line.final))


def _polarity(opinion: Opinion) -> str:
    return opinion.polarity if opinion.polarity in POLARITIES else OTHER


def _rank(item: Item) -> int:
    line = item.line
    if line.flags or any(step.minority for step in item.path) or any(opinion.flag for opinion in line.final):
        return 0
    if line.error is not None or line.label is None or any(not absence.saved for absence in line.skipped):
        return 1
    return 2 if line.stage1 or line.final else 3


def _bars(counts: Counts[tuple[str, str]]) -> list[Bar]:
    found: dict[str, dict[str, int]] = {}
    for (name, polarity), count in counts.items():
        found.setdefault(name, {})[polarity] = count
    bars = [
        Bar(name, tuple([(each, parts.get(each, 0)) for each in (*POLARITIES, OTHER)])) for name, parts in found.items()
    ]
    return sorted(bars, key=lambda bar: (-bar.total, bar.name))


def _name(text: str) -> str:
    return shortened(text, _MOST_NAME)
