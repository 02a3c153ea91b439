"""What is published of a piece of work: that it began, and how it ended."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType

from ..errors import InputError, SininhoError, input_error
from ..notification import NotificationFields, PublishResult
from .address import channel_path
from .exchange import Call
from .notifications import NotificationCalls
from .retry import Limit, Patience
from .settings import log
from .text import fitting, last_lines, one_line

_many = 1000
"""More retries than fit into any patience: the patience ends them."""
_most_kept = 100_000
"""Characters of what a job wrote that are kept."""

Raised = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


@dataclass(frozen=True)
class JobOptions:
    """What a job is called, and what is published of it."""

    channel: str
    title: str
    only_failure: bool
    lines: int
    patience: float

    def checked(self) -> JobOptions:
        """Return the options with the title as a line. Fails with an InputError."""
        channel_path(self.channel)
        title = one_line(self.title)
        if not title:
            raise input_error("#/title", "blank", "is blank")
        if self.lines < 0 or self.patience < 0:
            raise input_error("#/lines", "out_of_range", "and patience cannot be negative")
        return JobOptions(self.channel, title, self.only_failure, self.lines, self.patience)


class Job:
    """A piece of work under way. It is a text stream: what is written to it is published when the work ends."""

    def __init__(self) -> None:
        self.written = ""
        """The end of what was written."""

    def write(self, text: str) -> int:
        """Add to the output of the job, of which the last lines are published; `print(…, file=job)` does too."""
        self.written = (self.written + text)[-_most_kept:]
        return len(text)

    def flush(self) -> None:
        """Do nothing: a text stream has this method."""


class JobCalls:
    """The calls about one job, which fail with nothing but SininhoError, and the job itself."""

    def __init__(self, calls: NotificationCalls, options: JobOptions, timeout: float) -> None:
        self._calls = calls
        self._options = options
        self._began_at = time.monotonic()
        self._limit = Limit()
        self._patience = Patience(_many, timeout, self._limit)
        self.job = Job()

    def begin(self) -> Call[PublishResult] | None:
        """Return the call that says that the job began, or None if that is not to be said."""
        if self._options.only_failure:
            return None
        title, body = fitting(
            self._options.title, f"Began at {datetime.now().astimezone():%H:%M} on {socket.gethostname()}."
        )
        return self._publish({"title": title, "body": body})

    def be_over(self) -> float:
        """Let calls end when the patience does, and return the seconds until then."""
        self._limit.end_in(self._options.patience)
        return self._options.patience

    def end(self, raised: BaseException | None, first: str) -> Call[None]:
        """Say how the job ended: correct the first notification or, if the job failed, take its place."""
        ending = Ending.of(raised)
        if not ending.reason and self._options.only_failure:
            return
        title, body = fitting(self._title(ending), self._body(ending))
        channel = self._options.channel
        if first and not ending.reason:
            yield from self._calls.correct(channel, first, {"title": title, "body": body}, None, self._patience)
            return
        fields: NotificationFields = {"title": title, "body": body}
        if ending.reason:
            fields["importance"] = "important"
        yield from self._publish(fields)
        if first:
            yield from self._calls.withdraw(channel, first, None, self._patience)

    def report(self, error: SininhoError) -> None:
        """Say on the log that nothing was published, on one line."""
        log.warning("nothing was published of how %r ended: %s", self._options.title, one_line(str(error)))

    def _publish(self, fields: NotificationFields) -> Call[PublishResult]:
        return self._calls.publish(self._options.channel, None, fields, None, self._patience)

    def _title(self, ending: Ending) -> str:
        return f"{self._options.title}: {ending.reason or 'done'}"

    def _body(self, ending: Ending) -> str:
        took = duration(round(time.monotonic() - self._began_at))
        lines = last_lines(self.job.written + ending.output, self._options.lines)
        return f"Took {took} on {socket.gethostname()}." + (f"\n\n{lines}" if lines else "")


@dataclass(frozen=True)
class Ending:
    """How a job ended. `reason` is for people, and empty if the job succeeded."""

    reason: str = ""
    output: str = ""

    @classmethod
    def of(cls, raised: BaseException | None) -> Ending:
        """Return the ending for what the job raised."""
        if raised is None or isinstance(raised, GeneratorExit):
            return cls()
        if isinstance(raised, SystemExit):
            return cls._exit(raised)
        if isinstance(raised, (KeyboardInterrupt, asyncio.CancelledError)):
            return cls("was interrupted")
        if isinstance(raised, subprocess.CalledProcessError):
            code = raised.returncode
            reason = f"failed with exit code {code}" if code >= 0 else f"ended by the signal {-code}"
            return cls(reason, _text(raised.stdout) + _text(raised.stderr))
        name = type(raised).__name__
        return cls(f"failed with {name}", "" if isinstance(raised, InputError) else f"\n{name}: {raised}")

    @classmethod
    def _exit(cls, raised: SystemExit) -> Ending:
        if raised.code is None or raised.code == 0:
            return cls()
        if isinstance(raised.code, int):
            return cls(f"failed with exit code {raised.code}")
        return cls("failed with exit code 1", f"\n{raised.code}")


def _text(output: object) -> str:
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
    return f"\n{text}" if isinstance(text, str) and text else ""


def duration(seconds: int) -> str:
    """Return a duration for people, such as 1h2m3s."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    shown = f"{hours}h" if hours else ""
    if hours or minutes:
        shown += f"{minutes}m"
    return f"{shown}{seconds}s"
