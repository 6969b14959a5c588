"""Sessions of the first form: `evidence/ev_N.md`, `claims/claim_N.md`, `holes.json`, `summary.md`, as a graph.

| there | here |
|---|---|
| `evidence/ev_N.md` | observation `obs_N` |
| `claims/claim_N.md` | hypothesis of type A, `hyp_AN` |
| SUPPORTS, REBUTS between a claim and evidence | edges SUPPORTS, CONTRADICTS |
| REBUTS between two claims | CONFLICTS |
| QUALIFIES | a condition in the summary |
| `holes.json`, what is pending | leads |
| `summary.md` | the question |

These files were written by hand and by models, so they are read by their marks and not by their form; what is passed
over is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from withstood import form
from withstood.claims.graph import Edge, EdgeType, Graph, Hypothesis, Lead, Observation
from withstood.errors import InputError, Misfit
from withstood.rules.rulebook import AUTHORITIES, Rulebook
from withstood.sources.session_folder import read as read_file

WEIGHTS = {"STRONG": Decimal("0.8"), "MEDIUM": Decimal("0.5"), "MODERATE": Decimal("0.5"), "WEAK": Decimal("0.3")}
_FILES = {"evidence": re.compile(r"ev_(\d+)\.md"), "claims": re.compile(r"claim_(\d+)\.md")}
_URL = re.compile(r"https?://[^\s)>\]\"']+")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$")
_RELATION = re.compile(r"\b(SUPPORTS|REBUTS|CONTRADICTS|QUALIFIES)\b", re.IGNORECASE)
_ID = re.compile(r"\b(ev|claim)_(\d+)\b")
_SAID = ("content", "summary", "statement", "claim", "quote", "내용", "요약", "주장", "진술")
_LABEL = re.compile(r"^[-*]?\s*\**([A-Za-z가-힣 ]{2,20})\**\s*:\s*(.+)$")
_ASKED = re.compile(r"^[-*#]*\s*\**(?:research )?(?:question|질문|연구 질문)\**\s*[:：]\s*(.+)$", re.IGNORECASE)


def is_session(folder: Path) -> bool:
    return any((folder / room).is_dir() for room in _FILES)


def read(folder: Path) -> tuple[Graph, tuple[str, ...]]:
    """The graph, and what was passed over. An `errors.InputError` where there is nothing to read."""
    told: list[str] = []
    evidence = {f"obs_{no}": text for no, text in _texts(folder, "evidence", told)}
    claims = {f"hyp_A{no}": text for no, text in _texts(folder, "claims", told)}
    if not evidence and not claims:
        raise InputError(f"There is neither evidence/ev_N.md nor claims/claim_N.md in {folder}.")
    observations = {name: _observation(text) for name, text in evidence.items()}
    hypotheses = {name: Hypothesis("A", _statement(text)) for name, text in claims.items()}
    edges: list[Edge] = []
    for name, text in {**evidence, **claims}.items():
        for kind, other, line in _relations(name, text):
            drawn = _drawn(kind, name, other, line)
            if kind == "QUALIFIES":
                hypotheses = _qualified(hypotheses, name, other, line)
            elif drawn is None or not _stands(drawn, observations, hypotheses):
                told.append(f"{name}: {kind} {other} leads nowhere and is passed over")
            elif not any(_same(drawn, edge) for edge in edges):
                edges.append(drawn)
    leads = tuple(_leads(folder, told))
    return Graph(_question(folder, told), 0, observations, hypotheses, tuple(edges), unexplored=leads), tuple(told)


def _texts(folder: Path, room: str, told: list[str]) -> Iterator[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for path in sorted((folder / room).glob("*")):
        match = _FILES[room].fullmatch(path.name)
        if match is None or path.is_symlink() or not path.is_file():
            told.append(f"{room}/{path.name} is passed over: wanted {_FILES[room].pattern}")
            continue
        try:
            found.append((int(match[1]), read_file(path)))
        except InputError as fault:
            told.append(str(fault))
    yield from sorted(found)


def _observation(text: str) -> Observation:
    url = next(iter(_URL.findall(text)), None)
    book = Rulebook().authority
    judged = AUTHORITIES[book.edition](url or "", book)
    return Observation(_statement(text), judged.authority, url, judged.source_type, checked=False)


def _statement(text: str) -> str:
    """What stands under a heading such as Content or Statement, else the first line that is no heading and no label."""
    parts = dict(_parts(text))
    named = next((body for name, body in parts.items() if body and any(word in name.lower() for word in _SAID)), "")
    if named:
        return named
    labelled = [found for line in text.splitlines() if (found := _LABEL.match(line.strip()))]
    said = next((one[2] for one in labelled if one[1].strip().lower() in _SAID), "")
    plain = [line.strip() for line in text.splitlines() if line.strip() and not _HEADING.match(line)]
    first = next((line for line in plain if not _LABEL.match(line) and not _RELATION.search(line)), "")
    heading = next((found[1] for line in text.splitlines() if (found := _HEADING.match(line))), "")
    return said or first or heading


def _parts(text: str) -> Iterator[tuple[str, str]]:
    name, lines = "", list[str]()
    for line in [*text.splitlines(), "# "]:
        if found := _HEADING.match(line):
            if name:
                yield name, " ".join(" ".join(lines).split())
            name, lines = found[1], []
        elif line.strip() and not _RELATION.search(line):
            lines.append(line.strip().lstrip("> "))


def _relations(name: str, text: str) -> Iterator[tuple[str, str, str]]:
    """Every line with a relation and an id: the kind, the other end, the words."""
    for line in text.splitlines():
        for kind in _RELATION.findall(line):
            for which, no in _ID.findall(line):
                other = f"obs_{no}" if which == "ev" else f"hyp_A{no}"
                if other != name:
                    yield kind.upper(), other, line


def _drawn(kind: str, name: str, other: str, line: str) -> Edge | None:
    """From the evidence to the claim, in whichever of the two it was written."""
    start, end = (name, other) if name.startswith("obs_") else (other, name)
    weight = next((value for word, value in WEIGHTS.items() if word in line.upper()), Decimal("0.5"))
    if start.startswith("obs_") and end.startswith("hyp_"):
        types: Mapping[str, EdgeType] = {"SUPPORTS": "SUPPORTS", "REBUTS": "CONTRADICTS", "CONTRADICTS": "CONTRADICTS"}
        return Edge(types[kind], start, end, weight) if kind in types else None
    if start.startswith("hyp_") and kind in ("REBUTS", "CONTRADICTS"):
        return Edge("CONFLICTS", name, other)
    return None


def _stands(edge: Edge, observations: Mapping[str, Any], hypotheses: Mapping[str, Any]) -> bool:
    starts = hypotheses if edge.type == "CONFLICTS" else observations
    return edge.start in starts and edge.end in hypotheses


def _same(one: Edge, other: Edge) -> bool:
    ends = one.ends == other.ends if one.type == "CONFLICTS" else (one.start, one.end) == (other.start, other.end)
    return one.type == other.type and ends


def _qualified(hypotheses: Mapping[str, Hypothesis], name: str, other: str, line: str) -> dict[str, Hypothesis]:
    """A condition stands in the summary of what it qualifies: of the claim that is named, else of this one."""
    target = other if other in hypotheses else name
    if target not in hypotheses:
        return dict(hypotheses)
    words = " ".join(line.strip("-*# ").split())
    one = hypotheses[target]
    return {**hypotheses, target: replace(one, summary=f"{one.summary} ({words})")}


def _leads(folder: Path, told: list[str]) -> Iterator[Lead]:
    path = folder / "holes.json"
    if not path.is_file():
        return
    try:
        found: Any = form.loads(read_file(path))
    except Misfit as fault:
        told.append(f"holes.json is passed over: {fault}")
        return
    for one in _pending(found):
        keyword = one if isinstance(one, str) else next((str(one[name]) for name in _NAMES if one.get(name)), "")
        if keyword.strip():
            yield Lead(" ".join(keyword.split()))
        else:
            told.append(f"holes.json: {form.shown(one)} has no keyword and is passed over")


_NAMES = ("keyword", "question", "query", "description", "hole", "text", "title")


def _pending(found: Any) -> Sequence[Any]:
    """A list, or lists under `pending` or `holes`; what has a status must have this one."""
    if isinstance(found, dict):
        listed = found.get("pending", found.get("holes", []))
        found = list(listed.values()) if isinstance(listed, dict) else listed
    entries = found if isinstance(found, list) else []
    return [one for one in entries if isinstance(one, (str, dict)) and _is_pending(one)]


def _is_pending(one: Any) -> bool:
    return isinstance(one, str) or str(one.get("status", "pending")).lower() in ("pending", "open")


def _question(folder: Path, told: list[str]) -> str:
    path = folder / "summary.md"
    if not path.is_file():
        told.append("there is no summary.md, so the question is not known")
        return ""
    lines = [line.strip() for line in read_file(path).splitlines() if line.strip()]
    labelled = [found[1] for line in lines if (found := _ASKED.match(line))]
    under = [body for name, body in _parts("\n".join(lines)) if name.lower() in ("question", "질문", "연구 질문")]
    headings = [found[1] for line in lines if (found := _HEADING.match(line))]
    plain = [line for line in lines if not _HEADING.match(line)]
    asked = next(iter([*labelled, *under, *[one for one in headings if one.endswith("?")], *plain, *headings]), "")
    return asked.strip("*_ ")
