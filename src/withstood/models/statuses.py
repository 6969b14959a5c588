"""What an HTTP status of a model endpoint means.

| row | status | and the answer says | outcome |
|---|---|---|---|
| 1 | 402 | anything | no quota left |
| 2 | 400, 403, 429 | insufficient_quota, credit balance, PerDay | no quota left |
| 3 | 429 | quota or billing, and not when to come back | no quota left |
| 4 | 401, 403 | anything | the key is refused |
| 5 | 400 | API key | the key is refused |
| 6 | 404 | anything | no such model or address |
| 7 | 429, 503, 529 | anything | again later; nothing was computed |
| 8 | 408, 409, other 5xx | anything | again later; it may have cost money |
| 9 | 3xx | anything | a redirect, which is never followed |
| 10 | anything else | anything | never again |

The first row that fits decides. Rows 1 to 6 and 9 end the run in a state that resumes; the others end one attempt.
"""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from withstood.errors import CallFailed, KeyRefused, ModelUnavailable, WorldError
from withstood.form import shown
from withstood.models.keys import Key

LONGEST_WAIT = 60.0

Outcome: TypeAlias = Literal["quota", "key", "absent", "again", "redirect", "never"]


@dataclass(frozen=True, slots=True)
class Row:
    statuses: range | tuple[int, ...]
    outcome: Outcome
    says: tuple[str, ...] = ()
    unless_told_when: bool = False
    reached: bool = False


ROWS: tuple[Row, ...] = (
    Row((402,), "quota"),
    Row((400, 403, 429), "quota", says=("insufficient_quota", "credit balance", "perday")),
    Row((429,), "quota", says=("quota", "billing"), unless_told_when=True),
    Row((401, 403), "key"),
    Row((400,), "key", says=("api key", "api_key")),
    Row((404,), "absent"),
    Row((429, 503, 529), "again"),
    Row((408, 409, *range(500, 600)), "again", reached=True),
    Row(range(300, 400), "redirect"),
    Row(range(1000), "never"),
)


def failure(name: str, status: int, headers: Mapping[str, str], body: bytes, key: Key | None) -> WorldError:
    """The error that this answer stands for. The key is in no part of it."""
    said = body.decode("utf-8", "replace")
    after = _wait(headers, said)
    row = next(row for row in ROWS if _fits(row, status, said.lower(), after))
    message = shown(_message(said), 300)
    told = f"{name} answered {status}: {key.taken_out(message) if key else message}"
    return _error(row, name, told, after, key)


def _fits(row: Row, status: int, said: str, after: float | None) -> bool:
    if status not in row.statuses or (row.unless_told_when and after is not None):
        return False
    return not row.says or any(word in said for word in row.says)


def _error(row: Row, name: str, told: str, after: float | None, key: Key | None) -> WorldError:
    match row.outcome:
        case "quota":
            return ModelUnavailable(f"{told}. No quota or credit is left; top it up or wait, then resume.")
        case "key":
            return KeyRefused(f"{told}. {_key_advice(key)}, then resume.")
        case "absent":
            return ModelUnavailable(f"{told}. Look at the model's name and at the address of {name}, then resume.")
        case "again":
            return CallFailed(told, again=True, after=after, reached=row.reached)
        case "redirect":
            return ModelUnavailable(f"{told}. Redirects are not followed: give the final address, then resume.")
        case "never":
            return CallFailed(told, again=False, reached=False)


def _key_advice(key: Key | None) -> str:
    if key:
        return f"Set a key that it takes in {key.variable}"
    return "It wants a key: name its variable as key_env of an endpoint in the configuration"


def _message(said: str) -> str:
    """The provider's own sentence where it is found at the usual places, else the whole."""
    try:
        found: Any = json.loads(said)
    except (ValueError, RecursionError):
        return said
    found = found[0] if isinstance(found, list) and found else found
    if not isinstance(found, dict):
        return said
    inner = found.get("error", found)
    if isinstance(inner, dict):
        inner = inner.get("message", said)
    return inner if isinstance(inner, str) else said


_DELAY = re.compile(r'"retryDelay"\s*:\s*"([0-9]{1,6}(?:\.[0-9]{1,9})?)s"')


def _wait(headers: Mapping[str, str], said: str) -> float | None:
    """Seconds to wait, from Retry-After or from Google's retryDelay, between 0 and 60."""
    told = headers.get("retry-after", "").strip()
    delay = _DELAY.search(said)
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", told):
        seconds = float(told)
    elif told and (date := _date(told)) is not None:
        seconds = date - time.time()
    elif delay:
        seconds = float(delay[1])
    else:
        return None
    return min(max(seconds, 0.0), LONGEST_WAIT)


def _date(told: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(told).timestamp()
    except (ValueError, OverflowError):
        return None
