"""Protocols for texts by name: ours, and what packages of the user's bring (the group `withstood.protocols`)."""

from __future__ import annotations

from functools import partial

from withstood import plugins
from withstood.errors import ConfigError, UsageError
from withstood.protocols import sentiment
from withstood.protocols.of_texts import TextProtocol


def named(name: str) -> TextProtocol:
    """The protocol of that name. Ours go before."""
    if name in sentiment.PROTOCOLS:
        return TextProtocol(partial(sentiment.seats, name), partial(sentiment.flow, name), sentiment.PROTOCOLS[name])
    found = plugins.found(plugins.PROTOCOLS, name)
    if found is None:
        known = dict.fromkeys([*sentiment.PROTOCOLS, *plugins.names(plugins.PROTOCOLS)])
        raise UsageError(f"There is no protocol {name!r}. There are: {', '.join(known)}.")
    if not isinstance(found, TextProtocol):
        raise ConfigError(f"Wanted of the protocol {name!r} a TextProtocol, found {found!r:.80}.")
    return found
