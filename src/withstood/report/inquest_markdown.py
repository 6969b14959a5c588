"""The final report of an investigation as Markdown, in which whatever was read is shown as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from withstood.report import inquest_told as told
from withstood.report import inquest_words
from withstood.report.inert import markdown as inert
from withstood.report.inquest import TAGS, Found, Inquest
from withstood.report.marked import grid, listed, section
from withstood.rules.judgements import Certainty


def render(found: Inquest) -> str:
    say = inquest_words.of(found.language)
    parts = [
        f"# {say['title']}: {inert(found.report.id)}\n",
        _warnings(found, say),
        section(say["summary"], _summary(found, say)),
        f"## {say['findings']}\n",
        *(_tagged(found, tag, say) for tag in TAGS),
        section(say["disagreements"], _disagreements(found, say)),
        section(say["counter"], _counter(found, say)),
        section(say["recommendations"], _recommendations(found, say)),
        _struck(found, say),
        _gaps(found, say),
        section(say["metadata"], grid(("", ""), told.about(found, say)) + f"\n{inert(told.again(found, say))}\n"),
    ]
    return "\n".join(part for part in parts if part)


def _warnings(found: Inquest, say: Mapping[str, str]) -> str:
    lines = [f"{say['stopped']}: {found.why}"] if found.why else []
    if single := told.single(found, say):
        lines.append(f"{say['single']}. {single}")
    return "".join(f"> **{inert(line)}**\n" for line in lines)


def _summary(found: Inquest, say: Mapping[str, str]) -> str:
    report = found.report
    looked = f"{told.looked(found)}, {say['rounds']}: {report.rounds}"
    rows = [
        (say["question"], inert(report.question)),
        (say["conclusion"], inert(report.conclusion)),
        (say["certainty"], f"[{report.certainty}]"),
        (say["investigators"], looked),
    ]
    return "".join(f"- **{name}**: {value}\n" for name, value in rows)


# --- findings ----------------------------------------------------------------------------------


def _tagged(found: Inquest, tag: Certainty, say: Mapping[str, str]) -> str:
    findings = found.tagged(tag)
    head = f"### [{tag}] {say[tag] if found.language == 'ko' else say['findings'].lower()}\n\n"
    if not findings:
        return f"{head}{say['none']}\n"
    titles = ["#", say["finding"], say["available" if tag == "Uncertain" else "evidence"], say["source"]]
    titles += {"Confirmed": [], "Likely": [say["caveats"]], "Uncertain": [say["follow_up"]]}[tag]
    return head + grid(titles, [_row(found, one, say) for one in findings])


def _row(found: Inquest, one: Found, say: Mapping[str, str]) -> list[str]:
    cause, direction = told.named(found, one)
    text = " ".join(part for part in (one.text, f"({cause}; {direction})" if cause or direction else "") if part)
    row = [one.id, text, told.pieces(one, say), ", ".join(one.investigators)]
    if one.tag == "Likely":
        row.append(" ".join(told.caveat(said, say) for said in one.caveats))
    if one.tag == "Uncertain":
        row.append(" ".join(told.follow_ups(found, one, say)))
    return row


def _disagreements(found: Inquest, say: Mapping[str, str]) -> str:
    lines: list[str] = []
    for one in found.report.findings:
        for other in one.minority or ():
            outcome = say["adopted"] + f" {one.id}" if one.tag == "Likely" else one.tag
            ours, theirs = (f"{side.id} ({', '.join(side.investigators)})" for side in (one, other))
            lines.append(
                f"{ours} {say['against']} {theirs}: {other.text}. {told.pieces(other, say)}. "
                f"{say['mass']}: {told.mass(found, one)} → {outcome}"
            )
    return listed(lines) or f"{say['none']}\n"


def _counter(found: Inquest, say: Mapping[str, str]) -> str:
    rows = [
        (f"{item.id}: {item.text}", f"{tried.iid}: {tried.challenge}", tried.verdict)
        for item in found.record.items
        for tried in item.challenges
    ]
    return grid((say["item"], say["challenge"], say["verdict"]), rows) if rows else f"{say['no_counter']}\n"


def _recommendations(found: Inquest, say: Mapping[str, str]) -> str:
    rows = list(told.recommendations(found, say))
    lines = [f"{no}. **{inert(when)}**: {inert(what)}\n" for no, (when, what) in enumerate(rows, start=1)]
    return "".join(lines) or f"{say['none']}\n"


# --- what is not there -------------------------------------------------------------------------


def _struck(found: Inquest, say: Mapping[str, str]) -> str:
    if not found.report.struck:
        return ""
    rows = [(one.iid, one.location, " ".join(one.snippet.split()), one.why) for one in found.report.struck]
    titles = ("IID", say["place"], say["evidence"], say["why"])
    return section(say["struck"], f"{say['struck_how']}\n\n{grid(titles, rows)}")


def _gaps(found: Inquest, say: Mapping[str, str]) -> str:
    return "\n".join(_gap_parts(found, say))


def _gap_parts(found: Inquest, say: Mapping[str, str]) -> Iterator[str]:
    if lines := [f"{kind} {name}: {why}" for kind, name, why in told.missing(found)]:
        yield section(say["not_there"], listed(lines))
    if lines := told.not_looked(found):
        yield section(say["not_looked"], listed(lines))
