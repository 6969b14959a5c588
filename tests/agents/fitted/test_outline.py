"""What a text is laid out as: by token, whatever the tokens of the lexicon are."""

from __future__ import annotations

import pytest

from tests.agents.fitted import learned


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("great ice cream here", ("", "Bfood", "Ifood", "")),
        ("cream of ice cream", ("Bfood", "", "Bfood", "Ifood")),
        ("the maitre d' waited", ("", "Bstaff", "Istaff", "", "")),
        ("wi-fi", ("Bconnectivity", "Iconnectivity", "Iconnectivity")),
        ("포장이 좋아요", ("Bpackage", "", "")),
        ("", ()),
    ],
)
def test_nouns_of_the_lexicon_are_found_the_longest_first(text: str, names: tuple[str, ...]) -> None:
    assert learned.outline(text).names == names


def test_a_text_of_another_language_has_no_names() -> None:
    assert learned.outliner().outline("der Kellner war nett", "other").names == ("", "", "", "")
