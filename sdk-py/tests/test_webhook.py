import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from sininho import webhook
from sininho.webhook import Message, WebhookError

VECTORS = json.loads((Path(__file__).parents[2] / "pkg/webhook/testdata/vectors.json").read_text(encoding="utf-8"))
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NOW = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: str(case["name"]))
def test_agrees_with_the_vectors_of_all_sdks(case: dict[str, Any]) -> None:
    given = VECTORS["valid"] | case
    headers = {
        f"Webhook-{name.title()}": given[name] for name in ("id", "timestamp", "signature") if given[name] is not None
    }
    now = datetime.fromtimestamp(int(VECTORS["valid"]["timestamp"]) + given.get("offset", 0), timezone.utc)

    def verify() -> Message:
        return webhook.verify(given["body"].encode(), headers, given["secrets"], now=now)

    if "want" in case:
        with pytest.raises(WebhookError) as caught:
            verify()
        assert caught.value.fault == case["want"]
        assert not any(secret in str(caught.value) for secret in given["secrets"] if secret)
    else:
        message = verify()
        assert (message.id, message.body) == (given["id"], given["body"].encode())


@pytest.mark.parametrize(
    "spell",
    [
        lambda name: name.upper(),
        lambda name: "HTTP_" + name.upper().replace("-", "_"),
        lambda name: name.replace("webhook-", "svix-"),
    ],
)
def test_reads_the_headers_of_any_framework(spell: Any) -> None:
    signed = webhook.sign(Message("evt_1", NOW, b"{}"), SECRET)
    headers = {spell(name): value for name, value in signed.items()}
    assert webhook.verify(b"{}", headers, SECRET, now=NOW).id == "evt_1"
    assert webhook.verify(b"{}", {name: [value] for name, value in headers.items()}, SECRET, now=NOW).id == "evt_1"


def test_signs_a_challenge_as_the_go_sdk_does() -> None:
    at = datetime.fromtimestamp(1614265330, timezone.utc)
    message = Message("msg_p5jXN8AQM9LWM0D4loKWxJek", at, b"")
    response = webhook.sign_challenge(message, "3kTMd8yWqvXb2RzLpN5cHs", SECRET)
    assert response == "v1,iPkrz9JBOghl5PyTBKOeM8zL6JejOJSsT/TLk1w6EKI="


@pytest.mark.parametrize("challenge", ["", '{"type":"test"}', "a.b", "a b", "é", "a" * 65, "a\n"])
def test_signs_nothing_but_a_challenge(challenge: str) -> None:
    with pytest.raises(WebhookError) as caught:
        webhook.sign_challenge(Message("evt_1", NOW, b""), challenge, SECRET)
    assert caught.value.fault == "challenge"


def receive(body: object, secrets: list[str]) -> webhook.Received:
    content = json.dumps(body).encode()
    return webhook.receive(
        content, webhook.sign(Message("evt_1", datetime.now(timezone.utc), content), secrets), secrets
    )


def test_receives_an_event() -> None:
    data = {"publisher": "acme", "notificationId": "x"}
    got = receive({"type": "notification.published", "timestamp": "2026-03-01T12:00:00Z", "data": data}, [SECRET])
    assert got == webhook.Received("evt_1", "notification.published", NOW, data, "")


def test_answers_a_challenge() -> None:
    secrets = [webhook.new_secret(), SECRET]
    got = receive({"type": "challenge", "timestamp": "2026-03-01T12:00:00Z", "data": {"challenge": "abc123"}}, secrets)
    first, second = got.response.split()
    assert first.startswith("v1,")
    assert second.startswith("v1,")
    assert first != second


@pytest.mark.parametrize("body", [[], {}, {"type": 1, "timestamp": "2026-03-01T12:00:00Z", "data": {}}, {"type": "x"}])
def test_says_when_the_body_is_no_event(body: object) -> None:
    with pytest.raises(WebhookError) as caught:
        receive(body, [SECRET])
    assert caught.value.fault == "body"


def test_refuses_what_is_too_old_by_the_clock() -> None:
    signed = webhook.sign(Message("evt_1", datetime.now(timezone.utc) - timedelta(minutes=6), b"{}"), SECRET)
    with pytest.raises(WebhookError) as caught:
        webhook.verify(b"{}", signed, SECRET)
    assert caught.value.fault == "too_old"
