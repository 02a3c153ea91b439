import asyncio
import dataclasses
import subprocess
import threading
from datetime import datetime, timedelta, timezone

import httpx
import pytest

from sininho import AsyncSininho, ChangedError, InvalidError, NotFoundError, Sininho, UnauthorizedError

from .conftest import Server


@pytest.fixture
def client(server: Server) -> Sininho:
    return Sininho(server.url, api_key=server.key)


class Losing(httpx.HTTPTransport):
    """A transport that loses the first responses."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.statuses: list[int] = []
        self._count = count

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.statuses.append(response.status_code)
        if len(self.statuses) <= self._count:
            response.read()
            raise httpx.ReadError("lost")
        return response


def test_publishes_reads_corrects_and_withdraws(server: Server, client: Sininho) -> None:
    channel = server.channel()
    made = client.notifications.publish(channel, title="Olá, água", data={"build": "42"}, importance="important")
    assert made.created
    read = client.notifications.get(channel, made.notification.id)
    assert read == made.notification
    assert read.published_at
    assert datetime.now(timezone.utc) - read.published_at < timedelta(minutes=1)
    corrected = client.notifications.correct(channel, read.id, title="Olá", if_version=read.version)
    assert corrected.edited_at
    with pytest.raises(ChangedError):
        client.notifications.correct(channel, read.id, title="Adeus", if_version=read.version)
    client.notifications.withdraw(channel, read.id)
    assert list(client.notifications.list(channel)) == []


def test_publishes_a_text(server: Server, client: Sininho) -> None:
    text = "Cópia \x1b[1mfeita\x1b[0m\n3 GB"
    got = client.notifications.publish(server.channel(), text, link="https://example.com/42").notification
    assert (got.title, got.body, got.link) == ("Cópia feita", "3 GB", "https://example.com/42")
    assert "removed" in got.adjusted[0].reason
    braced = client.notifications.publish(server.channel(), '{"not": "JSON for us"}').notification
    assert braced.title == '{"not": "JSON for us"}'


def test_publishes_once_although_responses_are_lost(server: Server) -> None:
    channel, transport = server.channel(), Losing(2)
    with httpx.Client(transport=transport) as http:
        client = Sininho(server.url, api_key=server.key, http=http)
        made = client.notifications.publish(channel, title="Uma vez")
    assert transport.statuses == [201, 201, 201]
    assert made.replayed
    assert [each.id for each in Sininho(server.url).notifications.list(channel)] == [made.notification.id]


def test_publishes_a_batch_and_lists_it(server: Server, client: Sininho) -> None:
    channel = server.channel()
    batch = client.notifications.publish_batch(channel, [{"title": f"N {n}", "external_id": str(n)} for n in range(7)])
    again = client.notifications.publish_batch(channel, [{"title": "N 6", "external_id": "6"}])
    assert [each.existing for each in batch.notifications + again.notifications] == [False] * 7 + [True]
    titles = [each.title for each in client.notifications.list(channel, page_size=3)]
    assert titles == [f"N {n}" for n in reversed(range(7))]
    page = client.notifications.page(channel, limit=3)
    assert (len(page), page.total, page.next_cursor is not None) == (3, 7, True)
    rest = client.notifications.page(channel, limit=3, cursor=page.next_cursor)
    assert [each.title for each in rest] == ["N 3", "N 2", "N 1"]


def test_finds_by_an_id_of_ones_own(server: Server, client: Sininho) -> None:
    channel = server.channel()
    made = client.notifications.publish(channel, title="A", external_id="a").notification
    assert client.notifications.get_by_external_id(channel, "a") == dataclasses.replace(made, version="")
    assert client.notifications.get_by_external_id(channel, "b") is None


def test_lists_what_is_scheduled(server: Server, client: Sininho) -> None:
    channel, at = server.channel(), datetime.now(timezone.utc) + timedelta(days=1)
    for n in range(3):
        client.notifications.publish(channel, title=f"N {n}", scheduled_at=at + timedelta(minutes=n))
    found = list(client.notifications.list(channel, scheduled=True, page_size=2))
    assert [each.title for each in found] == ["N 0", "N 1", "N 2"]
    assert found[0].published_at is None


def test_finds_channels(server: Server, client: Sininho) -> None:
    made = {server.channel() for _ in range(3)}
    assert made <= {channel.address for channel in client.channels.list(publisher="demo", page_size=2)}
    assert client.channels.get(made.pop()).name == "Ensaio"


def test_says_what_is_wrong(server: Server, client: Sininho) -> None:
    channel = server.channel()
    with pytest.raises(InvalidError) as caught:
        client.notifications.publish(channel, title=" ", link="ftp://example.com")
    assert {fault.pointer for fault in caught.value.faults} == {"#/title", "#/link"}
    assert caught.value.request_id
    with pytest.raises(NotFoundError):
        client.notifications.publish("demo/nada", title="x")
    with pytest.raises(UnauthorizedError):
        Sininho(server.url, api_key="snh_live_wrong").notifications.publish(channel, title="x")


def test_follows_a_channel_and_continues(server: Server, client: Sininho) -> None:
    channel = server.channel()
    connected = threading.Event()

    def publish() -> None:
        connected.wait(60)
        for n in range(3):
            client.notifications.publish(channel, title=f"N {n}")

    publisher = threading.Thread(target=publish)
    publisher.start()
    events = []
    for event in client.notifications.stream(channel, on_connect=connected.set):
        events.append(event)
        if len(events) == 3:
            break
    publisher.join()
    assert [event.notification and event.notification.title for event in events] == ["N 0", "N 1", "N 2"]
    again = next(iter(client.notifications.stream(channel, last_event_id=events[1].id)))
    assert again == events[2]


def test_follows_a_feed(server: Server) -> None:
    channel = server.channel()
    token = server.access_token("ana-py@example.com")
    publisher = Sininho(server.url, api_key=server.key)

    async def follow() -> None:
        async with AsyncSininho(server.url, api_key=token) as reader:
            got = await reader.channels.get(channel)
            await reader.request("POST", f"/subscribers/channels/{got.id}/subscribe")
            connected, kinds = asyncio.Event(), asyncio.Queue[str]()

            async def listen() -> None:
                async for event in reader.feed.stream(on_connect=connected.set):
                    kinds.put_nowait(event.type)

            listening = asyncio.create_task(listen())
            await connected.wait()
            made = await asyncio.to_thread(publisher.notifications.publish, channel, title="Um")
            assert await kinds.get() == "notification"
            assert (await reader.feed.update(made.notification.id, read=True)).read_at
            assert await kinds.get() == "read"
            page = await reader.feed.page(channel_id=got.id)
            assert (page.total, page.unread) == (1, 0)
            await asyncio.to_thread(publisher.notifications.withdraw, channel, made.notification.id)
            assert await kinds.get() == "withdrawn"
            listening.cancel()

    asyncio.run(asyncio.wait_for(follow(), 60))


def test_says_how_a_job_ended(server: Server, client: Sininho) -> None:
    channel = server.channel()
    with client.run(channel, "Cópia") as job:
        job.write("3 GB\n")
    assert [(each.title, each.body.endswith("\n\n3 GB")) for each in client.notifications.list(channel)] == [
        ("Cópia: done", True)
    ]
    with pytest.raises(subprocess.CalledProcessError), client.run(channel, "Relatório"):
        subprocess.run(["sh", "-c", "echo cheio >&2; exit 3"], check=True, capture_output=True)
    first = next(client.notifications.list(channel))
    assert (first.title, first.importance) == ("Relatório: failed with exit code 3", "important")
    assert first.body.endswith("\n\ncheio")
    assert client.notifications.page(channel).total == 2
