"""The command line. Each command is imported when it is called, so that `--help` costs little."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from typing import NoReturn

import click

from withstood.__about__ import __version__
from withstood.errors import WithstoodError

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("withstood.cli.demo", "The three jobs on shipped examples, decided and explained. No key needed."),
    "sentiment": ("withstood.cli.sentiment", "Decide a file of reviews, aspect by aspect."),
    "investigate": ("withstood.cli.investigate", "Investigate a code base: files, history, logs, release documents."),
    "research": ("withstood.cli.research", "A question, and what withstands refutation in the sources of it."),
    "runs": ("withstood.cli.runs", "List the runs in the store."),
    "show": ("withstood.cli.show", "What a run decided, in short."),
    "explain": ("withstood.cli.explain", "One verdict, row by row: votes, evidence, minority."),
    "replay": ("withstood.cli.replay", "Judge a run again, under other rules if you like. No model is called."),
    "what-if": ("withstood.cli.what_if", "The smallest changes that flip a ruling; fragile verdicts of a run."),
    "sweep": ("withstood.cli.sweep", "How verdicts move with the settings, as a table and as curves."),
    "rules": ("withstood.cli.rules", "Rulebooks: show, compare, write a file of your own."),
    "evaluate": ("withstood.cli.evaluate", "A run against gold, with intervals, beside what it has to beat."),
    "ablate": ("withstood.cli.ablate", "What each part of a run is worth: rules, reviewers, readers, calls."),
    "calibrate": ("withstood.cli.calibrate", "What share of what runs have said was right, with intervals."),
    "export": ("withstood.cli.export", "A run as one bundle that anybody can verify."),
    "verify": ("withstood.cli.verify", "Check a bundle: bytes, chain, quotes, and every ruling judged again."),
    "panel": ("withstood.cli.panel", "Anybody's recorded voters, judged by published editions of a panel."),
    "rule": ("withstood.cli.rule", "Any published table on your own data, JSON Lines in and out."),
    "memory": ("withstood.cli.memory", "Episodes of earlier reviews: list, show, revoke, export."),
    "mcp": ("withstood.cli.mcp", "The investigation as tools for coding assistants, over MCP."),
    "submit": ("withstood.cli.submit", "Queue a job for any number of workers, here or on other machines."),
    "worker": ("withstood.cli.worker", "One more process that decides what is queued."),
    "status": ("withstood.cli.status", "How far jobs are, and who works on them."),
    "collect": ("withstood.cli.collect", "The results of a job, in the order of its input."),
    "pause": ("withstood.cli.pause", "Stop a job for a while."),
    "resume": ("withstood.cli.resume", "Let a job go on: after a pause, a limit, a fault."),
    "cancel": ("withstood.cli.cancel", "Stop a job for good; what was decided stays."),
    "models": ("withstood.cli.models", "What models can be named, and which of them are ready."),
    "doctor": ("withstood.cli.doctor", "What is configured, what works, what is missing."),
}


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Lazy(click.Group):
    """A group that knows its commands by name and summary, and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(COMMANDS[cmd_name][0]).command

    def invoke(self, ctx: click.Context) -> int:
        """A pipe that nobody reads any more is no fault, which click would end with 1."""
        try:
            return super().invoke(ctx) or 0
        except BrokenPipeError:
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="withstood")
def cli() -> None:
    """A deliberation engine. Many agents look, code checks the evidence, published tables decide,
    and every verdict can be explained row by row and judged again."""


def main() -> NoReturn:
    """Run, and turn every expected error into one message and one documented exit code."""
    try:
        code = cli.main(prog_name="withstood", standalone_mode=False) or 0
    except click.ClickException as fault:
        fault.show()
        code = fault.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = _say("Interrupted.", 130)
    except WithstoodError as fault:
        code = _say(str(fault), fault.exit_code)
    except OSError as fault:
        if fault.errno not in NO_ROOM:
            raise
        code = _say(f"Standard output cannot be written: {fault.strerror}. Make room and run it again.", 73)
    _let_go()
    sys.exit(code)


def _let_go() -> None:
    """What could not be written is not tried again when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    click.echo(f"withstood: {message}", err=True)
    return code
