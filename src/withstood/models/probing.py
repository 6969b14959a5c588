"""One tiny live call, to see whether a model answers at all."""

from __future__ import annotations

import time

from withstood.form import shown
from withstood.models.port import Call, Model

_SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}
_MOST_TOKENS = 256


async def probe(model: Model) -> str:
    """What came back, in one line. Errors are those of `Model.complete`."""
    began = time.perf_counter()
    reply = await model.complete(_call())
    took = time.perf_counter() - began
    return (
        f"{model.name} answered in {took:.2f} s: {shown(reply.text)} "
        f"({reply.finish}; {reply.tokens_in} tokens in, {reply.tokens_out} out)"
    )


def _call() -> Call:
    system = 'Answer with JSON and nothing else: {"ok": true}'
    return Call("probe", "probe", 1, system, "Are you there?", _SCHEMA, "probe", most_tokens=_MOST_TOKENS)
