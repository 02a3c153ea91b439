"""Requests, responses, and the steps by which the core asks a client to act for it.

The core never sends, waits or reads by itself. Its calls are generators of steps: a client carries each step out, by
threads or by asyncio, and sends the result back.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A request, which can be sent several times."""

    method: str
    path: str
    """Appended to the base URL."""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it twice acts once."""
        return self.method != "POST" or "Idempotency-Key" in self.headers


@dataclass(frozen=True)
class Response:
    """A response. Its body is empty if it is a stream that was opened."""

    status: int
    headers: httpx.Headers
    body: bytes = b""


@dataclass(frozen=True)
class Send:
    """Send the request, and return its whole Response within a time in seconds."""

    request: Request
    timeout: float


@dataclass(frozen=True)
class Wait:
    """Wait for some seconds. An open stream is closed before."""

    seconds: float


@dataclass(frozen=True)
class Open:
    """Open a stream, and return its Response; with its body if the status is not 200."""

    request: Request


@dataclass(frozen=True)
class Read:
    """Return the next bytes of the open stream; none are its end."""


Reply = Response | bytes | None
Call = Generator[Send | Wait, Reply, T]


def send(request: Request, timeout: float) -> Call[Response]:
    """Send a request once."""
    reply = yield Send(request, timeout)
    if not isinstance(reply, Response):
        raise TypeError("the reply to Send is a Response")
    return reply
