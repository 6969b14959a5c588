"""The findings of an investigation as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from withstood.report import inquest_told as told
from withstood.report import inquest_words
from withstood.report.inert import visible
from withstood.report.inquest import Found, Inquest

MOST_EVIDENCE = 4


def render(found: Inquest) -> str:
    """Plain text that ends with a new line."""
    say = inquest_words.of(found.language)
    lines = [f"# {found.report.id}: {found.report.question}", ""]
    lines += [f"{say['stopped']}: {found.why}", ""] if found.why else []
    lines += [told.single(found, say), ""] if found.record.single else []
    lines += [f"[{found.report.certainty}] {found.report.conclusion}", ""]
    for one in found.report.findings:
        lines += [*_finding(found, one, say), ""]
    lines += [f"{say['missing']}: {kind} {name}: {why}" for kind, name, why in told.missing(found)]
    lines += [f"{say['excluded']}: {one.iid}: {one.why}" for one in found.report.excluded]
    lines += [f"{say['struck_one']}: {one.iid} {one.location}: {one.why}" for one in found.report.struck]
    return "\n".join(visible(line) for line in lines).rstrip("\n") + "\n"


def _finding(found: Inquest, one: Found, say: Mapping[str, str]) -> Iterator[str]:
    cause, direction = told.named(found, one)
    yield f"{one.id} [{one.tag}] {one.text}"
    if cause or direction:
        yield f"  {say['cause']}: {cause}. {say['direction']}: {direction}."
    checked = one.checked
    yield from (f"  {told.piece(piece)}" for piece in checked[:MOST_EVIDENCE])
    if len(checked) > MOST_EVIDENCE:
        yield f"  + {len(checked) - MOST_EVIDENCE}"
    if not checked:
        yield f"  {say['no_evidence']}"
    yield f"  {', '.join(one.investigators)}"
    yield from (f"  ! {told.caveat(said, say)}" for said in one.caveats)
    for other in one.minority or ():
        yield f"  {say['minority']}: {other.id} {other.text}"
    if one.tag == "Uncertain":
        yield from (f"  → {said}" for said in told.follow_ups(found, one, say))
