"""From what was raised to where it comes from: by the kind of the exception, and by the names in its message.

| raised | looked for |
|---|---|
| a missing value was used | the line that gives it, back through assignments, calls and what they return |
| a key, column or attribute is not there | where something gives it under a like name, or took it away |
| a module or a name in it is not there | the import; where the module is now; the pin of the package |
| a call does not fit a function | the definition, and the call |
| a file is not there, or may not be used | the text of its path, in code and settings |
| a text cannot be decoded or parsed | where it is opened or decoded, in the same function |
| no answer, connection refused | the time limit, address or port on which the call depends |
| nothing free | who takes without giving back |
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from withstood.agents.programmed.investigation import feeds
from withstood.agents.programmed.investigation.atlas import Atlas, Spot, kind
from withstood.agents.programmed.investigation.faults import faults
from withstood.agents.programmed.investigation.symptoms import Symptom


@dataclass(frozen=True, slots=True)
class Origin:
    """Where it comes from, why, and how sure that is."""

    spot: Spot
    cause: str
    worth: int
    says: str


def origins(atlas: Atlas, symptom: Symptom) -> list[Origin]:
    """The most telling first; nothing where no line of the repository is on the way."""
    text = f"{symptom.kind}: {symptom.message}"
    found = list(of_settings(atlas, text))
    if symptom.frames:
        found += [one for pattern, look in _LOOKS if (met := pattern.search(text)) for one in look(atlas, symptom, met)]
        found += _mentioned(atlas, symptom)
        found += _of_packages(atlas, symptom)
    best: dict[Spot, Origin] = {}
    for one in found:
        if one.spot not in best or best[one.spot].worth < one.worth:
            best[one.spot] = one
    return sorted(best.values(), key=lambda one: (-one.worth, one.spot.path, one.spot.line))


def of_settings(atlas: Atlas, text: str) -> Iterator[Origin]:
    """Lines of settings and of deployments by which a failure with such a text can be brought about."""
    for pattern, cause, lines, says in _SETTINGS:
        if pattern.search(text):
            for path in [one for one in atlas.paths() if kind(one) in ("infra", "config")][:MOST_SETTINGS]:
                page = atlas.page(path)
                found = [no for no, line in enumerate(page.lines if page else (), start=1) if lines.search(line[:300])]
                yield from (Origin(Spot(path, no), cause, 26, says) for no in found[:4])


def _of_packages(atlas: Atlas, symptom: Symptom) -> Iterator[Origin]:
    """The version of the package in which it was raised; more telling where it was raised while it was imported."""
    raised = symptom.trace.root.frames[:1] if symptom.trace else ()
    for frame in raised:
        found = re.search(
            r"(?:site-packages|dist-packages|node_modules)/(@[\w.-]+/[\w.-]+|[\w.-]+?)(?:\.py)?(?:/|$)", frame.path
        )
        imported = re.match(r"\s*(?:from|import|const .*require)\b", atlas.line(symptom.frames[0]))
        for one in _pinned(atlas, found[1]) if found else ():
            yield Origin(one.spot, one.cause, 44 if imported else 24, one.says)


def _mentioned(atlas: Atlas, symptom: Symptom) -> Iterator[Origin]:
    """Files and lines that a message names: a class, a column, a setting."""
    for name in dict.fromkeys(next(filter(None, one)) for one in _MENTIONED.findall(symptom.message)):
        short = name.rpartition(".")[2]
        for path in atlas.with_stem(short):
            if like := _first_like(atlas, path, symptom.message):
                yield Origin(like, "", 42, f"{short} is told of, and something of a like name stands there")
        spots = [spot for spot in atlas.lines_with(name, most=12) if kind(spot.path) != "test"]
        if len(spots) <= 8:
            for spot in spots:
                stored = kind(spot.path) == "migration"
                yield Origin(
                    spot, "migration" if stored else "", 34 if stored else 18, f"{name} is told of, and stands here"
                )


def _first_like(atlas: Atlas, path: str, message: str) -> Spot | None:
    """The first line of a file with a name like one of a message."""
    page = atlas.page(path)
    told = [next(filter(None, one)) for one in _MENTIONED.findall(message)]
    for no, line in enumerate(page.lines if page else (), start=1):
        if any(name != (like := _like(name, line)) and like for name in told if "." not in name):
            return Spot(path, no)
    return None


Look = Callable[[Atlas, Symptom, "re.Match[str]"], Iterator[Origin]]


def _given(met: re.Match[str]) -> str:
    return next((group for group in met.groups() if group), "")


# --- missing values ----------------------------------------------------------------------------


def _missing(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    at = symptom.frames[0]
    yield Origin(at, "null-dereference", 30, "a missing value is used here")
    wanted = _given(met)
    line = atlas.line(at)
    holder = (
        re.search(rf"([A-Za-z_]\w*)(?:\([^()]*\)|\[[^\]]*\])?\s*\??[.\[]\s*[\"']?{re.escape(wanted)}\b", line)
        if wanted
        else None
    )
    names = {one for one in (holder[1] if holder else "", wanted) if one} | (
        {wanted} if "because" in met[0] else set[str]()
    )
    for fed in feeds.feeds(atlas, at)[1:]:
        text = atlas.line(fed.spot)
        may = _may_be_missing(text)
        if fed.how == "called" and may:
            yield Origin(fed.spot, "null-dereference", 44 - 4 * fed.depth, "this may give back nothing")
        elif fed.how == "called" and any(
            re.search(rf"[\"']?\b{re.escape(name)}[\"']?\s*[:=]", text) for name in sorted(names)
        ):
            yield Origin(fed.spot, "null-dereference", 44 - 4 * fed.depth, "this is where the value is put in")
        elif fed.name in names and fed.how == "assigned" and may:
            yield Origin(fed.spot, "null-dereference", 38, "this may give nothing")
    page = atlas.page(at.path)
    for fault in faults(page) if page else ():
        if fault.cause == "null-dereference" and fault.worth >= 20 and fault.first != at.line:
            yield Origin(Spot(at.path, fault.first), fault.cause, 40, fault.says)


def _may_be_missing(line: str) -> bool:
    return bool(
        re.search(
            r"\bNone\b|\bnull\b|\bnil\b|\bundefined\b|\.get\(|\.first\(|\.find\(|\bnext\(|orElse\(null|fetchone\(|\.match\(|\.search\(|getOrNull|\?\.",
            line,
        )
    )


# --- names that are not there ------------------------------------------------------------------


def _name(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    wanted = _given(met).strip("`'\"[]").rpartition(".")[2]
    if not wanted:
        return
    at = symptom.frames[0]
    yield Origin(at, "renamed-key", 24, f"{wanted} is asked for here, and is not there")
    fed = {one.spot: one for one in feeds.feeds(atlas, at)[1:]}
    for spot, one in fed.items():
        if like := _like(wanted, atlas.line(spot)):
            yield Origin(spot, "renamed-key", 46 - 4 * one.depth, f"here it is called {like}")
    for spot in atlas.lines_with(wanted, most=120):
        line = atlas.line(spot)
        if re.search(r"(?i)\b(?:rename|drop|remove)\w*\b.{0,80}\b" + re.escape(wanted) + r"\b", line[:400]) and kind(
            spot.path
        ) in ("migration", "code"):
            yield Origin(spot, "renamed-key", 48, f"{wanted} is renamed or taken away here")
    yield from _mapping(atlas, at, wanted)
    yield from _other_table(atlas, symptom, wanted)


def _mapping(atlas: Atlas, at: Spot, wanted: str) -> Iterator[Origin]:
    """A table in which a key is looked up: what of it is like the key."""
    for found in re.finditer(r"(\w+)\s*\[", atlas.line(at)):
        for spot in feeds.feeds(atlas, at):
            if (
                spot.how in ("constant", "assigned")
                and spot.name == found[1]
                and (like := _like(wanted, _whole(atlas, spot.spot)))
            ):
                yield Origin(spot.spot, "renamed-key", 46, f"here it is called {like}")


def _other_table(atlas: Atlas, symptom: Symptom, wanted: str) -> Iterator[Origin]:
    """A migration that makes the column, in another table than the one that lacks it."""
    table = re.search(r"(?i)\b(?:relation|table) [\"'`]?(?:\w+\.)?(\w+)[\"'`]? (?:does not|has no)", symptom.message)
    for spot in atlas.lines_with(wanted, most=120) if table else ():
        line = atlas.line(spot)[:400]
        made = re.search(r"(?i)\b(?:alter|create) table (?:if (?:not )?exists )?[\"'`]?(?:\w+\.)?(\w+)", line)
        if table and made and kind(spot.path) == "migration" and made[1].lower() != table[1].lower():
            yield Origin(spot, "migration", 50, f"{wanted} is made in {made[1]}, and {table[1]} lacks it")


def _whole(atlas: Atlas, spot: Spot) -> str:
    page = atlas.page(spot.path)
    return "\n".join(page.lines[spot.line - 1 : spot.line + 30]) if page else ""


def _like(wanted: str, text: str) -> str:
    """A name in a text that is nearly the wanted one, or holds it; none where the wanted one is there itself."""
    names = re.findall(r"[A-Za-z_][\w-]*", text[:2000])
    if wanted in names:
        return ""
    low = wanted.lower()
    near = [name for name in names if _near(low, name.lower())]
    return max(near, key=lambda name: difflib.SequenceMatcher(None, low, name.lower()).ratio(), default="")


def _near(wanted: str, name: str) -> bool:
    if len(wanted) < 3 or len(name) < 3:
        return False
    parts = re.split(r"[_-]", name)
    if (
        wanted == name
        or wanted in parts
        or name in re.split(r"[_-]", wanted)
        or wanted.replace("_", "") == name.replace("_", "")
    ):
        return True
    return difflib.SequenceMatcher(None, wanted, name).ratio() >= 0.8


# --- modules -----------------------------------------------------------------------------------


def _module(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    wanted = _given(met).strip("'\"./")
    for at in symptom.frames:
        if wanted.rpartition(".")[2].rpartition("/")[2] in atlas.line(at):
            yield Origin(at, "missing-import", 44, f"{wanted} is imported here, and is not there")
            break
    yield from _pinned(atlas, wanted)


def _pin(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    yield from _pinned(atlas, _given(met).strip("'\""))


def _pinned(atlas: Atlas, name: str) -> Iterator[Origin]:
    """The line that says which version of a package is wanted."""
    package = re.split(r"[./]", name)[0]
    if len(package) < 2 or any(
        path.startswith((f"{package}/", f"src/{package}/")) or path == f"{package}.py" for path in atlas.paths()
    ):
        return
    bare = package.lower().replace("_", "-")
    for path in [one for one in atlas.paths() if kind(one) == "pins"][:20]:
        page = atlas.page(path)
        for no, line in enumerate(page.lines if page else (), start=1):
            if bare in line.lower().replace("_", "-"):
                yield Origin(Spot(path, no), "dependency-changed", 46, f"this says which version of {package} there is")


def _imported(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    """`x is not a function`, `no attribute`: where x is a package, its pin."""
    page = atlas.page(symptom.frames[0].path)
    name = re.match(r"\w+", _given(met))
    if page is None or name is None:
        return
    word = name[0]
    told = re.compile(
        rf"import\s+{word}\b|from\s+([\w.]+)\s+import.*\b{word}\b|{word}\s*=\s*require\([\"']([\w@/-]+)|"
        rf"import\s+.*\b{word}\b.*from\s+[\"']([\w@/-]+)"
    )
    for line in page.lines[:60]:
        if found := told.search(line[:300]):
            yield from _pinned(atlas, next((one for one in found.groups() if one), word))


# --- calls that do not fit ---------------------------------------------------------------------


def _call(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    name = _given(met).rpartition(".")[2]
    for page, unit in atlas.definitions(name, symptom.frames[0].path)[:3]:
        yield Origin(Spot(page.path, unit.first), "interface-changed", 46, f"{name} takes other arguments")
    yield Origin(symptom.frames[0], "interface-changed", 30, f"{name} is called with arguments that it does not take")


# --- files and texts ---------------------------------------------------------------------------


def _path(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    cause = "permission" if re.search(r"(?i)permission|denied", met[0]) else "wrong-path"
    steps = [step for step in re.split(r"[\\/]", _given(met).strip("'\"")) if step not in ("", ".", "..")]
    near = {one.spot: one for one in feeds.feeds(atlas, symptom.frames[0])}
    for spot, fed in near.items():
        if fed.how in ("constant", "key", "assigned") and any(step in atlas.line(spot) for step in steps):
            yield Origin(spot, cause, 30 if cause == "permission" else 46, "the path comes from here")
    for step in sorted(steps, key=len, reverse=True)[:2]:
        for spot in atlas.lines_with(step, most=20) if re.fullmatch(r"\w{4,}", step) else ():
            if kind(spot.path) in ("code", "config", "infra") and re.search(
                rf"[\"'/=:\s]{re.escape(step)}[\"'/\s]?", atlas.line(spot)
            ):
                yield Origin(spot, cause, 32, "the path is named here")
    yield Origin(symptom.frames[0], cause, 26, "the path is used here")


def _within(cause: str, pattern: str, worth: int, says: str) -> Look:
    """Lines of the failing functions that match a pattern."""
    wanted = re.compile(pattern)

    def look(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
        for depth, at in enumerate(symptom.frames[:3]):
            page = atlas.page(at.path)
            unit = page.unit_at(at.line) if page else None
            for no, line in page.body(unit) if page and unit else ():
                if wanted.search(line[:400]):
                    yield Origin(Spot(at.path, no), cause, worth - 6 * depth, says)
        yield Origin(symptom.frames[0], cause, 24, "it is raised here")

    return look


# --- waiting and connecting --------------------------------------------------------------------


def _fed_by(cause: str, pattern: str, says: str) -> Look:
    """Settings, constants and defaults that feed the failing line, where they look like what was too little or wrong."""
    wanted = re.compile(pattern, re.IGNORECASE)

    def look(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
        for depth, at in enumerate(symptom.frames[:2]):
            page = atlas.page(at.path)
            unit = page.unit_at(at.line) if page else None
            lines = [Spot(at.path, no) for no, _ in page.body(unit)] if page and unit else []
            for spot in [at, *lines]:
                for fed in feeds.feeds(atlas, spot)[:20] if wanted.search(atlas.line(spot)) or spot == at else ():
                    if fed.how in ("constant", "key") and wanted.search(atlas.line(fed.spot)):
                        yield Origin(fed.spot, cause, 42 - 4 * depth, says)
        yield Origin(symptom.frames[0], cause, 20, "it is raised here")

    return look


def _taken(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    """Whoever takes from the same place and does not give back."""
    page = atlas.page(symptom.frames[0].path)
    unit = page.unit_at(symptom.frames[0].line) if page else None
    if page is None or unit is None:
        return
    for spot in atlas.callers(unit.name, near=page.path):
        there = atlas.page(spot.path)
        for fault in faults(there) if there else ():
            if fault.cause == "resource-leak" and fault.first == spot.line:
                yield Origin(spot, "resource-leak", 20 + fault.worth, fault.says)


def _raced(atlas: Atlas, symptom: Symptom, met: re.Match[str]) -> Iterator[Origin]:
    """The failing functions, and the faults of several at once that stand in their files."""
    cause = "deadlock" if re.search(r"(?i)deadlock|lock wait", met[0]) else "race"
    for depth, at in enumerate(symptom.frames[:2]):
        yield Origin(at, cause, 40 - 14 * depth, "this was done by two at once")
        page = atlas.page(at.path)
        for fault in faults(page) if page else ():
            if fault.cause in ("race", "deadlock"):
                yield Origin(Spot(at.path, fault.first), fault.cause, 34, fault.says)


MOST_SETTINGS = 400
_MENTIONED = re.compile(
    r"[\"'`]([A-Za-z_][\w.]{2,60})[\"'`]|\b([a-z][\w]*(?:\.[a-z]\w*)+\.[A-Z]\w+)\b|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b"
)
_SETTINGS: tuple[tuple[re.Pattern[str], str, re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), cause, re.compile(lines), says)
    for pattern, cause, lines, says in (
        (r"(?i)\bOOM|out of memory|exit (?:code|status):? 137|heap space|MemoryError|cannot allocate memory", "resource-exhausted", r"(?i)\bmemory:|mem_limit|-Xmx|max_memory|maxmemory|heap", "this says how much memory there is"),
        (r"(?i)\b413\b|too large|body size|PayloadTooLarge|exceeds? (?:the )?(?:maximum|limit)", "config-value", r"(?i)max.{0,6}(?:body|size|upload|length)|body.?limit|size.?limit", "this says how large it may be"),
        (r"(?i)too many open files|EMFILE", "resource-exhausted", r"(?i)nofile|ulimit", "this says how many files may be open"),
        (r"(?i)no space left|ENOSPC|disk full", "resource-exhausted", r"(?i)storage:|size_?limit|max.?size|retention|rotate|volume", "this says how much room there is"),
        (r"(?i)QueuePool limit|\bpool\b.{0,40}(?:exhaust|limit|is full)|remaining connection slots|too many (?:clients|connections)", "resource-exhausted", r"(?i)pool.?size|max.?pool|maximum-pool|max.?connections|max_overflow|pool.?limit", "this says how many connections there may be"),
        (r"(?i)\b504\b|upstream timed out|gateway time-?out", "timeout", r"(?i)timeout", "the time limit is set here"),
        (r"(?i)\b502\b|bad gateway|connection refused|ECONNREFUSED", "config-value", r"(?i)proxy_pass|\bupstream\b|containerPort|targetPort|--port|\bports?:|\bPORT\b|_(?:URL|HOST|PORT|ADDR)\b|://[\w.-]+:\d+", "the address is set here"),
        (r"(?i)permission denied|EACCES|Operation not permitted", "permission", r"(?m)^\s*USER\s|runAsUser|runAsNonRoot|readOnlyRootFilesystem|chown|chmod|:ro\b", "this says as whom it runs, and what may be written"),
        (r"(?i)ZoneInfoNotFound|No time zone found|tzdata|shared librar|GLIBC|command not found|executable file not found|exec format error|not found in \$PATH", "deployment", r"(?m)^\s*FROM\s|apk add|apt-get|\bimage:", "this says what the machine has"),
        (r"(?i)CORS|Access-Control-Allow|cross-origin", "config-value", r"(?i)cors|allowed.?origins?|Access-Control", "this says who may ask"),
        (r"(?i)certificate|SSL|x509|TLS handshake", "config-value", r"(?i)\bcert|ssl|tls|\.pem|\.crt", "the certificate is set here"),
        (r"(?i)\b429\b|rate limit|too many requests|throttl", "config-value", r"(?i)rate|limit|burst|throttl", "the limit is set here"),
    )
)  # fmt: skip
_NAME = r"[\"'`\[]?([\w.-]+)[\"'`\]]?"
_LOOKS: tuple[tuple[re.Pattern[str], Look], ...] = tuple(
    (re.compile(pattern), look)
    for pattern, look in (
        (r"'NoneType' object has no attribute '(\w+)'|'NoneType' object (?:is not|does not)|Cannot read propert(?:y|ies) of (?:undefined|null)(?: \(reading '(\w+)')?|Cannot invoke \".*because \"(?:this\.)?(\w+)|NullPointerException|NullReferenceException|nil pointer dereference|nil map|(?:undefined|null) is not an object|undefined method `?'?(\w+)'? for nil|on null\b", _missing),
        (rf"KeyError: {_NAME}|no such column: {_NAME}|Unknown column {_NAME}|column {_NAME} (?:of relation \S+ )?does not exist|(?<!NoneType)' object has no attribute {_NAME}|Unrecognized field {_NAME}|no such table: {_NAME}|relation {_NAME} does not exist|missing (?:key|field|property):? {_NAME}|key not found:? :?{_NAME}|NameError: name {_NAME}|Undefined (?:index|array key):? {_NAME}|{_NAME} is not defined", _name),
        (r"No module named ([\w.']+)|cannot import name '\w+' from '([\w.]+)'|Cannot find module '([^']+)'|(?:ClassNotFoundException|NoClassDefFoundError): ([\w./$]+)", _module),
        (r"module '([\w.]+)' has no attribute|(?:^|\W)(\w+)\.\w+ is not a function|NoSuchMethodError: '?([\w.]+)", _imported),
        (r"module '([\w.]+)' has no attribute", _pin),
        (r"(\w+(?:\.\w+)*)\(\) (?:got an unexpected|missing \d+ required|takes \d+|got multiple values)", _call),
        (r"(?:FileNotFoundError|NoSuchFileException|ENOENT|No such file or directory)[^'\"]*['\"]?([^'\"]+)|Permission(?:Error| denied)[^'\"]*['\"]?([^'\"]*)|EACCES[^'\"]*['\"]?([^'\"]*)", _path),
        (r"(?i)concurrent map|ConcurrentModification|changed size during iteration|changed during iteration|database is locked|could not serialize|deadlock (?:detected|found)|Lock wait timeout|OptimisticLock|StaleObject", _raced),
        (r"Unicode|codec can't|MalformedInput|CharacterCoding|invalid byte sequence", _within("encoding", r"\bopen\(|\.decode\(|\.encode\(|encoding|charset|read_text|Reader\(", 46, "the encoding is set here")),
        (r"JSONDecodeError|ParseException|invalid literal for|could not convert|NumberFormatException|time data|does not match format|Unexpected token", _within("parsing", r"json\.|\bint\(|\bfloat\(|parse|strptime|loads\(|Decimal\(", 34, "it is read here")),
        (r"IndexError|OutOfBounds|index out of range|list index", _within("off-by-one", r"range\(|\[[^\]]*[-+][^\]]*\]|<=|\blen\(|\.length|\.size\(\)", 34, "the bound or the index stands here")),
        (r"ZeroDivision|divide by zero|/ by zero", _within("wrong-calculation", r"(?<!/)/(?!/)|%|\bdivmod\(", 38, "it is divided here")),
        (r"(?i)timeout|timed out|deadline exceeded|no answer|응답 없음|시간 초과", _fed_by("timeout", r"timeout|deadline|wait|limit|ttl|_ms\b|seconds", "the time limit is set here")),
        (r"(?i)connection ?refused|ECONNREFUSED|Name or service not known|getaddrinfo|ENOTFOUND|unknown host|UnknownHost|No route", _fed_by("config-value", r"host|port|url|address|endpoint|server|broker|\d{2,5}", "the address is set here")),
        (r"(?i)authentication failed|invalid credentials|access denied for user|401 unauthorized", _fed_by("permission", r"user|token|password|key|role|secret|auth", "the access is set here")),
        (r"(?i)exhaust|too many (?:open|connections|clients)|no free|QueuePool limit|pool .*(?:empty|full|timeout)|remaining connection slots|EMFILE", _taken),
    )
)  # fmt: skip
