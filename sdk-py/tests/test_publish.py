from datetime import datetime, timezone
from urllib.parse import parse_qs

import httpx
import pytest

from sininho import BatchedNotification, InputError

from .world import ID, KEY, Both, notification, script


def test_publishes_fields(both: Both) -> None:
    server = script(httpx.Response(201, json=notification("Olá, água"), headers={"ETag": '"1"'}))
    client = both.client(server)
    at = datetime(2026, 3, 1, 12, 30, tzinfo=timezone.utc)
    result = both.result(
        lambda: client.notifications.publish(
            "acme/deploys", title="Olá, água", external_id="deploy-42", scheduled_at=at, data={"build": "42"}
        )
    )
    request = server.requests[0]
    assert str(request.url) == "https://sininho.example.com/api/v1/channels/acme/deploys/notifications"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.headers["User-Agent"].startswith("sininho-python/0.")
    assert len(request.headers["Idempotency-Key"]) >= 20
    assert server.bodies() == [
        {
            "title": "Olá, água",
            "externalId": "deploy-42",
            "scheduledAt": "2026-03-01T12:30:00Z",
            "data": {"build": "42"},
        }
    ]
    assert (result.created, result.existing, result.replayed) == (True, False, False)
    assert result.notification.title == "Olá, água"
    assert result.notification.version == '"1"'
    assert result.notification.channel.address == "acme/deploys"


def test_publishes_a_text_that_the_server_mends(both: Both) -> None:
    adjusted = [{"pointer": "#/title", "reason": "was cut"}]
    server = script(httpx.Response(201, json=notification() | {"adjusted": adjusted}))
    client = both.client(server)
    result = both.result(
        lambda: client.notifications.publish("acme/deploys", "Cópia feita\n3 GB", importance="important")
    )
    request = server.requests[0]
    assert parse_qs(request.content.decode()) == {"importance": ["important"], "body": ["Cópia feita\n3 GB"]}
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert result.notification.adjusted[0].reason == "was cut"


@pytest.mark.parametrize(
    ("status", "replayed", "want"),
    [(200, False, (False, True, False)), (201, True, (False, False, True)), (200, True, (False, True, True))],
)
def test_says_when_nothing_was_created(both: Both, status: int, replayed: bool, want: tuple[bool, bool, bool]) -> None:
    headers = {"Idempotency-Replayed": "true"} if replayed else {}
    client = both.client(script(httpx.Response(status, json=notification(), headers=headers)))
    result = both.result(lambda: client.notifications.publish("acme/deploys", title="x", idempotency_key="k"))
    assert (result.created, result.existing, result.replayed) == want


def test_publishes_a_batch(both: Both) -> None:
    server = script(
        httpx.Response(200, json={"data": [{"id": ID, "outcome": "created"}, {"id": ID, "outcome": "existing"}]})
    )
    client = both.client(server)
    batch = [{"title": "Um"}, {"title": "Dois", "external_id": "2"}]
    result = both.result(lambda: client.notifications.publish_batch("acme/deploys", batch))
    assert server.bodies() == [{"notifications": [{"title": "Um"}, {"title": "Dois", "externalId": "2"}]}]
    assert result.notifications == [BatchedNotification(ID, "created"), BatchedNotification(ID, "existing")]
    assert [each.existing for each in result.notifications] == [False, True]


def test_corrects_and_withdraws(both: Both) -> None:
    server = script(httpx.Response(200, json=notification("Novo")), httpx.Response(204))
    client = both.client(server)

    async def correct_and_withdraw() -> None:
        await client.notifications.correct("acme/deploys", ID, title="Novo", link=None, if_version='"1"')
        await client.notifications.withdraw("acme/deploys", ID, if_version="")

    if both.name == "threads":
        client.notifications.correct("acme/deploys", ID, title="Novo", link=None, if_version='"1"')
        client.notifications.withdraw("acme/deploys", ID, if_version="")
    else:
        both.result(correct_and_withdraw)
    correct, withdraw = server.requests
    assert server.bodies() == [{"title": "Novo", "link": None}]
    assert (correct.method, correct.headers["If-Match"]) == ("PATCH", '"1"')
    assert (withdraw.method, withdraw.headers["If-Match"]) == ("DELETE", '""')


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"title": "\ud800"}, "#/title"),
        ({"title": "x", "scheduled_at": datetime(2026, 1, 1)}, "#/scheduledAt"),  # noqa: DTZ001
        ({"text": "x", "body": "y"}, "#/body"),
        ({"text": "x", "data": {"a": "b"}}, "#/data"),
        ({"text": "\ud800"}, "#/body"),
        ({"title": "x", "idempotency_key": "a b"}, "header:idempotency-key"),
        ({"title": "x", "channel": "acme"}, "channel"),
        ({"title": "x", "channel": "acme/Deploys"}, "channel"),
        ({"title": "x", "channel": "acme/../x"}, "channel"),
    ],
)
def test_refuses_what_cannot_be_sent(both: Both, fields: dict[str, object], pointer: str) -> None:
    client = both.client(script())
    arguments = {"channel": "acme/deploys", **fields}
    with pytest.raises(InputError) as caught:
        both.result(lambda: client.notifications.publish(**arguments))
    assert [fault.pointer for fault in caught.value.faults] == [pointer]


def test_names_an_unknown_field(both: Both) -> None:
    client = both.client(script())
    with pytest.raises(TypeError, match="'titel'"):
        both.result(lambda: client.notifications.publish("acme/deploys", titel="x"))
