"""Keys: taken from the environment or a keyring, and kept out of every message."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from withstood.errors import KeyRefused

KEYRING_SERVICE = "withstood"
_WINDOW = 6


@dataclass(frozen=True, slots=True)
class Key:
    """A key and the variable that it came from. Its text shows in no repr."""

    variable: str
    text: str = field(repr=False)

    def taken_out(self, message: str) -> str:
        """The message without the key, and without any word that shares six characters with it."""
        width = min(_WINDOW, len(self.text))
        pieces = {self.text[start : start + width] for start in range(len(self.text) - width + 1)}
        return " ".join("[key]" if any(piece in word for piece in pieces) else word for word in message.split())


def find(
    variables: Sequence[str], environment: Mapping[str, str], keyring: Callable[[str], str | None], wanted_for: str
) -> Key:
    """The first of the variables that is set, in the environment or in the keyring; else `KeyRefused`."""
    for variable in variables:
        text = (environment.get(variable) or keyring(variable) or "").strip()
        if text:
            return _fit(Key(variable, text))
    raise KeyRefused(
        f"{wanted_for} needs a key and found none. Set {' or '.join(variables)} in the environment, "
        f"or store it in a keyring as service {KEYRING_SERVICE!r}, user {variables[0]!r}."
    )


def _fit(key: Key) -> Key:
    if all("!" <= sign <= "~" for sign in key.text):
        return key
    raise KeyRefused(
        f"The key in {key.variable} holds a blank, a line break or a character outside ASCII, which no key does. "
        f"Set {key.variable} again."
    )


def from_keyring(variable: str) -> str | None:
    """What the `keyring` library has under this name; None where it is not installed or locked."""
    try:
        keyring = importlib.import_module("keyring")
        faults = importlib.import_module("keyring.errors")
    except ImportError:
        return None
    try:
        return keyring.get_password(KEYRING_SERVICE, variable)
    except faults.KeyringError:
        return None
