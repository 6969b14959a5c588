"""From a name to a model: which adapter, which key, which price, and what is said where something is missing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.models.calls import SECRET, settings
from withstood import form
from withstood.errors import ConfigError, KeyRefused, WithstoodError
from withstood.models.anthropic_messages import AnthropicMessages
from withstood.models.gatherer import Gatherer
from withstood.models.google_generate import GoogleGenerate
from withstood.models.names import known, most_tokens, open_model
from withstood.models.openai_chat import OpenAIChat
from withstood.models.port import Model, Price
from withstood.models.settings import Endpoint, Settings

VARIABLES: tuple[str, ...] = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY")
ALL_KEYS: dict[str, str] = dict.fromkeys(VARIABLES, SECRET)


def opened(spec: str, with_settings: Settings | None = None) -> Model:
    model = open_model(spec, with_settings or settings(environment=ALL_KEYS))
    asyncio.run(model.close())
    return model


@pytest.mark.parametrize(
    ("spec", "kind", "price"),
    [
        ("openai:gpt-4.1", OpenAIChat, None),
        ("anthropic:claude-x", AnthropicMessages, None),
        ("google:gemini-x", GoogleGenerate, None),
        ("ollama:qwen3:8b", OpenAIChat, Price()),
        ("http://localhost:8000/v1#some/model", OpenAIChat, Price()),
        ("http://127.9.9.9/v1#m", OpenAIChat, Price()),
        ("http://[::1]:8000/v1#m", OpenAIChat, Price()),
        ("https://127.example.org/v1#m", OpenAIChat, None),
    ],
)
def test_names(spec: str, kind: type, price: Price | None) -> None:
    model = opened(spec)
    assert (type(model), model.name, model.price) == (kind, spec, price)


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("openai:m", ["OPENAI_API_KEY"]),
        ("anthropic:m", ["ANTHROPIC_API_KEY"]),
        ("google:m", ["GOOGLE_API_KEY", "GEMINI_API_KEY"]),
        ("mine:m", ["MY_KEY"]),
    ],
)
def test_a_missing_key_is_told_by_its_variable(spec: str, wanted: list[str]) -> None:
    with pytest.raises(KeyRefused) as caught:
        open_model(spec, settings(mine=Endpoint(url="https://host/v1", key_env="MY_KEY")))
    assert [name for name in wanted if name not in str(caught.value)] == []


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
def test_google_takes_either_variable(variable: str) -> None:
    opened("google:m", settings(environment={variable: SECRET}))


def test_a_keyring_is_asked_where_the_environment_has_none() -> None:
    asked: list[str] = []

    def keyring(variable: str) -> str | None:
        asked.append(variable)
        return SECRET

    opened("openai:m", Settings(environment={}, keyring=keyring))
    assert asked == ["OPENAI_API_KEY"]
    opened("openai:m", Settings(environment=ALL_KEYS, keyring=keyring))
    assert asked == ["OPENAI_API_KEY"]


@pytest.mark.parametrize("bad", ["two words", "line\nbreak", "ключ", "\x7f"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(bad: str) -> None:
    with pytest.raises(KeyRefused) as caught:
        open_model("openai:m", settings(environment={"OPENAI_API_KEY": bad}))
    assert bad not in str(caught.value) and "OPENAI_API_KEY" in str(caught.value)


def test_an_address_of_ones_own_gets_no_key_unless_it_names_one() -> None:
    opened("mine:m", settings(mine=Endpoint(url="https://host/v1")))
    opened("https://host/v1#m", settings())


@pytest.mark.parametrize(
    "spec",
    [
        "http://user:pw123456@host/v1#m",
        "https://host/v1?key=pw123456#m",
        "https:///v1#m",
        "https://host/v1",
        "https://host/v1#",
        "https://[bad/v1#m",
        "https://host:99999/v1#m",
    ],
)
def test_addresses_that_are_none(spec: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_model(spec, settings())
    assert "pw123456" not in str(caught.value)


@pytest.mark.parametrize("spec", ["openai:", "openai", "ollama:a b", "anthropic:a\nb", "scripted:", "claude:-p"])
def test_a_model_needs_a_name(spec: str, tmp_path: Path) -> None:
    command = tmp_path / "claude"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    with pytest.raises(ConfigError):
        open_model(spec, settings(environment={**ALL_KEYS, "PATH": str(tmp_path)}))


def test_an_unknown_provider_is_told_what_there_is() -> None:
    with pytest.raises(ConfigError) as caught:
        open_model("opanai:m", settings(mine=Endpoint(url="https://host/v1")))
    for name in ("opanai", "openai", "anthropic", "google", "ollama", "claude", "scripted", "mine"):
        assert name in str(caught.value)


def test_a_configured_endpoint() -> None:
    read = form.read(Endpoint, {"kind": "anthropic", "price_in": "3", "price_out": "15.5", "most_tokens": 9000})
    found = settings(environment=ALL_KEYS, dear=read)
    model = opened("dear:m", found)
    assert type(model) is AnthropicMessages
    assert model.price == Price(Decimal(3), Decimal("15.5"))
    assert (most_tokens("dear:m", found), most_tokens("openai:m", found), most_tokens("http://x/v1#m", found)) == (
        9000,
        2048,
        2048,
    )


def test_an_endpoint_goes_before_a_built_in() -> None:
    model = opened("openai:m", settings(openai=Endpoint("google", url="https://host/v1")))
    assert type(model) is GoogleGenerate


def test_half_a_price_is_none() -> None:
    with pytest.raises(ConfigError, match="both"):
        open_model("mine:m", settings(mine=Endpoint(url="https://host/v1", price_in=Decimal(1))))


@pytest.mark.parametrize("bad", [{"kind": "cohere"}, {"price_in": -1}, {"most_tokens": 0}, {"key": "sk-1"}])
def test_a_wrong_endpoint_is_refused_by_its_place(bad: dict[str, Any]) -> None:
    with pytest.raises(WithstoodError):
        form.read(Endpoint, bad)


def plugin(folder: Path, target: str) -> None:
    """A distribution that offers a model, as an installed one would."""
    (folder / "pluggedin.py").write_text("def make(rest, settings):\n    return ('made', rest, settings)\n")
    info = folder / "pluggedin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pluggedin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[withstood.models]\nplug = {target}\n")


def test_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin(tmp_path, "pluggedin:make")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = settings()
    assert open_model("plug:the:rest", found) == ("made", "the:rest", found)
    assert "plug" in [one.name for one in known(found)]


def test_an_entry_point_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin(tmp_path, "pluggedout:make")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="pluggedout"):
        open_model("plug:x", settings())


def test_what_is_known_says_what_it_needs() -> None:
    found = {one.name: one for one in known(settings(environment={"OPENAI_API_KEY": SECRET}))}
    assert found["openai"].needs == "" and "ANTHROPIC_API_KEY" in found["anthropic"].needs
    assert found["ollama"].needs == "" and "127.0.0.1" in found["ollama"].leads_to
    assert SECRET not in str(found)


HOUSE = Endpoint(url="https://host/v1", batch=True, price_in=Decimal(3), price_out=Decimal(15))


@pytest.mark.parametrize(
    ("spec", "most"), [("batch:openai:m", 2048), ("batch:anthropic:m", 2048), ("batch:house:m", 9)]
)
def test_models_by_their_batch_endpoints(spec: str, most: int) -> None:
    found = settings(environment=ALL_KEYS, house=replace(HOUSE, most_tokens=9))
    model = opened(spec, found)
    assert type(model) is Gatherer and model.name == spec
    assert most_tokens(spec, found) == most


@pytest.mark.parametrize(
    "spec", ["google:m", "ollama:m", "plain:m", "http://h/v1#m", "scripted:f", "claude", "gemini:m", "nobody:m"]
)
def test_models_that_take_no_batches(spec: str) -> None:
    plain, gemini = Endpoint(url="https://host/v1"), Endpoint("google", batch=True)
    with pytest.raises(ConfigError, match="batch = true"):
        open_model(f"batch:{spec}", settings(environment=ALL_KEYS, plain=plain, gemini=gemini))


def test_a_batch_needs_its_key_too() -> None:
    with pytest.raises(KeyRefused):
        open_model("batch:openai:m", settings())


def test_a_batch_costs_half_or_what_is_said() -> None:
    assert opened("batch:house:m", settings(house=HOUSE)).price == Price(Decimal("1.5"), Decimal("7.5"))
    said = replace(HOUSE, batch_price_in=Decimal(1), batch_price_out=Decimal(2))
    assert opened("batch:house:m", settings(house=said)).price == Price(Decimal(1), Decimal(2))
    assert opened("house:m", settings(house=said)).price == Price(Decimal(3), Decimal(15))
    unknown = Endpoint(url="https://host/v1", batch=True)
    assert opened("batch:house:m", settings(house=unknown)).price is None
    with pytest.raises(ConfigError, match="batch_price_in and batch_price_out"):
        open_model("batch:house:m", settings(house=replace(HOUSE, batch_price_in=Decimal(1))))
