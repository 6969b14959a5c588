"""The body of an answer, unpacked here and counted as it is unpacked: a small answer cannot become a large one."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable, Mapping

from withstood.sources.web.targets import Refused

ACCEPTED = "gzip, deflate"
_BITS: Mapping[str, int] = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
_STEP = 64 << 10


class Body:
    """Takes the bytes as they come. `Refused` as soon as there are more than `most`, before or after unpacking."""

    def __init__(self, encoding: str, most: int) -> None:
        self._most, self._length, self._came = most, 0, 0
        self._parts: list[bytes] = []
        self._encoding = encoding.strip().lower()
        self._unpacker = self._first_unpacker()

    def take(self, part: bytes) -> None:
        self._came += len(part)
        if self._came > self._most:
            raise self._too_large()
        if self._unpacker is None:
            self._keep(part)
            return
        try:
            self._unpack(part)
        except zlib.error:
            raise Refused(f"its body is no {self._encoding}") from None

    def whole(self) -> bytes:
        if self._unpacker is not None and self._came and not self._unpacker.eof:
            raise Refused(f"its {self._encoding} ends before its end")
        return b"".join(self._parts)

    def _first_unpacker(self) -> zlib._Decompress | None:
        if self._encoding in ("", "identity"):
            return None
        if self._encoding not in _BITS:
            raise Refused(f"its body is packed as {self._encoding[:40]}, which was not asked for")
        return zlib.decompressobj(_BITS[self._encoding])

    def _unpack(self, part: bytes) -> None:
        assert self._unpacker is not None
        if self._encoding == "deflate" and not self._length and self._came == len(part) and not _has_head(part):
            self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers leave the head of zlib out
        while part and not self._unpacker.eof:
            self._keep(self._unpacker.decompress(part, _STEP))
            part = self._unpacker.unconsumed_tail

    def _keep(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._most:
            raise self._too_large()
        self._parts.append(part)

    def _too_large(self) -> Refused:
        return Refused(f"it is larger than {self._most:,} bytes")


def _has_head(part: bytes) -> bool:
    return len(part) > 1 and part[0] & 15 == 8 and (part[0] * 256 + part[1]) % 31 == 0


async def collected(stream: AsyncIterable[bytes], encoding: str, most: int, said: str = "") -> bytes:
    """The whole body. `said` is the length that the head promises."""
    if said.isdigit() and int(said[:20]) > most:
        raise Refused(f"it is larger than {most:,} bytes: {int(said[:20]):,}")
    body = Body(encoding, most)
    async for part in stream:
        body.take(part)
    return body.whole()
