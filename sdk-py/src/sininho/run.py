"""Says that a piece of work began, and how it ended, for programs with threads."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from types import TracebackType
from typing import ParamSpec, TypeVar

from ._core.exchange import Call
from ._core.job import Job, JobCalls
from .errors import SininhoError
from .notification import PublishResult
from .runner import Runner

P = ParamSpec("P")
R = TypeVar("R")


class Run:
    """A piece of work to run: `with run as job:`, or `@run` before a function. It can be used again and again."""

    def __init__(self, runner: Runner, new: Callable[[], JobCalls]) -> None:
        self._runner = runner
        self._new = new
        self._under_way: list[tuple[JobCalls, _First]] = []

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return a function that is such a piece of work each time it is called."""

        @functools.wraps(function)
        def work(*args: P.args, **kwargs: P.kwargs) -> R:
            with Run(self._runner, self._new):
                return function(*args, **kwargs)

        return work

    def __enter__(self) -> Job:
        """Begin, without waiting for the server."""
        calls = self._new()
        self._under_way.append((calls, _First(self._runner, calls.begin())))
        return calls.job

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Publish how the work ended. What it raised is passed on."""
        calls, first = self._under_way.pop()
        id = first.within(calls.be_over())
        try:
            self._runner.run(calls.end(error, id))
        except SininhoError as failure:
            calls.report(failure)


class _First:
    """The notification that the work began, published in a thread of its own."""

    def __init__(self, runner: Runner, call: Call[PublishResult] | None) -> None:
        self._id = ""
        self._thread = threading.Thread(target=self._publish, args=(runner, call), daemon=True, name="sininho-run")
        if call is not None:
            self._thread.start()

    def _publish(self, runner: Runner, call: Call[PublishResult]) -> None:
        with contextlib.suppress(SininhoError):  # the end is then published on its own
            self._id = runner.run(call).notification.id

    def within(self, seconds: float) -> str:
        """Return the id of the notification, or an empty text if it is not there in time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return self._id
