"""What stands around a cause in every story: other files, other commits, other log lines, none of which is at fault."""

from __future__ import annotations

from tests.stories.story import Story, noise

TEXTS = '''\
"""Small things with texts."""

import re


def slug(title):
    # TODO: transliterate instead of dropping
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def shorten(text, most=80):
    if len(text) <= most:
        return text
    return text[: most - 1] + "…"


def as_int(text, default=0):
    try:
        return int(text)
    except ValueError:
        return default
'''

RETRYING = '''\
"""Try again, a few times, with a growing pause."""

import logging
import time

log = logging.getLogger(__name__)


def retrying(call, times=3, pause=0.2):
    for attempt in range(times):
        try:
            return call()
        except ConnectionError as fault:
            log.warning("attempt %d failed: %s", attempt + 1, fault)
            if attempt == times - 1:
                raise
            time.sleep(pause * 2**attempt)
    return None
'''

METRICS = '''\
"""Counters that are shown on the dashboard."""

import threading

_lock = threading.Lock()
_counts = {}


def count(name, by=1):
    with _lock:
        _counts[name] = _counts.get(name, 0) + by


def snapshot():
    with _lock:
        return dict(_counts)


def flush(send):
    """Metrics must never break a request, so what goes wrong here is only told."""
    try:
        send(snapshot())
    except OSError as fault:
        print(f"metrics not sent: {fault}")
'''

FLAGS = '''\
"""Switches for what is being tried out."""

FLAGS = {"new_header": False, "fast_search": True, "beta_labels": False}


def is_on(name):
    return FLAGS.get(name, False)
'''

FEEDS = '''\
"""News for the start page, from another service. An old part; nobody likes it."""

import json
import urllib.request


def latest(url, limit=5):
    # FIXME: this swallows everything, but the start page must come up without news
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            entries = json.load(answer)
    except Exception:
        return []
    return [entry["title"] for entry in entries[:limit]]
'''

README = "# {name}\n\nInternal service. Run `make test` before you push.\n"

ORDINARY = (
    "INFO http: GET /health 200 in #us",
    "INFO http: GET /api/items/# 200 in #us",
    "INFO http: POST /api/session 201 in #us",
    "INFO scheduler: tick #",
    "DEBUG cache: hit for item:#",
    "WARNING feeds: news answered slowly, # ms",
    "INFO search: # results for a query",
)
UNRELATED = (
    "ERROR feeds: news service answered 503, showing none (request #)",
    "WARNING http: client # closed the connection early",
)


def surround(story: Story, package: str, *, day: float = -60) -> None:
    """The first commit of a story: files that every service has."""
    story.commit(
        "Import the service",
        {
            "README.md": README.format(name=package),
            f"{package}/__init__.py": "",
            f"{package}/texts.py": TEXTS,
            f"{package}/retrying.py": RETRYING,
            f"{package}/metrics.py": METRICS,
            f"{package}/flags.py": FLAGS,
            f"{package}/feeds.py": FEEDS,
        },
        day=day,
    )


def chores(story: Story, package: str, *, before: float) -> None:
    """Commits that change nothing that matters, up to a day."""
    texts, flags, feeds = (f"{package}/{name}.py" for name in ("texts", "flags", "feeds"))
    story.edit("texts: shorten at 100 signs", texts, ("most=80", "most=100"), day=before - 20)
    story.edit("flags: try out labels", flags, ('"beta_labels": False', '"beta_labels": True'), day=before - 14)
    story.edit("readme: say how to test", "README.md", ("before you push", "before every push"), day=before - 9)
    story.edit("feeds: ten news instead of five", feeds, ("limit=5", "limit=10"), day=before - 4)
    story.edit("metrics: name the counter in the message", f"{package}/metrics.py",
               ("metrics not sent:", "metrics were not sent:"), day=before - 0.4)  # fmt: skip


def afterwards(story: Story, package: str) -> None:
    """Harmless commits just before the question, nearer to it than the cause is."""
    story.edit("flags: new header for everybody", f"{package}/flags.py",
               ('"new_header": False', '"new_header": True'), day=-0.3)  # fmt: skip
    story.edit("texts: comment", f"{package}/texts.py", ("# TODO: transliterate", "# TODO(later): transliterate"),
               day=-0.2)  # fmt: skip


def ordinary(seed: int, *, first: float = -2880, last: float = -1, count: int = 160) -> list[tuple[float, str]]:
    """Two days of a service at work, with warnings and errors that have nothing to do with anything."""
    return noise(seed, ORDINARY, count, first, last) + noise(seed + 1, UNRELATED, 9, first, last)
