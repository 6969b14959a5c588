"""Small documents on one question, in two languages, and answers from elsewhere for it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from withstood import form
from withstood.engine.limits import Limits
from withstood.jobs import research as job
from withstood.jobs import settings
from withstood.journal.sqlite import SqliteStore

QUESTION = "Does caching make read requests faster?"
KOREAN = "캐시는 조회 요청을 빠르게 하는가?"
DOCUMENTS = {
    "vendor.md": """# Caching guide

In our trial with 2,000 users the cache reduced the median response time of read requests from 310 ms to 95 ms.
You should put a cache before every read request. Caching makes read requests faster than asking the database.
""",
    "study.md": """# A study

With the cache the median response time of read requests fell by 62 % in 14 days.
When data changes more than once a minute, caching makes read requests slower than asking the database.
""",
    "forum.txt": """Caching read requests was slower than asking the database in 12 % of our tests.
For small tables that fit into memory, the database is faster than the cache.
""",
    "bench.rst": """Benchmarks
==========

In 300 runs read requests with a cache were faster than asking the database in 94 % of the cases.
""",
    "ko/a.md": """# 보고서

캐시를 도입한 뒤 조회 요청의 평균 응답 시간이 310ms에서 95ms로 줄었다.
캐시는 조회 요청의 응답 시간을 줄인다. 조회 요청에서 캐시는 데이터베이스보다 빠르다.
""",
    "ko/b.txt": """우리 서비스에서는 조회 요청에서 캐시가 데이터베이스보다 느렸다.
조회 요청 1,000건에서 캐시는 평균 응답 시간을 62% 줄였다.
""",
}


def shelf(folder: Path) -> Path:
    for name, text in DOCUMENTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def script(path: Path, rounds: int = 5) -> Path:
    """Every iteration brings a sentence of the shelf, and the fourth an idea."""
    quotes = [
        "with 2,000 users the cache reduced the median response time of read requests from 310 ms to 95 ms.",
        "With the cache the median response time of read requests fell by 62 % in 14 days.",
        "Caching read requests was slower than asking the database in 12 % of our tests.",
        "In 300 runs read requests with a cache were faster than asking the database in 94 % of the cases.",
        "this stands nowhere in the documents at all",
    ]
    lines: list[Any] = []
    for no in range(1, rounds + 1):
        lines.append({"case": "*", "role": "SELECT", "round": no, "answer": {"search_query": "caching read requests"}})
        observed = {"id": f"obs_{no}", "summary": f"fact {no}", "quote": quotes[(no - 1) % len(quotes)]}
        claimed = {"id": f"hyp_A{no}", "summary": f"Claim number {no} is about {'abcdefgh'[no % 8] * 9} and caching."}
        edge = {"from": f"obs_{no}", "to": "hyp_A1", "type": "SUPPORTS", "weight": 0.8}
        answer = {"status": "success", "observations": [observed], "type_a_hypotheses": [claimed], "edges": [edge]}
        lines.append({"case": "*", "role": "EXPLORE", "round": no, "answer": answer})
    idea = {"summary": "A cache pays where reads repeat.", "reasoning_tool": "inversion", "derived_from": ["obs_1"],
            "verify_keywords": ["repeated reads"]}  # fmt: skip
    lines.append({"case": "*", "role": "IDEATE", "round": 4, "answer": {"hypothesis": idea}})
    path.write_text("".join(form.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def studied(
    folder: Path, question: str = QUESTION, *, config: settings.Config | None = None, watching: Any = None, **given: Any
) -> job.Ending:
    """A whole sitting: `folder/shelf` is read, `folder/out` is the session, `folder/runs.db` the store."""

    async def sitting() -> job.Ending:
        store = SqliteStore(folder / "runs.db")
        try:
            parts: dict[str, Any] = {"sources": (str(folder / "shelf"),)} | given
            order = job.Order(folder / "out", question, **parts)
            return await job.run(job.plan(order, store, config or settings.Config()), store, watching)
        finally:
            await store.close()

    return asyncio.run(sitting())


def resumed(folder: Path, **given: Any) -> job.Ending:
    return studied(folder, "", sources=(), resume=True, **given)


def limited(**given: Any) -> Limits:
    return form.read(Limits, given)
