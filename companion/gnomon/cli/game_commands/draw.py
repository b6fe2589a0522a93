"""Draw a position from a score sheet or a list of moves as SVG or PNG (`gnomon draw`)."""

from collections.abc import Collection, Iterable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from PIL import Image

from gnomon.cli import localized
from gnomon.cli._arguments import count_turns, parse_settings, play_moves
from gnomon.cli.words import UnusableError, command_words
from gnomon.records.formats.sheets import Sheet
from gnomon.refusals import InvalidValueError, statement, statement_of
from gnomon.rules.protocol import Rules

if TYPE_CHECKING:
    from gnomon.views.pictures import Drawing

_WIDTH = 1200  # pixels, unless asked otherwise
_DASH = "-"


class _Scene(NamedTuple):
    """What is to be drawn: a position, the move that led to it, and words at the foot."""

    rules: Rules[Any, Any]
    position: Any
    last_move: str
    caption: str


@localized.command(help="command.draw")
@localized.argument("sheet", required=False)
@localized.option(
    "--ply",
    type=int,
    help="option.draw.ply",
)
@localized.option("--game", help="option.draw.game")
@localized.option("--moves", default="", help="option.draw.moves")
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.draw.set")
@localized.option("--svg", metavar="FILE", help="option.draw.svg")
@localized.option("--png", metavar="FILE", help="option.draw.png")
@localized.option("--width", type=int, default=_WIDTH, show_default=True, help="option.draw.width")
@localized.option("--dark", is_flag=True, help="option.draw.dark")
@localized.option("--mark", multiple=True, metavar="PLACE", help="option.draw.mark")
def draw(  # noqa: PLR0913  # the options of a command
    *,
    sheet: str | None,
    ply: int | None,
    game: str | None,
    moves: str,
    settings: tuple[str, ...],
    svg: str | None,
    png: str | None,
    width: int,
    dark: bool,
    mark: tuple[str, ...],
) -> None:
    """Draw the position after --ply turns of the score sheet SHEET ("-" reads standard input); by default the last."""
    from gnomon.views.pictures import DARK, LIGHT, to_svg
    from gnomon.views.pictures.png import to_png

    try:
        scene = _from_moves(game, moves.split(), settings, ply) if sheet is None else _from_sheet(sheet, ply, game)
        drawing = _draw(scene, mark)
        theme = DARK if dark else LIGHT
        if png is not None:
            _save(png, _encode(to_png(drawing, width, theme)))
        if svg is not None or png is None:
            _save(svg or _DASH, to_svg(drawing, theme).encode())
    except ValueError as error:
        told = statement_of(error) if sheet is None else statement("cli.failed", file=sheet, why=statement_of(error))
        raise UnusableError(told) from error
    except OSError as error:
        raise UnusableError(statement("cli.failed", file=error.filename, why=error.strerror)) from error


def _draw(scene: _Scene, mark: Collection[str]) -> "Drawing":
    """The picture of a scene. Raises ValueError for a place that is not on its board."""
    from gnomon.views.pictures import picture

    plain = partial(
        picture, scene.rules, scene.position, last_move=scene.last_move, caption=scene.caption, words=command_words()
    )
    for place in mark:
        if plain(highlights=(place,)) == plain():
            raise InvalidValueError(statement("cli.draw.place", place=place))
    return plain(highlights=mark)


def _from_sheet(file: str, ply: int | None, game: str | None) -> _Scene:
    """The position that a sheet leads to. Raises ValueError or OSError."""
    from gnomon.records.formats.sheet_play import steps
    from gnomon.records.formats.sheets import read_sheet
    from gnomon.rules.registry import rules_of

    if game is not None:
        raise InvalidValueError(statement("cli.draw.both"))
    with click.open_file(file, "rb") as source:
        sheet = read_sheet(source.read())
    rules = rules_of(sheet.game, sheet.settings)
    position, last_move = rules.start(), ""
    number = count_turns(ply, len(sheet.lines))
    for step in steps(sheet):
        if step.number > number:
            break
        position, last_move = step.position, step.text
    return _Scene(rules, position, last_move, ", ".join(filter(None, (_heading_line(sheet), _turn(number)))))


def _from_moves(game: str | None, moves: list[str], settings: Iterable[str], ply: int | None) -> _Scene:
    """The position that moves lead to from the start. Raises ValueError."""
    from gnomon.rules.registry import rules_of

    if game is None:
        raise InvalidValueError(statement("cli.draw.nothing"))
    rules = rules_of(game, parse_settings(settings))
    number = count_turns(ply, len(moves))
    return _Scene(rules, *play_moves(rules, moves[:number]), _turn(number))


def _heading_line(sheet: Sheet) -> str:
    """Where the game was played, or else by whom."""
    event = ", ".join(sheet.headers[name] for name in ("Event", "Round") if sheet.headers.get(name))
    return event or " - ".join(filter(None, sheet.players.values()))


def _turn(number: int) -> str:
    return command_words()("word.sheet.turn", number=number) if number else ""


def _save(file: str, data: bytes) -> None:
    with click.open_file(file, "wb") as target:
        target.write(data)


def _encode(image: Image.Image) -> bytes:
    png = BytesIO()
    image.save(png, format="PNG", optimize=True)
    return png.getvalue()
