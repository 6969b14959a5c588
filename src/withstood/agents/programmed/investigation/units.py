"""The functions of a file: where each begins and ends, what it is called and what it takes.

| files | found by |
|---|---|
| Python | the syntax tree of the standard library; by indentation where a file does not parse |
| Java, JavaScript, TypeScript, Go | the grammars of the extra `code`; by braces where it is not installed |
| other languages with braces | by braces |
| Ruby | by indentation |
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation import grammars

LANGUAGES = {
    "py": "python", "pyi": "python", "java": "java", "kt": "kotlin", "scala": "scala", "groovy": "groovy",
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "ts": "typescript",
    "tsx": "typescript", "go": "go", "cs": "csharp", "rb": "ruby", "php": "php", "rs": "rust", "swift": "swift",
    "c": "c", "h": "c", "cc": "c", "cpp": "c", "hpp": "c",
}  # fmt: skip
_DEF = re.compile(r"(?P<indent>\s*)(?:async\s+)?def\s+(?:self\.)?(?P<name>\w+[?!]?)\s*\(?(?P<params>[^)]*)")
_BRACED = re.compile(
    r"^\s*(?:(?:export|default|public|private|protected|internal|static|final|async|override|suspend|open|virtual|"
    r"synchronized|abstract|inline|unsafe|pub(?:\([^)]*\))?)\s+)*"
    r"(?:(?:func|fun|fn|function\*?)\s+(?:\([^)]*\)\s*)?(?P<named>\w+)|"
    r"(?:const|let|var)\s+(?P<bound>\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)|"
    r"(?:[\w<>\[\],.?&*:]+\s+){0,3}(?P<method>\w+))\s*(?:<[^>]*>)?\s*\((?P<params>[^)]*)\)?"
)
_NO_NAMES = frozenset("if for while switch catch return new else do try synchronized using with function await".split())
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Unit:
    """One function or method, its first and last line from 1. `owner` is the class that it stands in."""

    name: str
    first: int
    last: int
    params: tuple[str, ...] = ()
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A file of code with its functions, in the order of their first lines."""

    path: str
    language: str
    lines: tuple[str, ...]
    units: tuple[Unit, ...]
    tree: ast.Module | None = None

    def line(self, no: int) -> str:
        return self.lines[no - 1] if 1 <= no <= len(self.lines) else ""

    def unit_at(self, no: int) -> Unit | None:
        """The innermost function around a line."""
        around = [unit for unit in self.units if unit.first <= no <= unit.last]
        return max(around, key=lambda unit: unit.first, default=None)

    def named(self, name: str) -> list[Unit]:
        return [unit for unit in self.units if unit.name == name]

    def body(self, unit: Unit) -> Iterator[tuple[int, str]]:
        """The lines of a function with their numbers."""
        for no in range(unit.first, min(unit.last, len(self.lines)) + 1):
            yield no, self.lines[no - 1]


def language(path: str) -> str:
    return LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def page(path: str, lines: Sequence[str]) -> Page:
    spoken = language(path)
    if spoken == "python":
        return _python(path, tuple(lines))
    if spoken == "ruby":
        return Page(path, spoken, tuple(lines), tuple(_indented(lines)))
    spans = grammars.spans(spoken, "\n".join(lines))
    found = _braced(lines) if spans is None else [_unit(span, spoken) for span in spans]
    return Page(path, spoken, tuple(lines), tuple(found))


def _unit(span: grammars.Span, language: str) -> Unit:
    return Unit(span.name, span.first, span.last, names(span.params, 0 if language == "go" else -1), span.owner)


def names(params: str, which: int = -1) -> tuple[str, ...]:
    """The names in a list of parameters, without types and defaults: the last word of each; Go's is the first."""
    found: list[str] = []
    for part in params.strip("()").split(","):
        bare = re.split(r"[:=]", part, maxsplit=1)[0]
        if words := _WORD.findall(bare):
            found.append(words[which])
    return tuple(found)


# --- Python ------------------------------------------------------------------------------------


def _python(path: str, lines: tuple[str, ...]) -> Page:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Page(path, "python", lines, tuple(_indented(lines)))
    return Page(path, "python", lines, tuple(_defined(tree, "")), tree)


def _defined(node: ast.AST, owner: str) -> Iterator[Unit]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            taken = [*child.args.posonlyargs, *child.args.args, *child.args.kwonlyargs]
            params = tuple(one.arg for one in taken)
            yield Unit(child.name, child.lineno, child.end_lineno or child.lineno, params, owner)
            yield from _defined(child, owner)
        elif isinstance(child, ast.ClassDef):
            yield from _defined(child, child.name)
        elif isinstance(child, ast.stmt):
            yield from _defined(child, owner)


def _indented(lines: Sequence[str]) -> Iterator[Unit]:
    for no, line in enumerate(lines, start=1):
        if found := _DEF.match(line):
            depth = len(found["indent"])
            last = no
            for later in range(no, len(lines)):
                text = lines[later]
                if text.strip() and len(text) - len(text.lstrip()) <= depth:
                    last = later + (text.strip() == "end")
                    break
                last = later + 1
            yield Unit(found["name"], no, last, names(found["params"]))


# --- braces ------------------------------------------------------------------------------------


def _braced(lines: Sequence[str]) -> list[Unit]:
    found: list[Unit] = []
    for no, line in enumerate(lines, start=1):
        head = _BRACED.match(line)
        name = head and (head["named"] or head["bound"] or head["method"])
        if head and name and name not in _NO_NAMES and (last := _closing(lines, no)):
            found.append(Unit(name, no, last, names(head["params"])))
    return found


def _closing(lines: Sequence[str], first: int) -> int | None:
    """The line of the brace that closes what is opened at a line or the two below it; None where nothing is."""
    depth = 0
    for no in range(first, len(lines) + 1):
        bare = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|//.*", "", lines[no - 1])
        for sign in bare:
            depth += (sign == "{") - (sign == "}")
            if sign == "}" and depth == 0:
                return no
        if depth == 0 and (no - first >= 2 or bare.rstrip().endswith(";")):
            return None
    return None
