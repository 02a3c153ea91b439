"""The calls about the feed of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from ..notification import Notification
from .address import checked_id
from .api import Api, body_of, json_request, query_of
from .exchange import Call
from .listing import Listing
from .notifications import notification_listing
from .stream import Follower, Stream
from .wire import from_json

_path = "/subscribers/notifications"


class FeedFilter(TypedDict, total=False):
    """What to list of a feed. Without any, all of it but archived and postponed notifications."""

    unread: bool
    """Leaves out what was read."""
    important: bool
    """Leaves out what is of normal importance."""
    archived: bool
    """The archived notifications instead."""
    snoozed: bool
    """The postponed notifications instead."""
    channel_id: str
    """Only those of one channel that the person follows."""
    search: str
    """At most 8 words, each the beginning of one in title or body, ignoring case and accents."""


class FeedCalls:
    """The calls about the feed of a person."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, id: str) -> Call[Notification]:
        """Return one notification."""
        response = yield from self._api.get(f"{_path}/{checked_id(id)}")
        return from_json(Notification, body_of(response))

    def update(self, id: str, read: bool | None, archived: bool | None) -> Call[Notification]:
        """Change what the person did with a notification."""
        given = {"read": read, "archived": archived}
        changes = {name: value for name, value in given.items() if value is not None}
        response = yield from self._api.call(json_request("PATCH", f"{_path}/{checked_id(id)}", changes))
        return from_json(Notification, body_of(response))

    def listing(self, choice: FeedFilter) -> Listing[Notification]:
        """Return the list of the feed's notifications."""
        unknown = choice.keys() - FeedFilter.__annotations__.keys()
        if unknown:
            raise TypeError(f"unexpected filter {min(unknown)!r}")
        query = query_of(
            unread=choice.get("unread"),
            important=choice.get("important"),
            archived=choice.get("archived"),
            snoozed=choice.get("snoozed"),
            channelId=choice.get("channel_id"),
            q=choice.get("search"),
        )
        return notification_listing(self._api, _path, query)

    def stream(self, last_event_id: str, on_connect: Callable[[], None] | None) -> Stream:
        """Follow the feed."""
        return Follower(self._api, f"{_path}/stream", last_event_id, on_connect).events()
