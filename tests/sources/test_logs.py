from __future__ import annotations

import gzip
import io
import json
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.logs import MOST_TAIL, Event, Unreadable, events
from withstood.sources.stamps import Clock
from withstood.sources.traces import trace

CLOCK = Clock(2026)


def stream(raw: bytes) -> BinaryIO:
    return cast("BinaryIO", io.BufferedReader(io.BytesIO(raw)))  # pyright: ignore[reportArgumentType]


def read(text: str) -> list[Event]:
    return list(events(stream(text.encode()), "app.log", CLOCK))


MIXED = """\
2026-11-19 01:02:03,456 ERROR app.pay refund failed
Traceback (most recent call last):
  File "app/pay.py", line 12, in charge
TimeoutError: late
2026-11-19 01:02:04,000 INFO app.pay next
{"ts": 1795050123.5, "level": "error", "msg": "boom", "stack": "TypeError: x\\n    at charge (src/pay.js:12:7)"}
Nov 19 01:02:05 web app[7]: <warn> no level
a plain line
W1119 01:02:06.1 glog
"""


def test_events_of_a_mixture() -> None:
    assert [(one.line, one.end_line, one.level, one.when is not None, len(one.tail)) for one in read(MIXED)] == [
        (1, 4, "error", True, 3),
        (5, 5, "info", True, 0),
        (6, 6, "error", True, 2),
        (7, 7, None, True, 0),
        (8, 8, None, False, 0),
        (9, 9, "warning", False, 0),
    ]


def test_the_message_without_time_and_level() -> None:
    found = read(MIXED)
    assert found[0].said == "app.pay refund failed"
    assert found[0].raw == "2026-11-19 01:02:03,456 ERROR app.pay refund failed"
    assert found[2].lines == ["boom", "TypeError: x", "    at charge (src/pay.js:12:7)"]


def test_a_level_before_a_logger_is_no_host() -> None:
    (found,) = read("2026-11-19T01:02:03Z ERROR db: pool exhausted")
    assert found.said == "db: pool exhausted"


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("2026-11-19 01:02:03 [오류] 결제 실패", "error"),
        ("2026-11-19T01:02:03Z level=warn msg=slow", "warning"),
        ("2026/11/19 01:02:03 [crit] 12#0: no space", "fatal"),
        ('{"time":"2026-11-19T01:02:03Z","severity":50,"message":"x"}', "error"),
        ("2026-11-19 01:02:03 informed consent", None),
        ("2026-11-19 01:02:03 DEBUG x", "debug"),
        ("2026-11-19T01:02:03Z ERROR db: pool exhausted", "error"),
        ("2026-11-19T01:02:03.500Z WARN shop/pay: slow", "warning"),
        ("2026-11-19T01:02:03Z node-3 app[4711]: ERROR x", "error"),
        ("2026-11-19T01:02:03Z error-node app: x", None),
    ],
)
def test_levels(line: str, level: str | None) -> None:
    assert read(line)[0].level == level


def test_secrets_are_covered_and_lines_keep_their_numbers() -> None:
    found = read("2026-11-19 01:02:03 INFO token=ghp_" + "a1B2" * 9 + "\n2026-11-19 01:02:04 INFO next\n")
    assert "ghp_" not in found[0].raw + found[0].said
    assert found[1].line == 2


def test_a_tail_that_never_ends_is_counted_and_not_kept() -> None:
    (found,) = read("2026-11-19 01:02:03 ERROR x\n" + "    at f (a.js:1:1)\n" * (MOST_TAIL + 50))
    assert (len(found.tail), found.end_line) == (MOST_TAIL, MOST_TAIL + 51)


def test_a_line_that_never_ends() -> None:
    found = list(
        events(stream(b"2026-11-19 01:02:03 ERROR " + b"x" * 5_000_000 + b"\n2026-11-19 01:02:04 x"), "a", CLOCK)
    )
    assert [(one.line, len(one.raw) <= 16_384) for one in found] == [(1, True), (2, True)]


def test_gz_and_gz_that_is_cut_off() -> None:
    packed = gzip.compress(MIXED.encode())
    assert len(list(events(stream(packed), "app.log.gz", CLOCK))) == 6
    with pytest.raises(Unreadable, match="gzip"):
        list(events(stream(packed[:-20]), "app.log.gz", CLOCK))


def test_a_binary_is_no_log() -> None:
    with pytest.raises(Unreadable, match="binary"):
        list(events(stream(b"\x7fELF\0\0"), "a", CLOCK))


@given(
    st.lists(
        st.text(st.characters(blacklist_characters="\n\r\0", blacklist_categories=("Cs",)), max_size=80), max_size=20
    )
)
def test_every_line_belongs_to_one_event(lines: list[str]) -> None:
    raw = "\n".join(lines).encode()
    count = raw.count(b"\n") + (1 if raw and not raw.endswith(b"\n") else 0)
    covered: list[int] = []
    if raw[:2] != b"\x1f\x8b":
        for one in events(stream(raw), "a", CLOCK):
            covered += range(one.line, one.end_line + 1)
        assert covered == list(range(1, count + 1))


def test_the_end_of_a_traceback_belongs_to_it_whatever_it_is_called() -> None:
    frame = '  File "a.py", line 2, in get\n    raise Busy(3)\n'
    text = f"ERROR down\nTraceback (most recent call last):\n{frame}a.b.Busy: 3 s\nstarted\n"
    assert [(one.line, one.end_line) for one in read(text)] == [(1, 5), (6, 6)]


HEADED = """\
Mar 15 10:00:00 node-3 app[7]: ERROR app.pay: failed
Mar 15 10:00:00 node-3 app[7]: Traceback (most recent call last):
Mar 15 10:00:00 node-3 app[7]:   File "/srv/pay.py", line 9, in pay
Mar 15 10:00:00 node-3 app[7]: KeyError: 'total'
Mar 15 10:00:01 node-3 other[8]:   indented, of somebody else
web-1  | 2026-03-15T10:00:02Z ERROR app.pay: failed again
web-1  | Traceback (most recent call last):
web-1  |   File "/srv/pay.py", line 9, in pay
web-1  | KeyError: 'total'
2026-03-15T10:00:03.000000001Z stderr F panic: boom
2026-03-15T10:00:03.000000002Z stderr F goroutine 1 [running]:
2026-03-15T10:00:03.000000003Z stderr F main.charge(...)
2026-03-15T10:00:03.000000004Z stderr F \t/src/pay.go:12 +0x1d
"""


def test_lines_that_each_have_a_head_are_one_event() -> None:
    found = read(HEADED)
    assert [(one.line, one.end_line, one.level) for one in found] == [
        (1, 4, "error"),
        (5, 5, None),
        (6, 9, "error"),
        (10, 13, "fatal"),
    ]
    traces = [trace(one.lines) for one in found]
    assert [one and (one.kind, one.frames[0].path) for one in traces] == [
        ("KeyError", "/srv/pay.py"),
        None,
        ("KeyError", "/srv/pay.py"),
        ("panic", "/src/pay.go"),
    ]
    assert found[0].said == "app.pay: failed"
    assert found[0].raw.startswith("Mar 15")


def test_an_object_tells_its_logger_and_a_nested_traceback() -> None:
    told = {"stack": "TypeError: x\n    at charge (src/pay.js:12:7)"}
    (found,) = read(
        json.dumps({"time": "2026-03-15T10:00:00Z", "level": 50, "name": "pay", "msg": "failed", "err": told})
    )
    assert (found.said, found.level, len(found.tail)) == ("pay: failed", "error", 2)
