"""`withstood research resume`: go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from withstood.cli import research
from withstood.jobs.research import Order


@click.command("resume")
@click.argument("folder")
@research.ordered
def command(folder: str, **given: Any) -> int:
    """Go on with the research in FOLDER: where its last run was cut off, else for as many iterations again.

    Nothing that was answered is asked again. A graph that was changed by hand since is taken as it stands.
    """
    return research.begin(Order(Path(folder), resume=True), given)
