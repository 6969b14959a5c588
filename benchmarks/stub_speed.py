"""How many requests a second the stub server answers at zero latency: raw sockets on this side, nothing parsed.

    python benchmarks/stub_speed.py

Prints one JSON object. `requests_per_server_cpu_second` is what one core can do; `requests_per_second` is what came
through while client and server shared this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from typing import Any

import stub_process
import workload


class Asker(asyncio.Protocol):
    """One connection that asks as long as there is something to ask."""

    def __init__(self, requests: list[bytes], finished: asyncio.Queue[None]) -> None:
        self.requests, self.finished, self.buffer = requests, finished, b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self._ask()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        length = int(self.buffer[self.buffer.find(b"content-length:") + 15 : end])
        if len(self.buffer) >= end + 4 + length:
            self.buffer = b""
            self._ask()

    def _ask(self) -> None:
        if self.requests:
            self.transport.write(self.requests.pop())
        else:
            self.transport.close()
            self.finished.put_nowait(None)


async def ask_all(port: int, bodies: list[bytes], connections: int) -> float:
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: stub\r\ncontent-length: %d\r\n\r\n"
    requests = [head % len(body) + body for body in bodies]
    finished: asyncio.Queue[None] = asyncio.Queue()
    begun = time.perf_counter()
    for _ in range(connections):
        await asyncio.get_running_loop().create_connection(lambda: Asker(requests, finished), "127.0.0.1", port)
    for _ in range(connections):
        await finished.get()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description="The speed of the stub server.")
    parser.add_argument("--requests", type=int, default=30_000)
    parser.add_argument("--connections", type=int, default=64)
    given = parser.parse_args()
    bodies = [workload.body(number) for number in range(given.requests)]
    with stub_process.serving() as stub:
        spent = asyncio.run(ask_all(stub.port, bodies, given.connections))
        bill = stub.bill()
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {
        "requests": bill["answers"],
        "bytes_per_request": len(bodies[0]),
        "requests_per_second": round(bill["answers"] / spent),
        "requests_per_server_cpu_second": round(bill["answers"] / (child.ru_utime + child.ru_stime)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
