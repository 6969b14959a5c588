"""The cast table: which investigators there are, what they may read, and who is called for which kind of question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Source: TypeAlias = Literal["files", "logs", "history", "documents"]


@dataclass(frozen=True, slots=True)
class Perspective:
    """`id` as it stands in an investigator's id; `says` is one line for whoever reads the plan."""

    id: str
    name: str
    says: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Type:
    """A type of investigator: the prefix of its ids, and the sources that it may read. It needs one of `needs`."""

    prefix: str
    name: str
    reads: tuple[Source, ...]
    needs: tuple[Source, ...]
    perspectives: tuple[Perspective, ...]


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question: the words that tell it, and who is called, most wanted first."""

    name: str
    cues: tuple[str, ...]
    cast: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """How many investigators, how many passes of round 3, which challengers, and whether quick mode is allowed."""

    name: str
    investigators: int
    passes: int
    challengers: tuple[str, ...]
    quick: bool


@dataclass(frozen=True, slots=True)
class CastTable:
    """`fill` is who is called where a kind's cast is too small, or lacks its source. Voices are `CODE-CALLCHAIN`."""

    types: tuple[Type, ...]
    kinds: tuple[QuestionKind, ...]
    fill: tuple[str, ...]
    profiles: tuple[Profile, ...]

    def voices(self) -> tuple[str, ...]:
        return tuple([f"{type.prefix}-{one.id}" for type in self.types for one in type.perspectives])

    def type_of(self, voice: str) -> Type | None:
        return next((type for type in self.types if type.prefix == voice.partition("-")[0]), None)

    def profile(self, name: str) -> Profile | None:
        return next((profile for profile in self.profiles if profile.name == name), None)
