"""Channels, as lists and `get` return them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class PublisherRef:
    """The publisher of a channel, abbreviated."""

    id: str
    slug: str
    name: str
    website: str = ""
    avatar: str = ""
    avatar_proxy: str = ""


@dataclass(frozen=True)
class CategoryRef:
    """The category of a channel, abbreviated."""

    id: str
    slug: str
    name: str


@dataclass(frozen=True)
class Suspension:
    """Why and since when an operator withholds a channel."""

    reason: str
    suspended_at: datetime


@dataclass(frozen=True)
class Channel:
    """A publisher's channel. Absent texts are empty; other absent values are None."""

    id: str
    publisher_slug: str
    slug: str
    name: str
    description: str
    publisher: PublisherRef
    category: CategoryRef
    visibility: str
    subscriber_count: int
    notification_count: int
    created_at: datetime
    icon: str = ""
    icon_proxy: str = ""
    keep_days: int | None = None
    keep_count: int | None = None
    last_published_at: datetime | None = None
    following: bool | None = None
    """Whether the signed-in caller follows it; None for other callers."""
    demonstration: bool = False
    suspension: Suspension | None = None

    @property
    def address(self) -> str:
        """The address as `publisher/channel`."""
        return f"{self.publisher_slug}/{self.slug}"
