"""Verifies the webhooks that Sininho posts to event endpoints (Standard Webhooks 1.0, HMAC-SHA256).

Verify the body exactly as it was received, before anything parses it. An event may arrive twice: store the ids that
were handled. While a secret is being replaced, pass the new one and the old one.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import secrets as random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Protocol

from ._core.wire import parse_time
from .errors import ResponseError, SininhoError

WebhookFault = Literal["secret", "header", "too_old", "too_new", "signature", "challenge", "body"]

_prefix = "whsec_"
_longest_id = 255
_most_signatures = 16
_fewest_secret_bytes, _most_secret_bytes, _new_secret_bytes = 24, 64, 32
_challenge = re.compile(r"[A-Za-z0-9]{1,64}")
_names = ("webhook-id", "webhook-timestamp", "webhook-signature")
_names_of_svix = ("svix-id", "svix-timestamp", "svix-signature")


class Headers(Protocol):
    """The headers of a request: those of any framework, a dict, or the environment of WSGI."""

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return names and values."""


class WebhookError(SininhoError):
    """The webhook cannot be trusted: respond with 401 and no details, but with 500 for the fault `secret`, your own."""

    def __init__(self, fault: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault

    def __reduce__(self) -> tuple[type[WebhookError], tuple[WebhookFault, str]]:
        """Copy and pickle by fault and message."""
        return type(self), (self.fault, str(self))


@dataclass(frozen=True)
class Message:
    """The content of a verified webhook."""

    id: str
    """Of the event, the same for every attempt."""
    timestamp: datetime
    """When this attempt was signed."""
    body: bytes


@dataclass(frozen=True)
class Received:
    """A verified event, and what to respond with."""

    id: str
    """Of the event, the same for every attempt."""
    type: str
    """Such as `notification.published`; later versions may add more."""
    timestamp: datetime
    """When it happened."""
    data: dict[str, Any]
    response: str
    """The text to respond with, and a status of 200: it confirms the endpoint, and is empty for other events."""


def receive(body: bytes, headers: Headers, secrets: str | Sequence[str], *, tolerance: float = 300) -> Received:
    """Verify a webhook, and return its event; for a challenge, with the response that confirms the endpoint."""
    message = verify(body, headers, secrets, tolerance=tolerance)
    try:
        event = json.loads(message.body)
        kind, at, data = event["type"], parse_time(event["timestamp"]), event["data"]
    except (ValueError, KeyError, TypeError, ResponseError):
        raise WebhookError("body", "the body is not an event") from None
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise WebhookError("body", "the body is not an event")
    challenge = str(data.get("challenge", ""))
    response = sign_challenge(message, challenge, secrets) if kind == "challenge" else ""
    return Received(message.id, kind, at, data, response)


def verify(
    body: bytes,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: datetime | None = None,
) -> Message:
    """Verify that a body was signed with one of the secrets, at most `tolerance` seconds from now.

    `headers` are those of any framework, or any mapping. Signatures of schemes other than v1 are ignored. The
    comparison takes constant time. Fails with a WebhookError.
    """
    keys = _keys(secrets)
    id, seconds, signature = _headers(headers)
    _check_id(id)
    timestamp = _timestamp(seconds, tolerance, now or datetime.now(timezone.utc))
    signatures = _signatures(signature)
    signed = f"{id}.{seconds}.".encode() + body
    sums = [hmac.digest(key, signed, "sha256") for key in keys]
    matches = [hmac.compare_digest(mac, given) for mac in sums for given in signatures]  # all, even after a match
    if not any(matches):
        raise WebhookError("signature", "no signature matches")
    return Message(id, timestamp, body)


def sign(message: Message, secrets: str | Sequence[str]) -> dict[str, str]:
    """Return the headers of a webhook, for tests of your own receiver."""
    _check_id(message.id)
    seconds = str(int(message.timestamp.timestamp()))
    signed = f"{message.id}.{seconds}.".encode() + message.body
    values = (message.id, seconds, " ".join(_signature(key, signed) for key in _keys(secrets)))
    return dict(zip(_names, values, strict=True))


def sign_challenge(message: Message, challenge: str, secrets: str | Sequence[str]) -> str:
    """Return the response that confirms an event endpoint: the signature of the challenge.

    Fails unless it has 1 to 64 letters and digits: a receiver that signed anything else could be made to sign an
    event. `receive` calls this.
    """
    if not _challenge.fullmatch(challenge):
        raise WebhookError("challenge", "a challenge has 1 to 64 letters and digits")
    signed = Message(message.id, message.timestamp, challenge.encode())
    return sign(signed, secrets)["webhook-signature"]


def new_secret() -> str:
    """Return a new signing secret of 256 random bits."""
    return _prefix + base64.b64encode(random.token_bytes(_new_secret_bytes)).decode()


def _signature(key: bytes, signed: bytes) -> str:
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def _keys(secrets: str | Sequence[str]) -> list[bytes]:
    listed = [secrets] if isinstance(secrets, str) else list(secrets)
    if not listed:
        raise WebhookError("secret", "no secret was given")
    keys = [_decode(secret.removeprefix(_prefix)) for secret in listed]
    for key in keys:
        if key is None:
            raise WebhookError("secret", f"the secret is not base64 after {_prefix}")
        if not _fewest_secret_bytes <= len(key) <= _most_secret_bytes:
            sizes = f"{_fewest_secret_bytes} to {_most_secret_bytes}"
            raise WebhookError("secret", f"the secret has {len(key)} bytes, not {sizes}")
    return [key for key in keys if key is not None]


def _decode(text: str) -> bytes | None:
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if base64.b64encode(key).decode() == text else None


def _headers(headers: Headers) -> tuple[str, str, str]:
    """Return the three headers by their names in Standard Webhooks or, without any of those, by those of Svix."""
    values: dict[str, str] = {}
    for name, value in headers.items():
        first = value[0] if isinstance(value, (list, tuple)) and value else value
        text = first.decode("latin-1") if isinstance(first, bytes) else str(first)
        values.setdefault(name.lower().replace("_", "-").removeprefix("http-"), text)
    for names in (_names, _names_of_svix):
        found = [values.get(name, "") for name in names]
        if any(found):
            return found[0], found[1], found[2]
    return "", "", ""


def _check_id(id: str) -> None:
    """Refuse full stops, which separate what is signed: an id with one could be read as another id and time."""
    if not re.fullmatch(r"[!-~]+", id) or "." in id or len(id) > _longest_id:
        raise WebhookError("header", f"webhook-id has 1 to {_longest_id} visible ASCII characters other than '.'")


def _timestamp(seconds: str, tolerance: float, now: datetime) -> datetime:
    at = int(seconds) if re.fullmatch(r"[0-9]{1,11}", seconds) else 0
    if at == 0:
        raise WebhookError("header", "webhook-timestamp is the time in seconds since 1970")
    if at < now.timestamp() - tolerance:
        raise WebhookError("too_old", f"it was signed more than {tolerance:g} s ago")
    if at > now.timestamp() + tolerance:
        raise WebhookError("too_new", f"it was signed more than {tolerance:g} s ahead")
    return datetime.fromtimestamp(at, timezone.utc)


def _signatures(value: str) -> list[bytes]:
    parts = value.split()
    if not 0 < len(parts) <= _most_signatures:
        raise WebhookError("header", f"webhook-signature holds 1 to {_most_signatures} signatures")
    decoded = [_decode(part[3:]) for part in parts if part.startswith("v1,")]
    return [each for each in decoded if each is not None]
