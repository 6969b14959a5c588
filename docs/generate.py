"""Writes the pages that restate code: `python -m docs.generate`, or `--check` to name those that are not current.

Tables come from the docstrings of `withstood.rules`, the command line from its own help, errors and exit codes from
`errors.py`, settings from the types that read them. Without `--check`, the outputs below the commands of the other
pages are made anew as well; the tests run the same commands and compare.
"""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from docs import listings
from withstood import errors, form
from withstood.cli.main import COMMANDS, cli
from withstood.cli.words import Worded
from withstood.engine.limits import Limits
from withstood.jobs import settings
from withstood.jobs.published import tables
from withstood.models.settings import Batching, Endpoint
from withstood.protocols.sentiment import PROTOCOLS
from withstood.rules.rulebook import PRESETS
from withstood.rules.table import Table
from withstood.sources.web.settings import Web

ROOT = Path(__file__).resolve().parents[1]
RUN = (
    "README.md",
    "README.ko.md",
    "docs/tutorial.md",
    "docs/extend.md",
    "docs/evaluation.md",
    "docs/fit.md",
    "docs/investigate.md",
    "docs/again.md",
    "docs/fleet.md",
)
WIDTH = 100


def pages() -> dict[str, str]:
    """Path from the root to text, for every page that is made from code."""
    published = {table.edition: table for table in tables().values()}
    made = {f"docs/tables/{edition}.md": table_page(table) for edition, table in published.items()}
    return {
        **made,
        "docs/tables/README.md": index_of_tables(published),
        "docs/reference/cli.md": command_page(),
        "docs/reference/errors.md": error_page(),
        "docs/reference/config.md": configuration_page(),
    }


def made_from(source: str) -> str:
    return f"<!-- Made by docs/generate.py from {source}. Change it there. -->"


# --- tables ------------------------------------------------------------------------------------


def index_of_tables(published: Mapping[str, Table]) -> str:
    rows = [f"| [{edition}]({edition}.md) | {table.summary} |" for edition, table in published.items()]
    return _page(
        made_from("src/withstood/rules/"),
        "# The published tables",
        "A ruling is one row of one of these tables. `withstood rule NAME` judges your own data by any of them,\n"
        "`--table` prints it, `--schema` says what it takes and gives. A table is never edited: a change is a new\n"
        "edition beside it ([how](../extend.md#an-edition)).",
        "\n".join(["| edition | what it says |", "|---|---|", *rows]),
    )


def table_page(table: Table) -> str:
    return _page(
        made_from(_source(table)),
        f"# {table.edition}",
        (table.text or "").strip(),
        "## On your own data",
        _how_to_call(table),
        "### Input",
        _fields(form.schema(table.takes)),
        "### Output",
        "`edition`, and:",
        _fields(form.schema(table.gives), defaults=False),
        *_numbers(table),
    )


def _source(table: Table) -> str:
    return f"src/{table.decide.__module__.replace('.', '/')}.py"


def _how_to_call(table: Table) -> str:
    names = [table.edition, *table.aliases]
    also = f" (or `{names[1]}`)" if names[1:] else ""
    return f"`withstood rule {names[0]}`{also} reads one JSON object a line and answers each with one line."


def _numbers(table: Table) -> list[str]:
    if table.section == "none":
        return []
    listed = [name for name in PRESETS["published"].settings() if name.startswith(f"{table.section}.")]
    named = ", ".join(f"`{name}`" for name in listed)
    return ["### Settings", f"{named}: see [the configuration](../reference/config.md#rulebook)."]


def _fields(drawn: Mapping[str, Any], defaults: bool = True) -> str:
    head = ["| field | form | default |", "|---|---|---|"] if defaults else ["| field | form |", "|---|---|"]
    needed = drawn.get("required", ())
    rows = [f"| `{name}` | {_form(part)} |" for name, part in drawn["properties"].items()]
    if defaults:
        parts = drawn["properties"].items()
        rows = [f"{row} {_default(name, part, needed)} |" for row, (name, part) in zip(rows, parts, strict=True)]
    return "\n".join(head + rows)


def _default(name: str, part: Mapping[str, Any], needed: Sequence[str]) -> str:
    return "needed" if name in needed else _code(part.get("default"))


def _code(value: object) -> str:
    if value is None:
        return "none"
    return "empty" if value in ("", [], {}) else f"`{value if isinstance(value, str) else form.dumps(value)}`"


def _form(part: Mapping[str, Any]) -> str:
    """What fits, in words, from its JSON Schema."""
    if "enum" in part:
        return " or ".join(f"`{form.dumps(one) if isinstance(one, bool) else one}`" for one in part["enum"])
    if "anyOf" in part:
        kinds = [_form(one) for one in part["anyOf"]]
        return " or ".join([kind for kind in kinds if kind != "null"] + [kind for kind in kinds if kind == "null"])
    if "items" in part:
        return f"list of {_form(part['items'])}"
    if "properties" in part:
        return "object of " + ", ".join(f"`{name}`" for name in part["properties"])
    if isinstance(part.get("additionalProperties"), dict):
        return _mapping(part["additionalProperties"])
    return _simple(part)


def _mapping(inner: Mapping[str, Any]) -> str:
    if "properties" in inner:
        return "a table for each name"
    return f"names, each with {_form(inner)}" if inner else "object"


_NAMES = {"string": "text", "boolean": "true or false", "integer": "whole number", "null": "null"}


def _simple(part: Mapping[str, Any]) -> str:
    kind = part.get("type", "anything")
    named = "number" if isinstance(kind, list) else _NAMES.get(str(kind), str(kind))
    low, high = part.get("minimum"), part.get("maximum")
    if low is None:
        return named
    return f"{named} from {low}" if high is None else f"{named} from {low} to {high}"


# --- the command line --------------------------------------------------------------------------


def command_page() -> str:
    parts = [
        made_from("the help of each command"),
        "# The command line",
        "Progress goes to standard error, results to standard output or into files. Exit codes: [errors](errors.md).",
        _block(_help(cli, "withstood")),
    ]
    with click.Context(cli, info_name="withstood") as whole:
        for name in COMMANDS:
            command = cli.get_command(whole, name)
            if command is not None:
                parts += [f"## withstood {name}", _block(_help(command, f"withstood {name}"))]
                parts += [
                    part for call, one in _words_of(command, name) for part in (f"### {call}", _block(_help(one, call)))
                ]
    return _page(*parts)


def _words_of(command: click.Command, name: str) -> list[tuple[str, click.Command]]:
    """The commands that a command has of its own, with their calls."""
    if isinstance(command, Worded):
        return [(f"withstood {name} {word}", command.named(word)) for word in command.words]
    inner = command.commands if isinstance(command, click.Group) else {}
    return [(f"withstood {name} {word}", one) for word, one in inner.items()]


def _help(command: click.Command, name: str) -> str:
    names: dict[str, Any] = {"help_option_names": ["-h", "--help"]}
    with click.Context(command, info_name=name, terminal_width=WIDTH, **names) as context:
        return command.get_help(context)


# --- errors ------------------------------------------------------------------------------------


def error_page() -> str:
    tree = (errors.__doc__ or "").strip()
    codes = [f"| {code} | {meaning} |" for code, meaning in errors.EXIT_CODES]
    return _page(
        made_from("src/withstood/errors.py"),
        "# Errors and exit codes",
        "Every message says what was wanted, what was found and what to do.",
        "## Exit codes",
        "\n".join(["| code | meaning |", "|---|---|", *codes]),
        "## The tree",
        "From Python, every expected failure is one of these. Each class has its `exit_code`.",
        _block(tree[tree.index("WithstoodError") : tree.index("\n\nDisagreement")]),
        "Disagreement is never an error.",
        "\n".join(["| error | exit code |", "|---|---|", *_error_rows(errors.WithstoodError)]),
    )


def _error_rows(kind: type[errors.WithstoodError]) -> Iterator[str]:
    yield f"| `{kind.__name__}` | {kind.exit_code} |"
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _error_rows(child)


# --- configuration -----------------------------------------------------------------------------


def configuration_page() -> str:
    meanings = tomllib.loads((ROOT / "docs" / "settings.toml").read_text("utf-8"))
    environment = (settings.__doc__ or "").partition("\n\n")
    return _page(
        made_from("the types that read it, and docs/settings.toml"),
        "# Configuration",
        f"`{settings.FILE}` in the folder that a command is run in. Nothing in it is needed. Options on the command\n"
        "line go before it. A field that is not known is refused, with its place.",
        "## The file",
        _settings(form.schema(settings.Config), meanings["config"], "setting"),
        "### `[limits]`",
        _settings(form.schema(Limits), meanings["limits"], "limit"),
        "### `[batch]`",
        _settings(form.schema(Batching), meanings["batch"], "setting"),
        "### `[endpoints.NAME]`",
        _settings(form.schema(Endpoint), meanings["endpoint"], "field"),
        "### `[web]`",
        _settings(form.schema(Web), meanings["web"], "setting"),
        "## Rulebook",
        "`--set NAME=VALUE`, or under `[set]`. `--set arbiter=v1` is short for `arbiter.edition=v1`.",
        _rulebook(meanings["rulebook"]),
        _what_protocols_set(),
        "## Environment",
        environment[0].partition(". ")[2],
        environment[2].strip(),
    )


def _settings(drawn: Mapping[str, Any], meanings: Mapping[str, str], what: str) -> str:
    parts = drawn["properties"]
    _same_names(what, parts, meanings)
    rows = [f"| `{name}` | {_wanted(part)} | {_standing(part)} | {meanings[name]} |" for name, part in parts.items()]
    return "\n".join([f"| {what} | wanted | default | meaning |", "|---|---|---|---|", *rows])


def _wanted(part: Mapping[str, Any]) -> str:
    return "a table" if "properties" in part else _form(part).removesuffix(" or null")


def _standing(part: Mapping[str, Any]) -> str:
    return "see below" if isinstance(part.get("default"), dict) else _code(part.get("default"))


def _rulebook(meanings: Mapping[str, str]) -> str:
    published, strict = PRESETS["published"].settings(), PRESETS["strict"].settings()
    _same_names("rulebook", published, meanings)
    rows = [
        f"| `{name}` | {wanted} | `{published[name]}` | `{strict[name]}` | {meanings[name]} |"
        for name, wanted in _wanted_of_rulebook()
    ]
    return "\n".join(["| setting | wanted | published | strict | meaning |", "|---|---|---|---|---|", *rows])


def _wanted_of_rulebook() -> Iterator[tuple[str, str]]:
    book = PRESETS["published"]
    for section in fields(book):
        if section.name != "preset":
            drawn = form.schema(type(getattr(book, section.name)))["properties"]
            yield from ((f"{section.name}.{name}", _form(part)) for name, part in drawn.items())


def _what_protocols_set() -> str:
    rows = [
        f"| `{name}` | {', '.join(f'`{key}={value}`' for key, value in changes.items()) or 'nothing'} |"
        for name, changes in PROTOCOLS.items()
    ]
    told = "A protocol sets these first; what you set comes after it."
    return "\n".join([told, "", "| protocol | sets |", "|---|---|", *rows])


def _same_names(what: str, found: Mapping[str, Any], told: Mapping[str, str]) -> None:
    """Every setting has its sentence, and every sentence its setting."""
    if set(found) != set(told):
        raise SystemExit(
            f"docs/settings.toml: wanted a sentence for each {what}, differ: {sorted(set(found) ^ set(told))}"
        )


# --- writing -----------------------------------------------------------------------------------


def _page(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def stale(root: Path = ROOT) -> list[str]:
    """The pages that are not what the code says now, and those that no table stands behind."""
    made = pages()
    missing = [path for path, text in made.items() if not _is(root / path, text)]
    tables_there = [str(path.relative_to(root)) for path in (root / "docs" / "tables").glob("*.md")]
    return sorted(missing + [path for path in tables_there if path not in made])


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


def write(root: Path = ROOT) -> None:
    for path, text in pages().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def renew_outputs(path: Path) -> bool:
    """Run the commands of a page and put what they print below them; whether all of them ended well."""
    page = path.read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="withstood-docs-") as folder:
        ran = list(listings.run(page, Path(folder)))
    for one in ran:
        if one.code:
            sys.stderr.write(f"{path.name}: {one.fault}\n")
    path.write_text(listings.renewed(page, ran), "utf-8")
    return not any(one.code for one in ran)


def main(arguments: Sequence[str]) -> int:
    if list(arguments) == ["--check"]:
        found = stale()
        sys.stderr.writelines(f"not current: {path}; run python -m docs.generate\n" for path in found)
        return 1 if found else 0
    if arguments:
        sys.stderr.write(f"wanted nothing or --check, found {' '.join(arguments)}\n")
        return 2
    write()
    ended_well = [renew_outputs(ROOT / name) for name in RUN]
    return 0 if all(ended_well) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
