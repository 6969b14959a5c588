from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.traces import Trace, trace

PYTHON = """\
Traceback (most recent call last):
  File "app/pay.py", line 12, in charge
    client.post(order)
  File "app/net.py", line 3, in post
    raise TimeoutError("late")
TimeoutError: late

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "app/main.py", line 9, in <module>
    charge()
app.errors.RefundError: could not refund
"""
JAVA = """\
Exception in thread "main" shop.PayException: no
\tat shop.Pay.charge(Pay.java:12)
\tat shop.Main.main(Main.java:5)
Caused by: java.lang.NullPointerException: order
\tat shop.Net.post(Net.java:3)
\t... 2 more
"""
GO = """\
panic: runtime error: index out of range

goroutine 1 [running]:
main.charge(...)
\t/src/pay.go:12 +0x1d
main.main()
\t/src/main.go:5 +0x20
"""
SHORT = {
    "javascript": "TypeError: x is undefined\n    at charge (src/pay.js:12:7)\n    at src/main.js:3:1",
    "csharp": "System.InvalidOperationException: no\n   at Shop.Pay.Charge(Int32 x) in /src/Pay.cs:line 12",
    "ruby": "NoMethodError: undefined\n\tfrom lib/pay.rb:12:in `charge'",
    "php": "PHP Fatal error:  Uncaught RuntimeException: no\n#0 /srv/pay.php(12): charge()",
}


def places(found: Trace | None) -> list[tuple[str, int, str]]:
    assert found is not None
    return [(one.path, one.line, one.name) for one in found.frames]


def test_python_tells_the_cause_first() -> None:
    found = trace(PYTHON.splitlines())
    assert found is not None and found.cause is not None
    assert (found.kind, found.said) == ("app.errors.RefundError", "could not refund")
    assert places(found) == [("app/main.py", 9, "<module>")]
    assert (found.root.kind, found.root.said) == ("TimeoutError", "late")
    assert places(found.root) == [("app/net.py", 3, "post"), ("app/pay.py", 12, "charge")]


def test_java_tells_the_cause_last() -> None:
    found = trace(JAVA.splitlines())
    assert found is not None
    assert (found.kind, found.root.kind) == ("shop.PayException", "java.lang.NullPointerException")
    assert places(found) == [("Pay.java", 12, "shop.Pay.charge"), ("Main.java", 5, "shop.Main.main")]
    assert places(found.root) == [("Net.java", 3, "shop.Net.post")]


def test_go_names_a_frame_before_its_place() -> None:
    found = trace(GO.splitlines())
    assert found is not None and (found.kind, found.said) == ("panic", "runtime error: index out of range")
    assert places(found) == [("/src/pay.go", 12, "main.charge"), ("/src/main.go", 5, "main.main")]


@pytest.mark.parametrize("language", SHORT)
def test_other_languages(language: str) -> None:
    found = trace(SHORT[language].splitlines())
    assert found is not None and found.language == language
    assert found.frames[0].line == 12 and "charge" in (found.frames[0].name or "charge()").lower()


@given(st.lists(st.sampled_from([*PYTHON.splitlines(), *JAVA.splitlines(), *GO.splitlines(), "x", ""]), max_size=30))
def test_any_lines(lines: list[str]) -> None:
    found = trace(lines)
    assert found is None or all(part.frames for part in (found, found.root))


def test_an_exception_of_python_may_be_called_anything() -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "a/b.py", line 3, in get',
        "    raise Busy(3)",
        "a.b.Busy: 3 s",
    ]
    found = trace(lines)
    assert found is not None and (found.kind, found.said) == ("a.b.Busy", "3 s")
