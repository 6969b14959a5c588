"""The container of a bundle: a zip whose members are stored as they are, in one order, with one date. Any zip program
opens it; this module reads nothing else. As there is one way to write it, every changed byte is found; as nothing is
compressed, nothing swells; as nothing is written to a disk, no name leads anywhere."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise

from withstood.errors import JournalDamaged, OutputError

NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
MOST_BYTES = 2**32 - 2**16
MOST_MEMBERS = 65_000
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION, _PLAIN, _STORED, _TIME, _DATE, _MODE = 20, 0, 0, 0, 33, 0o100644 << 16
_UNIX = 3 << 8


def packed(members: Mapping[str, bytes]) -> bytes:
    """The archive of these members, in this order."""
    local, central, at = list[bytes](), list[bytes](), 0
    for name, content in members.items():
        head, entry = _heads(name, content, at)
        local += [head, content]
        central.append(entry)
        at += len(head) + len(content)
    if at > MOST_BYTES or len(members) > MOST_MEMBERS:
        raise OutputError(
            f"The bundle would be larger than a plain zip can be ({at:,} bytes). Export runs of fewer cases."
        )
    size, count = sum(map(len, central)), len(members)
    return b"".join([*local, *central, _END.pack(b"PK\5\6", 0, 0, count, count, size, at, 0)])


def _heads(name: str, content: bytes, at: int) -> tuple[bytes, bytes]:
    plain, crc, size = name.encode("ascii"), zlib.crc32(content), len(content)
    same = (_PLAIN, _STORED, _TIME, _DATE, crc, size, size, len(plain), 0)
    head = _LOCAL.pack(b"PK\3\4", _VERSION, *same) + plain
    entry = _CENTRAL.pack(b"PK\1\2", _UNIX | _VERSION, _VERSION, *same, 0, 0, 0, _MODE, at) + plain
    return head, entry


def unpacked(archive: bytes, source: str) -> dict[str, bytes]:
    """The members in order; `JournalDamaged` names the first byte that is not as this module would have written it."""
    members: dict[str, bytes] = {}
    at = 0
    for name, content, end in _members(archive, source):
        if name in members:
            raise _damaged(source, at, f"a second member {name}")
        members[name] = content
        at = end
    whole = packed(members)
    if whole != archive:
        place = next((no for no, (one, two) in enumerate(zip(whole, archive, strict=False)) if one != two), None)
        raise _damaged(source, min(len(whole), len(archive)) if place is None else place, _where(members, place))
    return members


def _members(archive: bytes, source: str) -> Iterator[tuple[str, bytes, int]]:
    at = 0
    while archive[at : at + 4] == b"PK\3\4":
        if len(archive) < at + _LOCAL.size:
            raise _damaged(source, at, "a member whose head is cut off")
        *_, method, _, _, crc, size, _, named, extra = _LOCAL.unpack_from(archive, at)
        begin = at + _LOCAL.size + named
        name = archive[at + _LOCAL.size : begin].decode("ascii", "replace")
        content = archive[begin : begin + size]
        _check(source, at, name, method == _STORED and not extra)
        if len(content) < size or zlib.crc32(content) != crc:
            raise _damaged(source, at, f"another content of {name} than was written")
        at = begin + size
        yield name, content, at
    if not at:
        raise _damaged(source, 0, "no bundle")


def _check(source: str, at: int, name: str, plain: bool) -> None:
    if not NAME.fullmatch(name) or len(name) > 200:
        raise _damaged(source, at, "a member of a name that no bundle has")
    if not plain:
        raise _damaged(source, at, f"a member {name} that is packed in another way")


def _where(members: Mapping[str, bytes], place: int | None) -> str:
    """In whose head the place lies, as far as it can be told."""
    ends, at = [0], 0
    for name, content in members.items():
        at += _LOCAL.size + len(name) + len(content)
        ends.append(at)
    if place is not None:
        for name, (begin, end) in zip(members, pairwise(ends), strict=True):
            if begin <= place < end:
                return f"another head of {name} than was written"
    return "another list of members than was written"


def _damaged(source: str, at: int, found: str) -> JournalDamaged:
    return JournalDamaged(f"{source}, byte {at:,}: wanted a bundle as it was exported, found {found}.")
