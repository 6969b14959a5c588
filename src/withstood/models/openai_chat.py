"""Chat completions as OpenAI speaks them, and Ollama, vLLM, llama.cpp and most others too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood.form import shown
from withstood.models.port import Call, Finish, Price, Reply
from withstood.models.settings import SchemaMode
from withstood.models.wire import Fixed, Wire, counted, plain

# A reason that is not in this table is read as "length": what it ended with is not known to be whole.
FINISHES: dict[object, Finish] = {
    "stop": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "content_filter": "refused",
}


class OpenAIChat:
    """`most_tokens_as` is how the server calls the limit of an answer."""

    def __init__(
        self,
        name: str,
        model: str,
        wire: Wire,
        price: Price | None,
        *,
        schema_mode: SchemaMode = "json_schema",
        temperature: bool = True,
        most_tokens_as: str = "max_tokens",
    ) -> None:
        self.name, self.price = name, price
        self._wire, self._model = wire, model
        self._schema_mode: SchemaMode = schema_mode
        self._always: dict[str, Any] = {"model": model} | ({"temperature": 0} if temperature else {})
        self._most_tokens_as = most_tokens_as
        self._fixed = Fixed(self._draw)

    async def complete(self, call: Call) -> Reply:
        body = self.body(call)
        return self.reply(await self._wire.post(body), len(body), call.most_tokens)

    def body(self, call: Call) -> bytes:
        """The request of a call."""
        return self._fixed.request(call, {"messages": _messages(call)})

    async def close(self) -> None:
        await self._wire.close()

    def _draw(self, call: Call) -> dict[str, Any]:
        return {**self._always, self._most_tokens_as: call.most_tokens, **self._form(call)}

    def _form(self, call: Call) -> dict[str, Any]:
        if self._schema_mode == "json_schema":
            asked = {"name": call.schema_name, "strict": True, "schema": call.schema}
            return {"response_format": {"type": "json_schema", "json_schema": asked}}
        if self._schema_mode == "json_object":
            return {"response_format": {"type": "json_object"}}
        return {}

    def reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply:
        """What an answer says. Counts that make no sense are booked at the most given."""
        choice, message = _choice(found)
        if choice is None:
            raise self._wire.lacks("a choice with a message", found)
        usage = found.get("usage")
        tokens = counted(usage, ("prompt_tokens",), most_in), counted(usage, ("completion_tokens",), most_out)
        if refusal := plain(message.get("refusal")):
            return Reply(f"the model refused: {shown(refusal, 200)}", *tokens, "refused")
        finish = FINISHES.get(choice.get("finish_reason"), "length")
        text = "a content filter refused" if finish == "refused" else plain(message.get("content"))
        return Reply(text, *tokens, finish)


def _messages(call: Call) -> list[dict[str, str]]:
    messages = [{"role": "system", "content": call.system}, {"role": "user", "content": call.user}]
    for turn in call.earlier:
        messages += [{"role": "assistant", "content": turn.said}, {"role": "user", "content": turn.then}]
    return messages


def _choice(found: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Mapping[str, Any]]:
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    return (choice, message) if isinstance(message, dict) else (None, {})
