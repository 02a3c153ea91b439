import asyncio
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sininho import InputError, Job
from sininho._core.job import duration
from sininho._core.text import fitting, last_lines, one_line, prose

from .world import ID, Both, Server, async_client, client, notification, script

PATH = "/api/v1/channels/acme/deploys/notifications"


def answer(request: httpx.Request) -> httpx.Response:
    return httpx.Response({"POST": 201, "PATCH": 200, "DELETE": 204}[request.method], json=notification())


def calls(server: Server) -> list[str]:
    return [f"{request.method} {request.url.path.removeprefix(PATH)}".strip() for request in server.requests]


def work(both: Both, server: Server, body: Callable[[Job], Any], **options: Any) -> None:
    """Run a piece of work with either client."""
    run = both.client(server).run("acme/deploys", "Cópia \x1b[1mda noite", **options)

    async def in_async() -> None:
        async with run as job:
            body(job)

    if both.name == "asyncio":
        asyncio.run(in_async())
    else:
        with run as job:
            body(job)


def test_corrects_the_notification_that_it_began(both: Both) -> None:
    server = Server(answer)
    work(both, server, lambda job: print("a\n\x1b[32mb\x1b[0m\r\nc\n\n", file=job), lines=2)
    assert calls(server) == ["POST", f"PATCH /{ID}"]
    began, ended = server.bodies()
    assert began["title"] == "Cópia da noite"
    assert re.fullmatch(r"Began at \d\d:\d\d on .+\.", began["body"])
    assert ended["title"] == "Cópia da noite: done"
    assert re.fullmatch(r"Took 0s on .+\.\n\nb\nc", ended["body"])


def fail(error: BaseException) -> Callable[[Job], None]:
    def body(job: Job) -> None:
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "reason", "lines"),
    [
        (ValueError("disk full"), "failed with ValueError", "ValueError: disk full"),
        (SystemExit(3), "failed with exit code 3", ""),
        (SystemExit("disk full"), "failed with exit code 1", "disk full"),
        (KeyboardInterrupt(), "was interrupted", ""),
        (subprocess.CalledProcessError(2, ["x"], b"out\n", b"err\n"), "failed with exit code 2", "out\n\nerr"),
        (subprocess.CalledProcessError(-9, ["x"]), "ended by the signal 9", ""),
    ],
)
def test_rings_when_it_failed(both: Both, error: BaseException, reason: str, lines: str) -> None:
    server = Server(answer)
    with pytest.raises(type(error)):
        work(both, server, fail(error))
    assert calls(server) == ["POST", "POST", f"DELETE /{ID}"]
    ended = server.bodies()[1]
    assert (ended["title"], ended["importance"]) == (f"Cópia da noite: {reason}", "important")
    assert ended["body"].partition("\n\n")[2] == lines


def test_succeeds_when_it_exits_with_0(both: Both) -> None:
    server = Server(answer)
    with pytest.raises(SystemExit):
        work(both, server, fail(SystemExit(0)))
    assert calls(server) == ["POST", f"PATCH /{ID}"]


def test_is_silent_on_success_if_asked(both: Both) -> None:
    server = Server(answer)
    work(both, server, lambda job: None, only_failure=True)
    assert calls(server) == []
    with pytest.raises(ValueError, match="x"):
        work(both, server, fail(ValueError("x")), only_failure=True)
    assert calls(server) == ["POST"]


def test_publishes_the_end_alone_if_the_beginning_was_refused(both: Both) -> None:
    refused = httpx.Response(422, json={"code": "invalid"})
    server = script(refused, httpx.Response(201, json=notification()))
    work(both, server, lambda job: None)
    assert calls(server) == ["POST", "POST"]
    assert server.bodies()[1]["title"] == "Cópia da noite: done"


def test_runs_without_a_server(both: Both, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    done: list[bool] = []
    with caplog.at_level(logging.WARNING, "sininho"):
        work(both, Server(refuse), lambda job: done.append(True), patience=0)
    assert done == [True]
    assert len(caplog.records) == 1
    assert "nothing was published of how 'Cópia da noite' ended: " in caplog.text


def test_waits_for_the_server_until_its_patience_ends(both: Both, waits: list[float]) -> None:
    server = script(*[httpx.ConnectError("refused") for _ in range(7)], *[answer_to(m) for m in ("POST", "PATCH")])
    work(both, server, lambda job: None)
    assert calls(server)[-2:] == ["POST", f"PATCH /{ID}"]
    assert waits == [0.25, 0.5, 1, 2, 4, 8, 8]


def answer_to(method: str) -> httpx.Response:
    return answer(httpx.Request(method, "https://x"))


def test_does_not_hold_the_work_up() -> None:
    may_respond = threading.Event()

    def slow(request: httpx.Request) -> httpx.Response:
        may_respond.wait(60)
        return answer(request)

    server = Server(slow)
    with client(server).run("acme/deploys", "x"):
        may_respond.set()
    assert calls(server) == ["POST", f"PATCH /{ID}"]


def test_decorates_a_function() -> None:
    server = Server(answer)

    @client(server).run("acme/deploys", "Cópia")
    def work(number: int) -> int:
        """Say what it does."""
        return number + 1

    assert [work(1), work(2)] == [2, 3]
    assert (work.__name__, work.__doc__) == ("work", "Say what it does.")
    assert calls(server) == ["POST", f"PATCH /{ID}"] * 2


def test_decorates_a_function_of_asyncio() -> None:
    server = Server(answer)

    @async_client(server).run("acme/deploys", "Cópia")
    async def work(number: int) -> int:
        """Say what it does."""
        return number + 1

    async def both() -> list[int]:
        return [await work(1), await work(2)]

    assert asyncio.run(both()) == [2, 3]
    assert (work.__name__, work.__doc__) == ("work", "Say what it does.")
    assert calls(server) == ["POST", f"PATCH /{ID}"] * 2


def test_says_what_is_wrong_before_the_work_begins(both: Both) -> None:
    of = both.client(script())
    for arguments in [("acme", "x"), ("acme/deploys", " \x1b[1m ")]:
        with pytest.raises(InputError):
            of.run(*arguments)
    with pytest.raises(InputError):
        of.run("acme/deploys", "x", lines=-1)


def test_says_it_on_stderr_on_one_line() -> None:
    program = (
        "from sininho import Sininho\n"
        "with Sininho('http://127.0.0.1:9', retries=0).run('acme/deploys', 'Backup', patience=0): print('works')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "works\n"
    assert len(done.stderr.splitlines()) == 1
    assert "how 'Backup' ended" in done.stderr


def test_mends_texts() -> None:
    assert one_line(" a\tb\n\x1b]0;t\x07\u202ec\x00d ") == "a b c d"
    assert prose("a\r\nb\x0bc\x00\td\u2028e\x1b[31m\u200f") == "a\nb\nc\td\ne"
    assert last_lines("a\nb\nc\n\n", 2) == "b\nc"
    assert last_lines("a\nb", 0) == ""
    title, body = fitting("t" * 201, "b" * 30_000)
    assert (len(title), title[-1]) == (200, "…")
    assert len(body) <= 20_000
    assert body.startswith("[… 10,263 characters cut …]\n")


def test_shows_durations() -> None:
    assert [duration(seconds) for seconds in (0, 59, 60, 3600, 3723)] == ["0s", "59s", "1m0s", "1h0m0s", "1h2m3s"]
