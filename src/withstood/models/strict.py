"""The JSON Schema that every provider's strict mode takes: closed objects, every field required, no ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LEFT_OUT = ("default", "minimum", "maximum", "description")


def strict_schema(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """What `form.schema` drew, in the part of JSON Schema that OpenAI, Anthropic and Google all enforce.

    It may only ask for more than the door takes, never for something that the door refuses.
    """
    found = {name: part for name, part in drawn.items() if name not in _LEFT_OUT}
    if "properties" in found:
        fields = {name: strict_schema(part) for name, part in found["properties"].items()}
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    if "items" in found:
        return {"type": "array", "items": strict_schema(found["items"])}
    if "anyOf" in found:
        return {"anyOf": [strict_schema(part) for part in found["anyOf"]]}
    if "enum" in found:
        return {"type": "string", "enum": found["enum"]}
    if isinstance(found.get("type"), list):
        return {"type": found["type"][0]}
    return found
