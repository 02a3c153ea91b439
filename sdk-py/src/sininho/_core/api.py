"""One call of the API: its request, its retries, and its result or error."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ..errors import ApiError, Fault, Problem, ResponseError, api_error, input_error
from .exchange import Call, Request, Response
from .retry import Limit, Patience, attempts, retry_after
from .settings import Settings, is_visible

_longest_key = 255


class Api:
    """Makes the calls of one client."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.patience = Patience(settings.retries, settings.timeout, Limit())

    def call(self, request: Request, patience: Patience | None = None) -> Call[Response]:
        """Return a response with a status of 2xx, or fail with an ApiError or UnreachableError."""
        response = yield from attempts(request, patience or self.patience)
        if not 200 <= response.status < 300:
            raise refusal(request, response)
        return response

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Call[Response]:
        """Call GET."""
        return (yield from self.call(Request("GET", path, query or {})))


def json_request(method: str, path: str, body: object, headers: Mapping[str, str] | None = None) -> Request:
    """Return a request with a body of JSON."""
    content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    return Request(method, path, {}, {"Content-Type": "application/json", **(headers or {})}, content)


def key_header(key: str | None) -> dict[str, str]:
    """Return the header with an idempotency key, a random one by default."""
    key = secrets.token_urlsafe(18) if key is None else key
    if not 0 < len(key) <= _longest_key or not is_visible(key):
        detail = f"must have 1 to {_longest_key} visible ASCII characters"
        raise input_error("header:idempotency-key", "invalid", detail)
    return {"Idempotency-Key": key}


def version_header(version: str | None) -> dict[str, str]:
    """Return the header that makes a change fail unless the resource has this version. An empty one matches none."""
    return {} if version is None else {"If-Match": version or '""'}


def query_of(**values: str | int | bool | None) -> dict[str, str]:
    """Return the parameters of a query that are neither None nor False."""
    return {
        name: "true" if value is True else str(value)
        for name, value in values.items()
        if value is not None and value is not False
    }


def has_json(response: Response) -> bool:
    """Report whether the response says that it is JSON."""
    kind = str(response.headers.get("Content-Type", "")).partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def body_of(response: Response) -> Any:
    """Return the JSON of a response."""
    if not has_json(response):
        kind = response.headers.get("Content-Type", "")
        raise ResponseError(f"unexpected response: {kind!r} instead of JSON; is the URL right?")
    try:
        return json.loads(response.body)
    except ValueError as error:
        raise ResponseError(f"unexpected response: {error}") from None


def refusal(request: Request, response: Response) -> ApiError:
    """Return the error for a response that is none of 2xx."""
    problem: dict[str, Any] = {}
    if has_json(response):
        try:
            parsed = json.loads(response.body)
        except ValueError:
            parsed = None
        problem = parsed if isinstance(parsed, dict) and parsed.get("code") else {}
    return api_error(
        Problem(
            method=request.method,
            path=request.path,
            status=response.status,
            code=str(problem.get("code", "")),
            title=str(problem.get("title", "")) or _phrase(response.status),
            detail=str(problem.get("detail", "")) or _redirect(response),
            faults=tuple(_faults(problem.get("errors"))),
            request_id=str(problem.get("requestId", "")) or response.headers.get("X-Request-Id", ""),
            retry_after=retry_after(response.headers),
        )
    )


def _faults(listed: object) -> list[Fault]:
    items = listed if isinstance(listed, list) else []
    return [
        Fault(str(item.get("pointer", "")), str(item.get("code", "")), str(item.get("detail", "")))
        for item in items
        if isinstance(item, dict)
    ]


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _redirect(response: Response) -> str:
    """Say where a response redirects to, without credentials."""
    location = response.headers.get("Location", "")
    if response.status >= 400 or not location:
        return ""
    parts = urlsplit(location)
    host = parts.netloc.rpartition("@")[2]
    shown = urlunsplit((parts.scheme, host, parts.path, "", ""))
    return f"the server redirects to {shown}; redirects are not followed: give that address as the URL"
