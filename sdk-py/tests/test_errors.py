import copy
import pickle
from collections.abc import Callable

import httpx
import pytest

from sininho import ApiError, Fault, InvalidError, NotFoundError, ResponseError, UnauthorizedError
from sininho.webhook import WebhookError

from .world import KEY, Both, problem, script


def test_lists_every_fault(both: Both) -> None:
    errors = [
        {"pointer": "#/title", "code": "blank", "detail": "is blank"},
        {"pointer": "#/data/a", "code": "too_long", "detail": "is too long"},
    ]
    client = both.client(script(problem(422, "invalid", "The request has 2 faults.", errors=errors)))
    with pytest.raises(InvalidError) as caught:
        both.result(lambda: client.notifications.publish("acme/deploys", title=""))
    error = caught.value
    assert str(error) == (
        "POST /channels/acme/deploys/notifications: 422 invalid: The request has 2 faults: "
        "title is blank; data.a is too long [request r-1]"
    )
    assert error.faults == (Fault("#/title", "blank", "is blank"), Fault("#/data/a", "too_long", "is too long"))
    assert (error.status, error.code, error.request_id) == (422, "invalid", "r-1")


def test_can_be_copied_and_pickled(both: Both) -> None:
    client = both.client(script(problem(404, "not_found", "There is no such channel.")))
    with pytest.raises(NotFoundError) as caught:
        both.result(lambda: client.channels.get("acme/nada"))
    for other in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert (type(other), str(other)) == (NotFoundError, str(caught.value))
    webhook = pickle.loads(pickle.dumps(WebhookError("header", "x")))
    assert (webhook.fault, str(webhook)) == ("header", "x")


def test_says_what_a_proxy_said(both: Both) -> None:
    client = both.client(script(httpx.Response(403, text="<html>", headers={"X-Request-Id": "p-1"})))
    with pytest.raises(ApiError, match=r"^GET /channels/acme/x: 403: Forbidden \[request p-1\]$"):
        both.result(lambda: client.channels.get("acme/x"))


def test_follows_no_redirect_and_says_where_it_leads(both: Both) -> None:
    location = "https://ana:segredo@login.example.com/in?token=segredo"
    server = script(httpx.Response(302, headers={"Location": location}))
    client = both.client(server)
    with pytest.raises(ApiError) as caught:
        both.result(lambda: client.channels.get("acme/x"))
    assert len(server.requests) == 1
    assert "https://login.example.com/in; redirects are not followed" in str(caught.value)
    assert "segredo" not in str(caught.value)


def test_never_repeats_the_key(both: Both) -> None:
    client = both.client(script(problem(401, "unauthenticated", f"{KEY} is not a key")))
    with pytest.raises(UnauthorizedError) as caught:
        both.result(lambda: client.channels.get("acme/x"))
    assert caught.value.detail == "[redacted] is not a key"
    assert KEY not in repr(client) + repr(vars(client))


@pytest.mark.parametrize(
    "response",
    [
        lambda: httpx.Response(200, text="<html>", headers={"Content-Type": "text/html"}),
        lambda: httpx.Response(200, text="{", headers={"Content-Type": "application/json"}),
        lambda: httpx.Response(200, json=[]),
        lambda: httpx.Response(200, json={"id": "x"}),
        lambda: httpx.Response(200, json={"id": 7}),
    ],
)
def test_says_when_the_response_is_not_ours(both: Both, response: Callable[[], httpx.Response]) -> None:
    client = both.client(script(response()))
    with pytest.raises(ResponseError):
        both.result(lambda: client.channels.get("acme/x"))


def test_reads_no_endless_response(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sininho._core.http.LARGEST_RESPONSE", 10)
    client = both.client(script(httpx.Response(200, text="x" * 11)))
    with pytest.raises(ResponseError, match="more than 10 bytes"):
        both.result(lambda: client.channels.get("acme/x"))
