"""Prepare game pictures for pages: remove their styles, and make the style sheet of their colours.

The content security policy of the pages forbids inline styles. A picture's colours are names, for which the sheet
gives values for light and dark.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules, SettingsError
from gnomon.rules.registry import GAMES, rules_of
from gnomon.views import qr
from gnomon.views.pictures import DARK, LIGHT, Colour, Theme, picture, to_svg
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.show import Show, show
from gnomon.web._compression import pack, packed_response, text_response
from gnomon.web._http_errors import HttpError, refusal
from gnomon.words import ENGLISH, Words

_STYLE: Final = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
_NAME_BYTES: Final = 9
DRAWINGS: Final = "/board/drawings"
SVG: Final = "image/svg+xml"


class NoPictureError(InvalidValueError):
    """There is no such picture."""


def for_the_page(svg: str) -> str:
    """A picture without the style that it brings."""
    return _STYLE.sub("", svg)


def sheet() -> str:
    """The style sheet of the colours that pictures name."""
    light, dark = _variables(LIGHT), _variables(DARK)
    return (
        "/* Colours of pictures, written from their palette. */\n"
        f":is(.picture, .board, .glass-alone) {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :is(.picture, .board, .glass-alone) {{ {dark} }} }}\n"
    )


@cache
def sample(name: str, words: Words = ENGLISH) -> str:
    """A picture of a game that has been played for a while. Raises NoPictureError for a game that there is not."""
    shown = _known_show(name)
    rules, position = _play(name, shown.sample.split())
    return to_svg(picture(rules, position, words=words), LIGHT, dark=DARK)


class Example(NamedTuple):
    """A turn as a rules page shows it: the sentence that says it, and the board before and after."""

    sentence: str
    before: str
    after: str


@cache
def example(name: str, words: Words = ENGLISH) -> Example | None:
    """The example turn of a game; None for one that has no sample. Raises NoPictureError for a game that there is not.

    Where the turn follows a throw or a draw, the board before it has that too.
    """
    shown = _known_show(name)
    turns = (shown.example or shown.sample).split()
    if not turns:
        return None
    rules, position = _play(name, turns[:-1])
    player, last = rules.turn(position), turns[-1]
    after = rules.play(position, rules.parse(position, last))
    drawn = picture(rules, position, words=words), picture(rules, after, last_move=last, words=words)
    before_svg, after_svg = (to_svg(each, LIGHT, dark=DARK) for each in drawn)
    return Example(shown.turn(player, last, words), before_svg, after_svg)


def _known_show(name: str) -> Show[Any]:
    """How a game is shown. Raises NoPictureError for one that there is not."""
    try:
        return show(name)
    except SettingsError as error:
        raise NoPictureError(error.statement) from error


def _play(name: str, turns: Iterable[str]) -> tuple[Rules[Any, Any], Any]:
    """The rules of a game's sample, and the position after some turns."""
    rules = rules_of(name, show(name).sample_settings)
    position: Any = rules.start()
    for text in turns:
        position = rules.play(position, rules.parse(position, text))
    return rules, position


def _variables(theme: Theme) -> str:
    return " ".join(f"--{colour}: {theme[colour]};" for colour in Colour)


@cache
def live(part: str) -> str:
    """The address of the drawing whose parts a page's program moves; it changes with the drawing."""
    game = next(game for game in GAMES if part in show(game).drawings)
    return f"{DRAWINGS}/{game}/{part}-{_pack_drawing(game, part).name}.svg"


class _PackedDrawing(NamedTuple):
    """A drawing by its name, packed: one of a board is 200 KB, and a browser asks for it once."""

    name: str
    packed: bytes


@cache
def _pack_drawing(game: str, part: str) -> _PackedDrawing:
    """Such a drawing, to be taken to pieces by the page. Raises NoPictureError."""
    try:
        drawing: Drawing = load(show(game).drawings[part])()
    except (SettingsError, KeyError):
        raise NoPictureError(statement("replay.refused.no_such_drawing")) from None
    svg = for_the_page(to_svg(drawing, LIGHT, dark=DARK))
    return _PackedDrawing(picture_name(svg), pack(svg))


async def _colours(_request: Request) -> Response:
    return Response(sheet(), media_type="text/css")


async def _drawing_response(request: Request) -> Response:
    """Answer with a drawing by its address, for as long as a browser likes to keep it."""
    try:
        drawing = _pack_drawing(request.path_params["game"], request.path_params["part"].partition("-")[0])
    except NoPictureError as error:
        return refusal(request, HTTPStatus.NOT_FOUND, error.statement)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return packed_response(request, drawing.packed, SVG, headers)


SHARED: Final = (Route("/board/pictures.css", _colours), Route(f"{DRAWINGS}/{{game}}/{{part}}.svg", _drawing_response))
"""The routes of what every picture needs."""


def picture_name(svg: str) -> str:
    """The name of a picture: the same for the same picture."""
    return blake2b(svg.encode(), digest_size=_NAME_BYTES).hexdigest()


def answer_picture(request: Request, told: Mapping[str, object]) -> Response:
    """Answer with the picture that a summary holds, asked for by its name, or with nothing once another is shown.

    A position may change between the news of it and the request for its picture. That is no error, of which a browser
    would complain to its user: news of the next picture are on their way.
    """
    svg = page_picture(told)
    if svg is None or request.path_params["picture"] != picture_name(str(told["picture"])):
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return text_response(request, svg, SVG, {"Cache-Control": "private, max-age=3600, immutable"})


def answer_code(address: str) -> Response:
    """Answer with the QR code of an address for phones. Raises HttpError where there is none."""
    if not address:
        raise HttpError(HTTPStatus.NOT_FOUND, statement("refusal.address.no_phone"))
    return Response(qr.svg(qr.code(address)), media_type=SVG, headers={"Cache-Control": "no-store"})


def page_picture(told: Mapping[str, object]) -> str | None:
    """The picture that a summary holds, fit for the page; None where there is none (TAMSK is drawn by the page)."""
    svg = told.get("picture")
    return for_the_page(svg) if isinstance(svg, str) else None
