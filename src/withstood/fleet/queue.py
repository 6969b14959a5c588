"""The durable engine that hands out chunks: DBOS, over the database of the store or a file beside it.

One workflow for each chunk; its argument and its result are names, never rows. What stands by default and must not:
tables are JSON and never pickled, the version and the name of a worker are ours, no server is opened, a session of
SQLite is alone, and what has ended is deleted.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from dbos import DBOS, DBOSClient, DBOSConfig, Serializer, error
from sqlalchemy.exc import SQLAlchemyError

from withstood import databases
from withstood.errors import StoreError

QUEUE = "withstood"
WORKFLOW = "withstood.chunk"
VERSION = "fleet-1"
"""Rises when a chunk that was queued by this version cannot be decided by the next one."""
SCHEMA = "withstood_queue"
PAGE = 500
Decide = Callable[[str, int], Coroutine[Any, Any, str]]


class Json(Serializer):
    """Values as JSON; an error as its name and what it says."""

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=_as_words)

    def deserialize(self, serialized_data: str) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        value = json.loads(serialized_data)
        return RuntimeError(value["error"]) if isinstance(value, dict) and set(value) == {"error"} else value

    def name(self) -> str:
        return "withstood_json"


def _as_words(value: object) -> object:
    if isinstance(value, BaseException):
        return {"error": f"{type(value).__name__}: {value}"}
    raise TypeError(f"{type(value).__name__} does not belong into the queue")


def address(named: str) -> str:
    return named if databases.is_url(named) else f"sqlite:///{named}.queue"


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Faults of the queue in words of ours."""
    try:
        yield
    except (SQLAlchemyError, error.DBOSException, psycopg.Error, OSError) as fault:
        said = " ".join(str(fault).split())[:300]
        raise StoreError(
            f"The queue in {place} cannot be used: {said}. See that the database runs and has room."
        ) from None


class Queue:
    """What can be done to the queue from anywhere: no worker need run."""

    def __init__(self, named: str) -> None:
        self._place = databases.told(named)
        logging.getLogger("dbos").setLevel(logging.ERROR)
        with explained(self._place):
            DBOS.migrate(address(named), schema=SCHEMA)
            self._client = DBOSClient(
                system_database_url=address(named),
                dbos_system_schema=SCHEMA,
                serializer=Json(),
                system_database_pool_size=4 if databases.is_url(named) else 1,
                application_name="withstood",
                retry_connection_errors=False,
            )

    def open(self, at_once: int) -> None:
        """Let workers take so many chunks at once. Before they serve: DBOS looks for queues once a second."""
        with explained(self._place):
            self._client.register_queue(QUEUE, worker_concurrency=at_once, polling_interval_sec=0.2)

    def put(self, chunks: Iterable[tuple[str, int]]) -> None:
        """Queue what is not queued, and queue again what was in the hands of somebody who is gone."""
        wanted = [(name(job, no), job, no) for job, no in chunks]
        with explained(self._place):
            for start in range(0, len(wanted), PAGE):
                self._put(wanted[start : start + PAGE])

    def _put(self, page: Sequence[tuple[str, str, int]]) -> None:
        known = {one.workflow_id: one.status for one in self._listed([key for key, _, _ in page])}
        over = [key for key, status in known.items() if status in ("SUCCESS", "ERROR")]
        if over:
            self._client.delete_workflows(over)
        again = [key for key in known if key not in over]
        if again:
            self._client.resume_workflows(again, queue_name=QUEUE)
        for key, job, no in page:
            if key not in again:
                options: Any = {
                    "workflow_name": WORKFLOW,
                    "queue_name": QUEUE,
                    "workflow_id": key,
                    "app_version": VERSION,
                }
                self._client.enqueue(options, job, no)

    def _listed(self, keys: list[str]) -> Sequence[Any]:
        return self._client.list_workflows(workflow_ids=keys, load_input=False, load_output=False)

    def held(self) -> dict[tuple[str, int], str]:
        """What is queued or in somebody's hands, and whose: the empty name where nobody has it yet."""
        with explained(self._place):
            found = self._client.list_workflows(
                status=["ENQUEUED", "PENDING"], queue_name=QUEUE, load_input=False, load_output=False
            )
        return {_parts(one.workflow_id): one.executor_id or "" if one.status == "PENDING" else "" for one in found}

    def forget(self, chunks: Iterable[tuple[str, int]]) -> None:
        """Delete what there was of these: running ones find at their end that nobody waits for them."""
        keys = [name(job, no) for job, no in chunks]
        with explained(self._place):
            for start in range(0, len(keys), PAGE):
                known = [one.workflow_id for one in self._listed(keys[start : start + PAGE])]
                if known:
                    self._client.cancel_workflows(known)
                    self._client.delete_workflows(known)

    def close(self) -> None:
        self._client.destroy()


def name(job: str, no: int) -> str:
    return f"{job}/{no}"


def _parts(key: str) -> tuple[str, int]:
    job, _, no = key.rpartition("/")
    return job, int(no)


def serve(named: str, worker: str, decide: Decide) -> None:
    """Begin to take chunks off the queue, which is open, until `stop`."""
    config: DBOSConfig = {
        "name": "withstood",
        "system_database_url": address(named),
        "dbos_system_schema": SCHEMA,
        "application_version": VERSION,
        "executor_id": worker,
        "serializer": Json(),
        "sys_db_pool_size": 5 if databases.is_url(named) else 1,
        "use_listen_notify": False,
        "log_level": "ERROR",
        "enable_otlp": False,
    }
    DBOS(config=config)

    async def chunk(job: str, no: int) -> str:
        return await DBOS.run_step_async({"name": "decide"}, decide, job, no)

    DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(chunk)
    DBOS.listen_queues([QUEUE])
    with explained(databases.told(named)):
        DBOS.launch()


def stop(patience: int) -> None:
    """Take nothing more off the queue, and wait so many seconds for what is being decided."""
    DBOS.destroy(workflow_completion_timeout_sec=patience, destroy_registry=True)
