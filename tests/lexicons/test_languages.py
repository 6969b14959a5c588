"""Which language a text is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.lexicons import detect

CASES = {
    "ko": [
        "향이 좋아요",
        "굿",
        "ㅋㅋㅋ",
        "Innisfree Green Tea Seed Serum 굿",
        "LEXMA 블루투스 마우스 USB-C",
        "이 제품 진짜 최고 good",
        "日本 브랜드라 걱정했는데 괜찮아요",
    ],
    "en": [
        "The food was great",
        "good",
        "Great.",
        "iPhone 13 Pro",
        "We ordered the 김치 and it was very good with the rice",
        "The crème brûlée was divine and the café is lovely",
    ],
    "other": [
        "",
        "!!! 123",
        "\U0001f44d\U0001f44d",
        "これはとても美味しいです",
        "质量很好，推荐",
        "Очень хороший товар",
        "สินค้าดีมาก",
        "Das Essen ist sehr gut und der Service auch",
        "Très bon produit, je recommande",
        "La comida estaba muy buena",
        "Il cibo è ottimo, molto buono",
        "De bediening is zeer goed",
        "Çok güzel bir ürün",
    ],
}


@pytest.mark.parametrize(
    ("text", "language"), [(text, language) for language, texts in CASES.items() for text in texts]
)
def test_tells(text: str, language: str) -> None:
    assert detect(text) == language


@given(st.text())
def test_any_text_has_one_of_three(text: str) -> None:
    assert detect(text) in ("ko", "en", "other")


@given(st.text(alphabet=st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1), st.text(" .,!~^0123"))
def test_hangul_alone_is_korean(hangul: str, around: str) -> None:
    assert detect(around + hangul + around) == "ko"
