"""The thesis of a research as Markdown, in Korean or English. Nothing is invented: every sentence of the conclusion is
a hypothesis that withstood, and names itself; where none did, it says so and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from withstood.claims import address
from withstood.claims.graph import Edge, Graph, Happened, Hypothesis, natural
from withstood.report.cognigraph import edges_of
from withstood.report.inert import markdown as inert
from withstood.rules import thesis as rule
from withstood.rules.thesis import Output

_TABLE: tuple[tuple[str, str, str], ...] = (
    ("thesis", "Thesis", "정설"),
    ("inconclusive", "Inconclusive", "결론 없음"),
    ("overview", "Overview", "연구 개요"),
    ("question", "Question", "질문"),
    ("period", "Iterations", "연구 기간"),
    ("observed", "Observations", "수집된 관찰"),
    ("unchecked", "of these not checked against a source", "이 중 출처와 대조하지 못한 것"),
    ("copies", "of these copies of another", "이 중 다른 관찰의 사본"),
    ("made", "Hypotheses", "생성된 가설"),
    ("statuses", "States", "상태"),
    ("conclusion", "Core conclusion", "핵심 결론"),
    ("nothing", "No hypothesis was verified, and none that was tested is strong enough. What is missing:",
     "검증된 가설이 없고, 검토된 가설 중 충분히 강한 것도 없습니다. 부족한 것:"),
    ("no_hypotheses", "no source made a claim that could be tested", "검토할 주장을 담은 출처가 없었습니다"),
    ("too_few_visits", "{name}: {visits} of {needed} visits", "{name}: 방문 {visits}회, {needed}회 필요"),
    ("too_weak", "{name}: strength {strength}, wanted {wanted}", "{name}: 신뢰도 {strength}, {wanted} 이상 필요"),
    ("contradicted", "{name}: strongly contradicted", "{name}: 강한 반박이 있음"),
    ("findings", "Findings", "주요 발견"),
    ("finding", "Finding", "발견"),
    ("strength", "strength", "신뢰도"),
    ("hypothesis", "Hypothesis", "가설"),
    ("insight", "an insight of the agent's own, not of a source", "에이전트 통찰(출처의 주장이 아님)"),
    ("grounds", "Grounds", "근거"),
    ("against", "Against it", "반박"),
    ("tool", "Thinking tool", "사고 도구"),
    ("no_grounds", "no observation supports it", "지지하는 관찰이 없음"),
    ("conditions", "Conditions and limits", "조건 및 한계"),
    ("no_conditions", "None were found.", "찾은 조건이 없습니다."),
    ("strong_against", "{name} is in the core although it is contradicted: {by}.",
     "{name}은(는) 반박이 있는데도 핵심에 있습니다: {by}."),
    ("rejected", "Rejected hypotheses", "기각된 가설"),
    ("why", "Why", "기각 이유"),
    ("by", "Contradicting observations", "반박 증거"),
    ("none", "None.", "없음."),
    ("unresolved", "Unresolved", "미해결 영역"),
    ("open_hypotheses", "Hypotheses", "가설"),
    ("open_conflicts", "Conflicts", "충돌"),
    ("tried", "tried {tries} times", "{tries}회 시도"),
    ("open_leads", "Leads", "미탐색 방향"),
    ("history", "History", "연구 히스토리"),
    ("iteration", "Iteration", "Iteration"),
    ("event", "Event", "주요 이벤트"),
    ("sources", "Sources, by authority", "참고 출처 (Authority 순)"),
    ("limits", "A source may be wrong, a quote may be out of context, and what was not searched for was not seen.",
     "출처가 틀렸거나 인용의 맥락이 다를 수 있고, 찾아보지 않은 것은 볼 수 없었습니다."),
    ("about", "How far this can be trusted", "어디까지 믿을 수 있는가"),
    ("partial", "This is a partial thesis: the research stopped before its last iteration ({why}).",
     "부분 정설입니다. 연구가 마지막 iteration 전에 멈췄습니다({why})."),
    ("by_programs",
     "No model took part. Programs found sentences and set them against each other by the words they share, by axes "
     "such as faster and slower, by negations, and by numbers with the same unit. They see what is said in like words "
     "in one sentence. They do not see irony, tables, a claim spread over several sentences, other words for the same "
     "thing, or who is quoted. Read an edge as a place to look at, and the sentences themselves as the evidence.",
     "모델이 참여하지 않았습니다. 프로그램이 문장을 찾고, 공유하는 낱말, 빠름과 느림 같은 축, 부정, 단위가 같은 수치로 "
     "서로 견주었습니다. 프로그램은 한 문장 안에서 비슷한 낱말로 말한 것을 봅니다. 반어, 표, 여러 문장에 걸친 주장, "
     "같은 뜻의 다른 말, 누구의 말을 옮긴 것인지는 보지 못합니다. 엣지는 살펴볼 자리로, 문장을 증거로 읽으십시오."),
    ("unnamed",
     "The sources are files without an address, so each has the lowest authority, and none adds a domain. Where they "
     "came from can be said with --origins.",
     "출처가 주소 없는 파일이라 모두 가장 낮은 권위를 가지며 도메인을 더하지 않습니다. 어디서 왔는지는 --origins로 "
     "알릴 수 있습니다."),
    ("given",
     "Where the files came from was said by whoever ran this; nobody has looked there.",
     "파일의 출처는 실행한 사람이 알린 것이며, 그 주소에서 확인하지 않았습니다."),
)  # fmt: skip
WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType({name: english for name, english, _ in _TABLE}),
        "ko": MappingProxyType({name: korean for name, _, korean in _TABLE}),
    }
)
KINDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {"paper": "paper", "official": "official", "blog": "blog", "forum": "forum", "unknown": "unknown"},
        "ko": {"paper": "논문", "official": "공식문서", "blog": "블로그", "forum": "포럼", "unknown": "출처 불명"},
    }
)
MOST_LISTED = 50
MOST_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Matter:
    """A graph and what the table concluded of it, with what a report asks for again and again."""

    graph: Graph
    concluded: Output
    visits_wanted: int
    strength_wanted: Decimal
    language: str
    by_programs: bool = False
    stopped: str = ""

    @property
    def say(self) -> Mapping[str, str]:
        return WORDS["ko" if self.language == "ko" else "en"]


def render(matter: Matter) -> str:
    say = matter.say
    parts = [
        f"# {say['thesis']}: {inert(title_words(matter))}\n",
        _section(say["overview"], _overview(matter)),
        _section(say["conclusion"], [conclusion_line(one) for one in conclusion(matter)] or list(missing(matter))),
        _section(say["findings"], list(_findings(matter))),
        _section(say["conditions"], [f"- {inert(line)}" for line in conditions(matter)] or [say["no_conditions"]]),
        _section(say["rejected"], _rejected(matter)),
        _section(say["unresolved"], list(_unresolved(matter))),
        _section(say["history"], _history(matter)),
        _section(say["sources"], list(_sources(matter))),
        _section(say["about"], [f"- {inert(line)}" for line in about(matter)]),
    ]
    return "\n".join(parts)


def about(matter: Matter) -> Iterator[str]:
    """What whoever reads the thesis has to know of how it was made."""
    say, urls = matter.say, [one.source_url for one in matter.graph.observations.values()]
    if matter.stopped:
        yield say["partial"].format(why=matter.stopped)
    if matter.by_programs:
        yield say["by_programs"]
    if urls and not any(address.read(url or "") for url in urls):
        yield say["unnamed"]
    if any(one.file for one in matter.graph.observations.values()):
        yield say["given"]
    yield say["limits"]


def _section(name: str, lines: Sequence[str]) -> str:
    body = "\n".join(lines)
    return f"## {name}\n\n{body}\n"


# --- the answer --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the conclusion, and the hypothesis that it stands on."""

    text: str
    names: tuple[str, ...]


def title_words(matter: Matter) -> str:
    """The answer in its first sentence, or that there is none."""
    found = conclusion(matter)
    return found[0].text if found else matter.say["inconclusive"]


def conclusion(matter: Matter) -> tuple[Sentence, ...]:
    """The strongest of the core, verified ones first; each sentence is what its hypothesis says."""
    one = matter.graph.hypotheses
    ranked = sorted(matter.concluded.core, key=lambda name: one[name].status != "verified")
    return tuple([Sentence(one[name].summary, (name,)) for name in ranked[:MOST_SENTENCES]])


def conclusion_line(sentence: Sentence) -> str:
    return f"{inert(sentence.text)} ({', '.join(sentence.names)})"


def missing(matter: Matter) -> Iterator[str]:
    """What the nearest hypotheses lack."""
    say, active = matter.say, matter.graph.active()
    yield say["nothing"]
    if not active:
        yield f"- {say['no_hypotheses']}"
    nearest = sorted(active, key=lambda name: (-active[name].strength, natural(name)))[:5]
    for name in nearest:
        one = active[name]
        if one.visit_count < matter.visits_wanted:
            told = say["too_few_visits"].format(name=name, visits=one.visit_count, needed=matter.visits_wanted)
        elif one.strength < matter.strength_wanted:
            told = say["too_weak"].format(name=name, strength=one.strength, wanted=matter.strength_wanted)
        else:
            told = say["contradicted"].format(name=name)
        yield f"- {told}"


# --- the sections ------------------------------------------------------------------------------


def figures(matter: Matter) -> list[tuple[str, str]]:
    """What the overview counts."""
    say, graph = matter.say, matter.graph
    kinds = [one.type for one in graph.hypotheses.values()]
    statuses = [one.status for one in graph.hypotheses.values()]
    states = [f"{status} {statuses.count(status)}" for status in ("verified", "tested", "unvisited", "rejected")]
    unchecked = sum(one.checked is False for one in graph.observations.values())
    copies = sum(one.copy_of is not None for one in graph.observations.values())
    rows = [
        (say["question"], graph.question),
        (say["period"], f"{graph.iteration}"),
        (say["observed"], f"{len(graph.observations)}"),
        (say["unchecked"], f"{unchecked}" if unchecked else ""),
        (say["copies"], f"{copies}" if copies else ""),
        (say["made"], f"{len(kinds)} (A {kinds.count('A')}, B {kinds.count('B')})"),
        (say["statuses"], ", ".join(states)),
    ]
    return [(name, value) for name, value in rows if value]


def _overview(matter: Matter) -> list[str]:
    return [f"- {name}: {inert(value)}" for name, value in figures(matter)]


def _findings(matter: Matter) -> Iterator[str]:
    say, edges = matter.say, edges_of(matter.graph)
    if not matter.concluded.core:
        yield say["none"]
    for no, name in enumerate(matter.concluded.core, start=1):
        one = matter.graph.hypotheses[name]
        yield f"### {say['finding']} {no}: {name} ({one.status}, {say['strength']}: {one.strength})\n"
        yield f"**{say['hypothesis']}:** {inert(one.summary)}"
        if one.type == "B":
            yield f"\n**{say['tool']}:** {inert(one.reasoning_tool or '')} ({say['insight']})"
        yield from _weighing(matter, edges.get(name, []))


def _weighing(matter: Matter, edges: Sequence[Edge]) -> Iterator[str]:
    """What supports a hypothesis and what contradicts it."""
    say, seen = matter.say, matter.graph.observations
    for heading, kind in ((say["grounds"], "SUPPORTS"), (say["against"], "CONTRADICTS")):
        here = [edge for edge in edges if edge.type == kind]
        if kind == "SUPPORTS" or here:
            yield f"\n**{heading}:**\n"
        for edge in here:
            one = seen[edge.start]
            yield f"- {edge.start} ({one.authority} × {edge.weight}): {inert(one.summary)}"
        if kind == "SUPPORTS" and not here:
            yield f"- {say['no_grounds']}"
    yield ""


def conditions(matter: Matter) -> Iterator[str]:
    """How conflicts were resolved, and which of the core are contradicted all the same."""
    for edge in matter.graph.edges:
        if edge.type == "CONFLICTS" and edge.resolved:
            yield f"{edge.start}, {edge.end}: {edge.resolution or ''}"
    against = edges_of(matter.graph)
    for name in matter.concluded.core:
        by = [edge.start for edge in against.get(name, []) if edge.type == "CONTRADICTS"]
        if by:
            yield matter.say["strong_against"].format(name=name, by=", ".join(sorted(by, key=natural)))


def _rejected(matter: Matter) -> list[str]:
    say = matter.say
    if not matter.concluded.rejected:
        return [say["none"]]
    against = edges_of(matter.graph)
    rows = [_rejected_row(one, matter.graph.hypotheses[one.id], against) for one in matter.concluded.rejected]
    return [f"| {say['hypothesis']} | {say['why']} | {say['by']} |", "| --- | --- | --- |", *rows]


def _rejected_row(one: rule.Rejected, hypothesis: Hypothesis, edges: Mapping[str, Sequence[Edge]]) -> str:
    by = sorted({edge.start for edge in edges.get(one.id, []) if edge.type == "CONTRADICTS"}, key=natural)
    return f"| {one.id}: {inert(hypothesis.summary)} | {inert(one.why)} | {', '.join(by)} |"


def open_ends(matter: Matter) -> list[tuple[str, list[str]]]:
    """What is not resolved, by kind."""
    say, graph, found = matter.say, matter.graph, matter.concluded.unresolved
    tries = {(edge.start, edge.end): edge.tries for edge in graph.edges if edge.type == "CONFLICTS"}
    conflicts = [f"{one}, {other} ({say['tried'].format(tries=tries[one, other])})" for one, other in found.conflicts]
    return [
        (say["open_hypotheses"], [f"{name}: {graph.hypotheses[name].summary}" for name in found.hypotheses]),
        (say["open_conflicts"], conflicts),
        (say["open_leads"], list(found.keywords)),
    ]


def _unresolved(matter: Matter) -> Iterator[str]:
    groups = open_ends(matter)
    if not any(lines for _, lines in groups):
        yield matter.say["none"]
    for name, lines in groups:
        if lines:
            yield f"**{name}** ({len(lines)})\n"
            yield from [f"- {inert(line)}" for line in lines[:MOST_LISTED]]
            yield ""


def _history(matter: Matter) -> list[str]:
    say = matter.say
    rows = [f"| {event.iteration} | {inert(told)} |" for event, told in events(matter.graph)]
    return [f"| {say['iteration']} | {say['event']} |", "| --- | --- |", *rows] if rows else [say["none"]]


def events(graph: Graph) -> list[tuple[Happened, str]]:
    """What happened to the whole and what changed the state of a hypothesis, in order."""
    told = [(event, f"{event.action}: {event.result}") for event in graph.history]
    for name, one in graph.hypotheses.items():
        told += [(event, f"{name}: {event.result}") for event in one.history if event.action == "STATUS"]
    return sorted(told, key=lambda one: one[0].iteration)


def _sources(matter: Matter) -> Iterator[str]:
    kinds = KINDS["ko" if matter.language == "ko" else "en"]
    for no, one in enumerate(sources(matter.graph), start=1):
        files = f" ← {inert(', '.join(one.files))}" if one.files else ""
        title = f"{inert(one.title)} - " if one.title else ""
        yield f"{no}. [{kinds.get(one.type, inert(one.type))}] {title}{inert(one.url)} ({one.authority}){files}"
    if not matter.graph.observations:
        yield matter.say["none"]


@dataclass(frozen=True, slots=True)
class Source:
    """A source, and the files that were read as it."""

    url: str
    type: str
    authority: Decimal
    files: tuple[str, ...] = ()
    title: str = ""


def sources(graph: Graph) -> list[Source]:
    """Every source once, the highest authority first."""
    found: dict[str, Source] = {}
    for name, one in graph.observations.items():
        url = one.source_url or name
        before = found[url].files if url in found else ()
        files = before if one.file is None or one.file in before else (*before, one.file)
        found[url] = Source(url, one.source_type, one.authority, files, one.title)
    return sorted(found.values(), key=lambda source: (-source.authority, source.url))
