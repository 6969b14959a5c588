"""What imports cannot show, read off the syntax tree: one law a row, each with a sample that breaks it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import withstood

SOURCE = Path(withstood.__file__).parent
EVERYWHERE = (".",)
PURE = ("claims", "verdict.py", "rules", "measures", "protocols", "report", "form.py")

Offence: TypeAlias = tuple[int, str]

ACTING = frozenset({"open", "print", "hash", "input", "eval", "exec", "__import__", "breakpoint"})
VAGUE = frozenset("manager handler helper helpers util utils base core common process orchestrator".split())
ORDER_FREE = frozenset("sorted set frozenset any all sum min max len".split())
ORDERING = frozenset("list tuple enumerate iter next zip map filter dict join".split())
BROAD = frozenset({"all", "Exception", "BaseException"})
MOST_LINES = 60


def modules(rooms: tuple[str, ...]) -> list[Path]:
    """The source files of these rooms, in order."""
    found = [
        path for room in rooms for path in ((SOURCE / room).rglob("*.py") if room[-3:] != ".py" else [SOURCE / room])
    ]
    return sorted(set(found))


def acting_names(tree: ast.AST) -> Iterator[Offence]:
    looked_up = {id(part) for node in ast.walk(tree) for part in _looked_up(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ACTING and isinstance(node.ctx, ast.Load):
            yield node.lineno, node.id
        if isinstance(node, ast.Call) and _is_id(node.func) and id(node) not in looked_up:
            yield node.lineno, "id(...)"


def _is_id(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "id"


def _looked_up(node: ast.AST) -> list[ast.expr]:
    """An identity may find something again; it may not get into what is said or in which order."""
    if isinstance(node, ast.Subscript):
        return [node.slice]
    return [node.left] if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)) else []


def floats(tree: ast.AST) -> Iterator[Offence]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node.lineno, repr(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
            yield node.lineno, "float(...)"


def broad_excepts(tree: ast.AST) -> Iterator[Offence]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and not _raises_again(node):
            names = [part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)] if node.type else ["all"]
            yield from ((node.lineno, f"except {name}") for name in names if name in BROAD)


def _raises_again(node: ast.ExceptHandler) -> bool:
    last = node.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def globals_written(tree: ast.AST) -> Iterator[Offence]:
    yield from ((node.lineno, "global") for node in ast.walk(tree) if isinstance(node, ast.Global))


def set_orders(tree: ast.AST) -> Iterator[Offence]:
    free = {id(part) for node in ast.walk(tree) for part in _order_free(node)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.AsyncFor)) and _is_set(node.iter):
            yield node.lineno, "a loop over a set"
        if isinstance(node, (ast.ListComp, ast.DictComp, ast.GeneratorExp)) and id(node) not in free:
            yield from ((node.lineno, "drawn from a set") for part in node.generators if _is_set(part.iter))
        if isinstance(node, ast.Call) and id(node) not in free and _called(node) in ORDERING:
            yield from ((node.lineno, f"{_called(node)} of a set") for part in node.args if _is_set(part))


def _order_free(node: ast.AST) -> list[ast.expr]:
    return node.args if isinstance(node, ast.Call) and _called(node) in ORDER_FREE else []


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _is_set(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)):
        return any(_is_set(side) or _is_keys(side) for side in (node.left, node.right))
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return called or isinstance(node, (ast.Set, ast.SetComp))


def _is_keys(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def names_of_score(tree: ast.AST) -> Iterator[Offence]:
    for node in ast.walk(tree):
        target = node.target if isinstance(node, ast.AnnAssign) else None
        named = getattr(node, "name", None) or getattr(node, "arg", None) or getattr(target, "id", None)
        if named in ("score", "scores"):
            yield getattr(node, "lineno", 0), str(named)


def vague_classes(tree: ast.AST) -> Iterator[Offence]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and words(node.name) & VAGUE:
            yield node.lineno, node.name


def words(name: str) -> set[str]:
    """The words of a name in either spelling, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def long_functions(tree: ast.AST) -> Iterator[Offence]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MOST_LINES:
                yield node.lineno, f"{node.name} has {lines} lines"


def missing_docstring(tree: ast.AST) -> Iterator[Offence]:
    if isinstance(tree, ast.Module) and tree.body and not ast.get_docstring(tree):
        yield 1, "no docstring"


@dataclass(frozen=True, slots=True)
class Law:
    """What may not be, where, and two samples: every part of `broken` offends, nothing in `kept` does."""

    name: str
    rooms: tuple[str, ...]
    find: Callable[[ast.AST], Iterator[Offence]]
    broken: tuple[str, ...]
    kept: tuple[str, ...]


LAWS = (
    Law(
        "whoever decides names nothing that acts",
        PURE,
        acting_names,
        ("print(1)", "f = open", "x = hash('a')", "eval('1')", "id(x)", "input()", "__import__('os')", "[id(x)]"),
        (
            "re.compile('a')",
            "case.id()",
            "class A:\n input: str",
            "id(x) in seen",
            "seen[id(x)] = y",
            "x.id",
            "case.open()",
            "identity(1)",
        ),
    ),
    Law(
        "rules hold no floats",
        ("rules",),
        floats,
        ("x = 0.5", "y = -1e3", "float('1')"),
        ("Decimal('0.5')", "x = 1", "'0.5'"),
    ),
    Law(
        "nothing is caught broadly",
        EVERYWHERE,
        broad_excepts,
        ("try: x\nexcept: pass", "try: x\nexcept Exception: pass", "try: x\nexcept (OSError, BaseException): pass"),
        ("try: x\nexcept OSError: pass", "try: x\nfinally: pass", "try: x\nexcept BaseException:\n y\n raise"),
    ),
    Law(
        "no function writes a global",
        EVERYWHERE,
        globals_written,
        ("def f():\n global x",),
        ("def f():\n x = 1\n def g():\n  nonlocal x",),
    ),
    Law(
        "no set gives an order",
        PURE,
        set_orders,
        (
            "for x in set(y): pass",
            "for x in {1, 2}: pass",
            "[x for x in {y for y in z}]",
            "tuple(set(x))",
            "','.join({1, 2})",
            "for x in a.keys() - b.keys(): pass",
            "list(frozenset(a) | b)",
        ),
        (
            "sorted(set(x))",
            "for x in sorted({1}): pass",
            "{x for x in set(y)}",
            "any(x for x in {1, 2})",
            "len(set(a))",
        ),
    ),
    Law(
        "nothing is called score",
        EVERYWHERE,
        names_of_score,
        ("def score(): pass", "class A:\n score: int", "def f(score): pass"),
        ("def f(scored): pass", "x = {'score': 1}"),
    ),
    Law(
        "classes are named for what they are",
        EVERYWHERE,
        vague_classes,
        ("class RunManager: pass", "class Base: pass", "class HTTPHandler: pass"),
        ("class Database: pass", "class Processed: pass", "class Scoreboard: pass"),
    ),
    Law(
        f"functions have at most {MOST_LINES} lines",
        EVERYWHERE,
        long_functions,
        ("def f():\n" + " x\n" * MOST_LINES,),
        ("def f():\n" + " x\n" * (MOST_LINES - 1),),
    ),
    Law("modules say what they are", EVERYWHERE, missing_docstring, ("x = 1",), ("'''What it is.'''\nx = 1", "")),
)
