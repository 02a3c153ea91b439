"""A live stream across its connections."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import Any

from ..errors import ApiError, CertificateError, ResponseError, SininhoError, UnreachableError
from ..event import Event, EventType
from ..notification import Notification
from .api import Api, refusal
from .eventstream import Block, EventStream
from .exchange import Open, Read, Reply, Request, Response, Wait
from .retry import jitter
from .settings import log
from .wire import from_json, parse_time

IDLE = 75.0
"""The longest silence before a connection counts as dead, in seconds; servers send a comment every 15."""
LONGEST_WAIT = 30.0

Stream = Generator[Open | Read | Wait | Event, Reply, None]


class Follower:
    """Follows one stream, and reconnects after the last event whenever the connection is lost."""

    def __init__(self, api: Api, path: str, last_event_id: str, on_connect: Callable[[], None] | None) -> None:
        self._api = api
        self._path = path
        self._last_id = last_event_id
        self._on_connect = on_connect
        self._retry = 0.0
        self._failures = 0
        self._was_connected = False

    def events(self) -> Stream:
        """Yield events between the steps that get them, without end. Fails if the server refuses the stream."""
        while True:
            try:
                yield from self._connection()
            except SininhoError as error:
                if self._is_final(error):
                    raise
                wait = self._wait(error)
                log.info("%s: connecting again in %.1f s after: %s", self._path, wait, error)
            self._failures += 1
            yield Wait(wait)

    def _is_final(self, error: SininhoError) -> bool:
        if isinstance(error, ApiError):
            if error.status != 429 and error.status < 500:
                return True
        elif isinstance(error, CertificateError) or not isinstance(error, UnreachableError):
            return True
        return not self._was_connected and self._failures >= self._api.settings.retries

    def _wait(self, error: SininhoError) -> float:
        asked = error.retry_after if isinstance(error, ApiError) else 0.0
        return min(LONGEST_WAIT, self._retry + jitter(self._failures) + asked)

    def _connection(self) -> Stream:
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self._last_id:
            headers["Last-Event-ID"] = self._last_id
        request = Request("GET", self._path, {}, headers)
        response = yield Open(request)
        if not isinstance(response, Response):
            raise TypeError("the reply to Open is a Response")
        _check(request, response)
        self._was_connected = True
        parser, is_first = EventStream(self._last_id), True
        while True:
            chunk = yield Read()
            if not isinstance(chunk, bytes) or not chunk:
                raise UnreachableError("the stream ended")
            self._failures = 0
            for block in parser.push(chunk):
                # Only now the position is known: from here on nothing is missed.
                self._last_id = block.id
                if is_first and self._on_connect:
                    self._on_connect()
                is_first = False
                event = event_of(block)
                if event:
                    yield event
            self._retry = parser.retry or self._retry


def _check(request: Request, response: Response) -> None:
    if response.status != 200:
        raise refusal(request, response)
    kind = str(response.headers.get("Content-Type", ""))
    if kind.partition(";")[0].strip().lower() != "text/event-stream":
        raise ResponseError(f"unexpected response: {kind!r} instead of events; is the URL right?")


def event_of(block: Block) -> Event | None:
    """Return the event of a block, or None if it has none that this version knows."""
    if block.kind not in ("notification", "corrected", "withdrawn", "read", "reset"):
        return None
    try:
        data = json.loads(block.data)
    except ValueError as error:
        raise ResponseError(f"unexpected response: event {block.kind}: {error}") from None
    if block.kind in ("notification", "corrected"):
        notification = from_json(Notification, data)
        kind: EventType = "notification" if block.kind == "notification" else "corrected"
        return Event(kind, block.id, notification, notification.id)
    if block.kind == "withdrawn":
        return Event("withdrawn", block.id, notification_id=_member(data, "id"))
    return _read(block, data) if block.kind == "read" else Event("reset", block.id)


def _read(block: Block, data: Any) -> Event:
    archived = data.get("archived") if isinstance(data, dict) else None
    return Event(
        "read",
        block.id,
        notification_id=_member(data, "notificationId"),
        channel_id=_member(data, "channelId"),
        read_at=parse_time(data["readAt"]) if data.get("readAt") else None,
        archived=archived if isinstance(archived, bool) else None,
        snoozed_until=parse_time(data["snoozedUntil"]) if data.get("snoozedUntil") else None,
        returned=data.get("returned") is True,
    )


def _member(data: Any, name: str) -> str:
    value = data.get(name, "") if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise ResponseError(f"unexpected response: an event without {name}")
    return value
