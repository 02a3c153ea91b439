"""Calls of any operation of the API, with JSON as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ..errors import ResponseError, input_error
from .api import Api, body_of, json_request, key_header
from .exchange import Call, Request
from .listing import Listing


def request(
    api: Api, method: str, path: str, query: Mapping[str, str] | None, body: object, key: str | None
) -> Call[Any]:
    """Return the JSON of a response, or None if it has no body."""
    headers = {} if key is None else key_header(key)
    path = _checked(path)
    call = Request(method.upper(), path, query or {}, headers)
    if body is not None:
        with_body = json_request(call.method, path, body, headers)
        call = Request(call.method, path, call.query, with_body.headers, with_body.content)
    response = yield from api.call(call)
    return body_of(response) if response.body else None


def listing(api: Api, path: str, query: Mapping[str, str] | None) -> Listing[dict[str, Any]]:
    """Return any list, with its items as they are."""
    return Listing(api, _checked(path), query or {}, _object, lambda item: item.get("id", id(item)))


def _object(item: object) -> dict[str, Any]:
    if isinstance(item, dict):
        return item
    raise ResponseError(f"unexpected response: {item!r:.80} is not an object")


def _checked(path: str) -> str:
    if not path.startswith("/") or quote(path, safe="/~:@!$&'()*+,;=%") != path:
        raise input_error("path", "invalid", "begins with / and has its query elsewhere, such as /publishers/demo")
    return path
