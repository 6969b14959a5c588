"""What a file of code defines: functions, methods and classes, by the syntax tree for Python, by its lines for others.

| language | read by |
|---|---|
| Python | its syntax tree; by its lines where it does not parse |
| Java, Kotlin, Scala, C#, JavaScript, TypeScript, Go, Rust, Ruby, PHP, C, C++, Swift, shell | its lines |

Reading by lines finds what is defined in the usual way of writing, and may miss the rest.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """`name` is the last part of it, `line` where its definition begins."""

    name: str
    kind: str
    line: int


MOST_LINE = 400
_MODIFIERS = "|".join(
    "export default pub public private protected internal open override static inline suspend unsafe local abstract "
    "final sealed data partial case async synchronized virtual native get set".split()
)
_BEFORE = rf"(?:(?:{_MODIFIERS})(?:\([a-z]+\))?[ ]+){{0,6}}"
_NAME = r"(?P<name>[A-Za-z_$][\w$]{0,100})"
_ENDS = r"[ ]?\([^;]{0,300}\{?[ \t]*$"

_FUNCTION = (
    rf"[ \t]*{_BEFORE}(?P<kind>function|func|fun|fn|def|sub)[ *]+(?:\([^)]{{0,200}}\)[ ]*)?(?:self\.)?{_NAME}[?!]?"
)
_TYPE = (
    rf"[ \t]*{_BEFORE}(?P<kind>class|interface|enum|struct|trait|record|object|module|protocol|impl|type)[ ]+{_NAME}"
)
_METHOD = rf"[ \t]+(?:@[\w.]{{1,60}}[ ]+)?{_BEFORE}(?:[\w.<>\[\],?]{{1,120}}[ ]+){{1,2}}{_NAME}{_ENDS}"
_SHORT = rf"[ \t]+{_BEFORE}{_NAME}\([^()]{{0,200}}\)[ ]*(?::[^{{]{{1,80}})?\{{[ \t]*$"
_ARROW = (
    rf"[ \t]*(?:export[ ]+)?(?:const|let|var)[ ]+{_NAME}[ ]*(?::[^=]{{1,80}})?=[ ]*(?:async[ ]*)?"
    r"(?:function\b|\([^)]{0,200}\)[^=]{0,60}=>|[\w$]{1,100}[ ]*=>)"
)
_OF_C = rf"[A-Za-z_][\w*&:<> ]{{0,160}}[ *&]{_NAME}{_ENDS}"
_OF_SHELL = rf"[ \t]*{_NAME}[ ]?\(\)[ ]*\{{?[ \t]*$"

_GENERAL = (_FUNCTION, _TYPE)
_BY_ENDING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("py", "pyi"), _GENERAL),
    **dict.fromkeys(("java", "kt", "kts", "scala", "groovy", "cs"), (*_GENERAL, _METHOD)),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "svelte"), (*_GENERAL, _ARROW, _SHORT)),
    **dict.fromkeys(("go", "rs", "rb", "php", "swift", "lua", "pl"), _GENERAL),
    **dict.fromkeys(("c", "h", "cc", "cpp", "hpp", "cxx", "m", "mm"), (*_GENERAL, _OF_C)),
    **dict.fromkeys(("sh", "bash"), (*_GENERAL, _OF_SHELL)),
}
_READY = {ending: tuple(map(re.compile, patterns)) for ending, patterns in _BY_ENDING.items()}
# What looks like a definition and is a statement.
_STATEMENTS = frozenset(
    "if for while switch catch return else do try with new await throw synchronized using lock".split()
)
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_code(path: str) -> bool:
    return _ending(path) in _READY


def symbols(path: str, lines: Sequence[str]) -> tuple[Symbol, ...]:
    """The definitions in the order of their lines; none for a file that is no code."""
    if _ending(path) in ("py", "pyi") and (tree := _tree(lines)):
        found = [_of_python(node) for node in ast.walk(tree) if isinstance(node, _DEFINED)]
        return tuple(sorted(found, key=lambda one: one.line))
    return tuple(_by_lines(_READY.get(_ending(path), ()), lines))


def _ending(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _tree(lines: Sequence[str]) -> ast.Module | None:
    try:
        # What Python thinks of somebody's code is not ours to say.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_python(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Symbol:
    return Symbol(node.name, "class" if isinstance(node, ast.ClassDef) else "def", node.lineno)


def _by_lines(patterns: Sequence[re.Pattern[str]], lines: Sequence[str]) -> Iterator[Symbol]:
    for no, line in enumerate(lines, start=1):
        for pattern in patterns:
            found = pattern.match(line[:MOST_LINE])
            if found and found["name"] not in _STATEMENTS and line.split(maxsplit=1)[0] not in _STATEMENTS:
                yield Symbol(found["name"], found.groupdict().get("kind") or "function", no)
                break
