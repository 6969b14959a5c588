"""From JSON to frozen types and back, exactly, with the place of every fault.

Every door (a rule's input, a model's answer, the journal, a config file) reads through `read`,
so that inside there are only typed, frozen values. Numbers are read as `Decimal`, never as floats;
unknown fields, duplicate keys and NaN are refused. `schema` draws the JSON Schema of the same types.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar, Union

from withstood.errors import Misfit

T = TypeVar("T")
Reader: TypeAlias = Callable[[Any], Any]
Writer: TypeAlias = Callable[[Any], Any]

if TYPE_CHECKING:
    Json: TypeAlias = "bool | int | Decimal | str | Sequence[Json] | Mapping[str, Json] | None"
else:
    # `read` resolves the annotations of any module, where a recursive alias has no names to stand on.
    Json = Any

EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Adds, subtracts and multiplies without rounding; the default context rounds at 28 digits."""

MOST_LEVELS = 100
"""Deeper JSON is refused: whoever walks a value may then recurse."""

MOST_PLACES = 4000
"""A number further from the decimal point is refused: 1e999999999 is short to write and endless to count."""


@dataclasses.dataclass(frozen=True, slots=True)
class Within:
    """The closed range of a number, as in `Annotated[Decimal, Within(0, 1)]`."""

    low: int
    high: int | None = None

    def __contains__(self, number: Decimal | int) -> bool:
        return self.low <= number and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        return f"from {self.low} to {self.high}" if self.high is not None else f"of at least {self.low}"

    @property
    def wanted(self) -> str:
        return f"a number {self}"


@dataclasses.dataclass(frozen=True, slots=True)
class Long:
    """How many signs a text has, or how many items a list, as in `Annotated[str, Long(most=400)]`."""

    least: int = 0
    most: int | None = None

    def __contains__(self, whole: Sequence[Any]) -> bool:
        return self.least <= len(whole) and (self.most is None or len(whole) <= self.most)

    @property
    def wanted(self) -> str:
        return f"a length of {self.least} or more" if self.most is None else f"a length of {self.least} to {self.most}"


@dataclasses.dataclass(frozen=True, slots=True)
class Like:
    """The shape of a whole text, as in `Annotated[str, Like("epi_[0-9]{6,}")]`."""

    pattern: str

    def __contains__(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text, re.ASCII) is not None

    @property
    def wanted(self) -> str:
        return f"text like {self.pattern}"


def named(name: str, **given: Any) -> Any:
    """A field that has another name in JSON, such as a word of Python's own: `start: str = named("from")`."""
    return dataclasses.field(metadata={"name": name}, **given)


def rest() -> Any:
    """A field that holds whatever else the object says. It is written back as it was read."""
    return dataclasses.field(default_factory=dict[str, Any], metadata={"rest": True})


def _name(field: dataclasses.Field[Any]) -> str:
    return field.metadata.get("name", field.name)


def _is_rest(field: dataclasses.Field[Any]) -> bool:
    return "rest" in field.metadata


# --- text to JSON ------------------------------------------------------------------------------


def loads(text: str | bytes) -> Json:
    """One JSON value; broken JSON, text that is not UTF-8, duplicate keys and NaN are a `Misfit`."""
    try:
        plain = text.decode() if isinstance(text, bytes) else text
        value: Json = _decode(plain)
    except Misfit:
        raise
    except (ValueError, InvalidOperation) as fault:
        raise Misfit("", "JSON", f"{shown(text)} ({fault})") from None
    except RecursionError:
        raise _too_deep() from None
    if plain.count("[") + plain.count("{") > MOST_LEVELS:
        _check_depth(value)
    if _HALF.search(plain):
        _check_whole(value)
    return value


_HALF = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def _check_whole(value: Json) -> None:
    """Half a character (a lone surrogate) can be written in JSON and nowhere else."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise Misfit("", "whole characters", "half of one (a lone surrogate)") from None


def _no_constant(name: str) -> Json:
    raise Misfit("", "a number", name)


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twin = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise Misfit(shown(twin), "a key once", "the same key twice")
    return found


_decode = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_twins).decode


def _too_deep() -> Misfit:
    return Misfit("", f"JSON of at most {MOST_LEVELS} levels", "more levels")


def _check_depth(value: Json) -> None:
    level: list[Any] = [value]
    for _ in range(MOST_LEVELS + 1):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return
    raise _too_deep()


def _parts(value: Any) -> Any:
    if isinstance(value, dict):
        return typing.cast("dict[str, Any]", value).values()
    return typing.cast("list[Any]", value) if isinstance(value, list) else ()


def shown(value: object, most: int = 60) -> str:
    """A value as an error message shows it: short, on one line, printable."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    text = str(text) if isinstance(text, (str, Decimal)) else json.dumps(text, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    text = f"{text[:most]}…" if len(text) > most else text or "nothing"
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


# --- JSON to types -----------------------------------------------------------------------------


def read(wanted: type[T], value: Json, at: str = "") -> T:
    """The value as a `wanted`, or a `Misfit`."""
    try:
        return _reader(wanted)(value)
    except Misfit as fault:
        raise fault.under(at) from None


@functools.cache
def _reader(wanted: Any) -> Reader:
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if wanted in _PLAIN:
        return _PLAIN[wanted]
    if dataclasses.is_dataclass(wanted):
        return _dataclass_reader(typing.cast("type", wanted))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _enum_reader(wanted)
    if origin in _SHAPES:
        return _SHAPES[origin](parts)
    raise TypeError(f"wanted a frozen dataclass, enum, tuple, mapping, union or plain type to read, found {wanted!r}")


def _anything(value: Any) -> Any:
    return value


def _nothing(value: Any) -> None:
    if value is not None:
        raise Misfit("", "null", shown(value))


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    raise Misfit("", "text", shown(value))


def _truth(value: Any) -> bool:
    if type(value) is bool:
        return value
    raise Misfit("", "true or false", shown(value))


def _whole(value: Any) -> int:
    if type(value) is int:
        return value
    number = _number(value)
    if number == number.to_integral_value():
        return int(number)
    raise Misfit("", "a whole number", shown(value))


_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,9})?", re.ASCII)


def _number(value: object) -> Decimal:
    number = value if isinstance(value, Decimal) else _decimal(value)
    if not number.is_finite():
        raise Misfit("", "a number", shown(value))
    if not -MOST_PLACES <= number.adjusted() <= MOST_PLACES:
        raise Misfit("", f"a number of at most {MOST_PLACES} places", shown(value))
    return number


def _decimal(value: object) -> Decimal:
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return Decimal(value)
    raise Misfit("", "a number", shown(value))


_PLAIN: dict[Any, Reader] = {
    str: _text,
    bool: _truth,
    int: _whole,
    Decimal: _number,
    type(None): _nothing,
    Any: _anything,
    object: _anything,
}


def _as_it_is(wanted: Any) -> frozenset[type]:
    """The types that pass a reader untouched, so that nobody has to call it."""
    if wanted in (str, bool, int, type(None)):
        return frozenset({wanted})
    if typing.get_origin(wanted) in (Union, types.UnionType):
        return frozenset[type]().union(*(_as_it_is(part) for part in typing.get_args(wanted)))
    return frozenset()


def _dataclass_reader(wanted: type) -> Reader:
    hints = typing.get_type_hints(wanted, include_extras=True)
    known = [field for field in dataclasses.fields(wanted) if field.init and not _is_rest(field)]
    fields = {_name(field): (_as_it_is(hints[field.name]), _reader(hints[field.name])) for field in known}
    needed = frozenset(_name(field) for field in known if _needed(field, hints[field.name]))

    def read_values(found: dict[str, Any]) -> dict[str, Any]:
        if not (needed <= found.keys() <= fields.keys()):
            raise _wrong_fields(found, tuple(fields), needed)
        values, name = found.copy(), ""
        try:
            for name, part in found.items():
                plain, reader = fields[name]
                if type(part) not in plain:
                    values[name] = reader(part)
        except Misfit as fault:
            raise fault.under(name) from None
        return values

    if all(_name(field) == field.name and not _is_rest(field) for field in dataclasses.fields(wanted)):
        return lambda value: wanted(**read_values(_object(value)))
    return _renaming_reader(wanted, read_values)


def _renaming_reader(wanted: type, read_values: Callable[[dict[str, Any]], dict[str, Any]]) -> Reader:
    """For a class with `named` fields or a `rest`."""
    fields = {_name(field): field.name for field in dataclasses.fields(wanted) if not _is_rest(field)}
    others = next((field.name for field in dataclasses.fields(wanted) if _is_rest(field)), None)

    def read_renamed(value: Any) -> Any:
        found = _object(value)
        known = found if others is None else {name: part for name, part in found.items() if name in fields}
        values = {fields[name]: part for name, part in read_values(known).items()}
        if others is not None:
            values[others] = {name: part for name, part in found.items() if name not in fields}
        return wanted(**values)

    return read_renamed


def _object(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return typing.cast("dict[str, Any]", value)
    raise Misfit("", "an object", shown(value))


def _wrong_fields(found: Mapping[str, Any], fields: Sequence[str], needed: frozenset[str]) -> Misfit:
    stray = next((name for name in found if name not in fields), None)
    if stray is not None:
        return Misfit(shown(stray), f"one of the fields {', '.join(fields)}", "an unknown field")
    return Misfit(next(name for name in fields if name in needed and name not in found), "this field", "nothing")


def _needed(field: dataclasses.Field[Any], hint: Any) -> bool:
    """A field of one possible value is a tag: it tells shapes apart, so it must stand there."""
    tag = typing.get_origin(hint) is Literal and len(typing.get_args(hint)) == 1
    return tag or (field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING)


def _annotated_reader(parts: Sequence[Any]) -> Reader:
    inner = _reader(parts[0])
    bounds = [note for note in parts[1:] if isinstance(note, Within | Long | Like)]

    def read_bounded(value: Any) -> Any:
        found = inner(value)
        for allowed in bounds:
            if found not in allowed:
                raise Misfit("", allowed.wanted, shown(value))
        return found

    return read_bounded


def _union_reader(parts: Sequence[Any]) -> Reader:
    rest = [part for part in parts if part is not type(None)]
    may_be_none = len(rest) < len(parts)
    pick = _reader(rest[0]) if len(rest) == 1 else _several_reader(rest)

    def read_optional(value: Any) -> Any:
        return None if value is None and may_be_none else pick(value)

    return read_optional


def _several_reader(parts: Sequence[Any]) -> Reader:
    shapes = [part for part in parts if dataclasses.is_dataclass(part)]
    fields = [(_reader(part), {field.name for field in dataclasses.fields(part)}) for part in shapes]
    readers = [_reader(part) for part in parts]
    plain = _as_it_is(Union[tuple(parts)])  # noqa: UP007 - built, not written

    def read_one_of(value: Any) -> Any:
        if type(value) in plain:
            return value
        if fields and isinstance(value, dict):
            keys = typing.cast("dict[str, Any]", value).keys()
            return max(fields, key=lambda shape: len(keys & shape[1]))[0](value)
        return _first_fit(readers, value)

    return read_one_of


def _first_fit(readers: Sequence[Reader], value: Any) -> Any:
    wanted: list[str] = []
    for reader in readers:
        try:
            return reader(value)
        except Misfit as fault:
            wanted.append(fault.wanted)
    raise Misfit("", " or ".join(wanted), shown(value))


def _choice_reader(choices: Sequence[object]) -> Reader:
    known = {(type(choice), choice) for choice in choices}

    def read_choice(value: Any) -> Any:
        if isinstance(value, (str, int)) and (type(value), value) in known:
            return value
        raise Misfit("", f"one of {', '.join(map(str, choices))}", shown(value))

    return read_choice


def _enum_reader(wanted: type[Enum]) -> Reader:
    kinds: set[type] = {type(member.value) for member in wanted}

    def read_member(value: Any) -> Enum:
        try:
            if type(value) in kinds:
                return wanted(value)
        except ValueError:
            pass
        raise Misfit("", f"one of {', '.join(str(member.value) for member in wanted)}", shown(value))

    return read_member


def _tuple_reader(parts: Sequence[Any]) -> Reader:
    if len(parts) == 2 and parts[1] is Ellipsis:
        return _items_reader(parts[0])
    readers = [_reader(part) for part in parts]

    def read_row(value: Any) -> tuple[Any, ...]:
        items = _list(value)
        if len(items) != len(readers):
            raise Misfit("", f"a list of {len(readers)}", f"{len(items)} items")
        return tuple(_each(zip(readers, items, strict=True)))

    return read_row


def _items_reader(part: Any) -> Reader:
    reader = _reader(part)

    def read_items(value: Any) -> tuple[Any, ...]:
        return tuple(_each([(reader, item) for item in _list(value)]))

    return read_items


def _list(value: Any) -> Sequence[Any]:
    if isinstance(value, (list, tuple)):
        return typing.cast("Sequence[Any]", value)
    raise Misfit("", "a list", shown(value))


def _each(pairs: typing.Iterable[tuple[Reader, Any]]) -> list[Any]:
    found: list[Any] = []
    try:
        for reader, item in pairs:
            found.append(reader(item))
    except Misfit as fault:
        raise fault.under(f"[{len(found)}]") from None
    return found


def _mapping_reader(parts: Sequence[Any]) -> Reader:
    read_name, read_part = _reader(parts[0]), _reader(parts[1])

    def read_entries(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise Misfit("", "an object", shown(value))
        entries, name = typing.cast("dict[str, Any]", value), ""
        try:
            return {read_name(name := key): read_part(part) for key, part in entries.items()}
        except Misfit as fault:
            raise fault.under(shown(name)) from None

    return read_entries


_SHAPES: dict[Any, Callable[[Sequence[Any]], Reader]] = {
    Annotated: _annotated_reader,
    Union: _union_reader,
    types.UnionType: _union_reader,
    Literal: _choice_reader,
    tuple: _tuple_reader,
    dict: _mapping_reader,
    Mapping: _mapping_reader,
}


# --- types to JSON -----------------------------------------------------------------------------

_UNCHANGED = frozenset({str, int, bool, float, type(None)})


def write(value: object) -> Any:
    """The value as plain JSON data; decimals as exact strings, fields in their declared order."""
    if type(value) in _UNCHANGED:
        return value
    part = _outer(value)
    if type(part) is dict:
        return {name: write(inner) for name, inner in typing.cast("dict[str, Any]", part).items()}
    return [write(inner) for inner in typing.cast("list[Any]", part)] if type(part) is list else part


def _outer(value: object) -> Any:
    """The outermost layer of a value as JSON data; what is within it stays as it is."""
    return _writer(type(value))(value)


@functools.cache
def _writer(kind: type) -> Writer:
    if dataclasses.is_dataclass(kind):
        others = next((field.name for field in dataclasses.fields(kind) if _is_rest(field)), None)
        named_fields = [(_name(field), field.name) for field in dataclasses.fields(kind) if not _is_rest(field)]
        return _dataclass_writer(named_fields, others)
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Decimal):
        return str
    if issubclass(kind, Mapping):
        return lambda value: {_key(name): part for name, part in value.items()}
    if issubclass(kind, (tuple, list)):
        return list
    raise TypeError(f"wanted a value that can stand in JSON, found {kind}")


def _dataclass_writer(names: Sequence[tuple[str, str]], others: str | None) -> Writer:
    if others is None:
        return lambda value: {name: getattr(value, attribute) for name, attribute in names}
    own = _dataclass_writer(names, None)
    return lambda value: own(value) | getattr(value, others)


def _key(name: Any) -> str:
    return str(name.value if isinstance(name, Enum) else name)


_ENCODER = functools.partial(
    json.JSONEncoder, ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
)
ENCODE = _ENCODER(default=_outer).encode


def dumps(value: Any) -> str:
    """One line of JSON: compact, exact, the same bytes for the same value; a mapping keeps its order."""
    return ENCODE(value)


def line(value: Any) -> str:
    """One line of JSON for other programs: as `dumps`, but a decimal is a JSON number where that is exact."""
    return _ENCODE_NUMBERS(value)


def _with_number(value: object) -> Any:
    return plain_number(value) if isinstance(value, Decimal) else _outer(value)


_ENCODE_NUMBERS = _ENCODER(default=_with_number).encode


def digest(text: str) -> str:
    """SHA-256 of the text's UTF-8 bytes, in hexadecimal; a lone surrogate counts as itself."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def plain_number(number: Decimal) -> float | int | str:
    """A JSON number where that is exact, else the decimal's own text: never rounded."""
    if number == number.to_integral_value() and abs(number) < 2**53:
        return int(number)
    as_float = float(number)
    return as_float if Decimal(repr(as_float)) == number else str(number)


# --- types to JSON Schema ----------------------------------------------------------------------


def schema(wanted: Any) -> dict[str, Any]:
    """The JSON Schema of what `read` takes: closed objects, ranges, choices."""
    origin, parts = typing.get_origin(wanted), typing.get_args(wanted)
    if dataclasses.is_dataclass(wanted):
        return _object_schema(typing.cast("type", wanted))
    if origin is Annotated:
        return _bounded_schema(parts[0], parts[1:])
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema(part) for part in parts]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is tuple:
        return _array_schema(parts)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return {"enum": [member.value for member in wanted]}
    if origin is not None:
        return _mapping_schema(parts)
    return dict(_PLAIN_SCHEMAS.get(wanted, {}))


_PLAIN_SCHEMAS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    Decimal: {"type": ["number", "string"], "description": "a number, or its decimal text"},
    type(None): {"type": "null"},
}


def _array_schema(parts: Sequence[Any]) -> dict[str, Any]:
    if len(parts) == 2 and parts[1] is Ellipsis:
        return {"type": "array", "items": schema(parts[0])}
    items = [schema(part) for part in parts]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _mapping_schema(parts: Sequence[Any]) -> dict[str, Any]:
    names = schema(parts[0])
    found: dict[str, Any] = {"type": "object", "additionalProperties": schema(parts[1])}
    return found | {"propertyNames": names} if "enum" in names else found


def _object_schema(wanted: type) -> dict[str, Any]:
    hints = typing.get_type_hints(wanted, include_extras=True)
    fields = [field for field in dataclasses.fields(wanted) if field.init and not _is_rest(field)]
    found: dict[str, Any] = {
        "type": "object",
        "properties": {_name(field): _with_default(schema(hints[field.name]), field) for field in fields},
        "additionalProperties": any(map(_is_rest, dataclasses.fields(wanted))),
    }
    return found | {"required": [_name(field) for field in fields if _needed(field, hints[field.name])]}


def _with_default(drawn: dict[str, Any], field: dataclasses.Field[Any]) -> dict[str, Any]:
    if field.default is dataclasses.MISSING:
        return drawn
    return drawn | {"default": write(field.default)}


def _bounded_schema(inner: Any, notes: Sequence[object]) -> dict[str, Any]:
    found = schema(inner)
    for note in notes:
        found |= _bounds(note, found.get("type"))
    return found


def _bounds(note: object, kind: object) -> dict[str, Any]:
    match note:
        case Within(low, high):
            drawn = {"minimum": low, "maximum": high}
        case Long(least, most):
            what = "Items" if kind == "array" else "Length"
            drawn = {f"min{what}": least or None, f"max{what}": most}
        case Like(pattern):
            drawn = {"pattern": f"^{pattern}$"}
        case _:
            drawn = {}
    return {name: bound for name, bound in drawn.items() if bound is not None}
