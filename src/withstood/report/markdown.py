"""The summary of a run as Markdown, in which text from reviews and models is shown as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from withstood.report import words
from withstood.report.accounts import accounts
from withstood.report.breakdown import Breakdown
from withstood.report.facts import RunFacts
from withstood.report.inert import markdown as inert
from withstood.report.inert import shortened
from withstood.report.marked import grid, section
from withstood.report.tally import OTHER, POLARITIES, Bar, Item, Tally

_MOST_BARS = 40
_MOST_ITEMS = 50
_MOST_QUOTED = 160
_MOST_BROKEN_DOWN = 10


def render(tally: Tally, facts: RunFacts, language: str = "en") -> str:
    """The whole report. At most so many texts are listed; it says how many, and how to see the others."""
    say = words.of(language)
    parts = [
        f"# {say['title']}: {inert(facts.run)}\n",
        _summary(tally, say),
        _labels(tally, language),
        _aspects(say["aspects"], say["aspect"], tally.aspects(), tally.aspects_short_by, language),
        _breakdown(say["by_group"], tally.groups, tally, language),
        _breakdown(say["over_time"], tally.periods, tally, language),
        _aspects(say["terms"], say["term"], tally.terms(), tally.terms_short_by, language),
        _disagreements(tally, say),
        _rulings(tally, say),
        _losses(tally, say),
        _verdicts(tally, facts, language),
        _about(facts, say),
    ]
    return "\n".join(part for part in parts if part)


def _summary(tally: Tally, say: Mapping[str, str]) -> str:
    rows = [(say[name], f"{count:,}") for name, count in tally.figures()]
    return section(say["summary"], grid(("", say["count"]), rows))


def _labels(tally: Tally, language: str) -> str:
    say = words.of(language)
    rows = [(words.called(language, label), f"{count:,}") for label, count in tally.labels.items()]
    found = ", ".join(f"{inert(name)} {count:,}" for name, count in tally.languages.items())
    tail = f"\n{say['languages']}: {found}\n" if found else ""
    return section(say["labels"], grid((say["verdict"], say["count"]), rows) + tail) if rows else ""


def _aspects(title: str, column: str, bars: Sequence[Bar], short_by: int, language: str) -> str:
    say = words.of(language)
    if not bars:
        return section(title, f"{say['none_found']}\n")
    titles = (column, say["total"], *(say[polarity] for polarity in (*POLARITIES, OTHER)))
    rows = [(bar.name or say["no_ref"], bar.total, *(count for _, count in bar.parts)) for bar in bars[:_MOST_BARS]]
    return section(title, grid(titles, rows) + _omitted(len(bars) - _MOST_BARS, short_by, say))


def _breakdown(title: str, found: Breakdown, tally: Tally, language: str) -> str:
    """A row for each aspect in each group or period that has opinions on it."""
    say = words.of(language)
    if not len(found):
        return ""
    polarities = (*POLARITIES, OTHER)
    titles = (say["aspect"], "", say["total"], *(say[polarity] for polarity in polarities))
    rows = [
        (bar.name or say["no_ref"], square.column, square.total, *(count for _, count in square.parts))
        for bar in tally.aspects()[:_MOST_BROKEN_DOWN]
        for square in found.row(bar.name, polarities)
        if square.total
    ]
    hidden = f"\n{say['hidden_columns'].format(hidden=found.hidden)}\n" if found.hidden else ""
    return section(title, grid(titles, rows) + hidden + _omitted(0, found.short_by, say))


def _omitted(more: int, short_by: int, say: Mapping[str, str]) -> str:
    left_out = f"\n{say['more_rows'].format(more=more)}\n" if more > 0 else ""
    return left_out + (f"\n{say['at_least'].format(short=short_by)}\n" if short_by else "")


def _disagreements(tally: Tally, say: Mapping[str, str]) -> str:
    if not len(tally.conflicts) and not len(tally.flags) and not len(tally.minorities):
        return ""
    rows = [(say["conflict"], name, count) for name, count in tally.conflicts.items()]
    rows += [(say["marked"], name, count) for name, count in tally.flags.items()]
    rows += [
        (say["minority_note"], f"{voter}: {say['overruled'].format(said=said, outcome=outcome)}", count)
        for (voter, said, outcome), count in tally.minorities.items()
    ]
    return section(say["disagreements"], grid(("", say["type"], say["count"]), rows))


def _rulings(tally: Tally, say: Mapping[str, str]) -> str:
    rows = sorted((table, row, outcome, count) for (table, row, outcome), count in tally.rulings.items())
    titles = (say["table"], say["row"], say["outcome"], say["count"])
    return section(say["decisions"], grid(titles, rows)) if rows else ""


def _losses(tally: Tally, say: Mapping[str, str]) -> str:
    silent = [(role, why, count) for (role, why), count in tally.absences.items()]
    refused = [(code, count) for code, count in tally.errors.items()]
    parts = [
        section(say["absences"], grid((say["role"], say["why"], say["count"]), silent)) if silent else "",
        section(say["errors"], grid((say["type"], say["count"]), refused)) if refused else "",
    ]
    return "\n".join(part for part in parts if part)


def _verdicts(tally: Tally, facts: RunFacts, language: str) -> str:
    say = words.of(language)
    items = list(tally.items())[:_MOST_ITEMS]
    template = say["shown"] if len(items) < tally.texts else say["shown_all"]
    note = inert(template.format(shown=len(items), texts=tally.texts, run=facts.run))
    return section(say["verdicts"], note + "\n\n" + "\n".join(_item(item, language) for item in items) + "\n")


def _item(item: Item, language: str) -> str:
    say, line = words.of(language), item.line
    if line.error is not None:
        return f"- **{inert(line.id)}** {say['error']}: {inert(line.error.code)}: {inert(line.error.message)}"
    quoted = "" if item.text is None else f"\n  > {inert(shortened(item.text, _MOST_QUOTED))}"
    label = inert(words.called(language, line.label or "none"))
    return f"- **{inert(line.id)}** {label}{quoted}{''.join(_fates(item, language))}"


def _fates(item: Item, language: str) -> list[str]:
    say = words.of(language)
    found: list[str] = []
    for account in accounts(item.line, item.path):
        last = account.final or account.found
        aspect = inert(" · ".join(part for part in (last.aspect_term or say["implicit"], last.aspect_ref) if part))
        polarity = inert(words.called(language, last.polarity))
        flag = f": {inert(last.flag)}" if last.flag else ""
        found.append(f"\n  - {aspect}: {polarity} ({say[account.fate]}{flag})")
    return found


def _about(facts: RunFacts, say: Mapping[str, str]) -> str:
    body = grid(("", ""), about(facts, say))
    notes = "".join(f"\n- {inert(note)}" for note in facts.notes)
    return section(say["about"], body + (f"\n{notes}\n" if notes else "") + f"\n{inert(again(facts, say))}\n")


def about(facts: RunFacts, say: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is known of the run, as names and values."""
    rows = [
        (say["run"], facts.run),
        (say["status"], facts.status),
        (say["input"], facts.source),
        (say["protocol"], facts.protocol),
        (say["rulebook"], " ".join(part for part in (facts.rulebook, facts.rulebook_hash) if part)),
        *((f"{say['seats']}: {role}", agent) for role, agent in facts.seats.items()),
        (say["calls"], f"{facts.calls:,}"),
        (say["tokens"], f"{facts.tokens_in:,} / {facts.tokens_out:,}"),
        (say["cost"], say["unknown"] if facts.cost is None else str(facts.cost)),
        (say["head"], facts.head),
    ]
    return [(name, value) for name, value in rows if value]


def again(facts: RunFacts, say: Mapping[str, str]) -> str:
    return say["again"].format(run=facts.run)
