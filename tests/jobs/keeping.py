"""Makes the bundles that are kept of this version: `python -m tests.jobs.keeping`. Those of a released version stay."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.cli import shop
from tests.cli.commands import reviews, script, withstood
from withstood import __version__

FOLDER = Path(__file__).parent / "bundles"
INQUIRY = ("investigate", shop.QUESTION, "--repo", "repo", "--logs", "logs", "-o", "out")
REVIEWED = ("sentiment", "in.csv", "-o", "results", "--model", "scripted:answers.jsonl")
RUNS: dict[str, tuple[str, ...]] = {
    "cr-v1": (*REVIEWED, "--protocol", "cr-v1"),
    "cr-v2": REVIEWED,
    "single": (*REVIEWED, "--protocol", "single"),
    "strict": (*REVIEWED, "--rules", "strict", "--set", "review.scope=any"),
    "investigation": INQUIRY,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = shop.build(Path(name))
        reviews(folder)
        script(folder, "FLIP", "DROP")
        for run, call in RUNS.items():
            for step in ((*call, "--run", run), ("export", run)):
                done = withstood(folder, *step)
                if done.code:
                    sys.exit(done.said)
            kept = FOLDER / f"{__version__}-{run}.zip"
            kept.write_bytes((folder / f"{run}.withstood.zip").read_bytes())


if __name__ == "__main__":
    main()
