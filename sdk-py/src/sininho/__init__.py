"""The client of Sininho, a notification platform: publish, read, follow live, and verify webhooks.

    from sininho import Sininho

    Sininho().notifications.publish("acme/deploys", title="Version 42 is live")

Sininho is for programs with threads, AsyncSininho for asyncio. `sininho.webhook` verifies webhooks.
"""

from . import webhook
from ._core.feed import FeedFilter
from ._core.job import Job
from .asyncclient import AsyncChannels, AsyncFeed, AsyncNotifications, AsyncSininho
from .asyncrun import AsyncRun
from .channel import CategoryRef, Channel, PublisherRef, Suspension
from .client import Channels, Feed, Notifications, Sininho
from .errors import (
    ApiError,
    CertificateError,
    ChangedError,
    ConflictError,
    Fault,
    ForbiddenError,
    InputError,
    InvalidError,
    NotFoundError,
    RateLimitedError,
    ResponseError,
    SettingsError,
    SininhoError,
    UnauthorizedError,
    UnreachableError,
)
from .event import Event, EventType
from .notification import (
    Adjustment,
    BatchedNotification,
    BatchResult,
    ChannelRef,
    Correction,
    Importance,
    Notification,
    NotificationFields,
    PublishResult,
)
from .page import Page
from .run import Run
from .version import __version__

__all__ = [
    "Adjustment",
    "ApiError",
    "AsyncChannels",
    "AsyncFeed",
    "AsyncNotifications",
    "AsyncRun",
    "AsyncSininho",
    "BatchResult",
    "BatchedNotification",
    "CategoryRef",
    "CertificateError",
    "ChangedError",
    "Channel",
    "ChannelRef",
    "Channels",
    "ConflictError",
    "Correction",
    "Event",
    "EventType",
    "Fault",
    "Feed",
    "FeedFilter",
    "ForbiddenError",
    "Importance",
    "InputError",
    "InvalidError",
    "Job",
    "NotFoundError",
    "Notification",
    "NotificationFields",
    "Notifications",
    "Page",
    "PublishResult",
    "PublisherRef",
    "RateLimitedError",
    "ResponseError",
    "Run",
    "SettingsError",
    "Sininho",
    "SininhoError",
    "Suspension",
    "UnauthorizedError",
    "UnreachableError",
    "__version__",
    "webhook",
]
