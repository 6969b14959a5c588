"""The register of jobs, chunks and workers, in the database of the store or in a file beside it.

Every change is one transaction. A worker owns a chunk by the number of its claim: whoever claims it later has a higher
one, and nothing that an earlier one still says counts. Time is that of the database, so that the clocks of the workers
do not matter.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import sqlalchemy as sa
from sqlalchemy import event, exc

from withstood import databases
from withstood.engine.limits import Limits, Spend
from withstood.errors import ConfigError, LimitReached, StoreError, UsageError
from withstood.fleet.commission import Commission, Outcome, Piece, read, run_name, written

EDITION = 2
DIED = "its workers died, or were taken for dead"
JobState: TypeAlias = Literal["queued", "paused", "cancelled", "stopped", "parked", "finished"]
OPEN: tuple[JobState, ...] = ("queued", "paused", "stopped", "parked")

_TABLES = sa.MetaData()
EDITIONS = sa.Table("fleet_edition", _TABLES, sa.Column("no", sa.Integer, primary_key=True))
JOBS = sa.Table(
    "fleet_job",
    _TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("commission", sa.Text, nullable=False),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("granted", sa.Text, nullable=False),
)
CHUNKS = sa.Table(
    "fleet_chunk",
    _TABLES,
    sa.Column("job", sa.Text, sa.ForeignKey("fleet_job.name"), primary_key=True),
    sa.Column("no", sa.Integer, primary_key=True),
    sa.Column("phase", sa.Integer, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("rows", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="waiting"),
    sa.Column("claim", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("worker", sa.Text, nullable=False, server_default=""),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("decided", sa.Integer, nullable=False, server_default="0"),
    sa.Column("slots", sa.Integer, nullable=False, server_default="0"),
    sa.Column("granted", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text, nullable=False, server_default=""),
    sa.Column("why", sa.Text, nullable=False, server_default=""),
)
WORKERS = sa.Table(
    "fleet_worker",
    _TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
)
PACES = sa.Table(
    "fleet_pace",
    _TABLES,
    sa.Column("job", sa.Text, primary_key=True),
    sa.Column("requests", sa.Float, nullable=False),
    sa.Column("tokens", sa.Float, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk in the hands of one worker, until a later claim."""

    job: str
    no: int
    claim: int
    phase: int
    source: str
    slots: int
    commission: Commission

    @property
    def run(self) -> str:
        return run_name(self.job, self.no)


@dataclass(frozen=True, slots=True)
class Chunk:
    no: int
    phase: int
    rows: int
    state: str
    worker: str
    tries: int
    decided: int
    why: str
    granted: Spend
    outcome: Outcome | None
    source: str


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    state: JobState
    why: str
    rows: int
    commission: Commission
    chunks: tuple[Chunk, ...] = ()

    @property
    def spent(self) -> Spend:
        """What is booked by chunks that ended, and what those that did not may have spent at most."""
        return sum((one.outcome.spent if one.outcome else one.granted for one in self.chunks), Spend())

    def count(self, state: str) -> int:
        return sum(one.state == state for one in self.chunks)


@dataclass(frozen=True, slots=True)
class Seen:
    name: str
    ago: float
    note: str


@dataclass(frozen=True, slots=True)
class Result:
    """What is left of a chunk that is done: its run, the hash of its rows, and what its outcome names."""

    run: str
    phase: int
    source: str
    result: str


class Busy(Exception):
    """All that the job may have in flight is in the hands of others: ask again a little later."""


class Registry:
    def __init__(self, named: str) -> None:
        self.place = databases.told(named)
        self._is_url = databases.is_url(named)
        self._engine = _postgres(named) if self._is_url else _sqlite(f"{named}.fleet")
        self._laid_out = False

    def close(self) -> None:
        self._engine.dispose()

    # --- jobs ----------------------------------------------------------------------------------

    def add(self, name: str, commission: Commission, pieces: Sequence[Piece]) -> None:
        """A job with all its chunks, or nothing at all."""
        rows = sum(piece.rows for piece in pieces)
        chunks = [
            {"job": name, "granted": written(Spend()), **{key: getattr(piece, key) for key in _PIECE}}
            for piece in pieces
        ]
        with self._change() as db:
            if db.execute(sa.select(JOBS.c.name).where(JOBS.c.name == name)).first():
                raise ConfigError(f"There is a job {name} already. Choose another name, or collect that one.")
            begun = self._now(db)
            job = {"name": name, "commission": written(commission), "rows": rows, "state": "queued", "why": ""}
            db.execute(sa.insert(JOBS), job | {"begun": begun, "granted": written(Spend())})
            if chunks:
                db.execute(sa.insert(CHUNKS), chunks)
            else:
                db.execute(sa.update(JOBS).where(JOBS.c.name == name).values(state="finished"))

    def jobs(self) -> list[Job]:
        """Every job without its chunks, the oldest first."""
        with self._change() as db:
            return [_job(row) for row in db.execute(sa.select(JOBS).order_by(JOBS.c.begun, JOBS.c.name))]

    def job(self, name: str) -> Job:
        with self._change() as db:
            row = db.execute(sa.select(JOBS).where(JOBS.c.name == name)).first()
            if row is None:
                raise UsageError(f"There is no job {name}. `withstood status` lists those there are.")
            found = db.execute(sa.select(CHUNKS).where(CHUNKS.c.job == name).order_by(CHUNKS.c.no))
            return replace(_job(row), chunks=tuple(_chunk(chunk) for chunk in found))

    def turn_to(self, name: str, state: JobState, why: str = "", *, only: Sequence[JobState] = OPEN) -> bool:
        """Whether the job was in one of the states from which it may be brought into this one."""
        with self._change() as db:
            change = sa.update(JOBS).where(JOBS.c.name == name, JOBS.c.state.in_(only)).values(state=state, why=why)
            return db.execute(change).rowcount > 0

    def recommission(self, name: str, commission: Commission) -> None:
        with self._change() as db:
            db.execute(sa.update(JOBS).where(JOBS.c.name == name).values(commission=written(commission)))

    def results(self, name: str) -> list[Result]:
        """Of every chunk that has some, in order."""
        chosen = sa.select(CHUNKS).where(CHUNKS.c.job == name, CHUNKS.c.state == "done").order_by(CHUNKS.c.no)
        with self._change() as db:
            rows = db.execute(chosen).all()
            return [
                Result(run_name(name, row.no), row.phase, row.source, read(Outcome, row.outcome).result) for row in rows
            ]

    # --- chunks --------------------------------------------------------------------------------

    def claim(self, job: str, no: int, worker: str) -> Claim | None:
        """The chunk for this worker; None where it is not to be decided now. `Busy` where nothing may be in flight."""
        with self._change() as db:
            row, chunk = self._locked_job(db, job), self._locked(db, job, no)
            if row is None or chunk is None or row.state != "queued" or chunk.state not in ("waiting", "running"):
                return None
            if chunk.state == "running" and chunk.worker != worker and self._lives(db, chunk.worker):
                return None
            commission = read(Commission, row.commission)
            if chunk.tries >= 2 * commission.most_tries:
                why = f"{chunk.tries} tries ended before anything was begun; last: {chunk.why or DIED}"
                db.execute(_of(job, no).values(state="aside", slots=0, why=why))
                return None
            slots = self._slots(db, job, no, commission)
            claimed = {"state": "running", "worker": worker, "claim": chunk.claim + 1, "slots": slots}
            claimed["tries"] = chunk.tries + 1
            db.execute(_of(job, no).values(**claimed))
            return Claim(job, no, chunk.claim + 1, chunk.phase, chunk.source, slots, commission)

    def _slots(self, db: sa.Connection, job: str, no: int, commission: Commission) -> int:
        others = sa.select(sa.func.coalesce(sa.func.sum(CHUNKS.c.slots), 0)).where(
            CHUNKS.c.job == job, CHUNKS.c.state == "running", CHUNKS.c.no != no
        )
        left = commission.config.limits.in_flight - db.execute(others).scalar_one()
        if left < 1:
            raise Busy
        return min(left, commission.share)

    def begin_try(self, claim: Claim, decided: int) -> bool:
        """A try after which more was decided than before is the first of a new series. False, and the chunk is set
        aside, where there were too many."""
        with self._change() as db:
            chunk = self._locked(db, claim.job, claim.no)
            if chunk is None or chunk.claim != claim.claim:
                return False
            tries = 1 if decided > chunk.decided else chunk.tries
            change = _held(claim).values(tries=tries, decided=decided)
            if tries > claim.commission.most_tries:
                why = f"{tries - 1} tries without progress; last: {chunk.why or DIED}"
                change = change.values(state="aside", slots=0, why=why)
            db.execute(change)
            return tries <= claim.commission.most_tries

    def settle(self, claim: Claim, outcome: Outcome) -> bool:
        """Whether the outcome counts: not where the chunk was claimed by another since."""
        values = {"state": "done", "slots": 0, "outcome": written(outcome), "why": ""}
        with self._change() as db:
            return self._grant(db, claim, outcome.spent) and db.execute(_held(claim).values(**values)).rowcount > 0

    def release(self, claim: Claim, why: str = "", spent: Spend | None = None, *, tried: bool = False) -> bool:
        """Give the chunk back undecided. `tried`: it failed, and this counts."""
        change = _held(claim).values(state="waiting", slots=0, worker="", why=why)
        with self._change() as db:
            if spent is not None:
                self._grant(db, claim, spent)
            return db.execute(change if tried else change.values(tries=CHUNKS.c.tries - 1)).rowcount > 0

    def set_aside(self, claim: Claim, why: str) -> bool:
        with self._change() as db:
            return db.execute(_held(claim).values(state="aside", slots=0, why=why)).rowcount > 0

    def wait_again(self, job: str) -> None:
        """What was set aside may be tried anew."""
        anew = sa.update(CHUNKS).where(CHUNKS.c.job == job, CHUNKS.c.state == "aside")
        with self._change() as db:
            db.execute(anew.values(state="waiting", tries=0, why=""))

    def due(self) -> list[tuple[str, int]]:
        """Every chunk that may be decided now: of the first phase of its job that has some left."""
        with self._change() as db:
            first = (
                sa.select(CHUNKS.c.job, sa.func.min(CHUNKS.c.phase).label("phase"))
                .where(CHUNKS.c.state.in_(("waiting", "running")))
                .group_by(CHUNKS.c.job)
                .subquery()
            )
            chosen = (
                sa.select(CHUNKS.c.job, CHUNKS.c.no)
                .join(JOBS, sa.and_(JOBS.c.name == CHUNKS.c.job, JOBS.c.state == "queued"))
                .join(first, sa.and_(first.c.job == CHUNKS.c.job, first.c.phase == CHUNKS.c.phase))
                .where(CHUNKS.c.state == "waiting")
                .order_by(JOBS.c.begun, CHUNKS.c.no)
            )
            return [(job, no) for job, no in db.execute(chosen)]

    def finish(self) -> list[str]:
        """Jobs with nothing left to decide are finished: their names."""
        left = sa.select(CHUNKS.c.job).where(CHUNKS.c.state.in_(("waiting", "running")))
        done = JOBS.c.state == "queued", JOBS.c.name.not_in(left)
        with self._change() as db:
            names = [name for (name,) in db.execute(sa.select(JOBS.c.name).where(*done))]
            if names:
                db.execute(sa.update(JOBS).where(JOBS.c.name.in_(names)).values(state="finished", why=""))
            return names

    # --- workers -------------------------------------------------------------------------------

    def beat(self, worker: str, note: str = "") -> None:
        with self._change() as db:
            now = self._now(db)
            told = sa.update(WORKERS).where(WORKERS.c.name == worker).values(seen=now, note=note)
            if not db.execute(told).rowcount:
                db.execute(sa.insert(WORKERS), {"name": worker, "seen": now, "note": note})

    def leave(self, worker: str) -> None:
        with self._change() as db:
            db.execute(sa.delete(WORKERS).where(WORKERS.c.name == worker))

    def workers(self) -> list[Seen]:
        with self._change() as db:
            now = self._now(db)
            rows = db.execute(sa.select(WORKERS).order_by(WORKERS.c.name)).all()
            return [Seen(row.name, now - row.seen, row.note) for row in rows]

    def bury(self, lease: float) -> list[tuple[str, int]]:
        """Forget workers that were not seen for so long; the chunks that they had are waiting again, and are named."""
        with self._change() as db:
            now = self._now(db)
            gone = sa.or_(WORKERS.c.seen < now - lease, WORKERS.c.seen > now + lease)  # another boot of the host
            db.execute(sa.delete(WORKERS).where(gone))
            orphans = CHUNKS.c.state == "running", CHUNKS.c.worker.not_in(sa.select(WORKERS.c.name))
            rows = db.execute(sa.select(CHUNKS.c.job, CHUNKS.c.no).where(*orphans)).all()
            if rows:
                db.execute(sa.update(CHUNKS).where(*orphans).values(state="waiting", worker="", slots=0))
            return [(job, no) for job, no in rows]

    def unwanted(self, worker: str) -> set[tuple[str, int]]:
        """Chunks of jobs that are no longer to be worked on."""
        chosen = (
            sa.select(CHUNKS.c.job, CHUNKS.c.no)
            .join(JOBS, JOBS.c.name == CHUNKS.c.job)
            .where(CHUNKS.c.worker == worker, CHUNKS.c.state == "running", JOBS.c.state != "queued")
        )
        with self._change() as db:
            return {(job, no) for job, no in db.execute(chosen)}

    def _lives(self, db: sa.Connection, worker: str) -> bool:
        return db.execute(sa.select(WORKERS.c.name).where(WORKERS.c.name == worker)).first() is not None

    # --- what the chunks of a job share --------------------------------------------------------

    def grow(self, claim: Claim, wanted: Spend, beyond: Spend) -> Spend:
        """What the chunk may spend in all from now on: at least `wanted`, and some of `beyond` where there is room.
        `LimitReached` where that much could pass a limit of the job; `StoreError` where another claim has the chunk."""
        with self._change() as db:
            row, chunk = self._locked_job(db, claim.job), self._locked(db, claim.job, claim.no)
            if chunk.claim != claim.claim:
                raise StoreError(f"{claim.run} was taken over by another worker.")
            others = read(Spend, row.granted) - read(Spend, chunk.granted)
            limits = claim.commission.config.limits
            if name := _passed(limits, others + wanted):
                raise LimitReached(
                    name, f"The limit of {getattr(limits, name)} {name} of the job {claim.job} is reached."
                )
            given = wanted if _passed(limits, others + wanted + beyond) else wanted + beyond
            self._grant(db, claim, given)
            return given

    def _grant(self, db: sa.Connection, claim: Claim, given: Spend) -> bool:
        """What the chunk may have spent, and with it what all of the job may have; not where another has the chunk."""
        row, chunk = self._locked_job(db, claim.job), self._locked(db, claim.job, claim.no)
        if not db.execute(_held(claim).values(granted=written(given))).rowcount:
            return False
        total = read(Spend, row.granted) - read(Spend, chunk.granted) + given
        db.execute(sa.update(JOBS).where(JOBS.c.name == claim.job).values(granted=written(total)))
        return True

    def turn(self, job: str, limits: Limits, tokens: int) -> float:
        """Take one request of so many tokens from what the job may make a minute; how long to wait for it."""
        with self._change() as db:
            self._locked_job(db, job)
            now = self._now(db)
            row = db.execute(sa.select(PACES).where(PACES.c.job == job)).first()
            level = (row.requests, row.tokens, row.at) if row else None
            requests, asked = _filled(
                limits.requests_per_minute, level and level[0], now - (level[2] if level else now)
            )
            words, heard = _filled(limits.tokens_per_minute, level and level[1], now - (level[2] if level else now))
            requests, words = requests - 1, words - tokens
            values = {"requests": requests, "tokens": words, "at": now}
            if row:
                db.execute(sa.update(PACES).where(PACES.c.job == job).values(**values))
            else:
                db.execute(sa.insert(PACES), values | {"job": job})
            return max(0.0, -requests / asked if asked else 0.0, -words / heard if heard else 0.0)

    # --- the database --------------------------------------------------------------------------

    @contextmanager
    def _change(self) -> Iterator[sa.Connection]:
        try:
            if not self._laid_out:
                self._lay_out()
            with self._engine.begin() as db:
                yield db
        except exc.DBAPIError as fault:
            said = " ".join(str(fault.orig).split())
            raise StoreError(
                f"The store {self.place} cannot be used: {said}. See that it can be reached and has room, and try "
                "again."
            ) from None

    def _lay_out(self) -> None:
        with self._engine.begin() as db:
            if self._is_url:
                db.execute(sa.text("SELECT pg_advisory_xact_lock(:no)"), {"no": databases.ALONE})
                db.execute(sa.text("CREATE SCHEMA IF NOT EXISTS withstood"))
            _TABLES.create_all(db)
            found = db.execute(sa.select(EDITIONS.c.no)).scalar()
            if found is None:
                db.execute(sa.insert(EDITIONS), {"no": EDITION})
        if found not in (None, EDITION):
            raise ConfigError(
                f"{self.place} has a fleet of edition {found}; this version of withstood knows edition {EDITION}. "
                "Use the version that wrote it, or name another store with --store."
            )
        self._laid_out = True

    def _now(self, db: sa.Connection) -> float:
        if self._is_url:
            return float(db.execute(sa.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
        return time.clock_gettime(time.CLOCK_BOOTTIME)  # one host: no clock that somebody may set

    def _locked_job(self, db: sa.Connection, job: str) -> Any:
        return db.execute(sa.select(JOBS).where(JOBS.c.name == job).with_for_update()).first()

    def _locked(self, db: sa.Connection, job: str, no: int) -> Any:
        chosen = sa.select(CHUNKS).where(CHUNKS.c.job == job, CHUNKS.c.no == no)
        return db.execute(chosen.with_for_update()).first()


OPTIONS = "-csearch_path=withstood -csynchronous_commit=on -cidle_in_transaction_session_timeout=10s"
"""A worker that hangs in the middle of a change loses it, so that nobody waits for it."""
_PIECE = ("no", "phase", "source", "rows")


def _postgres(url: str) -> sa.Engine:
    parsed = sa.make_url(url).set(drivername="postgresql+psycopg")
    return sa.create_engine(
        parsed,
        pool_size=4,
        max_overflow=4,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 10, "options": OPTIONS},
    )


def _sqlite(path: str) -> sa.Engine:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 60})

    @event.listens_for(engine, "connect")
    def by_ourselves(db: Any, record: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        db.isolation_level = None
        db.execute("PRAGMA synchronous=EXTRA")

    @event.listens_for(engine, "begin")
    def at_once(db: sa.Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        db.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _of(job: str, no: int) -> sa.Update:
    return sa.update(CHUNKS).where(CHUNKS.c.job == job, CHUNKS.c.no == no)


def _held(claim: Claim) -> sa.Update:
    """The chunk, as long as nobody claimed it later."""
    return _of(claim.job, claim.no).where(CHUNKS.c.claim == claim.claim, CHUNKS.c.state == "running")


def _job(row: Any) -> Job:
    return Job(row.name, row.state, row.why, row.rows, read(Commission, row.commission))


def _chunk(row: Any) -> Chunk:
    outcome = read(Outcome, row.outcome) if row.outcome else None
    plain = (row.no, row.phase, row.rows, row.state, row.worker, row.tries, row.decided, row.why)
    return Chunk(*plain, read(Spend, row.granted), outcome, row.source)


def _passed(limits: Limits, spend: Spend) -> str | None:
    for name, value in (("calls", spend.calls), ("tokens", spend.tokens), ("money", spend.cost)):
        limit = getattr(limits, name)
        if limit is not None and value is not None and value > limit:
            return name
    return None


def _filled(per_minute: int | None, level: float | None, passed: float) -> tuple[float, float]:
    """What a bucket holds by now, and how much a second comes in; without a limit it is never empty."""
    if per_minute is None:
        return 0.0, 0.0
    rate = per_minute / 60
    most = max(1.0, rate)
    return (most if level is None else min(most, level + max(0.0, passed) * rate)), rate
