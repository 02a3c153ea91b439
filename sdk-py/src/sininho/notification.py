"""Notifications: what is published, and what is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypedDict

Importance = Literal["normal", "important"]


class NotificationFields(TypedDict, total=False):
    """What a notification is published with. Only `title` is required."""

    title: str
    """1 to 200 characters."""
    body: str
    """At most 20,000 characters, stored as they are."""
    image: str
    icon: str
    link: str
    importance: Importance
    data: Mapping[str, str]
    """At most 20 values of at most 500 characters each, for use by programs."""
    external_id: str
    """Your own id. A channel never accepts the same id twice: it returns the existing notification."""
    scheduled_at: datetime
    """When to publish, at most a year ahead; with a time zone."""
    expires_at: datetime
    """When the notification disappears from every feed, list and device; with a time zone."""


class Correction(TypedDict, total=False):
    """What to change of a notification. None removes a value."""

    title: str
    body: str
    image: str | None
    icon: str | None
    link: str | None
    importance: Importance
    data: Mapping[str, str]
    """Replaces all of it."""
    scheduled_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True)
class ChannelRef:
    """The channel of a notification, abbreviated."""

    id: str
    publisher_slug: str
    slug: str
    name: str
    icon: str = ""
    icon_proxy: str = ""
    private: bool = False

    @property
    def address(self) -> str:
        """The address as `publisher/channel`."""
        return f"{self.publisher_slug}/{self.slug}"


@dataclass(frozen=True)
class Adjustment:
    """One thing that the server had to cut, drop or rewrite of a text."""

    pointer: str
    reason: str


@dataclass(frozen=True)
class Notification:
    """A notification in a channel. Absent texts are empty, and absent times are None."""

    id: str
    channel: ChannelRef
    title: str
    body: str
    importance: str
    """`normal` or `important`; later versions may add more."""
    image: str = ""
    image_proxy: str = ""
    icon: str = ""
    icon_proxy: str = ""
    link: str = ""
    data: dict[str, str] = field(default_factory=dict)
    external_id: str = ""
    published_at: datetime | None = None
    """None while the notification is only scheduled."""
    scheduled_at: datetime | None = None
    expires_at: datetime | None = None
    edited_at: datetime | None = None
    read_at: datetime | None = None
    archived_at: datetime | None = None
    snoozed_until: datetime | None = None
    adjusted: list[Adjustment] = field(default_factory=list)
    """What the server had to mend; only in the response to publishing a text."""
    version: str = field(default="", metadata={"header": "ETag"})
    """Set by `publish`, `get` and `correct`, for `if_version`."""


@dataclass(frozen=True)
class PublishResult:
    """The result of a publish."""

    notification: Notification
    """The new notification or, if nothing was published, the existing one."""
    created: bool
    """Whether this call published the notification."""
    existing: bool
    """Whether the channel already had the external id."""
    replayed: bool
    """Whether the response is that of an earlier request with the same idempotency key."""


@dataclass(frozen=True)
class BatchedNotification:
    """The result of one notification of a batch."""

    id: str
    outcome: str
    """`created`, or `existing` if the channel already had the external id."""

    @property
    def existing(self) -> bool:
        """Whether nothing was published, because the channel already had the external id."""
        return self.outcome == "existing"


@dataclass(frozen=True)
class BatchResult:
    """The result of publishing a batch."""

    notifications: list[BatchedNotification]
    """The result of each, in the order in which they were given."""
    replayed: bool
    """Whether the response is that of an earlier request with the same idempotency key."""
