"""Which encoding the bytes of an input are in: by strict decoding in a fixed order, never by guessing.

| order | taken where |
|---|---|
| 1 | a byte order mark says so (UTF-8, UTF-16, UTF-32) |
| 2 | every other byte of the beginning is NUL: UTF-16 without a mark |
| 3 | all bytes decode as UTF-8 |
| 4 | all bytes decode as CP949 (which holds EUC-KR), and three letters in four are Hangul syllables |
| 5 | few lines may be torn: 19 lines in 20 decode as what its user says it is, else as UTF-8 |

Whatever decodes in none of these is refused, with the place; so is what its user says it is and is not.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass

from withstood.errors import InputError
from withstood.sources.contents import CHUNK, Content

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_PLAIN_NAMES = {"utf-8-sig": "UTF-8", "cp949": "CP949/EUC-KR", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
_MAY_DIFFER = {"utf-8": "utf-8-sig", "euc_kr": "cp949"}
"""An encoding and the one that reads all of it and more."""
TORN = "surrogateescape"
"""How a text with few torn lines is decoded: each byte that does not fit is half a character, which no text has."""
_FEW = 20
_TORN_BYTE = re.compile("[\udc80-\udcff]")


def is_torn(text: str) -> bool:
    """Whether there were bytes in it that did not decode."""
    return _TORN_BYTE.search(text) is not None


@dataclass(frozen=True, slots=True)
class Fault:
    """Where strict decoding stopped, and on what. A `byte` counts from 0, a line from 1."""

    encoding: str
    byte: int
    line: int
    found: str

    def __str__(self) -> str:
        name = _PLAIN_NAMES.get(self.encoding, self.encoding)
        return f"not {name}: {self.found} at byte {self.byte:,} (line {self.line:,})"


def find(content: Content, wanted: str | None = None, *, few_torn: bool = False) -> str:
    """The name of the codec that reads the whole content strictly; with `few_torn`, all of it but a line in 20."""
    with content.open() as raw:
        sample = raw.read(_SAMPLE)
    if wanted is not None:
        return _confirm(content, _known(wanted), few_torn)
    marked = _by_mark(sample)
    if marked is not None:
        return _confirm(content, marked, few_torn)
    faults: list[Fault] = []
    for name in (*_by_nuls(sample), "utf-8-sig", "cp949"):
        fault = _fault(content, name) or _not_korean(content, name)
        if fault is None:
            return name
        faults.append(fault)
    if few_torn and _few_torn(content, "utf-8-sig"):
        return "utf-8-sig"
    raise InputError(
        f"{content.name} is in none of the encodings that were tried: {'; '.join(map(str, faults))}. "
        "Say which one it is, as in --encoding latin-1, or save it as UTF-8."
    )


def _known(wanted: str) -> str:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=wanted)
        name = codecs.lookup(wanted).name
    except (LookupError, ValueError):
        raise InputError(
            f"No encoding of text is called {wanted!r}. Use one such as utf-8, utf-16, cp949, euc-kr or latin-1."
        ) from None
    return _MAY_DIFFER.get(name, name)


def _confirm(content: Content, name: str, few_torn: bool) -> str:
    fault = _fault(content, name)
    if fault is not None and not (few_torn and _few_torn(content, name)):
        raise InputError(
            f"{content.name} is {fault}. Name the encoding that it is in (--encoding), "
            "leave the option out to have it found, or repair that line."
        )
    return name


def _by_mark(sample: bytes) -> str | None:
    return next((name for mark, name in _MARKS if sample.startswith(mark)), None)


def _by_nuls(sample: bytes) -> tuple[str, ...]:
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 50 < len(sample) or min(even, odd) * 10 > max(even, odd):
        return ()
    return ("utf-16-le",) if odd > even else ("utf-16-be",)


def _fault(content: Content, name: str) -> Fault | None:
    decoder = codecs.getincrementaldecoder(name)("strict")
    fed, line = 0, 1
    with content.open() as raw:
        while True:
            chunk = raw.read(CHUNK)
            fed += len(chunk)
            try:
                line += decoder.decode(chunk, not chunk).count("\n")
            except UnicodeDecodeError as fault:
                line += fault.object[: fault.start].count(b"\n")
                return Fault(name, fed - len(fault.object) + fault.start, line, _shown(fault))
            except UnicodeError as fault:
                return Fault(name, fed, line, str(fault))
            if not chunk:
                return None


def _few_torn(content: Content, name: str) -> bool:
    """Whether at most one line in 20 holds bytes that do not decode; the wide encodings know no torn bytes."""
    if name.startswith(("utf-16", "utf-32")):
        return False
    lines = torn = 0
    with content.open() as raw, io.TextIOWrapper(raw, encoding=name, errors=TORN) as stream:
        while part := stream.readline(CHUNK):
            lines += part.endswith("\n")
            torn += is_torn(part)
    return torn * _FEW <= lines


def _shown(fault: UnicodeDecodeError) -> str:
    found = fault.object[fault.start : fault.start + 1]
    return f"0x{found.hex()}" if found else "an early end"


def _not_korean(content: Content, name: str) -> Fault | None:
    if name != "cp949":
        return None
    with content.open() as raw:
        text = codecs.getincrementaldecoder(name)().decode(raw.read(_SAMPLE))
    letters = [char for char in text if char > "\x7f" and char.isalpha()]
    syllables = sum("가" <= char <= "힣" for char in letters)
    judged = sum(not "ㄱ" <= char <= "ㆎ" for char in letters)
    if not letters or (syllables and syllables * 4 >= judged * 3):
        return None
    return Fault(name, 0, 1, f"it would decode, but to text with little Hangul ({syllables} of {len(letters)} letters)")
