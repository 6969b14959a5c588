"""Dossiers and charts show text as text, and tell every step once."""

from __future__ import annotations

from decimal import Decimal
from xml.etree import ElementTree

from withstood.report import chart_picture, dossier
from withstood.report.chart import Chart, Curve
from withstood.report.dossier import Case, Dossier, Fired
from withstood.report.what_if import Changed, Flip, Search, SettingFlip, WhatIf
from withstood.verdict import MinorityOpinion, Ruling, Step

HOSTILE = "<script>alert(1)</script> | [x](javascript:1) `a` \x1b[31m \u202e"
CASE = Case("run-1", "cr-v2", "published", "ab" * 32, "cd" * 32)
NOTHING = Search((), 2, True, 3)


def hostile() -> Dossier:
    step = Step("arbiter-v2", HOSTILE, Ruling(HOSTILE, "3a", HOSTILE), (HOSTILE,), (MinorityOpinion("B", HOSTILE),))
    flip = Flip((Changed(HOSTILE, "vote", HOSTILE, HOSTILE),), HOSTILE)
    supposed = WhatIf(
        HOSTILE,
        None,
        HOSTILE,
        1,
        Search((flip,), 1, True, 1),
        NOTHING,
        (SettingFlip("mass.gap", "3", "4", HOSTILE),),
        1,
    )
    fired = (Fired(step, HOSTILE, (("mass.gap", "3"),)),)
    return Dossier(HOSTILE, HOSTILE, HOSTILE, fired, (("C", HOSTILE),), supposed, HOSTILE)


def test_a_page_shows_text_as_text() -> None:
    page = dossier.as_page(CASE, [hostile()], left_out=3)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page and "\u202e" not in page
    assert "3 more are not shown" in page
    assert "mass.gap=3" in page and "mass.gap: 3 → 4" in page


def test_markdown_shows_text_as_text() -> None:
    text = "".join(dossier.as_markdown(CASE, [hostile()]))
    told, _, supposed = text.partition("```text")
    assert "<script" not in told.replace("\\<", "")
    assert "](javascript" not in told.replace(r"\]", "")
    assert "\x1b" not in text and "\u202e" not in text
    rows = [line for line in told.splitlines() if line.startswith("| arbiter")]
    assert [row.replace(r"\|", "").count("|") for row in rows] == [7]
    assert supposed.rstrip().endswith("```")


def test_a_chart_is_whole_and_inert() -> None:
    points = tuple([(Decimal(no), Decimal(no) / 3) for no in range(4)])
    chart = Chart(HOSTILE, HOSTILE, HOSTILE, (Curve(HOSTILE, points), Curve("one", points[:1])), diagonal=True)
    drawn = chart_picture.svg(chart)
    root = ElementTree.fromstring(drawn)
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    lines = [element for element in root.iter() if element.tag.endswith("polyline")]
    assert len(lines[0].attrib["points"].split()) == 4


def test_a_chart_of_one_value_has_a_place_for_it() -> None:
    flat = Chart("t", "x", "y", (Curve("c", ((Decimal(1), Decimal(2)),)),))
    assert '<circle class="c0" cx="56.0" cy="260.0"' in chart_picture.svg(flat)
