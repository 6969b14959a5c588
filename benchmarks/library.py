"""Indexing and searching a folder: 10,000 documents of 2 kB, Korean and English; Korean cut into pairs of syllables,
and by Kiwi where it is installed.

python benchmarks/library.py
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from pathlib import Path

from withstood.sources import morphemes
from withstood.sources.library import Library
from withstood.sources.terms import Cut, pairs

DOCUMENTS = 10_000
SIGNS = 2_000
QUERIES = 200
SYLLABLES = "가나다라마바사아자차카타파하고노도로모보소오조초코토포호구누두루무부수우주추쿠투푸후"


def word(dice: random.Random, korean: bool) -> str:
    signs = SYLLABLES if korean else "abcdefghijklmnoprstuvw"
    return "".join(dice.choice(signs) for _ in range(dice.randint(2, 4) if korean else dice.randint(4, 9)))


def main() -> None:
    dice = random.Random(7)
    words = {korean: [word(dice, korean) for _ in range(20_000)] for korean in (False, True)}
    with tempfile.TemporaryDirectory() as folder:
        for no in range(DOCUMENTS):
            text = f"# Document {no}\n\n"
            while len(text.encode()) < SIGNS:
                text += " ".join(dice.choices(words[no % 2 == 1], k=12)) + ". "
            (Path(folder) / f"{no}.md").write_text(text)
        queries = [" ".join(dice.choices(words[no % 2 == 1], k=4)) for no in range(QUERIES)]
        cuts = {"pairs": pairs, "kiwi": morphemes.cut()}
        print(json.dumps({name: measured(Path(folder), cut, queries) for name, cut in cuts.items() if cut}))


def measured(folder: Path, cut: Cut, queries: list[str]) -> dict[str, float]:
    library = Library(folder, cut)
    began = time.perf_counter()
    read = library.documents
    indexed = time.perf_counter() - began
    began = time.perf_counter()
    hits = sum(bool(asyncio.run(library.find(query, "en", deep=True)).sources) for query in queries)
    asked = time.perf_counter() - began
    library.close()
    return {
        "documents": read,
        "seconds_to_index": round(indexed, 1),
        "milliseconds_a_query": round(1000 * asked / len(queries), 1),
        "queries_with_a_hit": hits / len(queries),
    }


if __name__ == "__main__":
    main()
