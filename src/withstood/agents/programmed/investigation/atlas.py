"""The repository as a map: what kind each file is, where a name is defined, who calls it, which file a frame means."""

from __future__ import annotations

import functools
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from withstood.agents.programmed.investigation import units
from withstood.agents.programmed.investigation.units import Page, Unit
from withstood.agents.programmed.investigation.wording import addressed, stems
from withstood.sources.words import Words
from withstood.sources.workspace import Workspace

Kind: TypeAlias = Literal["code", "config", "pins", "migration", "infra", "document", "test", "other"]

_TEST = re.compile(r"(?:^|/)(?:tests?|spec|specs|__tests__|testdata|fixtures|mocks?)/|(?:^|/)(?:test_[^/]*|conftest)\.py$|[^/]*(?:_test|\.test|\.spec|Test|Tests|Spec)\.\w+$")  # fmt: skip
_MIGRATION = re.compile(r"(?:^|/)(?:migrations?|alembic/versions|db/migrate|flyway|liquibase|schema)/|(?:^|/)V\d+__|\.sql$", re.IGNORECASE)  # fmt: skip
_PINS = re.compile(
    r"(?:^|/)(?:requirements[^/]*\.(?:txt|in)|constraints[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|package\.json|"
    r"go\.mod|pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|Gemfile|composer\.json|Cargo\.toml|[^/]+\.csproj)$"
)
_LOCKS = re.compile(r"(?:^|/)(?:[^/]*-lock\.(?:json|yaml)|[^/]+\.lock|go\.sum)$")
_INFRA = re.compile(
    r"(?:^|/)(?:Dockerfile[^/]*|docker-compose[^/]*|compose\.ya?ml|Procfile|Jenkinsfile|Makefile|[^/]+\.tf|[^/]+\.service)$|"
    r"(?:^|/)(?:k8s|kubernetes|helm|charts|terraform|ansible|\.github|\.circleci|infra)/|\.(?:sh|bash|service|conf)$"
)
_CONFIG = re.compile(r"\.(?:toml|ya?ml|json|ini|cfg|conf|properties|env|env\.\w+|example|sample|template|dist|xml)$|(?:^|/)\.env")  # fmt: skip
_DOCUMENT = re.compile(r"\.(?:md|rst|txt|adoc|html?)$", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,60}")
_DEFINED = re.compile(
    r"\b(?:def|func|fun|fn|function|class|interface|struct|trait|record|enum|type)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w*)|"
    r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)|"
    r"^[ \t]+(?:[\w<>\[\],.?&*@]+[ \t]+){0,5}(\w+)[ \t]*\([^;\n]*$|^([A-Z][A-Z0-9_]+)\s*[:=]",
    re.MULTILINE,
)
MOST_PAGES = 600
MOST_CALLERS = 40


@dataclass(frozen=True, slots=True)
class Spot:
    """One line of a file of the repository."""

    path: str
    line: int


class Atlas:
    """Reads what it is asked for, and one pass over everything for who says which word."""

    def __init__(self, space: Workspace) -> None:
        self._space = space
        self._pages: OrderedDict[str, Page | None] = OrderedDict()
        self._words: Words | None = None
        self._by_name: dict[str, list[str]] | None = None

    def paths(self) -> Sequence[str]:
        return [file.path for file in self._space.files()]

    def page(self, path: str) -> Page | None:
        if path in self._pages:
            self._pages.move_to_end(path)
            return self._pages[path]
        text = self._space.text(path)
        found = units.page(path, text.lines) if text else None
        self._pages[path] = found
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return found

    def line(self, spot: Spot) -> str:
        page = self.page(spot.path)
        return page.line(spot.line) if page else ""

    # --- who says what ---

    def words(self) -> Words:
        if self._words is None:
            self._words = self._space.words(_told)
        return self._words

    def files_with(self, word: str) -> list[str]:
        return self.words().files_with(word)

    def lines_with(self, word: str, *, most: int = 200) -> Iterator[Spot]:
        """Every line in which an identifier stands as a whole word."""
        wanted = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        told = 0
        for path in self.files_with(word):
            page = self.page(path)
            for no, line in enumerate(page.lines if page else (), start=1):
                if word in line and wanted.search(line):
                    yield Spot(path, no)
                    told += 1
                    if told >= most:
                        return

    def definitions(self, name: str, near: str = "") -> list[tuple[Page, Unit]]:
        """The functions of this name, those near a path first."""
        found: list[tuple[Page, Unit]] = []
        for path in self.files_with(f"def {name}"):
            if page := self.page(path):
                found += [(page, unit) for unit in page.named(name)]
        return sorted(found, key=lambda one: (kind(one[0].path) == "test", _apart(one[0].path, near), one[0].path))

    def callers(self, name: str, *, near: str = "") -> list[Spot]:
        """Lines that call a function of this name; tests last."""
        call = re.compile(rf"(?<!\w){re.escape(name)}\s*\(")
        found = [
            spot for spot in self.lines_with(name) if call.search(self.line(spot)) and not self._defines(spot, name)
        ]
        found.sort(key=lambda spot: (kind(spot.path) == "test", _apart(spot.path, near), spot.path, spot.line))
        return found[:MOST_CALLERS]

    def _defines(self, spot: Spot, name: str) -> bool:
        page = self.page(spot.path)
        return page is not None and any(unit.first == spot.line for unit in page.named(name))

    def with_stem(self, name: str) -> list[str]:
        """Files of code that are called as a class or a module is."""
        low = name.lower().replace("_", "")
        return [path for path in self._of_stem.get(low, ()) if kind(path) == "code"][:4]

    @functools.cached_property
    def _of_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.paths():
            stem = path.rpartition("/")[2].partition(".")[0]
            found.setdefault(stem.lower().replace("_", ""), []).append(path)
        return found

    # --- what a frame means ---

    def resolve(self, path: str, name: str = "") -> str | None:
        """The file that a frame of another machine means: the one with which its path ends furthest."""
        steps = path.replace("\\", "/").strip("/").split("/")
        if self._by_name is None:
            self._by_name = {}
            for one in self.paths():
                self._by_name.setdefault(one.rpartition("/")[2], []).append(one)
        candidates = self._by_name.get(steps[-1], [])
        if len(steps) == 1 and "." in name:
            steps = [*name.split(".")[:-2], *steps]
        ranked = sorted(candidates, key=lambda one: (-_common(one.split("/"), steps), one))
        if not ranked:
            return None
        shared = _common(ranked[0].split("/"), steps)
        whole = shared == len(ranked[0].split("/")) or shared >= 2
        return ranked[0] if whole or (len(steps) == 1 and len(ranked) == 1) else None


@functools.lru_cache(maxsize=1 << 16)
def kind(path: str) -> Kind:
    """What a file is, by its name."""
    if _TEST.search(path):
        return "test"
    if _PINS.search(path):
        return "pins"
    if _LOCKS.search(path):
        return "other"
    if _MIGRATION.search(path):
        return "migration"
    if _INFRA.search(path):
        return "infra"
    if units.language(path):
        return "code"
    if _CONFIG.search(path):
        return "config"
    return "document" if _DOCUMENT.search(path) else "other"


def _told(text: str) -> set[str]:
    if addressed(text):
        text = "\n".join(line for line in text.split("\n") if not addressed(line))
    found = set(_IDENTIFIER.findall(text))
    for names in _DEFINED.findall(text):
        found.add(f"def {next(filter(None, names), '')}")
    return found | stems(text)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many steps two paths share from their ends."""
    shared = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        shared += 1
    return shared


def _apart(path: str, near: str) -> int:
    """How many steps of the folder of `near` are not those of a path."""
    if path == near:
        return -1
    folders, others = path.split("/")[:-1], near.split("/")[:-1]
    shared = 0
    for left, right in zip(folders, others, strict=False):
        if left != right:
            break
        shared += 1
    return len(folders) + len(others) - 2 * shared
