"""What the pages of the investigation tell is what there is."""

from __future__ import annotations

import re

from tests.docs import pages
from tests.report.inquests import inquest
from withstood.lexicons import inquiry
from withstood.report import inquest_files


def test_every_field_of_a_report_is_told() -> None:
    page = pages.text("docs/investigate.md").partition("## report.json")[2]
    published = inquest_files.published(inquest())
    told = [name for row in re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    assert set(told) - {"evidence"} == set(published)
    (finding, *_) = published["findings"]  # pyright: ignore[reportGeneralTypeIssues]
    assert all(f"`{name}`" in page for name in [*finding, *finding["evidence"][0]])  # pyright: ignore


def test_every_kind_and_profile_is_told() -> None:
    table = inquiry.agreed().cast
    page = pages.text("docs/investigate.md")
    assert ", ".join(kind.name for kind in table.kinds) in " ".join(page.split())
    protocol = pages.text("docs/protocols/investigation.md")
    for profile in table.profiles:
        assert f"`{profile.name}` ({profile.investigators}, {profile.passes}" in protocol


def test_every_table_of_the_investigation_is_linked() -> None:
    page = pages.text("docs/protocols/investigation.md")
    for name in ("casting", "citation", "grouping", "classification", "revision", "judgement", "ranking"):
        assert f"{name}-1" in page
