"""The floor: what the same calls cost with a bare httpx2 client, no engine and no journal.

    python benchmarks/floor.py --calls 3000 --in-flight 64 --latency 0.2

Prints one JSON object: CPU milliseconds of this process per call, and the span from the first request to the last
answer over the schedule's lower bound (the calls that fit side by side, one latency each).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx2

import stub_process
import workload


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def ask(client: httpx2.AsyncClient, url: str, bodies: Iterator[bytes]) -> None:
    for body in bodies:
        reply = await client.post(url, content=body, headers={"content-type": "application/json"})
        reply.raise_for_status()
        json.loads(reply.json()["choices"][0]["message"]["content"])


async def measure(url: str, bodies: list[bytes], in_flight: int) -> dict[str, float]:
    limits = httpx2.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    async with httpx2.AsyncClient(limits=limits, timeout=60, trust_env=False) as client:
        left = iter(bodies)
        before, begun = cpu_seconds(), time.perf_counter()
        await asyncio.gather(*(ask(client, url, left) for _ in range(in_flight)))
        return {"span": time.perf_counter() - begun, "cpu": cpu_seconds() - before}


def floor(calls: int, in_flight: int, latency: float, prompt_chars: int = 3000) -> dict[str, Any]:
    bodies = [workload.body(number, prompt_chars) for number in range(calls)]
    with stub_process.serving("--latency", str(latency)) as stub:
        spent = asyncio.run(measure(f"{stub.openai}/chat/completions", bodies, in_flight))
        bill = stub.bill()
    bound = math.ceil(calls / in_flight) * latency
    return {
        "client": f"httpx2 {httpx2.__version__}",
        "python": sys.version.split()[0],
        "calls": bill["answers"],
        "in_flight": in_flight,
        "in_flight_max": bill["in_flight_max"],
        "bytes_per_request": len(bodies[0]),
        "cpu_ms_per_call": round(spent["cpu"] * 1000 / calls, 3),
        "span_seconds": round(spent["span"], 3),
        "bound_seconds": round(bound, 3),
        "span_over_bound": round(spent["span"] / bound, 3) if bound else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="The floor of a bare HTTP client.")
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--prompt-chars", type=int, default=3000)
    given = parser.parse_args()
    print(json.dumps(floor(given.calls, given.in_flight, given.latency, given.prompt_chars)))


if __name__ == "__main__":
    main()
