"""Where a request goes: an address taken apart so strictly that nobody can read it in another way."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urljoin

from withstood.claims import address
from withstood.sources.web.networks import literal
from withstood.sources.web.settings import MOST_ADDRESS, PORTS

_KEPT = "/?:@!$&'()*+,;=-._~%[]"


class Refused(Exception):
    """Why an address is not fetched."""


@dataclass(frozen=True, slots=True)
class Target:
    """`host` without brackets. `path` is what the request line says."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _default(self.scheme) else f"{host}:{self.port}"

    @property
    def site(self) -> str:
        """What has one robots.txt."""
        return f"{self.scheme}://{self.netloc}"


def target(url: str) -> Target:
    """`Refused` says why it is no address of the web that is fetched."""
    if len(url) > MOST_ADDRESS:
        raise Refused(f"its address is longer than {MOST_ADDRESS} signs")
    found = address.read(url)
    if found is None:
        raise Refused("it is no plain http or https address")
    if "@" in url.partition("//")[2].partition("/")[0]:
        raise Refused("its address holds a user name or password")
    port = int(found.port) if found.port else _default(found.scheme)
    if port not in PORTS:
        raise Refused(f"port {port} is none of {', '.join(map(str, sorted(PORTS)))}")
    try:
        number = literal(found.host)
    except ValueError:
        raise Refused(f"the host {found.host} is a number in no plain form") from None
    return Target(found.scheme, str(number or found.host), port, quote(found.path + found.query, safe=_KEPT))


def joined(here: Target, location: str) -> Target:
    """Where a redirect leads."""
    try:
        return target(urljoin(here.url, location.strip()))
    except ValueError:
        raise Refused("it redirects to something that is no address") from None


def _default(scheme: str) -> int:
    return 443 if scheme == "https" else 80
