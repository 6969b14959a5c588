"""Addresses that lead, or try to lead, where nobody may go: more than two hundred, made from a few lists."""

from __future__ import annotations

from collections.abc import Mapping

NUMBERS = """
127.0.0.1 127.0.0.2 127.255.255.254 0.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.254
192.168.0.1 192.168.255.255 169.254.169.254 169.254.170.2 100.64.0.1
100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.7
192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
[::1] [::] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1]
[::ffff:169.254.169.254] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]
[64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::1] [2001:0:7f00:1::1]
[2001::1] [2001:db8::1] [3fff::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [ff05::1] [100::1]
[5f00::1] [4000::1]
""".split()

DISGUISED = """
127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 017700000001 0177.0.0.1 127.0.0.01 127.0.0.1.. 127.0.0.1:80:80
0 0x0 00000000 1.2.3.4.5 127.0.0.256 0xa9fea9fe 2852039166 169.254.43518 [::1%25eth0] [fe80::1%eth0]
[::1 ::1] [::1]] [[::1]] [v1.fe80] [127.0.0.1]
%31%32%37.0.0.1 127%2e0.0.1 １２７.０.０.１ 127。0。0。1 ⑫⑦.⓪.⓪.① localhost LOCALHOST
localhost. metadata ip6-localhost 127.0.0.1\\@93.184.216.34 93.184.216.34\\@127.0.0.1 127.0.0.1%00.example.com
127.0.0.1%20 127.0.0.1# 127.0.0.1? ./127.0.0.1 ..//127.0.0.1
""".split()

NAMES: Mapping[str, tuple[str, ...]] = {
    "inside.example": ("127.0.0.1",),
    "meta.example": ("169.254.169.254",),
    "private.example": ("10.1.2.3",),
    "six.example": ("::1",),
    "mapped.example": ("::ffff:127.0.0.1",),
    "nat.example": ("64:ff9b::7f00:1",),
    "sixtofour.example": ("2002:7f00:1::",),
    "site.example": ("fec0::1",),
    "scope.example": ("fe80::1%1",),
    "mixed.example": ("93.184.216.34", "127.0.0.1"),
    "mixed6.example": ("2606:4700::1", "::1"),
    "many.example": (*[f"93.184.216.{no}" for no in range(15)], "192.168.0.1"),
    "nobody.example": (),
    "127.0.0.1.nip.example": ("127.0.0.1",),
    "xn--n3h.example": ("127.0.0.1",),
}
"""What the resolver of the tests answers."""

SCHEMES = """
file:///etc/passwd file://localhost/etc/passwd file:/etc/passwd ftp://127.0.0.1/ ftp://93.184.216.34/
gopher://127.0.0.1:6379/_INFO dict://127.0.0.1:11211/ ldap://127.0.0.1/ tftp://127.0.0.1/ sftp://127.0.0.1/
ssh://127.0.0.1/ jar:http://127.0.0.1!/ data:text/html,hello javascript:alert(1) ws://127.0.0.1/ wss://127.0.0.1/
unix:///var/run/docker.sock http+unix://%2Fvar/ view-source:http://127.0.0.1/ about:blank blob:http://127.0.0.1/x
mailto:a@b.c urn:isbn:1 //127.0.0.1/ ///127.0.0.1/ http:/127.0.0.1/ http:127.0.0.1 http:///127.0.0.1/
http:\\\\127.0.0.1\\ hTTp:\\127.0.0.1/ https:127.0.0.1
""".split()

PORTS = "0 1 21 22 23 25 110 143 389 445 2375 3306 5432 6379 9200 11211 27017 65535 65536 99999 -80 +80 80a".split()

CREDENTIALS = """
http://user:pass@inside.example/ http://user@inside.example/
http://93.184.216.34@127.0.0.1/ http://127.0.0.1@93.184.216.34/
http://a:b@c@127.0.0.1/ http://@127.0.0.1/ http://:@127.0.0.1/ http://inside.example:80@127.0.0.1/
http://127.0.0.1#@93.184.216.34/ http://93.184.216.34#@127.0.0.1/ http://93.184.216.34?@127.0.0.1/
""".split()

BROKEN = [
    "", " ", "http://", "https://", "http://:80/", "http://?x", "http://#x", "http://[", "http://[]", "http://[]:80/",
    "http://.", "http://..", "http://-", "http:// 127.0.0.1/", "ht\ttp://127.0.0.1/", "http://127.0.0.1 /", "http://127.0.0.1\t/",
    "http://127.0.0.1\n/", "http://127.0.0.1\r\nHost: x/", "http://127.0.0.1/\r\nX: y", "http://\x00127.0.0.1/",
    "http://127.0.0.1\x00.example.com/", "\x00http://127.0.0.1/", "http://\u202e127.0.0.1/", "http://127.0.0.1/\u2028",
    "http://" + "a" * 300 + ".example/", "http://inside.example/" + "a" * 4000, "http://a..b/", "http://<script>/",
]  # fmt: skip


def urls() -> list[str]:
    """Each once."""
    hosts = [*NUMBERS, *DISGUISED, *NAMES]
    made = [f"http://{host}/" for host in hosts]
    made += [f"https://{host}/latest/meta-data/" for host in (*NUMBERS, *NAMES)]
    made += [f"http://{host}:8080/" for host in NUMBERS[:30]]
    made += [f"http://inside.example:{port}/" for port in PORTS]
    return list(dict.fromkeys([*made, *SCHEMES, *CREDENTIALS, *BROKEN]))
