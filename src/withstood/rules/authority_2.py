"""Authority of a source, edition 2: from the address alone, and documentation is official only of owners in the table. First match decides.

| row | when | then |
|---|---|---|
| 1 | it is no http address, or one that could be read in two ways | unknown, 0.2 |
| 2 | the host is in the table of papers (arxiv, doi, acm, ieee, scholar and the like) | paper, 0.9 |
| 3 | the host is in the table of blogs (medium, dev.to and the like) | blog, 0.5 |
| 4 | the host is in the table of forums (reddit, stackoverflow and the like) | forum, 0.3 |
| 5 | the host begins with docs., or the path with /docs, and the registrable domain is in the table of vendors and standards bodies | official, 0.85 |
| 6 | otherwise | unknown, 0.2 |

A host is in a table with everything under it: export.arxiv.org is, arxiv.example.org is not. The tables stand in
`rules/authorities.py`; the settings authority.paper, authority.official, authority.blog and authority.forum add hosts.
"""

from __future__ import annotations

from withstood.rules import authorities
from withstood.rules.authorities import Input, Numbers, Output
from withstood.rules.table import Table


def authority(url: str, numbers: Numbers) -> Output:
    return authorities.judged(url, numbers, anybody=False)


def _decide(case: Input, numbers: Numbers) -> Output:
    return authority(case.url, numbers)


TABLE = Table("authority-2", __doc__, Input, Output, _decide, section="authority")
