"""The words that programmed researchers go by, in English and Korean: what turns a sentence, what it compares, what it
rests on. A text may be in both languages, so both tables hold for every sentence."""

from __future__ import annotations

import re

AXES: dict[str, tuple[str, str]] = {
    "speed": (
        "fast faster fastest quick quicker quickly speedup speeds accelerate accelerates accelerated 빠르 빠른 빨라 빨랐 빠릅 신속 앞당",
        "slow slower slowest slows slowed slowly longer 느리 느린 느려 느렸 느립 늦추 늦춘 늦춰 늦췄 늦어 지연",
    ),
    "amount": (
        "more higher highest high increase increases increased increasing grow grows grew rise rises rose larger greater "
        "bigger raises raised 많 높 증가 늘어 늘었 늘린 늘립 상승 크다 커졌 커진",
        "less lower lowest low lowers lowered decrease decreases decreased decreasing reduce reduces reduced reducing "
        "fewer smaller fall falls fell drop drops dropped decline declines declined shrinks 적다 적었 적은 낮 감소 줄어 "
        "줄었 줄인 줄입 줄이 하락",
    ),
    "quality": (
        "better best improve improves improved improving superior outperform outperforms outperformed good effective "
        "efficient beats helps helped helpful benefits 좋 우수 도움 뛰어나 향상 개선 효과적 효율적 효율이 낫 나은 나았 올랐",
        "worse worst degrade degrades degraded inferior underperform underperforms bad poor ineffective inefficient "
        "harmful hurts harms hinders worsens 나쁘 나쁜 나빠 저하 악화 떨어 비효율 열등 못하",
    ),
    "cost": (
        "cheap cheaper cheapest inexpensive affordable 저렴 싸다 싼",
        "expensive costly costlier 비싸 비싼 비쌌 고가",
    ),
    "worth": (
        "worth worthwhile pays 쓸모 값어치",
        "worthless pointless overrated 쓸데없 무의미 무가치",
    ),
    "safety": (
        "safe safer secure 안전",
        "unsafe insecure dangerous vulnerable risky 위험 취약",
    ),
    "ability": (
        "support supports supported enable enables enabled allow allows allowed possible 가능 지원 허용",
        "prevent prevents prevented disable disables forbid forbids forbidden impossible unsupported "
        "불가능 불가 차단 금지",
    ),
    "need": (
        "required requires must mandatory necessary needed needs 필수 필요 해야",
        "optional unnecessary 불필요 선택사항",
    ),
    "advice": (
        "recommended recommend recommends should prefer preferred prefers 권장 추천 바람직",
        "discouraged deprecated avoid avoided obsolete 지양 피해야 비권장",
    ),
    "ease": (
        "easy easier simple simpler 쉽 쉬운 쉬워 간단 간편",
        "hard harder difficult complex complicated 어렵 어려 복잡",
    ),
    "success": (
        "succeed succeeds succeeded works 성공",
        "fail fails failed failure breaks 실패",
    ),
    "trust": (
        "reliable stable accurate robust 안정 정확",
        "unreliable unstable inaccurate flaky 불안정 부정확",
    ),
}
"""What two sentences may say the opposite of: one end and the other. Korean entries are beginnings of words."""

MEASURES: dict[str, re.Pattern[str]] = {
    "speed": re.compile(r"\b(?:times?|latenc(?:y|ies)|durations?|delays?)\b|시간(?!당)|지연", re.IGNORECASE),
    "cost": re.compile(r"\b(?:costs?|prices?|expenses?)\b|비용|가격", re.IGNORECASE),
    "quality": re.compile(r"\b(?:errors?|failures?|mistakes?|defects?)\b|오류|결함", re.IGNORECASE),
}
"""What is better the less there is of it: less time is faster, fewer errors are better."""

GAINS = re.compile(
    r"\b(?:productivity|performance|accuracy|quality|satisfaction|throughput|efficiency|reliability)\b"
    r"|생산성|성능|정확도|품질|만족도|처리량|효율|신뢰도",
    re.IGNORECASE,
)
"""What is better the more there is of it."""

NEGATIONS = re.compile(
    r"\b(?:not(?! only)|no(?! longer than)|never|cannot|neither|nor|hardly|rarely|unable to|fails? to|failed to)\b"
    r"|n't\b|(?<![가-힣])(?:안|못)\s|지\s?(?:않|못)|없(?:다|었|는|이|습|음|어)|아니(?:다|며|고|었|라)|아닙",
    re.IGNORECASE,
)
QUANTITIES = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|larger|smaller|better) than (?:once|twice|one|two|half|an?\b|the \w+ of|\d)"
    r"|\bno (?:more|less)\b|\bmore or less\b|\bat (?:best|worst|least|most)\b",
    re.IGNORECASE,
)
"""Words of an axis that only count."""

CLAUSES = re.compile(
    r"[;:]\s|,?\s(?:but|however|whereas|while|although|though|yet)[\s,]|(?<=지만)[\s,]+|(?<=으나)[\s,]+|(?<=는데)[\s,]+|반면에?[\s,]",
    re.IGNORECASE,
)
COMPARED = re.compile(r"\bthan\b", re.IGNORECASE)
ASIDE = re.compile(r",|\b(?:in|for|when|if|on|at|with|as|by|because|where)\b", re.IGNORECASE)
"""Where what is compared with ends."""
COMPARED_KO = re.compile(r"([가-힣A-Za-z0-9()\-]+)보다(?=\s)")

LED_IN = re.compile(
    r"^.{0,80}?\b(?:find|found|finds|shows?|showed|shown|reports?|reported|argues?d?|believes?d?|concludes?d?|thinks?|says?|said|notes?d?|"
    r"suggests?|suggested|so) that\s|^\s*(?:in|for|on|at|with|when|if|as|by|because|where|during|after|under|according to)\b"
    r"[^,]{2,80},\s"
    r"|^(?:\S+(?:에서는|에서|에는|따르면),?\s+|(?!\S*[은는이가],?\s)(?=\S+\s+\S+(?:에서는|에서|에는|따르면)[,\s])\S+\s+)+",
    re.IGNORECASE,
)
"""What stands before the subject: who says it, where and when it holds."""

RESULTS = re.compile(
    r"\b(?:found|finds?|showed|shown|shows|measured|observed|reported|resulted|achieved|averaged|recorded|according to|"
    r"on average|experiments?|stud(?:y|ies)|survey|benchmarks?)\b|나타났|측정|결과|기록|조사|실험|밝혔|보고했|평균|확인됐|확인되었|관찰",
    re.IGNORECASE,
)
DEFINITIONS = re.compile(
    r"^(?:an? |the )?[\w\-()/ ]{2,60}? (?:is|are) (?:an?|the) (?:\w+[ -]){0,4}\w+|\brefers? to\b|\bis defined as\b|\bmeans that\b"
    r"|(?:이란|란|라 함은)\s|(?:을|를) (?:말한다|뜻한다|의미한다|가리킨다)|정의(?:된다|한다|합니다)",
    re.IGNORECASE,
)
ADVICE = re.compile(
    r"\b(?:should|must|recommend(?:ed|s)?|prefer(?:red)?|better|best|worse|worst|avoid|need to|essential|crucial|"
    r"effective|useful|suitable|unsuitable|outperforms?|improves?|reduces?|increases?)\b"
    r"|해야 한다|해야 합|하는 것이 좋|권장|추천|바람직|낫다|낫습|효과적|유리|불리|적합|중요하|필요하|뛰어나|우수|향상|개선|줄인|줄일|높인|높일|늘린",
    re.IGNORECASE,
)
MODAL = re.compile(r"\b(?:should|must|recommend(?:ed|s)?)\b|해야 (?:한다|합)|하는 것이 좋|권장|바람직", re.IGNORECASE)
"""What somebody ought to do, whatever is told beside it, is no result."""
CONDITIONS = re.compile(
    r"\b(?:when|if|unless|in case of|in cases where|as long as|provided that|only for|for (?:small|large|short|long)"
    r"[\w\- ]{0,30}|under (?:high|low|heavy|light)[\w\- ]{0,30}|once|until)\b[^,.;]{3,90}"
    r"|[가-힣A-Za-z0-9 ]{2,40}(?:경우|때는?|에서는|에 한해|한하여|(?<![화반측방])면(?=[\s,]))",
    re.IGNORECASE,
)
SCOPES = re.compile(
    r"\b(?:only (?:for|in|on|applies)|limited to|applies (?:only )?to|restricted to|excludes?|excluding)\b[^,.;]{2,80}"
    r"|[가-힣A-Za-z0-9 ]{2,40}(?:에만|에 한정|에 한해|을 제외|를 제외|만 해당)",
    re.IGNORECASE,
)

MARKED = tuple("은 는 이 가 을 를 의 에 에서 에는 에서는 로 으로 도 만 면 고 며 , %".split())
"""What a Korean word ends in that stands for itself."""
ORDERS = re.compile(r"[가-힣](?:하라|으라|시오|어라|아라)[.!]?$")
NOTICES = re.compile(
    r"©|ⓒ|\bcopyright\b|\ball rights reserved\b|\b(?:accept|use|uses|using) (?:\w+ )?cookies\b|\bprivacy policy\b|\bterms of (?:use|"
    r"service)\b|\bagree to (?:our|the) terms\b|\bsign (?:up|in)\b|\blog in\b|\bsubscribe\b|\bclick here\b|\bread more\b|"
    r"\bcontact us\b|\btable of contents\b|\bskip to (?:main )?content\b|\bshare (?:this|on)\b|\bfree trial\b"
    r"|저작권|무단 ?전재|재배포 금지|쿠키를 사용|개인정보 ?(?:처리|취급)|이용약관|구독(?:과| 부탁|해 주)|좋아요|로그인|회원가입|댓글을",
    re.IGNORECASE,
)
"""What stands on a page beside what it says."""
FRAGMENTS = re.compile(
    r"(?:returns?|indicates?|specifies|enables?|disables?|sets?|gets?|defines?|contains?|provides?|describes?|represents?|"
    r"determines?|allows?|causes?|emitted|creates?|calls?|prints?|lists?|removes?|adds?|used|defaults?|deprecated|equivalent|"
    r"same as|type|default|version|warning|note|tip|example)\b(?!,)",
    re.IGNORECASE,
)
"""What a line of a reference begins with that leaves its subject to the heading above it."""
POINTING = re.compile(
    r"(?:it|this|that|these|those|they|he|she|such|also|then|so|thus|hence|therefore|here|there|both|see|note)\b"
    r"|(?:이는|이것|그것|이런|그런|이러한|그러한|이처럼|따라서|그러므로|또한|그래서|이때|여기서)",
    re.IGNORECASE,
)
"""What a sentence begins with that is understood only by the sentence before it."""

EMPTY = frozenset(
    "a an the of in on at to for from by with and or is are was were be been being it its this that these those as what "
    "which who whom whose how why when where do does did can could should would will shall may might must no not than "
    "then there their they them we you your our i he she his her also such some any all each every both other another "
    "into onto over under about between through during before after above below up down out off again further once here "
    "only own same so too very just if because while until although though however but nor yet more most less least few "
    "many much one two use used using uses make makes made get gets like well even still way ways thing things case cases "
    "conclude concludes concluded found show shows showed shown believe argue argued suggest suggests report reports "
    "always often usually sometimes 언제나 항상 자주 대체로 보통 늘 "
    "our ours us now took take takes nearly almost against see example examples e.g i.e etc per via within without has have had having better best worse good "
    "이 그 저 것 수 등 및 또 또는 그리고 그러나 하지만 때 때문 경우 위해 대한 대해 통해 따라 있다 있는 있습니다 한다 하는 합니다 된다 "
    "되는 됩니다 이다 입니다 아니다 없다 없는 같은 다른 어떤 무엇 무엇인가 왜 어떻게 언제 어디 누가 더 가장 매우 아주 모든 각 여러 "
    "다음 사실 못한다고 않는다고 아니라고 없다고 있다고 된다고 한다고 했다고 되지 하지 답한 답했다 답했습니다 말했다 밝혔다 생각 생각한다 만든다 만들 대상 동안 가운데 결과 였다 이었다 우리는 우리 다만 시간당 나타났다 조사되었다 측정되었다 진행 가지 정도 이상 이하 하루 평균 있을 있고 하고 하며 하여 해서 있어 우리 이런 그런 보다 좋은 좋은가 나은가 나은지 인가 인가요 까요".split()
)
PARTICLES = (
    "으로부터 에서부터 에서는 에게는 으로는 이라는 라는 이라고 라고 이란 에서도 에게도 까지는 부터는 보다는 만으로 에서의 으로의 "
    "까지 부터 보다 처럼 마다 에서 에게 으로 이나 이며 이고 에는 에도 와는 과는 와의 과의 하면 되면 하기 하는 하고 하며 하여 해서 "
    "한다 된다 했다 됐다 합니다 됩니다 했습니다 됐습니다 되었다 하였다 입니다 이다 적인 적으로 인 은 는 이 가 을 를 의 에 로 와 과 도 만 란"
).split()
"""Endings that a Korean word is shorn of, the longest first."""
PEOPLE = ("자들", "자")
"""Who does a thing, after its name: 재택근무자."""

LENSES: dict[str, dict[str, str]] = {
    "en": {
        "definition": "definition meaning",
        "scope": "scope covers applies",
        "comparison": "comparison versus difference",
        "cases": "case study example results",
        "limitations": "limitations problems risks",
        "application": "application practice how to use",
    },
    "ko": {
        "definition": "정의 뜻 개념",
        "scope": "범위 대상 적용",
        "comparison": "비교 차이 장단점",
        "cases": "사례 실험 결과",
        "limitations": "한계 문제 위험",
        "application": "활용 적용 방법",
    },
}
TURNS: dict[str, tuple[str, ...]] = {
    "en": ("", "limitations problems", "results measured", "comparison"),
    "ko": ("", "한계 문제", "결과 측정", "비교"),
}
"""A target that is looked at again is looked at from another side."""
