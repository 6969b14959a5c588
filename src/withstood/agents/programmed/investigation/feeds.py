"""What feeds a line: where the names in it come from, as far as can be told from how the code is written.

| how | the line that is found |
|---|---|
| assigned | of a local name, above in the same function |
| passed | of a parameter, in the calls of the function |
| called | what a called function gives back |
| constant | a name of the module, of this file or of one that it imports |
| key | a setting of that name, in a file of settings |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.agents.programmed.investigation.atlas import Atlas, Spot, kind
from withstood.agents.programmed.investigation.units import Page, Unit

How: TypeAlias = Literal["itself", "assigned", "passed", "called", "constant", "key"]

_NAME = re.compile(r"(?<![\w\"'])([A-Za-z_]\w*)")
_CALL = re.compile(r"(?:(\w+)\s*(?:\.|->|::)\s*)?([A-Za-z_]\w*)\s*\(")
_CONSTANT = re.compile(r"(?:\b(\w+)\s*\.\s*)?\b([A-Z][A-Z0-9_]{2,})\b")
_KEY = re.compile(r"\[\s*[\"']([\w.-]{2,60})[\"']\s*\]|\.get\w*\(\s*[\"']([\w.-]{2,60})[\"']|\b(?:getenv|env|getProperty|Getenv)\(\s*[\"']([\w.-]{2,60})[\"']|process\.env\.(\w+)|@Value\(\"\$\{([\w.-]+)")  # fmt: skip
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_KEYWORDS = frozenset(
    "return if else elif for while in is not and or None True False null nil undefined this self new await async def func "
    "function const let var final public private static void int str string with as try except finally raise throw yield "
    "from import lambda del pass break continue len print range list dict set tuple map filter max min sum any all "
    "isinstance super open float bool type sorted enumerate zip format String Integer err".split()
)
_RETURNS = re.compile(r"^\s*(?:return|yield|throw|raise)\b|=>\s*[^{\s]")
MOST_DEPTH = 2
MOST_FED = 60


@dataclass(frozen=True, slots=True)
class Fed:
    """A line that feeds another, over so many steps."""

    spot: Spot
    how: How
    depth: int
    name: str = ""


def feeds(atlas: Atlas, spot: Spot) -> list[Fed]:
    """The line itself, then what feeds it, nearest first; each line once."""
    found: dict[Spot, Fed] = {spot: Fed(spot, "itself", 0)}
    waiting = [found[spot]]
    while waiting and len(found) < MOST_FED:
        at = waiting.pop(0)
        if at.depth > MOST_DEPTH:
            continue
        for one in _step(atlas, at):
            if one.spot not in found:
                found[one.spot] = one
                waiting.append(one)
    return list(found.values())


def _step(atlas: Atlas, at: Fed) -> Iterator[Fed]:
    page = atlas.page(at.spot.path)
    if page is None or not page.language:
        return
    line = page.line(at.spot.line)[:600]
    if at.how == "called" and not _RETURNS.match(line) and at.depth >= MOST_DEPTH:
        return
    unit = page.unit_at(at.spot.line)
    yield from _assigned(atlas, page, unit, at, line)
    yield from _called(atlas, page, at, line)
    yield from _constants(atlas, page, at, line)
    yield from _keys(atlas, at, line)


def names_in(line: str) -> list[str]:
    return [name for name in dict.fromkeys(_NAME.findall(_STRING.sub(_kept, line))) if name not in _KEYWORDS]


def _kept(found: re.Match[str]) -> str:
    """Of a string only what is filled in: the names between braces."""
    return " ".join(re.findall(r"\{([^{}:!]*)", found[0]))


def _assigned(atlas: Atlas, page: Page, unit: Unit | None, at: Fed, line: str) -> Iterator[Fed]:
    if unit is None:
        return
    for name in names_in(line):
        if spot := assignment(page, unit, name, at.spot.line):
            yield Fed(spot, "assigned", at.depth, name)
        elif name in unit.params and at.depth < MOST_DEPTH:
            yield from (Fed(one, "passed", at.depth + 1, name) for one in atlas.callers(unit.name, near=page.path)[:4])
        elif spot := of_module(page, name, at.spot.line):
            yield Fed(spot, "constant", at.depth + 1, name)


def assignment(page: Page, unit: Unit, name: str, before: int) -> Spot | None:
    """The last line above, in the same function, that gives a name its value."""
    told = rf"(?<![\w.]){re.escape(name)}\s*(?::[^=\n]{{1,60}})?(?::=|=(?!=)|\bin\b)|\bas\s+{re.escape(name)}\s*:"
    wanted = re.compile(told)
    for no in range(before - 1, unit.first, -1):
        line = page.line(no)
        if name in line and wanted.search(line[:400]):
            return Spot(page.path, no)
    return None


def of_module(page: Page, name: str, at: int) -> Spot | None:
    """The line that gives a name of the module its value, where that is no constant by its spelling."""
    if len(name) < 3 or name.isupper():
        return None
    wanted = re.compile(
        rf"(?:export\s+)?(?:(?:const|let|var)\s+)?{re.escape(name)}\s*(?::[^=\n]{{1,60}})?(?::=|=(?!=|>))"
    )
    found = (no for no, line in enumerate(page.lines, start=1) if name in line and no != at and wanted.match(line))
    return next((Spot(page.path, no) for no in found), None)


def _called(atlas: Atlas, page: Page, at: Fed, line: str) -> Iterator[Fed]:
    for owner, name in _CALL.findall(_STRING.sub('""', line)):
        if name in _KEYWORDS or len(name) < 3:
            continue
        found = definition(atlas, page, owner, name)
        if found and Spot(found[0].path, found[1].first) != at.spot:
            there, unit = found
            yield from (Fed(Spot(there.path, no), "called", at.depth + 1, name) for no in returns(there, unit))


def definition(atlas: Atlas, page: Page, owner: str, name: str) -> tuple[Page, Unit] | None:
    """The function that a call means: of the module or class that stands before it, else the only or nearest one."""
    found = [one for one in atlas.definitions(name, page.path) if kind(one[0].path) != "test"]
    if not found:
        return None
    if owner and owner not in ("self", "this", "cls"):
        told = owner.lower().replace("_", "")
        ours = [one for one in found if told in _called_by(one[0], one[1])] or [
            one for one in found if any(told in name or name in told for name in _called_by(one[0], one[1]))
        ]
        if ours:
            return ours[0]
        return found[0] if len(found) == 1 and name not in _COMMON else None
    same = [one for one in found if one[0].path == page.path]
    imported = [one for one in found if _imports(page, one[0], name)]
    return (same or imported or found)[0] if same or imported or len(found) == 1 else None


_COMMON = frozenset("get put set add pop update append remove close read write send run start stop find load save execute join split strip items keys values format replace info warning error debug exception".split())  # fmt: skip


def _called_by(page: Page, unit: Unit) -> set[str]:
    stem = page.path.rpartition("/")[2].partition(".")[0]
    folder = page.path.rpartition("/")[0].rpartition("/")[2]
    return {part.lower().replace("_", "") for part in (stem, unit.owner, folder) if part}


def _imports(page: Page, other: Page, name: str) -> bool:
    stem = other.path.rpartition("/")[2].partition(".")[0]
    return any(
        name in line and stem in line
        for line in page.lines[:80]
        if re.match(r"\s*(?:from|import|const|use|require)", line)
    )


def returns(page: Page, unit: Unit) -> list[int]:
    """The lines in which a function gives back or raises; its last line of code where it does neither."""
    found = [no for no, line in page.body(unit) if _RETURNS.search(line[:400])]
    inside = [no for start in found for no in _whole(page, unit, start)]
    return list(dict.fromkeys(inside)) or [unit.last]


def _whole(page: Page, unit: Unit, no: int) -> Iterator[int]:
    """A statement with the lines on which it goes on, by its brackets."""
    depth = 0
    for at in range(no, min(unit.last, no + 12) + 1):
        bare = _STRING.sub("", page.line(at))
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
        yield at
        if depth <= 0:
            return


def _constants(atlas: Atlas, page: Page, at: Fed, line: str) -> Iterator[Fed]:
    for owner, name in _CONSTANT.findall(_STRING.sub(_kept, line)):
        defined = [spot for spot in _sets(atlas, name) if not owner or owner.lower() in spot.path.lower()]
        near = [spot for spot in defined if spot.path == page.path] or defined
        yield from (Fed(spot, "constant", at.depth + 1, name) for spot in near[:2] if spot != at.spot)


def _sets(atlas: Atlas, name: str) -> list[Spot]:
    wanted = re.compile(rf"(?<![\w.]){re.escape(name)}\s*(?::[^=\n]{{1,60}})?=(?!=)")
    return [spot for spot in atlas.lines_with(name, most=60) if wanted.search(atlas.line(spot)[:400])]


def _keys(atlas: Atlas, at: Fed, line: str) -> Iterator[Fed]:
    for found in _KEY.findall(line):
        key = next(filter(None, found))
        last = re.split(r"[.]", key)[-1]
        yield from (Fed(spot, "key", at.depth + 1, key) for spot in settings(atlas, last)[:6])


def settings(atlas: Atlas, key: str) -> list[Spot]:
    """Where a file of settings gives a key its value."""
    wanted = re.compile(
        rf"(?i)^\s*(?:[-\s]*|export\s+|ENV\s+|set\s+)[\"']?(?:[\w-]+\.)*{re.escape(key)}[\"']?\s*[:=\s]\s*\S"
    )
    plausible = (
        [path for path in atlas.files_with(key) if kind(path) in ("config", "infra", "pins")]
        if re.fullmatch(r"[A-Za-z_]\w+", key)
        else []
    )
    found: list[Spot] = []
    for path in plausible[:20]:
        page = atlas.page(path)
        found += [
            Spot(path, no) for no, said in enumerate(page.lines if page else (), start=1) if wanted.match(said[:400])
        ]
    return found
