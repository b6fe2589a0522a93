"""Name, read and write the session cookies, and derive and compare the CSRF tokens of forms.

A browser sends its cookies by itself, also with a form that another page made, but not the token (CSRF). The token is
derived from the secret in the cookie, so nothing has to be stored for it, and a new session has a new one.
"""

import hashlib
import hmac
from http.cookies import SimpleCookie
from typing import Final

from starlette.datastructures import Headers

SESSION: Final = "gnomon_session"
VISIT: Final = "gnomon_visit"
"""Of a browser that nobody has signed in at: it only binds the forms to it."""
DEVICE: Final = "gnomon_device"
"""Of a browser in which somebody has signed in by a PIN; it opens nothing."""
DEVICE_LASTS: Final = 400 * 24 * 3600  # seconds; browsers keep no cookie longer
_HOST: Final = "__Host-"
"""A browser takes such a cookie only from this very host, over TLS and for all paths (RFC 6265bis, 4.1.3.2)."""


def name_of(cookie: str, *, secure: bool) -> str:
    """What a cookie is called; over TLS it bears the prefix that no other host and no plain page can set."""
    return f"{_HOST}{cookie}" if secure else cookie


def read(headers: Headers, cookie: str, *, secure: bool) -> str:
    """The value of one of the cookies; empty without it, and where a browser sends two of that name."""
    name = name_of(cookie, secure=secure)
    values = [
        value.strip()
        for part in headers.get("cookie", "").split(";")
        for key, equals, value in (part.partition("="),)
        if equals and key.strip() == name
    ]
    return values[0] if len(values) == 1 else ""


def format_cookie(cookie: str, value: str, *, secure: bool, seconds: int | None = None) -> str:
    """The header that sets a cookie; without `seconds` the browser forgets it when it ends, 0 takes it away."""
    name = name_of(cookie, secure=secure)
    jar: SimpleCookie = SimpleCookie()
    jar[name] = value
    morsel = jar[name]
    morsel["path"] = "/"
    morsel["httponly"] = True
    morsel["samesite"] = "Strict"
    morsel["secure"] = secure
    if seconds is not None:
        morsel["max-age"] = seconds
    return morsel.OutputString()


def csrf(secret: str) -> str:
    """What a form must bring along with the cookie of that secret; empty without one."""
    return hmac.new(secret.encode(), b"gnomon form", hashlib.sha256).hexdigest() if secret else ""


def is_same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell where they differ; empty ones never are."""
    return bool(one) and hmac.compare_digest(_bytes(one), _bytes(other))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # JSON can bring halves of letters
