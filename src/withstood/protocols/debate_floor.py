"""The floor of a debate: every persona speaks in turn and hears what was said before; the rapporteur sums up."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from withstood.claims.case import Case, Conventions
from withstood.claims.debate import Forum, Persona, Round, Summary, Turn
from withstood.protocols.asks import Answers, Ask, Batch, Silent, put
from withstood.protocols.debate_briefs import RAPPORTEUR, ShownTurn, SummaryBrief, Table, TurnBrief
from withstood.rules import floor
from withstood.rules.rulebook import Rulebook

NOTHING_SAID: Mapping[str, str] = {"ko": "없음"}
NOBODY_SPOKE = "nobody spoke"


@dataclass(frozen=True, slots=True)
class Debated:
    """A debate as it was held. `absent` are the turns that were not taken, and why; `asks` how many were asked for."""

    rounds: tuple[Round, ...] = ()
    summary: Summary | Silent | None = None
    absent: tuple[tuple[str, str], ...] = ()
    asks: int = 0

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple([turn for each in self.rounds for turn in each.turns])


@dataclass(frozen=True, slots=True)
class Lectern:
    """What is the same for every turn of a debate."""

    case: Case
    book: Rulebook
    table: Table
    personas: tuple[tuple[str, Persona], ...]
    memory: str


def personas(case: Case, book: Rulebook, agreed: Conventions) -> tuple[tuple[str, Persona], ...]:
    """Those that speak, in order."""
    known = (agreed.forum or Forum()).personas.get(case.language, {})
    return tuple([(key, known[key]) for key in floor.speakers(book.debate, known)])


def debate(
    case: Case, book: Rulebook, agreed: Conventions, table: Table, memory: str
) -> Generator[Batch, Answers, Debated]:
    lectern = Lectern(case, book, table, personas(case, book, agreed), memory)
    rounds: list[Round] = []
    absent: list[tuple[str, str]] = []
    asks = 0
    for index in range(1, book.debate.rounds + 1 if lectern.personas else 1):
        taken = yield from _round(lectern, index, [turn for each in rounds for turn in each.turns])
        rounds.append(Round(index, tuple([turn for _, turn in taken if isinstance(turn, Turn)])))
        absent += [(key, turn.why) for key, turn in taken if isinstance(turn, Silent)]
        asks += len(taken)
    if not any(each.turns for each in rounds):
        return Debated(tuple(rounds), None, tuple(absent), asks)
    (summary,) = yield from put([Ask(RAPPORTEUR, _to_sum_up(lectern, rounds), Summary)])
    if isinstance(summary, Silent):
        absent.append((RAPPORTEUR, summary.why))
    return Debated(tuple(rounds), summary, tuple(absent), asks + 1)


def _round(
    lectern: Lectern, index: int, before: list[Turn]
) -> Generator[Batch, Answers, list[tuple[str, Turn | Silent]]]:
    if index == 1 and lectern.book.debate.blind_first_round == "on":
        asks = [_ask(lectern, key, persona, index, ()) for key, persona in lectern.personas]
        answers = yield from put(asks)
        return [_taken(lectern, *pair, answer) for pair, answer in zip(lectern.personas, answers, strict=True)]
    taken: list[tuple[str, Turn | Silent]] = []
    for key, persona in lectern.personas:
        said = [*before, *(turn for _, turn in taken if isinstance(turn, Turn))]
        (answer,) = yield from put([_ask(lectern, key, persona, index, said)])
        taken.append(_taken(lectern, key, persona, answer))
    return taken


def _ask(lectern: Lectern, key: str, persona: Persona, index: int, said: Sequence[Turn]) -> Ask[Turn]:
    case = lectern.case
    brief = TurnBrief(case.text, case.language, persona, lectern.table, history(said, case.language), lectern.memory)
    return Ask(key, brief, Turn, index)


def _taken(lectern: Lectern, key: str, persona: Persona, answer: Turn | Silent) -> tuple[str, Turn | Silent]:
    """What a speaker leaves out is filled from its persona; so is its stance, where only that counts."""
    if isinstance(answer, Silent):
        return key, answer
    stated = answer.stance.strip() if lectern.book.debate.stance == "stated" else ""
    return key, replace(answer, speaker=answer.speaker.strip() or persona.name, stance=stated or persona.stance)


def history(said: Sequence[Turn], language: str) -> str:
    """One line for each turn before."""
    lines = [f"- {turn.speaker}({turn.stance}): {turn.message}" for turn in said]
    return "\n".join(lines) or NOTHING_SAID.get(language, "none")


def _to_sum_up(lectern: Lectern, rounds: Sequence[Round]) -> SummaryBrief:
    shown = [
        ShownTurn(
            each.round_index, turn.speaker, turn.stance, turn.planning, turn.reflection, turn.message, turn.key_points
        )
        for each in rounds
        for turn in each.turns
    ]
    return SummaryBrief(lectern.case.text, lectern.case.language, lectern.table, tuple(shown))
