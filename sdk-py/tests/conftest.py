"""Fixtures of all tests."""

from __future__ import annotations

import pytest

from .world import Both


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SININHO_URL", "SININHO_API_KEY", "SININHO_API_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["threads", "asyncio"])
def both(request: pytest.FixtureRequest) -> Both:
    """Run a test with each client."""
    return Both(request.param)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let no client wait, and keep how long each would have."""
    kept: list[float] = []

    async def wait(seconds: float) -> None:
        kept.append(seconds)

    monkeypatch.setattr("sininho.runner.time.sleep", kept.append)
    monkeypatch.setattr("sininho.asyncrunner.asyncio.sleep", wait)
    monkeypatch.setattr("sininho._core.retry.random.uniform", lambda low, high: high)
    return kept
