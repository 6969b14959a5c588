"""Functions of Java, JavaScript, TypeScript and Go by their grammars, where the extra `code` is installed."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_MODULES = {
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
}
_FUNCTIONS = frozenset(
    "method_declaration constructor_declaration compact_constructor_declaration function_declaration "
    "generator_function_declaration method_definition".split()
)
_BOUND = frozenset("arrow_function function_expression function generator_function".split())
_OWNERS = frozenset(
    "class_declaration class interface_declaration record_declaration enum_declaration abstract_class_declaration".split()
)
MOST_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Span:
    name: str
    first: int
    last: int
    params: str
    owner: str


def spans(language: str, text: str) -> list[Span] | None:
    """None where there is no grammar for the language, or none is installed."""
    parser = _parser(language)
    if parser is None:
        return None
    raw = text.encode("utf-8", "replace")
    return list(_spans(parser.parse(raw).root_node, "", MOST_DEPTH))


def installed(language: str) -> bool:
    return language not in _MODULES or _parser(language) is not None


@functools.lru_cache(maxsize=len(_MODULES) + 1)
def _parser(language: str) -> Any:
    if language not in _MODULES:
        return None
    name, entry = _MODULES[language]
    try:
        binding = importlib.import_module("tree_sitter")
        grammar = importlib.import_module(name)
    except ImportError:
        return None
    return binding.Parser(binding.Language(getattr(grammar, entry)()))


def _spans(node: Any, owner: str, levels: int) -> Iterator[Span]:
    if node.type in _OWNERS and (name := _said(node, "name")):
        owner = name
    if node.type in _FUNCTIONS and (name := _said(node, "name")):
        yield _span(node, node, name, owner)
    value = node.child_by_field_name("value") if node.type == "variable_declarator" else None
    if value is not None and value.type in _BOUND:
        yield _span(node, value, _said(node, "name"), owner)
    if levels:
        for child in node.named_children:
            yield from _spans(child, owner, levels - 1)


def _span(node: Any, function: Any, name: str, owner: str) -> Span:
    params = _said(function, "parameters") or _said(function, "parameter")
    receiver = function.child_by_field_name("receiver")
    if receiver is not None:
        owner = receiver.text.decode("utf-8", "replace").strip("()").split()[-1].lstrip("*")
    return Span(name, node.start_point[0] + 1, node.end_point[0] + 1, params, owner)


def _said(node: Any, field: str) -> str:
    found = node.child_by_field_name(field)
    return found.text.decode("utf-8", "replace") if found is not None else ""
