"""What an investigation leaves beside its report: the plan, each investigator's report, rounds 2 and 3, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from withstood import form
from withstood.claims.finding import CounterReview, Evidence, Finding, Report
from withstood.report import inquest_words
from withstood.report.inert import markdown as inert
from withstood.report.inquest import Answer, Heard, Inquest
from withstood.report.marked import grid, listed, quoted, section
from withstood.verdict import Step


def plan(found: Inquest) -> str:
    say, planned = inquest_words.of(found.language), found.record.plan
    rows = [
        (say["question"], found.report.question),
        (say["kind"], planned.kind),
        (say["profile"], planned.profile),
        (say["quick"], "true" if planned.quick else "false"),
        (say["cast"], ", ".join(planned.cast)),
        (say["challengers"], ", ".join(planned.challengers)),
        (say["without_source"], ", ".join(planned.without_source)),
    ]
    sources = [(one.kind, one.name, f"{say['missing']}: {one.missing}" if one.missing else one.note)
               for one in found.record.sources]  # fmt: skip
    parts = [
        f"# {say['plan']}: {inert(found.report.id)}\n",
        grid(("", ""), [row for row in rows if row[1]]),
        section(say["key_questions"], listed(planned.key_questions)),
        section(say["sources"], grid(("", "", ""), sources)),
    ]
    return "\n".join(parts)


# --- one investigator --------------------------------------------------------------------------


def reports(found: Inquest) -> dict[str, str]:
    """By investigator: all its answers, in the order in which it was asked."""
    by_iid: dict[str, list[Answer]] = {}
    for answer in found.answers:
        by_iid.setdefault(answer.iid, []).append(answer)
    return {iid: _report(found, iid, answers) for iid, answers in by_iid.items()}


def _report(found: Inquest, iid: str, answers: Sequence[Answer]) -> str:
    say = inquest_words.of(found.language)
    parts = [f"# {say['report_of']}: {inert(iid)}\n"]
    for answer in sorted(answers, key=lambda one: one.no):
        if len(answers) > 1:
            parts.append(f"# {say['asking']} {answer.no}\n")
        label = iid if answer.no == 1 else f"{iid}.{answer.no}"
        parts += _review(answer, say) if _is_review(answer) else _layers(found, answer, label, say)
    return "\n".join(parts)


def _is_review(answer: Answer) -> bool:
    return isinstance(answer.said, Mapping) and "challenges" in answer.said


def _layers(found: Inquest, answer: Answer, label: str, say: Mapping[str, str]) -> Iterator[str]:
    report = form.read(Report, answer.said)
    heard = next((one for one in found.record.heard if one.label == label), None)
    yield section(say["layer1"], _head(answer.iid, report, heard, say))
    body = [_finding(found, f"{label}/{one.id}", one, say) for one in report.findings]
    yield section(say["layer2"], "\n".join(body) or f"{say['none']}\n")
    yield section(say["layer3"], quoted(report.full) if report.full else f"{say['none']}\n")


def _head(iid: str, report: Report, heard: Heard | None, say: Mapping[str, str]) -> str:
    strengths = ", ".join(f"{one.id} {_strength(one)}" for one in report.findings)
    rows = [
        ("IID", iid),
        (say["confidence"], report.confidence),
        (say["one_liner"], report.one_liner),
        (say["findings"], strengths),
        (say["needs_further"], say["yes"] if report.needs_further else say["no"]),
        (say["why"], report.reason),
        (say["scope"], report.scope),
        (say["not_looked"], "; ".join(report.not_looked_at)),
    ]
    warned = [say["reduced"]] if report.reduced else []
    if heard:
        sizes = f"{heard.layer1_tokens:,} / {heard.layer2_tokens:,}"
        rows.append(("Layer 1 / Layer 2 (tokens)", sizes))
        warned += [*heard.over, *([say["unreliable"]] if heard.unreliable else [])]
    return grid(("", ""), [row for row in rows if row[1]]) + (f"\n{listed(warned)}" if warned else "")


def _strength(one: Finding) -> str:
    grades = [piece.strength for piece in one.evidence]
    return next((grade for grade in ("STRONG", "MODERATE") if grade in grades), "WEAK")


def _finding(found: Inquest, ref: str, one: Finding, say: Mapping[str, str]) -> str:
    rows = [
        (say["cause"], one.cause),
        (say["direction"], one.direction),
        (say["confidence"], one.confidence),
        (say["alternatives"], "; ".join(one.alternatives)),
    ]
    parts = [
        f"### {inert(one.id)}: {inert(one.description)}\n",
        grid(("", ""), [row for row in rows if row[1]]),
        "".join(_evidence(found, f"{ref}/{no}", piece, say) for no, piece in enumerate(one.evidence, start=1)),
    ]
    return "\n".join(part for part in parts if part)


def _evidence(found: Inquest, id: str, one: Evidence, say: Mapping[str, str]) -> str:
    """A citation, and what the check came to."""
    step = next((step for step in found.path if step.table.startswith("citation-") and step.item == id), None)
    checked = step is not None and step.ruling.outcome == "checked"
    told = f" → {say['checked']} {step.ruling.because}" if checked and step else f" → {say['struck_one']}"
    if step is not None and not checked:
        told += f" ({step.ruling.because})"
    line = f"- {inert(one.type)} {inert(one.location)} [{one.strength}]{inert(told)}\n"
    return line + (quoted(one.snippet, "  ") if one.snippet.strip() else "")


def _review(answer: Answer, say: Mapping[str, str]) -> Iterator[str]:
    review = form.read(CounterReview, answer.said)
    for said in review.challenges:
        rows = [(say["verdict"], said.verdict), (say["challenge"], said.challenge), (say["impact"], said.impact)]
        cited = [f"{one.location} [{one.strength}] {one.snippet}" for one in said.evidence]
        yield f"### {inert(said.item)}\n"
        yield grid(("", ""), [row for row in rows if row[1]]) + (f"\n{listed(cited)}" if cited else "")
    if review.full:
        yield section(say["layer3"], quoted(review.full))


# --- rounds 2 and 3 ----------------------------------------------------------------------------


def cross_verification(found: Inquest) -> str:
    """How the items stood after round 2."""
    say = inquest_words.of(found.language)
    steps = found.first_round
    classified = [step for step in steps if step.table.startswith("classification-") and step.item]
    last = next((step for step in steps if step.table.startswith("classification-") and not step.item), None)
    texts = {one.id: one.text for one in found.record.items}
    grouped = {step.item: step for step in steps if step.table.startswith("grouping-")}
    rows = [_item_row(step, texts, grouped) for step in classified]
    titles = (say["item"], say["finding"], say["standing"], say["row"], say["voices"], say["findings"])
    parts = [f"# {say['matrix']}: {inert(found.report.id)}\n", grid(titles, rows) if rows else f"{say['none']}\n"]
    if last is not None:
        run = say["round3_run" if last.ruling.outcome == "round 3" else "round3_skipped"]
        parts.append(f"{say['round3']}: {run} ({inert(last.table)}, {say['row']} {inert(last.ruling.row)})\n")
    return "\n".join(parts)


def _item_row(step: Step, texts: Mapping[str, str], grouped: Mapping[str, Step]) -> list[str]:
    group = grouped.get(step.item)
    opposed = f" ({group.ruling.outcome})" if group and group.ruling.outcome != "grouped" else ""
    return [
        step.item,
        texts.get(step.item, ""),
        f"{step.ruling.outcome}{opposed}",
        step.ruling.row,
        ", ".join(step.on),
        ", ".join(group.on) if group else "",
    ]


def counter_review(found: Inquest) -> str:
    """What round 3 tried, and what it changed."""
    say = inquest_words.of(found.language)
    head = f"# {say['review3']}: {inert(found.report.id)}\n"
    if found.report.rounds < 3:
        return f"{head}\n{say['no_round3']}\n"
    tried = [
        (item.id, item.text, one.iid, one.verdict, one.challenge, one.impact)
        for item in found.record.items
        for one in item.challenges
    ]
    titles = (say["item"], say["finding"], "IID", say["verdict"], say["challenge"], say["impact"])
    again = [one for one in found.record.heard if one.iid.endswith("-DEEP")]
    deep = [(one.label, one.one_liner, one.confidence, one.findings) for one in again]
    revised = [step for step in found.path if step.table.startswith("revision-")]
    changes = [(step.item, step.ruling.outcome, step.ruling.row, ", ".join(step.on)) for step in revised]
    late = found.path[len(found.first_round) :]
    new = [step for step in late if step.table.startswith("classification-")]
    none = f"{say['none']}\n"
    heads = ("IID", say["one_liner"], say["confidence"], say["findings"])
    revisions = (say["item"], say["standing"], say["row"], "")
    parts = [
        head,
        section("Track A", grid(titles, tried) if tried else f"{say['no_counter']}\n"),
        section(say["track_b"], grid(heads, deep) if deep else none),
        section(say["changes"], grid(revisions, changes) if changes else none),
    ]
    if new:
        rows = [(step.item, step.ruling.outcome, step.ruling.row, ", ".join(step.on)) for step in new]
        parts.append(section(say["late"], grid((say["item"], say["standing"], say["row"], say["voices"]), rows)))
    if found.record.given_up:
        parts.append(listed(f"{name}: {say['given_up']}" for name in found.record.given_up))
    return "\n".join(parts)
