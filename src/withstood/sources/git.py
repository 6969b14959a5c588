"""The history of a repository that nobody vouches for.

Git runs programs that a repository names: hooks, filters, pagers, helpers, monitors. So git is never run inside the
repository. A bare repository of our own, in a folder of our own, borrows its packs and loose objects one by one; it
has no configuration but ours, no refs, no work tree, and nothing to fetch from. The refs are read as plain files by
code. Every revision that git is given is a full hexadecimal name.

| kept away | how |
|---|---|
| configuration, hooks, filters, attributes with commands | ours is an own repository; theirs is never read |
| other folders (`alternates`, links, `.git` files that point elsewhere) | objects are borrowed file by file, no links |
| the user's configuration, helpers and keys | a clean environment with a home of its own |
| fetching what is missing | no remote, no lazy fetch, no protocol allowed |
| options hidden in names | revisions are hexadecimal, paths stand after `--` and are literal |
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from withstood.errors import InputError, MissingProgram, WorldError

MOST_OUTPUT = 64 << 20
MOST_SECONDS = 120.0
MOST_REFS = 100_000

_HEX = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LOOSE = re.compile(r"[0-9a-f]{2}")
_LOOSE_NAME = re.compile(r"[0-9a-f]{38}(?:[0-9a-f]{24})?")
_PACK = re.compile(r"pack-[0-9a-f]{40,64}\.(?:pack|idx)")
_REF = re.compile(r"refs/[^\0\n ]+")

CONFIG = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.attributesFile", os.devnull),
    ("core.quotePath", "false"),
    ("core.commitGraph", "false"),
    ("core.multiPackIndex", "false"),
    ("diff.renames", "false"),
    ("diff.algorithm", "myers"),
    ("log.showSignature", "false"),
    ("log.mailmap", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "all"),
)


class NotARepository(InputError):
    """There is no history here, and why."""


@dataclass(frozen=True, slots=True)
class Heads:
    """Where the history stands: the commit of HEAD, its branch if it is on one, and every ref by name."""

    head: str
    branch: str | None
    refs: Mapping[str, str]
    shallow: bool


class Git:
    """Read-only questions to a borrowed object store. Closing removes the folder that borrows."""

    def __init__(self, own: Path, heads: Heads) -> None:
        self._own, self.heads = own, heads

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[Git]:
        """The history of the repository at `path`: its work tree, or a bare one. `NotARepository` says why not."""
        if shutil.which("git") is None:
            raise MissingProgram("git", "to read the history of a repository")
        found = _git_folder(path)
        with tempfile.TemporaryDirectory(prefix="withstood-git-") as folder:
            own = Path(folder) / "repository"
            heads = _heads(found)
            _borrow(found, own, heads)
            git = cls(own, heads)
            git._check_whole(found)
            yield git

    def _check_whole(self, found: Path) -> None:
        """The newest commit must be there itself: objects that stand in another repository are not read."""
        try:
            self.run(["cat-file", "-e", f"{self.heads.head}^{{commit}}"])
        except WorldError as fault:
            borrowed = (found / "objects" / "info" / "alternates").exists()
            hint = (
                "It borrows objects from another repository: make it whole with `git repack -ad`." if borrowed else ""
            )
            raise NotARepository(f"The history at {found} cannot be read: {fault} {hint}".strip()) from None

    def run(
        self,
        arguments: Sequence[str],
        *,
        said: bytes | None = None,
        most: int = MOST_OUTPUT,
        seconds: float = MOST_SECONDS,
    ) -> bytes:
        """What git prints. Longer than `most` bytes or `seconds`: a `WorldError`, and git is ended."""
        with self.reading(arguments, said=said, seconds=seconds) as stream:
            found = stream.read(most + 1)
        if len(found) > most:
            raise WorldError(
                f"git {arguments[0]} printed more than {most:,} bytes. Ask for less: a path, fewer commits."
            )
        return found

    @contextmanager
    def reading(
        self, arguments: Sequence[str], *, said: bytes | None = None, seconds: float = MOST_SECONDS
    ) -> Iterator[IO[bytes]]:
        """What git prints, as a stream. Whoever stops reading ends it."""
        command = ["git", f"--git-dir={self._own}", "--no-pager", "--literal-pathspecs", *_settings(), *arguments]
        with tempfile.TemporaryFile() as errors, _piped(said) as source:
            running = subprocess.Popen(
                command,
                cwd=self._own,
                env=_environment(self._own),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
            assert running.stdout is not None
            late = threading.Timer(seconds, _end, [running])
            late.start()
            try:
                yield running.stdout
                code = running.wait() if not running.stdout.read(1) else 0
            finally:
                timed_out = late.finished.is_set()
                late.cancel()
                _end(running)
                running.stdout.close()
            if timed_out:
                raise WorldError(f"git {arguments[0]} took longer than {seconds:g} seconds and was ended.")
            if code:
                raise WorldError(f"git {arguments[0]} failed: {_told(errors)}")


def checked(revision: str) -> str:
    """A full hexadecimal name, and nothing that git could read as an option or an expression."""
    if _HEX.fullmatch(revision) is None:
        raise InputError(f"Wanted the full hexadecimal name of a commit; found {revision[:80]!r}.")
    return revision


def _end(running: subprocess.Popen[bytes]) -> None:
    """Git, and whatever it started."""
    if running.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@contextmanager
def _piped(said: bytes | None) -> Iterator[IO[bytes] | int]:
    """What is said to git, as a file: a pipe that nobody reads could stop us both."""
    if said is None:
        yield subprocess.DEVNULL
        return
    with tempfile.TemporaryFile() as source:
        source.write(said)
        source.seek(0)
        yield source


def _told(errors: IO[bytes]) -> str:
    errors.seek(0)
    told = errors.read(2000).decode("utf-8", "replace").strip().splitlines()
    return told[0] if told else "it gave no reason"


def _settings() -> list[str]:
    return [part for name, value in CONFIG for part in ("-c", f"{name}={value}")]


def _environment(own: Path) -> dict[str, str]:
    """Nothing of the user's but where programs are found."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(own),
        "XDG_CONFIG_HOME": str(own),
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_ASKPASS": "true",
        "GIT_CEILING_DIRECTORIES": str(own.parent),
    }


# --- the repository as files -------------------------------------------------------------------


def _git_folder(path: Path) -> Path:
    """The folder with the objects and the refs, where it is a real folder in its place."""
    if not path.is_dir():
        raise NotARepository(f"There is no folder {path}. Name the folder of a repository.")
    for folder in (path / ".git", path):
        if folder.is_file() and folder.name == ".git":
            raise NotARepository(
                f"{path} is a linked work tree or a submodule: its .git is a file that points elsewhere. "
                "Name the main repository."
            )
        if folder.is_symlink():
            continue
        if _is_folder(folder / "objects") and (folder / "HEAD").is_file():
            if _is_folder(folder / "reftable"):
                raise NotARepository(f"{path} keeps its refs as a reftable, which is not read yet.")
            return folder
    raise NotARepository(f"{path} is no git repository: there is no .git folder in it. Name the top folder of one.")


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _text(path: Path, most: int = 64 << 20) -> str | None:
    """A small regular file as text; None where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read(most).decode("utf-8", "replace")
        except OSError:
            return None


def _heads(folder: Path) -> Heads:
    refs = {**_packed(folder), **dict(_loose_refs(folder))}
    pointer = (_text(folder / "HEAD", 4096) or "").strip()
    branch = pointer.removeprefix("ref:").strip() if pointer.startswith("ref:") else None
    head = refs.get(branch, "") if branch else pointer
    if _HEX.fullmatch(head) is None:
        if refs or not branch:
            where = f"HEAD stands on {branch}, which has no commit" if branch else "HEAD names no commit"
            raise NotARepository(f"{folder}: {where}. Check out a branch that has one.")
        raise NotARepository(f"The repository at {folder.parent} has no commit yet, so there is no history to read.")
    return Heads(head, branch and branch.removeprefix("refs/heads/"), refs, bool(_shallow(folder)))


def _packed(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in (_text(folder / "packed-refs") or "").splitlines()[:MOST_REFS]:
        name, _, ref = line.partition(" ")
        if _HEX.fullmatch(name) and _REF.fullmatch(ref):
            found[ref] = name
    return found


def _loose_refs(folder: Path) -> Iterator[tuple[str, str]]:
    top = folder / "refs"
    if not _is_folder(top):
        return
    told = 0
    for here, folders, names in os.walk(top, followlinks=False):
        folders.sort()
        for name in sorted(names):
            path = Path(here) / name
            value = (_text(path, 4096) or "").strip()
            told += 1
            if _HEX.fullmatch(value) and told <= MOST_REFS:
                yield path.relative_to(folder).as_posix(), value


def _shallow(folder: Path) -> list[str]:
    """Where a shallow clone ends."""
    return [line for line in (_text(folder / "shallow") or "").split() if _HEX.fullmatch(line)]


def _borrow(folder: Path, own: Path, heads: Heads) -> None:
    """A bare repository of our own with links to their objects, each a regular file in its own place."""
    objects = own / "objects"
    (objects / "pack").mkdir(parents=True)
    (objects / "info").mkdir()
    (own / "refs" / "heads").mkdir(parents=True)
    wide = len(heads.head) == 64
    version, extension = ("1", "[extensions]\n\tobjectFormat = sha256\n") if wide else ("0", "")
    (own / "config").write_text(f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = true\n{extension}")
    (own / "HEAD").write_text("ref: refs/heads/none\n")
    if ends := _shallow(folder):
        (own / "shallow").write_text("\n".join(ends) + "\n")
    for path, place in _borrowed(folder / "objects"):
        target = objects / place
        target.parent.mkdir(exist_ok=True)
        with suppress(FileExistsError):
            target.symlink_to(path.absolute())


def _borrowed(objects: Path) -> Iterator[tuple[Path, str]]:
    for folder in sorted(objects.iterdir()):
        pattern = _PACK if folder.name == "pack" else _LOOSE_NAME if _LOOSE.fullmatch(folder.name) else None
        if pattern is None or not _is_folder(folder):
            continue
        with os.scandir(folder) as entries:
            for entry in entries:
                if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    yield Path(entry.path), f"{folder.name}/{entry.name}"
