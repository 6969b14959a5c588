"""A command that has commands of its own: they are called by a word in the place of its first argument."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class Worded(click.Command):
    """`words` are the names of modules with a `command`, each with a summary. A module is imported when it is called.
    A file of that very name is meant by a path: ./convert."""

    def __init__(self, *, words: Mapping[str, tuple[str, str]], **given: Any) -> None:
        super().__init__(**given)
        self.words = words

    def named(self, word: str) -> click.Command:
        return importlib.import_module(self.words[word][0]).command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] in self.words:
            return self.named(args[0]).make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(f"Commands of {self.name}"):
            formatter.write_dl([(word, summary) for word, (_, summary) in self.words.items()])
