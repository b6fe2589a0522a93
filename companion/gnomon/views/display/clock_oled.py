"""Draw a match clock on the display, alone in large digits or beside a small board.

The side whose time runs has a light background, to be seen across a room. The first player is on the left, or above.
"""

from typing import Final

from PIL import Image

from gnomon.referee.game import Game
from gnomon.referee.rulings import Corrected
from gnomon.refusals import render
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.timekeeping.notation import format_time_control
from gnomon.views import fonts, seats
from gnomon.views.clock_faces import Face, faces
from gnomon.views.display import panes
from gnomon.views.display.panes import HEIGHT, WIDTH
from gnomon.views.people import people
from gnomon.views.phrases import name
from gnomon.words import Words, upper

_HALF: Final = WIDTH // 2
_BODY: Final = 10  # the first row under the headline
_DIGITS: Final = (_BODY + 11, 30)  # the first row of the digits, and their height
_OVER_NOTICE: Final = (_BODY + 2, 22)  # the same, where a notice takes the foot
_FOOT: Final = HEIGHT - fonts.LINE - 1  # the first row of the line under the digits
_ROOM: Final = _HALF - 4

_WIDEST: Final = 13
_THIN: Final = 8  # digits from here on down have thin strokes, or would be blots

_ROW: Final = 16  # of a clock beside a board

BESIDE: Final = _BODY + 2 * _ROW + 1
"""The first row under both clocks beside a board."""


def draw_alone(image: Image.Image, game: Game, now: Instant, notice: str | None, words: Words) -> None:
    """The whole display for a game of which nothing is known but its clock."""
    halves = faces(game, now)
    panes.headline(image, *_headline(game, words), notice)
    for half in halves:
        if notice:
            _draw_time(image, half, _OVER_NOTICE, panes.TEXT)
        else:
            _draw_time(image, half, _DIGITS, HEIGHT)
            _draw_words(image, half, _player_label(game, half.player, words), words)
    if notice:
        panes.text(image, (), notice)


def draw_beside(image: Image.Image, game: Game, now: Instant, left: int) -> None:
    """Both clocks below each other under the headline, from column `left` to the right edge."""
    for half in faces(game, now):
        top = _BODY + half.side * _ROW
        if half.runs:
            image.paste(1, (left - 1, top, WIDTH, top + _ROW))
        ink = 0 if half.runs else 1
        sign = _sign(half)
        scale = 2 if fonts.width(half.text, 2) + fonts.width(sign) + 4 <= WIDTH - left else 1
        fonts.write(image, (left + 1, top + 1 + 4 * (scale == 1)), half.text, ink=ink, scale=scale)
        fonts.write(image, (WIDTH - 1 - fonts.width(sign), top + 4), sign, ink=ink)


def line(game: Game, now: Instant) -> str:
    """Both times in one line, the one that runs marked; empty without a clock."""
    return "  ".join(f"{'►' if half.runs else ''}{half.text}{_sign_after(half)}" for half in faces(game, now))


def _draw_time(image: Image.Image, half: Face, rows: tuple[int, int], end: int) -> None:
    """The time of one half in digits as wide as there is room for, down to row `end` on light ground if it runs."""
    left, (top, tall) = half.side * _HALF, rows
    if half.runs:
        image.paste(1, (left + half.side, _BODY, left + _HALF - 1 + half.side, end))
    size, stroke = _size(half.text, tall)
    start = left + (_HALF - fonts.digits_width(half.text, size, stroke)) // 2
    fonts.write_digits(image, (start, top), half.text, size=size, stroke=stroke, ink=0 if half.runs else 1)


def _draw_words(image: Image.Image, half: Face, called: str, words: Words) -> None:
    """Whose half it is, and what stands under the time: a fallen flag on the ground that the rest has not."""
    middle, ink = half.side * _HALF + _HALF // 2, 0 if half.runs else 1
    who, remark = fonts.shorten(called, _ROOM)[0], half.remark(words)
    fonts.write(image, (middle - fonts.width(who) // 2, _BODY + 1), who, ink=ink)
    start = middle - fonts.width(remark) // 2
    if half.has_fallen:
        panes.tag(image, (start - 2, _FOOT - 1), remark)
    else:
        fonts.write(image, (start, _FOOT), remark, ink=ink)


def _headline(game: Game, words: Words) -> tuple[str, str]:
    """How the game stands, and what is said beside it."""
    if game.outcome is not None:
        return words("oled.over"), seats.result(game, words).rstrip(".")
    if game.paused_at is not None:
        why = [ruling.why for ruling in game.rulings[-2:] if isinstance(ruling, Corrected) and ruling.why]
        first = upper(render(why[-1], words)) if why else ""
        return words("oled.paused"), fonts.shorten(first, WIDTH - 50)[0] if first else words("oled.resume")
    if game.clock is None or not game.clock.has_started:
        return words("oled.clock.press"), ""
    control = format_time_control(game.clock.terms.control)
    return (control if fonts.width(control) < _HALF else words("oled.clock")), _turns(len(game.plies), words)


def _turns(number: int, words: Words) -> str:
    return words("oled.turns.one" if number == 1 else "oled.turns.other", number=number)


def _player_label(game: Game, player: str, words: Words) -> str:
    return people(game).get(player) or name(player, words)


def _sign(half: Face) -> str:
    """The little that stands beside a small clock: a flag, the delay, or how many spells or moves are left."""
    if half.has_fallen:
        return "!"
    if half.delay and half.runs:
        return f"d{-(-half.delay // SECOND)}"
    if half.account.spells:
        return f"x{half.account.spells}"
    return "" if half.account.to_go is None else f"{half.account.to_go}"


def _sign_after(half: Face) -> str:
    """The same directly behind the time, of which a bare number would become a part."""
    sign = _sign(half)
    return f"({sign})" if sign.isdigit() else sign


def _size(text: str, tall: int) -> tuple[tuple[int, int], int]:
    """The widest digits of a height with which a text has room in one half: their size, and the stroke."""
    for wide in range(_WIDEST, _THIN, -1):
        if fonts.digits_width(text, (wide, tall), 3) <= _ROOM:
            return (wide, tall), 3
    narrow = next(wide for wide in range(_THIN, 1, -1) if fonts.digits_width(text, (wide, tall), 2) <= _ROOM)
    return (narrow, tall), 2
