"""From a name on the command line to a model that is ready to be called.

| name | model |
|---|---|
| `openai:MODEL`, `anthropic:MODEL`, `google:MODEL` | the provider, with the key from its variable |
| `ollama:MODEL` | Ollama on this machine |
| `claude`, `claude:MODEL` | the `claude` command |
| `NAME:MODEL` | an endpoint of the configuration |
| `http(s)://HOST/v1#MODEL` | any server that speaks chat completions, without a key |
| `scripted:FILE` | answers from a file |
| `PLUGIN:REST` | an entry point of the group `withstood.models` |
| `batch:NAME` | the batch endpoint of OpenAI, of Anthropic, or of an endpoint of the configuration that has one |

An endpoint of the configuration goes before a built-in of the same name, and both before an entry point.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from withstood import plugins
from withstood.errors import ConfigError, WithstoodError
from withstood.models import keys, results
from withstood.models.anthropic_batches import AnthropicBatches
from withstood.models.anthropic_messages import VERSION, AnthropicMessages
from withstood.models.claude_command import ClaudeCommand
from withstood.models.gatherer import Gatherer, Terms
from withstood.models.google_generate import GoogleGenerate
from withstood.models.keys import Key
from withstood.models.openai_batches import OpenAIBatches
from withstood.models.openai_chat import OpenAIChat
from withstood.models.port import PREFIX, Model, Price
from withstood.models.scripted import Scripted
from withstood.models.settings import MOST_TOKENS, Endpoint, Kind, Settings
from withstood.models.wire import Address, Wire

BUILT_IN: dict[str, Endpoint] = {
    "openai": Endpoint("openai"),
    "anthropic": Endpoint("anthropic"),
    "google": Endpoint("google"),
    "ollama": Endpoint("openai", url="http://127.0.0.1:11434/v1"),
}
URLS: dict[Kind, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}
KEYS: dict[Kind, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
# Newer models refuse a temperature, so only names that are known to take one get it.
TEMPERATURE: dict[Kind, tuple[str, ...]] = {
    "openai": ("gpt-4", "gpt-3.5", "chatgpt-4o"),
    "anthropic": (
        *("claude-3", "claude-sonnet-4", "claude-haiku-4"),
        *(f"claude-opus-4-{minor}" for minor in ("0", "1", "2", "5", "6")),
    ),
    "google": ("",),
}


@dataclass(frozen=True, slots=True)
class Known:
    """One name that may stand before the colon: where it leads, and what it still needs (empty: it is ready)."""

    name: str
    kind: str
    leads_to: str
    needs: str = ""


def open_model(spec: str, settings: Settings) -> Model:
    """The model of that name. A missing key, part or file is said now, before anything starts."""
    if spec.startswith(PREFIX):
        return _in_batches(spec.removeprefix(PREFIX), settings)
    if spec.startswith(("http://", "https://")):
        return _at_address(spec, settings)
    name, _, rest = spec.partition(":")
    if name in settings.endpoints:
        return _at_endpoint(name, rest, settings.endpoints[name], settings)
    if name in BUILT_IN:
        return _at_endpoint(name, rest, BUILT_IN[name], settings)
    if name in _OTHERS:
        return _OTHERS[name](rest, settings)
    return _plugged(name, rest, settings)


def is_ours(spec: str, endpoints: Collection[str]) -> bool:
    """Whether the name leads to a model without any entry point."""
    name = spec.partition(":")[0]
    return name in ("http", "https", "batch") or name in endpoints or name in BUILT_IN or name in _OTHERS


def most_tokens(spec: str, settings: Settings) -> int:
    """How long an answer of this model may become: as its endpoint says, else the default."""
    spec = spec.removeprefix(PREFIX)
    name = "" if spec.startswith(("http://", "https://")) else spec.partition(":")[0]
    return settings.endpoints[name].most_tokens if name in settings.endpoints else MOST_TOKENS


def known(settings: Settings) -> tuple[Known, ...]:
    """Every name that `open_model` takes, with what is missing for it."""
    endpoints = {**BUILT_IN, **settings.endpoints}
    found = [_known(name, endpoint, settings) for name, endpoint in sorted(endpoints.items())]
    command = "" if _command(settings) else "the command `claude` on PATH"
    found.append(Known("claude", "command", _command(settings) or "claude", command))
    found.append(Known("scripted", "file", "FILE"))
    taken = {one.name for one in found}
    brought = plugins.names(plugins.MODELS).items()
    return (*found, *(Known(name, "plugin", place) for name, place in brought if name not in taken))


def _known(name: str, endpoint: Endpoint, settings: Settings) -> Known:
    try:
        _key(name, endpoint, settings)
        needs = ""
    except WithstoodError as fault:
        needs = str(fault)
    return Known(name, endpoint.kind, endpoint.url or URLS[endpoint.kind], needs)


# --- over HTTP ---------------------------------------------------------------------------------


def _at_address(spec: str, settings: Settings) -> Model:
    url, _, model = spec.partition("#")
    _check(spec, url, model)
    return _open(spec, model, Endpoint("openai", url=url), None, settings)


def _at_endpoint(
    name: str, model: str, endpoint: Endpoint, settings: Settings
) -> OpenAIChat | AnthropicMessages | GoogleGenerate:
    _check(f"{name}:{model}", endpoint.url or URLS[endpoint.kind], model)
    return _open(f"{name}:{model}", model, endpoint, _key(name, endpoint, settings), settings)


def _in_batches(spec: str, settings: Settings) -> Model:
    name, _, model = spec.partition(":")
    endpoint = settings.endpoints.get(name) or BUILT_IN.get(name)
    if endpoint is None or endpoint.kind == "google" or not _takes_batches(endpoint):
        raise ConfigError(
            f"{spec} takes no batches as far as we know: openai:MODEL and anthropic:MODEL do, and an endpoint of your "
            "configuration that speaks their wire and has batch = true. Name such a model, or leave --batch out."
        )
    chat = _at_endpoint(name, model, endpoint, settings)
    assert not isinstance(chat, GoogleGenerate)
    url, key = _url(endpoint), _key(name, endpoint, settings)
    address = Address(chat.name, url, _headers(endpoint.kind, key), key)
    wire = Wire(address, deadline=settings.deadline, in_flight=_LINES, most_bytes=results.MOST_BYTES)
    batches = OpenAIBatches(chat.name, wire) if endpoint.kind == "openai" else AnthropicBatches(chat.name, wire)
    price = endpoint.batch_price(name) or (Price() if _is_loopback(url) else None)
    asked = settings.batching
    terms = Terms(min(asked.calls, settings.in_flight), float(asked.gather_seconds), float(asked.look_seconds))
    return Gatherer(chat, batches, price, terms)


_LINES = 4
"""Requests at the same time that have to do with batches."""


def _takes_batches(endpoint: Endpoint) -> bool:
    return endpoint.url is None if endpoint.batch is None else endpoint.batch


def _url(endpoint: Endpoint) -> str:
    return (endpoint.url or URLS[endpoint.kind]).rstrip("/")


def _check(spec: str, url: str, model: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits, parts = False, urlsplit("")
    if not fits or parts.username or parts.password or parts.query:
        where = parts.hostname or "this address"
        raise ConfigError(
            f"Wanted an address like https://host/v1, without user, password or query; {where} is not one. "
            "A key belongs in the environment: name its variable as key_env of an endpoint."
        )
    if not model or not model.isprintable() or " " in model:
        raise ConfigError(f"Wanted a model's name after {spec[: -len(model)] if model else spec!r}, found {model!r}.")


def _key(name: str, endpoint: Endpoint, settings: Settings) -> Key | None:
    """The key of an endpoint; an address of the user's own gets none unless it names its variable."""
    if endpoint.key_env:
        return keys.find((endpoint.key_env,), settings.environment, settings.keyring, name)
    if endpoint.url:
        return None
    return keys.find(KEYS[endpoint.kind], settings.environment, settings.keyring, name)


def _open(
    name: str, model: str, endpoint: Endpoint, key: Key | None, settings: Settings
) -> OpenAIChat | AnthropicMessages | GoogleGenerate:
    url = _url(endpoint)
    price = endpoint.price(name) or (Price() if _is_loopback(url) else None)
    address = Address(name, url + _path(endpoint.kind, model), _headers(endpoint.kind, key), key)
    wire = Wire(address, deadline=settings.deadline, in_flight=settings.in_flight)
    warm, mode = _temperature(endpoint, model), endpoint.schema_mode
    match endpoint.kind:
        case "openai":
            limit = "max_tokens" if endpoint.url else "max_completion_tokens"
            options = {"schema_mode": mode, "temperature": warm, "most_tokens_as": limit}
            return OpenAIChat(name, model, wire, price, **options)
        case "anthropic":
            return AnthropicMessages(name, model, wire, price, schema_mode=mode, temperature=warm)
        case "google":
            return GoogleGenerate(name, wire, price, schema_mode=mode, temperature=warm)


def _path(kind: Kind, model: str) -> str:
    match kind:
        case "openai":
            return "/chat/completions"
        case "anthropic":
            return "/messages"
        case "google":
            return f"/models/{quote(model.removeprefix('models/'), safe='')}:generateContent"


def _headers(kind: Kind, key: Key | None) -> dict[str, str]:
    always = {"anthropic-version": VERSION} if kind == "anthropic" else {}
    if key is None:
        return always
    match kind:
        case "openai":
            return {"Authorization": f"Bearer {key.text}"}
        case "anthropic":
            return always | {"x-api-key": key.text}
        case "google":
            return {"x-goog-api-key": key.text}


def _temperature(endpoint: Endpoint, model: str) -> bool:
    if endpoint.temperature is not None:
        return endpoint.temperature
    if endpoint.url and endpoint.kind == "openai":
        return True
    return model.startswith(TEMPERATURE[endpoint.kind])


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or (host.startswith("127.") and host.replace(".", "").isdigit())


# --- without HTTP ------------------------------------------------------------------------------


def _command(settings: Settings) -> str | None:
    return shutil.which("claude", path=settings.environment.get("PATH", ""))


def _claude(model: str, settings: Settings) -> Model:
    command = _command(settings)
    if command is None:
        raise ConfigError("The model `claude` is the command of Claude Code, and there is none on PATH. Install it.")
    if model.startswith("-"):
        raise ConfigError(f"Wanted a model's name after claude:, found {model!r}.")
    return ClaudeCommand(command, model or None, settings.environment, deadline=settings.deadline)


def _scripted(path: str, settings: Settings) -> Model:
    if not path:
        raise ConfigError("Wanted a file after scripted:, found nothing. Write --model scripted:FILE.")
    return Scripted(Path(path))


_OTHERS: dict[str, Callable[[str, Settings], Model]] = {"claude": _claude, "scripted": _scripted}


def _plugged(name: str, rest: str, settings: Settings) -> Model:
    factory: Callable[[str, Settings], Model] | None = plugins.found(plugins.MODELS, name)
    if factory is not None:
        return factory(rest, settings)
    names = ", ".join(one.name for one in known(settings))
    raise ConfigError(
        f"There is no model provider {name!r}. Wanted PROVIDER:MODEL with one of {names}, or http(s)://HOST/v1#MODEL; "
        "or add an endpoint of that name to the configuration."
    )
