"""Requests to the history of a repository. A commit is named by what an earlier result showed of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from withstood.agents.tools.answering import Answered, Refused
from withstood.agents.tools.files import numbered, read_file, shown_path, text_of
from withstood.agents.tools.requests import Blame, Commits, Pickaxe, Read, Show
from withstood.agents.tools.results import page
from withstood.agents.tools.times import moment, stamp
from withstood.form import shown
from withstood.sources import history
from withstood.sources.git import Git
from withstood.sources.history import Commit
from withstood.sources.patterns import Pattern
from withstood.sources.workspace import Workspace

MOST_COMMITS = 40
MOST_LOOKED = 20_000
MOST_BLAMED = 120
MOST_PATHS = 4
SHORT_NAME = 12

Named: TypeAlias = Callable[[str], str]


def commits(space: Workspace, asked: Commits) -> Answered:
    git, skip = git_of(space), asked.skip
    paths = _paths(asked.path)
    found = islice(_wanted(git, asked, paths), skip, skip + MOST_COMMITS + 1)
    return _listed(list(found), "newest first", skip)


def _wanted(git: Git, asked: Commits, paths: tuple[str, ...]) -> Iterator[Commit]:
    said = Pattern(asked.said, ignore_case=True) if asked.said else None
    since, until = moment(asked.since, "since"), moment(asked.until, "until")
    for one in history.commits(git, most=MOST_LOOKED, paths=paths):
        when = one.when * 1000
        if (since is not None and when < since) or (until is not None and when > until):
            continue
        if said is None or any(said.found(line) for line in one.message.splitlines()):
            yield one


def _listed(found: list[Commit], told: str, skip: int = 0) -> Answered:
    fit = page(map(_line, found), most=MOST_COMMITS)
    names = tuple([one.name for one in found[: len(fit.lines)]])
    return Answered(f"{len(names)} commits, {told}", replace(fit, skipped=skip), names)


def _line(one: Commit) -> str:
    rest = len(one.paths) - MOST_PATHS
    paths = ", ".join(one.paths[:MOST_PATHS]) + (f" and {rest} more" if rest > 0 else "")
    return f"{one.name[:SHORT_NAME]} {stamp(one.when * 1000)} {one.author}: {one.subject} [{paths or 'no files'}]"


def show(space: Workspace, asked: Show, named: Named) -> Answered:
    git = git_of(space)
    one = _commit(git, named(asked.commit))
    paths = (_touched(one, asked.path),) if asked.path else ()
    patch = history.patch(git, one.name, paths).splitlines()
    head = [f"commit {one.name}", f"author {one.author}", f"date {stamp(one.when * 1000)}"]
    found = page([*head, *one.message.splitlines(), "", *patch], asked.skip)
    parents = ", ".join([name[:SHORT_NAME] for name in one.parents]) or "none"
    return Answered(f"commit {one.name[:SHORT_NAME]}; parents: {parents}", found, (one.name, *one.parents))


def blame(space: Workspace, asked: Blame) -> Answered:
    git = git_of(space)
    text = text_of(space, asked.path)
    last = min(asked.last, asked.first + MOST_BLAMED - 1, len(text.lines))
    if asked.first > last:
        raise Refused(f"{shown_path(text.path)} has {len(text.lines)} lines; wanted first and last among them")
    blamed = history.blame(git, text.path, asked.first, last)
    names = tuple(dict.fromkeys([one.commit for one in blamed]))
    known = {name: history.commit(git, name) for name in names}
    lines = [f"{one.line}: {_short(known[one.commit], one.commit)}" for one in blamed]
    return Answered(f"who wrote lines {asked.first} to {last} of {shown_path(text.path)}", page(lines), names)


def _short(one: Commit | None, name: str) -> str:
    return f"{name[:SHORT_NAME]} {stamp(one.when * 1000)} {one.subject[:80]}" if one else name[:SHORT_NAME]


def pickaxe(space: Workspace, asked: Pickaxe) -> Answered:
    if len(asked.text.strip()) < 3 or "\n" in asked.text:
        raise Refused("wanted one line of text, three signs or longer, that was added or removed")
    paths = _paths(asked.path)
    found = history.pickaxe(git_of(space), asked.text, most=MOST_COMMITS, paths=paths)
    return _listed(list(found), "newest first, that changed how often the text occurs")


def read_then(space: Workspace, asked: Read, named: Named) -> Answered:
    """A file as it is, or as it was in a commit that has been shown."""
    if not asked.commit:
        return read_file(space, asked)
    git, name = git_of(space), named(asked.commit)
    path = asked.path.strip().removeprefix("./")
    said = history.file_at(git, name, path)
    if said is None:
        raise Refused(f"there is no text {shown_path(path)} in commit {name[:SHORT_NAME]}")
    lines = said.splitlines()
    first = asked.first or 1
    last = min(asked.last or len(lines), len(lines))
    told = f"{shown_path(path)} as of {name[:SHORT_NAME]}, which has {len(lines)}"
    return numbered(told, lines[first - 1 : last], first)


def _paths(path: str) -> tuple[str, ...]:
    return (path.strip().removeprefix("./"),) if path.strip() else ()


def full_name(space: Workspace, beginning: str) -> str | None:
    """Of a commit that somebody cited; None where there is no history, or no one such commit."""
    return history.named(space.git, beginning) if space.git else None


def git_of(space: Workspace) -> Git:
    if space.git is None:
        raise Refused(f"there is no history: {space.missing.get('history', 'no repository was given')}")
    return space.git


def _commit(git: Git, name: str) -> Commit:
    one = history.commit(git, name)
    if one is None:
        raise Refused(f"commit {name[:SHORT_NAME]} is not in the history that there is")
    return one


def _touched(one: Commit, path: str) -> str:
    wanted = path.strip().removeprefix("./")
    if wanted in one.paths:
        return wanted
    near = ", ".join(map(shown_path, one.paths[:5])) or "nothing"
    raise Refused(f"commit {one.name[:SHORT_NAME]} does not touch {shown(path, 200)}; it touches {near}")
