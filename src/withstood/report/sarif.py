"""The findings of an investigation that stand at lines of code, as SARIF 2.1.0 for code scanning."""

from __future__ import annotations

from collections.abc import Mapping

from withstood import form
from withstood.__about__ import __version__
from withstood.form import Json
from withstood.report import inquest_told as told
from withstood.report import inquest_words
from withstood.report.inert import visible, visible_lines
from withstood.report.inquest import Evidence, Found, Inquest
from withstood.rules.judgements import Certainty

LEVELS: Mapping[Certainty, str] = {"Confirmed": "error", "Likely": "warning", "Uncertain": "note"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_CODE = ("code", "config", "migration", "infra", "document")


def sarif(found: Inquest) -> str:
    """One result for each finding with checked evidence in a file, at the strongest piece; the others are related."""
    placed = [(one, pieces) for one in found.report.findings if (pieces := _placed(one))]
    driver: dict[str, Json] = {
        "name": "withstood",
        "version": __version__,
        "rules": [_rule(cause, text) for cause, text in _causes(found, [one for one, _ in placed]).items()],
    }
    run: dict[str, Json] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, one, pieces) for one, pieces in placed],
    }
    return form.line({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _placed(one: Found) -> list[Evidence]:
    return [piece for piece in one.checked if piece.path and piece.line and piece.type in _CODE and not piece.commit]


def _causes(found: Inquest, findings: list[Found]) -> dict[str, str]:
    return {_rule_id(one): told.named(found, one)[0] or one.text for one in findings}


def _rule_id(one: Found) -> str:
    return visible(one.cause) or "finding"


def _rule(id: str, text: str) -> dict[str, Json]:
    return {"id": id, "shortDescription": {"text": visible(text)}}


def _result(found: Inquest, one: Found, pieces: list[Evidence]) -> dict[str, Json]:
    say = inquest_words.of(found.language)
    caveats = " ".join(told.caveat(said, say) for said in one.caveats)
    text = " ".join(part for part in (f"[{one.tag}]", one.text, caveats) if part)
    first = pieces[0]
    return {
        "ruleId": _rule_id(one),
        "level": LEVELS[one.tag],
        "message": {"text": visible(text)},
        "locations": [_location(first)],
        "relatedLocations": [_location(piece) | {"id": no} for no, piece in enumerate(pieces[1:], start=1)],
        "partialFingerprints": {"finding/v1": form.digest(f"{_rule_id(one)}\n{first.path}\n{first.snippet.strip()}")},
        "properties": {"finding": one.id, "tag": one.tag, "investigators": list(one.investigators)},
    }


def _location(piece: Evidence) -> dict[str, Json]:
    region: dict[str, Json] = {"startLine": piece.line, "endLine": piece.end_line or piece.line}
    if piece.snippet:
        region["snippet"] = {"text": visible_lines(piece.snippet)}
    return {"physicalLocation": {"artifactLocation": {"uri": _address(piece.path or "")}, "region": region}}


def _address(path: str) -> str:
    """A path as a relative URI."""
    plain = path.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in plain)


_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
