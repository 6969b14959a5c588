"""The `claude` command as a model: a subprocess that reads the prompt on stdin and prints JSON.

It gets no tools, no settings, no session and an empty directory to stand in; its environment holds only what is listed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from withstood.errors import CallFailed, KeyRefused, ModelUnavailable, WorldError
from withstood.form import shown
from withstood.models.keys import Key
from withstood.models.port import Call, Finish, Price, Reply
from withstood.models.wire import MOST_BYTES, counted, encode, plain

ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR", "CLAUDE_CONFIG_DIR")
SECRETS = ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN")
FINISHES: dict[object, Finish] = {"end_turn": "stop", "stop_sequence": "stop", None: "stop", "refusal": "refused"}
OPTIONS = (
    *("-p", "--output-format", "json", "--tools", "", "--setting-sources", ""),
    *("--strict-mcp-config", "--no-session-persistence"),
)
_TOKENS_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_MOST_COMPLAINT = 64 * 1024
_TO_END = 5.0
# The command adds words of its own around the prompt.
_OVERHEAD = 20_000

_COMPLAINTS: tuple[tuple[tuple[str, ...], type[WorldError], str], ...] = (
    (("usage limit", "limit reached", "credit balance", "quota"), ModelUnavailable, "Wait or top up, then resume."),
    (("api key", "log in", "/login", "oauth", "authentication"), KeyRefused, "Run `claude` once by hand and log in."),
)


class ClaudeCommand:
    """One process for each call, in a group of its own, which is killed whole at the deadline."""

    def __init__(self, command: str, model: str | None, environment: Mapping[str, str], *, deadline: float) -> None:
        self.name = f"claude:{model}" if model else "claude"
        self.price: Price | None = Price()
        self._arguments = (command, *OPTIONS, *(("--model", model) if model else ()))
        self._environment = {name: environment[name] for name in (*ENVIRONMENT, *SECRETS) if name in environment}
        self._keys = [Key(name, environment[name]) for name in SECRETS if environment.get(name)]
        self._deadline = deadline
        self._place = tempfile.TemporaryDirectory(prefix="withstood-claude-")

    async def complete(self, call: Call) -> Reply:
        said = _prompt(call).encode("utf-8", "replace")
        status, printed, complaint = await self._run((*self._arguments, "--system-prompt", call.system), said)
        found = self._result(status, printed, complaint)
        return self._reply(found, len(said) + len(call.system.encode()) + _OVERHEAD, call.most_tokens)

    async def close(self) -> None:
        self._place.cleanup()

    async def _run(self, arguments: Sequence[str], said: bytes) -> tuple[int, bytes, bytes]:
        child = await self._start(arguments)
        try:
            async with asyncio.timeout(self._deadline):
                _, printed, complaint, status = await asyncio.gather(
                    _feed(child.stdin, said),
                    _hear(child.stdout, MOST_BYTES + 1),
                    _hear(child.stderr, _MOST_COMPLAINT),
                    child.wait(),
                )
        except TimeoutError:
            raise CallFailed(f"{self.name}: no whole answer within {self._deadline:g} seconds", again=True) from None
        finally:
            await _end(child)
        if len(printed) > MOST_BYTES:
            raise CallFailed(f"{self.name} printed more than {MOST_BYTES // 2**20} MiB", again=False)
        return status, printed, complaint

    async def _start(self, arguments: Sequence[str]) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                *arguments,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=self._environment,
                cwd=self._place.name,
                start_new_session=True,
            )
        except (OSError, ValueError) as fault:
            raise ModelUnavailable(f"{arguments[0]} cannot be started: {fault}. Is Claude Code installed?") from None

    def _result(self, status: int, printed: bytes, complaint: bytes) -> Mapping[str, Any]:
        try:
            found = json.loads(printed)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and isinstance(found.get("result"), str) and not found.get("is_error"):
            return found
        told = found.get("result") if isinstance(found, dict) else None
        raise self._complaint(status, plain(told) or (complaint or printed).decode("utf-8", "replace"))

    def _complaint(self, status: int, told: str) -> WorldError:
        said = shown(told, 300)
        for key in self._keys:
            said = key.taken_out(said)
        for words, error, advice in _COMPLAINTS:
            if any(word in told.lower() for word in words):
                return error(f"{self.name}: {said}. {advice}")
        if "unknown option" in told.lower():
            return ModelUnavailable(f"{self.name}: {said}. This version of the command is too old: update it.")
        return CallFailed(f"{self.name} ended with {status}: wanted JSON with a result, found {said}", again=True)

    def _reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply:
        usage = found.get("usage")
        tokens = counted(usage, _TOKENS_IN, most_in), counted(usage, ("output_tokens",), most_out)
        finish = FINISHES.get(found.get("stop_reason"), "length")
        text = plain(found["result"])
        return Reply(f"the model refused: {shown(text, 200)}" if finish == "refused" else text, *tokens, finish)


def _prompt(call: Call) -> str:
    """The command takes one prompt, so earlier turns stand in it as JSON."""
    if not call.earlier:
        return call.user
    last = call.earlier[-1]
    said = [part for turn in call.earlier[:-1] for part in (turn.said, turn.then)]
    return "\n\n".join([call.user, *map(encode, said), f"Your answer was:\n{encode(last.said)}", last.then])


async def _feed(stream: asyncio.StreamWriter | None, said: bytes) -> None:
    """A command that ends without reading is judged by what it printed."""
    if stream:
        with suppress(BrokenPipeError, ConnectionResetError):
            stream.write(said)
            await stream.drain()
        stream.close()


async def _hear(stream: asyncio.StreamReader | None, most: int) -> bytes:
    """The beginning of a stream, which is read to its end so that the other side is never blocked."""
    heard = bytearray()
    while stream and (part := await stream.read(65536)):
        heard += part[: most - len(heard)]
    return bytes(heard)


async def _end(child: asyncio.subprocess.Process) -> None:
    """Kills the whole group. What it still had to say is read, because a full pipe would hold up the end."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(TimeoutError):
        async with asyncio.timeout(_TO_END):
            await asyncio.gather(_hear(child.stdout, 0), _hear(child.stderr, 0), child.wait())
