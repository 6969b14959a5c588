"""Moderator, edition 1: the sentence label from both stages, the validator and the debate.

A chain: every rule that applies fires, in this order, on what the rules before it have left.

| row | when | then |
|---|---|---|
| Z | the sentence confidences of both stages are 0 (a missing stage 2 counts as 0) | neutral, confidence 0, and no other rule |
| B | always: stage 2 is missing, or its confidence is lower by 0.2 or more (guard) | stage 1 is kept; otherwise stage 2 is preferred |
| M | both stages have a label, and they differ, guard or not | mixed, with the higher confidence |
| C | the validator suggests a label, and has a critical issue or at least the confidence so far | its label, with the higher confidence |
| A | no guard, the spans of both stages align (overlap over hull at least 0.8), and the aspect label is the label so far | the mean of both confidences |
| D | the aspect label is not the label so far | closer than 0.1: the sentence keeps it; else the aspect wins only if it is surer |
| E | the debate's prose names a label, it is another one, and the confidence is under 0.55 or the label is mixed | that label |

Critical: an issue that begins with negation, irony or contrast, or that says severity:high. The aspect sentiment is
that of stage 2 if it is given, else that of stage 1.
"""

from __future__ import annotations

from types import MappingProxyType

from withstood.rules import moderation
from withstood.rules.moderation import Input, Output
from withstood.rules.table import WHOLE, NoNumbers, Table, Without

CHAIN = MappingProxyType(
    {
        "Z": moderation.rule_z,
        "B": moderation.rule_b,
        "M": moderation.rule_m,
        "C": moderation.rule_c,
        "A": moderation.rule_a,
        "D": moderation.rule_d,
        "E": moderation.rule_e_by_words,
    }
)


def moderate(case: Input, without: Without = WHOLE) -> Output:
    return moderation.fold(case, CHAIN, without)


def _decide(case: Input, numbers: NoNumbers, without: Without = WHOLE) -> Output:
    return moderate(case, without)


TABLE = Table("moderator-1", __doc__, Input, Output, _decide, section="none", droppable=tuple(CHAIN))
