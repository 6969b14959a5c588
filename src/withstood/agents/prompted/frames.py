"""What an investigator or a counter-reviewer with a model behind it is told: a frame, its perspective, its tools."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from withstood.agents.prompted import prompts
from withstood.agents.tools.requests import TOOLS
from withstood.claims.cast import CastTable

INVESTIGATOR, CHALLENGER, LOOKED = "INVESTIGATOR", "CHALLENGER", "looked"
FRAMES = (INVESTIGATOR, CHALLENGER)
TABLES = ("perspectives", "tools")


def frame(name: str, language: str, blanks: Mapping[str, Any]) -> str:
    return prompts.prompt(name, language).system.render(blanks)


def looked(language: str, blanks: Mapping[str, Any]) -> str:
    """What follows a wish to look: the results, and how many turns are left."""
    return prompts.prompt(LOOKED, language).user.render(blanks)


def perspective(cast: CastTable, voice: str, language: str) -> tuple[str, str]:
    """The name of a perspective and how it looks; of one that the user added, what the cast table says of it."""
    type, _, id = voice.partition("-")
    known = next((one for one in cast.types if one.prefix == type), None)
    one = next((one for one in known.perspectives if one.id == id), None) if known else None
    name = f"{known.name if known else type}, {one.name if one else id}"
    look = table("perspectives", language).get(voice) or (one.says.get(language, "") if one else "")
    return name, look.strip()


def tools_told(tools: Sequence[str], language: str) -> str:
    """One line for each tool: its name, its fields, what it does."""
    told = table("tools", language)
    return "\n".join([f"- {tool}({', '.join(_fields(tool))}): {told[tool]}" for tool in tools])


def _fields(tool: str) -> list[str]:
    return [name for name in TOOLS[tool].__dataclass_fields__ if name != "tool"]


def digests() -> dict[str, str]:
    """Every file that a prompt is made from, by name and language, with the SHA-256 of it."""
    names = (*FRAMES, LOOKED, prompts.REPAIR)
    files = {
        f"{name}/{language}": prompts.prompt(name, language).digest for name in names for language in prompts.LANGUAGES
    }
    tables = {f"{name}/{language}": _digest(name, language) for name in TABLES for language in prompts.LANGUAGES}
    return files | tables


def table(name: str, language: str) -> Mapping[str, str]:
    return _table(name, prompts.language_of(language))


@functools.cache
def _table(name: str, language: str) -> Mapping[str, str]:
    return tomllib.loads(_read(name, language).decode("utf-8"))


def _digest(name: str, language: str) -> str:
    return hashlib.sha256(_read(name, language)).hexdigest()


def _read(name: str, language: str) -> bytes:
    file = resources.files("withstood.agents.prompted") / "prompts" / language / f"{name}.toml"
    return file.read_bytes()
