"""One server for all tests of this folder, with a database of its own."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from sininho import Sininho

BIN = Path(os.environ.get("SININHO_BIN", Path(__file__).parents[3] / "bin"))


@dataclass(frozen=True)
class Server:
    """A server under way."""

    url: str
    key: str

    def channel(self) -> str:
        """Create a channel, and return its address."""
        with Sininho(self.url, api_key=self.key) as client:
            category = next(client.items("/categories"))["id"]
            slug = f"c-{uuid.uuid4()}"
            body = {"publisherSlug": "demo", "slug": slug, "name": "Ensaio", "categoryId": category}
            client.request("POST", "/channels", json=body)
        return f"demo/{slug}"

    def access_token(self, email: str) -> str:
        """Sign a person in as a browser does, and return a new access token."""
        cookies: dict[str, str] = {}
        next_url = f"{self.url}/api/v1/auth/google?login_hint={email}"
        with httpx.Client() as browser:
            while next_url:
                is_home = next_url.startswith(self.url)
                response = browser.get(next_url, headers=_cookie(cookies) if is_home else {})
                for each in response.headers.get_list("Set-Cookie") if is_home else []:
                    name, _, value = each.partition(";")[0].partition("=")
                    cookies[name] = value
                location = response.headers.get("Location")
                next_url = str(response.url.join(location)) if location else ""
            made = browser.post(
                f"{self.url}/api/v1/subscribers/access-tokens", headers=_cookie(cookies), json={"name": "sdk-py"}
            )
            return str(made.raise_for_status().json()["secret"])


def _cookie(cookies: dict[str, str]) -> dict[str, str]:
    """Return the header with cookies, which httpx keeps from servers without TLS."""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start the server that `make build` has built."""
    program = BIN / "sininho-server"
    if not program.exists():
        pytest.fail(f"There is no {program}: run 'make build'.", pytrace=False)
    folder = tmp_path_factory.mktemp("server")
    log = folder / "server.log"
    address = f"127.0.0.1:{free_port()}"
    with (
        log.open("w") as output,
        subprocess.Popen(
            [program, "dev", "--addr", address, "--data", folder / "data", "--limits", "off"],
            stdout=output,
            stderr=output,
        ) as running,
    ):
        try:
            wait_until_ready(f"http://{address}/readyz", running, log)
            found = dict(re.findall(r"^(\w+)='(.*)'$", (folder / "data/dev.env").read_text(), re.MULTILINE))
            yield Server(found["SININHO_URL"], found["SININHO_API_KEY"])
        finally:
            running.terminate()


def wait_until_ready(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    """Ask until the server is ready."""
    until = time.monotonic() + 240
    while time.monotonic() < until and running.poll() is None:
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"the server is not ready: {log.read_text()}", pytrace=False)
