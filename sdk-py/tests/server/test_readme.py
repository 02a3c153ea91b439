"""Checks and runs the programs of README.md and of docs/sdks.md, each as a program of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

import httpx
import pytest

from sininho import Sininho, webhook

from .conftest import Server, free_port

HOME = Path(__file__).parents[2]
GUIDE = HOME.parent / "docs/sdks.md"


def programs(path: Path, language: str) -> dict[str, str]:
    """Return the blocks of a language by their heading."""
    found: dict[str, str] = {}
    heading = ""
    block = re.compile(r"^```(\w*).*\n((?s:.*?))^```|^#+ (.*)", re.MULTILINE)
    for kind, code, title in block.findall(path.read_text(encoding="utf-8")):
        heading = title or heading
        if kind == language:
            assert heading not in found, f"two programs under {heading}"
            found[heading] = code
    return found


README = programs(HOME / "README.md", "python")
GUIDES = programs(GUIDE, "python")


@pytest.fixture
def world(server: Server) -> World:
    return World(server)


class World:
    """Runs programs against a server, with a channel of their own."""

    def __init__(self, server: Server) -> None:
        self.channel = server.channel()
        self.environment = {**os.environ, "SININHO_URL": server.url, "SININHO_API_KEY": server.key}

    def start(self, code: str, **environment: str) -> subprocess.Popen[str]:
        """Start a program."""
        code = code.replace("acme/deploys", self.channel).replace('publisher="acme"', 'publisher="demo"')
        return subprocess.Popen(
            [sys.executable, "-u", "-W", "error", "-c", code],
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str) -> str:
        """Run a program, and return what it prints."""
        with self.start(code) as program:
            out, err = program.communicate(timeout=60)
        assert (program.returncode, err) == (0, ""), out
        return out

    @contextmanager
    def running(self, code: str, **environment: str) -> Iterator[Callable[[], str]]:
        """Run a program for a while, and return what reads its next line."""
        with self.start(code, **environment) as program:
            try:
                assert program.stdout
                yield program.stdout.readline
            finally:
                program.kill()


def test_publish(world: World) -> None:
    assert world.run(README["Publish"]) == "True Version 42 is live\n"
    assert world.run(README["Publish"]) == "False Version 42 is live\n"


def test_first_program_has_three_steps(world: World, server: Server) -> None:
    (steps,) = programs(HOME / "README.md", "sh").values()
    install, export, first = steps.splitlines()
    assert install == "pip install sininho"
    assert export.startswith("export SININHO_URL=")
    (code,) = re.findall("python -c '(.*)'", first)
    assert world.run(code) == ""
    assert [each.title for each in Sininho(server.url).notifications.list(world.channel)] == ["Version 42 is live"]


def test_run(world: World, server: Server) -> None:
    assert world.run(README["Run"]) == ""
    (found,) = Sininho(server.url).notifications.list(world.channel)
    assert found.title == "Nightly backup: done"
    assert found.body.endswith("\n\ncopied 3 GB")


def test_read(world: World, server: Server) -> None:
    Sininho(server.url, api_key=server.key).notifications.publish(world.channel, title="Um")
    first, page = world.run(README["Read"]).splitlines()
    assert first.endswith(" Um")
    assert page == "1 of 1 None"


def test_stream(world: World, server: Server) -> None:
    code = README["Stream"].replace('")', '", on_connect=lambda: print("connected"))')
    with world.running(code) as line:
        assert line() == "connected\n"
        Sininho(server.url, api_key=server.key).notifications.publish(world.channel, title="Um")
        assert line().endswith(" notification Um\n")


def test_verify_webhooks(world: World) -> None:
    secret, port = webhook.new_secret(), free_port()
    code = README["Verify webhooks"].replace("HTTPServer((", 'print("ready")\nHTTPServer((', 1)
    transport = httpx.HTTPTransport(retries=5)
    with world.running(code, PORT=str(port), WEBHOOK_SECRETS=secret) as line, httpx.Client(transport=transport) as http:
        assert line() == "ready\n"

        def post(kind: str, data: dict[str, str], signer: str) -> httpx.Response:
            event = {"type": kind, "timestamp": "2026-03-01T12:00:00Z", "data": data}
            message = webhook.Message("evt_1", datetime.now(timezone.utc), json.dumps(event).encode())
            headers = webhook.sign(message, signer)
            return http.post(f"http://127.0.0.1:{port}", content=message.body, headers=headers)

        assert post("test", {}, webhook.new_secret()).status_code == 401
        assert post("challenge", {"challenge": "abc"}, secret).text.startswith("v1,")
        assert line() == "evt_1 challenge {'challenge': 'abc'}\n"
        assert post("test", {"publisher": "acme"}, secret).text == ""
        assert line() == "evt_1 test {'publisher': 'acme'}\n"


def test_asyncio(world: World) -> None:
    assert world.run(README["asyncio"]) == "Version 43 is live\n"


def test_errors(world: World) -> None:
    first, *faults, last = world.run(README["Errors"]).splitlines()
    assert first.startswith("422 invalid ")
    assert {fault.split()[0] for fault in faults} == {"#/title", "#/link"}
    assert last == "True 0.0"


def test_guide(world: World) -> None:
    assert world.channel in world.run(GUIDES["Python"]).split()


def test_types_are_right(tmp_path: Path) -> None:
    for number, code in enumerate([*README.values(), *GUIDES.values()]):
        (tmp_path / f"program{number}.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", str(tmp_path)]
    environment = os.environ | {"MYPYPATH": str(HOME / "src")}
    checked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_runs_all_programs() -> None:
    tested = {name.removeprefix("test_").replace("_", " ") for name in globals() if name.startswith("test_")}
    assert {heading.lower() for heading in README} <= tested
    assert set(GUIDES) == {"Python"}
