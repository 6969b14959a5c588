"""The published tables, found in their room: every module of `withstood.rules` that has a `TABLE`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

import withstood.rules
from withstood.rules.table import Table


def tables() -> Mapping[str, Table]:
    """By edition and by the other names it has."""
    names = sorted(module.name for module in pkgutil.iter_modules(withstood.rules.__path__))
    modules = [importlib.import_module(f"withstood.rules.{name}") for name in names]
    found: list[Table] = [module.TABLE for module in modules if hasattr(module, "TABLE")]
    return {name: table for table in found for name in (table.edition, *table.aliases)}


def row_texts() -> Mapping[tuple[str, str], str]:
    """(edition, row) to the sentence of the row."""
    published = {table.edition: table for table in tables().values()}
    return {(edition, row): text for edition, table in published.items() for row, text in table.rows().items()}
