"""Secrets are covered, whole and in place; ordinary words are not, and odd texts cost no time."""

from __future__ import annotations

import random
import re
import string
import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.redaction import COVER, PATTERNS, redact

DRAW = random.Random(7)


def of(alphabet: str, length: int) -> str:
    return "".join(DRAW.choice(alphabet) for _ in range(length))


LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BLOCK = "-----BEGIN {0}PRIVATE KEY{1}-----\n" + of(LETTERS, 64) + "\n-----END {0}PRIVATE KEY{1}-----"

WHOLE = (
    BLOCK.format("RSA ", ""),
    BLOCK.format("PGP ", " BLOCK"),
    "eyJ" + ".".join((of(LETTERS, 20), of(LETTERS, 40), of(LETTERS, 43))),
    "AKIA" + of(string.ascii_uppercase, 16),
    "AIza" + of(LETTERS, 35),
    "ya29." + of(LETTERS, 60),
    "dapi" + of(HEX, 32),
    "dop_v1_" + of(HEX, 64),
    "sk-" + of(LETTERS, 48),
    "sk-ant-" + "api03-" + of(LETTERS, 90),
    "hf_" + of(LETTERS, 34),
    "gsk_" + of(LETTERS, 52),
    "ghp_" + of(LETTERS, 36),
    "github_pat_" + of(LETTERS, 82),
    "glpat-" + of(LETTERS, 20),
    "npm_" + of(LETTERS, 36),
    "pypi-" + of(LETTERS, 150),
    "xoxb-" + of(string.digits, 12) + "-" + of(LETTERS, 24),
    "sk_live_" + of(LETTERS, 24),
    "whsec_" + of(LETTERS, 32),
    "SG." + of(LETTERS, 22) + "." + of(LETTERS, 43),
    "AC" + of(HEX, 32),
    "shpat_" + of(HEX, 32),
    "xapp-1-" + of(LETTERS, 40),
    "M" + of(LETTERS, 25) + "." + of(LETTERS, 6) + "." + of(LETTERS, 38),
    of(string.digits, 9) + ":AA" + of(LETTERS, 33),
)
INSIDE = (
    ("postgres://reader:{}@db.example/x", "p4ss!w0rd"),
    ("Authorization: Bearer {}", of(LETTERS, 30)),
    ("Authorization: Basic {}", of(LETTERS, 20)),
    ("AWS_SECRET_ACCESS_KEY={}", of(LETTERS, 40)),
    ("AccountKey={};", of(LETTERS, 86) + "=="),
    ('"api_key": "{}"', of(LETTERS, 24)),
    ("https://hooks.slack.com/services/{}", of(LETTERS, 40)),
)


@pytest.mark.parametrize("secret", WHOLE, ids=lambda secret: secret[:10])
@pytest.mark.parametrize("around", ["{}", "키는 {} 입니다", "key={}, thanks", "({})\n", "'{}'"])
def test_a_secret_is_covered_and_its_length_stays(secret: str, around: str) -> None:
    text = around.format(secret)
    covered, count = redact(text)
    assert (len(covered), count) == (len(text), 1)
    assert covered == around.format(hidden(secret))


def hidden(secret: str) -> str:
    """Line breaks stay, so that every line keeps its number."""
    return "\n".join(COVER * len(line) for line in secret.split("\n"))


@pytest.mark.parametrize(("around", "secret"), INSIDE)
def test_the_words_around_a_secret_stay(around: str, secret: str) -> None:
    assert redact(around.format(secret)) == (around.format(COVER * len(secret)), 1)


def test_every_pattern_has_a_secret_that_it_finds() -> None:
    texts = [*WHOLE, *(around.format(secret) for around, secret in INSIDE)]
    assert [pattern.pattern for *_, pattern in PATTERNS if not any(pattern.search(text) for text in texts)] == []


def test_a_key_block_that_never_ends_is_covered_to_the_end() -> None:
    text = "look: -----BEGIN PRIVATE KEY-----\n" + of(LETTERS, 64) + " and more"
    assert redact(text) == ("look: " + hidden(text[6:]), 1)


@pytest.mark.parametrize(
    "text",
    [
        "배송이 정말 빨라서 좋았어요!!!!!!!!!!!!!!!!!!!!!!!!",
        "The supercalifragilisticexpialidocious-looking token of love, https://example.com/a/b?c=d#e is fine.",
        "------------------------------------------------",
        "Ask for skin-care-products-for-sensitive-people at the desk; the secret: good coffee.",
        "password: easy to remember",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact(text) == (text, 0)


@given(st.text(max_size=200))
def test_any_text_keeps_its_length(text: str) -> None:
    covered, count = redact(text)
    assert len(covered) == len(text)
    assert (covered == text) == (count == 0)


@given(st.sampled_from(WHOLE), st.text(st.characters(categories=("Zs", "Po", "Lo")), max_size=30))
def test_covering_twice_changes_nothing_more(secret: str, around: str) -> None:
    once, _ = redact(f"{around} {secret} {around}")
    assert redact(once) == (once, 0)


@pytest.mark.parametrize(
    "piece",
    ["a", "eyJ", "eyJ-", "://", "a://b:", "-----BEGIN PRIVATE KEY-----", "sk-", "bearer ", "token=", "xoxb-a.", "0"],
)
def test_hostile_texts_cost_linear_time(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        return min(timeit.repeat(lambda: redact(text), number=1, repeat=3))

    assert seconds(400_000) < 12 * seconds(100_000) + 0.05
    assert seconds(400_000) < 2


def test_an_ordinary_review_costs_microseconds() -> None:
    text = "The battery life is great, but the screen scratches far too easily and support never answered my mails." * 2
    assert min(timeit.repeat(lambda: redact(text), number=2000, repeat=5)) / 2000 < 25e-6


def test_the_table_names_every_kind() -> None:
    from withstood.sources import redaction

    named = set(re.findall(r"^\| ([\w ]+?) \|", redaction.__doc__ or "", re.M)) - {"kind"}
    assert named == {kind for kind, *_ in PATTERNS}


@given(st.lists(st.sampled_from([*WHOLE, *(around.format(one) for around, one in INSIDE), "key token ", "://", "\n"])))
def test_marks_pass_over_nothing(parts: list[str]) -> None:
    for text in (" ".join(parts), "".join(parts)):
        found = [(kind, marks) for kind, marks, pattern in PATTERNS if marks and pattern.search(text)]
        assert all(any(mark in text.lower() for mark in marks) for _, marks in found)
