"""The rulebook: which edition of each table a run uses, and with which numbers. Frozen, and known by its hash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

from withstood import form
from withstood.form import Like
from withstood.rules import (
    admission,
    aggregation,
    arbiter_v1,
    arbiter_v2,
    authorities,
    authority_1,
    authority_2,
    citation,
    classification,
    conflicts,
    floor,
    grouping,
    judgement_1,
    judgement_w1,
    judgements,
    memory_condition,
    moderator_1,
    moderator_2,
    override,
    override_gates,
    passes,
    scope,
    selection,
    strength_1,
    strength_2,
    strengths,
    thesis,
    verification,
)
from withstood.rules.table import WHOLE, NoNumbers, Without

MODERATORS = MappingProxyType({"1": moderator_1.moderate, "2": moderator_2.moderate})
AUTHORITIES = MappingProxyType({"1": authority_1.authority, "2": authority_2.authority})
STRENGTHS = MappingProxyType({"1": strength_1.strength, "2": strength_2.strength})
ARBITERS = MappingProxyType({"v1": arbiter_v1.arbitrate, "v2": arbiter_v2.arbitrate})
JUDGEMENTS = MappingProxyType({"1": judgement_1.judge, "w1": judgement_w1.judge})
DROPPABLE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        module.TABLE.edition: module.TABLE.droppable
        for module in (
            arbiter_v1,
            arbiter_v2,
            override,
            moderator_1,
            moderator_2,
            classification,
            judgement_1,
            judgement_w1,
        )
    }
)
"""The rows that `rows.without` may name, table by table."""


@dataclass(frozen=True, slots=True)
class Arbiter:
    """Which arbiter decides, whether reason codes must have their cue, and how often each reviewer is right (w1)."""

    edition: Literal["v1", "v2", "w1"] = "v2"
    reason_gate: Literal["off", "on"] = "off"
    reliability: Annotated[str, Like(r"([ABC]:(0|1|0\.[0-9]{1,9})(;|$))*")] = ""


@dataclass(frozen=True, slots=True)
class Moderator:
    """Which moderator labels a debated text, and what it is fed."""

    edition: Literal["1", "2"] = "1"
    feeder: aggregation.Feeder = "aggregate"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that are passed over as if their tables did not have them: `arbiter-v2:1a;judgement-1:3`."""

    without: Annotated[str, Like(r"([a-z]+-[a-z]?[0-9]+:[A-Za-z0-9]+(;|$))*")] = ""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Every setting stands in its section under the name `section.setting`."""

    preset: Literal["published", "strict"] = "published"
    arbiter: Arbiter = Arbiter()
    conflicts: conflicts.Numbers = conflicts.Numbers()
    review: scope.Numbers = scope.Numbers()
    override: override.Numbers = override.Numbers()
    gates: override_gates.Numbers = override_gates.Numbers()
    moderator: Moderator = Moderator()
    debate: floor.Numbers = floor.Numbers()
    single: passes.Numbers = passes.Numbers()
    memory: memory_condition.Numbers = memory_condition.Numbers()
    research: admission.Numbers = admission.Numbers()
    authority: authorities.Numbers = authorities.Numbers()
    strength: strengths.Numbers = strengths.Numbers()
    verification: verification.Numbers = verification.Numbers()
    selection: selection.Numbers = selection.Numbers()
    thesis: thesis.Numbers = thesis.Numbers()
    evidence: citation.Numbers = citation.Numbers()
    grouping: grouping.Numbers = grouping.Numbers()
    mass: judgements.Numbers = judgements.Numbers()
    rows: Rows = Rows()

    @property
    def hash(self) -> str:
        return form.digest(form.dumps(self))

    def section(self, name: str) -> Any:
        """The numbers of a table; a table that has none is given `NoNumbers`."""
        return NoNumbers() if name == "none" else getattr(self, name)

    def without(self, edition: str) -> Without:
        """The rows of a table that are passed over."""
        if not self.rows.without:
            return WHOLE
        named = [part.partition(":") for part in self.rows.without.split(";")]
        return frozenset([row for table, _, row in named if table == edition])

    def settings(self) -> dict[str, str]:
        """All settings, flat: `{"arbiter.edition": "v2", ...}`."""
        return {
            f"{section.name}.{setting.name}": str(getattr(getattr(self, section.name), setting.name))
            for section in fields(self)
            if section.name != "preset"
            for setting in fields(getattr(self, section.name))
        }

    def adjusted(self, changes: Mapping[str, str]) -> Rulebook:
        """This rulebook with some settings changed. `arbiter=v1` is short for `arbiter.edition=v1`."""
        book = self
        for name, value in _spelled_out(changes):
            book = book._with(name, value)
        return book

    def _with(self, name: str, value: str) -> Rulebook:
        full = f"{name}.edition" if f"{name}.edition" in self.settings() else name
        if full not in self.settings():
            raise form.Misfit(name, _settings_like(name, self.settings()), "an unknown setting")
        section, _, setting = full.partition(".")
        numbers: Any = getattr(self, section)
        changed: Any = form.read(cast("type[Any]", type(numbers)), form.write(numbers) | {setting: value}, section)
        if full == "rows.without":
            _check_rows(full, value)
        return replace(self, **{section: replace(changed, **{setting: _shortest(getattr(changed, setting))})})


def _settings_like(name: str, known: Mapping[str, str]) -> str:
    """Those of its section; where there is no such section, the sections."""
    section = f"{name.partition('.')[0]}."
    near = [one for one in known if one.startswith(section)]
    if near:
        return f"one of the settings {', '.join(near)}"
    sections = dict.fromkeys(one.partition(".")[0] for one in known)
    return f"a setting of one of the sections {', '.join(sections)}, as in arbiter.edition"


def _check_rows(place: str, stated: str) -> None:
    """Every row is one that its table can do without."""
    for part in filter(None, stated.split(";")):
        table, _, row = part.partition(":")
        if table not in DROPPABLE:
            raise form.Misfit(place, f"a row of one of the tables {', '.join(DROPPABLE)}", form.shown(part))
        if row not in DROPPABLE[table]:
            raise form.Misfit(place, f"one of the rows {', '.join(DROPPABLE[table])} of {table}", form.shown(part))


def _spelled_out(changes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every change, with a profile as the settings that it stands for."""
    for name, value in changes.items():
        if name != "override.profile":
            yield name, value
        elif value in PROFILES:
            yield from PROFILES[value].items()
        else:
            raise form.Misfit(name, f"one of {', '.join(PROFILES)}", form.shown(value))


def _shortest(value: Any) -> Any:
    """0.60 is 0.6: equal rulebooks have equal hashes."""
    return Decimal(f"{value.normalize(form.EXACT):f}") if isinstance(value, Decimal) else value


def _profile(total: str, margin: str, sure: str, conservative: str) -> Mapping[str, str]:
    return MappingProxyType(
        {
            "override.min_total": total,
            "override.min_margin": margin,
            "override.min_target_conf": sure,
            "gates.l3_conservative": conservative,
            "gates.ev_threshold": "0.5",
        }
    )


PROFILES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "t0": _profile("1.6", "0.8", "0.7", "on"),
        "t1": _profile("1.0", "0.5", "0.6", "on"),
        "t2": _profile("0.6", "0.3", "0.55", "off"),
    }
)
"""`override.profile=t1` is short for these settings."""

PRESETS: Mapping[str, Rulebook] = MappingProxyType(
    {
        "published": Rulebook(),
        "strict": Rulebook(
            preset="strict",
            arbiter=Arbiter(reason_gate="on"),
            moderator=Moderator("2"),
            debate=floor.Numbers(stance="persona"),
            research=admission.Numbers("dropped"),
            authority=authorities.Numbers("2"),
            strength=strengths.Numbers("2"),
        ),
    }
)
