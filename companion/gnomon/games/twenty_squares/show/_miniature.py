"""Draw Tau (Twenty Squares) on the display, with stars for rosettes and a counter shape for each player."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from PIL import Image

from gnomon.games.twenty_squares.rules import NO_THROW, Position, TwentySquares
from gnomon.games.twenty_squares.rules.dice import COWRIES, STICKS
from gnomon.rules.protocol import OVER
from gnomon.views import fonts
from gnomon.views.pictures.miniatures import BOARD, MiniatureText, draw_box, stamp
from gnomon.words import Words

_ROWS: Final = 3
_HIGH: Final = 8  # pixels from row to row
_WIDEST: Final = 8  # from file to file
_MOST: Final = 5  # pixels along a counter
_SMALL_COUNTERS: Final = ((".#.", "###", ".#."), ("#.#", "#.#", "#.#"))  # of the third and fourth player
_DICE: Final = 32  # the first row of the throw
_DIGITS: Final = (12, 21)
_STROKE: Final = 3


def draw(rules: TwentySquares, position: Position, image: Image.Image, words: Words) -> MiniatureText:
    """Draw board and throw in the left half, and say the rest."""
    return _draw(rules, position, image, words, is_over=rules.turn(position) == OVER)


def draw_end(rules: TwentySquares, position: Position, image: Image.Image, words: Words) -> MiniatureText:
    """Draw the position of a game that is over, also by hand: nobody is to throw any more."""
    return _draw(rules, position, image, words, is_over=True)


def _draw(
    rules: TwentySquares, position: Position, image: Image.Image, words: Words, *, is_over: bool
) -> MiniatureText:
    board = rules.board
    files = 1 + max(board.place(square)[0] for square in board.squares)
    wide = min(_WIDEST, (BOARD - 1) // files)
    left = (BOARD - files * wide - 1) // 2
    places = {square: board.place(square) for square in board.squares}
    corners = {square: (left + file * wide, (_ROWS - row) * _HIGH) for square, (file, row) in places.items()}
    _draw_board(image, corners, wide)
    for square in board.rosettes:
        _draw_rosette(image, corners[square], wide)
    said: Any = rules.state(position)
    for player, name in enumerate(rules.players):
        for square in said["counters"][name]:
            _draw_counter(image, corners[square], wide, player)
    _draw_throw(rules, position, image, words, is_over=is_over)
    return _words(rules, position, said)


def _draw_board(image: Image.Image, corners: Mapping[str, tuple[int, int]], wide: int) -> None:
    """The outline of all squares, and ticks between them: lines there would run into the counters."""
    boxes = [(x, y, x + wide + 1, y + _HIGH + 1) for x, y in corners.values()]
    for box in boxes:
        image.paste(1, box)
    for left, top, right, bottom in boxes:
        image.paste(0, (left + 1, top + 1, right - 1, bottom - 1))
    for x, y in corners.values():
        if (x - wide, y) in corners.values():
            image.paste(0, (x, y + 2, x + 1, y + _HIGH - 1))
        if (x, y - _HIGH) in corners.values():
            image.paste(0, (x + 1, y, x + wide, y + 1))


def _draw_rosette(image: Image.Image, corner: tuple[int, int], wide: int) -> None:
    """A star; what of it a counter leaves free are the points above and below."""
    x, y = corner
    middle = x + wide // 2, y + _HIGH // 2
    for across, down in ((0, -3), (-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1), (0, 3)):
        image.putpixel((middle[0] + across, middle[1] + down), 1)


def _draw_counter(image: Image.Image, corner: tuple[int, int], wide: int, player: int) -> None:
    """A counter in the middle of its square: solid, hollow, a plus, two bars."""
    side = min(_MOST, wide - 1)
    x, y = corner[0] + 1 + (wide - 1 - side) // 2, corner[1] + 1 + (_HIGH - 1 - side) // 2
    image.paste(0, (x, y, x + side, y + side))
    if player <= 1:
        draw_box(image, (x, y, x + side, y + side), inner=1 - player)
    else:
        stamp(image, (x, y), _SMALL_COUNTERS[player - 2])


def _draw_throw(rules: TwentySquares, position: Position, image: Image.Image, words: Words, *, is_over: bool) -> None:
    """What was thrown: the pieces, light where their flat side is up, and the number."""
    number = position.throw
    if number == NO_THROW:
        fonts.write(image, (1, _DICE + 11), words("oled.end" if is_over else "oled.throw"))
        return
    fonts.write_digits(image, (BOARD - _DIGITS[0] - 4, _DICE + 5), str(number), size=_DIGITS, stroke=_STROKE)
    dice = rules.settings.dice
    count = {"sticks": STICKS, "cowries": COWRIES}.get(dice, 0)
    for piece in range(count):
        x = 2 + piece * 8
        draw_box(image, (x, _DICE + 5, x + 6, _DICE + 26), inner=int(piece < number <= count))


def _words(rules: TwentySquares, position: Position, said: Any) -> MiniatureText:  # noqa: ANN401  # the state of the game
    outcome = rules.outcome(position)
    mover = rules.players[position.player]
    headline = f"{mover} {'throws' if position.throw == NO_THROW else 'moves'}"
    if outcome is not None and outcome.winner:
        headline = f"{'+'.join(rules.team(outcome.winner))} win{'' if rules.settings.in_teams else 's'}"
    counts = [f"{name} {said['hand'][name]} ► {said['home'][name]}" for name in rules.players]
    standing = Counter(square for squares in said["counters"].values() for square in squares)
    piles = " ".join(f"{square}:{number}" for square, number in standing.items() if number > 1)
    return MiniatureText(headline, ["Hand ► home", *counts, piles])
