"""A result: its id, what the engine says of it, and lines from the sources, bounded, each marked as data.

Every line from a source stands behind a bar, and no line from a source can begin without one: so text that was read can
neither end the result nor pass for a word of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST_LINES = 120
MOST_BYTES = 12_000
MOST_SIGNS = 500
SHORT_LINES = 3
BAR = "| "


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the lines that there are: `skipped` before them, `more` after them."""

    lines: tuple[str, ...]
    skipped: int = 0
    more: bool = False


NOTHING = Page(())


@dataclass(frozen=True, slots=True)
class Result:
    """`told` is in the engine's words, `page` holds what was read. A request that was refused has no lines and says
    why in `told`."""

    id: str
    tool: str
    told: str
    page: Page = NOTHING
    refused: bool = False

    def text(self) -> str:
        return "\n".join([self._head(), *[BAR + line for line in self.page.lines], *self._foot()])

    def short(self) -> str:
        """What is left of it in a prompt when newer results need the room."""
        kept = self.page.lines[:SHORT_LINES]
        if len(kept) == len(self.page.lines):
            return self.text()
        rest = f"[{self.id}: {len(self.page.lines) - len(kept)} more lines were shown before; `again` shows them]"
        return "\n".join([self._head(), *[BAR + line for line in kept], rest])

    def _head(self) -> str:
        return f"[{self.id}] {self.tool}: {'refused: ' * self.refused}{self.told}"

    def _foot(self) -> list[str]:
        shown = self.page.skipped + len(self.page.lines)
        return [f"[{self.id}: there is more; ask with skip={shown}, or ask more narrowly]"] if self.page.more else []


def page(lines: Iterable[str], skip: int = 0, *, most: int = MOST_LINES) -> Page:
    """Lines from `skip` on, as many as fit. Reads one line further than it shows, and no more."""
    shown, room = list[str](), MOST_BYTES
    for no, line in enumerate(lines):
        if no < skip:
            continue
        fit = plain(line)
        room -= len(fit.encode("utf-8", "replace")) + len(BAR) + 1
        if len(shown) >= most or (room < 0 and shown):
            return Page(tuple(shown), skip, more=True)
        shown.append(fit)
    return Page(tuple(shown), skip)


def plain(line: str) -> str:
    """One line that can be shown: signs that move the cursor or end a line are replaced, a long one is cut."""
    cut = line[:MOST_SIGNS] + " … (cut)" if len(line) > MOST_SIGNS else line
    shown = cut.replace("\t", "    ")
    return shown if shown.isprintable() else "".join(map(_printable, shown))


def _printable(sign: str) -> str:
    return sign if sign.isprintable() else " " if sign.isspace() else "\ufffd"
