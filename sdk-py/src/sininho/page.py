"""One page of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some items of a list, and where the next page begins."""

    items: Sequence[T]
    total: int
    """The length of the whole list."""
    next_cursor: str | None = None
    """The `cursor` of the next page; None on the last, and for lists that are paged by `offset`."""
    unread: int | None = None
    """How many notifications the signed-in person has not read; None for other lists and callers."""

    def __iter__(self) -> Iterator[T]:
        """Iterate over the items of this page."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return the number of items of this page."""
        return len(self.items)
