import json
from collections.abc import AsyncIterator, Callable, Iterator

import httpx
import pytest

from sininho import ForbiddenError, NotFoundError, ResponseError, UnreachableError

from .world import ID, Both, notification, problem, script


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A stream that sends some bytes and then is cut."""

    def __init__(self, *chunks: bytes, failure: Exception | None = None) -> None:
        self.chunks = chunks
        self.failure = failure

    def __iter__(self) -> Iterator[bytes]:
        yield from self.chunks
        if self.failure:
            raise self.failure

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


def opened(*chunks: bytes, failure: Exception | None = None) -> httpx.Response:
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Cut(*chunks, failure=failure))


def event(kind: str, data: object, id: str = "") -> bytes:
    position = f"id: {id}\n" if id else ""
    return f"{position}event: {kind}\ndata: {json.dumps(data)}\n\n".encode()


def test_yields_events(both: Both) -> None:
    body = b"".join(
        [
            b"retry: 1000\nid: 41\n\n",
            event("notification", notification("Um"), "42"),
            event("later", {}, "43"),
            event("corrected", notification("Dois"), "44"),
            event("withdrawn", {"id": ID, "channelId": ID}, "45"),
            event("read", {"notificationId": ID, "readAt": "2026-03-01T12:00:00.123456789Z", "archived": False}),
            event("reset", {}, "46"),
        ]
    )
    server = script(opened(body))
    client = both.client(server)
    events = both.take(lambda: client.feed.stream(last_event_id="40"), 5)
    assert [(each.type, each.id) for each in events] == [
        ("notification", "42"),
        ("corrected", "44"),
        ("withdrawn", "45"),
        ("read", "45"),
        ("reset", "46"),
    ]
    assert [each.notification.title for each in events[:2]] == ["Um", "Dois"]
    assert events[2].notification_id == ID
    assert events[3].read_at.isoformat() == "2026-03-01T12:00:00.123456+00:00"
    assert events[3].archived is False
    assert server.requests[0].headers["Last-Event-ID"] == "40"
    assert server.requests[0].url.path == "/api/v1/subscribers/notifications/stream"


def test_reconnects_after_the_last_event(both: Both, waits: list[float]) -> None:
    first = opened(b"retry: 2000\nid: 1\n\n", event("notification", notification("Um"), "2"), b"id: 3\ndata: cut")
    second = opened(b"id: 2\n\n" + event("notification", notification("Dois"), "3"), failure=httpx.ReadError("reset"))
    third = opened(b"id: 3\n\n" + event("notification", notification("Três"), "4"))
    server = script(first, second, httpx.ConnectError("refused"), problem(503, "unavailable"), third)
    connected: list[int] = []
    client = both.client(server)
    events = both.take(
        lambda: client.notifications.stream("acme/deploys", on_connect=lambda: connected.append(len(connected))), 3
    )
    assert [each.notification.title for each in events] == ["Um", "Dois", "Três"]
    assert [request.headers.get("Last-Event-ID") for request in server.requests] == [None, "2", "3", "3", "3"]
    assert connected == [0, 1, 2]
    assert waits == [2.25, 2.25, 2.5, 3.0]
    assert [response.is_closed for response in (first, second, third)] == [True, True, True]


@pytest.mark.parametrize(
    ("refusal", "error"),
    [
        (lambda: problem(404, "not_found"), NotFoundError),
        (lambda: problem(403, "forbidden"), ForbiddenError),
        (lambda: httpx.Response(200, text="<html>", headers={"Content-Type": "text/html"}), ResponseError),
        (lambda: opened(b"event: notification\ndata: {\n\n"), ResponseError),
        (lambda: opened(b"event: notification\ndata: {}\n\n"), ResponseError),
    ],
)
def test_ends_when_the_server_refuses(
    both: Both, refusal: Callable[[], httpx.Response], error: type[Exception]
) -> None:
    client = both.client(script(refusal()))
    with pytest.raises(error):
        both.take(lambda: client.notifications.stream("acme/deploys"))


def test_ends_if_it_never_connects(both: Both, waits: list[float]) -> None:
    server = script(*[httpx.ConnectError("refused") for _ in range(3)])
    client = both.client(server)
    with pytest.raises(UnreachableError):
        both.take(lambda: client.notifications.stream("acme/deploys"))
    assert len(server.requests) == 3


def test_waits_at_most_half_a_minute(both: Both, waits: list[float]) -> None:
    limited = problem(429, "too_many_requests")
    limited.headers["Retry-After"] = "3600"
    client = both.client(script(limited, opened(event("reset", {}))))
    both.take(lambda: client.notifications.stream("acme/deploys"), 1)
    assert waits == [30.0]
