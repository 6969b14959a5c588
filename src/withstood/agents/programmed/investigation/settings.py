"""Settings that code reads and nobody sets, where something of a like name is set."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from withstood.agents.programmed.investigation.atlas import Atlas, kind
from withstood.agents.programmed.investigation.faults import Fault
from withstood.agents.programmed.investigation.units import Page

READ = re.compile(
    r"(?:environ(?:\.get)?|getenv|Getenv|env|LookupEnv)\s*[\[(]\s*[\"']([A-Z][A-Z0-9_]{2,})[\"']|process\.env\.([A-Z][A-Z0-9_]{2,})|"
    r"ENV\[[\"']([A-Z][A-Z0-9_]{2,})|\$\{([A-Z][A-Z0-9_]{2,})[:}]"
)
_SET = re.compile(r"^\s*(?:-\s*)?(?:export\s+|ENV\s+|- name:\s*)?[\"']?([A-Z][A-Z0-9_]{2,})[\"']?\s*(?:[:=]|$)")
LIKE = 0.7
MOST_FILES = 2000


def unset(atlas: Atlas, pages: Sequence[Page]) -> Iterator[tuple[str, Fault]]:
    """What these files read from the environment without anybody setting it, with the likest name that is set."""
    given = list(dict.fromkeys(name for names in given_by(atlas).values() for name in names))
    for page in pages:
        for no, line in enumerate(page.lines, start=1):
            for found in READ.findall(line[:400]):
                name = next(filter(None, found))
                like = likest(name, given) if name not in given else ""
                if like:
                    yield (
                        page.path,
                        Fault("config-missing", no, no, 28, f"{name} is read and set nowhere; set is {like}"),
                    )


def given_by(atlas: Atlas) -> dict[str, dict[str, int]]:
    """Which files give which settings, with the line of each."""
    found: dict[str, dict[str, int]] = {}
    told_in = [path for path in atlas.paths() if kind(path) in ("config", "infra")]
    for path in told_in[:MOST_FILES]:
        page = atlas.page(path)
        for no, line in enumerate(page.lines[:2000] if page else (), start=1):
            if told := _SET.match(line[:200]):
                found.setdefault(path, {}).setdefault(told[1], no)
    return found


def likest(name: str, given: Sequence[str]) -> str:
    """A name that ends or begins alike, or is spelled nearly the same."""
    parts = name.split("_")
    near = [
        one
        for one in given
        if one.endswith(f"_{'_'.join(parts[-2:])}") or name.endswith(f"_{one}") or _alike(name, one)
    ]
    return max(near, key=lambda one: difflib.SequenceMatcher(None, name, one).ratio(), default="")


def _alike(one: str, other: str) -> bool:
    if sorted(one.split("_")) == sorted(other.split("_")):
        return True
    return difflib.SequenceMatcher(None, one, other).ratio() >= LIKE + 0.1 or (
        "_".join(one.split("_")[-2:]) == "_".join(other.split("_")[-2:]) and "_" in one
    )
