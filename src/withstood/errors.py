"""Everything that can go wrong, as one tree. Each error says what was wanted, what was found, what to do.

WithstoodError
├── UsageError        the caller can fix it: arguments, settings, input, configuration
│   ├── Misfit            a value that is not of the wanted form
│   ├── InputError        an input that cannot be read at all
│   ├── OutputError       an output that cannot be written
│   ├── ConfigError       a configuration, model, edition or rule that is not there or not right
│   ├── MissingExtra      an optional part that is not installed
│   └── MissingProgram    a program of the system that is not installed
├── WorldError        a try later may help: a model, a disk, a network
│   ├── KeyRefused        a key that is missing or that the provider does not take
│   ├── ModelUnavailable  a model that cannot be reached, or that has no quota left
│   ├── CallFailed        one call that did not work out; another attempt may
│   └── StoreError        a store that cannot be read or written now
├── LimitReached      a limit that the caller set: the run stops with what it has
├── Interrupted       somebody pressed Ctrl-C or the machine said stop: the run resumes
└── JournalError      the record itself
    ├── JournalDamaged    a record that is not what was written
    └── Diverged          what is asked now is not what was asked then

Disagreement is never an error.
"""

from __future__ import annotations


class WithstoodError(Exception):
    """The root. `exit_code` is what the command line ends with."""

    exit_code = 1


class UsageError(WithstoodError):
    exit_code = 2


class Misfit(UsageError):
    """A value that is not of the wanted form: where, what was wanted, what was found."""

    def __init__(self, at: str, wanted: str, found: str) -> None:
        self.at, self.wanted, self.found = at or "the whole", wanted, found
        self._place = at
        super().__init__(f"{self.at}: wanted {wanted}, found {found}")

    def under(self, name: str) -> Misfit:
        """The same fault, seen from one level further out."""
        dot = "." if name and self._place and not self._place.startswith("[") else ""
        return Misfit(f"{name}{dot}{self._place}", self.wanted, self.found)


class InputError(UsageError):
    exit_code = 66


class OutputError(UsageError):
    exit_code = 73


class ConfigError(UsageError):
    exit_code = 78


class MissingExtra(UsageError):
    """Something optional is wanted and not installed."""

    exit_code = 78

    def __init__(self, wanted_for: str, extra: str) -> None:
        super().__init__(
            f"{wanted_for} needs a part that is not installed. Install it: pip install 'withstood[{extra}]'"
        )


class MissingProgram(UsageError):
    """A program of the system is wanted and not installed."""

    exit_code = 78

    def __init__(self, program: str, wanted: str) -> None:
        super().__init__(f"{program} is needed {wanted}, and is not installed. Install it, or see that it is on PATH.")


class WorldError(WithstoodError):
    exit_code = 75


class KeyRefused(WorldError):
    exit_code = 77


class ModelUnavailable(WorldError):
    exit_code = 69


class CallFailed(WorldError):
    """One attempt failed. `again`: another attempt may help; `after`: not before so many seconds;
    `reached`: the request may have reached the model, so it may cost money, unless the provider says it is `free`."""

    exit_code = 69

    def __init__(
        self, why: str, *, again: bool, after: float | None = None, reached: bool = True, free: bool = False
    ) -> None:
        super().__init__(why)
        self.again, self.after, self.reached, self.free = again, after, reached, free


class StoreError(WorldError):
    exit_code = 74


class LimitReached(WithstoodError):
    """A limit of the run. `limit` names it."""

    exit_code = 75

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class Interrupted(WithstoodError):
    exit_code = 130


class JournalError(WithstoodError):
    exit_code = 76


class JournalDamaged(JournalError):
    """The place is in the message: which run, which record."""


class Diverged(JournalError):
    """The protocol, the prompts or the input are not those of the recorded run."""


EXIT_CODES: tuple[tuple[int, str], ...] = (
    (0, "done"),
    (1, "a fault in withstood itself: please report the traceback"),
    (2, "the command is not right: an argument, an option or a setting"),
    (3, "done, and a finding of an investigation is at least as certain as --fail-on says"),
    (4, "an investigation in which no investigator gave a result: there is no verdict"),
    (65, "done, but some rows of the input were refused; each is reported at its place"),
    (66, "the input cannot be read: no such file, empty, wrong encoding, no such column"),
    (69, "a model cannot be reached or has no quota left; the run resumes"),
    (73, "the output cannot be written"),
    (74, "the store cannot be read or written (disk full, read-only); the run resumes"),
    (75, "stopped at a limit that was set; what there is was written, the run resumes"),
    (76, "the journal is damaged, or does not belong to this input or these rules"),
    (77, "a key is missing or was refused; the run resumes"),
    (78, "the configuration is not right, or an optional part is not installed"),
    (130, "interrupted; the run resumes"),
)
