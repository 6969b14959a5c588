"""Requests of the size and shape that a conflict review sends, made without the engine."""

from __future__ import annotations

import json
from typing import Any

from withstood import form
from withstood.claims.opinion import Reading

TEXT = "The screen is bright and sharp, but the battery hardly lasts a day and the fan is louder than a hair dryer."
RULES = "Read the text and name every aspect that is judged, with its polarity, as it stands there. Refs: {}\n"
REFS = ", ".join(f"{entity}#{part}" for entity in ("laptop", "battery", "display") for part in ("quality", "price"))


def schema() -> dict[str, Any]:
    return form.schema(Reading)


def body(number: int, prompt_chars: int = 3000) -> bytes:
    """The number-th request: the same system text, another user text."""
    rules = (RULES.format(REFS) * (prompt_chars // 100 + 1))[:prompt_chars]
    request = {
        "model": "stub",
        "temperature": 0,
        "messages": [
            {"role": "system", "content": rules},
            {"role": "user", "content": f"text: {json.dumps(f'{number}: {TEXT}')}"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reading", "strict": True, "schema": schema()},
        },
    }
    return json.dumps(request, ensure_ascii=False).encode()
