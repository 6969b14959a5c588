"""Which addresses may be connected to, and which hosts are numbers in disguise."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from withstood.sources.web import networks
from withstood.sources.web.networks import forbidden, literal

ROWS = [row.split("|")[1:4] for row in (networks.__doc__ or "").splitlines() if re.match(r"\| \d", row)]
LISTED = [(row.strip(), ip_network(one)) for row, told, _ in ROWS for one in re.findall(r"[0-9a-f.:]+/\d+", told)]


@pytest.mark.parametrize(("row", "network"), LISTED, ids=str)
def test_the_code_has_the_rows_of_the_table(row: str, network: object) -> None:
    for number in (network[0], network[-1]):  # pyright: ignore[reportIndexIssue]
        said = forbidden(str(number))
        if row == "14":
            continue
        assert said is not None
        assert f"(row {row})" in said, number


PUBLIC = """
93.184.216.34 8.8.8.8 1.1.1.1 223.255.255.254 9.255.255.255 11.0.0.0 172.15.0.1 172.32.0.1 2606:4700::1 2a00:1450::5
"""
INSIDE = """
127.0.0.1 127.255.255.254 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
100.127.255.255 192.0.0.8 192.0.2.1 198.51.100.1 203.0.113.9 198.18.0.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
192.88.99.1 ::1 :: ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808
64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1 4000::1 e000::1
2606:4700::1%eth0 2620:4f:8000::1
""".split()


@pytest.mark.parametrize("number", PUBLIC.split())
def test_what_is_public_may_be_reached(number: str) -> None:
    assert forbidden(number) is None


@pytest.mark.parametrize("number", [*INSIDE, "nonsense", "", "127.1", "0x7f000001"])
def test_nothing_else_may(number: str) -> None:
    assert forbidden(number)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_whatever_is_local_in_any_view_is_forbidden(number: IPv4Address | IPv6Address) -> None:
    """The standard library knows some ranges that matter; whatever it calls special, we do."""
    if not number.is_global or number.is_multicast or number.is_reserved:
        assert forbidden(str(number))


@given(st.ip_addresses(v=4))
def test_no_form_of_ipv6_hides_an_address_of_ipv4(number: IPv4Address) -> None:
    bits = int(number)
    for prefix in ("::", "::ffff:0:0", "64:ff9b::", "64:ff9b:1::", "::ffff:0:0:0"):
        assert forbidden(str(IPv6Address(int(IPv6Address(prefix)) | bits)))
    assert forbidden(str(IPv6Address((0x2002 << 112) | (bits << 80))))


@pytest.mark.parametrize(
    "host",
    ["127.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.0x4", "1.2.3.4.5", "256.1.1.1", "a.b.123", "[::1::2]", "[1.2.3.4]"],
)
def test_a_number_in_no_plain_form_is_no_host(host: str) -> None:
    with pytest.raises(ValueError):
        literal(host)


def test_names_and_plain_numbers() -> None:
    assert literal("example.com") is None
    assert literal("x1.e2e") is None
    assert literal("10.0.0.1") == ip_address("10.0.0.1")
    assert literal("[::1]") == ip_address("::1")
