"""What a user may say about the web, and what only code may say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from ipaddress import ip_address
from typing import Annotated, Literal, TypeAlias

from withstood.errors import ConfigError
from withstood.form import Within

ProviderName: TypeAlias = Literal["searxng", "tavily", "brave", "exa", "ddgs"]
Seconds: TypeAlias = Annotated[Decimal, Within(0)]

ORDER: tuple[ProviderName, ...] = ("searxng", "tavily", "brave", "exa", "ddgs")
KEYS: Mapping[str, str] = {"tavily": "TAVILY_API_KEY", "brave": "BRAVE_API_KEY", "exa": "EXA_API_KEY"}
"""The environment variable of each provider that wants a key."""

PORTS = frozenset({80, 443, 8080, 8443})
MOST_REDIRECTS = 5
MOST_ADDRESS = 2_048


@dataclass(frozen=True, slots=True)
class Web:
    """`[web]` of the configuration. Without `providers`, those that have what they need are asked in the order of
    `ORDER`. `contact` is an address for the owners of pages, told with every request."""

    providers: tuple[ProviderName, ...] = ()
    searxng: str | None = None
    contact: str | None = None
    pages_deep: Annotated[int, Within(1, 20)] = 4
    pages_broad: Annotated[int, Within(1, 20)] = 6
    page_bytes: Annotated[int, Within(1_024, 256 << 20)] = 8 << 20
    page_seconds: Seconds = Decimal(20)
    search_seconds: Seconds = Decimal(90)
    pause: Seconds = Decimal(1)


@dataclass(frozen=True, slots=True)
class Permitted:
    """Host names that lead to this very machine: `{"docs.example": ("127.0.0.1", 8041)}`. For tests and benchmarks. It
    is an object that code passes; no file and no variable can say it. Only loopback can be named."""

    hosts: Mapping[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])

    def __post_init__(self) -> None:
        for host, (number, _) in self.hosts.items():
            if not ip_address(number).is_loopback:
                raise ConfigError(f"Only addresses of this machine may be permitted; found {number} for {host}.")


NOBODY = Permitted()
PLAIN = Web()
