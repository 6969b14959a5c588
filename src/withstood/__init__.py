"""A deliberation engine: a verdict is a pure function of recorded answers, verified evidence and a rulebook.

import withstood

ending = withstood.sentiment(["배송은 빠른데 품질은 별로예요.", "Great food, rude staff."])
for result in ending.results:
    print(result["label"], result["final"])

found = withstood.investigate("why do refunds fail at night?", repo=".", logs=["logs/"])
print(found.report)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from withstood.__about__ import __version__ as __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from withstood.jobs import investigation
    from withstood.jobs.sentiment import Ending


def sentiment(source: str | Path | Sequence[str], *, store: str | None = None, **wanted: Any) -> Ending:
    """Decide a file of reviews, or the texts themselves. `wanted` are the fields of `jobs.sentiment.Order`."""
    from pathlib import Path

    from withstood.jobs.sentiment import Order, decide

    texts = Path(source) if isinstance(source, (str, Path)) else tuple(source)
    return decide(Order(texts, **wanted), store=store)


def investigate(
    question: str,
    *,
    repo: str | Path | None = None,
    logs: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    store: str | None = None,
    **wanted: Any,
) -> investigation.Ending:
    """Investigate a code base. `wanted` are the other fields of `jobs.investigation.Order`."""
    from pathlib import Path

    from withstood.jobs.investigation import Order, look_into

    paths = {"logs": tuple(map(Path, logs)), "documents": tuple(map(Path, documents))}
    return look_into(Order(question, Path(repo) if repo is not None else None, **paths, **wanted), store=store)
