"""The MCP server as an assistant meets it: the real client, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from tests.cli.commands import command, environment
from tests.cli.inquiries import QUESTION, SHORT, layers, place, script


def talk(folder: Path, talking: Callable[[Client], Awaitable[Any]], *options: str) -> Any:
    program, *arguments = command("mcp", "--repo", "repo", *options)
    server = StdioServerParameters(command=program, args=arguments, cwd=folder, env=environment())

    async def once() -> Any:
        async with Client(server, read_timeout_seconds=60) as client:
            return await talking(client)

    return asyncio.run(once())


def text(result: Any) -> str:
    return result.content[0].text


def test_tools_are_those_of_the_sources_that_are_there(tmp_path: Path) -> None:
    place(tmp_path)

    async def names(client: Client) -> list[str]:
        found = (await client.list_tools()).tools
        assert all(one.description and one.annotations and one.annotations.read_only_hint for one in found)
        assert all("tool" not in one.input_schema["properties"] for one in found)
        return [one.name for one in found]

    without = talk(tmp_path, names)
    assert without[:4] == ["investigate", "explain", "list", "read"] and "log_search" not in without
    assert "log_search" in talk(tmp_path, names, "--logs", "pay.log")


def test_an_assistant_investigates_asks_why_and_looks_for_itself(tmp_path: Path) -> None:
    place(tmp_path)

    async def talking(client: Client) -> None:
        asked = await client.call_tool("investigate", {"question": QUESTION, "language": "en"})
        assert not asked.is_error and "app/pay.py:5" in text(asked)
        found = asked.structured_content
        assert found and found["question"] == QUESTION and found["findings"][0]["evidence"]
        why = await client.call_tool("explain", {"run": found["id"], "item": found["findings"][0]["id"]})
        assert "judgement-1" in text(why)
        read = await client.call_tool("read", {"path": "app/pay.py", "first": 5, "last": 5})
        assert "| 5:     return retry.send(order, timeout=5)" in text(read)
        commits = await client.call_tool("commits", {"path": "app/pay.py"})
        assert "pay: wait five seconds" in text(commits)

    talk(tmp_path, talking, "--logs", "pay.log")


def test_what_cannot_be_done_is_told_and_the_server_goes_on(tmp_path: Path) -> None:
    place(tmp_path)
    (tmp_path / "outside.txt").write_text("not for you\n")

    async def talking(client: Client) -> None:
        for tool, arguments, told in (
            ("read", {"path": "../outside.txt"}, "there is no file"),
            ("read", {"path": str(tmp_path / "outside.txt")}, "there is no file"),
            ("read", {}, "wanted"),
            ("investigate", {"question": "?"}, "The question has no words"),
            ("investigate", {"question": QUESTION, "repo": "/"}, "wanted"),
            ("explain", {"run": "nobody", "item": "I1"}, "There is no run"),
            ("erase", {}, "There is no tool 'erase'"),
        ):
            found = await client.call_tool(tool, arguments)
            assert found.is_error and told in text(found), (tool, text(found))
        assert not (await client.call_tool("list", {})).is_error

    talk(tmp_path, talking)


def test_models_of_the_command_line_answer(tmp_path: Path) -> None:
    place(tmp_path)
    model = script(tmp_path, {"CODE-CALLCHAIN-R1": layers(SHORT), "LOG-STACKTRACE-R1": layers(SHORT)})

    async def talking(client: Client) -> Any:
        cast = ["code-callchain", "LOG-STACKTRACE"]
        return (await client.call_tool("investigate", {"question": QUESTION, "cast": cast})).structured_content

    found = talk(tmp_path, talking, "--logs", "pay.log", "--model", model)
    assert found["conclusion"] == "the wait is short" and found["certainty"] == "Confirmed"
