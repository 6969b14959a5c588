"""What all investigators of one run look at: the question's words, what was seen to fail, the code around it, its past.

Each part is found when it is first asked for, and once.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from withstood.agents.programmed.investigation import feeds, signs, wording
from withstood.agents.programmed.investigation.atlas import Atlas, Spot, kind
from withstood.agents.programmed.investigation.chronicle import Chronicle, Hunk, line_now, place
from withstood.agents.programmed.investigation.crossings import crossings
from withstood.agents.programmed.investigation.faults import Fault, faults, is_threaded
from withstood.agents.programmed.investigation.feeds import Fed
from withstood.agents.programmed.investigation.origins import of_settings, origins
from withstood.agents.programmed.investigation.settings import unset
from withstood.agents.programmed.investigation.suspects import Board, Reason, Suspect
from withstood.agents.programmed.investigation.symptoms import Symptom, symptoms
from withstood.agents.programmed.investigation.turns import code_of, turns
from withstood.agents.programmed.investigation.units import Page, Unit
from withstood.agents.programmed.investigation.wording import Wording
from withstood.errors import WorldError
from withstood.sources import history
from withstood.sources.history import Commit
from withstood.sources.workspace import Workspace

MOST_HOT = 60
MOST_CHANGES = 80
DAY = 86_400
FED, STEP, UNIT, FILE = 30, 7, 14, 8
MOST_BY_QUESTION, MOST_BY_MESSAGE, FITS = 30, 16, 16
AROUND, MOST_AROUND, MOST_FED = 12, 30, 12
LEAST_MET, MOST_ASKED = 15, 20
NAMED, SURE_RACE = 22, 20
BLAMED, MOST_BLAMED = 2, 8
HOUR = 3_600_000
_SAID_AT_ONCE = 3
_NAMED = re.compile(r"[\"'`]([A-Za-z_][\w.-]{2,60})[\"'`]|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b|\b([a-z]+_[a-z0-9_]+)\b")


@dataclass(frozen=True, slots=True)
class Trail:
    """A line that is on the way from a symptom to its cause."""

    points: int
    symptom: int
    says: str


class Scene:
    def __init__(self, space: Workspace, question: str, lexicons: Path | None = None) -> None:
        self.space, self.question = space, question
        self._lexicons = lexicons
        self.atlas = Atlas(space)

    @functools.cached_property
    def wanted(self) -> Wording:
        """The question's words, those that most files have counting less."""
        plain = self.asked
        words = self.atlas.words()
        if len(words) < 5:
            return plain
        return plain.weighed(lambda stem: len(words.files_with(stem)) / len(words))

    @functools.cached_property
    def asked(self) -> Wording:
        """The question's words as they are, each counting the same wherever it stands."""
        return wording.wording(self.question, self._lexicons)

    @functools.cached_property
    def symptoms(self) -> list[Symptom]:
        if not self.space.logs:
            return []
        found = symptoms(self.asked, self.space.digest(), self.atlas)
        return [self._as_of_now(one) for one in found]

    def _as_of_now(self, symptom: Symptom) -> Symptom:
        """With frames where their lines stand today, if the file was changed since."""
        if self.chronicle is None or symptom.last is None or not symptom.frames:
            return symptom
        frames = tuple(self._moved(spot, symptom.last) for spot in symptom.frames)
        return _with_frames(symptom, tuple(spot for spot in frames if spot))

    def _moved(self, spot: Spot, when: int) -> Spot | None:
        assert self.chronicle is not None
        then = self.chronicle.then(spot.path, when)
        page = self.atlas.page(spot.path)
        if then is None or page is None:
            return spot
        now = line_now(self.chronicle.git, then, spot.path, spot.line, page.lines)
        return Spot(spot.path, now) if now else None

    @functools.cached_property
    def chronicle(self) -> Chronicle | None:
        return Chronicle.read(self.space.git) if self.space.git else None

    # --- where to look ---

    @functools.cached_property
    def trail(self) -> dict[Spot, Trail]:
        """Lines that feed those where it failed, or that say what was seen."""
        found: dict[Spot, Trail] = {}
        for no, symptom in enumerate(self.symptoms):
            share = 1 if no == 0 or symptom.worth * 4 >= self.symptoms[0].worth * 3 else 2
            for depth, spot in enumerate(symptom.spots[:_SAID_AT_ONCE]):
                for fed in feeds.feeds(self.atlas, spot):
                    points = max(6, FED - STEP * (fed.depth + depth)) // share
                    if fed.spot not in found or found[fed.spot].points < points:
                        found[fed.spot] = Trail(points, no, fed.how)
        for no, spot in self._told_in():
            for fed in self._around(spot):
                found.setdefault(fed.spot, Trail(AROUND, no, fed.how))
        return found

    def _told_in(self) -> Iterator[tuple[int, Spot]]:
        """Where whole functions are in question: those that say what was seen without a traceback; where nothing was seen
        that code says, those that have most of the question's words."""
        told = [(no, one.said_at[0]) for no, one in enumerate(self.symptoms[:3]) if one.said_at]
        if told or any(one.frames for one in self.symptoms):
            yield from told
            return
        yield from ((0, spot) for spot in self._asked_about)

    @functools.cached_property
    def _asked_about(self) -> list[Spot]:
        paths = sorted(self.by_question, key=lambda path: (-self.by_question[path], path))
        pages = [page for path in paths[:MOST_ASKED] if kind(path) == "code" and (page := self.atlas.page(path))]
        found = [
            (self.wanted.met_by(" ".join([page.path, unit.name, *_first_lines(page, unit)])), page.path, unit.first)
            for page in pages
            for unit in page.units
        ]
        found.sort(key=lambda one: (-one[0], one[1], one[2]))
        return [Spot(path, first) for met, path, first in found[:2] if met >= LEAST_MET]

    def _around(self, spot: Spot) -> Iterator[Fed]:
        """What feeds any line of the function that a line is in."""
        page = self.atlas.page(spot.path)
        unit = page.unit_at(spot.line) if page else None
        for no, _ in list(page.body(unit))[:MOST_AROUND] if page and unit else ():
            yield from feeds.feeds(self.atlas, Spot(spot.path, no))[:MOST_FED]

    @functools.cached_property
    def by_question(self) -> dict[str, int]:
        """Files by how much of the question they have: in their path twice, in their text once."""
        told: dict[str, dict[int, int]] = {}
        for stem, worth in self.wanted.stems.items():
            for path in self.atlas.files_with(stem) if worth else ():
                group = self.wanted.groups[stem]
                told.setdefault(path, {})[group] = max(told.get(path, {}).get(group, 0), worth)
        found = {path: sum(groups.values()) for path, groups in told.items()}
        for path in self.atlas.paths():
            if met := self.wanted.met_by(path):
                found[path] = found.get(path, 0) + 2 * met
        return found

    @functools.cached_property
    def hot(self) -> list[str]:
        """Files to look at closely: those on the trail, those that name what was seen, those of the question's words.

        Of a small repository all of them."""
        told = [path for path, _ in sorted(self.by_question.items(), key=lambda one: (-one[1], one[0]))]
        logged = [path for symptom in self.symptoms if (path := self._logger(symptom))]
        first = dict.fromkeys([*(spot.path for spot in self.trail), *logged])
        rest = [path for path in told if kind(path) in ("code", "config", "infra", "migration", "pins")]
        near = [path for one in [*first, *rest[:12]] for path in self._imported(one)]
        ordered = dict.fromkeys([*first, *rest[: MOST_HOT // 2], *near, *rest, *self._few()])
        return [path for path in ordered if kind(path) not in ("test", "document", "other")][:MOST_HOT]

    def _few(self) -> list[str]:
        """All files of code, where there are so few that none has to be left out for want of a word."""
        code = [path for path in self.atlas.paths() if kind(path) in ("code", "migration")]
        return code if len(code) <= MOST_HOT else []

    def _logger(self, symptom: Symptom) -> str | None:
        if "." not in symptom.logger:
            return None
        steps = symptom.logger.replace(".", "/")
        return next((path for path in self.atlas.paths() if path.rpartition(".")[0].endswith(steps)), None)

    def _imported(self, path: str) -> Iterator[str]:
        """Files of the repository that a file imports, by their names."""
        page = self.atlas.page(path)
        for line in page.lines[:60] if page and page.language else ():
            if re.match(r"\s*(?:from|import|const|var|use|require|using|\")", line):
                yield from (one for word in re.findall(r"[\w/]{3,}", line[:200]) if (one := self._module(word)))

    def _module(self, word: str) -> str | None:
        return self._modules.get(word.rpartition("/")[2])

    @functools.cached_property
    def _modules(self) -> dict[str, str]:
        stems: dict[str, list[str]] = {}
        for path in self.atlas.paths():
            if kind(path) == "code":
                stems.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
        return {stem: paths[0] for stem, paths in stems.items() if len(paths) == 1}

    # --- who is suspected ---

    @functools.cached_property
    def board(self) -> Board:
        board = Board()
        self._note_origins(board)
        self._note_faults(board)
        self._note_changes(board)
        self._note_blame(board)
        for suspect in board.all():
            self._note_place(suspect)
            self._note_words(suspect)
            self._note_signs(suspect)
        return board

    def _note_origins(self, board: Board) -> None:
        for no, symptom in enumerate(self.symptoms):
            share = 1 if no == 0 or symptom.worth * 4 >= self.symptoms[0].worth * 3 else 2
            for one in origins(self.atlas, symptom):
                suspect = board.spot(one.spot)
                suspect.add(Reason("origin", one.worth // share, one.says, one.cause))
                suspect.symptoms.append(no)

        for one in of_settings(self.atlas, self.question):
            board.spot(one.spot).add(Reason("origin", one.worth - 4, one.says, one.cause))

    def _note_faults(self, board: Board) -> None:
        told = [page for path in self.hot if (page := self.atlas.page(path))]
        pages = [page for page in told if page.language]
        threaded = any(map(is_threaded, pages)) or signs.fits("race", self.question_and_messages)
        for page in told:
            for fault in faults(page) if page.language or kind(page.path) == "migration" else ():
                if fault.cause != "race" or threaded or fault.worth >= SURE_RACE:
                    self._note_fault(board, page.path, fault)
        for path, fault in crossings(self.atlas, pages):
            self._note_fault(board, path, fault)
        for path, fault in unset(self.atlas, pages):
            self._note_fault(board, path, fault)

    def _note_fault(self, board: Board, path: str, fault: Fault) -> None:
        board.at(path, fault.first, fault.last).add(Reason("fault", fault.worth, fault.says, fault.cause))

    # --- what was changed ---

    def _note_changes(self, board: Board) -> None:
        if self.chronicle is None:
            return
        looked = 0
        for commit, paths in self._commits():
            for hunk in self.chronicle.hunks(commit, paths):
                looked += 1
                self._note_change(board, commit, hunk)
            if looked > MOST_CHANGES * 10:
                return

    def _note_blame(self, board: Board) -> None:
        """Which commits the lines come from that most points at, where no change of theirs is known yet."""
        asked = [one for one in board.ranked() if not one.commits and (one.has("origin") or one.has("fault"))]
        for suspect in asked[:MOST_BLAMED] if self.chronicle else ():
            commit = self._blamed(suspect)
            page = self.atlas.page(suspect.path)
            if commit and commit.parents and page and self._share(commit) > 0:
                suspect.commits[commit.name] = page.line(suspect.first).strip()
                suspect.add(Reason("blame", BLAMED, "the line comes from this commit"))

    def _blamed(self, suspect: Suspect) -> Commit | None:
        assert self.chronicle is not None
        try:
            told = history.blame(self.chronicle.git, suspect.path, suspect.first, suspect.first)
        except WorldError:
            # The file is not in the newest commit, or its lines are others there.
            return None
        return self.chronicle.commit(told[0].commit) if told else None

    def _commits(self) -> Iterator[tuple[Commit, list[str]]]:
        """The latest commits to the files that matter, newest first, without the one that begins the history."""
        assert self.chronicle is not None
        hot = dict.fromkeys([*self.hot, *self._settings()])
        told: dict[str, list[str]] = {}
        commits: dict[str, Commit] = {}
        for path in hot:
            for commit in self.chronicle.touching(path)[:12]:
                if commit.parents:
                    commits[commit.name] = commit
                    told.setdefault(commit.name, []).append(path)
        newest = sorted(commits.values(), key=lambda one: (-one.when, one.name))
        yield from ((commit, told[commit.name]) for commit in newest[:MOST_CHANGES])

    def _settings(self) -> list[str]:
        """Settings, pins and migrations that were changed of late."""
        assert self.chronicle is not None
        found = [path for row in self.chronicle.rows[:400] if row.wide <= 40 for path in row.paths]
        return [path for path in dict.fromkeys(found) if kind(path) in ("config", "pins", "migration", "infra")][
            :MOST_HOT
        ]

    def _note_change(self, board: Board, commit: Commit, hunk: Hunk) -> None:
        page = self.atlas.page(hunk.path)
        told = turns(hunk) if page else []
        where = place(hunk, page.lines) if page and told else None
        share = self._share(commit)
        if where is None or share <= 0:
            return
        suspect = board.at(hunk.path, *where)
        suspect.commits.setdefault(commit.name, _shown(hunk))
        changed = " ".join([*hunk.gone, *hunk.came])
        text = self.question_and_messages
        for turn in sorted(told, key=lambda one: -one.worth - FITS * signs.fits(one.cause, text))[:3]:
            suspect.add(Reason("change", round(turn.worth * share), turn.says, turn.cause))
        if met := min(MOST_BY_QUESTION // 2, self.wanted.met_by(changed)):
            suspect.add(Reason("question", met, "the change has words of the question"))
        if met := self._of_messages(changed):
            suspect.add(Reason("message", met, "the change has words of what was seen"))
        if name := next((one for one in self.named if _moved(one, hunk)), ""):
            suspect.add(Reason("named", NAMED, f"it took away or brought in {name}"))
        if timing := self._timing(commit):
            suspect.add(Reason("timing", timing, "it was first seen soon after"))

    def _share(self, commit: Commit) -> float:
        """How much a change counts: less the longer ago it was and the more files it touched; nothing after the fact."""
        assert self.chronicle is not None
        ahead = self.asked_at - commit.when
        if self.onset is not None and commit.when > self.onset:
            return 0.0
        old = next(
            worth
            for days, worth in ((3, 1.0), (10, 0.95), (40, 0.75), (150, 0.5), (1 << 30, 0.3))
            if ahead <= days * DAY
        )
        wide = self.chronicle.wide(commit.name)
        return old * next(worth for most, worth in ((4, 1.0), (12, 0.8), (50, 0.6), (1 << 30, 0.35)) if wide <= most)

    @functools.cached_property
    def asked_at(self) -> int:
        """The latest time that anything tells, in seconds."""
        newest = self.chronicle.rows[0].commit.when if self.chronicle and self.chronicle.rows else 0
        last = self.space.digest().seen.last if self.space.logs else None
        return max(newest, (last or 0) // 1000)

    @functools.cached_property
    def onset(self) -> int | None:
        """When it was first seen to fail, in seconds, with as much to spare as the clocks may be apart."""
        first = next((one for one in self.symptoms if one.trace or one.level in ("fatal", "error")), None)
        if first is None or first.first is None or first is not self.symptoms[0]:
            return None
        spare = 14 * 3600 if self.space.digest().without_zone else 600
        return first.first // 1000 + spare

    @functools.cached_property
    def named(self) -> list[str]:
        """Names that the messages and the question give as such: what changed one of them is worth a look."""
        told = [one.message for one in self.symptoms[:3] if one.met or one.trace]
        found = [next(filter(None, groups)) for text in told for groups in _NAMED.findall(text)]
        found += [one for one in self.wanted.exact if re.fullmatch(r"[\w.-]+", one)]
        return [one for one in dict.fromkeys(found) if len(one) > 3 and not one.isdigit()][:12]

    def _timing(self, commit: Commit) -> int:
        """More the nearer before the first failure a commit was made, where the logs begin well before it."""
        first = self.symptoms[0].first if self.symptoms else None
        begun = self.space.digest().seen.first if self.space.logs else None
        if (
            first is None
            or begun is None
            or first - begun < HOUR
            or not (self.symptoms[0].met or self.symptoms[0].trace)
        ):
            return 0
        hours = (first // 1000 - commit.when) / 3600
        return next((worth for most, worth in ((12, 12), (48, 8), (120, 4)) if 0 <= hours <= most), 0)

    # --- what makes them more likely ---

    @functools.cached_property
    def question_and_messages(self) -> str:
        told = [f"{one.kind}: {one.message} {one.said}" for one in self.symptoms if one.met or one.trace]
        return "\n".join([self.question, *told[:3]])

    def _note_place(self, suspect: Suspect) -> None:
        on = [(spot, one) for spot, one in self.trail.items() if spot.path == suspect.path]
        hit = [one for spot, one in on if suspect.first <= spot.line <= suspect.last]
        page = self.atlas.page(suspect.path)
        unit = page.unit_at(suspect.first) if page else None
        beside = [one for spot, one in on if unit and unit.first <= spot.line <= unit.last]
        if hit:
            best = max(hit, key=lambda one: one.points)
            suspect.add(Reason("fed", best.points, best.says))
        elif beside:
            suspect.add(Reason("unit", UNIT, "in the same function as a line on the way to the failure"))
        elif on or any(self._logger(one) == suspect.path for one in self.symptoms):
            suspect.add(Reason("file", FILE, "in the same file as a line on the way to the failure"))
        suspect.symptoms += [one.symptom for one in hit or beside or [trail for _, trail in on]]

    def _note_words(self, suspect: Suspect) -> None:
        page = self.atlas.page(suspect.path)
        if page is None:
            return
        of_file = min(MOST_BY_QUESTION // 2, self.by_question.get(suspect.path, 0) // 2)
        unit = page.unit_at(suspect.first)
        first, last = (unit.first, min(unit.last, unit.first + 24)) if unit else (suspect.first, suspect.last)
        lines = [
            page.line(no) for no in range(min(first, suspect.first), max(min(last, first + 24), suspect.first) + 1)
        ]
        near = " ".join([unit.name if unit else "", *_headings(page, suspect.first), *lines])
        met = of_file + min(MOST_BY_QUESTION // 2, self.wanted.met_by(near))
        if met:
            suspect.add(Reason("question", met, "words of the question"))
        if told := self._of_messages(near):
            suspect.add(Reason("message", told, "words of what was seen"))

    def _of_messages(self, text: str) -> int:
        return min(MOST_BY_MESSAGE, 4 * len(self._message_stems & wording.stems(text)))

    @functools.cached_property
    def _message_stems(self) -> set[str]:
        told = wording.stems(" ".join(one.message for one in self.symptoms[:3] if one.met or one.trace))
        words = self.atlas.words()
        return {
            one for one in told if len(one) > 2 and not one.isdigit() and len(words.files_with(one)) * 3 <= len(words)
        }

    def _note_signs(self, suspect: Suspect) -> None:
        for cause in dict.fromkeys(one.cause for one in suspect.reasons if one.cause):
            if signs.fits(cause, self.question_and_messages):
                suspect.add(Reason("fits", FITS, "it is what was asked about, or seen", cause))


def _moved(name: str, hunk: Hunk) -> bool:
    """Whether a change took a name away or brought it in, as a pickaxe would find."""
    return sum(line.count(name) for line in hunk.gone) != sum(line.count(name) for line in hunk.came)


def _first_lines(page: Page, unit: Unit) -> list[str]:
    return [line for _, line in page.body(unit)][:12]


def _with_frames(symptom: Symptom, frames: tuple[Spot, ...]) -> Symptom:
    told = {name: getattr(symptom, name) for name in Symptom.__dataclass_fields__}
    return Symptom(**{**told, "frames": frames})


def _headings(page: Page, no: int) -> list[str]:
    """What stands above a line of settings: its section, and the keys that it stands under."""
    if page.language:
        return []
    found: list[str] = []
    depth = len(page.line(no)) - len(page.line(no).lstrip())
    for above in range(no - 1, max(0, no - 60), -1):
        line = page.line(above)[:200]
        at = len(line) - len(line.lstrip())
        if re.match(r"\s*\[[^\]]+\]\s*$", line):
            return [*found, line]
        if line.strip() and at < depth and re.search(r"[:{]\s*$", line):
            found.append(line)
            depth = at
    return found


def _shown(hunk: Hunk) -> str:
    """A line of the patch that says most of what was done."""
    told = [line for line in [*hunk.came, *hunk.gone] if re.search(r"\w{2}", line)]
    code = [line for line in told if code_of([line], hunk.path)]
    return next(iter([*code, *told]), "").strip()
