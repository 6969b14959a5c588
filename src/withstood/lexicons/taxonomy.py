"""Taxonomies: the refs that may be used, and which ref a kind of aspect and a kind of opinion come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from withstood.errors import ConfigError
from withstood.lexicons import files

Table = dict[str, dict[str, str]]

ANY, NONE, OTHER = "any", "none", "other"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """`refs` in their order; `also` are other spellings that are taken.

    `aspects` says, for a kind of aspect, which ref an opinion about something comes to; `any` stands for whatever else.
    The kind `none` is for opinions that name no target, `other` for targets that the lexicon does not know.
    """

    language: Literal["ko", "en"]
    refs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    aspects: Table = field(default_factory=Table)

    def ref(self, kind: str, about: str) -> str | None:
        """The ref of an opinion about something on an aspect of this kind; None where the table has none."""
        for row in (self.aspects.get(kind), self.aspects.get(OTHER) if kind != NONE else None):
            if row is not None and (found := row.get(about) or row.get(ANY)):
                return found
        return None


def taxonomies(extra: Path | None = None) -> tuple[str, ...]:
    """The names of the taxonomies there are: ours, and those of the user's directory."""
    places = [files.OURS] if extra is None else [files.OURS, extra]
    return tuple(sorted({path.stem for place in places for path in (place / "taxonomies").glob("*.toml")}))


def find(name: str, extra: Path | None) -> Taxonomy:
    """The taxonomy of this name or at this path; a `ConfigError` names those there are."""
    if name in taxonomies(extra):
        return _one(files.stack(f"taxonomies/{name}.toml", Taxonomy, extra), name)
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return _checked(files.read(path, Taxonomy)[0], name)
    raise ConfigError(
        f"wanted one of the taxonomies {', '.join(taxonomies(extra))}, or the path of a TOML file; found {name}."
    )


def taxonomies_of(language: str, extra: Path | None, taxonomy: str | None = None) -> tuple[Taxonomy, ...]:
    """Every taxonomy of a language, the one at a given path first."""
    names = [*([taxonomy] if taxonomy else []), *taxonomies(extra)]
    return tuple(found for found in (find(name, extra) for name in names) if found.language == language)


def _one(parts: tuple[Taxonomy, ...], name: str) -> Taxonomy:
    first, last = parts[0], parts[-1]
    if first is last:
        return _checked(first, name)
    rows = {kind: {**first.aspects.get(kind, {}), **last.aspects.get(kind, {})} for kind in _kinds(first, last)}
    joined = Taxonomy(last.language, _union(first.refs, last.refs), _union(first.also, last.also), rows)
    return _checked(joined, name)


def _kinds(first: Taxonomy, last: Taxonomy) -> Iterator[str]:
    yield from dict.fromkeys([*first.aspects, *last.aspects])


def _union(first: tuple[str, ...], last: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *last]))


def _checked(found: Taxonomy, name: str) -> Taxonomy:
    if not found.refs:
        raise ConfigError(f"taxonomy {name}: at refs: wanted at least one ref, found none. List the refs that it has.")
    for kind, row in found.aspects.items():
        for about, ref in row.items():
            if ref not in found.refs:
                raise ConfigError(
                    f"taxonomy {name}: at aspects.{kind}.{about}: wanted one of its own refs, found {ref}. "
                    "Add it to refs, or correct it."
                )
    return found
