"""A PostgreSQL server of its own for a test or a benchmark: laid out, started, stopped, killed, started again.

It listens on a Unix socket alone. PostgreSQL refuses to run as root; then it runs as `nobody`.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

SERVANT = "nobody"
UNSAFE = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""For tests of what is written; not for tests of what survives."""


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; None where there is none."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists() and (place / "initdb").exists()), None)


class Server:
    """One cluster in a folder. `stop` and `start` may be called again and again."""

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        self.folder, self._settings = folder, settings
        self._child: subprocess.Popen[bytes] | None = None
        self._databases = 0

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    def lay_out(self) -> None:
        if os.geteuid() == 0:
            servant = pwd.getpwnam(SERVANT)
            os.chown(self.folder, servant.pw_uid, servant.pw_gid)
        options = ("-U", "withstood", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        subprocess.run(
            self._as_servant("initdb", "-D", str(self.folder / "data"), *options), check=True, stdout=subprocess.DEVNULL
        )

    def start(self) -> None:
        told = ["listen_addresses=", f"unix_socket_directories={self.folder}", "max_connections=100", *self._settings]
        options = [part for setting in told for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._child = subprocess.Popen(
                self._as_servant("postgres", "-D", str(self.folder / "data"), *options), stdout=log, stderr=log
            )
        self._wait()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: sessions are ended at once; SIGQUIT: no shutdown at all, as if the machine had stopped."""
        if self._child is not None:
            self._child.send_signal(how)
            self._child.wait(60)
            self._child = None

    def database(self) -> str:
        """The URL of a new database."""
        self._databases += 1
        name = f"db{self._databases}"
        self._run("createdb", "-h", str(self.folder), "-U", "withstood", name)
        return self.url(name)

    def url(self, name: str) -> str:
        return f"postgresql://withstood@/{name}?host={self.folder}"

    def _wait(self) -> None:
        until = time.monotonic() + 60
        while self._run("pg_isready", "-q", "-h", str(self.folder), check=False):
            assert self._child is not None
            if self._child.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"wanted a server, found: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def _run(self, program: str, *options: str, check: bool = True) -> int:
        return subprocess.run([_program(program), *options], check=check).returncode

    def _as_servant(self, program: str, *options: str) -> list[str]:
        command = [_program(program), *options]
        if os.geteuid() != 0:
            return command
        who = ("--reuid", SERVANT, "--regid", str(pwd.getpwnam(SERVANT).pw_gid), "--clear-groups")
        return ["setpriv", *who, "--pdeathsig", "INT", *command]


def _program(name: str) -> str:
    return str((programs() or Path()) / name)


@contextlib.contextmanager
def serving(settings: Sequence[str] = ()) -> Iterator[Server]:
    """A server that ends with the block, or with its parent."""
    with tempfile.TemporaryDirectory(prefix="withstood-pg-") as folder:
        server = Server(Path(folder), settings)
        server.lay_out()
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
