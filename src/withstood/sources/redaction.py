"""Secrets in a text are covered when it is read, before anything else sees it.

A covered secret keeps its length in code points and its line breaks, so every offset and every line number still
holds. The table says what is looked for; where a row has a group named `secret`, only that group is covered and the
words around it stay.

| kind | looks like |
|---|---|
| private key | a PEM or PGP block, to its end line or to the end of the text |
| password in URL | scheme://user:HERE@host |
| bearer token | Bearer HERE, or Authorization: Basic HERE |
| signed token | a JWT: three base64url parts, the first begins with eyJ |
| cloud key | AWS, Google, Azure, DigitalOcean, Databricks |
| model key | OpenAI, Anthropic, Hugging Face, Groq, xAI, Replicate, Perplexity |
| code key | GitHub, GitLab, npm, PyPI |
| service key | Slack, Stripe, SendGrid, Twilio, Shopify, Telegram, Discord |
| named secret | api_key=HERE, secret: HERE, token=HERE, where HERE is long |
"""

from __future__ import annotations

import re

COVER = "█"

_SUSPECT = re.compile(r"[!-~]{16}|://|-----BEGIN")
"""No secret of the table is shorter or without these: an ordinary text is left after this one search."""

_SIGN = re.compile(r"[^\r\n]")

_ALONE = r"(?<![A-Za-z0-9_-])"

PATTERNS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (kind, tuple(marks.split()), re.compile(pattern, re.ASCII))
    for kind, marks, pattern in (
        (
            "private key",
            "-----begin",
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----"
            r"(?s:.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----|\Z)",
        ),
        ("password in URL", "://", r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:]{0,256}:(?P<secret>[^\s/@]{1,1024})@"),
        ("bearer token", "bearer", r"\b(?i:bearer)\s{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,})"),
        ("bearer token", "authorization", r"\b(?i:authorization:\s{0,4}basic)\s{1,4}(?P<secret>[A-Za-z0-9+/=]{8,})"),
        ("signed token", "eyj", _ALONE + r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
        ("cloud key", "akia asia aroa aida", _ALONE + r"(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}(?![0-9A-Za-z])"),
        (
            "cloud key",
            "secret",
            r"(?i:secret_?access_?key)[\"']?\s{0,4}[=:]\s{0,4}[\"']?(?P<secret>[A-Za-z0-9/+=]{40})",
        ),
        ("cloud key", "aiza", _ALONE + r"AIza[A-Za-z0-9_-]{35}"),
        ("cloud key", "ya29. gocspx-", _ALONE + r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
        (
            "cloud key",
            "accountkey= sharedaccesskey=",
            r"(?i:accountkey|sharedaccesskey)=(?P<secret>[A-Za-z0-9+/=]{40,})",
        ),
        ("cloud key", "_v1_", _ALONE + r"do[opr]_v1_[a-f0-9]{64}"),
        ("cloud key", "dapi", _ALONE + r"dapi[a-f0-9]{32}"),
        ("model key", "sk-", _ALONE + r"sk-[A-Za-z0-9_-]{20,}"),
        ("model key", "hf_ gsk_ r8_ xai- pplx-", _ALONE + r"(?:hf_|gsk_|r8_|xai-|pplx-)[A-Za-z0-9]{30,}"),
        ("code key", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", _ALONE + r"(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{30,}"),
        (
            "code key",
            "glpat- glptt- gldt- glrt- glsoat- glcbt-",
            _ALONE + r"gl(?:pat|ptt|dt|rt|soat|cbt)-[A-Za-z0-9_-]{20,}",
        ),
        ("code key", "npm_", _ALONE + r"npm_[A-Za-z0-9]{36}"),
        ("code key", "pypi-", _ALONE + r"pypi-[A-Za-z0-9_-]{40,}"),
        ("service key", "xox", _ALONE + r"xox[abeoprs](?:\.[a-z]+)?-[A-Za-z0-9-]{10,}"),
        ("service key", "xapp-", _ALONE + r"xapp-[0-9]-[A-Za-z0-9-]{10,}"),
        ("service key", "hooks.slack", r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/_-]{20,})"),
        ("service key", "k_live_ k_test_ whsec_", _ALONE + r"(?:[prs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}"),
        ("service key", "sg.", _ALONE + r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("service key", "", _ALONE + r"(?:AC|SK)[0-9a-f]{32}(?![0-9A-Za-z])"),
        ("service key", "shpat_ shpca_ shppa_ shpss_", _ALONE + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
        ("service key", ":aa", _ALONE + r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
        ("service key", "", _ALONE + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
        (
            "named secret",
            "key token secret",
            r"(?i:api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret|secret[_-]?key|token|secret)"
            r"[\"']?\s{0,4}[=:]\s{0,4}[\"']?(?P<secret>[A-Za-z0-9_+/=.-]{16,})",
        ),
    )
)
"""A kind, its marks and what is looked for. Without one of its marks, in whatever case, nothing of it can be there."""
_MARKS = tuple(dict.fromkeys(mark for _, marks, _ in PATTERNS for mark in marks))


def redact(text: str) -> tuple[str, int]:
    """The text with its secrets covered, as long as before, and how many there were."""
    if _SUSPECT.search(text) is None:
        return text, 0
    count, found = 0, _marked(text.lower())
    for _, marks, pattern in PATTERNS:
        if marks and found.isdisjoint(marks):
            continue
        text, covered = pattern.subn(_cover, text)
        count += covered
    return text, count


def _marked(lowered: str) -> set[str]:
    """Which marks there are. A plain loop: this is done for every line of every log."""
    found: set[str] = set()
    for mark in _MARKS:
        if mark in lowered:
            found.add(mark)
    return found


def _cover(found: re.Match[str]) -> str:
    if "secret" not in found.re.groupindex:
        return _SIGN.sub(COVER, found[0])
    begin, end = found.span("secret")
    before, after = found[0][: begin - found.start()], found[0][end - found.start() :]
    return before + _SIGN.sub(COVER, found["secret"]) + after
