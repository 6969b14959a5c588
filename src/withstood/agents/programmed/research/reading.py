"""Sentences as programmed researchers read them: their telling words, what they compare, how they turn, what they are.

There is no understanding in it. Two sentences are set against each other by the words that they share, by the ends of
an axis that they name (faster, slower), by negations and by numbers with the same unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Literal, TypeAlias

from withstood.agents.programmed.research import wording
from withstood.sources import terms

Kind: TypeAlias = Literal["fact", "definition", "claim", "said"]

LEAST_WORDS, MOST_WORDS = 5, 60
LEAST_WORDS_KO = 3
MOST_SIGNS = 400

_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9_+#'\-]*(?:\.[A-Za-z][A-Za-z0-9]*)*|[가-힣]+|\d+(?:[.,]\d+)*")
_HANGUL = re.compile(r"[가-힣]")
_FENCES = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)]|#{1,6}|\||>|\.\. |:\w+:)\s?)")
_LEAD = re.compile(r"^\s*(?:[-*+•>]|\d+[.)]|#{1,6})\s+")
_HEADING = re.compile(r"\A\s*[^\n]{1,59}(?<![.,;:!?。])\n(?=\S)")  # a short first line that ends in no stop
_LONG_LINE = re.compile(r"^.{240,}$", re.MULTILINE)  # whoever writes such lines gives each paragraph one
_ENDS = re.compile(r"(?<=[.!?。])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9가-힣])")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|Fig|Dr|Mr|Ms|No|approx|et al)|\b[A-Z])\.$")
_CODE = re.compile(
    r"[{}=<>|\\]|\(\)|::|->|>>>|`[^`]*`.*`|__|\w_\w+_\w|\w_\w+\(|\[(?:in|out)\]|\$\w|https?://|[A-Z]\d+-[A-Z]\d+"
)
_NUMBER = re.compile(
    r"(?<![\w.])(\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(%|percent|percentage points|points?|times|fold|x\b|ms|seconds?|"
    r"minutes?|hours?|days?|weeks?|months?|years?|KB|MB|GB|TB|bytes?|tokens?|users?|people|trials?|dollars?|"
    r"퍼센트|포인트|배|초|분|시간|일|주|개월|년|명|개|건|원|회|점|자)?",
    re.IGNORECASE,
)
_SAME_UNIT = {"percent": "%", "퍼센트": "%", "x": "times", "fold": "times", "배": "times"}


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that turns and compares for itself. `about` are the words that it begins with, `named` the
    words that stand right before another: of write requests, write before request."""

    terms: frozenset[str]
    negated: bool
    axes: Mapping[str, int]
    numbers: Mapping[str, tuple[float, ...]]
    subject: frozenset[str]
    object: frozenset[str]
    about: frozenset[str] = frozenset()
    named: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words of a text as they stand there, up to white space."""

    text: str
    kind: Kind
    clauses: tuple[Clause, ...]

    @property
    def conditional(self) -> bool:
        return wording.CONDITIONS.search(self.text) is not None

    @property
    def condition(self) -> frozenset[str]:
        """The telling words of what it holds under."""
        return frozenset(word for found in wording.CONDITIONS.finditer(self.text) for word in words(found[0]))

    @property
    def terms(self) -> frozenset[str]:
        return frozenset[str]().union(*(clause.terms for clause in self.clauses))


# --- sentences ---------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Each sentence of a document once; left out are code, tables, headings, questions, what is too
    short or long, and what begins by pointing back."""
    plain = _FENCES.sub("\n\n", text)
    blocks = plain.split("\n") if _LONG_LINE.search(plain) else _BLOCKS.split(plain)
    found = dict.fromkeys(one for block in blocks for one in _of_block(block))
    return tuple([read(one) for one in found])


def _of_block(block: str) -> Iterator[str]:
    if block.lstrip().startswith(("#", "|", "..", ">>>", "$ ", "@")) or block.startswith(("    ", "\t")):
        return
    plain = " ".join(_LEAD.sub("", _HEADING.sub("", block)).split())
    for one in _joined(_ENDS.split(plain)):
        if _is_sentence(one):
            yield one


def _joined(parts: Sequence[str]) -> Iterator[str]:
    """A part that ends in an abbreviation goes on with the next one."""
    held = ""
    for part in parts:
        held = f"{held} {part}" if held else part
        if not _ABBREVIATED.search(held):
            yield held
            held = ""
    if held:
        yield held


def _is_sentence(text: str) -> bool:
    words = text.split()
    if wording.POINTING.match(text) or wording.ORDERS.search(text):
        return False
    least = LEAST_WORDS_KO if _HANGUL.search(text) else LEAST_WORDS
    whole = text.rstrip("\"')]*_").endswith((".", "!", "。", "다"))
    if wording.NOTICES.search(text) or _is_menu(words) or text[:1].islower() or wording.FRAGMENTS.match(text):
        return False
    return whole and least <= len(words) <= MOST_WORDS and len(text) <= MOST_SIGNS and not _CODE.search(text)


def _is_menu(words: Sequence[str]) -> bool:
    """Names in a row, as in a menu or at the foot of a page."""
    latin = [word for word in words if word[:1].isascii() and word[:1].isalpha()]
    return len(latin) >= LEAST_WORDS and 4 * sum(word[0].isupper() for word in latin) >= 3 * len(latin)


@lru_cache(maxsize=16384)
def read(text: str) -> Sentence:
    """A sentence with what it says in each of its clauses."""
    parts = [part for part in wording.CLAUSES.split(text) if part.strip()]
    return Sentence(text, _kind(text), tuple([_clause(part) for part in parts]) or (_clause(text),))


def _kind(text: str) -> Kind:
    if any(_counts(found) for found in _NUMBER.finditer(text)):
        return "fact"
    if wording.RESULTS.search(text) and not wording.MODAL.search(text):
        return "fact"
    if wording.ADVICE.search(text) or _axes(text):
        return "claim"
    return "definition" if wording.DEFINITIONS.search(text) else "said"


def _counts(found: re.Match[str]) -> bool:
    """A number that measures: with a unit, or too large for a place in a list, and no year."""
    value = found[1].replace(",", "")
    return bool(found[2]) or (len(value) > 1 and not re.fullmatch(r"(?:19|20)\d\d", value))


# --- what a clause says ------------------------------------------------------------------------


def _clause(text: str) -> Clause:
    subject, compared = _sides(text)
    main = _without_condition(text)
    negated = len(wording.NEGATIONS.findall(main)) % 2 == 1
    topics = frozenset(stem for stem, word in words(text).items() if not is_axis(word))
    named = _runs(main)
    return Clause(topics, negated, _axes(main), _numbers(main), subject, compared, _about(main), _named(named))


def _about(text: str) -> frozenset[str]:
    """The first name in it, after who says so and where it holds."""
    led_in = wording.LED_IN.match(text)
    runs = _runs(text[led_in.end() :] if led_in else text)
    return frozenset(runs[0]) if runs else frozenset()


def _named(runs: Sequence[Sequence[str]]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for run in runs:
        for before, word in pairwise(run):
            found[word] = found.get(word, frozenset()) | {before}
    return found


def _runs(text: str) -> list[list[str]]:
    """Telling words that stand side by side, as the words of one name do: nothing between them but space."""
    runs: list[list[str]] = []
    end = -1
    for found in _WORDS.finditer(text):
        word = found[0].lower()
        stem = None if is_axis(word) else next(iter(words(word)), None)
        joined = end >= 0 and text[end : found.start()].isspace()
        end = -1
        if stem is None:
            continue
        if joined:
            runs[-1].append(stem)
        else:
            runs.append([stem])
        if not (_HANGUL.match(word) and word.endswith(wording.MARKED)):
            end = found.end()
    return runs


def _without_condition(text: str) -> str:
    """A "not" or a "more" of the condition is none of what holds under it."""
    main = wording.CONDITIONS.sub(" ", text)
    return main if len(words(main)) >= LEAST_SHARED else text


def _sides(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """What is compared, and with what."""
    if found := wording.COMPARED.search(text):
        beyond = wording.ASIDE.split(text[found.end() :], maxsplit=1)[0]
        return frozenset(words(text[: found.start()])), frozenset(words(beyond))
    if found := wording.COMPARED_KO.search(text):
        compared = frozenset(words(f"{_bare_before(text[: found.start()])} {found[1]}"))
        return frozenset(words(text)) - compared, compared
    return frozenset(), frozenset()


def _axes(text: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for word in _WORDS.findall(wording.QUANTITIES.sub(" ", text.lower())):
        sign = _ends().get(word) if word.isascii() else _korean_end(word)
        if sign:
            found.setdefault(*sign)
    if amount := found.get("amount"):
        for axis, measure in wording.MEASURES.items():
            if measure.search(text):
                found.setdefault(axis, -amount)
        if wording.GAINS.search(text):
            found.setdefault("quality", amount)
    return found


def _bare_before(text: str) -> str:
    """The words without a particle that belong to the noun after them: 검색 증강 (생성보다)."""
    bare: list[str] = []
    for word in reversed(text.split()):
        if not _HANGUL.match(word) or word.endswith(wording.MARKED) or len(bare) == 3:
            break
        bare.insert(0, word)
    return " ".join(bare)


def is_axis(word: str) -> bool:
    """Whether a word is one end of an axis: it tells how, not what."""
    low = word.lower()
    return (low in _ends()) if low.isascii() else _korean_end(low) is not None


@lru_cache(maxsize=1)
def _ends() -> Mapping[str, tuple[str, int]]:
    return {
        word: (axis, sign)
        for axis, sides in wording.AXES.items()
        for side, sign in zip(sides, (1, -1), strict=True)
        for word in side.split()
    }


@lru_cache(maxsize=8192)
def _korean_end(word: str) -> tuple[str, int] | None:
    """The longest entry that the word begins with."""
    fitting = [(entry, end) for entry, end in _ends().items() if not entry.isascii() and word.startswith(entry)]
    return max(fitting, key=lambda row: len(row[0]))[1] if fitting else None


def _numbers(text: str) -> Mapping[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = {}
    for number in _NUMBER.finditer(text):
        if unit := (number[2] or "").lower().rstrip("s"):
            unit = _SAME_UNIT.get(unit, unit)
            found[unit] = (*found.get(unit, ()), float(number[1].replace(",", "")))
    return found


# --- words -------------------------------------------------------------------------------------


def words(text: str) -> dict[str, str]:
    """Telling words by their stem, as they first stand in the text."""
    found: dict[str, str] = {}
    for word in _WORDS.findall(_NUMBER.sub(" ", text)):
        low = word.lower()
        if low in wording.EMPTY or low[0].isdigit() or len(low) < 2:
            continue
        stem = stem_of(low)
        if stem not in wording.EMPTY:
            found.setdefault(stem, word)
    return found


def topics(text: str) -> frozenset[str]:
    """What a question is about: its telling words without the ends of an axis, as long as any are left."""
    found = words(text)
    about = frozenset(stem for stem, word in found.items() if not is_axis(word))
    return about or frozenset(found)


@lru_cache(maxsize=32768)
def stem_of(word: str) -> str:
    if _HANGUL.match(word):
        return _shorn(word)
    stem = (terms.terms(word) or [word])[0]
    return stem[:-1] if len(stem) > 3 and stem.endswith("e") else stem


def _shorn(word: str) -> str:
    ending = next((one for one in wording.PARTICLES if word.endswith(one) and len(word) - len(one) >= 2), "")
    bare = word.removesuffix(ending)
    someone = next((one for one in wording.PEOPLE if bare.endswith(one) and len(bare) - len(one) >= 3), "")
    return bare.removesuffix(someone)


_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)|\[([^\[\]]+)\]\[[^\[\]]*\]")
_STRESS = re.compile(r"(\*\*|\*|__|``|`)(?=\S)(.+?)(?<=\S)\1")


def bare(text: str) -> str:
    """A sentence without the marks of Markdown: what it says, when its words are kept elsewhere as they stand."""
    return _STRESS.sub(r"\2", _LINK.sub(lambda found: found[1] or found[2], text)).strip("* ") or text


def surface(stem: str, word: str) -> str:
    """A word as it is searched by: Korean without its particle."""
    return stem if _HANGUL.match(word) else word


# --- two sentences -----------------------------------------------------------------------------


class Weights:
    """How much a word tells: the rarer it is in what was read, the more. What is asked for stands everywhere there, and
    tells as much as a word that stands in one place."""

    def __init__(self, texts: Sequence[frozenset[str]], asked: frozenset[str] = frozenset()) -> None:
        self._of, self._asked = len(texts), asked
        self._counts: dict[str, int] = {}
        for one in texts:
            for term in one:
                self._counts[term] = self._counts.get(term, 0) + 1

    def of(self, term: str) -> float:
        count = 1 if term in self._asked else self._counts.get(term, 0)
        return 0.3 + log((self._of + 2) / (count + 1))

    def total(self, found: frozenset[str]) -> float:
        return sum(self.of(term) for term in sorted(found))

    def share(self, part: frozenset[str], whole: frozenset[str]) -> float:
        """How much of the whole the part covers."""
        weight = self.total(whole)
        return self.total(part & whole) / weight if weight else 0.0


@dataclass(frozen=True, slots=True)
class Bearing:
    """How one sentence bears on another: how much of it it covers, and whether it says the same or the opposite."""

    cover: float
    sign: int
    by: str = ""


NOTHING = Bearing(0.0, 0)
LEAST_SHARED, NEAR, CLOSE = 2, 0.35, 0.6
TOLERANCE = 0.05


def bearing(one: Sentence, other: Sentence, weights: Weights, least: float = NEAR) -> Bearing:
    """Of all pairs of clauses the one that shares most decides; nothing where less than `least` is covered, where what
    the other is about is not spoken of, or where the same noun is of another kind."""
    pairs = [(a, b) for a in one.clauses for b in other.clauses]
    best = max(pairs, key=lambda pair: weights.total(pair[0].terms & pair[1].terms))
    shared = best[0].terms & best[1].terms
    cover = weights.share(one.terms, other.terms)
    if len(shared) < LEAST_SHARED or cover < least:
        return NOTHING
    if best[1].about and not best[1].about & one.terms:
        return NOTHING
    if _is_another(best[0], best[1], one.terms, other.terms):
        return NOTHING
    sign, by = _sign(*best, cover)
    return Bearing(cover, sign, by)


def of_another(one: Sentence, other: Sentence) -> bool:
    """Whether a noun of the one is of another kind in the other."""
    terms = (one.terms, other.terms)
    return any(_is_another(mine, theirs, *terms) for mine in one.clauses for theirs in other.clauses)


def _is_another(one: Clause, other: Clause, here: frozenset[str], there: frozenset[str]) -> bool:
    """Read requests and write requests: what stands before the same word differs, and neither is spoken of elsewhere."""
    for word in one.named.keys() & other.named.keys():
        mine, theirs = one.named[word], other.named[word]
        if not mine & theirs and not mine & there and not theirs & here:
            return True
    return False


def _sign(one: Clause, other: Clause, cover: float) -> tuple[int, str]:
    """Same (1), opposite (-1), or nobody can tell (0)."""
    axes = [axis for axis in sorted(one.axes) if axis in other.axes]
    if axes:
        turned = -1 if one.negated != other.negated else 1
        swapped = -1 if _swapped(one, other) else 1
        signs = {one.axes[axis] * other.axes[axis] * turned * swapped for axis in axes}
        return (signs.pop(), ", ".join(axes)) if len(signs) == 1 else (0, "")
    if one.negated != other.negated:
        plain = not one.axes and not other.axes  # a "not" turns the end that it stands by, and here only one names one
        return (-1, "negation") if plain and cover >= CLOSE else (0, "")
    return _by_numbers(one, other, cover)


def _swapped(one: Clause, other: Clause) -> bool:
    """A is faster than B, B is faster than A."""
    crossed = len(one.subject & other.object) + len(one.object & other.subject)
    straight = len(one.subject & other.subject) + len(one.object & other.object)
    return crossed > straight


def _by_numbers(one: Clause, other: Clause, cover: float) -> tuple[int, str]:
    for unit in sorted(one.numbers):
        mine, theirs = one.numbers[unit], other.numbers.get(unit, ())
        if cover >= CLOSE and len(mine) == len(theirs) == 1:
            near = abs(mine[0] - theirs[0]) <= TOLERANCE * max(abs(mine[0]), abs(theirs[0]))
            return (1 if near else -1, f"number, {unit}")
    return 0, ""
