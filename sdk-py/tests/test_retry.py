import ssl
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest

from sininho import ApiError, CertificateError, ConflictError, RateLimitedError, UnreachableError
from sininho._core.retry import retry_after

from .world import Both, notification, problem, script

LOST = httpx.ConnectError("connection refused")


def test_tries_again_under_one_key(both: Both, waits: list[float]) -> None:
    server = script(LOST, problem(503, "unavailable"), httpx.Response(201, json=notification()))
    client = both.client(server)
    both.result(lambda: client.notifications.publish("acme/deploys", title="x"))
    assert len({request.headers["Idempotency-Key"] for request in server.requests}) == 1
    assert len(server.requests) == 3
    assert waits == [0.25, 0.5]


def test_gives_up_after_the_retries(both: Both, waits: list[float]) -> None:
    server = script(LOST, httpx.ReadTimeout("timed out"), LOST)
    client = both.client(server)
    with pytest.raises(UnreachableError, match="POST /channels/acme/deploys/notifications: the server could not be"):
        both.result(lambda: client.notifications.publish("acme/deploys", title="x"))
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "code", "attempts"),
    [
        (400, "malformed", 1),
        (409, "conflict", 1),
        (409, "idempotency_in_flight", 3),
        (422, "invalid", 1),
        (429, "too_many_requests", 3),
        (500, "internal", 3),
        (501, "not_implemented", 1),
        (502, "", 3),
    ],
)
def test_tries_again_what_may_succeed(both: Both, waits: list[float], status: int, code: str, attempts: int) -> None:
    server = script(*[problem(status, code) for _ in range(3)])
    client = both.client(server)
    with pytest.raises(ApiError) as caught:
        both.result(lambda: client.notifications.publish("acme/deploys", title="x"))
    assert (caught.value.status, len(server.requests)) == (status, attempts)


def test_waits_as_long_as_the_server_asks(both: Both, waits: list[float]) -> None:
    limited = problem(429, "too_many_requests")
    limited.headers["Retry-After"] = "7"
    client = both.client(script(limited, httpx.Response(201, json=notification())))
    both.result(lambda: client.notifications.publish("acme/deploys", title="x"))
    assert waits == [7.25]


def test_does_not_wait_for_more_than_a_minute(both: Both, waits: list[float]) -> None:
    limited = problem(429, "too_many_requests")
    limited.headers["Retry-After"] = "61"
    client = both.client(script(limited))
    with pytest.raises(RateLimitedError) as caught:
        both.result(lambda: client.notifications.publish("acme/deploys", title="x"))
    assert (caught.value.retry_after, waits) == (61, [])


def test_does_not_repeat_a_post_without_a_key(both: Both, waits: list[float]) -> None:
    server = script(problem(429, "too_many_requests"), problem(503, "unavailable"))
    client = both.client(server)
    with pytest.raises(ApiError):
        both.result(lambda: client.request("POST", "/subscribers/notifications/read-all", json={}))
    assert len(server.requests) == 2


def test_does_not_try_again_without_retries(both: Both, waits: list[float]) -> None:
    client = both.client(script(problem(409, "idempotency_in_flight")), retries=0)
    with pytest.raises(ConflictError):
        both.result(lambda: client.notifications.publish("acme/deploys", title="x"))


def test_does_not_try_a_wrong_certificate_again(both: Both, waits: list[float]) -> None:
    failure = httpx.ConnectError("certificate verify failed")
    failure.__cause__ = ssl.SSLCertVerificationError("certificate verify failed")
    client = both.client(script(failure))
    with pytest.raises(CertificateError):
        both.result(lambda: client.notifications.publish("acme/deploys", title="x"))


@pytest.mark.parametrize(
    ("value", "want"),
    [("", 0), ("0", 0), ("120", 120), ("-1", 0), ("1.5", 0), ("soon", 0), ("99999999999999999999", 1 << 30)],
)
def test_reads_retry_after(value: str, want: float) -> None:
    assert retry_after(httpx.Headers({"Retry-After": value})) == want


def test_reads_a_date_in_retry_after() -> None:
    now = datetime.now(timezone.utc)
    later = retry_after(httpx.Headers({"Retry-After": format_datetime(now + timedelta(minutes=1), usegmt=True)}))
    earlier = retry_after(httpx.Headers({"Retry-After": format_datetime(now - timedelta(minutes=1), usegmt=True)}))
    assert 50 < later <= 60
    assert earlier == 0
