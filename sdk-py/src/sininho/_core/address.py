"""Addresses of channels and ids, checked before they become part of a path."""

from __future__ import annotations

import re

from ..errors import input_error

_slug = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_id = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_longest_slug = 63


def channel_path(address: str) -> str:
    """Return the path of a channel from its address, `publisher/channel`."""
    slugs = address.split("/")
    if len(slugs) == 2 and all(len(slug) <= _longest_slug and _slug.fullmatch(slug) for slug in slugs):
        return f"/channels/{slugs[0]}/{slugs[1]}"
    raise input_error(
        "channel",
        "invalid_address",
        "must have the form publisher/channel, each in lower-case letters, digits and single hyphens, "
        f"such as demo/novidades; got {address[:80]!r}",
    )


def checked_id(text: str) -> str:
    """Return an id that can be part of a path."""
    if _id.fullmatch(text):
        return text
    example = "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f"
    raise input_error("path:id", "invalid_id", f"must be an id from the API, such as {example}; got {text[:80]!r}")
