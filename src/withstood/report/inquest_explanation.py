"""Why a finding of an investigation has its tag, for a terminal: who holds it, on what, against what, by which row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from withstood import form
from withstood.errors import UsageError
from withstood.report import inquest_told as told
from withstood.report import inquest_words, words
from withstood.report.accounts import RowTexts
from withstood.report.explanation import step_lines
from withstood.report.inert import visible
from withstood.report.inquest import Evidence, Found, Inquest, Item
from withstood.verdict import Step


@dataclass(frozen=True, slots=True)
class Explained:
    text: str
    data: Mapping[str, Any]


def explain(found: Inquest, item: str, rows: RowTexts) -> Explained:
    """`item` is the id of a finding or of an item that is not reported, or `#2` for the second finding."""
    known = _known(found, item)
    steps = _steps(found, known)
    finding = next((one for one in found.report.findings if one.id == known.id), None)
    say, general = inquest_words.of(found.language), words.of(found.language)
    parts = [
        _head(known, finding, say),
        _evidence(found, finding, say) if finding else [],
        list(_who(found, known, say)),
        list(_against(found, finding, say)),
        list(_challenges(known, say)),
        [
            f"## {say['decided']}",
            *(line for step in steps for line in step_lines(step, rows, general)),
        ],
    ]
    text = "\n\n".join("\n".join(part) for part in parts if part) + "\n"
    return Explained(text, {"finding": form.write(finding), "item": form.write(known), "path": form.write(steps)})


def _known(found: Inquest, wanted: str) -> Item:
    place = int(wanted[1:]) if wanted[:1] == "#" and wanted[1:].isdigit() else 0
    if 1 <= place <= len(found.report.findings):
        return found.item(found.report.findings[place - 1].id)
    for one in found.record.items:
        if wanted.lower() == one.id.lower():
            return one
    known = ", ".join(one.id for one in found.record.items) or "none"
    raise UsageError(f"There is no item {wanted!r} in investigation {found.report.id}. There are: {known}.")


def _steps(found: Inquest, known: Item) -> list[Step]:
    """The rulings on the item, and on the evidence of its findings."""
    refs = tuple(f"{ref}/" for ref in known.findings)
    return [step for step in found.path if step.item == known.id or (refs and step.item.startswith(refs))]


def _head(known: Item, finding: Found | None, say: Mapping[str, str]) -> list[str]:
    tag = f"[{finding.tag}]" if finding else known.standing
    return [f"# {visible(known.id)} {tag} {visible(known.text)}", *([] if finding else [f"({known.standing})"])]


def _evidence(found: Inquest, finding: Found, say: Mapping[str, str]) -> list[str]:
    cause, direction = told.named(found, finding)
    lines = [f"  {say['cause']}: {visible(cause)}", f"  {say['direction']}: {visible(direction)}"]
    lines += [f"  {visible(told.caveat(one, say))}" for one in finding.caveats]
    lines.append(f"  {say['mass']}: {visible(told.mass(found, finding))}")
    for one in finding.evidence:
        lines += ["", *_piece(found, one, say)]
    return lines


def _piece(found: Inquest, one: Evidence, say: Mapping[str, str]) -> Iterator[str]:
    state = say["checked"] if one.checked else say["struck_one"]
    drift = f", {say['drift'].format(drift=one.drift)}" if one.drift else ""
    yield f"  {one.type} {visible(one.place)} [{one.grade}] {state}{drift}"
    excerpt = found.excerpt(one)
    if excerpt is None:
        yield from (f"    > {visible(line)}" for line in one.snippet.splitlines())
        return
    wide = len(str(excerpt.first + len(excerpt.lines)))
    for no, line in enumerate(excerpt.lines, start=excerpt.first):
        sign = ">" if excerpt.commit or excerpt.line <= no <= excerpt.end_line else " "
        yield f"  {sign} {'' if excerpt.commit else no:>{wide}} {visible(line)}".rstrip()
    yield f"    {say['snapshot']} {excerpt.sha256}"


def _who(found: Inquest, known: Item, say: Mapping[str, str]) -> Iterator[str]:
    judged = next((one for one in found.record.judged if one.id == known.id), None)
    if judged is None:
        return
    yield f"## {say['who']}"
    for one in judged.who:
        yield f"  {visible(one.ref)} [{one.grade or say['no_evidence']}] {visible(one.text)}"


def _against(found: Inquest, finding: Found | None, say: Mapping[str, str]) -> Iterator[str]:
    others = (finding.minority or ()) if finding else ()
    if others:
        yield f"## {say['minority']}"
    for one in others:
        yield f"  {visible(one.id)} ({visible(', '.join(one.investigators))}): {visible(one.text)}"
        yield f"    {visible(told.pieces(one, say))}"


def _challenges(known: Item, say: Mapping[str, str]) -> Sequence[str]:
    if not known.challenges:
        return []
    lines = [f"  {visible(one.iid)} {one.verdict}: {visible(one.challenge)}" for one in known.challenges]
    return [f"## {say['challenged_by']}", *lines]
