"""Regular expressions from people and models that nobody vouches for: whatever is asked, a line takes one step a sign.

A pattern becomes a machine whose states are found as they are needed; a line is read once, from left to right, and no
pattern can make that slower. So nothing here depends on a clock, and the same search gives the same lines.

| written | means |
|---|---|
| `abc`, `\\.`, `\\t` | these signs |
| `.`, `\\d` `\\w` `\\s`, `\\D` `\\W` `\\S` | any sign, a sign of a kind, a sign of another kind |
| `[a-z_]`, `[^"]` | one of these, none of these |
| `a*` `a+` `a?` `a{2}` `a{2,5}` `a{2,}` | so many of it; a `?` behind changes nothing: asked is whether it occurs |
| `ab\\|cd`, `(...)`, `(?:...)`, `(?P<name>...)` | either, together |
| `^` `$`, `\\b` `\\B` | the beginning and the end of the line, the edge of a word and no edge |
| `(?i)` at the beginning | capital and small letters are the same |

Refused, with the place: back references, looking ahead or behind, and whatever else is not in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from withstood.errors import Misfit

MOST_SIGNS = 300
MOST_REPEATS = 100
MOST_STEPS = 2_000
MOST_WORK = 5_000_000
"""What finding new states may come to in a machine's whole life; a pattern that needs more is refused while it runs."""
MOST_NEEDED = 20

Test: TypeAlias = Callable[[str], bool]
Edge: TypeAlias = Literal["^", "$", "b", "B"]


@dataclass(frozen=True, slots=True)
class _One:
    """One sign that passes the test; `sign` where only one does."""

    test: Test
    sign: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Either:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Many:
    part: _Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class _At:
    edge: Edge


_Node: TypeAlias = _One | _Row | _Either | _Many | _At


# --- the machine -------------------------------------------------------------------------------


@dataclass(slots=True)
class _State:
    """Where the machine may stand, and the kind of the sign before: none, a word's, another's."""

    at: frozenset[int]
    before: bool | None
    on: dict[str, _State] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Fork:
    """Goes on at all of these."""

    ways: tuple[int, ...] = ()


_Step: TypeAlias = _One | _At | _Fork


class Pattern:
    """`found` tells whether a line has it. A `Misfit` says what cannot be read, and where."""

    def __init__(self, text: str, *, ignore_case: bool = False) -> None:
        if len(text) > MOST_SIGNS:
            raise Misfit("the pattern", f"at most {MOST_SIGNS} signs", f"{len(text)}")
        plain = text.removeprefix("(?i)")
        self._lower = ignore_case or plain != text
        tree = _Reading(plain, len(text) - len(plain), self._lower).whole()
        self._steps: list[_Step] = []
        self._work = 0
        self._write(tree)
        self._end = len(self._steps)
        self._states: dict[tuple[frozenset[int], bool | None], _State] = {}
        self._hit = _State(frozenset(), None)
        self._first = self._state(frozenset({0}), None)
        self.needed = _needed(tree) or ()
        """One of these stands in every line that has the pattern."""

    def found(self, line: str) -> bool:
        line = line.lower() if self._lower else line
        if self.needed and not any(part in line for part in self.needed):
            return False
        state = self._first
        for sign in line:
            state = state.on.get(sign) or self._next(state, sign)
            if state is self._hit:
                return True
        return self._end in self._reached(state, None)

    # --- writing the steps ---

    def _write(self, node: _Node) -> None:
        self._worked(MOST_WORK // MOST_STEPS // 4)
        match node:
            case _One() | _At():
                self._add(node)
            case _Row():
                for part in node.parts:
                    self._write(part)
            case _Either():
                self._write_either(node.parts)
            case _Many():
                self._write_many(node)

    def _write_either(self, parts: Sequence[_Node]) -> None:
        fork = self._add(_Fork())
        ways, ends = list[int](), list[int]()
        for part in parts:
            ways.append(len(self._steps))
            self._write(part)
            ends.append(self._add(_Fork()))
        self._steps[fork] = _Fork(tuple(ways))
        for end in ends:
            self._steps[end] = _Fork((len(self._steps),))

    def _write_many(self, node: _Many) -> None:
        for _ in range(node.low):
            self._write(node.part)
        if node.high is None:
            fork = self._add(_Fork())
            self._write(node.part)
            self._add(_Fork((fork,)))
            self._steps[fork] = _Fork((fork + 1, len(self._steps)))
            return
        forks = list[int]()
        for _ in range(node.high - node.low):
            forks.append(self._add(_Fork()))
            self._write(node.part)
        for fork in forks:
            self._steps[fork] = _Fork((fork + 1, len(self._steps)))

    def _add(self, step: _Step) -> int:
        if len(self._steps) >= MOST_STEPS:
            raise Misfit("the pattern", "a smaller one", "repetitions that come to more than 2,000 steps")
        self._steps.append(step)
        return len(self._steps) - 1

    # --- running it ---

    def _next(self, state: _State, sign: str) -> _State:
        reached = self._reached(state, sign)
        if self._end in reached:
            found = self._hit
        else:
            after = {at + 1 for at in reached if isinstance(step := self._steps[at], _One) and step.test(sign)}
            found = self._state(frozenset({0, *after}), _of_word(sign))
        state.on[sign] = found
        return found

    def _state(self, at: frozenset[int], before: bool | None) -> _State:
        known = self._states.get((at, before))
        if known is None:
            known = self._states[at, before] = _State(at, before)
        return known

    def _reached(self, state: _State, sign: str | None) -> set[int]:
        """Where the machine may stand with no sign read, the sign that comes next being known."""
        after = None if sign is None else _of_word(sign)
        reached, open_ = set[int](), list(state.at)
        while open_:
            at = open_.pop()
            if at in reached:
                continue
            reached.add(at)
            if at == self._end:
                continue
            step = self._steps[at]
            if isinstance(step, _Fork):
                open_ += step.ways
            elif isinstance(step, _At) and _EDGES[step.edge](state.before, after):
                open_.append(at + 1)
        self._worked(len(reached))
        return reached

    def _worked(self, so_much: int) -> None:
        self._work += so_much
        if self._work > MOST_WORK:
            raise Misfit("the pattern", "a simpler one", "one that has too many ways to go on")


_EDGES: dict[Edge, Callable[[bool | None, bool | None], bool]] = {
    "^": lambda before, after: before is None,
    "$": lambda before, after: after is None,
    "b": lambda before, after: bool(before) != bool(after),
    "B": lambda before, after: bool(before) == bool(after),
}


def _of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _needed(node: _Node) -> tuple[str, ...] | None:
    """Texts of which one stands in whatever the node fits; None where there are none or too many."""
    match node:
        case _One():
            return (node.sign,) if node.sign else None
        case _Many():
            return _needed(node.part) if node.low else None
        case _Either():
            found = [_needed(part) for part in node.parts]
            texts = [text for one in found for text in one or ()]
            return tuple(texts) if all(found) and len(texts) <= MOST_NEEDED else None
        case _Row():
            return max(_runs(node.parts), key=lambda texts: min(map(len, texts)), default=None)
        case _At():
            return None


def _runs(parts: Sequence[_Node]) -> list[tuple[str, ...]]:
    """What is needed by each part of a row, signs that touch taken together."""
    found, run = list[tuple[str, ...]](), ""
    for part in (*parts, _At("$")):
        if isinstance(part, _One) and part.sign:
            run += part.sign
            continue
        found += [(run,)] if run else []
        run = ""
        if texts := _needed(part):
            found.append(texts)
    return found


# --- reading a pattern -------------------------------------------------------------------------

_KINDS: dict[str, Test] = {"d": str.isdigit, "w": _of_word, "s": str.isspace}
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _Reading:
    """Reads a pattern from left to right. `offset` is what stood before it."""

    def __init__(self, text: str, offset: int, lower: bool) -> None:
        self._text, self._offset, self._lower, self._at = text, offset, lower, 0

    def whole(self) -> _Node:
        found = self._either(0)
        if self._at < len(self._text):
            raise self._fault("the end, or an opening bracket before", ")")
        return found

    def _either(self, level: int) -> _Node:
        if level > 20:
            raise self._fault("at most 20 levels of brackets", "more")
        ways = [self._row(level)]
        while self._took("|"):
            ways.append(self._row(level))
        return ways[0] if len(ways) == 1 else _Either(tuple(ways))

    def _row(self, level: int) -> _Node:
        parts = list[_Node]()
        while self._here() not in ("", "|", ")"):
            parts.append(self._times(self._part(level)))
        return parts[0] if len(parts) == 1 else _Row(tuple(parts))

    def _part(self, level: int) -> _Node:
        sign = self._take()
        match sign:
            case "(":
                return self._group(level)
            case "[":
                return self._set()
            case "\\":
                return self._escaped()
            case "^" | "$":
                return _At(sign)
            case ".":
                return _One(lambda _: True)
            case "*" | "+" | "?":
                raise self._fault("something to repeat", sign)
            case _:
                return self._sign(sign)

    def _group(self, level: int) -> _Node:
        if self._took("?") and not self._took(":"):
            if not self._took("P<"):
                raise self._fault("(...), (?:...) or (?P<name>...)", f"(?{self._here()}")
            while (sign := self._take()) != ">":
                if not _of_word(sign):
                    raise self._fault("a name", sign)
        found = self._either(level + 1)
        if not self._took(")"):
            raise self._fault("a closing bracket", "the end")
        return found

    def _escaped(self) -> _Node:
        sign = self._take()
        if sign in "bB":
            return _At("b" if sign == "b" else "B")
        if test := self._kind(sign):
            return _One(test)
        return self._sign(self._literal(sign))

    def _literal(self, sign: str) -> str:
        if sign in _SIGNS:
            return _SIGNS[sign]
        if sign.isalnum():
            raise self._fault("an escape of the table", f"\\{sign}")
        return sign

    def _kind(self, sign: str) -> Test | None:
        test = _KINDS.get(sign.lower())
        if test is None or sign.islower():
            return test
        return lambda one: not test(one)

    def _sign(self, sign: str) -> _One:
        plain = sign.lower() if self._lower else sign
        return _One(plain.__eq__, plain) if len(plain) == 1 else _One(lambda one: one in plain)

    def _set(self) -> _Node:
        turned = self._took("^")
        tests, first = list[Test](), True
        while first or self._here() != "]":
            tests.append(self._of_set())
            first = False
        self._take()
        return _One(lambda one: any(test(one) for test in tests) != turned)

    def _of_set(self) -> Test:
        low = self._take()
        if low == "\\":
            low = self._take()
            if test := self._kind(low):
                return test
            low = self._literal(low)
        if self._here() != "-" or self._text[self._at + 1 : self._at + 2] in ("", "]"):
            return self._within(low, low)
        self._take()
        high = self._take()
        high = self._literal(self._take()) if high == "\\" else high
        if high < low:
            raise self._fault("a range that goes up", f"{low}-{high}")
        return self._within(low, high)

    def _within(self, low: str, high: str) -> Test:
        if not self._lower:
            return lambda one: low <= one <= high
        return lambda one: low <= one <= high or low <= one.upper() <= high

    def _times(self, part: _Node) -> _Node:
        """The part with what is said of how often; several such signs in a row are refused."""
        times = _TIMES.get(self._here()) or self._counted()
        if times is None:
            return part
        if self._here() in _TIMES:
            self._take()
        self._took("?")
        if self._here() in ("*", "+", "?"):
            raise self._fault("one sign of repetition", self._here())
        low, high = times
        return _Many(part, low, high)

    def _counted(self) -> tuple[int, int | None] | None:
        """`{2}`, `{2,}` and `{2,5}`; a bracket with anything else in it is itself."""
        end = self._text.find("}", self._at)
        if self._here() != "{" or end < 0:
            return None
        low, comma, high = self._text[self._at + 1 : end].partition(",")
        if not low.isdecimal() or not (high.isdecimal() or not high):
            return None
        self._at = end + 1
        most = int(high) if high else None if comma else int(low)
        if int(low) > MOST_REPEATS or (most or 0) > MOST_REPEATS or (most is not None and most < int(low)):
            raise self._fault(f"a number of times up to {MOST_REPEATS}, the lower one first", f"{{{low}{comma}{high}}}")
        return int(low), most

    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        sign = self._here()
        if not sign:
            raise self._fault("more of the pattern", "its end")
        self._at += 1
        return sign

    def _took(self, wanted: str) -> bool:
        found = self._text.startswith(wanted, self._at)
        self._at += len(wanted) * found
        return found

    def _fault(self, wanted: str, found: str) -> Misfit:
        return Misfit(f"the pattern at sign {self._offset + max(self._at, 1)}", wanted, found)
