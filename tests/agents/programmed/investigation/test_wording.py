"""What a question asks for, with the words that a user's folder adds."""

from __future__ import annotations

from pathlib import Path

import pytest

from withstood.agents.programmed.investigation.wording import wording
from withstood.errors import ConfigError


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("why do refunds fail?", "a chargeback was refused"),
        ("환불금이 왜 안 들어오나요?", "def refund(order):"),
        ("why does `pay.py` hang?", "pays"),
    ],
)
def test_kin_and_forms_of_a_word_are_met(question: str, text: str) -> None:
    assert wording(question).met_by(text) > 0
    assert wording(question).met_by("an unrelated giraffe") == 0


def test_a_users_folder_adds_kin(tmp_path: Path) -> None:
    path = tmp_path / "inquiry" / "kin.toml"
    path.parent.mkdir()
    path.write_text('kin = "widget zorglet"\n')
    assert wording("why do widgets fail?").met_by("zorglet") == 0
    assert wording("why do widgets fail?", tmp_path).met_by("zorglet") > 0
    assert wording("why do refunds fail?", tmp_path).met_by("chargeback") > 0


def test_a_folder_that_is_wrong_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "inquiry" / "kin.toml"
    path.parent.mkdir()
    path.write_text("kin = 3\n")
    with pytest.raises(ConfigError, match=r"kin\.toml: at kin"):
        wording("why?", tmp_path)
