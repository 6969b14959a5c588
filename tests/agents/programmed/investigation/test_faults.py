"""Faults that stand in code, each with its like that is none."""

from __future__ import annotations

from typing import Any

import pytest

from withstood.agents.programmed.investigation import units
from withstood.agents.programmed.investigation.crossings import crossings
from withstood.agents.programmed.investigation.faults import faults
from withstood.lexicons.inquiry import agreed

FAULTY = (
    ("a.py", "swallowed-exception",
     "def f(x):\n    try:\n        return g(x)\n    except Exception:\n"
     "        return None\n", 4),
    ("a.go", "swallowed-exception", "func f() {\n\tif err := g(); err != nil {\n\t\treturn\n\t}\n}\n", 2),
    ("a.js", "swallowed-exception", "function f() {\n  try {\n    g();\n  } catch (e) {\n  }\n}\n", 4),
    ("a.py", "lost-cause",
     "def f(x):\n    try:\n        return g(x)\n    except KeyError:\n"
     "        raise ValueError('x')\n", 5),
    ("a.py", "null-dereference", "def f(x):\n    return x.get('a').strip()\n", 2),
    ("a.go", "null-dereference", "type A struct {\n\tm map[string]int\n}\n\nfunc New() *A {\n\treturn &A{}\n}\n", 6),
    ("a.py", "race", "_free = {}\n\n\ndef take(k):\n    if k in _free:\n        _free.pop(k)\n", 5),
    ("A.java", "race", "class A {\n    static final SimpleDateFormat F = new SimpleDateFormat(\"yyyy\");\n}\n", 2),
    ("a.py", "deadlock", "def f():\n    lock.acquire()\n    g()\n", 2),
    ("a.py", "resource-leak", "def f(p):\n    s = open(p)\n    return s.read()\n", 2),
    ("a.go", "resource-leak",
     "func f() []byte {\n\tresp, err := http.Get(u)\n"
     "\tuse(err)\n\treturn read(resp.Body)\n}\n", 2),
    ("a.py", "retry",
     "def f():\n    while True:\n        try:\n            return g()\n"
     "        except OSError:\n            continue\n", 2),
    ("a.py", "off-by-one", "def f(x):\n    for i in range(len(x) + 1):\n        g(x[i])\n", 2),
    ("a.py", "wrong-unit", "def f(wait_ms):\n    time.sleep(wait_ms)\n", 2),
    ("a.py", "wrong-timezone", "def f():\n    return datetime.now()\n", 2),
    ("a.py", "wrong-timezone", "BERLIN = timezone(timedelta(hours=1))\n", 1),
    ("A.java", "wrong-timezone", "class A {\n    ZoneOffset paris = ZoneOffset.ofHours(2);\n}\n", 2),
    ("a.go", "wrong-timezone", "var ny = time.FixedZone(\"ny\", -5*3600)\n", 1),
    ("a.py", "encoding", "def f(p):\n    with open(p) as s:\n        return s.read()\n", 2),
    ("a.py", "rounding", "def f(paid):\n    return int(float(paid) * 100)\n", 2),
    ("a.sql", "rounding", "CREATE TABLE t (\n    balance double precision\n);\n", 2),
    ("a.sql", "wrong-query", "SELECT a FROM t\nWHERE b = NULL;\n", 2),
    ("a.py", "wrong-calculation", "def f(x, count):\n    return x / count\n", 2),
    ("a.ts", "wrong-calculation", "function f(y, month, d) {\n  return new Date(y, month, d);\n}\n", 2),
    ("a.py", "state-machine", "def f(x=[]):\n    x.append(1)\n    return x\n", 1),
    ("a.py", "state-machine", "def f(x):\n    for i in x:\n        x.remove(i)\n", 2),
    ("a.py", "slow-query", "def f(db, x):\n    for i in x:\n        db.execute('SELECT 1')\n", 3),
    ("a.py", "slow-query", "async def f():\n    time.sleep(1)\n", 2),
    ("a.py", "timeout", "def f(u):\n    return requests.get(u)\n", 2),
    ("a.py", "recursion", "def f(x):\n    return f(x - 1)\n", 2),
    ("a.py", "injection", "def f(db, x):\n    db.execute(f'SELECT {x}')\n", 2),
    ("a.py", "wrong-condition", "def f(x):\n    return x is 'a'\n", 2),
    ("a.py", "wrong-condition", "def f(x):\n    if x == 'a' or 'b':\n        g()\n", 2),
    ("a.py", "dead-code", "def f(x):\n    return x\n    g()\n", 3),
    ("a.py", "config-value", "DRY = bool(os.environ.get('DRY', 'false'))\n", 1),
)  # fmt: skip

SOUND = (
    "def f(x):\n    try:\n        return g(x)\n    except KeyError as fault:\n"
    "        log.warning('no %s', fault)\n        raise\n",
    "def f(p):\n    with open(p, encoding='utf-8') as s:\n        return s.read()\n",
    "def f(x):\n    for i in list(x):\n        x.remove(i)\n",
    "def f(x):\n    return 0 if not x else f(x[1:]) + 1\n",
    "def f(x, count):\n    if not count:\n        return 0\n    return x // 2\n",
    "DRY = os.environ.get('DRY') == 'true'\n",
    "KST = timezone(timedelta(hours=9))\n",
)  # fmt: skip


@pytest.mark.parametrize(("path", "cause", "text", "line"), FAULTY)
def test_a_fault_is_seen_where_it_stands(path: str, cause: str, text: str, line: int) -> None:
    found = [(one.cause, one.first) for one in faults(units.page(path, text.splitlines()))]
    assert (cause, line) in found
    assert {one for one, _ in found} <= set(agreed().causes.ids)


@pytest.mark.parametrize("text", SOUND)
def test_what_is_sound_is_no_fault(text: str) -> None:
    assert faults(units.page("a.py", text.splitlines())) == []


class Files:
    """All that is asked of an atlas here: which files there are, and their lines, of which there are none."""

    def __init__(self, *paths: str) -> None:
        self._paths = list(paths)

    def paths(self) -> list[str]:
        return self._paths

    def page(self, path: str) -> None:
        return None


def test_faults_between_files() -> None:
    told = {
        "store.py": "def latest(db, member):\n    return db.execute('SELECT 1', member)\n",
        "mail.py": "async def notify(member):\n    pass\n",
        "page.py": "def page(db, members):\n    for one in members:\n        latest(db, one)\n    notify(members)\n",
        "one.py": "def f():\n    with a_lock:\n        with b_lock:\n            pass\n",
        "two.py": "def g():\n    with b_lock:\n        with a_lock:\n            pass\n",
    }
    pages = [units.page(path, text.splitlines()) for path, text in told.items()]
    nothing: Any = Files()
    found = {(path, one.cause, one.last) for path, one in crossings(nothing, pages)}
    assert {("page.py", "slow-query", 3), ("page.py", "wrong-type", 4)} <= found
    assert {(path, cause) for path, cause, _ in found} >= {("one.py", "deadlock"), ("two.py", "deadlock")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('LOGO = Path("static/img/logo.svg")', True),
        ('LOGO = "./assets/logo.svg"', False),
        ('LOGO = "../assets/logo.svg"', False),
        ('LOGO = "img/logo.svg"', False),
        ('LOGO = "/var/data/orders.bin"', False),
        ('LOGO = "https://cdn.example/static/logo.svg"', False),
    ],
)
def test_a_path_that_is_not_there_while_its_file_is_elsewhere(text: str, told: bool) -> None:
    there: Any = Files("assets/logo.svg", "web/img/logo.svg", "tests/orders.bin")
    if told:
        there = Files("assets/logo.svg")
    found = [(path, one.cause, one.first) for path, one in crossings(there, [units.page("mail.py", [text])])]
    assert found == ([("mail.py", "wrong-path", 1)] if told else [])
