"""The client for programs with threads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from .channel import Channel
from .event import Event
from .notification import BatchResult, Correction, Notification, NotificationFields, PublishResult
from .page import Page
from .run import Run
from .runner import Runner

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core.feed import FeedFilter


class Sininho:
    """A client of one server. Threads may share it; `close` it, or use it in a `with`, to close its connections.

    `url` is the server's address, with or without `/api/v1`; by default that in SININHO_URL, or a server on this
    machine. `api_key` is a publisher's API key (`snh_live_…`) or a person's access token (`sna_live_…`); by default
    that in SININHO_API_KEY or in the file that SININHO_API_KEY_FILE names. Without one, a client reads what is public.

    A call that fails temporarily is tried again `retries` times. `timeout` is that of an attempt, in seconds. `http`
    is a client of httpx of your own, for a proxy or other certificates, which is not closed.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        retries: int = 2,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        settings = settings_from(url, api_key, retries, timeout)
        self._api = Api(settings)
        self._runner = Runner(Messages(settings), http)
        self._calls = NotificationCalls(self._api)
        self.notifications = Notifications(self._calls, self._runner)
        self.channels = Channels(ChannelCalls(self._api), self._runner)
        self.feed = Feed(FeedCalls(self._api), self._runner)

    def run(
        self, channel: str, title: str, *, only_failure: bool = False, lines: int = 20, patience: float = 60.0
    ) -> Run:
        """Say that a piece of work began, and how it ended: for `with`, and as a decorator.

        When the work ends without an exception, the notification that it began is corrected, which rings nowhere.
        When it fails, an important notification takes its place, which rings. `only_failure` publishes nothing else.
        Both have how long it took and the last `lines` of what was written to the job.

        The work runs in any case: if the server is away, the client tries again, and after the end for `patience`
        seconds at most; then it logs a warning.
        """
        options = JobOptions(channel, title, only_failure, lines, patience).checked()
        return Run(self._runner, functools.partial(JobCalls, self._calls, options, self._api.settings.timeout))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        json: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Call any operation of the contract, such as GET /publishers/demo, and return the JSON of its response.

        A POST without an idempotency key is not tried again, unless the server has refused it for its rate.
        """
        return self._runner.run(raw.request(self._api, method, path, query, json, idempotency_key))

    def items(self, path: str, *, query: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
        """Iterate over all items of any list of the contract, such as /publishers."""
        return self._runner.all(raw.listing(self._api, path, query), 100)

    def close(self) -> None:
        """Close the connections."""
        self._runner.close()

    def __enter__(self) -> Sininho:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()


class Notifications:
    """Publishes notifications to channels, and reads them. Each method takes a channel as `publisher/channel`."""

    def __init__(self, calls: NotificationCalls, runner: Runner) -> None:
        self._calls = calls
        self._runner = runner

    def publish(
        self,
        channel: str,
        text: str | None = None,
        *,
        idempotency_key: str | None = None,
        **fields: Unpack[NotificationFields],
    ) -> PublishResult:
        """Publish a notification: its fields, or a text, which the server mends as `adjusted` says.

        The first line of a text is the title, unless there is a `title`, and the rest is the body.

        Once it returns, the notification is stored and will reach every follower. All attempts use one idempotency
        key, so at most one is published. Fails with InputError (nothing was sent), ApiError or UnreachableError.
        """
        return self._runner.run(self._calls.publish(channel, text, fields, idempotency_key))

    def publish_batch(
        self, channel: str, notifications: Sequence[NotificationFields], *, idempotency_key: str | None = None
    ) -> BatchResult:
        """Publish 1 to 1,000 notifications in their order: all of them or, if it fails, none."""
        return self._runner.run(self._calls.publish_batch(channel, notifications, idempotency_key))

    def get(self, channel: str, id: str) -> Notification:
        """Return one notification."""
        return self._runner.run(self._calls.get(channel, id))

    def get_by_external_id(self, channel: str, external_id: str) -> Notification | None:
        """Return the notification with an id of your own, or None."""
        return self._runner.run(self._calls.get_by_external_id(channel, external_id))

    def correct(
        self, channel: str, id: str, *, if_version: str | None = None, **changes: Unpack[Correction]
    ) -> Notification:
        """Change a notification for every reader. With another version than `if_version`, fail with ChangedError."""
        return self._runner.run(self._calls.correct(channel, id, changes, if_version))

    def withdraw(self, channel: str, id: str, *, if_version: str | None = None) -> None:
        """Remove a notification from every feed; a scheduled one is never published."""
        self._runner.run(self._calls.withdraw(channel, id, if_version))

    def list(self, channel: str, *, scheduled: bool = False, page_size: int = 50) -> Iterator[Notification]:
        """Iterate over all notifications, newest first, or over those still to be published, soonest first."""
        return self._runner.all(self._calls.listing(channel, scheduled), page_size)

    def page(
        self,
        channel: str,
        *,
        scheduled: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        offset: int | None = None,
    ) -> Page[Notification]:
        """Return one page, with the total and the cursor of the next. Those still to be published have offsets."""
        return self._runner.run(self._calls.listing(channel, scheduled).page(limit, cursor, offset))

    def stream(
        self, channel: str, *, last_event_id: str = "", on_connect: Callable[[], None] | None = None
    ) -> Iterator[Event]:
        """Follow a channel live, from now on or after the event `last_event_id`.

        Whenever the connection is lost, the stream reconnects after the last event, so that none is missed or
        repeated. It fails if the server refuses it, or if the first connection fails after the retries.
        `on_connect` is called each time from when on nothing is missed.
        """
        return self._runner.stream(self._calls.stream(channel, last_event_id, on_connect))


class Channels:
    """Finds channels."""

    def __init__(self, calls: ChannelCalls, runner: Runner) -> None:
        self._calls = calls
        self._runner = runner

    def get(self, channel: str) -> Channel:
        """Return one channel."""
        return self._runner.run(self._calls.get(channel))

    def list(
        self,
        *,
        search: str | None = None,
        publisher: str | None = None,
        category: str | None = None,
        sort: str | None = None,
        page_size: int = 50,
    ) -> Iterator[Channel]:
        """Iterate over all channels that match; `sort` is popular, trending, newest or active."""
        return self._runner.all(self._calls.listing(search, publisher, category, sort), page_size)

    def page(
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
        return self._runner.run(self._calls.listing(search, publisher, category, sort).page(limit, None, offset))


class Feed:
    """Reads the notifications of all channels that a person follows. It needs their access token."""

    def __init__(self, calls: FeedCalls, runner: Runner) -> None:
        self._calls = calls
        self._runner = runner

    def get(self, id: str) -> Notification:
        """Return one notification."""
        return self._runner.run(self._calls.get(id))

    def update(self, id: str, *, read: bool | None = None, archived: bool | None = None) -> Notification:
        """Mark a notification as read or unread, and as archived or not, on every device of the person."""
        return self._runner.run(self._calls.update(id, read, archived))

    def list(self, *, page_size: int = 50, **choice: Unpack[FeedFilter]) -> Iterator[Notification]:
        """Iterate over the feed, newest first."""
        return self._runner.all(self._calls.listing(choice), page_size)

    def page(self, *, limit: int = 50, cursor: str | None = None, **choice: Unpack[FeedFilter]) -> Page[Notification]:
        """Return one page, with the total, the number of unread ones and the cursor of the next."""
        return self._runner.run(self._calls.listing(choice).page(limit, cursor))

    def stream(self, *, last_event_id: str = "", on_connect: Callable[[], None] | None = None) -> Iterator[Event]:
        """Follow the feed live, as Notifications.stream follows a channel. Read states are not replayed."""
        return self._runner.stream(self._calls.stream(last_event_id, on_connect))
