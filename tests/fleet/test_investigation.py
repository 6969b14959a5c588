"""An investigation as a job of one unit: with the same sources, or not at all."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from withstood.errors import UsageError
from withstood.fleet import jobs, merging
from withstood.fleet.commission import Question
from withstood.fleet.deciding import Unable, decide
from withstood.fleet.registry import Registry
from withstood.fleet.units import investigation_order
from withstood.jobs import investigation
from withstood.jobs.settings import Config
from withstood.journal.sqlite import SqliteStore


async def submitted(folder: Path, store: SqliteStore, registry: Registry) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/app.log").write_text("2026-01-01 00:00:01 ERROR refund failed: night batch is locked\n" * 3)
    known = Question("why do refunds fail at night?", logs=(str(folder / "logs"),), quick=True)
    with investigation.planned(investigation_order(known, Config(), None, None), Config()) as planned:
        await jobs.submit_investigation("q", known, planned, store, registry)
    registry.beat("w")


def test_an_investigation_is_decided_and_collected(tmp_path: Path) -> None:
    async def story() -> tuple[str, ...]:
        store, registry = SqliteStore(tmp_path / "s.db"), Registry(str(tmp_path / "s.db"))
        await submitted(tmp_path, store, registry)
        with pytest.raises(UsageError, match="no results yet"):
            await merging.lay_out(registry.job("q"), registry, store, tmp_path / "out")
        claim = registry.claim("q", 1, "w")
        assert claim is not None
        sat = await decide(claim, store, registry)
        assert sat is not None and sat.outcome is not None, sat
        assert registry.settle(claim, sat.outcome)
        assert registry.finish() == ["q"]
        names = await merging.lay_out(registry.job("q"), registry, store, tmp_path / "out")
        await store.close()
        registry.close()
        return names

    assert "report.json" in asyncio.run(story())
    assert json.loads((tmp_path / "out/report.json").read_text())


def test_other_sources_are_not_looked_at(tmp_path: Path) -> None:
    async def story() -> None:
        store, registry = SqliteStore(tmp_path / "s.db"), Registry(str(tmp_path / "s.db"))
        await submitted(tmp_path, store, registry)
        (tmp_path / "logs/app.log").write_text("2026-01-01 00:00:01 INFO all is well\n")
        claim = registry.claim("q", 1, "w")
        assert claim is not None
        with pytest.raises(Unable, match="are not the same here"):
            await decide(claim, store, registry)
        assert await store.runs() == []
        await store.close()
        registry.close()

    asyncio.run(story())
