"""Exports of Label Studio: one JSON array of tasks, or one task a line.

A task is {"id", "data": {"text"}, "annotations": [{"result": [...]}]}. The results with one id are one label: a region
has a place, names among its labels, choices or taxonomy are a polarity, a ref, or both as `ref|polarity`. What has no
place is implicit. Of several annotations the first that was not cancelled counts. The short export (JSON-MIN) has the
text and the list `label` in the task itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from withstood import form
from withstood.claims.label import Label, Labelled
from withstood.form import Json
from withstood.sources.labels.carrying import Carries
from withstood.sources.labels.entries import Entry, Source, Unfit, Written, an_object, parsed
from withstood.sources.labels.objects import a_list, an_item, entry, name_of, named
from withstood.sources.records import inert, too_long

ROOM = Carries(places="must", opinions="no")

_CHUNK = 1 << 16
_SIGN = re.compile(r'[\\"{}\n]')
_NAMES = ("labels", "choices", "taxonomy")


def read(source: Source) -> Iterator[Written]:
    with source.text() as stream:
        for line, written in objects(stream, source.most):
            yield (
                too_long(line, source.most)
                if written is None
                else parsed(line, written, lambda line, written: _task(line, an_object(written), source))
            )


def objects(stream: TextIO, most: int) -> Iterator[tuple[int, str | None]]:
    """Every outermost object of a stream with the line that it begins on, whatever stands between them; None for one
    that is longer than `most`."""
    scan = _Scan(most)
    while piece := stream.read(_CHUNK):
        yield from scan.fed(piece)
    if scan.depth:
        yield scan.start, scan.kept("")


class _Scan:
    """Finds where objects begin and end. Only quotes, braces and line ends are looked at."""

    def __init__(self, most: int) -> None:
        self.depth, self.start = 0, 1
        self._most, self._line, self._quoted, self._at, self._plain = most, 1, False, 0, -1
        self._kept, self._length = list[str](), 0

    def fed(self, piece: str) -> Iterator[tuple[int, str | None]]:
        begin = 0
        for found in _SIGN.finditer(piece):
            sign, at = found[0], found.start()
            if sign == "{" and not self._quoted and not self.depth:
                begin, self.start = at, self._line
            if self._closes(sign, self._at + at):
                yield self.start, self.kept(piece[begin : at + 1])
        if self.depth:
            self._keep(piece[begin:])
        self._at += len(piece)

    def _closes(self, sign: str, at: int) -> bool:
        """Takes one sign in; True where it ends an outermost object."""
        if sign == "\n":
            self._line += 1
        elif self._quoted:
            if sign == "\\" and at != self._plain:
                self._plain = at + 1
            self._quoted = sign != '"' or at == self._plain
        elif sign == '"':
            self._quoted = True
        elif sign == "{":
            self.depth += 1
        elif sign == "}" and self.depth:
            self.depth -= 1
            return not self.depth
        return False

    def _keep(self, piece: str) -> None:
        self._length += len(piece)
        if self._length <= self._most:
            self._kept.append(piece)

    def kept(self, last: str) -> str | None:
        """The object that ends with `last`; the next one begins."""
        self._keep(last)
        whole = "".join(self._kept) if self._length <= self._most else None
        self._kept, self._length = [], 0
        return whole


def _task(line: int, task: Mapping[str, Json], source: Source) -> Entry:
    data = task.get("data", task)
    held = an_item(data, "data")
    case = held.get(source.id_column, task.get("id"))
    return entry(line, {**held, source.id_column: case, "task": task}, _labels, source)


def _labels(held: Mapping[str, Json], text: str) -> list[Label]:
    regions: dict[str, list[Mapping[str, Json]]] = {}
    for no, result in enumerate(_results(an_item(held["task"], "task"))):
        regions.setdefault(str(result.get("id", f"#{no}")), []).append(result)
    return [_label(results, text) for results in regions.values()]


def _results(task: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    done = [an_item(item, "annotations") for item in a_list(task.get("annotations"), "annotations")]
    first = next((item for item in done if not item.get("was_cancelled")), None)
    listed = task.get("label") if first is None else first.get("result")
    items = [an_item(item, "result") for item in a_list(listed, "result")]
    return [item for item in items if item.get("type") != "relation"]


def _label(results: Iterable[Mapping[str, Json]], text: str) -> Label:
    names: list[str] = []
    begin = end = None
    for result in results:
        value = an_item(result.get("value", result), "value")
        names += [name for kind in _NAMES for name in _flat(value.get(kind))]
        match value:
            case {"start": int(first), "end": int(after)}:
                begin, end = first, after
            case {"start": _}:
                raise Unfit("broken_labels", f"wanted whole numbers as start and end, found {inert(str(value))}.")
            case _:
                continue
    term = "" if begin is None or end is None else text[max(begin, 0) : max(end, 0)]
    return named(names, term, begin, end)


def _flat(value: Json) -> Iterator[str]:
    """Names in lists; a path of a taxonomy is one name, its steps joined by #."""
    for item in a_list(value, "names"):
        yield item if isinstance(item, str) else "#".join(str(step) for step in a_list(item, "names"))


# --- writing -----------------------------------------------------------------------------------


def write(rows: Iterable[Labelled]) -> Iterator[str]:
    mark = "[\n"
    for no, row in enumerate(rows, start=1):
        results = [result for number, label in enumerate(row.labels) for result in _results_of(f"r{number}", label)]
        task = {"id": no, "data": {"id": row.id, "text": row.text}, "annotations": [{"result": results}]}
        yield mark + form.dumps(task)
        mark = ",\n"
    yield "\n]\n" if mark == ",\n" else "[]\n"


def _results_of(region: str, label: Label) -> list[dict[str, Json]]:
    name = name_of(label)
    if label.begin is None:
        return [_result(region, "choices", {"choices": [name]})]
    place: dict[str, Json] = {"start": label.begin, "end": label.end, "text": label.aspect_term}
    return [_result(region, "labels", {**place, "labels": [name]})]


def _result(region: str, kind: str, value: Mapping[str, Json]) -> dict[str, Json]:
    return {"id": region, "from_name": "aspect", "to_name": "text", "type": kind, "value": value}
