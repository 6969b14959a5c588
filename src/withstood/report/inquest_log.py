"""The execution log of an investigation: what was done, and whether everything that has to be there is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from withstood.claims.iid import voice
from withstood.report import yaml
from withstood.report.inquest import TAGS, Inquest

_ASKED_AGAIN = "asked again"

Check: TypeAlias = Literal["PASS", "FAIL", "SKIPPED"]


def log(found: Inquest, files: Mapping[str, str]) -> str:
    """`files` are the files of the investigation by their names within it, as they are written."""
    report, record = found.report, found.record
    return yaml.dump(
        {
            "investigation_id": report.id,
            "question": report.question,
            "status": found.facts.status,
            "self_check": dict(checks(found, files)),
            "rounds": {
                "count": report.rounds,
                "round3_passes": record.passes,
                "quick_mode": record.plan.quick,
                "early_end": _early(found) is not None,
                "early_end_reason": _early(found),
                "batches": [{"asked": list(one.asked), "no_answer": list(one.silent)} for one in record.batches],
            },
            "investigators": [_investigator(found, iid) for iid in _asked(found)],
            "errors": _errors(found),
            "events": [said for said in record.events if _ASKED_AGAIN not in said],
            "evidence": {
                "checked": sum(step.ruling.outcome == "checked" for step in found.steps("citation-")),
                "struck": len(report.struck),
                "snapshots": sorted({one.sha256 for one in record.excerpts if one.sha256}),
            },
            "context": {
                "peak_prompt_tokens": found.peak,
                "peak_brief_tokens": record.peak_prompt_tokens,
                "over": [f"{one.label}: {said}" for one in record.heard for said in one.over],
            },
            "spent": {
                "calls": found.facts.calls,
                "tokens_in": found.facts.tokens_in,
                "tokens_out": found.facts.tokens_out,
                "cost": None if found.facts.cost is None else f"{found.facts.cost:f}",
            },
            "rulebook": {"preset": found.facts.rulebook, "sha256": found.facts.rulebook_hash},
            "journal_head": found.facts.head,
        }
    )


def _early(found: Inquest) -> str | None:
    """Why not all rounds were held."""
    if found.why:
        return found.why
    if found.record.single:
        return found.record.single
    return next((said for said in found.record.events if said.startswith("round 3 was not run")), None)


def _asked(found: Inquest) -> list[str]:
    return list(dict.fromkeys(iid for batch in found.record.batches for iid in batch.asked))


def _investigator(found: Inquest, iid: str) -> dict[str, yaml.Value]:
    cost = found.costs.get(iid)
    answers = [one for one in found.answers if one.iid == iid]
    seats = found.facts.seats
    told: dict[str, yaml.Value] = {
        "iid": iid,
        "result": "answered" if answers else "left out",
        "agent": seats.get(iid) or seats.get(voice(iid)),
        "answers": len(answers),
        "reduced": any(one.reduced for one in found.record.heard if one.iid == iid),
    }
    if cost:
        told |= {"calls": cost.calls, "tokens_in": cost.tokens_in, "tokens_out": cost.tokens_out, "peak": cost.peak}
    return told


def _errors(found: Inquest) -> list[yaml.Value]:
    """What went wrong, and what was done about it."""
    errors: list[yaml.Value] = [
        {"what": f"{one.iid}: {one.why}", "done": "asked once more, then left out"} for one in found.report.excluded
    ]
    again = [said for said in found.record.events if _ASKED_AGAIN in said]
    errors += [{"what": said, "done": "asked once more"} for said in again]
    errors += [
        {"what": f"{one.label}: the reply was not in the tiered form", "done": "reduced to layer 1"}
        for one in found.record.heard
        if one.reduced
    ]
    errors += [
        {"what": f"{one.label}: {one.struck} of {one.pieces} pieces of evidence struck", "done": "reported"}
        for one in found.record.heard
        if one.unreliable
    ]
    missing = [one for one in found.record.sources if one.missing]
    return errors + [{"what": f"{one.kind} {one.name}: {one.missing}", "done": "went on without"} for one in missing]


# --- the log checks itself ---------------------------------------------------------------------


def checks(found: Inquest, files: Mapping[str, str]) -> list[tuple[str, Check]]:
    report = files.get("final-report.md", "")
    iids = sorted({one.iid for one in found.answers})
    matrix: Check = _passed("cross-verification-r2.md" in files) if found.report.rounds > 1 else "SKIPPED"
    findings = found.report.findings
    counter: Check = _passed("counter-review-r3.md" in files) if found.report.rounds > 2 else "SKIPPED"
    return [
        ("plan_exists", _passed("investigation-plan.md" in files)),
        ("artifact_for_each_iid", _every(all(f"artifacts/{iid}-report.md" in files for iid in iids), iids)),
        ("cross_verification_exists", matrix),
        ("counter_review_exists", counter),
        ("final_report_exists", _passed(bool(report))),
        ("every_iid_in_report", _every(all(iid in report for iid in iids), iids)),
        ("every_finding_tagged", _every(all(one.tag in TAGS for one in findings), findings)),
        ("every_finding_in_report", _every(all(one.id in report for one in findings), findings)),
    ]


def _passed(holds: bool) -> Check:
    return "PASS" if holds else "FAIL"


def _every(holds: bool, of: object) -> Check:
    return _passed(holds) if of else "SKIPPED"
