"""Search providers: what is sent, what is taken, and what is said of one that does not answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from withstood.errors import ConfigError, MissingExtra
from withstood.sources.web import opening, parts
from withstood.sources.web.chain import Chain
from withstood.sources.web.collected import Collected, spread
from withstood.sources.web.exchange import PLAIN, Came, Room, Sent, Unreached
from withstood.sources.web.providers import rest
from withstood.sources.web.providers.metasearch import Metasearch
from withstood.sources.web.providers.port import Hit, NotSearched, hit
from withstood.sources.web.settings import Permitted, Web
from withstood.sources.web.targets import Target

KEY = "k-0123456789abcdef"
QUERY = "%EA%B2%80%EC%83%89+%26+cost"
AT_BRAVE = "https://api.search.brave.com/res/v1/web/search"


class Answering:
    """An exchange that keeps what it was asked and answers as it was told."""

    def __init__(self, content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self.asked: list[tuple[Target, Sent]] = []
        self._content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self._status, self._headers = status, headers or {}

    async def exchange(self, target: Target, room: Room, sent: Sent = PLAIN) -> Came:
        self.asked.append((target, sent))
        return Came(self._status, self._headers, self._content if room(self._status, {}) else b"")


RESULTS = {"results": [{"url": "http://a.com/", "title": "A"}, {"url": "http://b.com/", "title": None}, {"title": "C"}]}
BRAVE = {"web": RESULTS}
HITS = (Hit("http://a.com/", "A"), Hit("http://b.com/", ""))


def provider(name: str, exchange: Any) -> rest.RestProvider:
    made = {"tavily": rest.tavily, "brave": rest.brave, "exa": rest.exa}
    return rest.searxng("http://127.0.0.1:8888/s", exchange) if name == "searxng" else made[name](KEY, exchange)


def searched(name: str, exchange: Any, query: str = "검색 & cost", most: int = 20) -> tuple[Hit, ...]:
    return asyncio.run(provider(name, exchange).search(query, "ko", most))


@pytest.mark.parametrize(
    ("name", "method", "url", "key"),
    [
        ("searxng", "GET", f"http://127.0.0.1:8888/s/search?q={QUERY}&format=json&language=ko&safesearch=0", ""),
        ("tavily", "POST", "https://api.tavily.com/search", "Authorization"),
        ("brave", "GET", f"{AT_BRAVE}?q={QUERY}&count=20&search_lang=ko", "X-Subscription-Token"),
        ("exa", "POST", "https://api.exa.ai/search", "x-api-key"),
    ],
)  # fmt: skip
def test_each_is_asked_in_its_own_way(name: str, method: str, url: str, key: str) -> None:
    exchange = Answering(BRAVE if name == "brave" else RESULTS)
    assert searched(name, exchange) == HITS
    [(target, sent)] = exchange.asked
    assert (sent.method, target.url) == (method, url)
    assert (KEY in sent.headers[key]) if key else (KEY not in str(dict(sent.headers)))
    assert KEY not in repr(sent) + target.url
    if method == "POST":
        assert json.loads(sent.content)["query"] == "검색 & cost"
        assert sent.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("status", "headers", "said", "pause"),
    [
        (401, {}, "key", None),
        (403, {}, "key", None),
        (402, {}, "quota", None),
        (432, {}, "quota", None),
        (429, {"retry-after": "7"}, "7 seconds", 7.0),
        (429, {}, "60 seconds", 60.0),
        (503, {"retry-after": "999999999"}, "3600 seconds", 3600.0),
        (500, {}, "status 500", 60.0),
        (302, {"location": "http://127.0.0.1/"}, "status 302", 60.0),
    ],
)
def test_the_reason_is_told_and_never_the_key(
    status: int, headers: Mapping[str, str], said: str, pause: float | None
) -> None:
    with pytest.raises(NotSearched, match=said) as fault:
        searched("tavily", Answering(f"no {KEY}".encode(), status, headers))
    assert fault.value.pause == pause
    assert KEY not in str(fault.value)


@pytest.mark.parametrize(
    "content", [b"", b"<html>", b"[]", b"{}", b'{"results": 3}', b'{"results": null}', b"[" * 100_000, b"\xff"]
)
def test_an_answer_of_another_form_is_told(content: bytes) -> None:
    with pytest.raises(NotSearched, match="its answer"):
        searched("exa", Answering(content))


def test_what_is_no_address_is_left_out() -> None:
    rows: list[object] = [3, None, {"url": 3}, {"url": ""}, {"url": "http://a\n.com"}, {"url": "http://" + "a" * 5000}]
    kept = {"url": "http://a.com/", "title": "a\nb\u202ec" + "d" * 900}
    found = searched("exa", Answering({"results": [*rows, kept]}))
    assert found == (Hit("http://a.com/", "a b c" + "d" * 295),)
    assert hit("http://a.com/\ud800", "x") is None


@pytest.mark.parametrize(
    "url", ["", "searx", "ftp://a.com", "http://", "http://u:p@a.com", "http://a.com:x", "http://a.com/?q"]
)
def test_a_server_is_named_by_its_address(url: str) -> None:
    with pytest.raises(ConfigError, match=r"web\.searxng"):
        rest.searxng(url, Answering({}))  # pyright: ignore[reportArgumentType]


# --- without a key -----------------------------------------------------------------------------

TOLD = """
import json, sys, os
asked = json.loads(sys.stdin.read())
print(json.dumps({told}))
"""


def metasearch(told: str, seconds: float = 20.0) -> tuple[Hit, ...]:
    return asyncio.run(Metasearch(TOLD.replace("{told}", told), seconds).search("질문", "ko", 2))


def test_the_library_is_asked_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDGS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    first = '{"url": "http://a.com/" + asked["region"], "title": asked["query"]}'
    second = '{"url": "http://b.com/" + ",".join(sorted(os.environ)), "title": ""}'
    told = f'{{"hits": [{first}, {second}, {{"url": "http://c.com", "title": ""}}]}}'
    one, two = metasearch(told)
    assert one == Hit("http://a.com/kr-kr", "질문")
    assert not {"DDGS_PROXY", "TAVILY_API_KEY"} & set(two.url.partition(".com/")[2].split(","))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ('{"limited": True}', "limited"),
        ('{"fault": "DDGSException: nothing"}', "nothing"),
        ("1 / 0", "without an answer"),
        ("__import__('time').sleep(60)", "did not answer within"),
    ],
)
def test_what_goes_wrong_with_it_is_told(told: str, said: str) -> None:
    with pytest.raises(NotSearched, match=said):
        metasearch(told, 0.5 if "sleep" in told else 20.0)


# --- one after the other -----------------------------------------------------------------------


class Saying:
    def __init__(self, name: str, *says: object) -> None:
        self.name, self._says, self.asked = name, list(says), 0

    async def search(self, query: str, language: str, most: int) -> tuple[Hit, ...]:
        said = self._says[min(self.asked, len(self._says) - 1)]
        self.asked += 1
        if isinstance(said, NotSearched):
            raise said
        return said  # pyright: ignore[reportReturnType]


def test_the_first_that_finds_something_answers() -> None:
    now = [0.0]
    limited = Saying("one", NotSearched("limited", 60.0), (Hit("http://one.com/"),))
    refused = Saying("two", NotSearched("its key is refused", None))
    empty = Saying("three", ())
    last = Saying("four", (Hit("http://four.com/"),))
    chain = Chain([limited, refused, empty, last, Saying("five", ())], lambda: now[0])

    found = asyncio.run(chain.search("q", "en", 5))
    assert found.hits == (Hit("http://four.com/"),)
    assert found.notes == (("one", "limited"), ("two", "its key is refused"), ("three", "it found nothing"))
    found = asyncio.run(chain.search("q", "en", 5))
    assert found.notes[:2] == (("one", "it rests: limited"), ("two", "it rests: its key is refused"))
    assert (limited.asked, refused.asked, empty.asked, last.asked) == (1, 1, 2, 2)
    now[0] = 61.0
    assert asyncio.run(chain.search("q", "en", 5)).hits == (Hit("http://one.com/"),)
    now[0] = 1e9
    asyncio.run(chain.search("q", "en", 5))
    assert refused.asked == 1


def test_nobody_finds_anything() -> None:
    found = asyncio.run(Chain([Saying("one", ()), Saying("two", NotSearched("down", 1.0))]).search("q", "en", 5))
    assert found.hits == ()
    assert found.notes == (("one", "it found nothing"), ("two", "down"))
    assert asyncio.run(Chain([]).search("q", "en", 5)).hits == ()


def test_a_page_has_one_id_under_all_of_its_spellings() -> None:
    collected = Collected()
    ids = collected.add([Hit("http://A.com/x/"), Hit("https://a.com/x#part"), Hit("http://b.com")])
    assert ids == ("h1", "h2")
    assert collected.add([Hit("http://b.com/"), Hit("http://c.com")]) == ("h2", "h3")
    assert collected.hit("h1").url == "http://A.com/x/"
    with pytest.raises(KeyError):
        collected.hit("http://a.com/x/")


def test_a_broad_search_takes_every_owner_first() -> None:
    urls = ["http://a.com/1", "http://x.a.com/2", "http://b.com/1", "http://a.com/3", "http://c.co.kr/1"]
    assert spread([(url[7:], Hit(url)) for url in urls]) == ("a.com/1", "b.com/1", "c.co.kr/1", "x.a.com/2", "a.com/3")


# --- which of them -----------------------------------------------------------------------------


def named(web: Web, **environment: str) -> list[str]:
    return [one.name for one in parts.providers(web, environment)]


def test_those_that_have_what_they_need_are_asked() -> None:
    assert named(Web()) == ["ddgs"]
    assert named(Web(), BRAVE_API_KEY=KEY, EXA_API_KEY=" ") == ["brave", "ddgs"]
    assert named(Web(searxng="http://a.com"), TAVILY_API_KEY=KEY) == ["searxng", "tavily", "ddgs"]
    assert named(Web(providers=("exa", "searxng"), searxng="http://a.com"), EXA_API_KEY=KEY) == ["exa", "searxng"]


@pytest.mark.parametrize(("name", "said"), [("tavily", "TAVILY_API_KEY"), ("searxng", r"web\.searxng")])
def test_one_that_is_named_must_have_it(name: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        named(Web(providers=(name,)))


def test_only_this_machine_can_be_permitted() -> None:
    with pytest.raises(ConfigError, match="this machine"):
        Permitted({"a.com": ("10.0.0.1", 80)})


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "NEEDED", ("no_such_part",))
    with pytest.raises(MissingExtra, match=r"withstood\[web\]"):
        opening.opened()


def test_an_exchange_that_fails_is_a_search_that_fails() -> None:
    class Failing:
        async def exchange(self, target: Target, room: Room, sent: Sent = PLAIN) -> Came:
            raise Unreached("it cannot be reached: nobody listens")

    with pytest.raises(NotSearched, match="nobody listens"):
        searched("brave", Failing())
