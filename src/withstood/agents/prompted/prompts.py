"""Prompt files: one for each role and language, with named blanks, and a marker line between system and user.

The system part is the same for every text of a run, so that providers can cache it; what changes stands in the user
part. Blanks hold JSON, with every character as it is.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import jinja2

from withstood import form
from withstood.claims.debate import Persona
from withstood.errors import Misfit

LANGUAGES = ("ko", "en")
REPAIR = "repair"
MARKER = "=== user ==="
# The attribute that stands for a thing as a whole, in the taxonomies that are in use.
_GENERAL = ("일반", "general")
# How much of a fault is told to the model: a field name that it made up may be of any length.
MOST_TOLD = 200
_PLAIN = ("memory",)
_IN_SYSTEM = ("language", "refs", "persona")

_dump = json.JSONEncoder(ensure_ascii=False).encode
# Prompts are plain text for a model; there is no markup to escape, and every blank that holds data is JSON.
_environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True)  # noqa: S701


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file, compiled. `digest` is the SHA-256 of the file."""

    system: jinja2.Template
    user: jinja2.Template
    digest: str


def language_of(language: str) -> str:
    """The language of the prompt for a text: Korean for Korean, else English."""
    return "ko" if language == "ko" else "en"


@functools.cache
def prompt(role: str, language: str) -> Prompt:
    """The prompt file of a role. A role without one is a `KeyError`."""
    file = resources.files("withstood.agents.prompted") / "prompts" / language / f"{role}.md"
    if not file.is_file():
        raise KeyError(f"there is no prompt for the role {role!r} in {language!r}")
    raw = file.read_bytes()
    system, _, user = raw.decode("utf-8").partition(f"\n{MARKER}\n")
    return Prompt(
        _environment.from_string(system), _environment.from_string(user.strip()), hashlib.sha256(raw).hexdigest()
    )


@functools.lru_cache(maxsize=256)
def system(role: str, language: str, refs: tuple[str, ...], persona: Persona | None = None) -> str:
    """The system part: the same object for the same arguments."""
    blanks: dict[str, Any] = {"refs": refs, "catch_all": _catch_all(refs)}
    return prompt(role, language).system.render(blanks if persona is None else blanks | {"persona": persona})


def user(role: str, language: str, blanks: Mapping[str, str]) -> str:
    return prompt(role, language).user.render(blanks)


def repair(language: str, fault: Misfit, schema: Mapping[str, Any]) -> str:
    """The one question that is asked back when an answer does not fit."""
    told = {"at": fault.at, "wanted": fault.wanted, "found": fault.found}
    short = {name: form.shown(part, MOST_TOLD) for name, part in told.items()}
    return user(REPAIR, language, short | {"schema": _dump(schema)})


def blanks(brief: object) -> dict[str, str]:
    """What changes in a brief, as JSON under the names of its fields; plain advice (`memory`) as it is."""
    written: Mapping[str, Any] = form.write(brief)
    shown = {name: part for name, part in written.items() if name not in _IN_SYSTEM}
    return {name: part if name in _PLAIN else _dump(part) for name, part in shown.items()}


def _catch_all(refs: Sequence[str]) -> str | None:
    """The ref for the thing as a whole, where the taxonomy has one."""
    return next((ref for ref in refs if ref.rpartition("#")[2].casefold() in _GENERAL), None)
