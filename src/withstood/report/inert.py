"""Text is shown as text, whatever stands in it: for terminals and pages, for Markdown, for cells of a table.

What cannot be seen is made visible: control characters, terminal escapes, characters that turn the direction of
writing, invisible characters and halves of characters appear as their code, as in `\\x1b` and `\\u202e`.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_HALVES = re.compile("[\ud800-\udfff]")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~!&$:@^]|(?<=www)\.", re.IGNORECASE)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def visible(text: str) -> str:
    """One line in which nothing acts: line ends become spaces, the unseen becomes its code."""
    return _UNSEEN.sub(_code, " ".join(re.split("[\r\n]+", text)) if "\n" in text or "\r" in text else text)


def visible_lines(text: str) -> str:
    """The same, but line ends stay."""
    return "\n".join(visible(line) for line in re.split("\r\n|\r|\n", text))


def _code(found: re.Match[str]) -> str:
    point = ord(found[0])
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def markdown(text: str) -> str:
    """A text that Markdown shows as it stands: no markup, no HTML, no link, no formula, no new line."""
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", visible(text))


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula, and that every file can hold."""
    whole = _HALVES.sub(_code, text)
    return f"'{whole}" if whole.startswith(_FORMULA) else whole
