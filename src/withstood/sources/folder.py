"""A folder that nobody vouches for: read through descriptors, so that no link leads out of it.

Every step of a path is opened relative to the one before it and follows no link. What is not read is counted by the
reason, and can be told.

| kept out | what |
|---|---|
| link | a symbolic link, whatever it points to |
| special | a device, a socket, a pipe |
| hidden | version control and caches: `.git`, `node_modules`, `__pycache__` and their like |
| secret | key files and key stores by their name: `.env`, `id_rsa`, `*.pem`, `*.p12` and their like |
| binary | a NUL byte among the first 8,192 bytes |
| large | more than `most_bytes` |
| too many | beyond `most_files` |
| unreadable | the system does not let it be read |
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from withstood.errors import InputError

Reason: TypeAlias = Literal["link", "special", "hidden", "secret", "binary", "large", "too many", "unreadable"]

HIDDEN = frozenset(
    ".git .hg .svn .bzr .jj node_modules __pycache__ .venv venv .tox .nox .mypy_cache .ruff_cache .pytest_cache "
    ".gradle .idea .vscode .withstood .terraform .next .cache".split()
)
SECRET = (
    ".env .env.* *.env .netrc _netrc .pgpass .npmrc .pypirc .htpasswd .git-credentials "
    "id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk *.asc *.gpg "
    "credentials credentials.json service-account*.json *.tfstate *.tfstate.backup"
).split()
SHOWN = (".env.example", ".env.sample", ".env.template", ".env.dist", "*.example.env")
"""Names that look like secrets and are there to be read."""

HEAD = 8192
MOST_BYTES = 2 << 20
MOST_FILES = 200_000
MOST_LEVELS = 64


class OutOfBounds(InputError):
    """A path that is not one of this folder's own files."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the folder: its path from there, with `/`, and its size when it was found."""

    path: str
    size: int


class Folder:
    """`files` tells what there is, `read` gives the bytes of one. Closing gives the descriptor back."""

    def __init__(self, path: Path, *, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
        self.name = str(path)
        self.most_bytes, self.most_files = most_bytes, most_files
        self.left_out: Counter[Reason] = Counter()
        try:
            self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise InputError(f"There is no folder {path}. Check the name, or give the full path.") from None
        except NotADirectoryError:
            raise InputError(f"{path} is a file; wanted a folder.") from None
        except OSError as fault:
            raise InputError(f"The folder {path} cannot be read: {fault.strerror}.") from None

    def close(self) -> None:
        if self._root >= 0:
            os.close(self._root)
            self._root = -1

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what there is ---

    def files(self, under: str = "") -> Iterator[Found]:
        """Every file that may be read, in the order of its path, folders in place. Counts anew what is left out."""
        self.left_out = Counter()
        told = 0
        with self._folder(_steps(under) if under else ()) as root:
            for found in self._walk(root, f"{under}/" if under else "", MOST_LEVELS):
                if told >= self.most_files:
                    self.left_out["too many"] += 1
                    continue
                told += 1
                yield found

    def _walk(self, folder: int, before: str, levels: int) -> Iterator[Found]:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            kind = _kind(entry)
            if kind == "folder":
                yield from self._within(folder, entry.name, before, levels)
            elif kind == "file":
                yield Found(before + entry.name, entry.stat(follow_symlinks=False).st_size)
            else:
                self.left_out[kind] += 1

    def _within(self, folder: int, name: str, before: str, levels: int) -> Iterator[Found]:
        try:
            inner = _open_folder(name, folder)
        except OSError:
            self.left_out["unreadable"] += 1
            return
        try:
            if levels:
                yield from self._walk(inner, f"{before}{name}/", levels - 1)
            else:
                self.left_out["too many"] += 1
        finally:
            os.close(inner)

    # --- one file ---

    def read(self, path: str) -> bytes | Reason:
        """The bytes of a text, or why they are not given. `OutOfBounds` where the path is none of this folder's."""
        found = self.read_any(path)
        return "binary" if not isinstance(found, str) and b"\0" in found[:HEAD] else found

    def read_any(self, path: str) -> bytes | Reason:
        """The bytes of a file of any kind."""
        stream = self.opened(path)
        if isinstance(stream, str):
            return stream
        with stream:
            found = stream.read(self.most_bytes + 1)
        return "large" if len(found) > self.most_bytes else found

    def opened(self, path: str) -> BinaryIO | Reason:
        """A file of any size and content, open at its start; whoever asks closes it."""
        steps = _steps(path)
        if set(steps) & HIDDEN:
            return "hidden"
        if is_secret(steps[-1]):
            return "secret"
        try:
            with self._folder(steps[:-1]) as folder:
                return _opened(steps[-1], folder)
        except FileNotFoundError:
            raise OutOfBounds(f"There is no file {path} in {self.name}.") from None
        except NotADirectoryError:
            return "link"
        except OSError as fault:
            return "link" if fault.errno == errno.ELOOP else "unreadable"

    @contextmanager
    def _folder(self, steps: Sequence[str]) -> Iterator[int]:
        """The descriptor of a folder inside, reached step by step."""
        reached = os.dup(self._root)
        try:
            for step in steps:
                inner = _open_folder(step, reached)
                os.close(reached)
                reached = inner
            yield reached
        finally:
            os.close(reached)


def is_secret(name: str) -> bool:
    """Whether a file is kept out for its name."""
    lowered = name.lower()
    if any(fnmatchcase(lowered, shown) for shown in SHOWN):
        return False
    return any(fnmatchcase(lowered, pattern) for pattern in SECRET)


def _opened(name: str, folder: int) -> BinaryIO | Reason:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    return "special"


def _open_folder(name: str, within: int) -> int:
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=within)


def _kind(entry: os.DirEntry[str]) -> Literal["folder", "file"] | Reason:
    if entry.is_symlink():
        return "link"
    if entry.name in HIDDEN:
        return "hidden"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    if not entry.is_file(follow_symlinks=False):
        return "special"
    return "secret" if is_secret(entry.name) else "file"


def _steps(path: str) -> tuple[str, ...]:
    """The names along a path. A path that leads out, or is none, is refused before anything is opened."""
    steps = tuple(path.split("/"))
    if not path or "\0" in path or any(step in ("", ".", "..") for step in steps):
        raise OutOfBounds(f"Wanted a path inside the folder, like src/main.py; found {path!r}.")
    return steps
