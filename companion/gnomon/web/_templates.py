"""Render templates into pages, in the language that the reader prefers."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from gnomon.refusals import sentence
from gnomon.web._pictures import live
from gnomon.web.access import PUBLISHED, Role, visitor_of
from gnomon.web.language import words_for
from gnomon.web.template_folder import templates_in
from gnomon.words import LANGUAGES, Words, language_name

if TYPE_CHECKING:
    from jinja2 import Environment

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"


def page(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """The page of a template.

    It knows `say` (the words), `here` (its path), `location` (that with what it was asked), the languages, `visitor`
    (who asks: `visitor.may(Role.PLAYER)`, and `visitor.csrf`, which every form brings along), `bench` (the address of
    a simulated board, or None), `hall` (what a hall of many boards is called, None at one board), and `values`.
    It knows `published`, too: whether it becomes a file, from which nothing can be asked; and `hears_boards`: whether
    there are boards to look at.
    """
    say = words_for(request)
    published = [code for code in request.headers.get(PUBLISHED, "").split() if code in LANGUAGES]
    text = (
        _environment()
        .get_template(template)
        .render(
            say=say,
            here=request.url.path,
            location=location_of(request),
            languages=[(code, language_name(code)) for code in published or LANGUAGES],
            published=bool(published),
            visitor=visitor_of(request),
            bench=_of_app(request, "bench"),
            hall=_of_app(request, "hall"),
            hears_boards=bool(_of_app(request, "hears_boards")),
            Role=Role,
            **values,
        )
    )
    return HTMLResponse(
        text, status, headers={"Content-Language": say.language, "Vary": f"Accept-Language, Cookie, {PUBLISHED}"}
    )


def location_of(request: Request) -> str:
    """The path of a page with what it was asked, without the language: where one comes back to in another."""
    asked = urlencode([each for each in request.query_params.multi_items() if each[0] != "language"])
    return f"{request.url.path}?{asked}" if asked else request.url.path


def part(template: str, say: Words, **values: object) -> Markup:
    """A part of a page that is the same for everybody who reads a language, so that it can be kept."""
    return Markup(_environment().get_template(template).render(say=say, **values))  # noqa: S704 - it escapes by itself


def _of_app(request: Request, what: str) -> object:
    """What the application was told of itself; None also for a page outside of one."""
    app = request.scope.get("app")
    return None if app is None else getattr(app.state, what, None)


@cache
def _environment() -> "Environment":
    """The templates, opened when the first page is asked for."""
    environment = templates_in(HERE / "templates")
    environment.globals |= {"live": live, "sentence": sentence}
    return environment
