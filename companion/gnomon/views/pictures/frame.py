"""Lay out the sheet around a board's picture: header, footer and their texts."""

from collections.abc import Collection, Iterable
from typing import Any, Final, NamedTuple

from gnomon.refusals import Statement, clause
from gnomon.rules.protocol import OVER, PositionT, Rules
from gnomon.views.pictures.drawing import Drawing, Shape, Text
from gnomon.views.pictures.figures import line
from gnomon.views.pictures.palette import Colour
from gnomon.words import ENGLISH, Clause, Words

WIDTH: Final = 1000.0
MARGIN: Final = 44.0
HEAD: Final = 96.0  # where the board's part of the sheet begins
FOOT: Final = 72.0

_LONGEST_FOOT: Final = 46  # letters of one of its two texts
_TITLE: Final = 34.0
_WORDS: Final = 25.0
_SMALL: Final = 20.0


class Annotations(NamedTuple):
    """What is to be seen beside the position: the move that led to it, places to be marked, words at the foot.

    `words` are those of the language in which all of it is said. `result` is how the game ended, where it has: a
    position alone does not know of a fallen flag, or of one who resigned.
    """

    last_move: str = ""
    highlights: Collection[str] = ()
    caption: str = ""
    words: Words = ENGLISH
    result: str = ""


class PictureText(NamedTuple):
    """What a picture says in words: the game, whose turn it is or who has won, and all that is on the board."""

    game: str
    status: str
    board: str


def frame(seen: PictureText, asked: Annotations, height: float, shapes: Iterable[Shape]) -> Drawing:
    """A board, `height` high and drawn from `HEAD` downwards, on its sheet."""
    foot, right, words = HEAD + height, WIDTH - MARGIN, asked.words
    seen = seen._replace(status=asked.result or seen.status)
    head: list[Shape] = [
        Text((MARGIN, 62), seen.game.upper(), _TITLE, bold=True, spacing=5),
        Text((right, 61), seen.status, _WORDS, anchor="end"),
        line((MARGIN, 82), (right, 82), Colour.FAINT, 2),
        line((MARGIN, foot), (right, foot), Colour.FAINT, 2),
    ]
    below: list[Shape] = []
    if asked.last_move:
        below.append(
            Text(
                (MARGIN, foot + 36), _short(words("picture.last_move.foot", text=asked.last_move)), _SMALL, Colour.MUTED
            )
        )
    if asked.caption:
        below.append(Text((right, foot + 36), _short(asked.caption), _SMALL, Colour.MUTED, anchor="end"))
    last = words("picture.last_move", text=asked.last_move) if asked.last_move else ""
    told = " ".join(filter(None, (f"{seen.status}.", last, seen.board, asked.caption)))
    title = words("picture.title", game=seen.game, status=seen.status)
    return Drawing(WIDTH, foot + FOOT - 8, title, told, (*head, *shapes, *below))


def turn_of(rules: Rules[PositionT, Any], position: PositionT, asked: Annotations) -> str:
    """Whose turn it is; OVER as well when the game has ended in a way that its position does not know."""
    return OVER if asked.result else rules.turn(position)


def centred_text(
    at: tuple[float, float], text: str, size: float, colour: Colour = Colour.INK, *, bold: bool = False
) -> Text:
    """A text whose capitals and digits stand around a point."""
    return Text((at[0], at[1] + 0.35 * size), text, size, colour, anchor="middle", bold=bold)


def group_digits(digits: str) -> str:
    """The digits of a great number in groups of three."""
    first = len(digits) % 3
    return " ".join(filter(None, (digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3)))))


def player_name(player: str, words: Words = ENGLISH) -> str:
    """A player's name as a picture has it: as pages have it."""
    return words.player(player)


def certainty_sentence(told: Statement, words: Words) -> str:
    """What the rules say of how sure they are, as a sentence."""
    return words("picture.sentence", text=Clause(clause(told, words)))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_FOOT else f"{text[: _LONGEST_FOOT - 1].rstrip()}…"
