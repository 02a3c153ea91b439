"""The client for asyncio. Its methods are those of Sininho, where they are described."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._core import raw
from ._core.api import Api
from ._core.channels import ChannelCalls
from ._core.feed import FeedCalls
from ._core.http import Messages
from ._core.job import JobCalls, JobOptions
from ._core.notifications import NotificationCalls
from ._core.settings import settings_from
from .asyncrun import AsyncRun
from .asyncrunner import AsyncRunner
from .channel import Channel
from .event import Event
from .notification import BatchResult, Correction, Notification, NotificationFields, PublishResult
from .page import Page

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core.feed import FeedFilter


class AsyncSininho:
    """A client of one server, for asyncio: as Sininho, with `await`, `async for` and `async with`."""

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        retries: int = 2,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        settings = settings_from(url, api_key, retries, timeout)
        self._api = Api(settings)
        self._runner = AsyncRunner(Messages(settings), http)
        self._calls = NotificationCalls(self._api)
        self.notifications = AsyncNotifications(self._calls, self._runner)
        self.channels = AsyncChannels(ChannelCalls(self._api), self._runner)
        self.feed = AsyncFeed(FeedCalls(self._api), self._runner)

    def run(
        self, channel: str, title: str, *, only_failure: bool = False, lines: int = 20, patience: float = 60.0
    ) -> AsyncRun:
        """Say that a piece of work began, and how it ended: for `async with`, and as a decorator."""
        options = JobOptions(channel, title, only_failure, lines, patience).checked()
        return AsyncRun(self._runner, functools.partial(JobCalls, self._calls, options, self._api.settings.timeout))

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        json: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Call any operation of the contract, and return the JSON of its response."""
        return await self._runner.run(raw.request(self._api, method, path, query, json, idempotency_key))

    def items(self, path: str, *, query: Mapping[str, str] | None = None) -> AsyncIterator[dict[str, Any]]:
        """Iterate over all items of any list of the contract."""
        return self._runner.all(raw.listing(self._api, path, query), 100)

    async def close(self) -> None:
        """Close the connections."""
        await self._runner.close()

    async def __aenter__(self) -> AsyncSininho:
        """Return the client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.close()


class AsyncNotifications:
    """Publishes notifications to channels, and reads them. Each method takes a channel as `publisher/channel`."""

    def __init__(self, calls: NotificationCalls, runner: AsyncRunner) -> None:
        self._calls = calls
        self._runner = runner

    async def publish(
        self,
        channel: str,
        text: str | None = None,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[NotificationFields],
    ) -> PublishResult:
        """Publish a notification: its fields, or a text, which the server mends."""
        return await self._runner.run(self._calls.publish(channel, text, fields, idempotency_key))

    async def publish_batch(
        self, channel: str, notifications: Sequence[NotificationFields], *, idempotency_key: str | None = None
    ) -> BatchResult:
        """Publish 1 to 1,000 notifications in their order: all of them or, if it fails, none."""
        return await self._runner.run(self._calls.publish_batch(channel, notifications, idempotency_key))

    async def get(self, channel: str, id: str) -> Notification:
        """Return one notification."""
        return await self._runner.run(self._calls.get(channel, id))

    async def get_by_external_id(self, channel: str, external_id: str) -> Notification | None:
        """Return the notification with an id of your own, or None."""
        return await self._runner.run(self._calls.get_by_external_id(channel, external_id))

    async def correct(
        self, channel: str, id: str, *, if_version: str | None = None, **changes: Unpack[Correction]
    ) -> Notification:
        """Change a notification for every reader."""
        return await self._runner.run(self._calls.correct(channel, id, changes, if_version))

    async def withdraw(self, channel: str, id: str, *, if_version: str | None = None) -> None:
        """Remove a notification from every feed; a scheduled one is never published."""
        await self._runner.run(self._calls.withdraw(channel, id, if_version))

    def list(self, channel: str, *, scheduled: bool = False, page_size: int = 50) -> AsyncIterator[Notification]:
        """Iterate over all notifications, newest first, or over those still to be published, soonest first."""
        return self._runner.all(self._calls.listing(channel, scheduled), page_size)

    async def page(
        self,
        channel: str,
        *,
        scheduled: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        offset: int | None = None,
    ) -> Page[Notification]:
        """Return one page, with the total and the cursor of the next."""
        return await self._runner.run(self._calls.listing(channel, scheduled).page(limit, cursor, offset))

    def stream(
        self, channel: str, *, last_event_id: str = "", on_connect: Callable[[], None] | None = None
    ) -> AsyncIterator[Event]:
        """Follow a channel live, from now on or after the event `last_event_id`."""
        return self._runner.stream(self._calls.stream(channel, last_event_id, on_connect))


class AsyncChannels:
    """Finds channels."""

    def __init__(self, calls: ChannelCalls, runner: AsyncRunner) -> None:
        self._calls = calls
        self._runner = runner

    async def get(self, channel: str) -> Channel:
        """Return one channel."""
        return await self._runner.run(self._calls.get(channel))

    def list(
        self,
        *,
        search: str | None = None,
        publisher: str | None = None,
        category: str | None = None,
        sort: str | None = None,
        page_size: int = 50,
    ) -> AsyncIterator[Channel]:
        """Iterate over all channels that match."""
        return self._runner.all(self._calls.listing(search, publisher, category, sort), page_size)

    async def page(
        self,
        *,
        search: str | None = None,
        publisher: str | None = None,
        category: str | None = None,
        sort: str | None = None,
        limit: int = 50,
        offset: int | None = None,
    ) -> Page[Channel]:
        """Return one page, with the total."""
        listing = self._calls.listing(search, publisher, category, sort)
        return await self._runner.run(listing.page(limit, None, offset))


class AsyncFeed:
    """Reads the notifications of all channels that a person follows. It needs their access token."""

    def __init__(self, calls: FeedCalls, runner: AsyncRunner) -> None:
        self._calls = calls
        self._runner = runner

    async def get(self, id: str) -> Notification:
        """Return one notification."""
        return await self._runner.run(self._calls.get(id))

    async def update(self, id: str, *, read: bool | None = None, archived: bool | None = None) -> Notification:
        """Mark a notification as read or unread, and as archived or not, on every device of the person."""
        return await self._runner.run(self._calls.update(id, read, archived))

    def list(self, *, page_size: int = 50, **choice: Unpack[FeedFilter]) -> AsyncIterator[Notification]:
        """Iterate over the feed, newest first."""
        return self._runner.all(self._calls.listing(choice), page_size)

    async def page(
        self, *, limit: int = 50, cursor: str | None = None, **choice: Unpack[FeedFilter]
    ) -> Page[Notification]:
        """Return one page, with the total, the number of unread ones and the cursor of the next."""
        return await self._runner.run(self._calls.listing(choice).page(limit, cursor))

    def stream(self, *, last_event_id: str = "", on_connect: Callable[[], None] | None = None) -> AsyncIterator[Event]:
        """Follow the feed live."""
        return self._runner.stream(self._calls.stream(last_event_id, on_connect))
