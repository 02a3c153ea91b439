import httpx
import pytest

from sininho import InputError, ResponseError

from .world import ID, Both, Server, notification, script


def page(*titles: str, total: int = 3, **meta: object) -> httpx.Response:
    data = [notification(title, f"{ID[:-1]}{title}") for title in titles]
    return httpx.Response(200, json={"data": data, "meta": {"total": total, **meta}})


def queries(server: Server) -> list[dict[str, str]]:
    return [dict(request.url.params) for request in server.requests]


def test_iterates_by_cursor(both: Both) -> None:
    server = script(page("3", "2", nextCursor="c1"), page("1"))
    client = both.client(server)
    items = both.take(lambda: client.notifications.list("acme/deploys", page_size=2))
    assert [item.title for item in items] == ["3", "2", "1"]
    assert queries(server) == [{"limit": "2"}, {"limit": "2", "cursor": "c1"}]


def test_fetches_no_page_that_is_not_reached(both: Both) -> None:
    server = script(page("3", "2", nextCursor="c1"))
    client = both.client(server)
    assert len(both.take(lambda: client.feed.list(unread=True, channel_id=ID), 2)) == 2
    assert queries(server) == [{"limit": "50", "unread": "true", "channelId": ID}]


def test_iterates_by_offset_and_skips_what_moved(both: Both) -> None:
    server = script(page("1", "2"), page("2"))
    client = both.client(server)
    items = both.take(lambda: client.notifications.list("acme/deploys", scheduled=True, page_size=2))
    assert [item.title for item in items] == ["1", "2"]
    assert queries(server) == [
        {"scheduled": "true", "limit": "2"},
        {"scheduled": "true", "limit": "2", "offset": "2"},
    ]


def test_returns_one_page(both: Both) -> None:
    server = script(page("3", total=42, nextCursor="c1", unread=7))
    client = both.client(server)
    got = both.result(lambda: client.notifications.page("acme/deploys", limit=1, cursor="c0"))
    assert ([item.title for item in got], len(got), got.total, got.next_cursor, got.unread) == (["3"], 1, 42, "c1", 7)
    assert queries(server) == [{"limit": "1", "cursor": "c0"}]


def test_iterates_over_any_list(both: Both) -> None:
    server = script(httpx.Response(200, json={"data": [{"id": "a"}, {"id": "b"}]}))
    client = both.client(server)
    assert both.take(lambda: client.items("/categories", query={"q": "x"})) == [{"id": "a"}, {"id": "b"}]
    assert queries(server) == [{"q": "x", "limit": "100"}]


def test_does_not_go_round_in_circles(both: Both) -> None:
    client = both.client(script(page("2", nextCursor="c1"), page("2", nextCursor="c1")))
    with pytest.raises(ResponseError, match="leads back"):
        both.take(lambda: client.notifications.list("acme/deploys"))


def test_refuses_a_page_of_another_size(both: Both) -> None:
    client = both.client(script())
    with pytest.raises(InputError, match="limit must be 1 to 100, not 101"):
        both.take(lambda: client.channels.list(page_size=101))


def test_calls_any_operation(both: Both) -> None:
    server = script(httpx.Response(201, json={"slug": "acme"}))
    client = both.client(server)
    body = {"slug": "acme", "name": "Acme"}
    got = both.result(lambda: client.request("post", "/publishers", json=body, idempotency_key="k"))
    assert got == {"slug": "acme"}
    assert server.requests[0].headers["Idempotency-Key"] == "k"
    assert server.bodies() == [body]


@pytest.mark.parametrize("path", ["publishers", "/a?b", "/a#b", "/a b"])
def test_refuses_what_is_no_path(both: Both, path: str) -> None:
    client = both.client(script())
    with pytest.raises(InputError):
        both.result(lambda: client.request("GET", path))


def test_closes_only_its_own_connections(both: Both) -> None:
    http = (httpx.Client if both.name == "threads" else httpx.AsyncClient)()
    both.result(both.client(script(), http=http).close)
    assert not http.is_closed
    both.result(http.close if isinstance(http, httpx.Client) else http.aclose)
