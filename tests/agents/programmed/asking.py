"""Asks put to the programmed seats by hand."""

from __future__ import annotations

from typing import TypeVar

from tests.fakes.models import OpenLine
from withstood.agents.port import Agent
from withstood.agents.programmed import seats
from withstood.claims.ballot import Review, ReviewAction
from withstood.claims.flag import Flag
from withstood.claims.opinion import Reading, Triplet
from withstood.lexicons import conventions, detect
from withstood.protocols.asks import Ask, Brief, Silent
from withstood.protocols.briefs import REVIEWERS, ReadingBrief, ReviewBrief, TableTuple

SEATS = seats()


def refs(language: str) -> tuple[str, ...]:
    return conventions("restaurants").refs[language]


Answer = TypeVar("Answer")


def answer(role: str, brief: Brief, wants: type[Answer], agent: Agent | None = None) -> Answer | Silent:
    """A programmed agent never waits, so one step of its coroutine is all of it."""
    coroutine = (agent or SEATS[role]).answer(Ask(role, brief, wants), OpenLine())
    try:
        coroutine.send(None)
    except StopIteration as ended:
        return ended.value
    raise AssertionError("a programmed agent waited for something")


def reading(role: str, text: str, language: str | None = None) -> tuple[Triplet, ...]:
    language = language or detect(text)
    found = answer(role, ReadingBrief(text, language, refs(language)), Reading)
    assert isinstance(found, Reading), found
    return found.triplets


def laid(number: int, triplet: Triplet, text: str) -> TableTuple:
    """A triplet as it comes onto the reviewers' table."""
    begin, end = (triplet.span.start, triplet.span.end) if triplet.span else (0, 0)
    found = triplet.evidence in text if triplet.evidence else None
    return TableTuple(
        f"t{number}",
        triplet.aspect_term,
        triplet.aspect_ref or "",
        triplet.polarity,
        triplet.opinion_term,
        triplet.evidence,
        found,
        begin,
        end,
        str(triplet.confidence),
        "P-LIT",
    )


def flag_all(table: tuple[TableTuple, ...], kind: str = "ref_polarity_mismatch") -> tuple[Flag, ...]:
    return (Flag(kind, table[0].aspect_ref, "", tuple(item.tuple_id for item in table)),) if table else ()


def reviewed(role: str, text: str, table: tuple[TableTuple, ...], flags: tuple[Flag, ...]) -> tuple[ReviewAction, ...]:
    found = answer(role, ReviewBrief(text, detect(text), table, flags), Review)
    assert isinstance(found, Review), found
    return found.review_actions


def votes(text: str, item: TableTuple) -> dict[str, tuple[str, str]]:
    """What A, B and C say of one flagged tuple that stands alone on the table."""
    said = {role: reviewed(role, text, (item,), flag_all((item,))) for role in REVIEWERS}
    return {role: (action.action_type.value, action.reason_code) for role, (action,) in said.items()}
