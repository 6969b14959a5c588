from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.stamps import Clock, find, of_value

CLOCK = Clock(2026)
FAR = "x" * 120 + "2026-11-19T01:02:03Z"
MOMENT = datetime(2026, 11, 19, 1, 2, 3, tzinfo=UTC)


def milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


@pytest.mark.parametrize(
    ("line", "moment", "zoned"),
    [
        ("2026-11-19T01:02:03.456Z started", MOMENT + timedelta(milliseconds=456), True),
        ("[2026-11-19 01:02:03,456 +0900] started", MOMENT + timedelta(hours=-9, milliseconds=456), True),
        ("INFO 2026-11-19 01:02:03+05:30 x", MOMENT - timedelta(hours=5, minutes=30), True),
        ("2026-11-19 01:02:03 KST x", MOMENT - timedelta(hours=9), True),
        ("2026/11/19 01:02:03 listening", MOMENT, False),
        ('10.0.0.1 - - [19/Nov/2026:01:02:03 -0100] "GET /"', MOMENT + timedelta(hours=1), True),
        ("Nov 19 01:02:03 web app[7]: x", MOMENT, False),
        ("Nov  9 01:02:03 web app[7]: x", MOMENT - timedelta(days=10), False),
        ("2024-02-29 00:00:00 leap", datetime(2024, 2, 29, tzinfo=UTC), False),
    ],
)
def test_forms(line: str, moment: datetime, zoned: bool) -> None:
    found = find(line, CLOCK)
    assert found is not None
    assert (found.when, found.zoned) == (milliseconds(moment), zoned)


@pytest.mark.parametrize(
    "line",
    ["", "no time", "version 1:22:333", "2026-02-30 01:02:03", "2025-02-29 01:02:03", "2026-11-19", FAR],
)  # fmt: skip
def test_no_time(line: str) -> None:
    assert find(line, CLOCK) is None


def test_the_zone_and_the_year_that_are_given() -> None:
    found = find("Nov 19 01:02:03 x", Clock(2025, zone=540))
    assert found is not None
    assert found.when == milliseconds(datetime(2025, 11, 18, 16, 2, 3, tzinfo=UTC))


@given(st.datetimes(datetime(1970, 1, 2), datetime(2099, 12, 31)), st.integers(-14 * 60, 14 * 60))
def test_every_moment_in_every_zone(naive: datetime, minutes: int) -> None:
    moment = naive.replace(microsecond=naive.microsecond // 1000 * 1000, tzinfo=timezone(timedelta(minutes=minutes)))
    found = find(moment.isoformat(timespec="milliseconds") + " x", CLOCK)
    assert found is not None
    assert (found.when, found.zoned) == (milliseconds(moment), True)


def test_a_value_alone() -> None:
    assert [found and found.when for found in (of_value("1795050123", CLOCK), of_value("1795050123.4567", CLOCK))] == [
        1795050123000,
        1795050123456,
    ]
    assert of_value("1795050123456", CLOCK) == of_value("1795050123.456", CLOCK)
    assert of_value("12", CLOCK) is None
