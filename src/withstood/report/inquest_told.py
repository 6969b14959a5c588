"""Parts of an investigation in words, the same for every format: caveats, follow-ups, recommendations, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from withstood.claims import iid
from withstood.report.inert import shortened
from withstood.report.inquest import Evidence, Found, Inquest, Opinion

MOST_SNIPPET = 90
MOST_ALTERNATIVES = 3


def caveat(said: str, say: Mapping[str, str]) -> str:
    """A code of the tables with its sentence; a challenge as it is."""
    return f"{say[said]} ({said})" if said.isupper() and said in say else said


def piece(one: Evidence) -> str:
    """Where it stands, what stands there, how strong it is."""
    words = shortened(" ".join(one.snippet.split()), MOST_SNIPPET)
    drift = f" ({one.drift:+d})" if one.drift else ""
    return " ".join(part for part in (f"{one.place}{drift}", f"“{words}”" if words else "", f"[{one.grade}]") if part)


def pieces(one: Found | Opinion, say: Mapping[str, str]) -> str:
    checked = [piece(part) for part in one.evidence if part.checked]
    return "; ".join(checked) or say["no_evidence"]


def named(found: Inquest, one: Found) -> tuple[str, str]:
    """Cause and direction in the words of the language."""
    known = found.judged(one.id)
    return (known.cause_name or one.cause, known.direction_name or one.direction)


def mass(found: Inquest, one: Found) -> str:
    """The sides with their masses, the finding's own first."""
    parts = found.judged(one.id).mass
    own = {one.id: parts[one.id]} if one.id in parts else {}
    return ", ".join(f"{name} {part:f}" for name, part in {**own, **parts}.items())


def follow_ups(found: Inquest, one: Found, say: Mapping[str, str]) -> Iterator[str]:
    """What would make an uncertain finding more certain."""
    if one.minority:
        yield say["follow_sides"].format(sides=" / ".join(part.text for part in (one, *one.minority)))
    elif one.checked:
        types = sorted({name.partition("-")[0] for name in map(iid.voice, one.investigators)})
        yield say["follow_other"].format(types=", ".join(types))
    else:
        yield say["follow_evidence"]
    if scope := found.item(one.id).scope:
        yield say["follow_scope"].format(scope=scope)
    for alternative in found.judged(one.id).alternatives[:MOST_ALTERNATIVES]:
        yield say["follow_alternative"].format(alternative=alternative.rstrip("."))


def recommendations(found: Inquest, say: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What to do, and what about: at once where it is confirmed, looked into where it is likely, else watched."""
    for one in found.report.findings:
        cause, direction = named(found, one)
        where = next((part.place for part in one.checked), "")
        what = direction or cause or one.text
        name = {"Confirmed": "now", "Likely": "look", "Uncertain": "watch"}[one.tag]
        yield say[name], f"{one.id}: {what}" + (f" ({where})" if where else "")


def looked(found: Inquest) -> int:
    """How many investigators gave a result, whatever the round."""
    return len({iid.voice(one.iid) for one in found.record.heard})


def not_looked(found: Inquest) -> list[str]:
    return list(dict.fromkeys(said for one in found.record.heard for said in one.not_looked_at))


def missing(found: Inquest) -> list[tuple[str, str, str]]:
    return [(one.kind, one.name, one.missing) for one in found.record.sources if one.missing]


def single(found: Inquest, say: Mapping[str, str]) -> str:
    """Why there is one source alone; nothing where there are more."""
    if not found.record.single:
        return ""
    return say["single_QUICK" if found.record.plan.quick else "single_ALONE"]


def about(found: Inquest, say: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is known of the run, as names and values."""
    report, facts = found.report, found.facts
    excluded = "; ".join(f"{one.iid}: {one.why}" for one in report.excluded)
    rows = [
        (say["id"], report.id),
        (say["cast"], ", ".join(dict.fromkeys(iid for batch in found.record.batches for iid in batch.asked))),
        (say["round_count"], str(report.rounds)),
        (say["passes"], str(found.record.passes)),
        (say["quick"], "true" if found.record.plan.quick else "false"),
        (say["excluded"], excluded),
        (say["calls"], f"{facts.calls:,}"),
        (say["tokens"], f"{facts.tokens_in:,} / {facts.tokens_out:,}"),
        (say["cost"], say["unknown"] if facts.cost is None else f"{facts.cost:f}"),
        (say["peak"], f"{found.peak:,}"),
        (say["rulebook"], " ".join(part for part in (facts.rulebook, facts.rulebook_hash) if part)),
        (say["head"], facts.head),
    ]
    return [(name, value) for name, value in rows if value]


def again(found: Inquest, say: Mapping[str, str]) -> str:
    item = found.report.findings[0].id if found.report.findings else "I1"
    return say["again"].format(run=found.facts.run, item=item)
