"""The labels of reports, Korean and English. Published codes and names of tables stay as they are published."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_TABLE: tuple[tuple[str, str, str], ...] = (
    ("title", "Sentiment report", "감성 분석 보고서"),
    ("summary", "Summary", "요약"),
    ("texts", "Texts", "텍스트"),
    ("opinions", "Opinions", "의견"),
    ("conflicts", "Conflicts", "충돌"),
    ("conflict", "conflict", "충돌"),
    ("flagged", "Marked opinions", "표시된 의견"),
    ("changed_or_dropped", "Changed or dropped", "변경·삭제"),
    ("asks", "Questions asked", "질문 수"),
    ("saved", "Questions saved", "절약한 질문"),
    ("absences", "Answers that are missing", "응답 없음"),
    ("errors", "Rows refused", "거부된 행"),
    ("labels", "Labels of the texts", "텍스트별 판정"),
    ("languages", "Languages", "언어"),
    ("aspects", "Aspects", "속성별 극성"),
    ("aspects_how", "Final opinions on each aspect, by polarity.", "속성마다 최종 의견의 수를 극성별로 보여 줍니다."),
    ("aspect", "Aspect", "속성"),
    ("by_group", "Aspects by group", "그룹별 속성"),
    ("over_time", "Aspects over time", "시간에 따른 속성"),
    ("breakdown_how", "Final opinions on the most frequent aspects; the bar shows the polarities, the number how many.",
     "자주 나온 속성의 최종 의견입니다. 막대는 극성, 숫자는 의견 수입니다."),
    ("hidden_columns", "{hidden} more columns are not shown.", "나머지 {hidden}개 열은 생략했습니다."),
    ("examples", "Examples", "예"),
    ("minorities", "Minority opinions", "소수 의견"),
    ("overruled", "wanted {said}, ruled {outcome}", "의견 {said}, 판정 {outcome}"),
    ("terms", "Most frequent terms", "자주 나온 속성 표현"),
    ("term", "Term", "표현"),
    ("total", "Total", "합계"),
    ("polarity", "Polarity", "극성"),
    ("none_found", "No opinion was found.", "찾은 의견이 없습니다."),
    ("no_ref", "(no aspect named)", "(속성 없음)"),
    ("implicit", "(implicit)", "(암시적)"),
    ("disagreements", "Disagreements and gaps", "갈린 의견과 빠진 것"),
    ("type", "Type", "유형"),
    ("reason", "Reason", "이유"),
    ("count", "Count", "수"),
    ("decisions", "What decided", "판정에 쓰인 규칙"),
    ("decisions_how", "Every row of a published table that fired.", "공개된 규칙표에서 실제로 적용된 행입니다."),
    ("table", "Table", "표"),
    ("row", "Row", "행"),
    ("outcome", "Outcome", "결과"),
    ("says", "What the row says", "행의 내용"),
    ("role", "Role", "역할"),
    ("why", "Why", "까닭"),
    ("verdicts", "Verdicts", "판정"),
    ("verdict", "Verdict", "판정"),
    ("shown", "{shown} of {texts} texts are shown: those with a conflict, a mark or a minority opinion come first. "
     "To see any other: withstood explain {run} ITEM",
     "전체 {texts}건 중 {shown}건을 보여 줍니다. 충돌·표시·소수 의견이 있는 것이 먼저입니다. "
     "나머지 보기: withstood explain {run} ITEM"),
    ("shown_all", "All {texts} texts are shown: those with a conflict, a mark or a minority opinion come first.",
     "전체 {texts}건을 모두 보여 줍니다. 충돌·표시·소수 의견이 있는 것이 먼저입니다."),
    ("more_rows", "{more} more are not shown.", "나머지 {more}개는 생략했습니다."),
    ("at_least", "Rare ones were let go to bound memory: each count may lack up to {short}.",
     "메모리를 제한하려고 드문 항목을 버렸습니다. 각 수는 최대 {short}만큼 적을 수 있습니다."),
    ("found_by", "found by", "찾은 쪽"),
    ("confidence", "confidence", "신뢰도"),
    ("in_text", "the term stands in the text", "표현이 본문에 있음"),
    ("not_in_text", "the term does not stand in the text", "표현이 본문에 없음"),
    ("implicit_aspect", "an implicit aspect, no term", "암시적 속성(표현 없음)"),
    ("evidence", "evidence", "근거"),
    ("evidence_found", "found in the text", "본문에서 확인됨"),
    ("evidence_lost", "not found in the text", "본문에 없음"),
    ("opinion_term", "opinion", "의견 표현"),
    ("place", "place", "위치"),
    ("with", "with", "함께"),
    ("kept", "kept", "유지"),
    ("changed", "changed", "극성 변경"),
    ("marked", "kept and marked", "유지·표시"),
    ("dropped", "dropped", "삭제"),
    ("added", "added", "추가"),
    ("minority", "Minority", "소수 의견"),
    ("minority_note", "minority opinion", "소수 의견"),
    ("whole", "The text as a whole", "텍스트 전체"),
    ("text_absent", "The text is not in this report.", "본문은 이 보고서에 없습니다."),
    ("silent", "Without an answer", "응답 없음"),
    ("no_opinions", "No opinion was found in this text.", "이 텍스트에서 찾은 의견이 없습니다."),
    ("refused", "This row was refused", "거부된 행입니다"),
    ("about", "About this run", "실행 정보"),
    ("run", "Run", "실행"),
    ("protocol", "Protocol", "프로토콜"),
    ("rulebook", "Rulebook", "규칙집"),
    ("input", "Input", "입력"),
    ("status", "Status", "상태"),
    ("seats", "Seats", "역할별 에이전트"),
    ("calls", "Model calls", "모델 호출"),
    ("tokens", "Tokens in / out", "토큰 입력 / 출력"),
    ("cost", "Cost", "비용"),
    ("unknown", "not known", "알 수 없음"),
    ("head", "Head of the journal", "기록의 마지막 해시"),
    ("notes", "Notes", "참고"),
    ("again", "Judge this run again under other rules, without asking anybody: withstood replay {run} --rules …",
     "아무에게도 다시 묻지 않고 다른 규칙으로 판정하기: withstood replay {run} --rules …"),
    ("positive", "positive", "긍정"),
    ("negative", "negative", "부정"),
    ("neutral", "neutral", "중립"),
    ("mixed", "mixed", "혼합"),
    ("other", "other", "기타"),
    ("none", "no verdict", "판정 없음"),
    ("error", "refused", "거부"),
)  # fmt: skip

LANGUAGES = ("en", "ko")
_WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType({key: english for key, english, _ in _TABLE}),
        "ko": MappingProxyType({key: korean for key, _, korean in _TABLE}),
    }
)


def of(language: str) -> Mapping[str, str]:
    """The labels of a language; English for one that has none."""
    return _WORDS.get(language, _WORDS["en"])


def called(language: str, code: str) -> str:
    """A code in the words of the language, itself where there is none."""
    return of(language).get(code, code)
