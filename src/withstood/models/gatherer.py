"""A model whose calls are gathered and handed over together, to the batch endpoint of its provider.

What stands in the journal says what happens to a call that is made again after the process was gone:

| row | the journal has | the provider has | then |
|---|---|---|---|
| 1 | no batch with this call | nothing | it is gathered |
| 2 | the batch | no batch of this stamp | it is gathered |
| 3 | the batch | a batch of this stamp | its id is put on record, and row 4 or 5 follows |
| 4 | the batch and its id | a batch that goes on | its answer is waited for |
| 5 | the batch and its id | a batch that has ended | its answer is read; without one, it is gathered |
| 6 | the batch and its id | nothing any more | the call is lost, booked at its most, and made again |
| 7 | the answer | anything | it is not made again |

The stamp is drawn before the batch is handed over and is durable by then. So nothing is handed over twice that the
provider has.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from withstood.errors import CallFailed, ModelUnavailable, WithstoodError, WorldError
from withstood.models.port import PREFIX, Batch, Call, Post, Price, Reply

T = TypeVar("T")

CALL_SECONDS = 4 * 26 * 3600
"""Four attempts of a day each, and some time to gather."""
MOST_BYTES = 64 * 2**20
MOST_FAILED_LOOKS = 10
LOOKS_FOR_A_STAMP = 2
"""A list may lag behind what was created a moment ago."""

Found: TypeAlias = Mapping[str, Any] | WorldError
"""What a batch has for one call: the body of an answer, or why there is none."""


@dataclass(frozen=True, slots=True)
class Looked:
    """How far a batch is. `places` is where its results are read, `why` the reason where a call has none."""

    over: bool
    done: int = 0
    places: tuple[str, ...] = ()
    why: WorldError = field(default_factory=lambda: unanswered("the batch has no answer to it"))


class Sought(NamedTuple):
    """The id of a batch that was looked for by its stamp. Not `sure`: it cannot be told yet."""

    id: str | None
    sure: bool = True


class Endpoint(Protocol):
    """Batches as one provider takes them. Errors are those of `Model.complete`."""

    async def create(self, batch: Batch, bodies: Sequence[bytes]) -> str: ...

    async def find(self, batch: Batch, others: Collection[str]) -> Sought:
        """The batch of this stamp; `others` are ids of batches that it is not."""
        ...

    async def look(self, name: str) -> Looked | None:
        """How far the batch of this id is; None where there is none any more."""
        ...

    async def results(self, batch: Batch, looked: Looked) -> Mapping[int, Found] | None:
        """By the place of the call in its batch; None where they are not there any more."""
        ...

    async def close(self) -> None: ...


class Chat(Protocol):
    """A model of which requests can be made and answers be read without asking it."""

    name: str

    def body(self, call: Call) -> bytes: ...

    def reply(self, found: Mapping[str, Any], most_in: int, most_out: int) -> Reply: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Terms:
    """`calls`: so many make a batch. A smaller one goes when no other call has come for `gather_seconds`; it is looked
    at every `look_seconds`."""

    calls: int
    gather_seconds: float
    look_seconds: float


class _Waiting(NamedTuple):
    key: str
    body: bytes
    tokens: int
    found: asyncio.Future[Found]


@dataclass(slots=True)
class _UnderWay:
    """A batch that somebody waits for."""

    batch: Batch
    done: int = 0


def unanswered(why: str, *, again: bool = True) -> CallFailed:
    """A call to which a batch has no answer; providers ask no money for it."""
    return CallFailed(why, again=again, free=True)


class Gatherer:
    """See `port.Model` and `port.Gathering`."""

    call_seconds = CALL_SECONDS

    def __init__(self, chat: Chat, endpoint: Endpoint, price: Price | None, terms: Terms) -> None:
        self.name, self.price = PREFIX + chat.name, price
        self._chat, self._endpoint, self._terms = chat, endpoint, terms
        self._post: Post | None = None
        self._left: dict[str, list[tuple[Batch, int]]] = {}
        self._gathered: list[_Waiting] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._followed: dict[str, asyncio.Task[dict[int, Found]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: dict[str, _UnderWay] = {}
        self._ids: set[str] = set()

    def begin(self, post: Post, left: Sequence[Batch]) -> None:
        self._post = post
        for batch in left:
            self._ids |= {batch.id} if batch.id else set()
            for no, key in enumerate(batch.calls if batch.model == self.name else ()):
                self._left.setdefault(key, []).append((batch, no))

    def under_way(self) -> tuple[str, ...]:
        return tuple([self._told(one) for one in self._under_way.values()])

    def _told(self, one: _UnderWay) -> str:
        which = f"batch {one.batch.id}" if one.batch.id else "a batch that was being handed over"
        return f"{which} of {self.name}: {one.done:,} of {len(one.batch.calls):,} calls done"

    # --- one call ------------------------------------------------------------------------------

    async def complete(self, call: Call) -> Reply:
        body = self._chat.body(call)
        key = _key(call, body)
        found = await self._found_before(key)
        if found is None:
            found = await self._gather(_Waiting(key, body, len(body) + call.most_tokens, _future()))
        if isinstance(found, WorldError):
            raise found
        return self._chat.reply(found, len(body), call.most_tokens)

    async def _found_before(self, key: str) -> Found | None:
        """What the batches of earlier sittings have for this call. What failed at no cost is asked again."""
        while key in self._left:
            batch, no = self._left[key].pop(0)
            if not self._left[key]:
                del self._left[key]
            found = (await asyncio.shield(self._following(batch))).pop(no, None)
            if found is not None and not _is_free(found):
                return found
        return None

    def _following(self, batch: Batch) -> asyncio.Task[dict[int, Found]]:
        if batch.stamp not in self._followed:
            self._followed[batch.stamp] = asyncio.ensure_future(self._sought_and_followed(batch))
        return self._followed[batch.stamp]

    async def _sought_and_followed(self, batch: Batch) -> dict[int, Found]:
        known = batch if batch.id else await self._sought(batch)
        return await self._follow(known) if known else {}

    # --- many calls ----------------------------------------------------------------------------

    async def _gather(self, waiting: _Waiting) -> Found:
        self._gathered.append(waiting)
        self._size += len(waiting.body)
        if self._timer is not None:
            self._timer.cancel()
        if len(self._gathered) >= self._terms.calls or self._size >= MOST_BYTES:
            self._go()
        else:
            self._timer = asyncio.get_running_loop().call_later(self._terms.gather_seconds, self._go)
        return await waiting.found

    def _go(self) -> None:
        going, self._gathered, self._size = self._gathered, [], 0
        task = asyncio.ensure_future(self._hand_over(going))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hand_over(self, going: Sequence[_Waiting]) -> None:
        try:
            await self._run.turn(sum(one.tokens for one in going))
            going = [one for one in going if not one.found.done()]
            if going:
                _give(going, await self._handed_over(going))
        except WorldError as fault:
            _give(going, dict.fromkeys(range(len(going)), fault))
        except Exception as fault:
            for one in going:
                if not one.found.done():
                    one.found.set_exception(fault)
            raise

    async def _handed_over(self, going: Sequence[_Waiting]) -> dict[int, Found]:
        keys = tuple([one.key for one in going])
        batch = Batch(secrets.token_hex(8), self.name, keys, int(time.time()))
        await self._run.intend(batch)
        self._under_way[batch.stamp] = _UnderWay(batch)
        return await self._follow(await self._created(batch, [one.body for one in going]))

    async def _created(self, batch: Batch, bodies: Sequence[bytes]) -> Batch:
        """Where nobody knows whether the batch was created, it is looked for."""
        try:
            return self._known(replace(batch, id=await self._endpoint.create(batch, bodies)))
        except CallFailed as fault:
            known = await self._sought(batch) if fault.reached else None
            if known is not None:
                return known
            self._under_way.pop(batch.stamp)
            if not fault.again:
                raise ModelUnavailable(f"{self.name} takes no batch of {len(bodies):,} calls: {fault}") from None
            raise CallFailed(str(fault), again=True, after=fault.after, reached=False) from None
        except WorldError:
            self._under_way.pop(batch.stamp)
            raise

    def _known(self, batch: Batch) -> Batch:
        assert batch.id
        self._ids.add(batch.id)
        self._run.handed(batch)
        return batch

    async def _sought(self, batch: Batch) -> Batch | None:
        """The batch with its id; None where the provider does not have it."""
        missing = 0
        while missing < LOOKS_FOR_A_STAMP:
            sought = await self._patiently(lambda: self._endpoint.find(batch, self._ids))
            if sought.id:
                return self._known(replace(batch, id=sought.id))
            missing += sought.sure
            await asyncio.sleep(self._terms.look_seconds)
        return None

    async def _follow(self, batch: Batch) -> dict[int, Found]:
        """What the batch has for each of its calls, once it has ended."""
        self._under_way[batch.stamp] = _UnderWay(batch)
        looked = await self._ended(batch)
        found = looked and await self._patiently(lambda: self._endpoint.results(batch, looked))
        self._under_way.pop(batch.stamp)
        if looked is None or found is None:
            gone = CallFailed(f"{self.name} has no batch {batch.id} any more, nor its results", again=True)
            return dict.fromkeys(range(len(batch.calls)), gone)
        return {no: found.get(no, looked.why) for no in range(len(batch.calls))}

    async def _ended(self, batch: Batch) -> Looked | None:
        while looked := await self._patiently(lambda: self._endpoint.look(batch.id or "")):
            self._under_way[batch.stamp].done = looked.done
            self._run.looked()
            if looked.over:
                return looked
            await asyncio.sleep(self._terms.look_seconds)
        return None

    async def _patiently(self, asking: Callable[[], Awaitable[T]]) -> T:
        """To look costs nothing, so it is tried again where a call would be given up."""
        for failed in range(1, MOST_FAILED_LOOKS + 1):
            await self._run.turn(0)
            try:
                return await asking()
            except CallFailed as fault:
                if failed == MOST_FAILED_LOOKS or not fault.again:
                    raise ModelUnavailable(
                        f"{self.name} does not say what became of its batches: {fault}. They go on there; "
                        "take their answers with --resume."
                    ) from None
                await asyncio.sleep(max(self._terms.look_seconds, fault.after or 0))
        raise AssertionError("the last look returns or raises")

    @property
    def _run(self) -> Post:
        if self._post is None:
            raise ModelUnavailable(f"{self.name} gathers calls for a run, and there is none. Name it without {PREFIX}")
        return self._post

    # --- the end -------------------------------------------------------------------------------

    async def rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        tasks: list[asyncio.Task[Any]] = [*self._tasks, *self._followed.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        await self.rest()
        await self._endpoint.close()
        await self._chat.close()


def _future() -> asyncio.Future[Found]:
    return asyncio.get_running_loop().create_future()


def _give(going: Sequence[_Waiting], found: Mapping[int, Found]) -> None:
    for no, one in enumerate(going):
        if not one.found.done():
            one.found.set_result(found[no])


def _is_free(found: Found) -> bool:
    return isinstance(found, WithstoodError) and not (
        isinstance(found, CallFailed) and found.reached and not found.free
    )


def _key(call: Call, body: bytes) -> str:
    """The same for the same call on behalf of the same seat, and for no other."""
    seat = f"{call.case}\n{call.role}\n{call.round}\n".encode("utf-8", "surrogatepass")
    return hashlib.sha256(seat + body).hexdigest()[:32]
