"""The calls about the notifications of channels."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from ..errors import input_error
from ..notification import (
    BatchedNotification,
    BatchResult,
    Correction,
    Notification,
    NotificationFields,
    PublishResult,
)
from .address import channel_path, checked_id
from .api import Api, body_of, json_request, key_header, query_of, version_header
from .exchange import Call, Request, Response
from .listing import Listing
from .retry import Patience
from .stream import Follower, Stream
from .wire import from_json, to_json


class NotificationCalls:
    """The calls about the notifications of channels."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def publish(
        self,
        channel: str,
        text: str | None,
        fields: NotificationFields,
        key: str | None,
        patience: Patience | None = None,
    ) -> Call[PublishResult]:
        """Publish one notification."""
        path = channel_path(channel) + "/notifications"
        members = to_json(fields, NotificationFields)
        if text is None:
            request = json_request("POST", path, members, key_header(key))
        else:
            request = _text_request(path, text, members, key_header(key))
        response = yield from self._api.call(request, patience)
        existing, replayed = response.status == 200, _is_replayed(response)
        return PublishResult(_notification(response), not existing and not replayed, existing, replayed)

    def publish_batch(
        self, channel: str, notifications: Sequence[NotificationFields], key: str | None
    ) -> Call[BatchResult]:
        """Publish many notifications, all or none."""
        path = channel_path(channel) + "/notifications/batch"
        members = [
            to_json(fields, NotificationFields, f"#/notifications/{index}/")
            for index, fields in enumerate(notifications)
        ]
        response = yield from self._api.call(json_request("POST", path, {"notifications": members}, key_header(key)))
        results = [from_json(BatchedNotification, each) for each in body_of(response)["data"]]
        return BatchResult(results, _is_replayed(response))

    def get(self, channel: str, id: str) -> Call[Notification]:
        """Return one notification."""
        return _notification((yield from self._api.get(_path(channel, id))))

    def get_by_external_id(self, channel: str, external_id: str) -> Call[Notification | None]:
        """Return the notification with an id of the publisher's own."""
        path = channel_path(channel) + "/notifications"
        response = yield from self._api.call(Request("GET", path, {"externalId": external_id}, {}))
        found = body_of(response)["data"]
        return from_json(Notification, found[0]) if found else None

    def correct(
        self,
        channel: str,
        id: str,
        changes: Correction,
        if_version: str | None,
        patience: Patience | None = None,
    ) -> Call[Notification]:
        """Change a notification."""
        members = to_json(changes, Correction)
        request = json_request("PATCH", _path(channel, id), members, version_header(if_version))
        return _notification((yield from self._api.call(request, patience)))

    def withdraw(self, channel: str, id: str, if_version: str | None, patience: Patience | None = None) -> Call[None]:
        """Withdraw a notification."""
        request = Request("DELETE", _path(channel, id), {}, version_header(if_version))
        yield from self._api.call(request, patience)

    def listing(self, channel: str, scheduled: bool) -> Listing[Notification]:
        """Return the list of a channel's notifications."""
        path = channel_path(channel) + "/notifications"
        return notification_listing(self._api, path, query_of(scheduled=scheduled))

    def stream(self, channel: str, last_event_id: str, on_connect: Callable[[], None] | None) -> Stream:
        """Follow a channel."""
        path = channel_path(channel) + "/notifications/stream"
        return Follower(self._api, path, last_event_id, on_connect).events()


def notification_listing(api: Api, path: str, query: dict[str, str]) -> Listing[Notification]:
    """Return a list of notifications."""
    return Listing(api, path, query, lambda item: from_json(Notification, item), lambda item: item.id)


def _path(channel: str, id: str) -> str:
    return f"{channel_path(channel)}/notifications/{checked_id(id)}"


def _text_request(path: str, text: str, members: dict[str, object], headers: dict[str, str]) -> Request:
    """Return the request for a text, which the server mends: a form, because a text that begins with { is JSON."""
    if "body" in members:
        raise input_error("#/body", "invalid", "is given twice: the text is the body")
    if "data" in members:
        raise input_error("#/data", "invalid", "cannot go with a text; give title and body instead")
    form = {**members, **to_json({"body": text}, NotificationFields)}
    content = urlencode({name: str(value) for name, value in form.items()}).encode()
    return Request("POST", path, {}, {"Content-Type": "application/x-www-form-urlencoded", **headers}, content)


def _notification(response: Response) -> Notification:
    notification = from_json(Notification, body_of(response))
    return dataclasses.replace(notification, version=response.headers.get("ETag", ""))


def _is_replayed(response: Response) -> bool:
    return bool(response.headers.get("Idempotency-Replayed") == "true")
