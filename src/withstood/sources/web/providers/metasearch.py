"""Search without a key: the library `ddgs`, which asks several engines, in a process that may be killed.

The library has connections of its own, to the engines that it knows. Its process gets a clean environment and one
query; what it prints is addresses, which are looked up with all the care of `fetcher`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from withstood.sources.web.providers.port import Hit, NotSearched, hit

_SECONDS = 30.0
_PAUSE = 120.0
_REGIONS = {"ko": "kr-kr", "en": "us-en"}

_CHILD = """
import json, sys
from ddgs import DDGS
from ddgs.exceptions import DDGSException, RatelimitException
asked = json.loads(sys.stdin.read())
try:
    found = DDGS(timeout=10).text(asked["query"], region=asked["region"], max_results=asked["most"])
    told = {"hits": [{"url": one.get("href", ""), "title": one.get("title", "")} for one in found]}
except RatelimitException:
    told = {"limited": True}
except DDGSException as fault:
    told = {"fault": type(fault).__name__ + ": " + str(fault)[:200]}
print(json.dumps(told))
"""


class Metasearch:
    name = "ddgs"

    def __init__(self, child: str = _CHILD, seconds: float = _SECONDS) -> None:
        self._command, self._seconds = (sys.executable, "-I", "-c", child), seconds

    async def search(self, query: str, language: str, most: int) -> tuple[Hit, ...]:
        asked = {"query": query, "region": _REGIONS.get(language, "wt-wt"), "most": most}
        told = _read(await self._asked(json.dumps(asked).encode()))
        if told.get("limited"):
            raise NotSearched(f"its engines are limited; asked again after {_PAUSE:g} seconds", _PAUSE)
        if "fault" in told:
            raise NotSearched(f"its engines gave nothing ({told['fault']})", _PAUSE)
        named = [hit(one.get("url"), one.get("title")) for one in told["hits"]]
        return tuple([one for one in named if one is not None])[:most]

    async def _asked(self, asked: bytes) -> bytes:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            env={"PATH": os.environ.get("PATH", "")},
        )
        try:
            async with asyncio.timeout(self._seconds):
                return (await process.communicate(asked))[0]
        except TimeoutError:
            raise NotSearched(f"it did not answer within {self._seconds:g} seconds", _PAUSE) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


def _read(said: bytes) -> dict[str, Any]:
    try:
        return json.loads(said)
    except ValueError:
        raise NotSearched("its process ended without an answer", _PAUSE) from None
