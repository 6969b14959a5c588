"""What a change did, told by what went and what came.

A row of the table: what it may have broken, how telling it is, what must be fewer after the change (`less`), what must
be more (`more`), and in which files. Rows that look at numbers and names are functions below. Comments, texts for
people and white space count for nothing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from withstood.agents.programmed.investigation.atlas import kind
from withstood.agents.programmed.investigation.chronicle import Hunk

MOST_LINES = 120


@dataclass(frozen=True, slots=True)
class Turn:
    """What a change may have broken. `worth` is how telling it is, `says` the words of the table."""

    cause: str
    worth: int
    says: str


@dataclass(frozen=True, slots=True)
class _Row:
    cause: str
    worth: int
    says: str
    less: str = ""
    more: str = ""
    files: str = ""


_ROWS = (
    _Row("race", 30, "a lock was taken away", less=r"\b\w*[lL]ock\w*\b|\bsynchronized\b|\b[mM]utex\b|\batomic\w*\b|(?i:for update)|\bSemaphore\b"),
    _Row("deadlock", 20, "a lock was added", more=r"\bwith \w*lock\w*\b|\.acquire\(|\bsynchronized\b|\.Lock\(\)|\.lock\(\)"),
    _Row("resource-leak", 30, "closing or giving back was taken away", less=r"\.close\(|\.release\(|\.Close\(|\bfinally\b|\bdefer\b|\.dispose\(|\.disconnect\(|\.shutdown\(|\.rollback\(|\.unlink\(|\bwith \w[\w.]*\(|\bclosing\("),
    _Row("rounding", 30, "exact numbers were taken away", less=r"\bDecimal\b|\bBigDecimal\b|\bquantize\b|\bROUND_\w+|\bFraction\b|\bRoundingMode\b|setScale|toFixed|Math\.round|\bround\("),
    _Row("rounding", 24, "binary fractions or truncation came in", more=r"\bfloat\(|\bround\(|\bint\(|\bdouble\b|\bparseFloat\(|\bfloat64\(|(?<![/:])//(?![/ ]\w+ \w)|Math\.floor|toFixed|\btrunc\("),
    _Row("wrong-timezone", 30, "the zone of a time changed", less=r"\b(?:ZoneInfo|timezone|tzinfo|tz|pytz|astimezone|ZoneId|ZonedDateTime|OffsetDateTime|localtime|SEOUL|KST|UTC|utc)\b|utcnow|\.UTC\(\)|toISOString"),
    _Row("wrong-timezone", 28, "times without a zone came in", more=r"\butcnow\(|\butcfromtimestamp\(|datetime\.now\(\)|\bLocalDateTime\b|\.fromtimestamp\(\w+\)|date\.today\(\)|replace\(tzinfo|\.astimezone\(|timezone\.\w+|\.Local\(\)|getTimezoneOffset"),
    _Row("encoding", 28, "an encoding changed", less=r"\bencoding\s*=|(?i:cp949|euc[-_]kr|utf[-_]?8|utf[-_]?16|latin[-_]?1|charset)|\.decode\(|\.encode\("),
    _Row("encoding", 26, "an encoding was fixed", more=r"(?i:cp949|euc[-_]kr|[\"']utf[-_]?8|latin[-_]?1|[\"']ascii)|StandardCharsets"),
    _Row("retry", 28, "the pause or the limit of attempts was taken away", less=r"(?i)\bsleep\(|\bbackoff\b|\bjitter\b|\bmax_?(?:attempts|retries|tries)\b|\bmost_(?:attempts|retries|tries)\b|\b(?:tries|attempts?|retries)\b|\bin range\("),
    _Row("retry", 24, "endless attempts came in", more=r"\bwhile (?:True|1|\(true\))|\bfor \{|\bretr(?:y|ies)\b"),
    _Row("stale-cache", 28, "keeping or forgetting of copies changed", less=r"\b\w*[cC]ache\w*\.(?:clear|delete|del|drop|pop|invalidate|evict|remove|forget|purge|unset|set)|\binvalidate\w*|\bevict\w*|cache_clear|\bttl\b|\bexpir\w+"),
    _Row("stale-cache", 26, "copies are kept that were not", more=r"\blru_cache\b|@cache\b|@cached|@Cacheable|\bmemoize\b|\bcache\w*\.(?:set|put)\b|\b_?cache\w*\["),
    _Row("swallowed-exception", 28, "errors are caught and hidden", more=r"\bexcept(?: Exception| BaseException)?\s*(?:as \w+)?:|\bcatch\s*\(|contextlib\.suppress|\bsuppress\(|\.catch\(\s*\(\w*\)\s*=>\s*\{?\s*\}?|, _ :?= "),
    _Row("unhandled-exception", 22, "handling of errors was taken away", less=r"\bexcept\b|\bcatch\b|\brescue\b|if err != nil|\.catch\("),
    _Row("null-dereference", 28, "a check for a missing value was taken away", less=r"\bis (?:not )?None\b|[!=]==? ?null\b|[!=]= ?nil\b|\?\?|\|\| ?(?:\{|\[|''|\"\")|\bor (?:\{\}|\[\]|\"\"|''|0|\w+\()|\?\.|Optional|orElse\w*|\.isPresent|Objects\.requireNonNull|if not \w+:|if \(!\w+\)|getOrDefault|\bsetdefault\b|make\(map|= new \w*(?:Map|List|Set)\w*"),
    _Row("null-dereference", 26, "a missing value can come out", more=r"\breturn None\b|\breturn null\b|\breturn nil\b|, None\)|\.get\([^,()]*\)|\.first\(\)|\bundefined\b|\.find\([^)]*\)|\.orElse\(null\)"),
    _Row("missing-validation", 22, "a check was taken away", less=r"\braise \w+|\bthrow new\b|\bassert\b|\bvalidate\w*|\bif not \b|\bif \(!|\bis_valid\w*|\brequire\w*\("),
    _Row("wrong-type", 24, "waiting for a result was taken away", less=r"\bawait\b"),
    _Row("wrong-calculation", 20, "what is counted or added up changed", less=r"(?i)\bsum\(|\bcount\(|\bavg\(|\bmax\(|\bmin\(", more=""),
    _Row("wrong-type", 18, "a conversion changed", less=r"\b(?:int|str|float|bool|bytes|Number|String|parseInt|parseFloat|toString|valueOf|Atoi|Itoa)\("),
    _Row("permission", 28, "rights changed", less=r"(?i)\b\w*(?:permission|role|scope|grant|allow|admin|is_staff|authorize)\w*|chmod|0o?[67]\d\d"),
    _Row("permission", 22, "rights changed", more=r"(?i)\b(?:deny|forbid\w*|403|unauthorized|login_required|permission_\w+|require_role)\b|chmod"),
    _Row("state-machine", 20, "a step was taken away", less=r"\.(?:commit|flush|save|reset|clear|ack|acknowledge|notify|publish|emit|start|join|wait|begin|refresh|register|subscribe)\("),
    _Row("state-machine", 18, "a default that all calls share came in", more=r"def \w+\([^)]*=\s*(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\))"),
    _Row("slow-query", 22, "work in a loop came in", more=r"\bsleep\(|\.objects\.get\(|\.execute\(|\.query\(|SELECT \*|select_related|prefetch|\bin sorted\("),
    _Row("slow-query", 22, "an index, a limit or a batch was taken away", less=r"(?i)\bindex\b|\blimit\b|select_related|prefetch_related|joinedload|executemany|bulk_create|\bbatch\w*|yield_per|iterator\("),
    _Row("injection", 22, "texts are put together for a command", more=r"(?i)execute\(\s*f[\"']|execute\([^,)]*(?:%|\+)|\beval\(|shell\s*=\s*True|innerHTML|os\.system\("),
    _Row("no-observability", 14, "telling of it was taken away", less=r"\blog(?:ger|ging)?\.\w+\(|console\.\w+\(|\bprint\("),
    _Row("migration", 30, "the schema changed", more=r"(?i)\b(?:rename|drop|alter)\s+(?:column|table|index|constraint)|\brename_(?:column|field|table)|\bRenameField|\bRemoveField|\bdrop_column|\bNOT NULL\b", files="migration"),
    _Row("wrong-query", 28, "a query changed", more=r"\b(?:SELECT|FROM|JOIN|WHERE|GROUP BY|ORDER BY|HAVING|LIMIT|UNION|DISTINCT|INNER|LEFT|UPDATE|DELETE|AND|OR|ON)\b|\.filter\(|\.exclude\(|\.order_by\(|\.join\(\w+,"),
    _Row("wrong-query", 26, "a part of a query was taken away", less=r"\b(?:LEFT|OUTER|WHERE|DISTINCT|JOIN|GROUP BY|HAVING|ORDER BY|LIMIT|AND|COALESCE|NOT)\b|\.filter\(|\.exclude\(|\.order_by\(|\.distinct\("),
    _Row("missing-import", 18, "what is imported changed", less=r"^\s*(?:from [\w.]+ )?import\b|\brequire\(|^\s*using\b"),
    _Row("recursion", 20, "an end was taken away", less=r"\bbreak\b|\breturn\b\s*$|\bdepth\b|\bvisited\b|\bseen\b"),
    _Row("dead-code", 18, "something ends early", more=r"^\s*return\s*;?\s*$|^\s*continue\s*;?\s*$|\bif (?:False|0|false)\b"),
)  # fmt: skip
_READY = tuple((row, re.compile(row.less, re.MULTILINE), re.compile(row.more, re.MULTILINE)) for row in _ROWS)

_COMMENT = re.compile(r"^\s*(?:#(?!include)|//|\*|/\*|--|<!--|;|\"\"\"|''')|^\s*$")
_TRAILING = re.compile(r"(?<=[\s;,{})\]])(?:#|//|--) .*$")
_WORDS = re.compile(r"[A-Za-z_]\w*|\d+(?:[._]\d+)*|[^\s\w]")
_PLAIN_SETTING = re.compile(r"^\s*(?:ENV |ARG |set )?([\w.-]+) +([^\s;{}]+(?: [^\s;{}]+)?);?\s*$")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_SENTENCE = re.compile(
    r"\"(?![^\"]*\b[A-Z]{4,}\b)[^\"\\]*[A-Za-z가-힣]{2}[,.:;]? [\w%{][^\"\\]*\"|'(?![^']*\b[A-Z]{4,}\b)[^'\\]*[A-Za-z가-힣]{2}[,.:;]? [\w%{][^'\\]*'"
)
_UNIT = re.compile(r"[*/]\s*(?:1_?000(?:_?000)?|1024|100|60|3600|86_?400|24)\b")
_MEASURE = re.compile(r"(?i)(?:_|\b)(ms|millis\w*|sec|seconds?|minutes?|hours?|cents?|grams?|kg|bytes|kb|mb|percent)\b")
_COMPARE = re.compile(r"(?<![-=<>!])(?:<=|>=|<|>)(?!=|<|>)")
_BY_ONE = re.compile(r"[-+]\s*1\b|\brange\(|\[[^\]]*:[^\]]*\]|\blen\(|\.length\b|\.size\(\)|\b1\b|\b0\b")
_DEFINES = re.compile(r"\bdef \w+\s*\(|\bfunc(?:tion)?\b.*\(|^\s*(?:public|private|protected|static)\b[^=;]*\(")
_ASSIGNED = re.compile(r"^\s*[\"']?([\w.-]+)[\"']?\s*(?::[^=]*)?[:=]\s*(.+?),?\s*$")


def turns(hunk: Hunk) -> list[Turn]:
    """What a hunk may have broken, the most telling first; nothing where only words for people changed, and of a file
    that is new only what it does to stored data."""
    if hunk.old == 0 and not hunk.gone and hunk.new == 1 and kind(hunk.path) != "migration":
        return []
    gone, came = code_of(hunk.gone, hunk.path), code_of(hunk.came, hunk.path)
    in_code = kind(hunk.path) not in ("config", "infra", "pins")
    if gone == came or (in_code and list(map(_without_sentences, gone)) == list(map(_without_sentences, came))):
        return []
    found = [turn for look in _LOOKS if (turn := look(hunk, gone, came))]
    before, after = "\n".join(gone), "\n".join(came)
    for row, less, more in _READY:
        if row.files and row.files != kind(hunk.path):
            continue
        if (row.less and _count(less, before) > _count(less, after)) or (
            row.more and _count(more, after) > _count(more, before)
        ):
            found.append(Turn(row.cause, row.worth if gone or row.files else row.worth // 2, row.says))
    if not found and gone and kind(hunk.path) in ("code", "config", "migration", "infra"):
        found.append(Turn("regression", 12, "the code changed"))
    best: dict[str, Turn] = {}
    for turn in found:
        if turn.cause not in best or best[turn.cause].worth < turn.worth:
            best[turn.cause] = turn
    return sorted(best.values(), key=lambda turn: (-turn.worth, turn.cause))


def code_of(lines: Sequence[str], path: str) -> list[str]:
    """Lines without comments, in one spacing. Of a document nothing is left."""
    if kind(path) == "document":
        return []
    bare = [_TRAILING.sub("", line[:500]) for line in lines[:MOST_LINES] if not _COMMENT.match(line)]
    found = [" ".join(line.split()) for line in bare]
    return [line for line in found if line and not re.fullmatch(r"[\w가-힣 ,.;:!?'-]+\.", line)]


def _without_sentences(line: str) -> str:
    """A line without the texts in it that are for people: some words with spaces between them."""
    return _SENTENCE.sub('""', line)


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


Look = Callable[[Hunk, Sequence[str], Sequence[str]], "Turn | None"]


def pairs(gone: Sequence[str], came: Sequence[str]) -> list[tuple[str, str]]:
    """Lines that are one line before and after."""
    if len(gone) == len(came):
        return [pair for pair in zip(gone, came, strict=True) if _alike(*pair)]
    found: list[tuple[str, str]] = []
    rest = list(came)
    for line in gone[:40]:
        close = max(rest, key=lambda other: _likeness(line, other), default=None)
        if close is not None and _alike(line, close):
            found.append((line, close))
            rest.remove(close)
    return found


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, _WORDS.findall(one), _WORDS.findall(other), autojunk=False).ratio()


def _alike(one: str, other: str) -> bool:
    return one != other and _likeness(one, other) >= 0.5


def _pins(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    """A version that is required is another one."""
    if kind(hunk.path) != "pins":
        return None
    changed = [pair for pair in pairs(gone, came) if _NUMBER.findall(pair[0]) != _NUMBER.findall(pair[1])]
    if any(_first_number(one) != _first_number(other) for one, other in changed):
        return Turn("dependency-changed", 28, "a dependency has another major version")
    return Turn("dependency-changed", 20, "what is depended on changed") if changed or gone or came else None


def _first_number(line: str) -> str:
    found = re.search(r"[=~^<>\" v@](\d+)\.", line)
    return found[1] if found else ""


def _values(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    """A setting, a constant or a default has another value."""
    in_settings = kind(hunk.path) in ("config", "infra")
    best: Turn | None = None
    changed = [*pairs(gone, came), *(_renewed(gone, came) if in_settings else ())]
    for one, other in changed:
        name, told = _name(one), f"{one} {other}".lower()
        if name != _name(other) or not name:
            continue
        turn = _value(told, one, other, in_settings)
        best = turn if turn and (best is None or turn.worth > best.worth) else best
    if best is None and in_settings and len(gone) > len(came):
        return Turn("config-missing", 24, "a setting was taken away")
    return best


def _renewed(gone: Sequence[str], came: Sequence[str]) -> list[tuple[str, str]]:
    """Settings that have another value and stand in another place."""
    after = {_name(line): line for line in came if _name(line)}
    return [(line, after[name]) for line in gone if (name := _name(line)) in after and after[name] != line]


def _name(line: str) -> str:
    found = _ASSIGNED.match(line) or _PLAIN_SETTING.match(line)
    return found[1] if found else ""


def _value(told: str, one: str, other: str, in_settings: bool) -> Turn | None:
    numbers = _NUMBER.findall(one) != _NUMBER.findall(other)
    strings = _STRING.findall(one) != _STRING.findall(other)
    if re.search(r"timeout|deadline|_wait|wait_|\bwait\b", told) and numbers:
        return Turn("timeout", 30, "a time limit changed")
    if in_settings and re.search(r"memory|cpu|ulimit|nofile|disk|storage|heap|-xmx|shm", told) and numbers:
        return Turn("resource-exhausted", 30, "what may be used of the machine changed")
    if re.search(r"retr|attempt|backoff", told) and numbers:
        return Turn("retry", 26, "the number of attempts changed")
    if re.search(r"path|dir\b|folder|root|/\w+/", told) and strings:
        return Turn("wrong-path", 26, "a path changed")
    if in_settings:
        return Turn("config-value", 28, "a setting has another value")
    if one.partition("=")[0].strip().isupper() or "environ" in told or "getenv" in told or "default" in told:
        return Turn("config-value", 24, "a default has another value")
    return (
        Turn("config-value", 16, "a value changed")
        if numbers or strings or {"true", "false"} & set(told.split())
        else None
    )


def _images(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    """What a container is made from, runs as, and is given."""
    if kind(hunk.path) not in ("infra", "config"):
        return None
    before, after = "\n".join(gone), "\n".join(came)
    based = r"(?im)^\s*(?:FROM|-?\s*image:)\s+(\S+)"
    if re.findall(based, before) != re.findall(based, after) and before:
        return Turn("deployment", 28, "another image is used")
    if re.findall(r"(?im)^\s*(?:USER|runAsUser:?|user:)\s+(\S+)", before) != re.findall(
        r"(?im)^\s*(?:USER|runAsUser:?|user:)\s+(\S+)", after
    ):
        return Turn("permission", 28, "it runs as another user")
    if re.search(r"(?m)^\s*(?:RUN|COPY|ADD|CMD|ENTRYPOINT|command|args|volumes?|mounts?)\b", before):
        return Turn("deployment", 24, "what is put into a container, or run in it, changed")
    return None


def _names(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    """A key, a column, a setting or an attribute is called otherwise."""
    for one, other in pairs(gone, came):
        left, right = _STRING.findall(one), _STRING.findall(other)
        keys = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1] and _is_key(*pair)]
        if keys and keys[0][0] == left[0] and re.search(r"environ|getenv|env\.|getProperty|config|settings", one):
            return Turn("config-missing", 30, "a setting is read under another name")
        if keys and not re.search(r"environ|getenv|getProperty", one):
            return Turn("renamed-key", 26, "a key has another name")
        if _DEFINES.search(one) and _DEFINES.search(other) and _bare_of_defaults(one) != _bare_of_defaults(other):
            return Turn("interface-changed", 26, "a function takes other arguments")
        if kind(hunk.path) in ("config", "infra") and _name(one) != _name(other):
            return Turn("config-missing", 28, "a setting has another name")
    return None


def _bare_of_defaults(line: str) -> str:
    return re.sub(r"\s*=\s*[^,()]+", "=", line)


def _is_key(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(re.fullmatch(r"[\w.:-]{1,60}", "".join(side)) for side in (one, other))


def _bounds(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    """A comparison or a bound moved by one."""
    for one, other in pairs(gone, came):
        if _COMPARE.findall(one) != _COMPARE.findall(other) and _words_of(one) == _words_of(other):
            return Turn("off-by-one", 30, "a comparison changed")
        if _BY_ONE.findall(one) != _BY_ONE.findall(other) and re.search(
            r"[-+]\s*1\b|range\(|\[[^\]]*:|\blen\(|length", f"{one} {other}"
        ):
            return Turn("off-by-one", 26, "a bound changed")
    if re.search(r"range\(|[-+] 1\b", "\n".join(came)) and re.search(r"while|for|range", "\n".join(gone)):
        return Turn("off-by-one", 22, "the bounds of a loop changed")
    return None


def _words_of(line: str) -> list[str]:
    return re.findall(r"\w+", line)


def _conditions(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    for one, other in pairs(gone, came):
        if re.search(r"\b(?:if|elif|while|when|unless|assert|filter|where)\b|\?", one) and re.search(r"\bnot\b|\band\b|\bor\b|==|!=|&&|\|\||!|\bin\b|<|>", f"{one}{other}"):  # fmt: skip
            return Turn("wrong-condition", 24, "a condition changed")
        if re.search(r"\breverse\b|\bsort(?:ed)?\b|\bmin\(|\bmax\(|\bany\(|\ball\(", f"{one} {other}"):
            return Turn("wrong-condition", 20, "an order or a choice changed")
    return None


def _units(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    before, after = "\n".join(gone), "\n".join(came)
    if sorted(_UNIT.findall(before)) != sorted(_UNIT.findall(after)) and (gone or _UNIT.search(after)):
        return Turn("wrong-unit", 30, "a conversion of units changed")
    if gone and came and set(_MEASURE.findall(before)) != set(_MEASURE.findall(after)):
        return Turn("wrong-unit", 22, "a unit in a name changed")
    return None


def _sums(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    for one, other in pairs(gone, came):
        if re.findall(r"[-+*/%]", one) != re.findall(r"[-+*/%]", other) and re.search(r"=|return", other):
            return Turn("wrong-calculation", 22, "a calculation changed")
    return None


def _cache_keys(hunk: Hunk, gone: Sequence[str], came: Sequence[str]) -> Turn | None:
    for one, _ in pairs(gone, came):
        if re.search(r"\bkey\b|\w*_key\b|cache", one, re.IGNORECASE) and re.search(
            r"cache|kept|memo", f"{hunk.path} {one}", re.IGNORECASE
        ):
            return Turn("stale-cache", 30, "the key of a kept copy changed")
    return None


_LOOKS: tuple[Look, ...] = (_pins, _values, _names, _bounds, _conditions, _units, _sums, _cache_keys, _images)
