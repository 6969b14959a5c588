"""The layouts of labels by name: how each is read and written, and what it has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from withstood.claims.label import Labelled
from withstood.sources.labels import hashed, nikl, objects, semeval, studio, tables
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Source, Written


@dataclass(frozen=True, slots=True)
class Layout:
    """`read` spells labels as the file does; `write` takes only what `room` has room for, and may go through the
    rows twice."""

    name: str
    about: str
    room: Carries
    read: Callable[[Source], Iterator[Written]]
    write: Callable[[Iterable[Labelled]], Iterator[str]]
    kin: str = ""
    """Layouts of one kin are told apart by name only."""


_ALL = (
    Layout("csv", "a row a label", tables.ROOM, tables.long, tables.write_long, "long"),
    Layout("tsv", "the same with tabs", tables.ROOM, tables.long, partial(tables.write_long, delimiter="\t"), "long"),
    Layout("csv-wide", "a row a text, columns numbered", tables.ROOM, tables.wide, tables.write_wide, "wide"),
    Layout(
        "tsv-wide", "the same with tabs", tables.ROOM, tables.wide, partial(tables.write_wide, delimiter="\t"), "wide"
    ),
    Layout("jsonl", "a JSON object a text", objects.JSONL_ROOM, objects.jsonl, objects.write_jsonl),
    Layout("semeval2014", "XML: terms, categories", semeval.ROOM_2014, semeval.read, semeval.write_2014, "semeval"),
    Layout("semeval2016", "XML: opinions (2015 too)", semeval.ROOM_2016, semeval.read, semeval.write_2016, "semeval"),
    Layout("aste", "#### triplets of tokens", hashed.ASTE_ROOM, hashed.aste, hashed.write_aste),
    Layout("tasd", "#### term, ref, polarity", hashed.TASD_ROOM, hashed.tasd, hashed.write_tasd),
    Layout("asqp", "#### term, ref, polarity, opinion", hashed.ASQP_ROOM, hashed.asqp, hashed.write_asqp, "quads"),
    Layout("acos", "the same as asqp", hashed.ASQP_ROOM, hashed.asqp, hashed.write_asqp, "quads"),
    Layout("acos-tsv", "quads of tokens, tabs between", hashed.ACOS_ROOM, hashed.acos_tsv, hashed.write_acos_tsv),
    Layout("nikl", "JSON Lines of NIKL 2022", nikl.ROOM, nikl.read, nikl.write),
    Layout("setfit", "CSV: text, span, label, ordinal", tables.SETFIT_ROOM, tables.long, tables.write_setfit),
    Layout("labelstudio", "JSON of Label Studio", studio.ROOM, studio.read, studio.write),
    Layout("doccano", "JSON Lines of doccano", objects.DOCCANO_ROOM, objects.doccano, objects.write_doccano),
)
LAYOUTS: Mapping[str, Layout] = MappingProxyType({layout.name: layout for layout in _ALL})
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "semeval": "semeval2016",
        "semeval2015": "semeval2016",
        "csv-long": "csv",
        "tsv-long": "tsv",
        "label-studio": "labelstudio",
    }
)


def kin(name: str) -> str:
    return LAYOUTS[name].kin or name
