"""Memory in a job: the store is opened, the seat is filled by a program over it, the run goes on from its mark."""

from __future__ import annotations

from withstood import form
from withstood.agents.port import Agent
from withstood.agents.programmed import ProgrammedAgent
from withstood.jobs.header import Header
from withstood.memory import opening
from withstood.memory.recollection import Mark, Recollection
from withstood.protocols.briefs import MEMORY, RecallBrief
from withstood.rules import memory_advisory, memory_condition
from withstood.rules.rulebook import Rulebook

WITHOUT = "single"
"""The protocol in which nothing is reviewed."""


def recollection(protocol: str, book: Rulebook, named: str) -> Recollection | None:
    """None where the rulebook has nothing recalled, or the protocol has no review that could be advised. A store that
    cannot be read is an error at once."""
    under = memory_condition.under(book.memory.condition)
    if not under.retrieve or protocol == WITHOUT:
        return None
    memory = Recollection(opening.episodes(named), book.memory)
    memory.mark()
    return memory


def longest_advice(book: Rulebook) -> str:
    """What a prompt may grow by."""
    speaks = memory_condition.under(book.memory.condition).speaks
    return memory_advisory.longest(book.memory.topk) if speaks else ""


def seats(memory: Recollection | None) -> dict[str, Agent]:
    return {MEMORY: ProgrammedAgent("programmed:recall@1", RecallBrief, memory.recall)} if memory else {}


def begin(memory: Recollection, run: str, begun: Header) -> None:
    """What the run adds is known by its name, and by what it was begun with: another run may have the same name."""
    known = form.digest(form.dumps([begun.input, begun.rulebook_hash, begun.begun_with]))
    memory.begin(f"{run}/{known[:8]}", form.read(Mark, begun.begun_with))
