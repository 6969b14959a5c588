"""Where documents came from: the first row that fits, and every row that is wrong by its place."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.claims import address
from withstood.errors import InputError
from withstood.sources import origins
from withstood.sources.library import Library
from withstood.sources.origins import Origin

ROWS = (
    Origin("papers/rag.pdf", "https://arxiv.org/abs/2005.11401"),
    Origin("papers/*.pdf", "https://doi.org/10.1000/182"),
    Origin("manual/", "https://docs.example.org/docs/v2/"),
)


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("papers/rag.pdf", "https://arxiv.org/abs/2005.11401"),
        ("papers/other.pdf", "https://doi.org/10.1000/182"),
        ("papers/deep/er.pdf", "https://doi.org/10.1000/182"),
        ("manual/a b/설치.md", "https://docs.example.org/docs/v2/a%20b/%EC%84%A4%EC%B9%98.md"),
        ("manual.md", None),
        ("rag.pdf", None),
    ],
)
def test_the_first_row_that_fits_decides(path: str, url: str | None) -> None:
    assert origins.place(ROWS, path) == url


@given(st.text(min_size=1, max_size=40))
def test_whatever_a_path_is_its_address_is_of_the_owner_that_was_named(path: str) -> None:
    url = origins.place((Origin("manual/", "https://docs.example.org/v2"),), f"manual/{path}")
    assert address.domain(url) == "example.org"


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "origins.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_a_table_is_read_whoever_wrote_it(tmp_path: Path, encoding: str) -> None:
    text = 'URL,note,Path\r\nhttps://arxiv.org/abs/1,"a, b",./논문/*.md\r\n'
    assert origins.read(written(tmp_path, text.encode(encoding))) == (Origin("논문/*.md", "https://arxiv.org/abs/1"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "wanted the columns path,url, found nothing"),
        ("path;url\na;b\n", "wanted the columns path,url, found path;url"),
        ("path,url\n", "has no row"),
        ("path,url\na.md,https://x.org\nb.md,arxiv.org/x\n", "origins.csv:3: wanted an address"),
        ("path,url\na.md,file:///etc/passwd\n", "wanted an address"),
        ("path,url\na.md\n", "wanted an address"),
        ("path,url\n,https://x.org\n", "wanted a path"),
        ("path,url\n../a.md,https://x.org\n", "wanted a path below the folder"),
        ("path,url\n/a.md,https://x.org\n", "wanted a path below the folder"),
        ("path,url\n" + "a.md,x\n" * 30, "and 20 more"),
    ],
)
def test_a_table_that_is_wrong_is_refused_with_the_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        origins.read(written(tmp_path, text))


def test_no_table_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the origins"):
        origins.read(tmp_path / "none.csv")


def test_a_document_stands_under_its_address(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("source: https://arxiv.org/abs/9999\n\nCaching makes read requests faster.\n")
    (tmp_path / "b.md").write_text("Nothing is told of where this came from, says caching.\n")
    library = Library(tmp_path, origins=(Origin("a.md", "https://dev.to/a"), Origin("c.md", "https://x.org")))
    found = asyncio.run(library.find("caching", "en", deep=False))
    assert {(one.url, one.file) for one in found.sources} == {("https://dev.to/a", "a.md"), ("b.md", "")}
    assert [one.url for one in found.skipped] == ["origins: c.md"]
