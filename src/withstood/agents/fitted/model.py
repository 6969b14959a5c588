"""A fitted reader as a file: plain JSON of whole numbers and texts. Reading one runs nothing that stands in it.

The file is checked as a whole before any of it is used: what it is, its edition, its hash, and that every weight
belongs to a label that there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from withstood import form
from withstood.agents.fitted.catalogue import Catalogue
from withstood.agents.fitted.chain import Chain
from withstood.agents.fitted.features import EDITION
from withstood.errors import ConfigError, Misfit

FORMAT = "withstood-reader"
MOST_BYTES = 256 * 2**20
_AGAIN = "Fit it again: withstood sentiment fit DATA -o FILE"


@dataclass(frozen=True, slots=True)
class Parts:
    """What was learned. `terms` marks tokens of terms, `opinions` those of opinion words; `whole` and `narrow` tell the
    polarity of targets, from the text and from the clause; `refs` are the categories of a text, `ref_of` that of a
    term. None is what the rows did not know."""

    terms: Chain | None
    opinions: Chain | None
    whole: Chain
    narrow: Chain
    refs: Catalogue | None
    ref_of: Chain | None


@dataclass(frozen=True, slots=True)
class About:
    """Where a model comes from: the file it was fitted on by its hash, and how many texts of it."""

    data: str
    sha256: str
    texts: int
    labels: int
    taxonomy: str | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """`hash` is that of the parts: it stands in the name of every seat that reads by them."""

    about: About
    parts: Parts
    hash: str

    @property
    def short(self) -> str:
        return self.hash[:12]


@dataclass(frozen=True, slots=True)
class _File:
    format: str
    edition: int
    about: About
    sha256: str
    parts: Parts


def made(about: About, parts: Parts) -> Model:
    return Model(about, parts, form.digest(form.dumps(parts)))


def written(model: Model) -> str:
    return form.dumps(_File(FORMAT, EDITION, model.about, model.hash, model.parts)) + "\n"


def load(path: Path) -> Model:
    """The model of a file; a `ConfigError` says what is wrong with it."""
    found = form_of(path)
    try:
        file = form.read(_File, found)
        _check(file.parts)
    except Misfit as fault:
        raise ConfigError(f"{path}: at {fault.at}: wanted {fault.wanted}, found {fault.found}. {_AGAIN}") from None
    model = made(file.about, file.parts)
    if model.hash != file.sha256:
        raise ConfigError(
            f"{path}: wanted the parts whose hash is {file.sha256[:12]}, found others: the file is damaged or was "
            f"changed by hand. {_AGAIN}"
        )
    return model


def form_of(path: Path) -> Mapping[str, form.Json]:
    """The JSON of the file, once it is sure to be a model of this edition."""
    value = _json(path)
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise ConfigError(f"{path}: wanted a fitted reader, found {form.shown(value)}. {_AGAIN}")
    if value.get("edition") != EDITION:
        raise ConfigError(
            f"{path}: wanted a reader of edition {EDITION}, found {form.shown(value.get('edition'))}: another version "
            f"of withstood made it. {_AGAIN}"
        )
    return value


def _json(path: Path) -> form.Json:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{path}: wanted at most {MOST_BYTES // 2**20} MiB, found more. {_AGAIN}")
        return form.loads(path.read_bytes())
    except OSError as fault:
        raise ConfigError(
            f"{path}: wanted a fitted reader, found: {fault.strerror}. Name the file that `sentiment fit` wrote."
        ) from None
    except (Misfit, UnicodeDecodeError):
        raise ConfigError(f"{path}: wanted JSON of a fitted reader, found a damaged file. {_AGAIN}") from None


# --- that every number has its place -----------------------------------------------------------


def _check(parts: Parts) -> None:
    for name, chain in (
        ("terms", parts.terms),
        ("opinions", parts.opinions),
        ("whole", parts.whole),
        ("narrow", parts.narrow),
        ("ref_of", parts.ref_of),
    ):
        if chain is not None:
            _check_chain(chain, f"parts.{name}")
    if parts.refs is not None:
        _check_catalogue(parts.refs, "parts.refs")


def _check_chain(chain: Chain, at: str) -> None:
    count = len(chain.labels)
    if not count or len(set(chain.labels)) < count:
        raise Misfit(f"{at}.labels", "labels, each once", form.shown(chain.labels))
    if [len(row) for row in chain.transitions] != [count] * count:
        raise Misfit(f"{at}.transitions", f"{count} rows of {count}", f"{len(chain.transitions)} rows")
    _check_weights(chain.weights, 0, count, at)


def _check_catalogue(catalogue: Catalogue, at: str) -> None:
    if not catalogue.refs or len(catalogue.bias) != len(catalogue.refs):
        raise Misfit(f"{at}.bias", f"{len(catalogue.refs)} numbers", str(len(catalogue.bias)))
    _check_weights(catalogue.weights, 1, len(catalogue.refs), at)


def _check_weights(weights: Mapping[str, Sequence[int]], first: int, count: int, at: str) -> None:
    for feature, found in weights.items():
        whole = len(found) >= first and (len(found) - first) % 2 == 0
        if not whole or not _are_places(found[first::2], count) or not _are_small(found):
            raise Misfit(f"{at}.weights.{feature}", f"pairs of a number under {count} and a weight", form.shown(found))


def _are_places(numbers: Iterable[int], count: int) -> bool:
    return all(0 <= number < count for number in numbers)


MOST_WEIGHT = 10**9


def _are_small(numbers: Iterable[int]) -> bool:
    return all(-MOST_WEIGHT <= number <= MOST_WEIGHT for number in numbers)
