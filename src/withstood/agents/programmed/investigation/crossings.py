"""Faults that show only where two places are read together.

| cause | what is looked for |
|---|---|
| deadlock | two locks that are taken in both orders |
| wrong-type | a result of an asynchronous function of another file that nobody waits for |
| slow-query | in a loop, a call of a function that asks a store or a service |
| wrong-path | the path of a file that is not there, while one of its name stands elsewhere |
| config-missing | a deployment that lacks a setting which the code reads and another deployment gives |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from withstood.agents.programmed.investigation.atlas import Atlas, kind
from withstood.agents.programmed.investigation.faults import Fault, deadlocks
from withstood.agents.programmed.investigation.settings import READ, given_by, likest
from withstood.agents.programmed.investigation.units import Page, Unit

_ASKS = re.compile(
    r"\.execute\(|\.query\(|\.fetch(?:one|all|val)?\(|\burlopen\(|\brequests\.\w+\(|\bfetch\(|\.find_?[oO]ne\(|"
    r"\.objects\.(?:get|filter)\(|\.findById\(|\.Query(?:Row)?\(|http\.(?:Get|Post)\("
)
_BUILT_IN = frozenset(
    "append close commit connect execute extend fetch flush insert load open post read readline request rollback "
    "seek send start stop submit update wait write".split()
)
_PATH = re.compile(r"[\"'`](?:\./|/)?((?:[\w.-]+/)+[\w.-]+\.\w{1,8})[\"'`]")
_LOOP = re.compile(r"\s*(?:for|while)\b|.*\.(?:forEach|map)\(")
_AWAITED = re.compile(r"\bawait\b|\breturn\b|\.then\(|Promise\.|gather\(|create_task\(|ensure_future\(|\.run\(|\bvoid\b|\basync\b|=>\s*\w+\(")  # fmt: skip


def crossings(atlas: Atlas, pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    """Each fault with the file in which it stands."""
    yield from ((page.path, fault) for page, fault, _ in deadlocks(pages))
    yield from _unawaited(pages)
    yield from _asked_in_loops(pages)
    yield from _lacking(atlas, pages)
    yield from _moved(atlas, pages)


def _unawaited(pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    promised, plain = _by_waiting(pages)
    for page in pages:
        for no, line in enumerate(page.lines, start=1):
            found = re.match(
                r"\s*(?:(?:const|let|var)\s+)?(?:\w+\s*=\s*)?(?:[\w.]+\.)?(\w+)\(.*\)\s*;?\s*$", line[:300]
            )
            if not found or found[1] in plain or _AWAITED.search(line):
                continue
            if promised.get(found[1], page.path) != page.path:
                yield page.path, Fault("wrong-type", no, no, 26, f"the result of {found[1]} is not waited for")


def _by_waiting(pages: Sequence[Page]) -> tuple[Mapping[str, str], frozenset[str]]:
    """Names of asynchronous functions with their files; and names that a plain function or a built-in object has too,
    of which a call alone does not tell which is meant."""
    promised: dict[str, str] = {}
    plain: set[str] = set(_BUILT_IN)
    for page in pages:
        for unit in page.units:
            if re.search(r"\basync\b", page.line(unit.first)) and len(unit.name) > 3:
                promised[unit.name] = page.path
            else:
                plain.add(unit.name)
    return promised, frozenset(plain)


def _asked_in_loops(pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    asking = _asking(pages)
    for page in pages:
        for unit in page.units:
            for no, name in _calls_in_loops(page, unit):
                if name in asking and name != unit.name:
                    says = f"{name} asks a store or a service, for each turn of the loop"
                    yield page.path, Fault("slow-query", no, no, 22, says)


def _asking(pages: Sequence[Page]) -> Mapping[str, str]:
    """Functions that ask a store or a service themselves."""
    return {
        unit.name: page.path
        for page in pages
        for unit in page.units
        if len(unit.name) > 3 and any(_ASKS.search(line[:300]) for _, line in page.body(unit))
    }


def _calls_in_loops(page: Page, unit: Unit) -> Iterator[tuple[int, str]]:
    loop: int | None = None
    for no, line in page.body(unit):
        depth = len(line) - len(line.lstrip())
        if loop is not None and line.strip() and depth <= loop:
            loop = None
        if loop is not None:
            yield from ((no, name) for name in re.findall(r"(\w+)\(", line[:300]))
        elif no > unit.first and _LOOP.match(line[:300]):
            loop = depth


def _lacking(atlas: Atlas, pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    """A file of settings that gives a like name where others give the one that is read."""
    given = given_by(atlas)
    asked = {next(filter(None, told)) for page in pages for line in page.lines for told in READ.findall(line[:400])}
    for name in sorted(asked):
        having = [path for path, names in given.items() if name in names]
        for path, names in given.items() if having else ():
            if path in having or kind(path) == "document" or len(names) < 2:
                continue
            if like := likest(name, [one for one in names if one not in asked]):
                no = names[like]
                yield (
                    path,
                    Fault("config-missing", no, no, 28, f"{name} is not given here, as in {having[0]}; {like} is"),
                )


def _moved(atlas: Atlas, pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    told = [
        (page.path, no, path)
        for page in pages
        for no, line in enumerate(page.lines, start=1)
        for path in _PATH.findall(line[:400])
    ]
    if not told:
        return
    named: dict[str, list[str]] = {}
    for path in atlas.paths():
        named.setdefault(path.rpartition("/")[2], []).append(path)
    for where, no, path in told:
        there = [one for one in named.get(path.rpartition("/")[2], ()) if kind(one) != "test"]
        if there and not any(f"/{one}".endswith(f"/{path.removeprefix('../')}") for one in there):
            yield where, Fault("wrong-path", no, no, 28, f"{path} is not there; {there[0]} is")
