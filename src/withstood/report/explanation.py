"""Why a verdict is what it is, for a terminal: every tuple, every row that fired, every voice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from withstood.form import Json
from withstood.report import lines, words
from withstood.report.accounts import Account, RowTexts, about_the_whole, accounts
from withstood.report.inert import visible
from withstood.report.lines import Line, Opinion
from withstood.report.sections import columns
from withstood.verdict import Step

_WIDE = 18


def explain(
    result: Mapping[str, Json],
    path: Sequence[Step],
    rows: RowTexts,
    *,
    text: str | None = None,
    language: str = "en",
) -> str:
    """Plain text that ends with a new line. `rows` maps (table, row) to the sentence of the row."""
    line = lines.read(result)
    say = words.of(language)
    parts = [_head(line, language), _said(text, say)]
    parts += [_on_a_tuple(account, rows, language) for account in accounts(line, path)]
    if line.error is None and not line.stage1 and not line.final:
        parts.append([say["no_opinions"]])
    parts += [_on_the_whole(line, path, rows, say), _silences(line, say)]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _head(line: Line, language: str) -> list[str]:
    say = words.of(language)
    if line.error is not None:
        return [f"# {visible(line.id)}", f"{say['refused']}: {visible(line.error.code)}: {visible(line.error.message)}"]
    label = words.called(language, line.label or "none")
    sure = f" ({lines.plain(line.confidence)})" if line.confidence is not None else ""
    return [f"# {visible(line.id)}: {visible(label)}{sure}"]


def _said(text: str | None, say: Mapping[str, str]) -> list[str]:
    if text is None:
        return [say["text_absent"]]
    return [f"> {visible(each)}" for each in text.splitlines() or [""]]


# --- one tuple ---------------------------------------------------------------------------------


def _on_a_tuple(account: Account, rows: RowTexts, language: str) -> list[str]:
    say = words.of(language)
    found = account.found
    part = [
        f"## {visible(found.tuple_id)}  {_name(found, say)}  {_polarity(account, language)}  [{_fate(account, say)}]"
    ]
    part += [
        _entry(say["found_by"], f"{found.origin}, {say['confidence']} {found.sure}"),
        _entry(*_stands(account, say)),
    ]
    if found.opinion_term:
        part.append(_entry(say["opinion_term"], f'"{found.opinion_term}"'))
    if found.evidence:
        known = say["evidence_found" if found.evidence_found else "evidence_lost"]
        part.append(_entry(say["evidence"], f'"{found.evidence}" ({known})'))
    for conflict in account.conflicts:
        others = ", ".join(one for one in conflict.tuple_ids if one != found.tuple_id)
        part.append(_entry(say["conflict"], f"{conflict.conflict_type} {say['with']} {others}"))
    for step in account.steps:
        part += step_lines(step, rows, say)
    return part


def _name(found: Opinion, say: Mapping[str, str]) -> str:
    term = visible(found.aspect_term) or say["implicit"]
    return f"{term} · {visible(found.aspect_ref)}" if found.aspect_ref else term


def _polarity(account: Account, language: str) -> str:
    found = visible(words.called(language, account.found.polarity))
    if account.fate != "changed" or account.final is None:
        return found
    return f"{found} → {visible(words.called(language, account.final.polarity))}"


def _fate(account: Account, say: Mapping[str, str]) -> str:
    fate = say[account.fate]
    return f"{fate}: {visible(account.final.flag)}" if account.final is not None and account.final.flag else fate


def _stands(account: Account, say: Mapping[str, str]) -> tuple[str, str]:
    found = account.found
    if account.stands == "in_text":
        return say["place"], f"{found.begin}-{found.end}, {say['in_text']}"
    return say["place"], say["implicit_aspect" if account.stands == "implicit" else "not_in_text"]


def _entry(name: str, value: str) -> str:
    return f"  {name + ' ' * max(1, _WIDE - columns(name))}{visible(value)}"


# --- steps -------------------------------------------------------------------------------------


def step_lines(step: Step, rows: RowTexts, say: Mapping[str, str]) -> Iterator[str]:
    """A ruling, the sentence of its row, what was looked at, who dissented."""
    ruling = step.ruling
    because = f" ({ruling.because})" if ruling.because else ""
    yield _entry(visible(step.table), f"{say['row']} {ruling.row}: {ruling.outcome}{because}")
    sentence = rows.get((step.table, ruling.row))
    if sentence:
        yield _entry("", f'"{sentence}"')
    for seen in step.on:
        yield _entry("", seen)
    for voice in step.minority:
        reason = f" ({voice.because})" if voice.because else ""
        yield _entry("", f"{say['minority_note']}: {voice.voter}: {voice.said}{reason}")


def _on_the_whole(line: Line, path: Sequence[Step], rows: RowTexts, say: Mapping[str, str]) -> list[str]:
    steps = about_the_whole(line, path)
    return [f"## {say['whole']}", *(each for step in steps for each in step_lines(step, rows, say))] if steps else []


def _silences(line: Line, say: Mapping[str, str]) -> list[str]:
    if not line.skipped:
        return []
    return [f"## {say['silent']}", *(_entry(visible(absence.role), absence.why) for absence in line.skipped)]
