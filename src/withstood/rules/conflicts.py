"""Conflict flags: where the candidate tuples of one text do not agree.

Every row that applies fires. Flags stand in the order: for each ref by first appearance its row 1 and then its
rows 2; then rows 3 by first appearance of the term; then rows 4.

| row | when | then |
|---|---|---|
| 1 | one aspect_ref carries two or more polarities | ref_polarity_mismatch on all tuples of the ref |
| 2 | semantic is on, in a ref of row 1: two different terms with different polarities are similar (at least theta); for each tuple the first such partner | semantic_conflict_candidate on the two |
| 3 | mode is primary_secondary: tuples without a ref, one aspect_term with two or more polarities | term_polarity_mismatch on all tuples of the term |
| 4 | granularity is on: one attribute with one polarity stands on an upper entity and on another one | granularity_overlap_candidate on all tuples of that attribute and polarity |

Similar: character 3-gram Jaccard or Ratcliff-Obershelp ratio of the normalised terms is at least theta.
Upper entities: 제품 전체. Refs and terms are compared without the white space around them, polarities as they stand; an empty one is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Annotated, Literal, Protocol, TypeAlias, TypeVar

from withstood.claims.flag import Flag
from withstood.form import Misfit, Within
from withstood.rules.table import Table

Mode: TypeAlias = Literal["primary", "primary_secondary"]
Theta: TypeAlias = Annotated[Decimal, Within(0, 1)]
Switch: TypeAlias = Literal["off", "on"]

UPPER_ENTITIES = frozenset({"제품 전체"})


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a rulebook may set of this table."""

    mode: Mode = "primary_secondary"
    theta: Theta = Decimal("0.6")
    semantic: Switch = "off"
    granularity: Switch = "off"


class Tuple(Protocol):
    """What this table looks at of a candidate."""

    @property
    def tuple_id(self) -> str: ...
    @property
    def aspect_term(self) -> str | None: ...
    @property
    def aspect_ref(self) -> str | None: ...
    @property
    def polarity(self) -> str | None: ...


T = TypeVar("T", bound=Tuple)
Group: TypeAlias = Sequence[T]


def flags(candidates: Sequence[Tuple], numbers: Numbers) -> tuple[Flag, ...]:
    found = list(_ref_flags(candidates, numbers))
    if numbers.mode == "primary_secondary":
        found += _term_flags(candidates)
    if numbers.granularity == "on":
        found += _granularity_flags(candidates)
    return tuple(found)


def conflict_types(found: Sequence[Flag]) -> Mapping[str, str]:
    """The conflict type of each flagged tuple: where several flags name it, the last one counts."""
    return {tuple_id: flag.conflict_type for flag in found for tuple_id in flag.tuple_ids}


def _ref_flags(candidates: Sequence[Tuple], numbers: Numbers) -> Iterator[Flag]:
    for ref, group in _grouped(candidates, _ref).items():
        if _disagree(group):
            yield Flag("ref_polarity_mismatch", ref, _term(group[0]) or ref, _ids(group))
            if numbers.semantic == "on":
                yield from _semantic_flags(ref, group, numbers.theta)


def _semantic_flags(ref: str, group: Group[Tuple], theta: Decimal) -> Iterator[Flag]:
    for place, one in enumerate(group):
        partners = (other for other in group[place + 1 :] if _semantic_conflict(one, other, theta))
        if other := next(partners, None):
            yield Flag("semantic_conflict_candidate", ref, f"{_term(one)}|{_term(other)}", _ids((one, other)))


def _semantic_conflict(one: Tuple, other: Tuple, theta: Decimal) -> bool:
    differ = one.polarity and other.polarity and one.polarity != other.polarity
    named = _term(one) and _term(other) and _term(one) != _term(other)
    return bool(differ and named) and similar(_term(one), _term(other), theta)


def _term_flags(candidates: Sequence[Tuple]) -> Iterator[Flag]:
    without_ref = [candidate for candidate in candidates if not _ref(candidate)]
    for term, group in _grouped(without_ref, _term).items():
        if _disagree(group):
            yield Flag("term_polarity_mismatch", "", term, _ids(group))


def _granularity_flags(candidates: Sequence[Tuple]) -> Iterator[Flag]:
    groups: dict[tuple[str, str], list[Tuple]] = {}
    for candidate in candidates:
        if candidate.polarity and "#" in _ref(candidate):
            groups.setdefault((_halves(candidate)[1], candidate.polarity), []).append(candidate)
    for group in groups.values():
        entities = {_halves(candidate)[0] for candidate in group} - {""}
        if entities & UPPER_ENTITIES and entities - UPPER_ENTITIES:
            yield Flag("granularity_overlap_candidate", "|".join(map(_ref, group)), "", _ids(group))


def _grouped(candidates: Sequence[T], key: _Key) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = {}
    for candidate in candidates:
        if name := key(candidate):
            groups.setdefault(name, []).append(candidate)
    return groups


class _Key(Protocol):
    def __call__(self, candidate: Tuple, /) -> str: ...


def _disagree(group: Group[Tuple]) -> bool:
    return len({candidate.polarity for candidate in group if candidate.polarity}) > 1


def _ref(candidate: Tuple) -> str:
    return (candidate.aspect_ref or "").strip()


def _term(candidate: Tuple) -> str:
    return (candidate.aspect_term or "").strip()


def _halves(candidate: Tuple) -> tuple[str, str]:
    entity, _, attribute = _ref(candidate).partition("#")
    return entity.strip(), attribute.strip()


def _ids(group: Group[Tuple]) -> tuple[str, ...]:
    return tuple([candidate.tuple_id for candidate in group])


def is_upper(ref: str | None) -> bool:
    """Whether the ref's entity is an upper one."""
    return (ref or "").partition("#")[0].strip() in UPPER_ENTITIES


def similar(one: str, other: str, theta: Decimal) -> bool:
    """Jaccard or ratio at least theta, compared exactly: as whole numbers against a fraction."""
    a, b = _normal(one), _normal(other)
    if not a or not b:
        return False
    least, grams_a, grams_b = Fraction(theta), _trigrams(a), _trigrams(b)
    if len(grams_a & grams_b) >= least * len(grams_a | grams_b):
        return True
    matched = sum(block.size for block in SequenceMatcher(None, a, b).get_matching_blocks())
    return 2 * matched >= least * (len(a) + len(b))


def _normal(term: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", "", term.strip().lower()).split())


def _trigrams(term: str) -> set[str]:
    return {term[start : start + 3] for start in range(max(1, len(term) - 2))}


@dataclass(frozen=True, slots=True)
class Stated:
    """A candidate as it stands in the input of the table."""

    tuple_id: str
    aspect_term: str | None = None
    aspect_ref: str | None = None
    polarity: str | None = None


@dataclass(frozen=True, slots=True)
class Input:
    candidates: tuple[Stated, ...]
    mode: Mode | None = None
    semantic: bool | None = None
    granularity: bool | None = None
    theta: Theta | None = None


@dataclass(frozen=True, slots=True)
class Output:
    flags: tuple[Flag, ...]


def _decide(case: Input, numbers: Numbers) -> Output:
    _check_ids(case.candidates)
    asked = Numbers(
        mode=case.mode or numbers.mode,
        theta=numbers.theta if case.theta is None else case.theta,
        semantic=_switch(case.semantic, numbers.semantic),
        granularity=_switch(case.granularity, numbers.granularity),
    )
    return Output(flags(case.candidates, asked))


def _check_ids(candidates: Sequence[Stated]) -> None:
    seen: set[str] = set()
    for place, candidate in enumerate(candidates):
        if candidate.tuple_id in seen:
            at, again = f"candidates[{place}].tuple_id", f'"{candidate.tuple_id}" again'
            raise Misfit(at, "an id that no earlier candidate has", again)
        seen.add(candidate.tuple_id)


def _switch(stated: bool | None, otherwise: Switch) -> Switch:
    return otherwise if stated is None else "on" if stated else "off"


TABLE = Table("conflicts-1", __doc__, Input, Output, _decide, section="conflicts", aliases=("conflicts",))
