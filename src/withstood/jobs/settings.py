"""Configuration: `withstood.toml` and the environment. Keys are never here: the environment or a keyring has them.

| variable | instead of |
|---|---|
| WITHSTOOD_CONFIG | `./withstood.toml` |
| WITHSTOOD_STORE | `store` |
| WITHSTOOD_MODEL | `models.default` |
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from withstood import databases, form
from withstood.claims.debate import Persona
from withstood.engine.limits import Limits
from withstood.errors import ConfigError
from withstood.form import Json, Misfit
from withstood.models.settings import BATCHING, Batching, Endpoint
from withstood.sources.web.settings import PLAIN, Web

FILE = "withstood.toml"
STORE = ".withstood/journal.db"
MEMORY_STORE = ".withstood/memory.jsonl"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that a configuration file may say."""

    store: str = STORE
    rules: str = "published"
    set: Mapping[str, Json] = field(default_factory=dict[str, Json])
    models: Mapping[str, str] = field(default_factory=dict[str, str])
    endpoints: Mapping[str, Endpoint] = field(default_factory=dict[str, Endpoint])
    limits: Limits = Limits()
    batch: Batching = BATCHING
    taxonomy: str | None = None
    lexicons: str | None = None
    memory: str | None = None
    memory_store: str = MEMORY_STORE
    personas: Mapping[str, Persona] = field(default_factory=dict[str, Persona])
    web: Web = PLAIN

    @property
    def episodes(self) -> str:
        """Where episodes are kept: with the runs, where those are in a database and nothing else is named."""
        return self.store if self.memory_store == MEMORY_STORE and databases.is_url(self.store) else self.memory_store


def for_batches(config: Config) -> Config:
    """As many calls under way as a batch may hold: what is set for single calls says nothing of them."""
    return replace(config, limits=replace(config.limits, in_flight=config.batch.calls))


def load(path: Path | None = None, environment: Mapping[str, str] | None = None) -> Config:
    """The file that is named, else the one in this folder, else the defaults; then the environment."""
    variables = os.environ if environment is None else environment
    named = path or (Path(variables["WITHSTOOD_CONFIG"]) if variables.get("WITHSTOOD_CONFIG") else None)
    here = Path(FILE)
    config = _read(named) if named else _read(here) if here.is_file() else Config()
    if store := variables.get("WITHSTOOD_STORE"):
        config = replace(config, store=store)
    if model := variables.get("WITHSTOOD_MODEL"):
        config = replace(config, models={**config.models, "default": model})
    return config


def _read(path: Path) -> Config:
    try:
        return form.read(Config, tomllib.loads(path.read_text("utf-8"), parse_float=Decimal))
    except OSError as fault:
        raise ConfigError(f"The configuration {path} cannot be read: {fault.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"The configuration {path} is not TOML: {fault}.") from None
    except Misfit as fault:
        raise ConfigError(f"The configuration {path}, {fault}.") from None
