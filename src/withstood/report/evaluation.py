"""What an evaluation came to: the same figures as sections, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from withstood.measures import agreement, bootstrap, change, debating
from withstood.measures.baselines import CONSTANT, CONSTANT_POLARITY, MAJORITY, Constant
from withstood.measures.normal import POLARITIES
from withstood.measures.rates import MARKS
from withstood.measures.sample import FINAL, STAGE1
from withstood.measures.selection import Known
from withstood.measures.sheet import Figures
from withstood.report.sections import Cell, Gap, Report, Section, data

KINDS: Mapping[str, str] = {
    "ref-pol": "Category and polarity (ref-pol, ACSA)",
    "ote-pol": "Term and polarity, implicit gold matches any term (ote-pol, ATSA)",
    "attr-pol": "Attribute and polarity (attr-pol)",
    "term-pol": "Term and polarity, by words (term-pol)",
    "place-pol": "Term and polarity, by place (place-pol)",
    "ref-term-pol": "Category, term and polarity (ref-term-pol)",
    "triplet": "Term, opinion and polarity (triplet)",
    "quad": "Category, term, opinion and polarity (quad)",
    "ref": "Category alone (ref)",
    "term": "Term alone (term)",
}
RATES = (
    "conflict detection rate",
    "review action rate",
    "arbiter intervention rate",
    "arbiter change rate",
    *MARKS,
)
OF_SYSTEMS = ("polarity conflict rate", "ref fill", "ref valid", "ref coverage", "implicit invalid rate")
ONLY = ("ref-pol explicit-only", "ote-pol explicit-only", "implicit-only")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What of gold and texts did not come together: what, how many, the first of them. It is a fault where somebody
    should mend it; labels of more or of fewer texts are none."""

    what: str
    count: int
    first: tuple[str, ...]
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Evaluated:
    """`cautions` are those of the debate; `insane` the checks of ourselves that failed, None where none were wanted."""

    source: str
    gold: str | None
    against: str | None
    samples: int
    known: Known
    figures: Figures
    constant: Constant | None
    mismatches: tuple[Mismatch, ...]
    cautions: tuple[debating.Caution, ...]
    resamples: int
    insane: tuple[str, ...] | None = None


def report(found: Evaluated) -> Report:
    return Report("evaluation", _headline(found), tuple(_sections(found)), _notes(found), _data(found))


def _headline(found: Evaluated) -> str:
    beside = f" against {found.gold}" if found.gold else " without gold"
    return f"{found.source}{beside}: {found.samples:,} texts"


def _notes(found: Evaluated) -> tuple[str, ...]:
    """What a reader of the figures should know: what was left out, and whether our own checks held."""
    if found.insane is None:
        return told(found.mismatches)
    checks = [f"sanity: {fault}" for fault in found.insane]
    sane = "sanity: gold against gold is 1, and no system is better than itself."
    return (*told(found.mismatches), *(checks or [sane]))


def told(mismatches: Iterable[Mismatch]) -> tuple[str, ...]:
    return tuple([f"{one.count:,} {one.what}: {'; '.join(one.first)}{_more(one)}" for one in mismatches])


def _more(one: Mismatch) -> str:
    more = one.count - len(one.first)
    return f"; and {more:,} more" if more > 0 else ""


def _sections(found: Evaluated) -> Iterator[Section]:
    for kind in found.known.kinds:
        yield _of_kind(found, kind)
    if found.known.primary is not None:
        yield from _closer(found, found.known.primary)
        yield _polarity(found)
        yield _fates(found, found.known.primary)
    yield _rates(found)
    yield _agreement(found)
    yield _debate(found)


def _of_kind(found: Evaluated, kind: str) -> Section:
    rows = [
        (
            _named(found, system),
            *(found.figures.point(f"{kind} {name}", system) for name in ("precision", "recall")),
            found.figures.figure(f"{kind} micro", system),
            found.figures.point(f"{kind} macro", system),
            _better(found, f"{kind} micro", system),
        )
        for system in found.known.systems_of(kind)
    ]
    columns = ("", "precision", "recall", "F1 (micro)", "F1 (macro)", "final is better by")
    return Section(KINDS[kind], columns, tuple(rows))


def _better(found: Evaluated, name: str, system: str) -> Cell:
    return None if system == FINAL else Gap(found.figures.difference(name, FINAL, system))


def _named(found: Evaluated, system: str) -> str:
    """A system as it is called in tables; a constant says what it is."""
    guess = found.constant
    if guess is not None and system == CONSTANT:
        return f"{CONSTANT}: {guess.ref}, {guess.ref_polarity}"
    if guess is not None and system == CONSTANT_POLARITY:
        return f"constant guess: {guess.polarity}"
    return f"{system}, alone" if system not in (FINAL, STAGE1, MAJORITY, found.against) else system


def _closer(found: Evaluated, kind: str) -> Iterator[Section]:
    columns = ("", "texts", "final", "stage 1", "final is better by")
    subsets = [
        (subset, _count(found, "samples", subset), *_both(found, f"{kind} micro", subset))
        for subset in found.known.subsets
    ]
    yield Section(f"On some of the texts ({kind}, F1 micro)", columns, tuple(subsets))
    polarities = [(one, *_both(found, f"{kind} {one}")) for one in POLARITIES]
    yield Section(f"By polarity ({kind}, F1 micro)", ("", *columns[2:]), tuple(polarities))
    if "terms" in found.known.knowledge:
        kinds = [one for one in ONLY if found.figures.has(f"{one} micro", FINAL)]
        names = [f"{one} {average}" for one in kinds for average in ("micro", "macro")]
        only = [(name, *_both(found, name)) for name in names]
        yield Section("Explicit and implicit targets (F1)", ("", *columns[2:]), tuple(only))


def _both(found: Evaluated, name: str, on: str = "all") -> tuple[Cell, ...]:
    gap = found.figures.difference(name, FINAL, STAGE1, on)
    return found.figures.figure(name, FINAL, on), found.figures.figure(name, STAGE1, on), Gap(gap)


def _count(found: Evaluated, name: str, on: str = "all") -> int | None:
    value = found.figures.point(name, FINAL, on).value
    return None if value is None else int(value)


def _polarity(found: Evaluated) -> Section:
    rows = [
        (
            _named(found, system),
            found.figures.figure("polarity accuracy", system),
            _better(found, "polarity accuracy", system),
            found.figures.figure("polarity macro-F1", system),
            found.figures.point("targets found", system),
        )
        for system in (*found.known.systems, CONSTANT_POLARITY)
    ]
    columns = ("", "accuracy", "final is better by", "macro-F1", "targets found")
    return Section("Polarity of the gold targets", columns, tuple(rows))


def _fates(found: Evaluated, kind: str) -> Section:
    counts: list[tuple[Cell, ...]] = [(one, _count(found, one)) for one in change.FATES]
    names = ("fix rate", "break rate", "net gain", "CDA")
    rates: list[tuple[Cell, ...]] = [(one, found.figures.figure(one, FINAL)) for one in names]
    how = f"A text is right where its {kind} pairs are exactly those of the gold."
    return Section("From stage 1 to final", ("", "value"), (*counts, *rates), how)


def _rates(found: Evaluated) -> Section:
    rows: list[tuple[Cell, ...]] = [
        (one, found.figures.figure(one, STAGE1 if one in MARKS else FINAL), None) for one in RATES
    ]
    rows.append(("opinions or label changed", found.figures.figure("changed", FINAL), None))
    rows += [
        (one, *(found.figures.figure(one, of) if found.figures.has(one, of) else None for of in (FINAL, STAGE1)))
        for one in OF_SYSTEMS
    ]
    return Section("Rates", ("", "final", "stage 1"), tuple(rows))


def _agreement(found: Evaluated) -> Section:
    names = ("cohen", "fleiss", "perfect", "majority", "none")
    rows: list[tuple[Cell, ...]] = [
        (labels, *(found.figures.figure(f"{name} ({labels})", FINAL) for name in names), None)
        for labels in agreement.LABELLINGS
    ]
    rows.append(("AAR", *[None] * len(names), found.figures.figure("AAR", FINAL)))
    how = (
        "Between the three reviewers of this run, not between runs; texts that were reviewed by all three. "
        "As published, a FLAG is measured as a DROP although the tuple is kept."
    )
    return Section("Agreement of the reviewers", ("", *names, "two alike"), tuple(rows), how)


def _debate(found: Evaluated) -> Section:
    said = {one.measure: f"{one.level}: {one.tip}" for one in found.cautions}
    if found.figures.point("coverage", FINAL).value is None:
        return Section("Debate", ("",), ())
    rows = [(one.name, found.figures.figure(one.name, FINAL), said.get(one.name)) for one in debating.measures()]
    return Section("Debate", ("", "value", "caution"), tuple(rows))


# --- as data -----------------------------------------------------------------------------------


def _data(found: Evaluated) -> Mapping[str, Any]:
    """Everything, for other programs."""
    return {
        "source": found.source,
        "gold": found.gold,
        "against": found.against,
        "samples": found.samples,
        "primary": found.known.primary,
        "interval": {"covered": bootstrap.COVERED, "resamples": found.resamples, "seed": bootstrap.SEED},
        "constant": found.constant,
        "figures": [
            {"measure": name, "of": of, "on": on, **data(found.figures.figure(name, of, on))}
            for name, of, on in found.figures.keys
        ],
        "differences": list(_differences(found)),
        "mismatches": found.mismatches,
        "cautions": found.cautions,
        "sanity": None if found.insane is None else {"failed": list(found.insane)},
    }


def _differences(found: Evaluated) -> Iterator[Mapping[str, Any]]:
    """Final against every other system of the same measure."""
    for name, of, on in found.figures.keys:
        if of != FINAL and found.figures.has(name, FINAL, on):
            gap = found.figures.difference(name, FINAL, of, on)
            yield {"measure": name, "of": FINAL, "against": of, "on": on, **data(gap), "sure": gap.sure}
