"""Draw the picture of a clock-only game: two buttons and whose turn it is."""

from collections.abc import Iterator
from typing import Final

from gnomon.games.clock.rules import PLAYERS, Free, Position
from gnomon.views.phrases import name
from gnomon.views.pictures.drawing import Drawing, Group, Shape
from gnomon.views.pictures.figures import box
from gnomon.views.pictures.frame import HEAD, MARGIN, WIDTH, Annotations, PictureText, centred_text, frame
from gnomon.views.pictures.palette import Colour

_HEIGHT: Final = 420.0
_GAP: Final = 40.0
_WIDE: Final = (WIDTH - 2 * MARGIN - _GAP) / 2
_TALL: Final = 300.0
_TOP: Final = HEAD + (_HEIGHT - _TALL) / 2


def picture(rules: Free, position: Position, asked: Annotations) -> Drawing:
    """Whose turn it is, and how many turns have been ended; there is no place to highlight."""
    words = asked.words
    if asked.last_move:
        rules.parse(position, asked.last_move)
        asked = asked._replace(last_move="")  # all turns are alike, and are counted
    status = words("picture.clock.turn", player=name(PLAYERS[position.mover], words))
    told = words.plural("picture.clock.turns", position.presses)
    return frame(PictureText(words("game.clock"), status, told), asked, _HEIGHT, _buttons(position, asked))


def _buttons(position: Position, asked: Annotations) -> Iterator[Shape]:
    """Two buttons; that of the player on turn stands out."""
    for number, player in enumerate(PLAYERS):
        left, is_on_turn = MARGIN + number * (_WIDE + _GAP), number == position.mover and not asked.result
        ink = Colour.ON_ACCENT if is_on_turn else Colour.INK
        ended = (position.presses + (number != position.mover)) // 2
        yield Group(
            (
                box(left, _TOP, _WIDE, _TALL, 36, fill=Colour.ACCENT if is_on_turn else Colour.PANEL),
                centred_text((left + _WIDE / 2, _TOP + 110), name(player, asked.words), 72, ink, bold=True),
                centred_text((left + _WIDE / 2, _TOP + 210), asked.words.plural("picture.clock.turns", ended), 34, ink),
            ),
            title=name(player, asked.words),
            key=player,
        )
