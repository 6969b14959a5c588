"""What all programs that fill a seat have in common: no prompt, no token, no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood.models.port import Model
from withstood.protocols.asks import Ask


class Program:
    """Fills a seat without a model. Whoever derives from it has a `name` and an `answer`."""

    def prompts(self) -> Mapping[str, str]:
        return {}

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        return (0, 0)

    def models(self) -> tuple[Model, ...]:
        return ()
