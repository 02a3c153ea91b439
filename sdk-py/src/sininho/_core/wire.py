"""Between the JSON of the API and the types of this package."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any, TypeVar

from ..errors import ResponseError, input_error

T = TypeVar("T")
_Convert = Callable[[Any], Any]


def wire_name(name: str) -> str:
    """Return the API's name of a field: `externalId` for `external_id`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def to_json(fields: Mapping[str, object], known: type, pointer: str = "#/") -> dict[str, object]:
    """Return the members of a request for fields. `known` is the TypedDict that names them."""
    unknown = fields.keys() - known.__annotations__.keys()
    if unknown:
        raise TypeError(f"unexpected field {min(unknown)!r}: {known.__name__} does not have it")
    return {wire_name(name): _value(value, pointer + wire_name(name)) for name, value in fields.items()}


def _value(value: object, pointer: str) -> object:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise input_error(pointer, "invalid", "must have a time zone, such as datetime.now(timezone.utc)")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {_value(name, pointer): _value(each, pointer) for name, each in value.items()}
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise input_error(pointer, "text", "has half of a character, which cannot be sent as UTF-8") from None
    return value


def from_json(cls: type[T], value: object) -> T:
    """Return a dataclass made from an object of the API. Members that it does not know are ignored."""
    if not isinstance(value, dict):
        raise ResponseError(f"{cls.__name__} is not an object; is the URL right?")
    given = {}
    for name, wire, convert in _converters(typing.cast("Any", cls)):
        if value.get(wire) is not None:
            given[name] = convert(value[wire])
    try:
        return cls(**given)
    except TypeError:
        raise ResponseError(f"{cls.__name__} lacks members; is the URL right?") from None


@functools.cache
def _converters(cls: Any) -> list[tuple[str, str, _Convert]]:
    hints = typing.get_type_hints(cls)
    return [
        (each.name, wire_name(each.name), _converter(hints[each.name]))
        for each in dataclasses.fields(cls)
        if "header" not in each.metadata
    ]


def _converter(hint: Any) -> _Convert:
    if isinstance(hint, types.UnionType):  # `X | None`: None was left out before
        return _converter(next(each for each in typing.get_args(hint) if each is not types.NoneType))
    if hint is datetime:
        return parse_time
    if dataclasses.is_dataclass(hint):
        return functools.partial(from_json, typing.cast("type[Any]", hint))
    if typing.get_origin(hint) is list:
        convert = _converter(typing.get_args(hint)[0])
        return lambda items: [convert(item) for item in _expect(list, items)]
    return functools.partial(_expect, typing.get_origin(hint) or hint)


def _expect(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise ResponseError(f"{value!r:.80} is not of the type {kind.__name__}")
    return value


_time = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)")


def parse_time(value: object) -> datetime:
    """Parse a time of RFC 3339, of which datetime keeps microseconds."""
    match = _time.fullmatch(value) if isinstance(value, str) else None
    if not match:
        raise ResponseError(f"{value!r:.80} is not a time")
    day, time, fraction, zone = match.groups()
    zone = "+00:00" if zone in "Zz" else zone
    try:
        return datetime.fromisoformat(f"{day}T{time}.{(fraction or '')[:6]:0<6}{zone}")
    except ValueError:
        raise ResponseError(f"{value!r} is not a time") from None
