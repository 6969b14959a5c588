"""Principles: the sentences that an episode may teach, in Korean and English. Nothing else of an episode is prose.

They say where to look, never which polarity is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

PrincipleId: TypeAlias = Literal[
    "NEGATION_REACH",
    "CONTRAST_SIDES",
    "POLARITY_CHECKED",
    "UPPER_REF",
    "EVIDENCE_NEEDED",
    "FACET_HEARD",
    "REVIEW_INCOMPLETE",
    "LEFT_OPEN",
    "BOTH_KEPT",
    "NOTHING_AT_RISK",
    "STRUCTURE_AT_RISK",
]

_SENTENCES: Mapping[PrincipleId, tuple[str, str]] = {
    "NEGATION_REACH": (
        "In a similar text the polarity of a tuple did not agree with a negation. Look where each negation begins and "
        "ends before you keep or change a polarity.",
        "비슷한 글에서 극성이 부정 표현과 맞지 않았다. 극성을 정하기 전에 부정이 어디까지 미치는지 확인할 것.",
    ),
    "CONTRAST_SIDES": (
        "In a similar text one side of a contrast had been given the polarity of the other. Read each side by itself.",
        "비슷한 글에서 대조의 한쪽에 다른 쪽의 극성이 붙어 있었다. 양쪽을 따로 읽을 것.",
    ),
    "POLARITY_CHECKED": (
        "In a similar text a polarity was changed on review. Compare the words of the evidence with the polarity.",
        "비슷한 글에서 검토 뒤 극성이 바뀌었다. 근거에 적힌 말과 극성을 견주어 볼 것.",
    ),
    "UPPER_REF": (
        "In a similar text an upper ref repeated what a lower one had said already. Ask whether both are needed.",
        "비슷한 글에서 상위 속성이 하위 속성과 같은 내용을 되풀이했다. 둘 다 필요한지 따져 볼 것.",
    ),
    "EVIDENCE_NEEDED": (
        "In a similar text a tuple was taken out because nothing in the text carried it. "
        "Look for the words that carry each tuple.",
        "비슷한 글에서 본문에 근거가 없는 튜플이 제거되었다. 튜플마다 그것을 뒷받침하는 말이 있는지 찾아볼 것.",
    ),
    "FACET_HEARD": (
        "In a similar text one reviewer saw something that the others did not, and the tuple was marked. Say what "
        "you see from where you stand.",
        "비슷한 글에서 한 검토자만 본 것이 있어 튜플에 표시가 남았다. 자기 자리에서 보이는 것을 말할 것.",
    ),
    "REVIEW_INCOMPLETE": (
        "In a similar text too few reviewers answered, and the conflict stayed open. "
        "Answer for each id that is flagged.",
        "비슷한 글에서 응답한 검토자가 모자라 충돌이 남았다. 표시된 id마다 빠짐없이 답할 것.",
    ),
    "LEFT_OPEN": (
        "In a similar text the reviewers did not agree, and the tuple was kept and marked as uncertain. Choose your "
        "reason by the words of the text.",
        "비슷한 글에서 검토자들의 의견이 갈려 튜플이 불확실로 표시되었다. 본문의 말을 근거로 이유를 고를 것.",
    ),
    "BOTH_KEPT": (
        "In a similar text tuples that seemed to conflict were all kept: they spoke of different things. Ask what each "
        "of them speaks of.",
        "비슷한 글에서 충돌처럼 보인 튜플이 모두 유지되었다. 각각 무엇에 대한 말인지 따져 볼 것.",
    ),
    "NOTHING_AT_RISK": (
        "In a similar text nothing was at risk and nothing changed.",
        "비슷한 글에서는 위험한 곳도, 바뀐 것도 없었다.",
    ),
    "STRUCTURE_AT_RISK": (
        "In a similar text the structure of negation, contrast or irony put the reading at risk. Check how far each "
        "marker reaches.",
        "비슷한 글에서 부정·대조·반어의 구조 때문에 해석이 위태로웠다. 각 표지가 어디까지 미치는지 확인할 것.",
    ),
}

PRINCIPLES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {name: MappingProxyType({"en": english, "ko": korean}) for name, (english, korean) in _SENTENCES.items()}
)
"""Principle to language to sentence."""


def sentence(principle: PrincipleId, language: str) -> str:
    """In Korean for Korean, else in English."""
    return PRINCIPLES[principle]["ko" if language == "ko" else "en"]
