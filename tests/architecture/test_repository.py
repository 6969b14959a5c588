"""What may not stand in any file of the repository: paths of a machine, package registries, big files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 512 * 1024

# Put together here, so that this file does not hold what it forbids.
FOLDERS = ("work/", "root/", "opt/" + "wheels", "opt/" + "pypi", "home/" + r"\w+/")
HOSTS = ("pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.(?:org|com)", "anaconda" + r"\.org")
FORBIDDEN = re.compile("|".join([*(rf"(?<![\w.:/>-])/{folder}" for folder in FOLDERS), *HOSTS]))


def files() -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        for match in FORBIDDEN.finditer(line)
    ]
    assert found == []


def test_no_file_is_big() -> None:
    assert [path for path in files() if path.stat().st_size > MOST_BYTES] == []


@pytest.mark.parametrize("line", ["see /" + "work/x", "'/" + "home/me/x'", "https://" + "pypi" + ".org/simple"])
def test_what_is_forbidden_is_seen(line: str) -> None:
    assert FORBIDDEN.search(line)


@pytest.mark.parametrize("line", ["https://host/" + "work/x", "src/" + "work/x", "a framework/", "pypi"])
def test_what_is_allowed_passes(line: str) -> None:
    assert not FORBIDDEN.search(line)


def test_the_readme_says_how_it_is_checked() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    line = re.search(r"<!-- check -->\n```\w*\n(.+)\n```\n<!-- /check -->", text)
    assert line, "wanted one line in a code block between <!-- check --> and <!-- /check --> in README.md"
    steps = line[1].split(" && ")
    assert steps[0] == "python3 -m venv .venv"
    assert steps[1].endswith("--require-hashes -r requirements/check.txt")
    assert steps[-1] == ".venv/bin/python check.py"


@pytest.mark.parametrize("name", ["check.txt", "run.txt"])
def test_every_requirement_is_pinned_by_hash(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text("utf-8").replace("\\\n", "")
    pinned = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert pinned
    assert [line for line in pinned if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []
