"""Build the responses to sign-in forms: session and device cookies, sign-out, and redirects within the site."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gnomon.web.access import cookies
from gnomon.web.access._identity import LASTING
from gnomon.web.access._roles import Role


def go_to(path: str) -> Response:
    """Look at another page of this site."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def local(path: str) -> str:
    r"""A path of this site, and the first page instead of anything else.

    `//elsewhere` and `/\elsewhere` are other sites to a browser, also with tabs and line ends in between.
    """
    plain = "".join(letter for letter in path if letter > " ")
    return plain if plain[:1] == "/" and plain[1:2] not in ("/", "\\") else "/"


def begin_session(request: Request, answer: Response, secret: str, role: Role) -> Response:
    """Let the browser keep a session, as long as it may last."""
    is_secure = request.url.scheme == "https"
    cookie = cookies.format_cookie(cookies.SESSION, secret, secure=is_secure, seconds=LASTING[role].longest)
    answer.headers.append("Set-Cookie", cookie)
    return answer


def keep_device(request: Request, answer: Response, secret: str) -> Response:
    """Let the browser keep that somebody has signed in from it; nothing is kept without a secret."""
    if secret:
        is_secure = request.url.scheme == "https"
        cookie = cookies.format_cookie(cookies.DEVICE, secret, secure=is_secure, seconds=cookies.DEVICE_LASTS)
        answer.headers.append("Set-Cookie", cookie)
    return answer


def device_of(request: Request) -> str:
    """What the browser has kept of that; empty when nothing."""
    return cookies.read(request.headers, cookies.DEVICE, secure=request.url.scheme == "https")


def end_session(request: Request, answer: Response) -> Response:
    """Let the browser forget its session, and what it keeps of these pages."""
    is_secure = request.url.scheme == "https"
    answer.headers.append("Set-Cookie", cookies.format_cookie(cookies.SESSION, "", secure=is_secure, seconds=0))
    if is_secure:  # Browsers heed it over TLS only.
        answer.headers["Clear-Site-Data"] = '"cache"'
    return answer
