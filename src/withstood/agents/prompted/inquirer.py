"""A model in a seat of an investigation: it looks by tools, turn by turn, until it reports or its turns are used up.

Every turn is one call on the line, so budget, journal, retries and resuming are the engine's. The tools answer the same
to the same requests, so a sitting that was cut off is gone through again with the replies that are kept.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, cast

from withstood import form
from withstood.agents.port import Line
from withstood.agents.prompted import frames, prompts
from withstood.agents.prompted.agent import MOST_SAID
from withstood.agents.prompted.tiered import Look, read_turn, reduced
from withstood.agents.prompted.turns import asked_turn
from withstood.agents.tools.desk import Desk
from withstood.agents.tools.results import MOST_BYTES, Result
from withstood.claims import iid
from withstood.claims.cast import CastTable
from withstood.claims.finding import CounterReview, Report
from withstood.errors import Misfit
from withstood.models.port import Call, Model, Reply, Turn
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.investigation_briefs import ChallengeBrief, SurveyBrief
from withstood.sources.workspace import Workspace

Answer = TypeVar("Answer")
Brief: TypeAlias = SurveyBrief | ChallengeBrief

MOST_REPORT = 8192
ANY_ITEM = "*"
# What a provider may add around the messages, what a repair question adds to its schema, what a short result comes to.
_OVERHEAD = 2_000
_MOST_REPAIR = 4_000
_MOST_SHORT = 2_200


@dataclass(frozen=True, slots=True)
class Allowance:
    """How far one investigator may go. `turns` are calls, the report's own included; one more may mend an answer.

    `kept` are the bytes of results that stand whole in a prompt; older results are shortened to their first lines.
    """

    turns: int = 12
    requests: int = 4
    kept: int = 40_000
    report_tokens: int = MOST_REPORT


class PromptedInquirer:
    """Fills the seats of investigators and counter-reviewers by asking `model`."""

    def __init__(
        self,
        model: Model,
        space: Workspace,
        cast: CastTable,
        allowance: Allowance = Allowance(),
    ) -> None:
        self._model, self._space, self._cast, self._allowance = model, space, cast, allowance

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        """The report or review; `Silent` where the model refuses, or where nothing of what it says can be kept."""
        sitting = self._sitting(ask)
        for left in range(self._allowance.turns, -1, -1):
            reply = await line.call(self._model, sitting.call(line.case))
            found = _read(sitting, reply, may_look=left > 1)
            if isinstance(found, Look):
                sitting.look(found, left - 1)
            elif not isinstance(found, Misfit):
                return found
            elif sitting.mends or left == 0:
                return _what_is_left(sitting, reply, found)
            else:
                sitting.mend(found, reply)
        raise AssertionError("the last turn ends the sitting")

    def prompts(self) -> Mapping[str, str]:
        return frames.digests()

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        """An upper bound for all turns: no tokenizer makes more tokens than there are bytes."""
        most, sitting = self._allowance, self._sitting(ask)
        call = sitting.call("")
        schema = len(form.dumps(call.schema).encode())
        fixed = len(call.system.encode()) + len(call.user.encode("utf-8", "replace")) + 2 * schema + _OVERHEAD
        turns = most.turns * (4 * MOST_SAID + _OVERHEAD) + most.turns * most.requests * _MOST_SHORT
        once = fixed + turns + max(most.kept, 2 * MOST_BYTES) + schema + _MOST_REPAIR
        return (most.turns + 1) * once, (most.turns + 1) * most.report_tokens

    @property
    def most_calls(self) -> int:
        """Calls for one ask: all turns, and one to mend the answer."""
        return self._allowance.turns + 1

    def models(self) -> tuple[Model, ...]:
        return (self._model,)

    def _sitting(self, ask: Ask[Any]) -> _Sitting:
        return _Sitting(ask, self._space, self._cast, self._allowance)


@dataclass(slots=True)
class _Exchange:
    """What the model said, and what followed: results, then words of ours."""

    said: str
    results: tuple[Result, ...] = ()
    left_out: int = 0
    left: int = 0
    question: str = ""


@dataclass(slots=True)
class _Sitting:
    """One ask from its first turn to its last."""

    ask: Ask[Any]
    space: Workspace
    cast: CastTable
    allowance: Allowance
    mends: bool = False
    exchanges: list[_Exchange] = field(default_factory=list[_Exchange])
    desk: Desk = field(init=False)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        known = self.cast.type_of(iid.voice(self.ask.role))
        self.language = prompts.language_of(self.ask.brief.language)
        self.desk = Desk(self.space, known.reads if known else (), cited(self.brief))

    @property
    def brief(self) -> Brief:
        return cast("Brief", self.ask.brief)

    def call(self, case: str) -> Call:
        name, schema = asked_turn(self.ask.wants, self.desk.tools)
        return Call(
            case,
            self.ask.role,
            self.ask.round,
            _system(self.ask.wants, self.language, self._perspective(), self.desk.tools, self.allowance),
            prompts.user(_frame(self.ask.wants), self.language, prompts.blanks(self.brief)),
            schema,
            name,
            self._turns(),
            self.allowance.report_tokens,
        )

    def _perspective(self) -> tuple[str, str]:
        return frames.perspective(self.cast, iid.voice(self.ask.role), self.language)

    def look(self, wish: Look, left: int) -> None:
        wanted = wish.requests[: self.allowance.requests]
        results = tuple([self.desk.perform(one) for one in wanted])
        said = form.dumps({"turn": {"kind": "look", "requests": wanted}})[:MOST_SAID]
        self.exchanges.append(_Exchange(said, results, len(wish.requests) - len(wanted), left))
        self.mends = False

    def mend(self, fault: Misfit, reply: Reply) -> None:
        """The one question that follows an answer that cannot be read."""
        schema = asked_turn(self.ask.wants, self.desk.tools)[1]
        question = prompts.repair(self.language, fault, schema)
        self.exchanges.append(_Exchange(reply.text[:MOST_SAID] or "(nothing)", question=question))
        self.mends = True

    def _turns(self) -> tuple[Turn, ...]:
        whole = self._whole()
        return tuple([Turn(one.said, one.question or self._looked(one, whole)) for one in self.exchanges])

    def _whole(self) -> frozenset[str]:
        """The newest results, as many as there is room for, one at least."""
        found, room = list[str](), self.allowance.kept
        for result in [result for one in reversed(self.exchanges) for result in reversed(one.results)]:
            room -= len(result.text().encode("utf-8", "replace"))
            if room < 0 and found:
                break
            found.append(result.id)
        return frozenset(found)

    def _looked(self, one: _Exchange, whole: frozenset[str]) -> str:
        shown = [result.text() if result.id in whole else result.short() for result in one.results]
        blanks = {"results": "\n\n".join(shown), "left_out": one.left_out, "left": one.left}
        return frames.looked(self.language, blanks | {"requests": self.allowance.requests})


def _frame(wanted: type) -> str:
    return frames.CHALLENGER if wanted is CounterReview else frames.INVESTIGATOR


@functools.lru_cache(maxsize=256)
def _system(
    wanted: type, language: str, perspective: tuple[str, str], tools: tuple[str, ...], allowance: Allowance
) -> str:
    blanks = {"perspective": perspective[0], "look": perspective[1], "tools": frames.tools_told(tools, language)}
    return frames.frame(_frame(wanted), language, blanks | {"turns": allowance.turns, "requests": allowance.requests})


# --- what becomes of a reply -------------------------------------------------------------------


def _read(sitting: _Sitting, reply: Reply, *, may_look: bool) -> Any:
    """A `Look`, the answer, `Silent` for a refusal, or the `Misfit` that a question is asked back about."""
    if reply.finish == "refused":
        return Silent(reply.text or "the model refused")
    if reply.finish == "length":
        return Misfit("", "a whole answer", f"one that was cut off after {reply.tokens_out} tokens")
    try:
        found = read_turn(sitting.ask.wants, reply.text)
        if isinstance(found, Look) and not may_look:
            raise Misfit("turn", "the report, for no turn is left to look", "a wish to look")
        if isinstance(found, CounterReview):
            found = _complete(found, sitting.brief)
    except Misfit as fault:
        return fault
    return found


def _complete(review: CounterReview, brief: Brief) -> CounterReview:
    """A review is one only where every item has a challenge with words in it."""
    kept = _of_items(review, brief)
    ids = [item.id for item in brief.items] if isinstance(brief, ChallengeBrief) else []
    missing = [id for id in ids if all(one.item != id for one in kept.challenges)]
    if missing:
        raise Misfit("challenges", "a challenge for every item", f"none for {', '.join(missing)}")
    return kept


def _of_items(review: CounterReview, brief: Brief) -> CounterReview:
    """The challenges that say something, to the items that there are; `*` stands for all of them."""
    ids = [item.id for item in brief.items] if isinstance(brief, ChallengeBrief) else []
    kept = [
        replace(one, item=id)
        for one in review.challenges
        for id in (ids if one.item == ANY_ITEM else [one.item])
        if id in ids and one.challenge.strip()
    ]
    return replace(review, challenges=tuple(kept))


def _what_is_left(sitting: _Sitting, reply: Reply, fault: Misfit) -> Any:
    """A reply that could not be mended: of a report its headline, of a review the challenges that it does have."""
    kept = _kept(sitting, reply)
    return kept if kept is not None else Silent(f"unreadable answer: {form.shown(str(fault), 300)}")


def _kept(sitting: _Sitting, reply: Reply) -> Report | CounterReview | None:
    if sitting.ask.wants is Report:
        return reduced(reply.text)
    try:
        found = read_turn(CounterReview, reply.text)
    except Misfit:
        return None
    kept = _of_items(found, sitting.brief) if isinstance(found, CounterReview) else None
    return kept if kept and kept.challenges else None


def cited(brief: Brief) -> Sequence[str]:
    """The locations that a brief names: what it was told of may be asked for."""
    if isinstance(brief, ChallengeBrief):
        sides = [item.side for item in brief.items]
    else:
        sides = [side for task in brief.tasks for side in (task.yours, *task.others) if side]
    return [piece.location for side in sides for piece in side.evidence]
