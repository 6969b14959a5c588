"""The report of a run as one HTML file that needs nothing else: no script, no remote load, no font.

Every text goes through `inert.visible_lines` and the template's escaping; the page's own policy forbids everything but
its inline style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import jinja2

from withstood.report import words
from withstood.report.accounts import Account, Piece, RowTexts, about_the_whole, accounts, pieces
from withstood.report.breakdown import Square
from withstood.report.examples import Example
from withstood.report.facts import RunFacts
from withstood.report.inert import shortened, visible_lines
from withstood.report.markdown import about, again
from withstood.report.tally import OTHER, POLARITIES, Bar, Item, Tally
from withstood.verdict import Step

_MOST_BARS = 30
_MOST_TERMS = 12
_MOST_GLIMPSE = 110


def render(tally: Tally, facts: RunFacts, rows: RowTexts, language: str = "en") -> str:
    """The whole page. `rows` maps (table, row) to the sentence of the row."""
    say = words.of(language)
    items = [_shown(item, language) for item in tally.items()]
    return template("page.html.j2").render(
        say=say,
        language=language,
        facts=facts,
        tally=tally,
        figures=_figures(tally, say),
        polarities=(*POLARITIES, OTHER),
        labels=_labels(tally),
        aspects=tally.aspects()[:_MOST_BARS],
        more_aspects=len(tally.aspects()) - _MOST_BARS,
        breakdowns=_breakdowns(tally, say),
        examples=_examples(tally),
        terms=tally.terms()[:_MOST_TERMS],
        more_terms=len(tally.terms()) - _MOST_TERMS,
        decisions=sorted((*ruling, count) for ruling, count in tally.rulings.items()),
        rows=rows,
        items=items,
        scope=_scope(tally, facts, say),
        about=about(facts, say),
        again=again(facts, say),
        called=partial(words.called, language),
        share=_share,
        peak=_peak,
        used=_used,
    )


@cache
def template(name: str) -> jinja2.Template:
    """A template of this room: what it prints is inert."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("withstood.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    return environment.get_template(name)


def _finalize(value: object) -> object:
    """What the template prints is inert; what its own macros made is not touched again."""
    return visible_lines(value) if type(value) is str else value


# --- figures -----------------------------------------------------------------------------------


def _figures(tally: Tally, say: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(say[name], f"{count:,}") for name, count in tally.figures()]


def _labels(tally: Tally) -> Bar:
    known = (*POLARITIES, "none")
    other = sum(count for label, count in tally.labels.items() if label not in known)
    return Bar("", (*[(label, tally.labels[label]) for label in known], (OTHER, other)))


@dataclass(frozen=True, slots=True)
class Grid:
    """Aspects by group or by period: in each square the opinions on one aspect."""

    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Square]]]
    hidden: int
    short_by: int


def _breakdowns(tally: Tally, say: Mapping[str, str]) -> list[Grid]:
    aspects = [bar.name for bar in tally.aspects()[:_MOST_TERMS]]
    polarities = (*POLARITIES, OTHER)
    return [
        Grid(
            title,
            found.columns(),
            [(one, found.row(one, polarities)) for one in aspects],
            found.hidden,
            found.short_by,
        )
        for title, found in ((say["by_group"], tally.groups), (say["over_time"], tally.periods))
        if len(found)
    ]


def _examples(tally: Tally) -> list[tuple[str, list[Example]]]:
    """Of the most frequent aspects."""
    found = [(bar.name, tally.examples.of(bar.name)) for bar in tally.aspects()[:_MOST_TERMS]]
    return [(name, examples) for name, examples in found if examples]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.4g}" if whole else "0"


def _peak(bars: Sequence[Bar]) -> int:
    return max((bar.total for bar in bars), default=0)


def _used(bars: Sequence[Bar]) -> tuple[str, ...]:
    """The polarities that have a column: the three usual ones, others where they occur."""
    found = {polarity for bar in bars for polarity, count in bar.parts if count}
    return tuple([polarity for polarity in (*POLARITIES, OTHER) if polarity in found or polarity in POLARITIES[:3]])


def _scope(tally: Tally, facts: RunFacts, say: Mapping[str, str]) -> str:
    template = say["shown"] if tally.shown < tally.texts else say["shown_all"]
    return template.format(shown=f"{tally.shown:,}", texts=f"{tally.texts:,}", run=facts.run)


# --- one text ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """An item with all that its part of the page shows."""

    item: Item
    label: str
    glimpse: str
    pieces: tuple[Piece, ...]
    accounts: tuple[Account, ...]
    whole: tuple[Step, ...]
    signs: tuple[str, ...]


def _shown(item: Item, language: str) -> Shown:
    line, found = item.line, accounts(item.line, item.path)
    text = item.text or ""
    glimpse = line.error.message if line.error is not None else text
    return Shown(
        item=item,
        label="error" if line.error is not None else line.label or "none",
        glimpse=shortened(" ".join(glimpse.split()), _MOST_GLIMPSE),
        pieces=pieces(text, line),
        accounts=found,
        whole=about_the_whole(line, item.path),
        signs=_signs(item, found, words.of(language)),
    )


def _signs(item: Item, found: Sequence[Account], say: Mapping[str, str]) -> tuple[str, ...]:
    """What a reader wants to know before opening it."""
    signs = [say["conflict"]] if item.line.flags else []
    signs += [say[fate] for fate in ("changed", "dropped", "marked") if any(one.fate == fate for one in found)]
    if any(step.minority for step in item.path):
        signs.append(say["minority_note"])
    if any(not absence.saved for absence in item.line.skipped):
        signs.append(say["silent"])
    return tuple(signs)
