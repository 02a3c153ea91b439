import random

import pytest

from sininho import ResponseError
from sininho._core.eventstream import Block, EventStream

TEXT = (
    "\ufeffretry: 1500\nid: 41\n\n: comment\r\n\r\n"
    'id: 42\r\nevent: notification\r\ndata: {"title":\r\ndata:  "água 🔔"}\r\n\r\n'
    "event: reset\rdata\r\rid: a\0b\ndata:x\nother: y\n\nevent: lost\ndata: no end"
)
BLOCKS = [
    Block("41", "", ""),
    Block("42", "notification", '{"title":\n "água 🔔"}'),
    Block("42", "reset", ""),
    Block("42", "message", "x"),
]


def test_reads_bytes_cut_anywhere() -> None:
    data = TEXT.encode()
    draw = random.Random(7)
    for size in [len(data), 1, 2, 3, *[draw.randint(4, 40) for _ in range(50)]]:
        stream = EventStream()
        got: list[Block] = []
        for start in range(0, len(data), size):
            got += stream.push(data[start : start + size])
        assert got == BLOCKS, f"chunks of {size}"
        assert (stream.last_id, stream.retry) == ("42", 1.5)


def test_keeps_the_position_to_reconnect_with() -> None:
    stream = EventStream("7")
    assert list(stream.push(b"data: x\n\nid: 8\ndata: no end")) == [Block("7", "message", "x")]
    assert stream.last_id == "7"


@pytest.mark.parametrize("chunk", [b"x" * 1000, b"data: " + b"x" * 900 + b"\n"])
def test_keeps_no_endless_event(monkeypatch: pytest.MonkeyPatch, chunk: bytes) -> None:
    monkeypatch.setattr("sininho._core.eventstream.LARGEST_EVENT", 10_000)
    stream = EventStream()
    with pytest.raises(ResponseError, match="more than 10000 characters"):
        push_all(stream, [chunk] * 20)


def push_all(stream: EventStream, chunks: list[bytes]) -> list[Block]:
    return [block for chunk in chunks for block in stream.push(chunk)]
