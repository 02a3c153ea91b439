"""The calls about channels."""

from __future__ import annotations

from ..channel import Channel
from .address import channel_path
from .api import Api, body_of, query_of
from .exchange import Call
from .listing import Listing
from .wire import from_json


class ChannelCalls:
    """The calls about channels."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, channel: str) -> Call[Channel]:
        """Return one channel."""
        return from_json(Channel, body_of((yield from self._api.get(channel_path(channel)))))

    def listing(
        self, search: str | None, publisher: str | None, category: str | None, sort: str | None
    ) -> Listing[Channel]:
        """Return the list of channels."""
        query = query_of(q=search, publisher=publisher, category=category, sort=sort)
        return Listing(self._api, "/channels", query, lambda item: from_json(Channel, item), lambda item: item.id)
