"""Carries out the steps of the core by asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, closing
from typing import TypeVar

import httpx

from ._core.exchange import Call, Open, Read, Reply, Request, Response, Send, Wait
from ._core.http import Body, Messages, named
from ._core.listing import Listing, Walk
from ._core.stream import Stream
from .errors import SininhoError
from .event import Event

T = TypeVar("T")


class AsyncRunner:
    """Carries out the steps of calls and streams. Without a client of httpx it has one of its own."""

    def __init__(self, messages: Messages, http: httpx.AsyncClient | None) -> None:
        self._messages = messages
        self._http = http or httpx.AsyncClient()
        self._is_owner = http is None

    async def close(self) -> None:
        """Close the connections, unless they are those of another client."""
        if self._is_owner:
            await self._http.aclose()

    async def run(self, call: Call[T]) -> T:
        """Carry out a call, and return its result."""
        try:
            step = next(call)
            while True:
                try:
                    reply = await self._do(step)
                except SininhoError as error:
                    step = call.throw(error)
                else:
                    step = call.send(reply)
        except StopIteration as done:
            result: T = done.value
            return result

    async def all(self, listing: Listing[T], page_size: int) -> AsyncIterator[T]:
        """Iterate over a list, fetching pages as the loop proceeds."""
        walk = Walk(listing, page_size)
        while (call := walk.next()) is not None:
            for item in walk.take(await self.run(call)):
                yield item

    async def stream(self, steps: Stream) -> AsyncIterator[Event]:
        """Carry out the steps of a stream, and yield its events."""
        with closing(steps):
            async with AsyncExitStack() as connection:
                chunks: AsyncIterator[bytes] | None = None
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
                            reply = await anext(chunks, b"") if chunks else b""
                        elif isinstance(step, Open):
                            await connection.aclose()
                            reply, chunks = await self._open(step.request, connection)
                        else:
                            await connection.aclose()
                            await asyncio.sleep(step.seconds)
                    except SininhoError as error:
                        failure = error

    async def _do(self, step: Send | Wait) -> Response | None:
        if isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
            return None
        with named(step.request):
            request = self._messages.request(step.request, step.timeout)
            body = Body(step.timeout)
            async with aclosing(await self._http.send(request, stream=True, follow_redirects=False)) as response:
                async for chunk in response.aiter_bytes():
                    body.add(chunk)
        return self._messages.response(response, body.bytes())

    async def _open(self, request: Request, connection: AsyncExitStack) -> tuple[Response, AsyncIterator[bytes]]:
        with named(request):
            built = self._messages.stream_request(request)
            response = await self._http.send(built, stream=True, follow_redirects=False)
            connection.push_async_callback(response.aclose)
            body = b"" if response.status_code == 200 else await response.aread()
        return self._messages.response(response, body), _chunks(request, response)


async def _chunks(request: Request, response: httpx.Response) -> AsyncIterator[bytes]:
    with named(request):
        async for chunk in response.aiter_bytes():
            yield chunk
