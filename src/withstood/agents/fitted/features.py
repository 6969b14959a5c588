"""What a fitted reader looks at, as names of features. A change here is a new `EDITION`: older models do not fit it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.fitted import outline as outlines
from withstood.agents.fitted.outline import Bounds, Outline
from withstood.agents.programmed.analysis import Sighting

EDITION = 4

_AROUND, _CLOSE, _FAR = 2, 1, 8
_SEGMENT = 12
_NEAREST = 2
_RUNS = (3, 4)
_RUN = "~"
_NO_RUNS = 3
_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Aim:
    """A target as features see it: a run of tokens, or a ref of the text as a whole (`first` is `last`)."""

    first: int
    last: int
    ref: str = ""

    @property
    def placed(self) -> bool:
        return self.last > self.first

    @property
    def bounds(self) -> Bounds:
        return self.first, self.last


# --- for each token: is it of a term, or of an opinion -----------------------------------------


def of_tokens(outline: Outline) -> list[list[str]]:
    opinions = [place for place, told in enumerate(outline.told) if told]
    return [list(_of_token(outline, place, opinions)) for place in range(len(outline.words))]


def _of_token(outline: Outline, place: int, opinions: Sequence[int]) -> Iterator[str]:
    words, count = outline.words, len(outline.words)
    yield "b"
    for step in range(-_AROUND, _AROUND + 1):
        there = place + step
        if not 0 <= there < count:
            yield f"{step}^"
            continue
        word = words[there]
        yield f"{step}:{word}"
        yield f"{step}r:{outline.roles[there]}"
        if outline.kinds[there]:
            yield f"{step}k:{outline.kinds[there]}"
            yield f"{step}K"
        if outline.told[there]:
            yield f"{step}o"
            yield f"{step}o:{outline.told[there]}"
        for how in outline.tied[there]:
            yield f"{step}t:{how}"
        if abs(step) <= _CLOSE:
            yield f"{step}s:{word[-3:]}"
            yield f"{step}e:{word[-2:]}"
            yield f"{step}p:{word[:3]}"
            yield f"{step}a:{outline.shapes[there]}"
            yield f"{step}c:{outline.chunks[there]}"
            yield f"{step}C:{outline.chunks[there][:1]}"
            if name := outline.names[there]:
                yield f"{step}N:{name}"
                yield f"{step}N{name[:1]}"
    yield from _own(words[place])
    yield from _runs(outline, place)
    yield from _kinds_beside(outline, place)
    yield from _opinions_beside(outline, place, opinions)


def _own(word: str) -> Iterator[str]:
    yield f"st:{_stem(word)}"
    yield f"s1:{word[-1:]}"
    yield f"s4:{word[-4:]}"
    yield f"p2:{word[:2]}"
    yield f"p4:{word[:4]}"


def _stem(word: str) -> str:
    """Without an English plural."""
    if word.endswith("ies") and len(word) > 5:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _runs(outline: Outline, place: int) -> Iterator[str]:
    words, roles = outline.words, outline.roles
    if place:
        yield f"w<:{words[place - 1]} {words[place]}"
    if place + 1 < len(words):
        yield f"w>:{words[place]} {words[place + 1]}"
    yield f"r=:{'_'.join(roles[max(0, place - 1) : place + 2])}"
    yield f"r>:{'_'.join(roles[place : place + 3])}"
    yield f"r<:{'_'.join(roles[max(0, place - 2) : place + 1])}"
    left, far_left = _at(words, place - 1), _at(words, place - 2)
    right, far_right = _at(words, place + 1), _at(words, place + 2)
    yield f"w=:{left} {right}"
    yield f"w<<:{far_left} {left}"
    yield f"w>>:{right} {far_right}"


def _kinds_beside(outline: Outline, place: int) -> Iterator[str]:
    """The kind of a noun, or the word, with what its neighbours do."""
    word, kind = outline.words[place], outline.kinds[place]
    known = "K" if kind else ""
    left, right = _does(outline, place - 1), _does(outline, place + 1)
    yield f"kr:{kind}|{right}"
    yield f"rk:{left}|{kind}"
    yield f"krr:{known}|{right}|{_does(outline, place + 2)}"
    yield f"rrk:{_does(outline, place - 2)}|{left}|{known}"
    yield f"kkk:{bool(_at(outline.kinds, place - 1, ''))}{known}{bool(_at(outline.kinds, place + 1, ''))}"
    names = (_at(outline.names, place + step)[:1] for step in range(-1, 2))
    yield f"NNN:{'|'.join(names)}"
    yield f"rw:{left}|{word}"
    yield f"wr:{word}|{right}"
    yield f"a^:{outline.shapes[place]}{place == 0}"


def _at(words: Sequence[str], place: int, otherwise: str = "^") -> str:
    return words[place] if 0 <= place < len(words) else otherwise


def _does(outline: Outline, place: int) -> str:
    """What a token says, and else its role."""
    if not 0 <= place < len(outline.words):
        return "^"
    return f"o{outline.told[place]}" if outline.told[place] else outline.roles[place]


def _opinions_beside(outline: Outline, place: int, opinions: Sequence[int]) -> Iterator[str]:
    before = max((there for there in opinions if there < place), default=None)
    after = min((there for there in opinions if there > place), default=None)
    nearest = min((abs(there - place) for there in opinions), default=9)
    yield f"no:{min(nearest, 6)}"
    yield f"kn:{bool(outline.kinds[place])}{min(nearest, 9) // 2}"
    yield f"any:{bool(opinions)}"
    first, last = outline.clause(place, place + 1)
    yield f"co:{min(3, sum(first <= there < last for there in opinions))}"
    for side, there in (("<", before), (">", after)):
        if there is None:
            continue
        between = outline.roles[place + 1 : there] if side == ">" else outline.roles[there + 1 : place]
        yield f"ob{side}{'_'.join(between) if len(between) <= 5 else 'far'}"
        yield f"od{side}{min(len(between), 6)}"


# --- for each target: what is said of it -------------------------------------------------------


def of_targets(outline: Outline, aims: Sequence[Aim], narrow: bool) -> list[list[str]]:
    """Of the targets in order. `narrow` looks no further than the clause of each.

    What is seen beyond the clause has names of its own: who learned from the narrow look alone takes no notice of it.
    """
    placed = [aim for aim in aims if aim.placed]
    taken = frozenset(place for aim in placed for place in range(aim.first, aim.last))
    return [list(_of_target(outline, aim, aims, placed, taken, narrow)) for aim in aims]


def _of_target(
    outline: Outline, aim: Aim, aims: Sequence[Aim], placed: Sequence[Aim], taken: frozenset[int], narrow: bool
) -> Iterator[str]:
    yield "b"
    if aim.ref:
        yield f"ref:{aim.ref}"
    if not aim.placed:
        yield from _of_text(outline, "T")
        return
    yield from (f"t:{outline.words[place]}" for place in range(aim.first, aim.last))
    yield from _window(outline, aim, taken)
    yield from _of_clause(outline, aim)
    yield from _tied(outline, aim)
    yield from _nearest(outline, aim, taken)
    if not narrow:
        yield f"n:{min(len(aims), 4)}"
        yield from _segments(outline, aim, placed)
        yield from _balance(outline, "")


def _window(outline: Outline, aim: Aim, taken: frozenset[int]) -> Iterator[str]:
    words, count = outline.words, len(outline.words)

    def word(place: int) -> str:
        return "^" if not 0 <= place < count else "TARGET" if place in taken else words[place]

    for step in range(1, _FAR + 1):
        left, right = aim.first - step, aim.last + step - 1
        if left >= -1:
            yield f"L{_far(step)}:{word(left)}"
        if right <= count:
            yield f"R{_far(step)}:{word(right)}"
    yield f"L12:{word(aim.first - 2)} {word(aim.first - 1)}"
    yield f"R12:{word(aim.last)} {word(aim.last + 1)}"
    yield f"R123:{word(aim.last)} {word(aim.last + 1)} {word(aim.last + 2)}"


def _of_clause(outline: Outline, aim: Aim) -> Iterator[str]:
    first, last = outline.clause(aim.first, aim.last)
    around = (*range(first, aim.first), *range(aim.last, last))
    for place in around:
        yield from _word(outline, place, "C")
    yield from dict.fromkeys(run for place in around for run in _within(outline.words[place]))
    yield from _said_within(outline, first, last)
    yield f"Cb:{outline.words[first - 1] if first else '^'}"
    yield f"Ca:{outline.words[last] if last < len(outline.words) else '^'}"


@functools.lru_cache(_KEPT)
def _within(word: str) -> tuple[str, ...]:
    """Runs of letters, for words that were never seen. Korean words have their own, in `_word`."""
    if len(word) < _NO_RUNS or not word.isascii():
        return ()
    padded = f" {word} "
    return tuple([f"{_RUN}{padded[place : place + size]}" for size in _RUNS for place in range(len(padded) - size + 1)])


def is_run(name: str) -> bool:
    """Whether this feature is a run of letters."""
    return name.startswith(_RUN)


def _said_within(outline: Outline, first: int, last: int) -> Iterator[str]:
    """What the lexicon sees in a clause."""
    begin, end = outline.begins[first], outline.ends[last - 1]
    praise = blame = 0
    for sighting in outline.sightings:
        if begin <= sighting.begin < end:
            praise += sighting.far == "positive"
            blame += sighting.far == "negative"
            yield f"Cs:{sighting.far}:{sighting.marker}"
    yield f"Cn:{min(praise, 2)}{min(blame, 2)}"
    yield f"Cd:{max(-2, min(2, praise - blame))}"


def _word(outline: Outline, place: int, name: str) -> Iterator[str]:
    word = outline.words[place]
    yield f"{name}:{word}"
    if not word.isascii():
        yield from (f"{name}2:{word[start : start + 2]}" for start in range(len(word) - 1))
    elif len(word) > 5:
        yield f"{name}5:{word[:5]}"
    if outline.denied[place]:
        yield f"{name}!{word}"
    if outline.told[place]:
        yield f"{name}o:{outline.told[place]}"


def _tied(outline: Outline, aim: Aim) -> Iterator[str]:
    tied = list(_held(outline, aim))
    for sighting in tied:
        yield f"tied:{sighting.far}"
        yield f"tied:{sighting.far}:{sighting.basis}:{sighting.marker}"
        yield f"tied:{outline.text[sighting.begin : sighting.end].lower()}"
        yield f"tied:{sighting.far}:{outlines.reach(sighting)}"
    if not tied:
        yield "loose"


def _held(outline: Outline, aim: Aim) -> Iterator[Sighting]:
    begin, end = outline.begins[aim.first], outline.ends[aim.last - 1]
    for sighting in outline.sightings:
        if sighting.term is not None and sighting.term[0] < end and begin < sighting.term[1]:
            yield sighting


def _nearest(outline: Outline, aim: Aim, taken: frozenset[int]) -> Iterator[str]:
    """The opinion words that stand nearest, and what stands between."""
    places = [place for place, told in enumerate(outline.told) if told and not aim.first <= place < aim.last]
    ranked = sorted((min(abs(place - aim.first), abs(place - aim.last + 1)), place) for place in places)
    if not ranked:
        yield "none near"
    for no, (far, place) in enumerate(ranked[:_NEAREST]):
        between = range(place + 1, aim.first) if place < aim.first else range(aim.last, place)
        told = outline.told[place]
        broken = any(outline.breaks[there] for there in between)
        passed = any(there in taken for there in between)
        yield f"near{no}:{told}"
        yield f"near{no}:{told}:{_far(far)}:{'L' if place < aim.first else 'R'}"
        yield f"near{no}:{told}:{broken}:{passed}"


def _segments(outline: Outline, aim: Aim, placed: Sequence[Aim]) -> Iterator[str]:
    """The words from the target before, and up to the next one."""
    before = max((other.last for other in placed if other.last <= aim.first), default=0)
    after = min((other.first for other in placed if other.first >= aim.last), default=len(outline.words))
    for name, bounds in (
        ("P", (max(before, aim.first - _SEGMENT), aim.first)),
        ("N", (aim.last, min(after, aim.last + _SEGMENT))),
    ):
        yield from _segment(outline, bounds, name)


def _segment(outline: Outline, bounds: Bounds, name: str) -> Iterator[str]:
    before = ""
    for place in range(*bounds):
        word = outline.words[place]
        yield f"{name}:{word}"
        if outline.denied[place]:
            yield f"{name}!{word}"
        if outline.told[place]:
            yield f"{name}o:{outline.told[place]}"
        if before:
            yield f"{name}w:{before} {word}"
        before = word


def _balance(outline: Outline, name: str) -> Iterator[str]:
    told = [sighting.far for sighting in outline.sightings]
    praise, blame = told.count("positive"), told.count("negative")
    yield f"{name}pn:{min(praise, 2)}{min(blame, 2)}"
    yield f"{name}bal:{max(-2, min(2, praise - blame))}"
    if any(outline.denied):
        yield f"{name}denied"


def _of_text(outline: Outline, name: str) -> Iterator[str]:
    """For a target without a place: everything there is."""
    for place in range(len(outline.words)):
        yield from _word(outline, place, name)
    for sighting in outline.sightings:
        yield f"{name}s:{sighting.far}:{sighting.marker}"
        yield f"{name}k:{sighting.far}:{sighting.kind}:{sighting.about}"
    yield from _balance(outline, name)


def _far(steps: int) -> str:
    return str(steps) if steps <= 2 else "3" if steps <= 4 else "5" if steps <= 8 else "9"


# --- for the text as a whole: which categories -------------------------------------------------


def marks(outline: Outline) -> list[str]:
    """What the lexicon sees, for the categories of a text. A mark begins with a sign that no n-gram has."""
    found: dict[str, None] = {}
    for sighting in outline.sightings:
        for mark in (
            sighting.kind,
            f"{sighting.kind}/{sighting.about}",
            f"/{sighting.about}",
            f"{sighting.basis}//{sighting.kind}",
        ):
            found[f"\t{mark}"] = None
    return list(found)
