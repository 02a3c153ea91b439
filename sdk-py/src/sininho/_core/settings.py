"""Settings of a client, from its arguments and the environment."""

from __future__ import annotations

import logging
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from ..errors import SettingsError

log = logging.getLogger("sininho")

DEFAULT_URL = "http://localhost:8080"


@dataclass(frozen=True)
class Settings:
    """Settings in their final form."""

    base_url: str
    """Where paths are appended, without a slash at the end."""
    key: str = field(repr=False)
    retries: int
    timeout: float


def settings_from(url: str | None, key: str | None, retries: int, timeout: float) -> Settings:
    """Return the settings, with what is None taken from the environment."""
    if url is None:
        url = os.environ.get("SININHO_URL", "").strip() or DEFAULT_URL
    if key is None:
        key = _key_of_environment()
    elif not key.strip():
        raise SettingsError("the API key is empty; leave api_key out to read without one")
    key = key.strip()
    if not is_visible(key):
        raise SettingsError("the API key holds characters that no key has; was something else pasted?")
    if retries < 0:
        raise SettingsError("retries cannot be negative")
    if timeout <= 0:
        raise SettingsError("the timeout must be positive")
    return Settings(base_url(url), key, retries, timeout)


def is_visible(text: str) -> bool:
    """Report whether a text has only visible ASCII characters."""
    return all(" " < character <= "~" for character in text)


def base_url(text: str) -> str:
    """Return the URL to which paths are appended. `/api/v1` is added to what is only a server's origin."""
    example = "https://sininho.example.com"
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise SettingsError(f"the URL must look like {example}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or " " in parts.netloc or port == 0:
        raise SettingsError(f"the URL must look like {example}")
    if "@" in parts.netloc:
        raise SettingsError("the URL must not hold a user name or password; use api_key")
    if parts.query or parts.fragment:
        raise SettingsError("the URL must not have a query or a fragment")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") or "/api/v1", "", ""))


def _key_of_environment() -> str:
    key = os.environ.get("SININHO_API_KEY", "").strip()
    path = os.environ.get("SININHO_API_KEY_FILE", "")
    return key if key or not path else _key_of_file(Path(path))


def _key_of_file(path: Path) -> str:
    try:
        words = path.read_text(encoding="utf-8").split()
        readers = stat.S_IMODE(path.stat().st_mode) & (stat.S_IRGRP | stat.S_IROTH)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"SININHO_API_KEY_FILE: {error}") from None
    if not words:
        raise SettingsError(f"SININHO_API_KEY_FILE: {path} is empty")
    if len(words) > 1:
        raise SettingsError(f"SININHO_API_KEY_FILE: {path} has {len(words)} words; it must have nothing but the key")
    if readers and os.name == "posix":
        log.warning("others may read %s, which has an API key: chmod 600 %s", path, path)
    return words[0]
