"""Agents of other packages, by name: an entry point of the group `withstood.agents`.

`NAME` or `NAME:REST` leads to a function that is given REST and returns an agent for each role that it can play;
`default` stands for every role that is not named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from withstood import plugins
from withstood.agents.port import Agent
from withstood.errors import ConfigError

_PARTS = ("name", "answer", "prompts", "most_tokens", "models")


def opened(spec: str) -> Mapping[str, Agent] | None:
    """The agents of that name, by role; None where no package brings any."""
    name, _, rest = spec.partition(":")
    factory = plugins.found(plugins.AGENTS, name)
    return None if factory is None else _checked(name, factory(rest))


def _checked(name: str, given: Any) -> Mapping[str, Agent]:
    if not isinstance(given, Mapping) or not given:
        raise ConfigError(f"The entry point {name!r} wants to give an agent for each role, and gave {given!r:.80}.")
    agents = cast("Mapping[str, Agent]", given)
    for role, agent in agents.items():
        missing = [part for part in _PARTS if not hasattr(agent, part)]
        if missing:
            raise ConfigError(f"The agent of {name!r} for {role} is none: it has no {', '.join(missing)}.")
    return agents
