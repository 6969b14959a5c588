"""What every programmed seat shares: one look at a text, kept for the seats that look at it next."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from withstood.agents.programmed.analysis import Analysis, Sighting
from withstood.agents.programmed.english import EnglishReader
from withstood.agents.programmed.korean import KoreanReader
from withstood.agents.programmed.page import Page
from withstood.lexicons.lexicon import LANGUAGES, Lexicon, load
from withstood.lexicons.taxonomy import NONE, Taxonomy

_KEPT, _LONGEST_KEPT = 64, 20_000


class Sight:
    """Reads texts in the languages that have a lexicon, and knows which ref a sighting comes to.

    Construction reads the data files; after that it is pure computation, and the same text gives the same analysis.
    """

    def __init__(self, extra: Path | None = None, taxonomy: str | None = None) -> None:
        lexicons = {language: load(language, extra, taxonomy) for language in LANGUAGES}
        english = EnglishReader(lexicons["en"])
        readers: Mapping[str, Callable[[str], Analysis]] = {
            "ko": KoreanReader(lexicons["ko"]).read,
            "en": english.read,
        }
        self._read = readers
        self._lexicons, self._english = lexicons, english
        self._particles = {
            language: tuple(sorted(lexicon.words.particles, key=lambda one: (-len(one), one)))
            for language, lexicon in lexicons.items()
        }
        self._kept = {language: functools.lru_cache(_KEPT)(read) for language, read in readers.items()}
        self._table = functools.lru_cache(_KEPT)(functools.partial(_table, lexicons))

    def look(self, text: str, language: str) -> Analysis | None:
        """What is in the text; None where the language has no reader."""
        readers = self._kept if len(text) <= _LONGEST_KEPT else self._read
        read = readers.get(language)
        return read(text) if read else None

    def page(self, text: str, language: str) -> Page | None:
        """The text laid out in tokens with their roles; None where the language has no such reader."""
        return self._english.lay_out(text)[0] if language == "en" else None

    def kinds(self, language: str) -> Mapping[str, str]:
        """Kind of aspect by the noun that names it."""
        lexicon = self._lexicons.get(language)
        return lexicon.aspects if lexicon else {}

    def particles(self, language: str) -> tuple[str, ...]:
        """What may stand at the end of a noun, the longest first."""
        return self._particles.get(language, ())

    def ref(self, sighting: Sighting, language: str, refs: tuple[str, ...]) -> str | None:
        """The ref that this sighting comes to, out of those allowed; None where there is none."""
        return self._table(language, refs).ref(sighting)


class _Table:
    """The taxonomy that a list of refs belongs to. A list that no taxonomy has is matched by the names in its refs."""

    def __init__(self, taxonomy: Taxonomy | None, refs: tuple[str, ...]) -> None:
        self._taxonomy, self._refs = taxonomy, frozenset(refs)
        self._by_name = {name.strip().lower(): ref for ref in reversed(refs) for name in (*ref.split("#"), ref)}
        self._found: dict[tuple[str, str], str | None] = {}

    def ref(self, sighting: Sighting) -> str | None:
        key = (sighting.kind, sighting.about)
        if key not in self._found:
            self._found[key] = self._resolve(*key)
        return self._found[key]

    def _resolve(self, kind: str, about: str) -> str | None:
        if self._taxonomy is not None:
            for row in (kind, NONE):
                if (found := self._taxonomy.ref(row, about)) in self._refs:
                    return found
        names = (f"{kind}#{about}", kind, about) if kind != NONE else (about,)
        return next((self._by_name[name] for name in names if name in self._by_name), None)


def _table(lexicons: Mapping[str, Lexicon], language: str, refs: tuple[str, ...]) -> _Table:
    shared = [(len(set(refs) & set(taxonomy.refs)), taxonomy) for taxonomy in lexicons[language].taxonomies]
    most, nearest = max(shared, key=lambda row: row[0], default=(0, None))
    return _Table(nearest if most else None, refs)
