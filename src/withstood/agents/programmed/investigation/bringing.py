"""A suspect as a finding: in words, with the places where the evidence stands, and how strong each piece is.

| piece | STRONG | MODERATE | WEAK |
|---|---|---|---|
| the line itself | what was raised comes from it, or a telling fault on the way to what was seen | a fault or a line on the way | otherwise |
| a log line | it holds the traceback that leads there | it is said by a line on the way | – |
| a commit | it changed a line on the way to what was seen, in a telling way | it changed the line in a telling way | otherwise |

Where nothing was seen to fail, nothing is STRONG.
"""

from __future__ import annotations

from withstood.agents.programmed.investigation import signs
from withstood.agents.programmed.investigation.atlas import kind
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.suspects import PROOF, SEEN_BY, Reason, Suspect
from withstood.agents.programmed.investigation.symptoms import Symptom
from withstood.claims.finding import Evidence, Finding, Grade, Kind, Level
from withstood.claims.vocabulary import Vocabulary
from withstood.lexicons.inquiry import agreed

MOST_LINES = 5
MOST_SNIPPET = 400
LEAST_SIGNS = 4
LIKELY, POSSIBLE = 80, 55
TELLING = 24

_KINDS: dict[str, Kind] = {
    "config": "config",
    "pins": "config",
    "migration": "migration",
    "infra": "infra",
    "document": "document",
}


def finding(scene: Scene, suspect: Suspect, no: int, prefix: str, language: str, others: list[Suspect]) -> Finding:
    pull = suspect.pull(prefix)
    confidence: Level = "HIGH" if pull >= LIKELY else "MEDIUM" if pull >= POSSIBLE else "LOW"
    cause = suspect.cause()
    alternatives = [
        phrase("alternative", language, place=place(one), cause=named(one.cause(), language)) for one in others
    ]
    return Finding(
        f"F{no}",
        described(suspect, prefix, language),
        cause,
        signs.direction(cause),
        evidence(scene, suspect, prefix),
        confidence,
        tuple(alternatives[:2]) or (phrase("no other", language),),
    )


def place(suspect: Suspect) -> str:
    return f"{suspect.path}:{suspect.first}"


def named(cause: str, language: str) -> str:
    return causes().name(cause, language)


def causes() -> Vocabulary:
    return agreed().causes


def described(suspect: Suspect, prefix: str, language: str) -> str:
    told = [
        one
        for one in suspect.reasons
        if one.sort in SEEN_BY[prefix] and one.sort not in ("question", "message", "fits")
    ]
    told.sort(key=lambda one: (one.sort not in PROOF[prefix], -one.points))
    because = "; ".join(dict.fromkeys(_because(one, suspect, language) for one in told[:2]))
    return phrase("finding", language, place=place(suspect), cause=named(suspect.cause(), language), because=because)


def _because(reason: Reason, suspect: Suspect, language: str) -> str:
    commit = next(iter(suspect.commits), "")[:10]
    return phrase(reason.sort, language, says=reason.says, commit=commit)


# --- evidence ----------------------------------------------------------------------------------


def evidence(scene: Scene, suspect: Suspect, prefix: str) -> tuple[Evidence, ...]:
    """The line itself first, then what this type of investigator has to show for it."""
    found = [at_lines(scene, suspect.path, suspect.first, suspect.last, of_line(suspect, prefix, bool(scene.symptoms)))]
    symptom = _symptom(scene, suspect)
    if prefix == "LOG" and symptom is not None:
        found.append(of_log(symptom))
    if prefix == "HIST":
        found += [
            of_commit(name, said, of_change(suspect, symptom)) for name, said in list(suspect.commits.items())[:2]
        ]
    return tuple(found)


def _symptom(scene: Scene, suspect: Suspect) -> Symptom | None:
    return scene.symptoms[min(suspect.symptoms)] if suspect.symptoms and scene.symptoms else None


def at_lines(scene: Scene, path: str, first: int, last: int, strength: Grade) -> Evidence:
    page = scene.atlas.page(path)
    while page and first > 1 and sum(map(str.isalnum, "".join(page.lines[first - 1 : last]))) < LEAST_SIGNS:
        # A brace alone says nothing, and would not be accepted.
        first -= 1
    lines = list(page.lines[first - 1 : min(last, first + MOST_LINES - 1)]) if page else []
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    end = first + max(0, len(lines) - 1)
    where = f"{path}:{first}" if end == first else f"{path}:{first}-{end}"
    return Evidence(_KINDS.get(kind(path), "code"), where, "\n".join(map(shortened, lines)), strength)


def shortened(text: str) -> str:
    """At most `MOST_SNIPPET` signs, whole words."""
    return text if len(text) <= MOST_SNIPPET else text[:MOST_SNIPPET].rpartition(" ")[0] or text[:MOST_SNIPPET]


def of_log(symptom: Symptom) -> Evidence:
    strength: Grade = "STRONG" if symptom.frames else "MODERATE"
    return Evidence("log", f"{symptom.place.path}:{symptom.place.line}", shortened(symptom.place.raw.strip()), strength)


def of_commit(name: str, said: str, strength: Grade) -> Evidence:
    return Evidence("commit", name, shortened(said), strength)


def of_line(suspect: Suspect, prefix: str, seen: bool) -> Grade:
    if prefix == "HIST":
        return "MODERATE" if suspect.has("fed") or suspect.has("unit") else "WEAK"
    telling = any(one.sort in ("origin", "fault") and one.points >= TELLING for one in suspect.reasons)
    on_the_way = suspect.has("fed") or suspect.has("origin")
    if seen and telling and on_the_way and prefix == "CODE":
        return "STRONG"
    return "MODERATE" if telling or on_the_way else "WEAK"


def of_change(suspect: Suspect, symptom: Symptom | None) -> Grade:
    telling = any(one.sort == "change" and one.points >= TELLING for one in suspect.reasons)
    fits = suspect.has("fits")
    on_the_way = suspect.has("fed") or suspect.has("origin") or suspect.has("unit")
    if (
        telling
        and fits
        and on_the_way
        and symptom is not None
        and (symptom.trace or symptom.level in ("error", "fatal", "warning"))
    ):
        return "STRONG"
    return "MODERATE" if telling and (fits or on_the_way) else "WEAK"
