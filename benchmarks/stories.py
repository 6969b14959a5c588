"""Small repositories with a planted cause, each investigated by programs alone: how often the cause is found.

    python benchmarks/stories.py [NAME ...]

The whole flow runs: protocol, investigators, challenger, evidence check, judgement, ranking. Prints one line a story,
then one JSON object: how often a file of the cause is named first, or among the first three; how many healthy ones are
Confirmed; how many pieces of evidence were struck, and how many of those are counted in a finding all the same.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.stories.shelf import HARMLESS, NAMES, PLANTED, story
from tests.stories.trial import Outcome, tried


def outcome(name: str, planted: bool = True) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return tried(story(name, PLANTED if planted else HARMLESS), Path(folder))


def line(one: Outcome) -> str:
    if not one.story.truth.files:
        mark = "CONFIRMED" if "Confirmed" in one.tags else "healthy"
    else:
        mark = "first" if one.among(1) else "third" if one.among(3) else "missed"
    named = ", ".join(f"{path} ({tag})" for path, tag in zip(one.files[:3], one.tags, strict=False))
    return f"{mark:<10}{one.story.name:<24}{named}"


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("names", nargs="*", metavar="NAME")
    names = told.parse_args().names or NAMES
    outcomes = [outcome(name) for name in names]
    print("\n".join(map(line, outcomes)), file=sys.stderr)
    sick = [one for one in outcomes if one.story.truth.files]
    healthy = [one for one in outcomes if not one.story.truth.files]
    figures = {
        "stories": len(outcomes),
        "cause_first": share(sum(one.among(1) for one in sick), len(sick)),
        "cause_among_three": share(sum(one.among(3) for one in sick), len(sick)),
        "healthy": len(healthy),
        "healthy_confirmed": sum("Confirmed" in one.tags for one in healthy),
        "struck": sum(len(one.report["struck"]) for one in outcomes),
        "struck_and_counted": sum(len(one.counted_though_struck()) for one in outcomes),
    }
    if "planted" in names:
        figures["planted_words_change_nothing"] = outcome("planted").bare() == outcome("planted", planted=False).bare()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
