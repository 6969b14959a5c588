"""`withstood sentiment formats`: the layouts of labels, and what each has room for."""

from __future__ import annotations

from collections.abc import Mapping

import click

from withstood import form
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.kinds import ALIASES, LAYOUTS

COLUMNS = ("layout", "terms", "places", "refs", "opinions", "implicit", "mixed", "ids", "what it is")


@click.command("formats")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def command(as_json: bool) -> int:
    """List the layouts that labelled files are read and written in, and what each has room for. Every one is also a
    file of texts for `withstood sentiment`."""
    rows = [{"layout": name, **room(layout.room), "what it is": layout.about} for name, layout in LAYOUTS.items()]
    if as_json:
        click.echo(form.dumps({"layouts": rows, "aliases": ALIASES}))
        return 0
    wide = {column: max(len(column), *(len(row[column]) for row in rows)) for column in COLUMNS}
    for row in ({column: column for column in COLUMNS}, *rows):
        click.echo("  ".join(row[column].ljust(wide[column]) for column in COLUMNS).rstrip())
    return 0


_REFS: Mapping[str, str] = {"yes": "yes", "no": "-", "alone": "no term"}
_OPINIONS: Mapping[str, str] = {"may": "yes", "must": "needed", "written": "needed", "no": "-"}
_PLACES: Mapping[str, str] = {"may": "yes", "must": "needed", "no": "-"}


def room(room: Carries) -> dict[str, str]:
    """What a layout has room for, a word for each."""
    places = "words" if room.tokens else _PLACES[room.places]
    return {
        "terms": "yes",
        "places": places,
        "refs": _REFS[room.refs],
        "opinions": _OPINIONS[room.opinions],
        "implicit": _sign(room.implicit),
        "mixed": _sign("mixed" in room.polarities),
        "ids": _sign(room.ids),
    }


def _sign(there: bool) -> str:
    return "yes" if there else "-"
