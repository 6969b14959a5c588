"""Listings of a page: the commands in it that are run, and what they print.

| in the page | what happens |
|---|---|
| a block `sh` | its lines are run in the folder of the page, by one shell that stops at the first error |
| a block `text` right after it | is what it prints, standard error included |
| `<!-- from "A" to "B" -->` between the two | only the lines from one that begins with A up to one that begins with B |
| `<!-- file NAME -->` before any other block | the block is written to that file |

Steps that make an environment or install into it are passed over: the page is run against what is installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

_BLOCK = re.compile(
    r"^<!-- file (?P<file>\S+) -->\n```\w*\n(?P<content>.*?)^```\n"
    r"|^```sh\n(?P<command>.*?)^```\n"
    r'(?:\n(?:<!-- from "(?P<first>[^"\n]*)"(?: to "(?P<last>[^"\n]*)")? -->\n)?```text\n(?P<shown>.*?)^```\n)?',
    re.DOTALL | re.MULTILINE,
)
_SET_UP = re.compile(r"python3 -m venv .*|.*/pip install .*|\. \S+/bin/activate")


@dataclass(frozen=True, slots=True)
class Listing:
    """One block of a page. `shown` is the output that stands below it, `place` where that stands in the page."""

    command: str
    shown: str | None = None
    place: tuple[int, int] = (0, 0)
    first: str | None = None
    last: str | None = None
    file: str | None = None

    @property
    def steps(self) -> str:
        """The command without the steps that set up an environment."""
        lines = [" && ".join(filter(None, map(_step, line.split(" && ")))) for line in self.command.splitlines()]
        return "\n".join(lines)

    def part(self, output: str) -> str:
        """What the page shows of an output."""
        lines = [line.rstrip() for line in output.strip("\n").splitlines()]
        if self.first is not None:
            start = next((no for no, line in enumerate(lines) if line.startswith(self.first)), len(lines))
            lines = lines[start : start + 1] + list(takewhile(self._goes_on, lines[start + 1 :]))
        return "\n".join(lines).rstrip() + "\n"

    def _goes_on(self, line: str) -> bool:
        return self.last is None or not line.startswith(self.last)


@dataclass(frozen=True, slots=True)
class Ran:
    """A listing and what it came to."""

    listing: Listing
    code: int
    output: str

    @property
    def fault(self) -> str | None:
        """What is wrong with it, in words."""
        if self.code:
            return f"exit code {self.code} of\n{self.listing.command}{self.output}"
        if self.listing.shown is not None and self.listing.shown != self.listing.part(self.output):
            return f"other output of\n{self.listing.command}{self.listing.part(self.output)}"
        return None


def _step(step: str) -> str:
    return "" if _SET_UP.fullmatch(step) else step


def listings(page: str) -> list[Listing]:
    """Every block of the page that is run or written, in order."""
    return [_listing(found) for found in _BLOCK.finditer(page)]


def _listing(found: re.Match[str]) -> Listing:
    if found["file"]:
        return Listing(found["content"], file=found["file"])
    return Listing(found["command"], found["shown"], found.span("shown"), found["first"], found["last"])


def run(page: str, folder: Path) -> Iterator[Ran]:
    """Run the listings of a page one after the other, in an empty folder."""
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    for listing in listings(page):
        if listing.file is not None:
            target = folder / listing.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(listing.command, "utf-8")
        elif listing.steps.strip():
            yield _run(listing, folder)


def _run(listing: Listing, folder: Path) -> Ran:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", listing.steps],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    return Ran(listing, done.returncode, done.stdout.decode("utf-8", "replace"))


def _environment(folder: Path) -> dict[str, str]:
    """No key and no setting of whoever runs this."""
    path = os.pathsep.join([str(folder / ".venv" / "bin"), os.environ.get("PATH", os.defpath)])
    shown = {"LANG": "C.UTF-8", "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}
    return {"PATH": path, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **shown}


def renewed(page: str, ran: list[Ran]) -> str:
    """The page with the outputs as they are now."""
    for one in reversed(ran):
        if one.listing.shown is not None:
            begin, end = one.listing.place
            page = page[:begin] + one.listing.part(one.output) + page[end:]
    return page
