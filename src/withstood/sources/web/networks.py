"""Which addresses may be connected to: a table of our own. First match decides; no row, no connection.

| row | network | what it is |
|---|---|---|
| 1 | 0.0.0.0/8 | this network |
| 2 | 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 | private |
| 3 | 100.64.0.0/10 | shared by carriers |
| 4 | 127.0.0.0/8 | this machine |
| 5 | 169.254.0.0/16 | link-local, where clouds keep their metadata |
| 6 | 192.0.0.0/24, 192.31.196.0/24, 192.52.193.0/24, 192.88.99.0/24, 192.175.48.0/24 | protocol assignments, relays |
| 7 | 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24, 198.18.0.0/15 | documentation, benchmarks |
| 8 | 224.0.0.0/4, 240.0.0.0/4 | multicast; reserved, everybody |
| 9 | every other IPv4 address | public |
| 10 | 2001::/23 | protocol assignments, Teredo among them |
| 11 | 2001:db8::/32, 3fff::/20 | documentation |
| 12 | 2002::/16 | 6to4: holds an IPv4 address |
| 13 | 2620:4f:8000::/48 | a sink for reverse lookups |
| 14 | 2000::/3 | public |
| 15 | every other IPv6 address | this machine, IPv4 in another form, NAT64, local, multicast |
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_V4 = (
    ("1", "this network", "0.0.0.0/8"),
    ("2", "private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"),
    ("3", "shared by carriers", "100.64.0.0/10"),
    ("4", "this machine", "127.0.0.0/8"),
    ("5", "link-local", "169.254.0.0/16"),
    ("6", "protocol assignments", "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24"),
    ("7", "documentation or benchmarks", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15"),
    ("8", "multicast or reserved", "224.0.0.0/4 240.0.0.0/4"),
)
_V6 = (
    ("10", "protocol assignments", "2001::/23"),
    ("11", "documentation", "2001:db8::/32 3fff::/20"),
    ("12", "6to4", "2002::/16"),
    ("13", "a sink", "2620:4f:8000::/48"),
)
_PUBLIC_V6 = ip_network("2000::/3")
_NETWORKS = {
    version: tuple([(row, what, ip_network(one)) for row, what, listed in rows for one in listed.split()])
    for version, rows in ((4, _V4), (6, _V6))
}


def forbidden(written: str) -> str | None:
    """Why an address may not be connected to, with its row; None where it may."""
    try:
        number = ip_address(written)
    except ValueError:
        return f"{written} is no address"
    for row, what, network in _NETWORKS[number.version]:
        if number in network:
            return f"{number} is {what} (row {row})"
    if isinstance(number, IPv6Address) and (number not in _PUBLIC_V6 or number.scope_id):
        return f"{number} is not public (row 15)"
    return None


def literal(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is written as; None where it is a name. `ValueError` where a resolver might read it as
    a number that it is not written as, such as 127.1 or 0x7f.0.0.1."""
    if host.startswith("["):
        return IPv6Address(host[1:-1])
    last = host.rpartition(".")[2]
    if last.isdigit() or last.startswith("0x"):
        return IPv4Address(host)
    return None
