"""What both editions of authority share: which hosts are of which class, and what a class is worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from withstood.claims import address
from withstood.claims.address import Address

SourceType: TypeAlias = Literal["paper", "official", "blog", "forum", "unknown"]

WORTH: dict[SourceType, Decimal] = {
    "paper": Decimal("0.9"),
    "official": Decimal("0.85"),
    "blog": Decimal("0.5"),
    "forum": Decimal("0.3"),
    "unknown": Decimal("0.2"),
}

PAPER = """
arxiv.org doi.org acm.org ieee.org computer.org scholar.google.com semanticscholar.org aclanthology.org openreview.net
jmlr.org mlr.press neurips.cc thecvf.com usenix.org nature.com science.org sciencedirect.com springer.com wiley.com
tandfonline.com sagepub.com oup.com academic.oup.com cambridge.org jstor.org plos.org frontiersin.org mdpi.com ssrn.com
biorxiv.org medrxiv.org chemrxiv.org ncbi.nlm.nih.gov pubmed.gov europepmc.org cell.com thelancet.com nejm.org bmj.com
pnas.org aps.org iop.org rsc.org acs.org aaai.org ijcai.org dblp.org hal.science zenodo.org researchgate.net
kci.go.kr riss.kr dbpia.co.kr scienceon.kisti.re.kr koreascience.kr koreascience.or.kr earticle.net kiss.kstudy.com
""".split()

BLOG = """
medium.com dev.to substack.com wordpress.com blogspot.com tumblr.com ghost.io hashnode.dev hashnode.com hackernoon.com
towardsdatascience.com betterprogramming.pub bearblog.dev write.as livejournal.com typepad.com posthaven.com
tistory.com velog.io brunch.co.kr blog.naver.com blog.daum.net egloos.com steemit.com
""".split()

FORUM = """
reddit.com stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com mathoverflow.net quora.com
news.ycombinator.com lobste.rs slashdot.org discord.com disqus.com 4chan.org twitter.com x.com facebook.com threads.net
mastodon.social bsky.app linkedin.com kin.naver.com cafe.naver.com cafe.daum.net okky.kr clien.net ppomppu.co.kr
dcinside.com fmkorea.com ruliweb.com theqoo.net inven.co.kr
""".split()

OWNERS = """
w3.org ietf.org rfc-editor.org iso.org iec.ch itu.int nist.gov unicode.org ecma-international.org whatwg.org oasis-open.org
python.org rust-lang.org go.dev golang.org ruby-lang.org php.net nodejs.org deno.com kotlinlang.org swift.org scala-lang.org
haskell.org elixir-lang.org julialang.org r-project.org isocpp.org typescriptlang.org mozilla.org webkit.org
apache.org eclipse.org linuxfoundation.org kernel.org debian.org ubuntu.com canonical.com redhat.com fedoraproject.org
gnu.org freebsd.org postgresql.org mysql.com mariadb.org mariadb.com sqlite.org mongodb.com redis.io redis.com elastic.co
kubernetes.io docker.com helm.sh terraform.io hashicorp.com ansible.com prometheus.io grafana.com opentelemetry.io
microsoft.com apple.com google.com android.com chromium.org amazon.com ibm.com oracle.com intel.com amd.com
nvidia.com arm.com cloudflare.com github.com gitlab.com atlassian.com openai.com anthropic.com huggingface.co mistral.ai
cohere.com deepmind.google meta.com pytorch.org tensorflow.org keras.io scikit-learn.org numpy.org scipy.org pandas.org
pydata.org jupyter.org langchain.com llamaindex.ai pinecone.io weaviate.io qdrant.tech milvus.io chroma.com databricks.com
snowflake.com stripe.com slack.com twilio.com vercel.com netlify.com heroku.com digitalocean.com
react.dev vuejs.org angular.dev svelte.dev nextjs.org djangoproject.com palletsprojects.com spring.io rubyonrails.org
samsung.com lge.com navercorp.com ncloud.com kakao.com kakaocorp.com
""".split()
"""Vendors and standards bodies whose documentation is their own word on their own things."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Hosts that are added to a class, with spaces between them. A host counts with all that is under it."""

    edition: Literal["1", "2"] = "1"
    paper: str = ""
    official: str = ""
    blog: str = ""
    forum: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    url: str


@dataclass(frozen=True, slots=True)
class Output:
    """`origin` is the registrable domain; nothing where the address is none."""

    source_type: SourceType
    authority: Decimal
    origin: str
    row: str


def judged(url: str, numbers: Numbers, *, anybody: bool) -> Output:
    """`anybody`: documentation of any owner is official, not only of those in the table."""
    found = address.read(url)
    kind, row = _kind(found, numbers, anybody) if found else ("unknown", "1")
    return Output(kind, WORTH[kind], address.owner(found.host) if found else "", row)


def _kind(found: Address, numbers: Numbers, anybody: bool) -> tuple[SourceType, str]:
    host = found.host
    if _under(host, PAPER) or _under(host, numbers.paper.split()):
        return "paper", "2"
    if _under(host, BLOG) or _under(host, numbers.blog.split()):
        return "blog", "3"
    if _under(host, FORUM) or _under(host, numbers.forum.split()):
        return "forum", "4"
    if _under(host, numbers.official.split()):
        return "official", "5"
    if _documents(found) and (anybody or address.owner(host) in OWNERS):
        return "official", "5"
    return "unknown", "6"


def _under(host: str, listed: Iterable[str]) -> bool:
    return any(host == one or host.endswith(f".{one}") for one in listed)


def _documents(found: Address) -> bool:
    """docs.* and */docs."""
    return found.host.startswith("docs.") or found.steps[:1] == ("docs",)
