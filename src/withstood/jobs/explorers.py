"""Who sits in the seats of a research: a program or a model to phrase, explore and imagine; programs for all else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from withstood.agents.port import Agent
from withstood.agents.programmed.research.archivist import Archivist
from withstood.agents.programmed.research.extractor import Extractor
from withstood.agents.programmed.research.phraser import Phraser
from withstood.agents.programmed.research.proofreader import Proofreader
from withstood.agents.programmed.research.searcher import Searcher
from withstood.agents.programmed.research.thinker import Thinker
from withstood.errors import ConfigError, UsageError
from withstood.jobs import panels
from withstood.jobs.panels import PROGRAMMED
from withstood.jobs.settings import Config
from withstood.journal.port import Texts
from withstood.protocols.research_briefs import CHECK, EXPLORE, IDEATE, SAVE, SEARCH, SELECT, TRIES, seat
from withstood.sources.finder import Finder

OPEN = (SELECT, EXPLORE, IDEATE)
"""The seats that a model may fill."""


def panel(
    models: Mapping[str, str], agents: Mapping[str, Agent], config: Config, texts: Texts, finders: Sequence[Finder]
) -> dict[str, Agent]:
    """Every seat but SAVE, which needs the folder."""
    for role in (*models, *agents):
        if role not in (*OPEN, "default"):
            raise ConfigError(
                f"There is no role {role!r} in a research for a model. There are {', '.join(OPEN)}, and default."
            )
    named = {role: models.get(role) or models.get("default", PROGRAMMED) for role in OPEN}
    opened = {spec: _opened(spec, config, texts) for spec in sorted({*named.values()} - {PROGRAMMED})}
    seated = {role: agents.get(role) or _seated(role, spec, opened, texts) for role, spec in named.items()}
    if isinstance(seated[EXPLORE], Extractor) and not finders:
        raise UsageError("Where is there anything to read? Name it: --sources DIR or --sources web.")
    searcher = Searcher(finders, texts)
    tries = {seat(SEARCH, no): searcher for no in range(1, TRIES + 1)}
    tries |= {seat(EXPLORE, no): seated[EXPLORE] for no in range(1, TRIES + 1)}
    checking = Proofreader(texts, has_sources=bool(finders))
    return {SELECT: seated[SELECT], **tries, CHECK: checking, IDEATE: seated[IDEATE]}


def saving(archivist: Archivist) -> dict[str, Agent]:
    return {SAVE: archivist}


def _opened(spec: str, config: Config, texts: Texts) -> Mapping[str, Agent]:
    """An agent for each open role that it can play."""
    given = panels.plugged(spec, config.endpoints)
    return panels.seated(given, OPEN) if given is not None else dict.fromkeys(OPEN, _prompted(spec, config, texts))


def _seated(role: str, spec: str, opened: Mapping[str, Mapping[str, Agent]], texts: Texts) -> Agent:
    if spec == PROGRAMMED:
        return _PROGRAMS[role](texts)
    if role not in opened[spec]:
        plays = ", ".join(opened[spec]) or "no role of a research"
        raise ConfigError(f"{spec} cannot play {role}. It plays {plays}; name another for {role}.")
    return opened[spec][role]


_PROGRAMS: Mapping[str, Callable[[Texts], Agent]] = {
    SELECT: lambda texts: Phraser(),
    EXPLORE: Extractor,
    IDEATE: lambda texts: Thinker(),
}


def _prompted(spec: str, config: Config, texts: Texts) -> Agent:
    from withstood.agents.prompted.researcher import PromptedResearcher
    from withstood.models import names
    from withstood.models.settings import Settings

    limits = config.limits
    settings = Settings(config.endpoints, float(limits.call_seconds), limits.in_flight, batching=config.batch)
    return PromptedResearcher(names.open_model(spec, settings), texts, most_tokens=names.most_tokens(spec, settings))
