"""generateContent as Google speaks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from withstood.form import shown
from withstood.models.port import Call, Finish, Price, Reply
from withstood.models.settings import SchemaMode
from withstood.models.wire import Fixed, Wire, counted, plain

_REFUSALS = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE")
FINISHES: dict[object, Finish] = {"STOP": "stop", **dict.fromkeys(_REFUSALS, "refused")}


class GoogleGenerate:
    """Thinking counts as tokens out."""

    def __init__(
        self,
        name: str,
        wire: Wire,
        price: Price | None,
        *,
        schema_mode: SchemaMode = "json_schema",
        temperature: bool = True,
    ) -> None:
        self.name, self.price = name, price
        self._wire, self._schema_mode = wire, schema_mode
        self._always = {"temperature": 0} if temperature else {}
        self._fixed = Fixed(self._draw)

    async def complete(self, call: Call) -> Reply:
        changing = {"systemInstruction": {"parts": [{"text": call.system}]}, "contents": _contents(call)}
        body = self._fixed.request(call, changing)
        return self._reply(await self._wire.post(body), len(body), call.most_tokens)

    async def close(self) -> None:
        await self._wire.close()

    def _draw(self, call: Call) -> dict[str, Any]:
        form: dict[str, Any] = {} if self._schema_mode == "none" else {"responseMimeType": "application/json"}
        if self._schema_mode == "json_schema":
            form["responseJsonSchema"] = call.schema
        return {"generationConfig": {**self._always, "maxOutputTokens": call.most_tokens, **form}}

    def _reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply:
        usage = found.get("usageMetadata")
        tokens_in = counted(usage, ("promptTokenCount",), most_in)
        candidate = _candidate(found)
        if candidate is None:
            return Reply(self._blocked(found), tokens_in, 0, "refused")
        tokens_out = counted(usage, ("candidatesTokenCount", "thoughtsTokenCount"), most_out)
        reason = candidate.get("finishReason")
        finish = FINISHES.get(reason, "length")
        text = f"a content filter refused: {reason}" if finish == "refused" else _text(candidate)
        return Reply(text, tokens_in, tokens_out, finish)

    def _blocked(self, found: Mapping[str, Any]) -> str:
        """Why there is no candidate; without a reason it is no answer at all."""
        feedback = found.get("promptFeedback")
        reason = plain(feedback.get("blockReason")) if isinstance(feedback, dict) else ""
        if not reason:
            raise self._wire.lacks("a candidate, or why there is none", found)
        return f"a content filter refused: {shown(reason)}"


def _contents(call: Call) -> list[dict[str, Any]]:
    said = [("user", call.user)]
    for turn in call.earlier:
        said += [("model", turn.said), ("user", turn.then)]
    return [{"role": role, "parts": [{"text": text}]} for role, text in said]


def _candidate(found: Mapping[str, Any]) -> Mapping[str, Any] | None:
    candidates = found.get("candidates")
    candidate = candidates[0] if isinstance(candidates, list) and candidates else None
    return candidate if isinstance(candidate, dict) else None


def _text(candidate: Mapping[str, Any]) -> str:
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    answers = [part for part in parts or () if isinstance(part, dict) and part.get("thought") is not True]
    return "".join(plain(part.get("text")) for part in answers)
