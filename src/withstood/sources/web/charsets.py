"""The bytes of a page as text. First that fits, strictly; where nothing fits, UTF-8 with signs for what cannot be read.

| order | taken where |
|---|---|
| 1 | a byte order mark says so |
| 2 | the head of the answer says so |
| 3 | the page says so, in its first 4,096 bytes |
| 4 | it decodes as UTF-8 |
| 5 | it decodes as CP949, which holds EUC-KR |
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SAYS = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})|<\?xml[^>]{0,100}encoding=[\"']([\w.:+-]{1,40})", re.I
)
_HEAD = 4_096

_KNOWN: Mapping[str, str] = {
    **dict.fromkeys("utf-8 utf8 us-ascii ascii unicode-1-1-utf-8".split(), "utf-8"),
    **dict.fromkeys("euc-kr euc_kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean".split(), "cp949"),
    **dict.fromkeys("cp949 ms949 uhc windows-949 x-windows-949".split(), "cp949"),
    **dict.fromkeys("iso-8859-1 latin1 latin-1 windows-1252 cp1252 x-cp1252".split(), "cp1252"),
    **{f"windows-125{no}": f"cp125{no}" for no in range(9)},
    **{f"iso-8859-{no}": f"iso8859-{no}" for no in (*range(2, 12), *range(13, 17))},
    **dict.fromkeys("shift_jis shift-jis sjis x-sjis windows-31j ms_kanji".split(), "cp932"),
    **dict.fromkeys("euc-jp x-euc-jp".split(), "euc_jp"), "iso-2022-jp": "iso2022_jp",
    **dict.fromkeys("gb2312 gbk gb18030 x-gbk gb_2312-80".split(), "gb18030"),
    **dict.fromkeys("big5 big5-hkscs cn-big5 x-x-big5".split(), "big5hkscs"),
    "koi8-r": "koi8-r", "koi8-u": "koi8-u", "iso-2022-kr": "iso2022_kr",
    **dict.fromkeys("utf-16 utf-16le".split(), "utf-16-le"), "utf-16be": "utf-16-be",
}  # fmt: skip
"""Names that the web uses, and the codec that reads what is sent under them. Codecs that decode into something else
than what they were given (UTF-7, escapes) are not among them."""


def decoded(content: bytes, said: str = "") -> str:
    """`said` is what the head of the answer says."""
    for codec in _candidates(content, said):
        try:
            return content.decode(codec)
        except UnicodeDecodeError:
            continue
    return content.decode(_KNOWN.get(said.lower(), "utf-8"), "replace")


def _candidates(content: bytes, said: str) -> Iterator[str]:
    yield from (codec for mark, codec in _MARKS if content.startswith(mark))
    for name in (said, _of_page(content)):
        if codec := _KNOWN.get(name.lower()):
            yield codec
    yield from ("utf-8", "cp949")


def _of_page(content: bytes) -> str:
    found = _SAYS.search(content[:_HEAD])
    return (found[1] or found[2]).decode("ascii", "replace") if found else ""
