"""What a cause looks like from outside: words of a question or of a log by which one may think of it, and the change
that would mend it."""

from __future__ import annotations

import re

DIRECTIONS = {
    "null-dereference": "add-guard", "swallowed-exception": "handle-error", "lost-cause": "handle-error",
    "unhandled-exception": "handle-error", "missing-validation": "validate-input", "wrong-type": "convert-type",
    "off-by-one": "fix-logic", "wrong-condition": "fix-logic", "wrong-calculation": "fix-logic", "rounding": "convert-type",
    "wrong-unit": "fix-logic", "wrong-timezone": "convert-type", "encoding": "convert-type", "parsing": "validate-input",
    "renamed-key": "update-callers", "interface-changed": "update-callers", "missing-import": "update-callers",
    "dependency-changed": "fix-dependency", "config-value": "change-config", "config-missing": "change-config",
    "timeout": "adjust-timeout", "retry": "limit-retries", "race": "synchronize", "deadlock": "synchronize",
    "resource-leak": "release-resource", "resource-exhausted": "release-resource", "slow-query": "optimize",
    "wrong-query": "fix-logic", "stale-cache": "invalidate-cache", "wrong-path": "fix-path", "permission": "grant-access",
    "injection": "validate-input", "secret-exposed": "change-config", "state-machine": "fix-logic", "recursion": "fix-logic",
    "regression": "revert-change", "external-failure": "handle-error", "data-corrupt": "repair-data",
    "migration": "repair-data", "document-incomplete": "complete-document", "deployment": "complete-document",
    "no-observability": "observe", "dead-code": "fix-logic",
}  # fmt: skip

_SIGNS = {
    "null-dereference": r"NoneType|NullPointer|null|undefined|nil\b|NullReference|널\b|없는 값",
    "swallowed-exception": r"silent|no error|still (?:apply|applies|old|the old)|reports? success|nothing has (?:arrived|happened)|never shows|nothing in the log|pending|stay|never arriv|ignored|without (?:an )?error|조용|아무 오류|반영되지|대기",
    "missing-validation": r"invalid|negative|accept|unexpected value|음수|잘못된 값",
    "wrong-type": r"\[object|<coroutine|TypeError|ClassCast|unsupported operand|coroutine|Promise|expected str|must be str|not iterable",
    "off-by-one": r"IndexError|OutOfBounds|out of range|last (?:one|row|page|item|member|day)|first (?:one|row|page)|misses|missing (?:one|row|item)|one (?:too|less|more|short)|\b(\d+)9 of \1?\d+|마지막|하나씩|첫 번째",
    "wrong-condition": r"jumps? back|shows? up for|can see|보입니다|보인다|always|never|instead of|opposite|wrong (?:one|branch|order)|twice|반대|항상|거꾸로",
    "wrong-calculation": r"(?:month|day|hour|week|year)s? (?:late|early|off|ahead)|doubled?|ZeroDivision|division by|wrong (?:total|sum|result|number)|too (?:high|low|large|small)|NaN|합계|계산",
    "rounding": r"drift|fractions? of|\bcents?\b|round|precision|off by a|0{6,}\d|9{6,}|differs|소수|반올림|1원|원 차이|단위 차이",
    "wrong-unit": r"thousand|factor|times too|hundred|too (?:heavy|large|long|short|big|small)|huge|tiny|\bunit|1000|천 배|100배|배나|단위",
    "wrong-timezone": r"\bday\b|\bdate|midnight|evening|hour|time ?zone|\bUTC\b|\bKST\b|daylight|late night|yesterday|tomorrow|시간대|날짜|하루|자정|9시간",
    "encoding": r"Unicode|codec|encod|decode|charset|garbled|mojibake|\\x[0-9a-f]{2}|\ufffd|umlaut|accent|깨[지진져]|인코딩|한글",
    "parsing": r"JSONDecode|ParseException|invalid literal|could not convert|unexpected token|time data|format|파싱|형식",
    "renamed-key": r"KeyError|no such column|Unknown column|has no attribute|does not exist|missing key|UndefinedColumn|Unrecognized field|no field|empty column|키 오류|컬럼",
    "interface-changed": r"unexpected keyword|positional argument|takes \d|NoSuchMethod|missing \d+ required|argument",
    "missing-import": r"ModuleNotFound|ImportError|NameError|ClassNotFound|NoClassDef|Cannot find module|No module named|not defined",
    "dependency-changed": r"has no attribute|upgrade|update|dependenc|version|deploy|release|NoSuchMethod|ImportError|is not a function|의존성|버전|업그레이드",
    "config-value": r"413|too large|entity|reach|config|setting|default|staging|production|environment|only (?:in|on)|per page|limit|refused|used to be|설정|환경|기본값",
    "config-missing": r"config|setting|environment|not set|missing|although|even though|dropped|설정|환경",
    "timeout": r"timeout|timed out|deadline|too slow|no answer|did not answer|at night|slow|응답 없음|시간 초과|느리|밤에|타임아웃|대기",
    "retry": r"retr|grows|without end|endless|attempt|flood|storm|overload|again and again|hammer|too many requests|429|재시도|폭주|반복",
    "race": r"at once|collid|same number|simultan|two (?:people|clerks|users|workers|requests)|Duplicate entry|for what I typed before|twice|double|duplicate|concurren|parallel|same time|negative|oversold|race|under load|intermittent|lost update|가끔|동시에|두 번|중복|음수",
    "deadlock": r"hang|deadlock|stuck|block|freez|stops? (?:answering|responding)|did not answer|restart|lock wait|멈[추춰]|교착|응답하지",
    "resource-leak": r"exhaust|leak|too many|restart|every (?:few|couple)|memory|open files|no free|pool|after (?:some|a) (?:time|while|hours)|stops? answering|고갈|누수|재시작|메모리",
    "resource-exhausted": r"No space|ENOSPC|out of memory|OOM|\b137\b|evicted|restart|killed|disk full|quota|MemoryError|heap space|재시작|용량|디스크",
    "slow-query": r"slow|seconds|minutes|used to open at once|latency|takes (?:long|minutes|seconds)|performance|timeout|N\+1|느[리려린]|지연|성능|오래",
    "wrong-query": r"doubled?|too high|turnover|totals?|figures|missing|list|rows?|search|duplicate|filter|query|report|count|not shown|누락|목록|조회|검색|중복",
    "stale-cache": r"(?:the )?old (?:one|name|picture|address|text)|for hours|until (?:the|a) restart|cache|stale|old (?:value|data|price)|someone else|somebody else|another (?:user|customer)|wrong (?:user|currency|language)|after somebody|not updated|foreign|캐시|이전 값|다른 (?:사용자|고객)|갱신",
    "wrong-path": r"No such file|FileNotFound|ENOENT|NoSuchFile|not found|path|directory|folder|upload|경로|파일",
    "permission": r"\b40[13]\b|permission|denied|forbidden|refused:|may not|not allowed|unauthor|access|권한|거부|접근",
    "injection": r"injection|security|vulnerab|attack|보안|취약",
    "state-machine": r"twice|again|leftover|mixed|previous|accumulat|state|not saved|lost|of (?:other|another)|somebody else|skip|every (?:second|other)|jumps? back|다른 .{0,12}(?:보|나타|섞)|기존|남아|누적|상태|섞",
    "recursion": r"Recursion|StackOverflow|stack overflow|maximum recursion|endless|무한",
    "external-failure": r"\b50[234]\b|unavailable|upstream|Connection reset|unreachable|DNS",
    "data-corrupt": r"IntegrityError|constraint|duplicate key|corrupt|foreign key|무결성",
    "deployment": r"(?:new|docker|container) image|container|deploy|rollout|does not (?:start|come up)|not start|starts? any ?more|dies|crashloop|pod\b|since the (?:release|update)|배포|이미지|컨테이너|파드|기동",
    "migration": r"not-null constraint|null value in column|NOT NULL|no such column|no such table|Unknown column|does not exist|relation .* does not exist|schema|migration|OperationalError|ProgrammingError|마이그레이션|스키마",
    "dead-code": r"never|not (?:called|run|executed)|stopp?ed|nothing happens|실행되지",
    "regression": r"since|after|used to|no longer|suddenly|broke|부터|이후|갑자기",
}  # fmt: skip
_READY = {cause: re.compile(pattern, re.IGNORECASE) for cause, pattern in _SIGNS.items()}
LOUD = frozenset(
    "null-dereference wrong-type renamed-key interface-changed missing-import dependency-changed encoding wrong-path".split()
)
"""Causes that show themselves by an exception of their own."""


def fits(cause: str, text: str) -> bool:
    """Whether a question or a message makes one think of a cause."""
    sign = _READY.get(cause)
    return sign is not None and sign.search(text) is not None


def direction(cause: str) -> str:
    return DIRECTIONS.get(cause, "revert-change")
