"""Labels: what somebody who knows says is in a text, to measure by and to learn from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled opinion. An implicit target has the term "" and no place. Places are code points of the text, end
    exclusive. What a format does not know is "" or None: categories without terms, terms without opinion words. An
    implicit opinion has the opinion term ""."""

    aspect_term: str = ""
    aspect_ref: str = ""
    polarity: str = ""
    begin: int | None = None
    end: int | None = None
    opinion_term: str | None = None
    opinion_begin: int | None = None
    opinion_end: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about labels that somebody should look at, and that is no reason to refuse them."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text with its labels, in the order of the file. `line` is where it begins there."""

    no: int
    id: str
    text: str
    labels: tuple[Label, ...] = ()
    line: int = 0
    remarks: tuple[Remark, ...] = ()
