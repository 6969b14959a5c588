"""Release documents: what has to be in them, what is left open, and what was changed without their saying so.

| looked for | where | strength |
|---|---|---|
| a line that is not filled in: TBD, TODO, 미정 | notes of the release in question | STRONG |
| a heading with nothing under it | the same | STRONG |
| a step that is not ticked off, where others are | the same | MODERATE |
| no word on taking back, migrations, tests, known issues | the same, all notes of that release together | MODERATE |
| a version of the package that no notes name | the file that gives the version | STRONG |
| a migration, pins or settings changed since the release before, of which no notes speak | the notes, and what was changed | MODERATE |

The release in question is the one that the question names; else the newest that notes have in their path; else all notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation.atlas import Kind, kind
from withstood.agents.programmed.investigation.phrases import phrase
from withstood.agents.programmed.investigation.scene import Scene
from withstood.agents.programmed.investigation.units import Page
from withstood.claims.finding import Grade

MOST_DOCUMENTS = 400
MOST_UNSAID, MOST_BESIDE = 6, 2
_NOTES = re.compile(
    r"(?i)(?:^|/)(?:change(?:log|s)|release[-_ ]?(?:notes?|check ?list|plan)?s?|news|history|upgrad\w*|hand-?(?:off|over)|"
    r"go-?live|deploy(?:ment)?[-_ ]?(?:plan|guide|check ?list)|인수인계|릴리[스즈]|배포)[^/]*\.(?:md|rst|txt|adoc)$|"
    r"(?:^|/)(?:release|hand-?(?:off|over))[^/]*/(?:[^/]+/)*[^/]+\.(?:md|rst|txt|adoc)$"
)
_LOG_OF_CHANGES = re.compile(r"(?i)changelog|changes|history|news")
_OPEN = re.compile(
    r"\bTBD\b|\bTBA\b|\bTBC\b|\bTODO\b|\bFIXME\b|\?\?\?|(?i:to be (?:decided|defined|written|determined|filled)|coming soon|lorem ipsum|fill (?:in|me))|미정|작성 ?(?:예정|필요|중)|추후 ?(?:작성|결정)|확인 ?필요"
)
_TICK = re.compile(r"\s*[-*]\s+\[(?P<mark>[ xX])\]\s+\S")
_HEADING = re.compile(r"(?P<signs>#{1,6})\s+\S")
_VERSION = re.compile(r"(?<![\d.])v?(\d+(?:\.\d+)+)(?![\d.]*\d)")
_SECTIONS: Mapping[str, re.Pattern[str]] = {
    "rollback": re.compile(r"(?i)roll(?:ing|ed)? ?back|revert|back ?out|downgrade|되돌리|롤백|복구"),
    "migration": re.compile(r"(?i)migrat|upgrade|schema|마이그레이션|이행"),
    "tests": re.compile(r"(?i)\btest|verif|smoke|QA\b|검증|테스트|시험"),
    "known issues": re.compile(r"(?i)known (?:issue|problem|limitation)|limitation|risk|알려진|제한|위험"),
}
_SPOKEN_OF: Mapping[Kind, re.Pattern[str]] = {
    "migration": _SECTIONS["migration"],
    "pins": re.compile(r"(?i)dependenc|upgrad|bump|librar|package|의존|라이브러리|패키지"),
    "config": re.compile(r"(?i)config|setting|environment|variable|default|flag|설정|환경|기본값"),
    "infra": re.compile(r"(?i)config|setting|environment|infra|deploy|image|container|설정|환경|인프라|이미지"),
}


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a document or a step, and the lines that show it; `beside` shows more of it elsewhere."""

    cause: str
    says: str
    path: str
    first: int
    last: int
    strength: Grade = "MODERATE"
    beside: tuple[tuple[str, int], ...] = ()


def documents(scene: Scene) -> list[Page]:
    paths = [path for path in scene.atlas.paths() if kind(path) == "document"]
    return [page for path in paths[:MOST_DOCUMENTS] if (page := scene.atlas.page(path))]


def completeness(scene: Scene, language: str) -> Iterator[Flaw]:
    notes = in_question(scene, [page for page in documents(scene) if _NOTES.search(page.path)])
    for page in notes:
        yield from _left_open(page, language)
        yield from _empty(page, language)
        yield from _not_done(page, language)
    yield from _lacking(scene, notes, language)
    yield from _version(scene, notes, language)


def in_question(scene: Scene, notes: Sequence[Page]) -> list[Page]:
    """The notes of the release that the question names; else of the newest; else all."""
    asked = set(_VERSION.findall(scene.question))
    named = [page for page in notes if asked & set(_VERSION.findall(page.path))]
    if named:
        return named
    newest = max((_numbers(page.path) for page in notes), default=())
    return [page for page in notes if _numbers(page.path) == newest or _LOG_OF_CHANGES.search(page.path)]


def _numbers(path: str) -> tuple[int, ...]:
    """The version in a path, to be compared; nothing where there is none."""
    found = _VERSION.findall(path.rpartition(".")[0])
    return tuple(int(step) for step in found[-1].split(".")) if found else ()


# --- what is left open -------------------------------------------------------------------------


def _left_open(page: Page, language: str) -> Iterator[Flaw]:
    for no, line in enumerate(page.lines, start=1):
        if _OPEN.search(line[:400]):
            yield _open(page, no, language)


def _empty(page: Page, language: str) -> Iterator[Flaw]:
    """A heading that is followed by one that is not under it, or by nothing."""
    last: tuple[int, int] | None = None
    for no, line in enumerate([*page.lines, "# end"], start=1):
        heading = _HEADING.match(line)
        if heading and last and len(heading["signs"]) <= last[1]:
            yield _open(page, last[0], language)
        if line.strip():
            last = (no, len(heading["signs"])) if heading else None


def _open(page: Page, no: int, language: str) -> Flaw:
    says = phrase("open", language, path=page.path, line=no)
    return Flaw("document-incomplete", says, page.path, no, no, "STRONG")


def _not_done(page: Page, language: str) -> Iterator[Flaw]:
    """A list of which nothing is ticked off is a form, and says nothing."""
    ticks = [(no, found["mark"]) for no, line in enumerate(page.lines, start=1) if (found := _TICK.match(line))]
    if all(mark == " " for _, mark in ticks):
        return
    for no in [no for no, mark in ticks if mark == " "]:
        yield Flaw(
            "document-incomplete", phrase("not done", language, path=page.path, line=no), page.path, no, no, "MODERATE"
        )


def _lacking(scene: Scene, notes: Sequence[Page], language: str) -> Iterator[Flaw]:
    """All that the notes lack as a whole is one flaw, shown at their first line and where the changes are."""
    says: list[str] = []
    if sections := _missing_sections(scene, notes):
        says.append(phrase("section", language, path=notes[0].path, section=", ".join(sections)))
    changes = _unsaid(scene, notes)
    if changes:
        says.append(phrase("mismatch", language, path=notes[0].path, what=", ".join(changes)))
    if says:
        beside = tuple((path, 1) for path in changes[:MOST_BESIDE])
        yield Flaw("document-incomplete", "; ".join(says), notes[0].path, 1, 1, "MODERATE", beside)


def _missing_sections(scene: Scene, notes: Sequence[Page]) -> list[str]:
    told = [page for page in notes if not _LOG_OF_CHANGES.search(page.path) and page.lines]
    text = "\n".join(line for page in told for line in page.lines)
    stored = any(kind(path) == "migration" for path in scene.atlas.paths())
    wanted = [name for name in _SECTIONS if stored or name != "migration"] if told else []
    return [name for name in wanted if not _SECTIONS[name].search(text)]


# --- what does not fit -------------------------------------------------------------------------


def _version(scene: Scene, notes: Sequence[Page], language: str) -> Iterator[Flaw]:
    """The version that the package says it has, and no notes name."""
    there = set(scene.atlas.paths())
    for path in ("pyproject.toml", "package.json", "setup.py", "pom.xml", "Cargo.toml", "VERSION", "version.txt"):
        page = scene.atlas.page(path) if path in there else None
        for no, line in enumerate(page.lines[:60] if page else (), start=1):
            found = re.match(r"\s*(?:\"?version\"?\s*[:=]\s*\")?v?(\d+\.\d[\w.]*)\"?[,\s]*$", line)
            told = [page.path for page in notes] + [text for page in notes for text in page.lines]
            if found and notes and not any(found[1] in text for text in told):
                says = phrase("mismatch", language, path=notes[0].path, what=found[1])
                yield Flaw("document-incomplete", says, path, no, no, "STRONG")
                return


def _unsaid(scene: Scene, notes: Sequence[Page]) -> list[str]:
    """What was changed since the release before, and is of a sort of which notes have to speak."""
    text = "\n".join(line for page in notes for line in page.lines)
    changed = changed_since(scene, notes) if notes else []
    return [path for path in changed if (words := _SPOKEN_OF.get(kind(path))) and not _names(text, path, words)][
        :MOST_UNSAID
    ]


def _names(text: str, path: str, words: re.Pattern[str]) -> bool:
    return words.search(text) is not None or path.rpartition("/")[2].partition(".")[0] in text


def changed_since(scene: Scene, notes: Sequence[Page]) -> list[str]:
    """Files that are there and were changed since the notes of another release were last, newest first; where there are
    no others, since these notes were touched the time before. Nothing where the history does not say."""
    if scene.chronicle is None:
        return []
    mine = {page.path for page in notes}
    others = [page.path for page in documents(scene) if _NOTES.search(page.path) and page.path not in mine]
    touched = {path: scene.chronicle.touching(path) for path in [*others, *mine]}
    ends = [commits[0].name for path in others if (commits := touched[path])]
    ends = ends or [commits[1].name for path in sorted(mine) if len(commits := touched[path]) > 1]
    found: list[str] = []
    for row in scene.chronicle.rows if ends else ():
        if row.commit.name in ends:
            break
        found += row.paths
    there = set(scene.atlas.paths())
    return [path for path in dict.fromkeys(found) if path in there]
