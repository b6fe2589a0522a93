"""Set up a position of Tau (Twenty Squares) from the counters on a real board."""

from collections import Counter
from collections.abc import Mapping, Sequence

from gnomon.games.twenty_squares.rules._position import HAND, NO_THROW, THROW_DUE, Position
from gnomon.games.twenty_squares.rules._table import TwentySquaresBoard
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError


def set_up(
    table: TwentySquaresBoard, counters: Mapping[str, Sequence[str]], home: Mapping[str, int], player: str
) -> Position:
    """The position with counters on squares and at home, and `player` to throw; all others are in hand.

    Raises RulesError for what cannot be.
    """
    for name in (*counters, *home, player):
        if name not in table.players:
            raise RulesError(statement("told.twenty-squares.no_player", known=table.players, text=name))
    places, piles = table.packing.start(), 0
    taken: dict[str, str] = {}
    for number, name in enumerate(table.players):
        squares = counters.get(name, ())
        _check(table, name, squares, home.get(name, 0))
        for square in dict.fromkeys(squares):
            if square in taken:
                raise RulesError(
                    statement("told.twenty-squares.both", rules=(3,), player=taken[square], of=name, square=square)
                )
            taken[square] = name
        ends = [_step(table, number, square) for square in squares]
        for end in (*ends, *[table.last + 1] * home.get(name, 0)):
            places, piles = table.packing.move(places, piles, number, HAND, end)
    mover = table.players.index(player)
    for number in table.everyone:
        if table.has_won(number, places):
            raise RulesError(statement("told.twenty-squares.won", rules=(8,), player=table.players[number]))
    if table.has_finished(mover, places):
        raise RulesError(statement("told.twenty-squares.throws_no_more", player=player))
    return Position(mover, NO_THROW, entering=False, choices=THROW_DUE, places=places, piles=piles)


def _check(table: TwentySquaresBoard, name: str, squares: Sequence[str], home: int) -> None:
    """Raise RulesError if a player cannot have their counters like this."""
    number = table.settings.counters
    if home < 0 or len(squares) + home > number:
        raise RulesError(
            statement(
                "told.twenty-squares.too_many", rules=(1,), player=name, number=number, board=len(squares), home=home
            )
        )
    shared = [square for square, count in Counter(squares).items() if count > 1]
    if shared and not table.settings.stacks:
        raise RulesError(statement("told.twenty-squares.shared", rules=(3,), player=name, square=shared[0]))


def _step(table: TwentySquaresBoard, number: int, square: str) -> int:
    step = table.board.step(number, square)
    if step is None:
        raise RulesError(statement("told.twenty-squares.off_route.text", text=square, player=table.players[number]))
    return step
