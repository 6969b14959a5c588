"""Messages as Anthropic speaks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood.form import shown
from withstood.models.port import Call, Finish, Price, Reply
from withstood.models.settings import SchemaMode
from withstood.models.wire import Fixed, Wire, counted, plain

VERSION = "2023-06-01"
FINISHES: dict[object, Finish] = {"end_turn": "stop", "stop_sequence": "stop", "refusal": "refused"}
_TOKENS_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicMessages:
    """The system part is marked for the provider's cache."""

    def __init__(
        self,
        name: str,
        model: str,
        wire: Wire,
        price: Price | None,
        *,
        schema_mode: SchemaMode = "json_schema",
        temperature: bool = True,
    ) -> None:
        self.name, self.price = name, price
        self._wire, self._schema_mode = wire, schema_mode
        self._always: dict[str, Any] = {"model": model} | ({"temperature": 0} if temperature else {})
        self._fixed = Fixed(self._draw)

    async def complete(self, call: Call) -> Reply:
        body = self.body(call)
        return self.reply(await self._wire.post(body), len(body), call.most_tokens)

    def body(self, call: Call) -> bytes:
        """The request of a call."""
        system = [{"type": "text", "text": call.system, "cache_control": {"type": "ephemeral"}}]
        return self._fixed.request(call, {"system": system, "messages": _messages(call)})

    async def close(self) -> None:
        await self._wire.close()

    def _draw(self, call: Call) -> dict[str, Any]:
        form = {"output_config": {"format": {"type": "json_schema", "schema": call.schema}}}
        return {**self._always, "max_tokens": call.most_tokens, **(form if self._schema_mode == "json_schema" else {})}

    def reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply:
        """What an answer says. Counts that make no sense are booked at the most given."""
        blocks = found.get("content")
        if not isinstance(blocks, list):
            raise self._wire.lacks("a list of content", found)
        usage = found.get("usage")
        tokens = counted(usage, _TOKENS_IN, most_in), counted(usage, ("output_tokens",), most_out)
        finish = FINISHES.get(found.get("stop_reason"), "length")
        text = "".join(plain(block.get("text")) for block in blocks if _is_text(block))
        return Reply(_refusal(text) if finish == "refused" else text, *tokens, finish)


def _messages(call: Call) -> list[dict[str, str]]:
    messages = [{"role": "user", "content": call.user}]
    for turn in call.earlier:
        messages += [{"role": "assistant", "content": turn.said}, {"role": "user", "content": turn.then}]
    return messages


def _is_text(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"


def _refusal(text: str) -> str:
    return f"the model refused: {shown(text, 200)}" if text.strip() else "the model refused"
