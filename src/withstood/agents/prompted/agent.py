"""A model in a seat: the brief fills a prompt, the model answers, the door reads the answer."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from withstood import form
from withstood.agents.port import Line
from withstood.agents.prompted import prompts
from withstood.agents.prompted.answers import read_answer
from withstood.agents.prompted.asked import asked
from withstood.errors import Misfit
from withstood.models.port import Call, Model, Reply, Turn
from withstood.models.settings import MOST_TOKENS
from withstood.protocols.asks import Ask, Silent
from withstood.protocols.briefs import READERS, REVIEWERS, SINGLE
from withstood.protocols.debate_briefs import RAPPORTEUR, SPEAKER, STAGE1, STAGE2
from withstood.protocols.investigation_briefs import PLAN
from withstood.protocols.research_briefs import EXPLORE, IDEATE, SELECT

Answer = TypeVar("Answer")

ROLES = (*READERS, *REVIEWERS, SINGLE)
RESEARCH = (SELECT, EXPLORE, IDEATE)
# How much of an answer that could not be read is shown to the model again.
MOST_SAID = 1500
# Tokens that a provider may add around the messages, and bytes that a repair question may add to its file and schema.
_OVERHEAD = 512
_MOST_REPAIR = 4000
_MOST_RECENT = 256
# A seat that is asked again in one round (EXPLORE-2) is asked by the same prompt.
_AGAIN = re.compile(r"-\d+$")


@dataclass(frozen=True, slots=True)
class _Written:
    """The two parts of a prompt for one ask, and how many bytes they are."""

    brief: object
    system: str
    user: str
    size: int


class PromptedAgent:
    """Fills any of `roles` by asking `model`. `most_tokens` is how long one answer may become."""

    def __init__(self, model: Model, roles: Sequence[str] = ROLES, *, most_tokens: int = MOST_TOKENS) -> None:
        self._model, self._roles, self._most_tokens = model, tuple(roles), most_tokens
        self._recent: dict[tuple[str, int], _Written] = {}

    @property
    def name(self) -> str:
        return self._model.name

    async def answer(self, ask: Ask[Answer], line: Line) -> Answer | Silent:
        """The model's answer; `Silent` where it refuses, or where its second attempt cannot be read either."""
        call = self._call(ask, line.case)
        reply = await line.call(self._model, call)
        read = _read(ask.wants, reply)
        if not isinstance(read, Misfit):
            return read
        said = reply.text[:MOST_SAID] or "(nothing)"
        question = prompts.repair(prompts.language_of(ask.brief.language), read, call.schema)
        reply = await line.call(self._model, replace(call, earlier=(Turn(said, question),)))
        read = _read(ask.wants, reply)
        return Silent(f"unreadable answer: {form.shown(str(read), 300)}") if isinstance(read, Misfit) else read

    def prompts(self) -> Mapping[str, str]:
        roles = (*self._roles, prompts.REPAIR)
        return {
            f"{role}/{part}": prompts.prompt(file_of(role), part).digest for role in roles for part in prompts.LANGUAGES
        }

    def most_tokens(self, ask: Ask[Any]) -> tuple[int, int]:
        """An upper bound for both calls: no tokenizer makes more tokens than there are bytes."""
        schema = _size(ask.wants)
        # Twice the schema: a provider that writes it into the prompt may describe it at greater length.
        once = self._written(ask).size + 2 * schema + _OVERHEAD
        again = once + 4 * MOST_SAID + schema + _MOST_REPAIR
        return once + again, 2 * self._most_tokens

    def models(self) -> tuple[Model, ...]:
        return (self._model,)

    def _call(self, ask: Ask[Any], case: str) -> Call:
        written = self._written(ask)
        schema_name, schema = asked(ask.wants)
        return Call(
            case,
            ask.role,
            ask.round,
            written.system,
            written.user,
            schema,
            schema_name,
            most_tokens=self._most_tokens,
        )

    def _written(self, ask: Ask[Any]) -> _Written:
        # The brief is kept beside what was written from it, so that its identity cannot pass to another object.
        place = (ask.role, id(ask.brief))
        if place not in self._recent:
            if len(self._recent) >= _MOST_RECENT:
                del self._recent[next(iter(self._recent))]
            self._recent[place] = _write(ask.role, ask.brief)
        return self._recent[place]


@functools.cache
def _size(wants: type) -> int:
    return len(form.dumps(asked(wants)[1]).encode())


def _read(wants: type[Answer], reply: Reply) -> Answer | Silent | Misfit:
    if reply.finish == "refused":
        return Silent(reply.text or "the model refused")
    if reply.finish == "length":
        return Misfit("", "a whole answer", f"one that was cut off after {reply.tokens_out} tokens")
    try:
        return read_answer(wants, reply.text)
    except Misfit as fault:
        return fault


def file_of(role: str) -> str:
    """The prompt of a role: a role that has none of its own is a persona."""
    once = _AGAIN.sub("", role)
    if once in RESEARCH:
        return once
    return role if role in (*ROLES, *STAGE1, RAPPORTEUR, *STAGE2, PLAN, prompts.REPAIR) else SPEAKER


def _write(role: str, brief: Any) -> _Written:
    language, file = prompts.language_of(brief.language), file_of(role)
    system = prompts.system(file, language, getattr(brief, "refs", ()), getattr(brief, "persona", None))
    user = prompts.user(file, language, _blanks(brief))
    return _Written(brief, system, user, len(system.encode()) + len(user.encode("utf-8", "surrogatepass")))


_shared: dict[int, tuple[object, dict[str, str]]] = {}


def _blanks(brief: object) -> dict[str, str]:
    """The reviewers of a text are given one and the same brief, which is turned into JSON once for all of them."""
    if id(brief) not in _shared:
        if len(_shared) >= _MOST_RECENT:
            del _shared[next(iter(_shared))]
        _shared[id(brief)] = (brief, prompts.blanks(brief))
    return _shared[id(brief)][1]
