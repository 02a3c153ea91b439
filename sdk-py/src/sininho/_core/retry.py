"""When to send a request again, and how long to wait before."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

from ..errors import CertificateError, UnreachableError
from .exchange import Call, Request, Response, Wait, send
from .settings import log

FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0
"""If the server asks for a longer wait, the call fails, and `retry_after` of its error is that wait."""
_most_seconds = 1 << 30


class Limit:
    """Until when a call may take, which may be set while it is under way."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: float | None = None

    def end_in(self, seconds: float) -> None:
        """Let the call take this much longer."""
        self._until = self._clock() + seconds

    def remaining(self) -> float:
        """Return the seconds that are left: without an end, infinity."""
        return float("inf") if self._until is None else max(0.0, self._until - self._clock())


@dataclass(frozen=True)
class Patience:
    """How often to try again, how long an attempt may take, and until when the call may."""

    retries: int
    timeout: float
    limit: Limit


def attempts(request: Request, patience: Patience) -> Call[Response]:
    """Send a request until the result is final, and return the last response. Fails with UnreachableError."""
    attempt = 0
    while True:
        response = failure = None
        try:
            response = yield from send(request, min(patience.timeout, max(0.001, patience.limit.remaining())))
        except UnreachableError as error:
            failure = error
        wait = None if attempt >= patience.retries else wait_before_next(request, response, failure, attempt)
        if wait is None or wait >= patience.limit.remaining():
            break
        log.info(
            "%s %s: trying again in %.1f s after %s",
            request.method,
            request.path,
            wait,
            failure or (response and response.status),
        )
        yield Wait(wait)
        attempt += 1
    if response is None:
        raise failure or UnreachableError("no attempt was made")
    return response


def wait_before_next(
    request: Request, response: Response | None, failure: UnreachableError | None, attempt: int
) -> float | None:
    """Return the seconds to wait before the next attempt, or None if it is useless or could act twice."""
    if not _is_worth_another(request, response, failure):
        return None
    asked = retry_after(response.headers) if response else 0.0
    if asked > LONGEST_RETRY_AFTER:
        return None
    return asked + jitter(attempt)


def _is_worth_another(request: Request, response: Response | None, failure: UnreachableError | None) -> bool:
    if response is None:
        return request.is_repeatable and not isinstance(failure, CertificateError)
    if response.status == 429:
        return True  # it was refused before anything was done
    if response.status == 409:
        return code_of(response) == "idempotency_in_flight"
    return request.is_repeatable and response.status >= 500 and response.status != 501


def jitter(attempt: int) -> float:
    """Return random seconds up to a bound that doubles with each attempt."""
    return random.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt, 16)))  # noqa: S311 - it spreads load


def retry_after(headers: httpx.Headers) -> float:
    """Return how many seconds the header Retry-After asks to wait: it has a number or a date (RFC 9110, 10.2.3)."""
    value = headers.get("Retry-After", "")
    if value.isascii() and value.isdigit():
        return float(min(int(value[:12]), _most_seconds))
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return min(max(0.0, (at - datetime.now(timezone.utc)).total_seconds()), float(_most_seconds))


def code_of(response: Response) -> str:
    """Return the code of the problem in a response, or an empty text."""
    try:
        problem = json.loads(response.body)
    except ValueError:
        return ""
    code = problem.get("code") if isinstance(problem, dict) else None
    return code if isinstance(code, str) else ""
