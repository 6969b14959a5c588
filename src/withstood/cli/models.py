"""`withstood models`: what can be named after --model, and whether it is ready."""

from __future__ import annotations

import click

from withstood import form, plugins
from withstood.cli import options
from withstood.models import names
from withstood.models.settings import Settings


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each.")
def command(as_json: bool) -> int:
    """What may be named after --model, where it leads, and what it still needs."""
    config = options.configured(None)
    for known in names.known(Settings(endpoints=config.endpoints)):
        if as_json:
            click.echo(form.dumps(known))
        else:
            click.echo(f"{known.name + ':…':<16} {known.kind:<10} {known.leads_to:<50} {known.needs or 'ready'}")
    if not as_json:
        click.echo(f"{'programmed':<16} {'program':<10} {'agents that need no model':<50} ready")
        for name, place in plugins.names(plugins.AGENTS).items():
            click.echo(f"{name:<16} {'agents':<10} {place:<50} ready")
    for role, spec in config.models.items():
        click.echo(f"configured: {role} = {spec}", err=True)
    return 0
