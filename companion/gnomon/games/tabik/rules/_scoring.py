"""Compare the group sizes of a Tabik position and decide the winner (rule 7)."""

from collections import Counter
from typing import Final

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules._position import BLACK, PLAYERS, WHITE
from gnomon.rules.protocol import Outcome

_BY_SCORE: Final = tuple(Outcome(player, "larger_groups") for player in PLAYERS)
_BY_LAST_MOVE: Final = tuple(Outcome(player, "last_move") for player in PLAYERS)


def scores(board: SquareBoard, black: int, white: int) -> tuple[int, int]:
    """The largest size of which each colour has strictly more groups than the other, 0 if there is none."""
    lead: Counter[int] = Counter()
    lead.update(group.bit_count() for group in board.groups(black))
    lead.subtract(group.bit_count() for group in board.groups(white))
    return (
        max((size for size, groups in lead.items() if groups > 0), default=0),
        max((size for size, groups in lead.items() if groups < 0), default=0),
    )


def outcome_of(board: SquareBoard, black: int, white: int, last: int) -> Outcome:
    """How a game ends in which no move is left; `last`: the colour that made the last move."""
    for_black, for_white = scores(board, black, white)
    if for_black == for_white:
        return _BY_LAST_MOVE[1 - last]
    return _BY_SCORE[BLACK if for_black > for_white else WHITE]
