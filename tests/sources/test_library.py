"""Folders of documents: read as text, indexed by terms, found in Korean and English."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.pdfs import pdf
from withstood.errors import InputError
from withstood.sources import documents, morphemes, terms
from withstood.sources.documents import NotADocument
from withstood.sources.library import Library

PAGE = """<html><head><title>On caching</title><style>p {color: red}</style></head><body><nav>Home</nav>
<h1>On caching</h1><p>Caching   halves the <b>cost</b> of search.</p><script>alert("no")</script>
<ul><li>first</li><li>second &amp; last</li></ul></body></html>"""


def found(library: Library, query: str, *, deep: bool = True) -> list[str]:
    return [source.url for source in asyncio.run(library.find(query, "en", deep=deep)).sources]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "rag.md").write_text("# Retrieval\n\nRetrieval answers questions about fresh documents.\n")
    (tmp_path / "notes" / "tuning.rst").write_text("Fine-tuning\n===========\n\nTuning a model costs hours.\n")
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "paper.pdf").write_bytes(pdf("Pruning removes weights", "without losing accuracy.", title="Pruning"))
    (tmp_path / "한글.txt").write_text("검색 증강 생성은 최신 문서에서 답을 찾는다. 미세조정보다 비용이 적게 든다.")
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of the kind")
    return tmp_path


def test_every_kind_is_read_and_found(folder: Path) -> None:
    library = Library(folder)
    for query, path in (
        ("fresh documents retrieval", "notes/rag.md"),
        ("how long does tuning a model take", "notes/tuning.rst"),
        ("caching cost", "page.html"),
        ("pruning weights", "paper.pdf"),
        ("미세조정의 비용", "한글.txt"),
        ("검색증강", "한글.txt"),
    ):
        assert found(library, query)[0] == path, query
    assert library.documents == 5
    library.close()


def test_what_is_not_read_is_told_once(folder: Path) -> None:
    library = Library(folder)
    first = asyncio.run(library.find("x", "en", deep=True)).skipped
    assert {one.url for one in first} == {"data.csv", "empty.md", "broken.pdf"}
    assert all(one.why for one in first)
    assert not asyncio.run(library.find("x", "en", deep=True)).skipped
    library.close()


@pytest.mark.parametrize("query", ["", "   ", '" OR 1', "the of and", "a*b(c)", "NEAR(x y)", "zzzz"])
def test_any_query_is_answered(folder: Path, query: str) -> None:
    library = Library(folder)
    assert isinstance(found(library, query), list)
    library.close()


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b\n")
    with pytest.raises(InputError, match="no document"):
        asyncio.run(Library(tmp_path).find("x", "en", deep=True))
    with pytest.raises(InputError, match="no folder"):
        asyncio.run(Library(tmp_path / "none").find("x", "en", deep=True))


def test_links_lead_nowhere(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("the launch code is 1234")
    (folder / "link.md").symlink_to(outside)
    library = Library(folder)
    assert not any("link" in path for path in found(library, "launch code"))
    library.close()


def test_a_copy_is_told(folder: Path) -> None:
    text = "Retrieval finds passages first and then a model writes the answer from what the passages say. " * 4
    (folder / "a.md").write_text(text + "\n\n" + " ".join(f"word{no}" for no in range(60)))
    (folder / "b.txt").write_text("A preface. " + text + " ".join(f"word{no}" for no in range(60)))
    library = Library(folder)
    sources = asyncio.run(library.find("passages word7 word8", "en", deep=True)).sources
    copies = {source.url: source.copy_of for source in sources}
    assert sorted([copies["a.md"], copies["b.txt"]]) in (["", "a.md"], ["", "b.txt"])
    library.close()


def test_what_is_too_large_or_secret_is_told_and_the_rest_is_read(folder: Path) -> None:
    with (folder / "dump.txt").open("wb") as stream:
        stream.truncate(1 << 30)
    (folder / "page.bin").write_bytes(bytes(range(256)))
    (folder / ".env").write_text("KEY=1")
    (folder / "odd.html").write_text("<p>before <![<odd ]> after</p>")
    library = Library(folder)
    told = {one.url: one.why for one in asyncio.run(library.find("x", "en", deep=True)).skipped}
    assert "larger than 32 MiB" in told["dump.txt"]
    assert "none of the kinds" in told["page.bin"]
    assert told["1 of the folder"] == "its name is that of a file of keys"
    assert "before" in next(s.text for s in asyncio.run(library.find("before", "en", deep=True)).sources)
    library.close()


def test_a_folder_of_broken_documents_says_what_is_wrong_with_them(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "b.md").write_text("  ")
    with pytest.raises(InputError, match=r"a\.pdf: the PDF cannot be read.*b\.md: there is no text"):
        asyncio.run(Library(tmp_path).find("x", "en", deep=True))


# --- documents ---------------------------------------------------------------------------------


def test_a_page_is_what_a_reader_sees() -> None:
    found = documents.read("a.html", PAGE.encode())
    assert found.title == "On caching"
    assert found.text.split("\n\n") == ["On caching", "Caching halves the cost of search.", "first", "second & last"]


@pytest.mark.parametrize(
    "broken", ["<p>open <b>never closed", "<script>only", "<<<>>>&#x;", "</p></div>text", "<title>t"]
)
def test_broken_pages_do_no_harm(broken: str) -> None:
    try:
        documents.read("a.html", broken.encode())
    except NotADocument as fault:
        assert "no text" in str(fault)


def test_a_pdf_is_read_by_another_process() -> None:
    found = documents.read(
        "a.pdf", pdf("One line of text", "and (another)".replace("(", "").replace(")", ""), title="T")
    )
    assert found.title == "T"
    assert found.text.split() == "One line of text and another".split()


@pytest.mark.parametrize("raw", [b"", b"%PDF-1.7", b"\x00" * 4096, pdf("x")[:200]])
def test_what_is_no_pdf_is_told(raw: bytes) -> None:
    with pytest.raises(NotADocument):
        documents.read("a.pdf", raw)


def test_secrets_are_covered() -> None:
    secret = "sk-abcdefghijklmnopqrstuvwx1234567890abcd"
    assert secret not in documents.read("a.md", f"# key\n\nOur key is {secret}.".encode()).text


@given(
    st.lists(st.sampled_from(["<![", "]]>", "<!", "--", "<?", "<p", ">", "&#", "<script", "</", "CDATA["]), max_size=12)
)
def test_any_page_is_read(bits: list[str]) -> None:
    assert isinstance(documents.of_html("".join(bits).encode()), tuple)


def test_the_first_heading_is_the_title() -> None:
    for text, title in (("# One\n\ntext", "One"), ("Two\n---\n\ntext", "Two"), ("no heading", "a")):
        assert documents.read("folder/a.md", text.encode()).title == title


# --- terms -------------------------------------------------------------------------------------


def test_terms_of_both_languages() -> None:
    assert terms.terms("Caching costs, studies stopped") == ["cach", "cost", "study", "stopp"]
    assert terms.terms("검색증강 생성") == ["검색", "색증", "증강", "생성"]
    assert terms.telling("What is the cost of the cost?") == ["cost"]
    assert terms.telling("the of") == ["the", "of"]


def test_korean_is_cut_as_somebody_says() -> None:
    assert terms.terms("Cost 미세조정보다 검색", lambda word: [word[:2].upper()]) == ["cost", "미세", "검색"]


def test_morphemes_find_what_pairs_do_not(tmp_path: Path) -> None:
    pytest.importorskip("kiwipiepy_model")
    cut = morphemes.cut()
    assert cut is not None
    assert terms.terms("미세조정보다 우수하였다", cut) == ["미세", "조정", "우수"]
    (tmp_path / "a.md").write_text("새 색인을 만들었더니 답이 빨라졌다.")
    (tmp_path / "b.md").write_text("만두를 먹었다.")
    library = Library(tmp_path)
    assert library.name.endswith("(kiwi)")
    assert found(library, "색인 만들기") == ["a.md"]
    library.close()


@given(st.text(max_size=80))
def test_terms_are_of_the_text_however_it_is_composed(text: str) -> None:
    import unicodedata

    assert terms.terms(unicodedata.normalize("NFD", text)) == terms.terms(unicodedata.normalize("NFC", text))
