"""Draw Tabik on the display: solid white stones, hollow black stones, and rods as lines."""

from typing import Final

from PIL import Image

from gnomon.games.tabik.rules import PLAYERS, WHITE, Position, Tabik
from gnomon.rules.protocol import OVER
from gnomon.views.pictures.frame import player_name
from gnomon.views.pictures.miniatures import BOARD, MiniatureText, stamp
from gnomon.words import Words

# By the side of a stone in pixels: a white one and a black one.
_STONES: Final = {
    2: (("##", "##"), ("#.", ".#")),
    3: (("###", "###", "###"), ("###", "#.#", "###")),
    4: ((".##.", "####", "####", ".##."), (".##.", "#..#", "#..#", ".##.")),
    5: ((".###.", "#####", "#####", "#####", ".###."), (".###.", "#...#", "#...#", "#...#", ".###.")),
}
# By the side of a square: that of a stone.
_FITTING: Final = {3: 2, 4: 3, 5: 3, 6: 3, 7: 4}
_LARGEST: Final = 8


def draw(rules: Tabik, position: Position, image: Image.Image, _language: Words) -> MiniatureText:
    """Draw the board in the left half, and say the rest."""
    size = rules.settings.size
    side = min(_LARGEST, BOARD // size)
    stone = _FITTING.get(side, 5)
    edge = (BOARD - size * side) // 2
    inset = (side - 1 - stone) // 2
    for square in rules.board.names:
        left, top = _corner(rules, square, side, edge)
        if (position.black | position.white) >> square & 1:
            white, black = _STONES[stone]
            drawn = white if position.white >> square & 1 else black
            stamp(image, (left + inset, top + inset), drawn)
        else:
            image.putpixel((left + (side - 1) // 2, top + (side - 1) // 2), 1)
    for number, lower, higher in rules.board.edges:
        if position.rods >> number & 1:
            left, top = _corner(rules, lower, side, edge)
            if higher == lower + 1:
                image.paste(1, (left + side - 1, top, left + side, top + side - 1))
            else:
                image.paste(1, (left, top - 1, left + side - 1, top))
    return _words(rules, position)


def _corner(rules: Tabik, square: int, side: int, edge: int) -> tuple[int, int]:
    """The upper left pixel of a square; between two squares one row or column stays free for rods."""
    row, column = divmod(square, rules.board.stride)
    return edge + column * side, edge + (rules.board.rows - 1 - row) * side


def _words(rules: Tabik, position: Position) -> MiniatureText:
    score, outcome = rules.score(position), rules.outcome(position)
    turn = rules.turn(position)
    headline = f"{player_name(outcome.winner)} wins" if outcome and outcome.winner else f"{player_name(turn)} moves"
    signs = {name: "●" if player == WHITE else "○" for player, name in enumerate(PLAYERS)}
    lines = ["", *(f"{signs[name]} {player_name(name)} {points}" for name, points in score.items()), ""]
    lines.append("the end" if turn == OVER else "or swap sides" if position.pie else "")
    lines.append(f"Turn {position.turns}")
    return MiniatureText(headline, lines)
