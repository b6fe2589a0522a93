"""Recognize browser and system in a User-Agent header, so that people can tell their sessions apart."""

from typing import Final

_BROWSERS: Final = (
    # In this order: each says that it is those below it too.
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_name(said: str) -> str:
    """As "Firefox, Android", or as much of it as is known; empty for nothing."""
    found = (next((name for mark, name in marks if mark in said), "") for marks in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, found))
