"""What starting costs: `withstood --help` over `python -c pass`, and what importing the rules loads.

    python benchmarks/startup.py

Prints one JSON object; the medians of many starts, taken in turn.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from pathlib import Path

OTHERS = """
import sys, withstood.rules.rulebook
own = {*sys.stdlib_module_names, "withstood", "__main__"}
print([name for name in sys.modules if name.partition(".")[0] not in own and not name.startswith("_")])
"""


def seconds(command: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def main() -> None:
    command = str(Path(sysconfig.get_path("scripts")) / "withstood")
    starts = {"python -c pass": [sys.executable, "-c", "pass"], "withstood --help": [command, "--help"]}
    taken = {name: [seconds(start) for _ in range(30)] for name, start in starts.items()}
    medians = {name: statistics.median(times) for name, times in taken.items()}
    others = subprocess.run([sys.executable, "-c", OTHERS], capture_output=True, text=True, check=True).stdout.strip()
    ratio = medians["withstood --help"] / medians["python -c pass"]
    print(json.dumps({"help_over_pass": round(ratio, 2), "rules_load_besides_stdlib": others}, indent=2))


if __name__ == "__main__":
    main()
