"""Mends texts that programs write, such as the output of a command, so that the server accepts them."""

from __future__ import annotations

import re
import unicodedata

MAX_TITLE = 200
MAX_BODY = 20_000
_room_for_notice = 60

# The control sequences of terminals: of colours and cursors, of titles and links, and the short ones.
_escapes = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]")
_breaks = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_directions = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Return a text as one line without control sequences, control and direction characters."""
    plain = _directions.sub("", _escapes.sub("", text))
    return " ".join("".join(" " if _is_control(each) else each for each in plain).split())


def prose(text: str) -> str:
    """Return a text of several lines without control sequences, control and direction characters."""
    plain = _breaks.sub("\n", _directions.sub("", _escapes.sub("", text)))
    return "".join(each for each in plain if each in "\n\t" or not _is_control(each))


def last_lines(text: str, count: int) -> str:
    """Return the last lines of a text, without those at the end that are empty."""
    lines = prose(text).rstrip().split("\n")
    return "\n".join(lines[-count:]).strip() if count else ""


def fitting(title: str, body: str) -> tuple[str, str]:
    """Return both as long as they may be: the end of a long title is cut, and the beginning of a long body."""
    if len(title) > MAX_TITLE:
        title, body = title[: MAX_TITLE - 1].rstrip() + "…", f"{title[: MAX_TITLE * 2]}\n\n{body}"
    if len(body) > MAX_BODY:
        kept = body[-(MAX_BODY - _room_for_notice) :]
        body = f"[… {len(body) - len(kept):,} characters cut …]\n{kept}"
    return title, body


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
