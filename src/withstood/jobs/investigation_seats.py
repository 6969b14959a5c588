"""Who sits in which seat of an investigation: a program where no model is named, a model where one is.

A model is named for an investigator's id (`CODE-CALLCHAIN-R1`), for a voice in any round (`CODE-CALLCHAIN`), for a type
(`CODE`, `CR`), for the planner (`PLAN`), or for all others (`default`); the nearest name goes before. In the place of a
model may stand what a package brings. The evidence is always checked by a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from withstood.agents.port import Agent
from withstood.claims import iid
from withstood.claims.cast import CastTable
from withstood.claims.iid import Iid
from withstood.errors import ConfigError, Misfit
from withstood.jobs.header import Seat
from withstood.jobs.panels import PROGRAMMED, plugged
from withstood.jobs.settings import Config
from withstood.models.port import Model
from withstood.protocols.investigation_briefs import CHECK, PLAN
from withstood.sources.workspace import Workspace

T = TypeVar("T")
DEFAULT = "default"


def roles(cast: CastTable) -> tuple[str, ...]:
    """Every role that may be asked, whatever the question."""
    found = [str(one) for voice in cast.voices() for one in _of_voice(voice)]
    return (PLAN, *found)


def _of_voice(voice: str) -> list[Iid]:
    prefix, _, perspective = voice.partition("-")
    if prefix == iid.CHALLENGER:
        return [Iid(prefix, perspective, 3)]
    return [Iid(prefix, perspective), Iid(prefix, perspective, 3, deep=True)]


def check_cast(cast: CastTable) -> None:
    """Ids of the user's own types and perspectives must make ids of investigators."""
    for role in roles(cast)[1:]:
        try:
            iid.parse(role)
        except Misfit:
            wanted = "capital letters and digits, beginning with a letter"
            raise ConfigError(
                f"The cast names {iid.voice(role)}: wanted a type and a perspective of {wanted}."
            ) from None


def names(cast: CastTable) -> frozenset[str]:
    """All names that a model may be given for."""
    found = roles(cast)
    return frozenset((*found, *map(iid.voice, found), *(one.prefix for one in cast.types), DEFAULT))


def nearest(role: str, by_name: Mapping[str, T]) -> T | None:
    """What is named for a role: for itself, its voice, its type, or for all."""
    voice = iid.voice(role)
    for name in (role, voice, voice.partition("-")[0], DEFAULT):
        if name in by_name:
            return by_name[name]
    return None


def panel(cast: CastTable, space: Workspace, config: Config, agents: Mapping[str, Agent]) -> dict[str, Agent]:
    """Every seat but the check. `agents` are the user's own, by the same names as models, and go before. A planner sits
    only where a model or an agent is named for it; else the question is the key question."""
    _refuse_unknown(cast, (*config.models, *agents))
    seated: dict[str, Agent] = {}
    models: dict[str, Model] = {}
    programs = _programs(space, config)
    made: dict[tuple[str, bool], Agent] = {}
    brought = {spec: plugged(spec, config.endpoints) for spec in {*config.models.values()} - {PROGRAMMED}}
    for role in roles(cast):
        spec = nearest(role, config.models) or PROGRAMMED
        if own := nearest(role, agents):
            seated[role] = own
        elif (agents_of := brought.get(spec)) is not None:
            seated.update(_brought(role, spec, agents_of))
        elif spec != PROGRAMMED:
            key = (spec, role == PLAN)
            if key not in made:
                made[key] = _prompted(spec, models, config, cast, space, planner=role == PLAN)
            seated[role] = made[key]
        elif role != PLAN:
            seated[role] = programs[iid.is_challenger(role)]
    return seated


def _brought(role: str, spec: str, agents_of: Mapping[str, Agent]) -> dict[str, Agent]:
    """Whoever of a package plays this role; nobody has to plan."""
    agent = nearest(role, agents_of)
    if agent is None and role != PLAN:
        raise ConfigError(f"{spec} cannot play {role}. It plays {', '.join(agents_of)}; name another for {role}.")
    return {} if agent is None else {role: agent}


def _refuse_unknown(cast: CastTable, given: Sequence[str]) -> None:
    known = names(cast)
    for name in given:
        if name not in known:
            types = ", ".join(one.prefix for one in cast.types)
            raise ConfigError(
                f"There is no role {name!r} in an investigation. Name an investigator (CODE-CALLCHAIN, or "
                f"CODE-CALLCHAIN-R1 for one round), a type ({types}), PLAN, or default."
            )


def _programs(space: Workspace, config: Config) -> tuple[Agent, Agent]:
    from withstood.agents.programmed.investigation import seats

    return seats.seats(space, Path(config.lexicons) if config.lexicons else None)


def _prompted(
    spec: str, models: dict[str, Model], config: Config, cast: CastTable, space: Workspace, *, planner: bool
) -> Agent:
    """One model for each name, whoever it plays."""
    from withstood.agents.prompted.agent import PromptedAgent
    from withstood.agents.prompted.inquirer import MOST_REPORT, Allowance, PromptedInquirer
    from withstood.models import names as named
    from withstood.models.settings import MOST_TOKENS, Settings

    limits = config.limits
    settings = Settings(config.endpoints, float(limits.call_seconds), limits.in_flight, batching=config.batch)
    if spec not in models:
        models[spec] = named.open_model(spec, settings)
    most = named.most_tokens(spec, settings)
    if planner:
        return PromptedAgent(models[spec], (PLAN,), most_tokens=most)
    long = MOST_REPORT if most == MOST_TOKENS else most
    return PromptedInquirer(models[spec], space, cast, Allowance(report_tokens=long))


def told(seated: Mapping[str, Agent]) -> dict[str, Seat]:
    """Who sits where, for the record: by voice where both its seats have one agent; the prompts of an agent once."""
    found: dict[str, Seat] = {}
    shown: set[int] = set()
    for role, agent in seated.items():
        same = [one for name, one in seated.items() if iid.voice(name) == iid.voice(role)]
        name = iid.voice(role) if all(one is agent for one in same) else role
        if name not in found:
            found[name] = Seat(agent.name, {} if id(agent) in shown else agent.prompts())
            shown.add(id(agent))
    return found | {CHECK: Seat(_inspector())}


def _inspector() -> str:
    from withstood.agents.programmed.inspector import NAME

    return NAME
