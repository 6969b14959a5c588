"""The thesis of a graph, concluded by the table and written in its three forms."""

from __future__ import annotations

from collections.abc import Mapping

from withstood import form
from withstood.claims.graph import Graph
from withstood.protocols import growing
from withstood.report import graph_picture, thesis, thesis_data, thesis_page
from withstood.report.thesis import Matter
from withstood.rules import thesis as rule
from withstood.rules.rulebook import Rulebook

FORMS = ("md", "html", "json", "svg")


def matter(graph: Graph, book: Rulebook, language: str, *, by_programs: bool, stopped: str = "") -> Matter:
    concluded = rule.conclude(graph, book.thesis)
    numbers = book.verification
    return Matter(graph, concluded, numbers.visits, numbers.verify_at, language, by_programs, stopped)


def told(one: Matter, book: Rulebook, kind: str) -> str:
    """The thesis in one of its forms; `svg` is the graph alone."""
    marks = (book.verification.verify_at, book.verification.reject_under)
    match kind:
        case "html":
            return thesis_page.render(one, growing.courses(one.graph, book), marks)
        case "json":
            return form.dumps(thesis_data.data(one, growing.courses(one.graph, book))) + "\n"
        case "svg":
            return graph_picture.svg(one.graph) + "\n"
        case _:
            return thesis.render(one)


def files(one: Matter, book: Rulebook) -> Mapping[str, str]:
    """By name, as they stand in the folder of a research."""
    courses = growing.courses(one.graph, book)
    marks = (book.verification.verify_at, book.verification.reject_under)
    return {
        "thesis.md": thesis.render(one),
        "thesis.html": thesis_page.render(one, courses, marks),
        "thesis.json": form.dumps(thesis_data.data(one, courses)) + "\n",
    }
