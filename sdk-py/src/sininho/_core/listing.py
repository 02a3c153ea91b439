"""Lists: their pages, and all of their items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from ..errors import ResponseError, input_error
from ..page import Page
from .api import Api, body_of
from .exchange import Call

T = TypeVar("T")
Convert = Callable[[object], T]

LARGEST_PAGE = 100


class Listing(Generic[T]):
    """A list of the API: its path, what selects a part of it, and what its items are."""

    def __init__(
        self, api: Api, path: str, query: Mapping[str, str], convert: Convert[T], identify: Callable[[T], object]
    ) -> None:
        self._api = api
        self._path = path
        self._query = query
        self._convert = convert
        self.identify = identify

    def page(self, limit: int, cursor: str | None = None, offset: int | None = None) -> Call[Page[T]]:
        """Return one page."""
        if not 1 <= limit <= LARGEST_PAGE:
            raise input_error("query:limit", "out_of_range", f"must be 1 to {LARGEST_PAGE}, not {limit}")
        query = {**self._query, "limit": str(limit)}
        if cursor is not None:
            query["cursor"] = cursor
        if offset:
            query["offset"] = str(offset)
        body = body_of((yield from self._api.get(self._path, query)))
        try:
            items, meta = body["data"], body.get("meta", {})
            total = meta.get("total", len(items))
            return Page([self._convert(item) for item in items], total, meta.get("nextCursor"), meta.get("unread"))
        except (AttributeError, KeyError, TypeError):
            raise ResponseError("unexpected response: not a list; is the URL right?") from None


class Walk(Generic[T]):
    """A walk over all items of a list, page by page: by cursor if the list has one, otherwise by offset."""

    def __init__(self, listing: Listing[T], limit: int) -> None:
        self._listing = listing
        self._limit = limit
        self._cursor: str | None = None
        self._offset = 0
        self._seen: set[object] = set()
        self._is_over = False

    def next(self) -> Call[Page[T]] | None:
        """Return the call for the next page, or None if that was all."""
        if self._is_over:
            return None
        offset = None if self._cursor else self._offset
        return self._listing.page(self._limit, self._cursor, offset)

    def take(self, page: Page[T]) -> Iterator[T]:
        """Return the items of the page. By offset, those that moved to it from an earlier page are left out."""
        self._offset += len(page)
        if page.next_cursor is not None:
            if page.next_cursor == self._cursor:
                raise ResponseError("unexpected response: the cursor of a page leads back to that page")
            self._cursor = page.next_cursor
        elif self._cursor is not None or not page.items or self._offset >= page.total:
            self._is_over = True
        return iter(page) if self._cursor is not None else self._new_of(page)

    def _new_of(self, page: Page[T]) -> Iterator[T]:
        for item in page:
            identity = self._listing.identify(item)
            if identity not in self._seen:
                self._seen.add(identity)
                yield item
