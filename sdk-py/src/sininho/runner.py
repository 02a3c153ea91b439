"""Carries out the steps of the core in a thread."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TypeVar

import httpx

from ._core.exchange import Call, Open, Read, Reply, Request, Response, Send, Wait
from ._core.http import Body, Messages, named
from ._core.listing import Listing, Walk
from ._core.stream import Stream
from .errors import SininhoError
from .event import Event

T = TypeVar("T")


class Runner:
    """Carries out the steps of calls and streams. Without a client of httpx it has one of its own."""

    def __init__(self, messages: Messages, http: httpx.Client | None) -> None:
        self._messages = messages
        self._http = http or httpx.Client()
        self._close = None if http else weakref.finalize(self, self._http.close)  # by the last that uses it

    def close(self) -> None:
        """Close the connections, unless they are those of another client."""
        if self._close:
            self._close()

    def run(self, call: Call[T]) -> T:
        """Carry out a call, and return its result."""
        try:
            step = next(call)
            while True:
                try:
                    reply = self._do(step)
                except SininhoError as error:
                    step = call.throw(error)
                else:
                    step = call.send(reply)
        except StopIteration as done:
            result: T = done.value
            return result

    def all(self, listing: Listing[T], page_size: int) -> Iterator[T]:
        """Iterate over a list, fetching pages as the loop proceeds."""
        walk = Walk(listing, page_size)
        while (call := walk.next()) is not None:
            yield from walk.take(self.run(call))

    def stream(self, steps: Stream) -> Iterator[Event]:
        """Carry out the steps of a stream, and yield its events."""
        with closing(steps), ExitStack() as connection:
            chunks: Iterator[bytes] | None = None
            reply: Reply = None
            failure: SininhoError | None = None
            while True:
                step = steps.throw(failure) if failure else steps.send(reply)
                reply = failure = None
                if isinstance(step, Event):
                    yield step
                    continue
                try:
                    if isinstance(step, Read):
                        reply = next(chunks, b"") if chunks else b""
                    elif isinstance(step, Open):
                        connection.close()
                        reply, chunks = self._open(step.request, connection)
                    else:
                        connection.close()
                        time.sleep(step.seconds)
                except SininhoError as error:
                    failure = error

    def _do(self, step: Send | Wait) -> Response | None:
        if isinstance(step, Wait):
            time.sleep(step.seconds)
            return None
        with named(step.request):
            request = self._messages.request(step.request, step.timeout)
            body = Body(step.timeout)
            with closing(self._http.send(request, stream=True, follow_redirects=False)) as response:
                for chunk in response.iter_bytes():
                    body.add(chunk)
        return self._messages.response(response, body.bytes())

    def _open(self, request: Request, connection: ExitStack) -> tuple[Response, Iterator[bytes]]:
        with named(request):
            response = self._http.send(self._messages.stream_request(request), stream=True, follow_redirects=False)
            connection.callback(response.close)
            body = b"" if response.status_code == 200 else response.read()
        return self._messages.response(response, body), _chunks(request, response)


def _chunks(request: Request, response: httpx.Response) -> Iterator[bytes]:
    with named(request):
        yield from response.iter_bytes()
