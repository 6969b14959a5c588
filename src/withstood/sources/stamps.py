"""When a log line says that it happened, in milliseconds since 1970, UTC.

| form | example |
|---|---|
| ISO 8601, and what looks like it | 2026-11-19T01:02:03.456Z, 2026-11-19 01:02:03,456 +0900, 2026/11/19 01:02:03 |
| common log | 19/Nov/2026:01:02:03 +0900 |
| syslog | Nov 19 01:02:03 (without a year: the year that is given) |
| seconds or milliseconds since 1970 | 1795050123, 1795050123.456, 1795050123456 |

A time without a zone is read in the zone that is given, UTC unless told, and marked as such.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

_MONTHS = {name: no for no, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), start=1)}
_CLOCK = r"(?P<h>[01]\d|2[0-3]):(?P<mi>[0-5]\d):(?P<s>[0-5]\d|60)"
_ZONE = r"(?:\s?(?P<z>Z\b|UTC\b|GMT\b|KST\b|JST\b|[+-]\d{2}:?\d{2}\b))?"
_FORMS = (
    r"(?P<y>(?:19|20)\d{2})[-/](?P<mo>0[1-9]|1[0-2])[-/](?P<d>[0-3]\d)[T ]"
    + _CLOCK
    + r"(?:[.,](?P<f>\d{1,9}))?"
    + _ZONE,
    r"(?P<d>[0-3]\d)/(?P<mon>[A-Z][a-z]{2})/(?P<y>(?:19|20)\d{2}):" + _CLOCK + _ZONE,
    r"(?P<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}(?P<d>[0-3]?\d)\s(?:(?P<y>(?:19|20)\d{2})\s)?"
    + _CLOCK,
)
_PATTERNS = tuple(re.compile(form, re.ASCII) for form in _FORMS)
_HINT = re.compile(r"\d:[0-5]\d:[0-6]\d", re.ASCII)
_EPOCH = re.compile(r"1\d{9}(?:\.\d{1,9}|\d{3})?", re.ASCII)
_ZONES = {"Z": 0, "UTC": 0, "GMT": 0, "KST": 540, "JST": 540}
LOOK_AT = 100


@dataclass(frozen=True, slots=True)
class Stamp:
    """`zoned`: the line itself says in which zone. `begin` and `end`: where it stands in the line."""

    when: int
    zoned: bool
    begin: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """What a log does not say of its times: the year (syslog), and the minutes east of UTC."""

    year: int = 1970
    zone: int = 0


def find(line: str, clock: Clock) -> Stamp | None:
    """The first time near the beginning of the line."""
    head = line[:LOOK_AT]
    if _HINT.search(head) is None:
        return None
    for pattern in _PATTERNS:
        if found := pattern.search(head):
            return _stamp(found, clock)
    return None


def of_value(value: str, clock: Clock) -> Stamp | None:
    """A time that stands alone, as in a JSON field."""
    if found := _EPOCH.fullmatch(value.strip()):
        digits, _, fraction = found[0].partition(".")
        if len(digits) == 13:
            return Stamp(int(digits), True)
        return Stamp(int(digits) * 1000 + int((fraction + "000")[:3]), True)
    return find(value, clock)


def _stamp(found: re.Match[str], clock: Clock) -> Stamp | None:
    told = _moment(found.re, found[0], clock)
    return Stamp(*told, found.start(), found.end()) if told else None


@functools.lru_cache(maxsize=4096)
def _moment(pattern: re.Pattern[str], text: str, clock: Clock) -> tuple[int, bool] | None:
    """When, and whether the zone is told. Lines that follow each other often say the same time."""
    found = pattern.fullmatch(text)
    if found is None:
        return None
    parts = found.groupdict()
    month = int(parts["mo"]) if parts.get("mo") else _MONTHS.get(parts.get("mon") or "", 0)
    day = _day(int(parts.get("y") or clock.year), month, int(parts["d"]))
    if day is None:
        return None
    seconds = int(parts["h"]) * 3600 + int(parts["mi"]) * 60 + int(parts["s"])
    told = parts.get("z")
    away = _minutes(told) if told else clock.zone
    fraction = int(((parts.get("f") or "") + "000")[:3])
    return (day * 86400 + seconds - away * 60) * 1000 + fraction, bool(told)


@functools.lru_cache(maxsize=4096)
def _day(year: int, month: int, day: int) -> int | None:
    """Days since 1970, in the Gregorian calendar; None where there is no such day."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= 12 or not 1 <= day <= lengths[month - 1]:
        return None
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    return days + sum(lengths[: month - 1]) + day - 1


@functools.lru_cache(maxsize=256)
def _minutes(zone: str) -> int:
    if zone in _ZONES:
        return _ZONES[zone]
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return -minutes if zone[0] == "-" else minutes
