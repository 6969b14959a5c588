"""Who sits in which seat: a program where no model is named, a model where one is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from withstood.agents.port import Agent
from withstood.errors import ConfigError
from withstood.jobs.settings import Config
from withstood.models.port import PREFIX, Model

if TYPE_CHECKING:
    from withstood.models.scripted import Scripted

PROGRAMMED = "programmed"
FITTED = "fitted:"
MOST_UNUSED = 100  # that are named; the others are counted


def panel(seats: Sequence[str], config: Config, agents: Mapping[str, Agent]) -> dict[str, Agent]:
    """`config.models` names a model for a role, or for all others as `default`; `programmed` is the agent that needs
    none, `fitted:FILE` one that was fitted on labelled rows, `NAME:REST` what a package brings. `agents` are the
    user's own and go before."""
    models = config.models
    for role in (*models, *agents):
        if role not in (*seats, "default"):
            raise ConfigError(f"There is no role {role!r} in this protocol. There are {', '.join(seats)}, and default.")
    by_role = {role: models.get(role) or models.get("default", PROGRAMMED) for role in seats if role not in agents}
    named = sorted({*by_role.values()})
    given = {spec: _given(spec, config, seats) for spec in named}
    programs = {spec: agents_of for spec, agents_of in given.items() if agents_of is not None}
    for role, spec in by_role.items():
        if spec in programs and role not in programs[spec]:
            raise ConfigError(
                f"{spec} cannot play {role}. It plays {', '.join(programs[spec])}; name another for {role}."
            )
    opened = {spec: _prompted(spec, config, seats) for spec in named if spec not in programs}
    own = {role: agents[role] for role in seats if role in agents}
    taken = {role: opened[spec] if spec in opened else programs[spec][role] for role, spec in by_role.items()} | own
    return {role: taken[role] for role in seats}


def in_batches(models: Mapping[str, str]) -> dict[str, str]:
    """The same models by their batch endpoints; agents that are programs stay as they are."""
    return {role: spec if _is_program(spec) else PREFIX + spec.removeprefix(PREFIX) for role, spec in models.items()}


def _is_program(spec: str) -> bool:
    return spec == PROGRAMMED or spec.startswith(FITTED)


def _given(spec: str, config: Config, seats: Sequence[str]) -> Mapping[str, Agent] | None:
    """An agent for each role that this can play; None where it names a model, which can play all."""
    if spec == PROGRAMMED:
        return _programmed(config, seats)
    if spec.startswith(FITTED):
        from withstood.agents import fitted

        return fitted.opened(Path(spec.removeprefix(FITTED)), Path(config.lexicons) if config.lexicons else None)
    agents = plugged(spec, config.endpoints)
    return None if agents is None else seated(agents, seats)


def plugged(spec: str, endpoints: Collection[str]) -> Mapping[str, Agent] | None:
    """What a package of the user's brings under this name. Names of ours and of the configuration go before."""
    from withstood.agents import plugged as agents
    from withstood.models import names

    return None if names.is_ours(spec, endpoints) else agents.opened(spec)


def seated(agents: Mapping[str, Agent], roles: Sequence[str]) -> dict[str, Agent]:
    """Who of them plays each role that they can play; `default` plays every role that is not named."""
    by_role = {role: agents.get(role) or agents.get("default") for role in roles}
    return {role: agent for role, agent in by_role.items() if agent is not None}


def _programmed(config: Config, seats: Sequence[str]) -> Mapping[str, Agent]:
    from withstood.agents import programmed

    return programmed.seats(Path(config.lexicons) if config.lexicons else None, config.taxonomy, seats)


def _prompted(spec: str, config: Config, seats: Sequence[str]) -> Agent:
    from withstood.agents.prompted.agent import ROLES, PromptedAgent
    from withstood.models import names
    from withstood.models.settings import Settings

    limits = config.limits
    settings = Settings(config.endpoints, float(limits.call_seconds), limits.in_flight, batching=config.batch)
    roles = ROLES if set(seats) <= set(ROLES) else seats
    return PromptedAgent(names.open_model(spec, settings), roles, most_tokens=names.most_tokens(spec, settings))


def unused_lines(seated: Mapping[str, Agent]) -> tuple[str, ...]:
    """What a scripted panel had ready and nobody asked for."""
    from withstood.models.scripted import Scripted

    scripts = [model for model in models_of(seated) if isinstance(model, Scripted)]
    return tuple([note for script in scripts for note in _unused(script)])


def _unused(script: Scripted) -> Iterator[str]:
    """The first of them, then how many more there are."""
    yield from (f"unused line of the script: {line}" for line in islice(script.unused(), MOST_UNUSED))
    more = script.count_unused() - MOST_UNUSED
    if more > 0:
        yield f"unused lines of the script: {more:,} more"


def models_of(seated: Mapping[str, Agent]) -> list[Model]:
    """Each model once."""
    return list({id(model): model for agent in seated.values() for model in agent.models()}.values())
