"""What happens in a channel or a feed, as streams report it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .notification import Notification

EventType = Literal["notification", "corrected", "withdrawn", "read", "reset"]


@dataclass(frozen=True)
class Event:
    """A change in a channel or a feed. Streams skip events of types that this version does not know.

    - `notification`: `notification` was published, or is visible again.
    - `corrected`: `notification`, published earlier, was changed.
    - `withdrawn`: the notification `notification_id` is no longer visible.
    - `read`: only on the stream of a feed: `notification_id` was marked read or unread, archived or postponed on
      another device, or is back; or all of `channel_id` was read, or the whole feed if both are empty.
    - `reset`: missed events are no longer stored; fetch the list again.
    """

    type: EventType
    id: str = ""
    """The position on the stream, from which `last_event_id` can continue."""
    notification: Notification | None = None
    notification_id: str = ""
    channel_id: str = ""
    read_at: datetime | None = None
    """When the notification was read; None if it became unread."""
    archived: bool | None = None
    """True if the notification left the feed, False if it returned."""
    snoozed_until: datetime | None = None
    returned: bool = False
    """Whether the notification returned because it was postponed until now."""
