"""A worker: takes chunks off the queue, decides them, and gives back what it cannot finish.

The main thread keeps watch: it tells the register that the worker lives, as long as its loop answers; it lets go of
chunks that are no longer wanted; and it takes over what dead workers had.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError as LateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from withstood.errors import (
    Interrupted,
    JournalError,
    LimitReached,
    StoreError,
    UsageError,
    WithstoodError,
    WorldError,
)
from withstood.fleet import queue
from withstood.fleet.deciding import Sat, Unable, decide
from withstood.fleet.registry import Busy, Claim, JobState, Registry
from withstood.jobs.sitting import Watching
from withstood.jobs.telemetry import Sender, Tags
from withstood.journal import opening

LEASE = 30.0
PATIENCE = 600.0
WORKED = 60.0
"""An attempt that lasted so long had a store to work with."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker works. `lease`: whoever is silent for so long counts as dead. `patience`: how long it waits for a
    store that cannot be used. `leave_when_idle`: it ends once nothing is left to decide."""

    at_once: int = 2
    lease: float = LEASE
    patience: float = PATIENCE
    leave_when_idle: bool = False


class Worker:
    def __init__(self, named: str, terms: Terms, say: Callable[[str], None], sender: Sender | None = None) -> None:
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._named, self._terms, self._say, self._sender = named, terms, say, sender
        self._registry, self._queue = Registry(named), queue.Queue(named)
        self._tasks: dict[tuple[str, int], asyncio.Task[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()
        self._fault: WithstoodError | None = None
        self._notes: dict[str, str] = {}
        self._waiting = set[tuple[str, int]]()
        """Chunks given back because of the store, which nobody else has had since."""

    def stop(self) -> None:
        """Give back what is under way, and end. May be called from a signal."""
        self._stopping.set()

    def work(self) -> None:
        """Until it is stopped, or nothing is left where it leaves when idle. Raises what made it give up."""
        self._registry.beat(self.name)
        self._queue.open(self._terms.at_once)
        queue.serve(self._named, self.name, self._decide)
        try:
            self._watch()
        finally:
            self._leave()
        if self._fault is not None:
            raise self._fault

    def _leave(self) -> None:
        self._stopping.set()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._let_go, set(self._tasks))
        queue.stop(patience=20)
        try:
            self._registry.leave(self.name)
        except StoreError as fault:
            self._say(str(fault))
        self._queue.close()
        self._registry.close()

    # --- the main thread -----------------------------------------------------------------------

    def _watch(self) -> None:
        pause = min(1.0, self._terms.lease / 4)
        lost_since: float | None = None
        while not self._stopping.wait(pause):
            try:
                if self._look_around():
                    return
                lost_since = None
            except StoreError as fault:
                lost_since = lost_since or time.monotonic()
                if time.monotonic() - lost_since > self._terms.patience:
                    self._fault = fault
                    return

    def _look_around(self) -> bool:
        """One turn of the watch; whether there is nothing left to do here."""
        if self._loop_answers():
            self._registry.beat(self.name, "; ".join(self._notes.values()))
        self._drop(self._registry.unwanted(self.name))
        buried = self._registry.bury(self._terms.lease)
        if buried:
            self._say(f"took over {len(buried)} chunk{'s' * (len(buried) > 1)} of workers that are gone")
            self._queue.put(buried)
        if self._tasks:
            return False
        return self._idle()

    def _loop_answers(self) -> bool:
        """A loop that hangs is no life: whoever has such a worker's chunk must be able to lose it."""
        if self._loop is None:
            return True
        try:
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result(self._terms.lease / 2)
        except LateError:
            return False
        return True

    def _idle(self) -> bool:
        """See to it that whatever is due is queued, and that jobs with nothing left are finished."""
        due, held = self._registry.due(), self._queue.held()
        alive = {worker.name for worker in self._registry.workers()}
        missing = [chunk for chunk in due if chunk not in held or (held[chunk] and held[chunk] not in alive)]
        if missing:
            self._queue.put(missing)
        for name in self._registry.finish():
            self._say(f"job {name} is finished")
            self._queue.forget((name, chunk.no) for chunk in self._registry.job(name).chunks)
        left = any(job.state == "queued" for job in self._registry.jobs())
        return self._terms.leave_when_idle and not left

    def _drop(self, chunks: set[tuple[str, int]]) -> None:
        if chunks and self._loop is not None:
            self._loop.call_soon_threadsafe(self._let_go, chunks)

    def _let_go(self, chunks: set[tuple[str, int]]) -> None:
        for chunk in chunks:
            if task := self._tasks.get(chunk):
                task.cancel()

    # --- the loop: one call for each chunk that comes off the queue ------------------------------

    async def _decide(self, job: str, no: int) -> str:
        """The state in which the chunk was left; it is all that the queue keeps."""
        self._loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(self._see_through(job, no))
        self._tasks[job, no] = task
        try:
            return await task
        except asyncio.CancelledError:
            return "given back"
        finally:
            self._tasks.pop((job, no), None)

    async def _see_through(self, job: str, no: int) -> str:
        lost_since, wait = 0.0, 0.2
        while True:
            began = time.monotonic()
            try:
                return await self._once(job, no)
            except StoreError as fault:
                now = time.monotonic()
                lost_since = lost_since if lost_since and now - began < WORKED else now
                if now - lost_since > self._terms.patience:
                    return await self._give_up(job, no, fault)
                self._say(f"{job}/{no}: {fault} Waiting for it.")
            await asyncio.sleep(wait)
            wait = min(5.0, 2 * wait)

    async def _give_up(self, job: str, no: int, fault: StoreError) -> str:
        """The job is parked with the reason, if the chunk was ours to the end and the register can still be told."""
        self._fault = fault
        self._stopping.set()
        if (job, no) in self._waiting:
            with suppress(StoreError):
                await self._turn(job, "parked", str(fault))
        return "left: the store cannot be used"

    async def _once(self, job: str, no: int) -> str:
        self._waiting.discard((job, no))
        if self._stopping.is_set():
            return await self._hand_back(job, no, "given back")
        claim = await self._claimed(job, no)
        if claim is None:
            return "not to be decided now"
        try:
            return await self._held(claim)
        except asyncio.CancelledError:
            await asyncio.to_thread(self._registry.release, claim)
            return await self._given_back(claim)

    async def _held(self, claim: Claim) -> str:
        """Decide a chunk that is ours. Whatever it does to us, the others go on."""
        store = opening.store(self._named)
        try:
            with self._watched(claim) as watching:
                (ended,) = await asyncio.gather(decide(claim, store, self._registry, watching), return_exceptions=True)
        finally:
            await store.close()
        if isinstance(ended, Unable):
            return await self._unable(claim, str(ended))
        if isinstance(ended, JournalError):
            return await self._aside(claim, str(ended))
        if isinstance(ended, Exception) and not isinstance(ended, WithstoodError):
            return await self._failed(claim, repr(ended))
        if isinstance(ended, StoreError):
            return await self._let_wait(claim, ended)
        if isinstance(ended, BaseException):
            raise ended
        return await self._ended(claim, ended)

    @contextmanager
    def _watched(self, claim: Claim) -> Iterator[Watching | None]:
        if self._sender is None:
            yield None
            return
        own = {"withstood.job": claim.job, "withstood.worker": self.name}
        with self._sender.beside(Tags({**own, "withstood.chunk": claim.no}, own)) as watching:
            yield watching

    async def _let_wait(self, claim: Claim, fault: StoreError) -> str:
        """A store that cannot be used is no fault of the chunk: the try does not count. Raises the fault, unless
        another worker has the chunk by now."""
        with suppress(StoreError):  # it is the first fault that is told
            if not await asyncio.to_thread(self._registry.release, claim, str(fault)):
                return "taken over"
            self._waiting.add((claim.job, claim.no))
        raise fault

    async def _claimed(self, job: str, no: int) -> Claim | None:
        while True:
            try:
                return await asyncio.to_thread(self._registry.claim, job, no, self.name)
            except Busy:
                await asyncio.sleep(0.5)

    async def _ended(self, claim: Claim, sat: Sat | None) -> str:
        if sat is None:
            self._say(f"{claim.run} was tried too often and is set aside")
            return "aside"
        if sat.outcome is not None:
            settled = await asyncio.to_thread(self._registry.settle, claim, sat.outcome)
            self._notes.pop(claim.job, None)
            return "done" if settled else "taken over"
        return await self._stopped(claim, sat, sat.error)

    async def _stopped(self, claim: Claim, sat: Sat, error: WithstoodError | None) -> str:
        if isinstance(error, StoreError):
            return await self._let_wait(claim, error)
        await asyncio.to_thread(self._registry.release, claim, str(error), sat.spent)
        if isinstance(error, Interrupted):
            return await self._given_back(claim)
        if isinstance(error, LimitReached):
            await self._turn(claim.job, "stopped", str(error))
        elif isinstance(error, WorldError | UsageError | JournalError):
            await self._turn(claim.job, "parked", str(error))
        return "stopped"

    async def _given_back(self, claim: Claim) -> str:
        """Where the worker leaves, another one is to have the chunk; where the job was stopped, nobody is."""
        if self._stopping.is_set():
            return await self._hand_back(claim.job, claim.no, "given back")
        return "given back"

    async def _turn(self, job: str, state: JobState, why: str) -> None:
        if await asyncio.to_thread(lambda: self._registry.turn_to(job, state, why, only=("queued",))):
            self._say(f"job {job} is {state}: {why}")

    async def _hand_back(self, job: str, no: int, said: str) -> str:
        """Queue the chunk again: what this worker still says of it then counts for nothing."""
        await asyncio.to_thread(self._queue.put, [(job, no)])
        return said

    async def _unable(self, claim: Claim, why: str) -> str:
        if self._notes.get(claim.job) != why:
            self._say(f"job {claim.job} is left to other workers: {why}")
        self._notes[claim.job] = why
        await asyncio.to_thread(self._registry.release, claim, f"{self.name} cannot: {why}")
        await asyncio.sleep(2.0)
        return await self._hand_back(claim.job, claim.no, "left to other workers")

    async def _failed(self, claim: Claim, why: str) -> str:
        self._say(f"{claim.run} failed: {why}")
        await asyncio.to_thread(lambda: self._registry.release(claim, why, tried=True))
        await asyncio.sleep(0.2)
        return await self._hand_back(claim.job, claim.no, "failed")

    async def _aside(self, claim: Claim, why: str) -> str:
        self._say(f"{claim.run} is set aside: {why}")
        await asyncio.to_thread(self._registry.set_aside, claim, why)
        return "aside"
