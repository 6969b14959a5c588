"""Faults that stand in the code as it is, function by function.

| cause | what is looked for |
|---|---|
| swallowed-exception | a handler that neither tells nor raises again; an error value that nobody looks at |
| lost-cause | another exception raised in a handler, without the one that was caught |
| null-dereference | what may be missing, used at once; a function that gives back a value here and nothing there; a map that is never made |
| race | shared state that is tested and then changed, or read and written back, without a lock, where there are threads |
| deadlock | two locks that are taken in both orders; a lock that is not given back on every way |
| resource-leak | what is opened or taken and not closed, given back or handed on |
| retry | endless attempts without a pause |
| stale-cache | a key that leaves out an argument on which the kept value depends |
| off-by-one | bounds that go one too far |
| wrong-unit | a name with one unit given to what takes another |
| wrong-timezone | times without a zone; a zone that keeps its distance from UTC all the year |
| encoding | text files opened without an encoding |
| rounding | binary fractions for money |
| wrong-calculation | division by what may be nothing |
| state-machine | a default that all calls share |
| slow-query | a question to a store in a loop; waiting in a request |
| timeout | a call over the network without a time limit |
| recursion | a function that calls itself whatever happens |
| injection | a command put together from texts |
| wrong-type | a result that is not waited for |
| wrong-condition | identity where equality is meant |
| dead-code | lines behind a return |
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation.units import Page, Unit

_LOCK = re.compile(r"\bwith\s+([\w.]*(?:lock|mutex|sem|cond)\w*)|([\w.]*(?:lock|mutex|Lock|mu))\.(?:acquire|lock|Lock|RLock)\(|synchronized\s*\((\w+)\)", re.IGNORECASE)  # fmt: skip
_TELLS = re.compile(
    r"\blog\w*\b|\bwarn|\bprint\b|console\.|\braise\b|\bthrow\b|\bpanic\b|\breject\(|capture_exception|report|abort|exit|fail"
)
_OPENS = re.compile(
    r"^\s*(?:(?:final|const|let|var|auto|[A-Z][\w<>]*)\s+)?([\w.]+)(?:,\s*\w+)?\s*:?=\s*(?:await\s+)?(?:new\s+)?([\w.]*?)"
    r"(\bopen|\bconnect|\bacquire|\bgetconn|\bgetConnection|\bsocket|\bcreate_connection|\bcursor|\bSession|\bPopen|"
    r"\bFileInputStream|\bFileOutputStream|\bFileReader|\bFileWriter|\bBufferedReader|\bOpen|\bDial|\bborrow|\bcheckout|"
    r"\bget_connection|\bTemporaryFile|\bNamedTemporaryFile|\bcreateReadStream|\bopenSync|\burlopen)\("
)
_MONEY = re.compile(r"(?i)price|amount|total|cent|tax|sum|balance|rate|fee|cost|net|gross|discount|interest")
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


@dataclass(frozen=True, slots=True)
class Fault:
    """`worth` is how telling it is by itself."""

    cause: str
    first: int
    last: int
    worth: int
    says: str


def faults(page: Page) -> list[Fault]:
    """What stands in one file, in the order of its lines."""
    found = [fault for look in _OF_PAGES for fault in look(page)]
    for unit in page.units:
        body = [(no, line[:400]) for no, line in page.body(unit)]
        found += [fault for look in _OF_UNITS for fault in look(page, unit, body)]
    return sorted(set(found), key=lambda one: (one.first, one.cause))


Body = Sequence[tuple[int, str]]

# --- errors ------------------------------------------------------------------------------------


def _swallowed(page: Page) -> Iterator[Fault]:
    if page.tree is not None:
        for node in ast.walk(page.tree):
            if isinstance(node, ast.ExceptHandler):
                yield from _handler_of_python(page, node)
    elif page.language:
        yield from _handlers_with_braces(page)


def _handler_of_python(page: Page, node: ast.ExceptHandler) -> Iterator[Fault]:
    last = node.body[-1].end_lineno or node.lineno
    body = "\n".join(page.lines[node.body[0].lineno - 1 : last])
    caught = ast.unparse(node.type) if node.type else ""
    broad = caught in ("", "Exception", "BaseException")
    if not _TELLS.search(body) and not (node.name and re.search(rf"\b{node.name}\b", body)):
        if broad:
            yield Fault("swallowed-exception", node.lineno, last, 26, "any error is caught and nothing is told of it")
        elif all(isinstance(one, (ast.Pass, ast.Continue)) for one in node.body):
            yield Fault("swallowed-exception", node.lineno, last, 16, "an error is caught and passed over")
    for one in node.body:
        if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call) and one.cause is None and node.name is None:
            yield Fault(
                "lost-cause", one.lineno, one.lineno, 8, "another error is raised without the one that was caught"
            )


def _handlers_with_braces(page: Page) -> Iterator[Fault]:
    for no, line in enumerate(page.lines, start=1):
        line = line[:400]
        if re.search(r"\bcatch\b[^{]*\{", line):
            body = _block(page, no)
            code = [one for one in body if not re.match(r"\s*(?://|\*|/\*|\}|$)", one)]
            name = re.search(r"\bcatch\s*\(?[^)]*?(\w+)\s*\)", line)
            said = "\n".join(body)
            if not _TELLS.search(said) and not (name and re.search(rf"\b{name[1]}\b", said)):
                worth = 24 if not code else 16
                yield Fault(
                    "swallowed-exception", no, no + len(body), worth, "an error is caught and nothing is told of it"
                )
        if page.language == "go" and re.search(r"\berr\w* != nil \{\s*$", line):
            body = _block(page, no)
            said = "\n".join(body)
            if body and not _TELLS.search(said) and not re.search(r"\berr|Error|continue|break|wait|Sleep", said):
                yield Fault("swallowed-exception", no, no + len(body), 22, "an error is seen and nothing is told of it")
        if page.language == "go" and re.search(r"(?:^|,)\s*_\s*:?=\s*\w[\w.]*\(", line) and "range" not in line:
            yield Fault("swallowed-exception", no, no, 14, "an error is given back and not looked at")
        if re.search(r"\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|\[\])\s*\)", line):
            yield Fault("swallowed-exception", no, no, 24, "a failure is turned into nothing")


def _block(page: Page, no: int) -> list[str]:
    """The lines within the braces that a line opens last."""
    found: list[str] = []
    depth = 1
    for line in page.lines[no : no + 40]:
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            break
        found.append(line)
    return found


# --- missing values ----------------------------------------------------------------------------


def _missing(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        bare = _STRING.sub('""', line)
        if re.search(
            r"\.get\([^,()]*\)\s*(?:\.\w|\[)|\bre\.\w+\([^()]*\)\.group|\.first\(\)\.\w|\bfetchone\(\)\[", bare
        ):
            yield Fault("null-dereference", no, no, 22, "what may be missing is used at once")
    told = [(no, line) for no, line in body if re.match(r"\s*return\b", line)]
    nothing = [no for no, line in told if re.match(r"\s*return\s*(?:None|null|nil|undefined)?\s*;?\s*$", line)]
    if nothing and len(nothing) < len(told) and not unit.name.startswith("__"):
        yield Fault("null-dereference", nothing[0], nothing[0], 10, "a value is given back here, and nothing there")
    for no, line in told:
        if re.search(r"\bnext\(.*,\s*None\s*\)|\.get\(\s*\w+\s*\)\s*;?\s*$|\.orElse\(null\)|\.first\(\)\s*;?$", line):
            yield Fault("null-dereference", no, no, 12, "what is given back may be missing")


def _unmade(page: Page) -> Iterator[Fault]:
    """Go: a field that is a map, in a struct that is put together without it."""
    if page.language != "go":
        return
    text = "\n".join(page.lines)
    for struct, fields in re.findall(r"type (\w+) struct \{([^}]*)\}", text):
        maps = re.findall(r"(\w+)\s+map\[", fields)
        for no, line in enumerate(page.lines, start=1):
            if re.search(rf"&?\b{struct}\{{", line) and "type " not in line:
                whole = "\n".join(page.lines[no - 1 : no + 12])
                unmade = [name for name in maps if f"{name}:" not in whole and f".{name} = make(" not in text]
                if unmade:
                    yield Fault("null-dereference", no, no, 24, f"{struct} is made without its map {unmade[0]}")


# --- two at once -------------------------------------------------------------------------------

_THREADS = re.compile(
    r"\bThread\(|\bThreads?\b(?=.*\bstart)|concurrent\.futures|ThreadPool|ThreadingMixIn|ThreadingHTTP|\basync def\b|\bExecutor\w*\b|\bgo func\b|\bgo \w+\(|"
    r"\bRunnable\b|@Async|\bgoroutine|multiprocessing|gunicorn|uvicorn|\bworkers?\b|celery|Promise\.all|synchronized"
)


def is_threaded(page: Page) -> bool:
    return any(_THREADS.search(line[:300]) for line in page.lines)


def _races(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    if any(_LOCK.search(line) for _, line in body) or re.search(r"synchronized|__init__", page.line(unit.first)):
        return
    shared = _shared(page)
    for at, (no, line) in enumerate(body):
        tested = re.match(r"\s*(?:el)?(?:if|while)\b(.*)", line)
        name = _state(tested[1], shared) if tested else None
        if name and (changed := _changed(name, body[at + 1 : at + 12])):
            yield Fault(
                "race", no, changed, 24, f"{name} is tested and then changed, and nothing keeps others away in between"
            )
        step = re.match(
            r"\s*(?:self\.|this\.)?(\w+)(?:\[[^\]]*\])?\s*(?:[-+*]=|=\s*(?:self\.|this\.)?\1\b(?:\[[^\]]*\])?\s*[-+*])",
            line,
        )
        if step and _state(line, shared):
            yield Fault(
                "race", no, no, 14, f"{step[1]} is read and written back, and nothing keeps others away in between"
            )


def _looked_first(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    """A file or a row that is looked for, and then made or taken: several processes do that, with threads or without."""
    if re.search(
        r"(?i)for update|begin immediate|serializable|\bwith_for_update\b|flock\(", "\n".join(line for _, line in body)
    ):
        return
    for at, (no, line) in enumerate(body):
        after = "\n".join(text for _, text in body[at + 1 : at + 8])
        tested = re.match(r"\s*if\b.*(?:os\.path\.(?:exists|isfile|isdir)\(|\.exists\(\)|existsSync\()", line)
        if tested and re.search(r"\bopen\(|mkdir|makedirs|unlink|remove\(|rename\(|write", after):
            yield Fault("race", no, no + 1, 14, "a file is looked for, and only then made or taken")
        if re.search(r"(?i)\bselect\b", line) and not re.search(r"(?i)for update", line) and re.search(r"(?i)\bupdate\s+\w+\s+set\b", after):  # fmt: skip
            yield Fault("race", no, no + 1, 20, "a row is read and then written, without holding it")


def _shared(page: Page) -> set[str]:
    """Names of the module, and fields, that hold something that is changed."""
    found: set[str] = set()
    for line in page.lines:
        if named := re.match(
            r"([a-z_]\w*)(?:\s*:[^=]+)?\s*=\s*(?:\{|\[|set\(|dict\(|list\(|defaultdict|Counter|deque|OrderedDict|0\b|None\b|False\b)",
            line[:200],
        ):
            found.add(named[1])
        if field := re.search(
            r"(?:self|this)\.(\w+)\s*(?::[^=]+)?=\s*(?:\{|\[|set\(|dict\(|list\(|defaultdict|0\b|None\b|False\b|new )",
            line[:200],
        ):
            found.add(f".{field[1]}")
        if declared := re.match(r"\s*(?:private|protected|public|static|final|var|let|\s)*\s(?:Map|HashMap|List|ArrayList|Set|HashSet|int|long|boolean)(?:<[^=]*>)?\s+(\w+)\s*(?:=|;)", line[:200]):  # fmt: skip
            found.add(declared[1])
        if go := re.match(r"(?:var\s+(\w+)\s+(?:=\s*)?(?:map|int|\[\])|\t(\w+)\s+map\[)", line[:200]):
            found.add(go[1] or f".{go[2]}")
    return found


def _state(text: str, shared: set[str]) -> str | None:
    return next(
        (
            name.strip(".")
            for name in sorted(shared)
            if re.search(rf"(?<![\w.]){name}\b" if name[0] != "." else rf"\w\{name}\b", text)
        ),
        None,
    )


def _changed(name: str, body: Body) -> int | None:
    change = re.compile(
        rf"\b{name}(?:\[[^\]]*\])?\s*(?:[-+*|&]?=(?!=))|\bdel [\w.]*{name}\b|\b{name}(?:\[[^\]]*\])?\.(?:append|add|pop|remove|update|put|set|push|insert|clear|discard|delete|extend)\(|delete\([\w.]*{name}|\b{name}(?:\[[^\]]*\])?(?:\+\+|--)"
    )
    return next((no for no, line in body if change.search(line)), None)


def locks(page: Page, unit: Unit) -> list[tuple[str, str, int]]:
    """Pairs of locks of which the second is taken while the first is held, with the line of the second."""
    held: list[tuple[str, int]] = []
    found: list[tuple[str, str, int]] = []
    for no, line in page.body(unit):
        depth = len(line) - len(line.lstrip())
        if line.strip():
            held = [one for one in held if one[1] < depth or one[1] < 0]
        for taken in _LOCK.findall(line[:300]):
            name = next(filter(None, taken)).rpartition(".")[2]
            found += [(other, name, no) for other, _ in held if other != name]
            # What is taken with a call is held until it is given back; a block ends with its indentation.
            held.append((name, depth if taken[0] or taken[2] else -1))
        if given := re.search(r"([\w.]*)\.(?:release|unlock|Unlock)\(", line[:300]):
            held = [one for one in held if one[0] != given[1].rpartition(".")[2] or "defer" in line]
    return found


def deadlocks(pages: Sequence[Page]) -> list[tuple[Page, Fault, tuple[str, int]]]:
    """Pairs of locks that are taken in both orders, in any of these files, with where the other order stands."""
    taken = [(page, *pair) for page in pages for unit in page.units for pair in locks(page, unit)]
    first: dict[tuple[str, str], tuple[str, int]] = {}
    for page, one, other, no in taken:
        first.setdefault((one, other), (page.path, no))
    found: list[tuple[Page, Fault, tuple[str, int]]] = []
    for page, one, other, no in taken:
        if there := first.get((other, one)):
            says = f"{other} is taken while {one} is held; the other way round at {there[0]}:{there[1]}"
            found.append((page, Fault("deadlock", no - 1, no, 30, says), there))
    return found


def _kept_lock(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    text = "\n".join(line for _, line in body)
    for no, line in body:
        if found := re.search(r"([\w.]*(?:lock|mutex|mu))\.(?:acquire|lock|Lock)\(", line, re.IGNORECASE):
            if not re.search(rf"{re.escape(found[1])}\.(?:release|unlock|Unlock)\(", text):
                yield Fault("deadlock", no, no, 22, f"{found[1]} is taken and not given back")
            elif "finally" not in text and "defer" not in text and re.search(r"\breturn\b|\braise\b|\bthrow\b", text):
                yield Fault("deadlock", no, no, 12, f"{found[1]} is not given back on every way")


# --- what is opened ----------------------------------------------------------------------------


def _leaks(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    text = "\n".join(line for _, line in body)
    for no, line in body:
        found = _OPENS.match(line)
        if found is None or re.match(r"\s*(?:with|try\s*\()", line):
            continue
        name = re.escape(found[1])
        closed = re.search(
            rf"\b{name}\.(?:close|Close|release|shutdown|disconnect|dispose|end|destroy|communicate|wait|terminate)\b|"
            rf"\b(?:release|close|putconn|give_back|put|return_connection|contextlib\.closing|closing|addfinalizer|enter_context|callback)\w*\(\s*{name}\b|"
            rf"\bwith\s+(?:closing\()?{name}\b|\bdefer\s+{name}\b",
            text,
        )
        handed = (
            re.search(
                rf"\breturn\s+(?:\(?{name}\b(?!\.|\[))|\byield\s+{name}\b|(?:self|this)\.\w+\s*=\s*{name}\b", text
            )
            or "." in found[1]
        )
        passed = re.search(
            rf"(?<!\.)\b(?!print|str|repr|len|int|type|list|isinstance|if|while|for)\w+\(\s*{name}\s*[,)]", text
        )
        if not closed and not handed and passed:
            yield Fault("resource-leak", no, no, 10, f"{found[1]} is opened or taken here, and handed on")
        elif not closed and not handed:
            yield Fault("resource-leak", no, no, 24, f"{found[1]} is opened or taken here and never given back")
        elif page.language == "go" and re.search(r"^\s*for\b", text, re.MULTILINE) and _deferred_in_loop(body, no):
            yield Fault(
                "resource-leak", no, no, 20, f"{found[1]} is given back when the function ends, not in the loop"
            )
        elif closed and not handed and not re.search(r"\bfinally\b|\bdefer\b|\bwith\b|\busing\b|\bensure\b", text) and re.search(r"\breturn\b|\braise\b|\bcontinue\b", text[: closed.start()]):  # fmt: skip
            yield Fault("resource-leak", no, no, 14, f"{found[1]} is not given back on every way")


def _deferred_in_loop(body: Body, opened: int) -> bool:
    depth = next((len(line) - len(line.lstrip()) for _, line in body if re.match(r"\s*for\b", line)), None)
    return depth is not None and any(
        no > opened and "defer" in line and len(line) - len(line.lstrip()) > depth for no, line in body
    )


def _bodies(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    """Go: the body of an answer, or the rows of a query, that nobody closes."""
    text = "\n".join(line for _, line in body)
    for no, line in body:
        found = re.match(r"\s*(\w+),\s*\w+\s*:?=\s*[\w.]*(?:(http\.(?:Get|Post\w*|Head)|\.Do)|\.(?:Query|QueryContext|Queryx))\(", line)  # fmt: skip
        if page.language != "go" or found is None:
            continue
        name = found[1]
        if not re.search(rf"\b{name}\.(?:Body\.)?Close\(|return {name}\b|= {name}$", text):
            yield Fault("resource-leak", no, no, 24, f"{name} is never closed")


# --- attempts, copies, bounds, numbers ---------------------------------------------------------


def _retries(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for at, (no, line) in enumerate(body):
        if re.match(r"\s*(?:while (?:True|1|\(true\)|!\w+)|for \{|for \(;;\)|loop \{)", line):
            text = "\n".join(one for _, one in body[at : at + 30])
            if re.search(r"\bexcept\b|\bcatch\b|err != nil", text) and not re.search(
                r"sleep|backoff|delay|wait|Sleep|After\(|raise|throw", text
            ):
                yield Fault("retry", no, min(no + 2, unit.last), 26, "attempts go on for ever, without a pause")


def _cache_keys(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    text = "\n".join(line for _, line in body)
    if not re.search(r"cache|kept|memo|_seen", f"{page.path} {text}", re.IGNORECASE):
        return
    for no, line in body:
        found = re.match(r"\s*(?:\w+\s+)?(\w*key\w*)\s*:?=\s*(.+)", line, re.IGNORECASE)
        if not found or not re.search(rf"\[{found[1]}\]|\({found[1]}\b|\b{found[1]} (?:not )?in\b", text):
            continue
        used = "\n".join(one for other, one in body if other > no)
        left_out = [
            name
            for name in unit.params
            if name not in ("self", "cls", "this")
            and not re.search(rf"\b{name}\b", found[2])
            and re.search(rf"[(,]\s*{name}\s*[,)]", used)
            and not re.search(rf"\b{name}\s*\(", used)
        ]
        if left_out and re.search(r"\b" + "|".join(re.escape(one) for one in unit.params), found[2]):
            yield Fault("stale-cache", no, no, 26, f"the key leaves out {left_out[0]}, on which the kept value depends")


def _bounds(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        bare = _STRING.sub('""', line)
        if re.search(
            r"range\([^()]*len\([^()]*\)\s*\+\s*1\)|<=\s*(?:len\(|\w+(?:\.\w+)*\.(?:length|size\(\)|Count))|\[len\(\w+\)\]|\[\w+\.length\]",
            bare,
        ):
            yield Fault("off-by-one", no, no, 22, "the bound goes one too far")
        if re.search(
            r"range\([^()]*len\([^()]*\)\s*-\s*1\)|min\([^()]*-\s*1\)|:\s*-1\]|<\s*(?:len\([^()]*\)|\w+\.length)\s*-\s*1",
            bare,
        ):
            yield Fault("off-by-one", no, no, 14, "the bound stops one short")


def _measures(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        if re.search(r"\bsleep\(\s*\w*(?:_ms|millis|Ms|Millis)\b|timeout\s*=\s*\w*(?:_ms|millis|Ms|Millis)\w*\b|setTimeout\([^,]+,\s*\w*(?:seconds|_sec|Sec)\b", line) and "1000" not in line:  # fmt: skip
            yield Fault(
                "wrong-unit", no, no, 24, "milliseconds are given where seconds are wanted, or the other way round"
            )
        if re.search(
            r"\b\w*_(?:kg|seconds|sec|dollars|eur|mb)\s*=\s*[\w.]*(?:\.|_)(?:grams|g|ms|millis|cents|minutes|bytes|kb)\b\s*$",
            line,
        ):
            yield Fault("wrong-unit", no, no, 26, "a value in one unit is given a name with another")


def _times(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        if re.search(r"utcfromtimestamp\(|\butcnow\(\)|datetime\.now\(\s*\)|fromtimestamp\(\s*[\w.]+\s*\)|date\.today\(\)|LocalDateTime\.now\(\)|new SimpleDateFormat", line):  # fmt: skip
            yield Fault("wrong-timezone", no, no, 14, "a time without a zone")


_NO_SUMMER = re.compile(r"(?i)KST|seoul|korea|JST|tokyo|asia|IST|india|UTC\b|GMT\b|china|shanghai|hong_?kong|singapore")


def _fixed_zones(page: Page) -> Iterator[Fault]:
    """Where clocks are put forward in summer, a fixed distance is wrong for half of the year."""
    for no, line in enumerate(page.lines, start=1):
        fixed = re.search(
            r"\btimezone\(\s*(?:datetime\.)?timedelta\(\s*(?:hours\s*=|seconds\s*=|minutes\s*=)\s*-?[1-9]|\bFixedOffset\(\s*-?[1-9]|"
            r"ZoneOffset\.ofHours\(\s*-?[1-9]|time\.FixedZone\([^,]+,\s*-?[1-9]|\bGMT[+-]0?[1-9]",
            line[:300],
        )
        if fixed and not _NO_SUMMER.search(re.sub(r"\bGMT[+-]", "", line[:300])):
            yield Fault("wrong-timezone", no, no, 22, "this zone keeps one distance from UTC, in summer too")


def _texts(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        opened = re.search(r"(?<![\w.])open\(([^)]*)\)|\.(?:read_text|write_text)\(([^)]*)\)", line)
        told = opened and (opened[1] or opened[2] or "")
        if opened and "encoding" not in (told or "") and not re.search(r"[\"'][rwax+]*b[rwax+]*[\"']", told or ""):
            yield Fault("encoding", no, no, 8, "a text is read or written in whatever encoding the machine has")
        if re.search(r"\.decode\(\s*[\"']ascii|new FileReader\(|new String\(\w+\)|\.getBytes\(\)", line):
            yield Fault("encoding", no, no, 14, "a text is taken to be in one encoding")


def _dates(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    """JavaScript counts months from 0."""
    for no, line in body:
        if re.search(r"new Date\(\s*[\w.]+\s*,\s*[\w.]*[mM]onth\w*\s*,|Date\.UTC\(\s*[\w.]+\s*,\s*[\w.]*[mM]onth\w*\s*,", line):  # fmt: skip
            yield Fault("wrong-calculation", no, no, 22, "months count from 0 here")


def _money(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        if re.search(r"\bint\(\s*(?:float\()?[^()]*\)?\s*\*\s*100|(?:parseInt|Math\.floor|Math\.trunc)\([^()]*\*\s*100|\(int\)\s*\(?[\w.]+ \* 100", line):  # fmt: skip
            yield Fault("rounding", no, no, 24, "a binary fraction is cut off to whole hundredths")
        elif re.search(r"\bfloat\(|\bparseFloat\(|\bdouble\b|\bround\(|\bint\(.*[*/]", line) and _MONEY.search(
            f"{unit.name} {line}"
        ):
            yield Fault("rounding", no, no, 16, "money in binary fractions, or cut off")
        if found := re.search(r"(?<![/*\"'])/\s*(len\(\w+\)|\w*(?:count|total|size|n)\b)", _STRING.sub("", line)):
            name = re.sub(r"\W", "", found[1].replace("len", ""))
            guard = "\n".join(one for other, one in body if other <= no)
            if not re.search(rf"if\b[^\n]*\b{name}\b|\bor 1\b|max\(1", guard):
                yield Fault("wrong-calculation", no, no, 12, f"divided by {found[1]}, which may be nothing")


# --- other -------------------------------------------------------------------------------------


def _defaults(page: Page) -> Iterator[Fault]:
    for node in ast.walk(page.tree) if page.tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            shared = [
                one
                for one in [*node.args.defaults, *node.args.kw_defaults]
                if isinstance(one, (ast.List, ast.Dict, ast.Set))
            ]
            if shared:
                yield Fault("state-machine", node.lineno, node.lineno, 20, "a default that all calls share")


def _waits(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    loop = -1
    for no, line in body:
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth <= loop:
            loop = -1
        if loop >= 0 and re.search(r"\.execute\(|\.query\(|objects\.(?:get|filter)\(|\.find_?[oO]ne\(|requests\.\w+\(|fetch\(|urlopen\(|\.findById\(|session\.get\(", line):  # fmt: skip
            yield Fault("slow-query", no, no, 20, "a question to a store or a service for each turn of a loop")
        if re.match(r"\s*(?:for|while)\b", line) and loop < 0:
            loop = depth
        if re.search(
            r"requests\.(?:get|post|put|delete|request)\((?!.*timeout)|urlopen\((?!.*timeout)|new HttpClient\(\)", line
        ):
            yield Fault("timeout", no, no, 12, "a call over the network without a time limit")


def _blocking(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    """Waiting that stops everything else that runs in the same loop of events."""
    if not re.search(r"\basync def\b", page.line(unit.first)):
        return
    for no, line in body:
        if re.search(r"(?<![\w.])time\.sleep\(|\brequests\.\w+\(|(?<!await )\burlopen\(", line):
            yield Fault("slow-query", no, no, 22, "everything waits here, not only this request")


def _endless(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    text = "\n".join(line for no, line in body if no > unit.first)
    calls = [
        no
        for no, line in body
        if no > unit.first and re.search(rf"(?<![\w.])(?:self\.|this\.)?{re.escape(unit.name)}\(", line)
    ]
    if calls and not re.search(r"\bif\b|\bmatch\b|\?|\bfor\b|\bswitch\b|\bwhile\b|\bsuper\b", text):
        yield Fault("recursion", calls[0], calls[0], 24, f"{unit.name} calls itself whatever happens")


def _commands(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        if re.search(
            r"execute\(\s*f[\"']|execute\(\s*[\"'][^\"']*[\"']\s*(?:%|\+|\.format)|shell\s*=\s*True|\beval\(|os\.system\(|innerHTML\s*=",
            line,
        ):
            yield Fault("injection", no, no, 18, "a command is put together from texts")


def _unawaited(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        call = re.match(r"\s*(?:(?:const|let|var)?\s*\w+\s*=\s*)?(?:\w+\.)?(\w+)\(.*\)\s*;?\s*$", line)
        if (
            call
            and any(one.name == call[1] and re.search(r"\basync\b", page.line(one.first)) for one in page.units)
            and no != unit.first
        ):
            yield Fault("wrong-type", no, no, 22, f"the result of {call[1]} is not waited for")


def _texts_as_truth(page: Page) -> Iterator[Fault]:
    """`bool("false")` is true."""
    for no, line in enumerate(page.lines, start=1):
        if re.search(r"\bbool\(\s*os\.(?:environ|getenv)|\bBoolean\(\s*process\.env|!!\s*process\.env\.", line[:400]):
            yield Fault("config-value", no, no, 28, "any text of the environment counts as true, the word false too")


def _shared_formats(page: Page) -> Iterator[Fault]:
    """Java: formats and calendars that are not made for several threads, kept for all."""
    for no, line in enumerate(page.lines, start=1):
        if re.search(
            r"\bstatic\b.*\b(?:SimpleDateFormat|DateFormat|DecimalFormat|NumberFormat|Calendar|HashMap)\b.*=",
            line[:300],
        ):
            worth = 16 if "HashMap" in line else 26
            yield Fault("race", no, no, worth, "all threads share what is made for one")


def _columns(page: Page) -> Iterator[Fault]:
    """SQL: money in binary fractions, and comparisons that are never true."""
    if not page.path.endswith(".sql"):
        return
    for no, line in enumerate(page.lines, start=1):
        line = line[:400]
        if re.search(r"(?i)\b(?:double(?: precision)?|float\d?|real)\b", line) and _MONEY.search(line):
            yield Fault("rounding", no, no, 24, "money in a column of binary fractions")
        if re.search(r"(?i)(?<!set )\b\w+\s*(?:<>|!=|=)\s*NULL\b(?!\s*,)", line) and re.search(
            r"(?i)\b(?:where|and|or|on)\b", line
        ):
            yield Fault("wrong-query", no, no, 24, "nothing is ever equal to NULL")
        if re.search(r"(?i)\bnot in\s*\(\s*select\b", line):
            yield Fault("wrong-query", no, no, 10, "one NULL among those empties the result")


def _changed_while_read(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    """A list or a table that is changed by the loop that goes through it."""
    for at, (no, line) in enumerate(body):
        found = re.match(
            r"(\s*)for \(?(?:\w+ )*\w+(?:, \w+)? (?:in|of|:) ([\w.]+?)(?:\.(?:items|keys|values)\(\))?\)?\s*[:{]", line
        )
        if found is None:
            continue
        name = re.escape(found[2])
        for later, text in body[at + 1 :]:
            if text.strip() and len(text) - len(text.lstrip()) <= len(found[1]):
                break
            if re.search(rf"(?<![\w.]){name}\.(?:remove|pop|insert|delete|splice|add)\(|\bdel {name}\[", text):
                yield Fault("state-machine", no, later, 22, f"{found[2]} is changed while it is gone through")


def _identities(page: Page, unit: Unit, body: Body) -> Iterator[Fault]:
    for no, line in body:
        if re.search(r"==\s*([\"'])[^\"']*\1\s+or\s+[\"'][^\"']*[\"']\s*[:)]|\bif \(\s*\w+ = [^=]", line):
            yield Fault("wrong-condition", no, no, 24, "this is always so")
        if re.search(r"\.sort\(\s*\)", line) and page.language in ("javascript", "typescript"):
            yield Fault("wrong-condition", no, no, 10, "numbers are sorted as texts")
        if re.search(r"\bis (?:not )?(?:[\"']|\d)", line) or (
            page.language == "java" and re.search(r"==\s*\"|\"\s*==", line)
        ):
            yield Fault("wrong-condition", no, no, 20, "identity is tested where equality is meant")


def _unreached(page: Page) -> Iterator[Fault]:
    for node in ast.walk(page.tree) if page.tree else ():
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            for one, after in itertools.pairwise(block) if isinstance(block, list) else ():
                if isinstance(one, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
                    yield Fault("dead-code", after.lineno, after.lineno, 16, "this is never reached")
                    break


_OF_PAGES: tuple[Callable[[Page], Iterator[Fault]], ...] = (
    _swallowed, _unmade, _defaults, _unreached, _texts_as_truth, _shared_formats, _columns, _fixed_zones,
)  # fmt: skip
_OF_UNITS: tuple[Callable[[Page, Unit, Body], Iterator[Fault]], ...] = (
    _missing, _races, _looked_first, _kept_lock, _leaks, _retries, _cache_keys, _bounds, _measures, _times, _texts, _money, _waits,
    _endless, _commands, _unawaited, _identities, _bodies, _dates, _changed_while_read, _blocking,
)  # fmt: skip
