"""Between the requests of the core and those of httpx, which both clients send."""

from __future__ import annotations

import platform
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from ..errors import CertificateError, ResponseError, UnreachableError
from ..version import __version__
from .exchange import Request, Response
from .settings import Settings
from .stream import IDLE

LARGEST_RESPONSE = 32 << 20
"""A full page of the longest notifications, with every character escaped, has about 13 MB."""


class Messages:
    """Builds the requests of one client, and reads responses."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def request(self, request: Request, timeout: float) -> httpx.Request:
        """Return the request of httpx for a call."""
        return self._build(request, httpx.Timeout(timeout))

    def stream_request(self, request: Request) -> httpx.Request:
        """Return the request of httpx for a stream, which may be silent for longer."""
        return self._build(request, httpx.Timeout(self._settings.timeout, read=IDLE))

    def _build(self, request: Request, timeout: httpx.Timeout) -> httpx.Request:
        headers = {
            "Accept": "application/json, application/problem+json",
            "User-Agent": f"sininho-python/{__version__} (+https://github.com/sininho/sininho)"
            f" Python/{platform.python_version()}",
            **request.headers,
        }
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        return httpx.Request(
            request.method,
            self._settings.base_url + request.path,
            params=dict(request.query) or None,
            headers=headers,
            content=request.content,
            extensions={"timeout": timeout.as_dict()},
        )

    def response(self, response: httpx.Response, body: bytes) -> Response:
        """Return the response with its body. An error never repeats the key."""
        key = self._settings.key.encode()
        if response.status_code >= 300 and key:
            body = body.replace(key, b"[redacted]")
        return Response(response.status_code, response.headers, body)


class Body:
    """Collects the body of a response within a time and a size."""

    def __init__(self, timeout: float) -> None:
        self._until = time.monotonic() + timeout
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Add bytes that were received."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._size > LARGEST_RESPONSE:
            raise ResponseError(f"unexpected response: more than {LARGEST_RESPONSE} bytes")
        if time.monotonic() > self._until:
            raise UnreachableError("the server took too long to respond")

    def bytes(self) -> bytes:
        """Return all of the body."""
        return b"".join(self._chunks)


@contextmanager
def named(request: Request) -> Iterator[None]:
    """Turn errors of httpx into ours, which name the request."""
    try:
        yield
    except httpx.HTTPError as error:
        kind = CertificateError if _is_about_certificate(error) else UnreachableError
        reason = str(error) or type(error).__name__
        raise kind(f"{request.method} {request.path}: the server could not be reached: {reason}") from error


def _is_about_certificate(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
