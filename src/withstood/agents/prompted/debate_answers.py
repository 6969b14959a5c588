"""The door of the debate's seats. It is softer than the types at exactly these places:

- a part that is null is a part that is left out;
- `span`, `scope` and `revised_span` take every shape that models use, and become null where none fits;
- `polarity` and `revised_polarity` that are no text become null; which words mean which is a table's to say;
- `aspect_term` of a sentiment may be a bare term; the older keys are taken: an `opinion_term` that is an object is the
  aspect term where there is none, and so is an `aspect_ref` that is no ref of a taxonomy (it has no `#`);
- `aspect_term` of a review may be an object with its term;
- `is_backfilled` is accepted and ignored: code alone fills in;
- a risk among those resolved or remaining may be an object with its type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from withstood import form
from withstood.claims.debate import Summary, Turn
from withstood.claims.staged import (
    AspectReview,
    Extraction,
    Revalidation,
    SentimentReview,
    Sentiments,
    Validation,
)

Json: TypeAlias = dict[str, Any]
Soften: TypeAlias = Callable[[Json], Json]
SpanOf: TypeAlias = Callable[[Any], Mapping[str, int] | None]

_SPANS = ("span", "scope", "revised_span")
_POLARITIES = ("polarity", "revised_polarity")


def doors(span_of: SpanOf) -> dict[type, Callable[[Any], Any]]:
    """A door for each type of answer. `span_of` reads a span of any shape."""

    def plain(item: Json) -> Json:
        return _plain(item, span_of)

    def sentiment(item: Json) -> Json:
        return _sentiment(plain(item), span_of)

    return {
        Extraction: _door(Extraction, {"aspects": plain}),
        Sentiments: _door(Sentiments, {"aspect_sentiments": sentiment}),
        Validation: _door(Validation, {"structural_risks": plain, "correction_proposals": plain}),
        Turn: _door(Turn, {}),
        Summary: _door(Summary, {}),
        AspectReview: _door(AspectReview, {"aspect_review": lambda item: _named(plain(item), "term")}),
        SentimentReview: _door(SentimentReview, {"sentiment_review": lambda item: _named(plain(item), "aspect_term")}),
        Revalidation: lambda value: form.read(Revalidation, _revalidation(value)),
    }


def _door(wanted: type[Any], lists: Mapping[str, Soften]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return form.read(wanted, _softened(value, lists))

    return read


def _softened(value: Any, lists: Mapping[str, Soften]) -> Any:
    """What is no object is left to `form`."""
    if not isinstance(value, dict):
        return value
    found = {name: part for name, part in cast("Json", value).items() if part is not None}
    return {name: _each(part, lists[name]) if name in lists else part for name, part in found.items()}


def _each(part: Any, soften: Soften) -> Any:
    if not isinstance(part, list):
        return part
    return [soften(cast("Json", item)) if isinstance(item, dict) else item for item in cast("list[Any]", part)]


def _plain(item: Json, span_of: SpanOf) -> Json:
    found: Json = {}
    for name, part in item.items():
        if name in _SPANS:
            part = span_of(part)
        elif name in _POLARITIES and not isinstance(part, str):
            part = None
        if part is not None:
            found[name] = part
    return found


def _sentiment(item: Json, span_of: SpanOf) -> Json:
    """With the aspect term as an object, and the older keys in their places."""
    found = {name: part for name, part in item.items() if name != "is_backfilled"}
    for older in ("opinion_term", "aspect_ref"):
        part = found.get(older)
        if isinstance(part, dict) or (older == "aspect_ref" and isinstance(part, str) and "#" not in part):
            del found[older]
            found.setdefault("aspect_term", part)
    term = found.get("aspect_term")
    if isinstance(term, str):
        found["aspect_term"] = {"term": term}
    elif isinstance(term, dict):
        found["aspect_term"] = _plain(cast("Json", term), span_of)
    return found


def _named(item: Json, name: str) -> Json:
    term = item.get(name)
    return item | {name: cast("Json", term).get("term", term)} if isinstance(term, dict) else item


def _revalidation(value: Any) -> Any:
    found = _softened(value, {})
    if isinstance(found, dict) and isinstance(found.get("final_validation"), dict):
        inner: Json = _softened(found["final_validation"], {})
        for name in ("resolved_risks", "remaining_risks"):
            if isinstance(inner.get(name), list):
                inner[name] = [_type_of(risk) for risk in inner[name]]
        found["final_validation"] = inner
    return found


def _type_of(risk: Any) -> Any:
    return cast("Json", risk).get("type", risk) if isinstance(risk, dict) else risk
