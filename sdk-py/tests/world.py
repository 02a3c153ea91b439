"""A server of the tests that answers what a test says, for both clients."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from sininho import AsyncSininho, Sininho

T = TypeVar("T")
Handler = Callable[[httpx.Request], httpx.Response]

URL = "https://sininho.example.com"
KEY = "snh_live_segredo"
ID = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"


def notification(title: str = "Olá", id: str = ID) -> dict[str, Any]:
    """Return a notification as the API has it."""
    channel = {"id": ID, "publisherSlug": "acme", "slug": "deploys", "name": "Deploys"}
    return {"id": id, "channel": channel, "title": title, "body": "", "importance": "normal"}


def problem(status: int, code: str, detail: str = "", **more: Any) -> httpx.Response:
    """Return an error response of the API."""
    body = {"type": "about:blank", "title": "", "status": status, "code": code, "requestId": "r-1", "detail": detail}
    return httpx.Response(status, content=json.dumps(body | more), headers={"Content-Type": "application/problem+json"})


@dataclass
class Server:
    """Answers by a handler, and keeps the requests."""

    handler: Handler
    requests: list[httpx.Request] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self.handler(request)

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests if request.content]


def script(*responses: httpx.Response | Exception) -> Server:
    """Return a server that answers with these in turn."""
    left = list(responses)

    def handler(request: httpx.Request) -> httpx.Response:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Server(handler)


def client(server: Server, **options: Any) -> Sininho:
    """Return a client of a server, for threads."""
    http = httpx.Client(transport=httpx.MockTransport(server))
    return Sininho(URL, **{"api_key": KEY, "http": http, **options})


def async_client(server: Server, **options: Any) -> AsyncSininho:
    """Return a client of a server, for asyncio."""
    http = httpx.AsyncClient(transport=httpx.MockTransport(server))
    return AsyncSininho(URL, **{"api_key": KEY, "http": http, **options})


class Both:
    """Calls either client in the same way."""

    def __init__(self, name: str) -> None:
        self.name = name

    def client(self, server: Server, **options: Any) -> Any:
        return (client if self.name == "threads" else async_client)(server, **options)

    def result(self, call: Callable[[], Any]) -> Any:
        """Return what a call returns."""

        async def wait() -> Any:
            returned = call()
            return await returned if inspect.isawaitable(returned) else returned

        return call() if self.name == "threads" else asyncio.run(wait())

    def take(self, iterate: Callable[[], Any], count: int = 1_000_000) -> list[Any]:
        """Return the first items that an iterator yields."""
        if self.name == "threads":
            return _take(iterate(), count)
        return asyncio.run(_take_async(iterate, count))


def _take(items: Iterator[T], count: int) -> list[T]:
    taken: list[T] = []
    while len(taken) < count and (item := next(items, None)) is not None:
        taken.append(item)
    close = getattr(items, "close", None)
    if close:
        close()
    return taken


async def _take_async(iterate: Callable[[], AsyncIterator[T]], count: int) -> list[T]:
    items = iterate()
    taken: list[T] = []
    while len(taken) < count and (item := await anext(items, None)) is not None:
        taken.append(item)
    await items.aclose()  # type: ignore[attr-defined] # it is a generator
    return taken
