"""Says that a piece of work began, and how it ended, for asyncio."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import ParamSpec, TypeVar

from ._core.job import Job, JobCalls
from .asyncrunner import AsyncRunner
from .errors import SininhoError
from .notification import PublishResult

P = ParamSpec("P")
R = TypeVar("R")


class AsyncRun:
    """A piece of work to run: `async with run as job:`, or `@run` before an `async def`. As Run, for asyncio."""

    def __init__(self, runner: AsyncRunner, new: Callable[[], JobCalls]) -> None:
        self._runner = runner
        self._new = new
        self._under_way: list[tuple[JobCalls, asyncio.Task[PublishResult] | None]] = []

    def __call__(self, function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
        """Return a function that is such a piece of work each time it is called."""

        @functools.wraps(function)
        async def work(*args: P.args, **kwargs: P.kwargs) -> R:
            async with AsyncRun(self._runner, self._new):
                return await function(*args, **kwargs)

        return work

    async def __aenter__(self) -> Job:
        """Begin, without waiting for the server."""
        calls = self._new()
        call = calls.begin()
        self._under_way.append((calls, asyncio.create_task(self._runner.run(call)) if call is not None else None))
        return calls.job

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Publish how the work ended. What it raised is passed on."""
        calls, first = self._under_way.pop()
        id = await _within(first, calls.be_over())
        try:
            await self._runner.run(calls.end(error, id))
        except SininhoError as failure:
            calls.report(failure)


async def _within(first: asyncio.Task[PublishResult] | None, seconds: float) -> str:
    """Return the id of the notification, or an empty text if it is not there in time."""
    if first is None:
        return ""
    try:
        return (await asyncio.wait_for(first, seconds)).notification.id
    except (SininhoError, asyncio.TimeoutError):
        return ""  # the end is then published on its own
