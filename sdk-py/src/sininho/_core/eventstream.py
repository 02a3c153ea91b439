"""The format of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import ResponseError

LARGEST_EVENT = 1 << 20
"""Bounds a line and the data of an event, in characters; the longest notification has about 150,000."""

_line_end = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Block:
    """One event as it was received. `kind` is empty for a block that only sets the id."""

    id: str
    kind: str
    data: str


class EventStream:
    """Parses the bytes of a stream, which may be cut anywhere. An event that does not end is dropped."""

    def __init__(self, last_id: str = "") -> None:
        self.last_id = last_id
        """The id to reconnect with."""
        self.retry = 0.0
        """Seconds to wait before reconnecting, as the server asks."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest: list[str] = []
        self._rest_size = 0
        self._id = last_id
        self._has_id = False
        self._kind = ""
        self._data: list[str] = []
        self._data_size = 0

    def push(self, chunk: bytes) -> Iterator[Block]:
        """Add bytes, and return the events that they complete."""
        text = self._decoder.decode(chunk)
        if self._rest and self._rest[-1].endswith("\r"):
            text = self._rest.pop() + text
        start = 0
        for end in _line_end.finditer(text):
            if end.group() == "\r" and end.end() == len(text):
                break  # it may be the first half of CRLF
            line = "".join(self._rest) + text[start : end.start()]
            self._rest, self._rest_size, start = [], 0, end.end()
            block = self._line(line)
            if block:
                yield block
        self._keep(text[start:])

    def _keep(self, rest: str) -> None:
        if rest:
            self._rest.append(rest)
            self._rest_size += len(rest)
        if self._rest_size > LARGEST_EVENT:
            raise ResponseError(f"unexpected response: a line of more than {LARGEST_EVENT} characters")

    def _line(self, line: str) -> Block | None:
        if not line:
            return self._end()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._kind = value
        elif name == "data":
            self._data_size += len(value)
            if self._data_size > LARGEST_EVENT:
                raise ResponseError(f"unexpected response: an event of more than {LARGEST_EVENT} characters")
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id, self._has_id = value, True
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value[:9]) / 1000
        return None

    def _end(self) -> Block | None:
        kind, data, has_id = self._kind or "message", self._data, self._has_id
        self.last_id = self._id
        self._kind, self._data, self._data_size, self._has_id = "", [], 0, False
        if data:
            return Block(self._id, kind, "\n".join(data))
        return Block(self._id, "", "") if has_id else None
