"""The errors of this package. Each is a SininhoError, and none contains a credential."""

from __future__ import annotations

from dataclasses import dataclass


class SininhoError(Exception):
    """The base of all errors of this package."""


@dataclass(frozen=True)
class Fault:
    """One fault of an input."""

    pointer: str
    """Locates the fault: `#/title` in the body, or `query:limit`, `path:id`, `header:idempotency-key`."""
    code: str
    """Stable and meant for programs, for example `too_long`."""
    detail: str
    """Meant for people."""

    @property
    def name(self) -> str:
        """The name of the field without the notation: `title` for `#/title`."""
        if self.pointer.startswith("#/"):
            return self.pointer[2:].replace("/", ".").replace("~1", "/").replace("~0", "~")
        return self.pointer.partition(":")[2] or self.pointer


def _listed(faults: tuple[Fault, ...]) -> str:
    return "; ".join(f"{fault.name} {fault.detail}" for fault in faults)


class SettingsError(SininhoError, ValueError):
    """A setting of the client, or a variable of the environment, cannot be used."""


class InputError(SininhoError, ValueError):
    """The input was refused before anything was sent."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(f"not sent: {_listed(faults)}")
        self.faults = faults


def input_error(pointer: str, code: str, detail: str) -> InputError:
    """Return the error for an input with one fault."""
    return InputError((Fault(pointer, code, detail),))


class UnreachableError(SininhoError):
    """No attempt got a response.

    The request may have been carried out: repeat it under the same idempotency key or external id.
    """


class CertificateError(UnreachableError):
    """The server's certificate is not trusted, so nothing was sent and another attempt is useless."""


class ResponseError(SininhoError):
    """The response is not one that Sininho sends, as from a wrong URL."""


@dataclass(frozen=True)
class Problem:
    """What an ApiError consists of."""

    method: str
    path: str
    status: int
    code: str = ""
    title: str = ""
    detail: str = ""
    faults: tuple[Fault, ...] = ()
    request_id: str = ""
    retry_after: float = 0


class ApiError(SininhoError):
    """A refusal by the server (RFC 9457)."""

    def __init__(self, problem: Problem) -> None:
        self.method = problem.method
        self.path = problem.path
        self.status = problem.status
        self.code = problem.code
        """Stable and meant for programs; empty if the response came from a proxy instead of the server."""
        self.title = problem.title
        self.detail = problem.detail
        """Meant for people."""
        self.faults = problem.faults
        """Every fault of the input."""
        self.request_id = problem.request_id
        """Identifies the request in the server's log."""
        self.retry_after = problem.retry_after
        """Seconds to wait before trying again; 0 if the server does not say."""
        super().__init__(self._line())

    def __reduce__(self) -> tuple[type[ApiError], tuple[Problem]]:
        """Copy and pickle by the parts of the problem."""
        return type(self), (
            Problem(
                self.method,
                self.path,
                self.status,
                self.code,
                self.title,
                self.detail,
                self.faults,
                self.request_id,
                self.retry_after,
            ),
        )

    def _line(self) -> str:
        line = f"{self.method} {self.path}: {self.status} {self.code}".rstrip()
        text = self.detail or self.title
        if self.faults:
            text = f"{text.rstrip('.')}: {_listed(self.faults)}"  # the faults continue the sentence
        if text:
            line += f": {text}"
        return f"{line} [request {self.request_id}]" if self.request_id else line


class UnauthorizedError(ApiError):
    """The credential is missing, wrong, expired or revoked (401)."""


class ForbiddenError(ApiError):
    """The credential does not allow this (403)."""


class NotFoundError(ApiError):
    """The resource does not exist or is not yours (404)."""


class ConflictError(ApiError):
    """The request conflicts with existing data (409)."""


class ChangedError(ApiError):
    """The resource has changed since the version that was given (412)."""


class InvalidError(ApiError):
    """The server refused the input (422); `faults` has all that is wrong with it."""


class RateLimitedError(ApiError):
    """The rate limit is still exceeded after the retries (429); see `retry_after`."""


_by_status: dict[int, type[ApiError]] = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: ChangedError,
    422: InvalidError,
    429: RateLimitedError,
}


def api_error(problem: Problem) -> ApiError:
    """Return the error for a problem, of the class of its status."""
    return _by_status.get(problem.status, ApiError)(problem)
