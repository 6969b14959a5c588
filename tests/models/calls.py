"""Calls that the tests of this room make."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.fakes.loopback import Loopback, Say, loopback
from withstood.models.names import open_model
from withstood.models.port import Call, Reply, Turn
from withstood.models.settings import Endpoint, Settings

SECRET = "sk-test-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}


def call(*earlier: Turn, user: str = '향이 좋아요 "quoted" \\ \n', most: int = 100) -> Call:
    return Call("c1", "P-NEG", 1, "system words", user, SCHEMA, "answer", earlier, most)


def settings(deadline: float = 5.0, environment: dict[str, str] | None = None, **endpoints: Endpoint) -> Settings:
    """No keyring, and no environment but the given one."""
    return Settings(endpoints, deadline, 8, environment or {}, lambda variable: None)


def ask(say: Say, endpoint: Callable[[str], Endpoint], *, deadline: float = 5.0, asked: Call | None = None) -> Any:
    """The reply or the error of one call to a server that says this, and the request that it saw."""
    return asyncio.run(_ask(say, endpoint, deadline, asked or call()))


async def _ask(say: Say, endpoint: Callable[[str], Endpoint], deadline: float, asked: Call) -> Any:
    async with loopback(say) as server:
        model = open_model("here:some-model", settings(deadline, {"HERE_KEY": SECRET}, here=endpoint(server.url)))
        try:
            return await model.complete(asked), server
        except Exception as fault:  # noqa: BLE001 - the test looks at it
            return fault, server
        finally:
            await model.close()


def openai(url: str) -> Endpoint:
    return Endpoint("openai", url=f"{url}/v1", key_env="HERE_KEY")


def anthropic(url: str) -> Endpoint:
    return Endpoint("anthropic", url=f"{url}/v1", key_env="HERE_KEY")


def google(url: str) -> Endpoint:
    return Endpoint("google", url=f"{url}/v1beta", key_env="HERE_KEY")


def chat(content: str | None = '{"ok": true}', *, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """What a server of chat completions answers."""
    message = {"role": "assistant", "content": content, "refusal": None} | more.pop("message", {})
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage} | more


__all__ = ["SECRET", "Loopback", "Reply", "anthropic", "ask", "call", "chat", "google", "openai", "settings"]
