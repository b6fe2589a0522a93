"""Set up a position of Tau (Twenty Squares) from the counters on a real board."""

from collections import Counter
from collections.abc import Mapping, Sequence

from gnomon.games.protocol import RulesError
from gnomon.games.twenty_squares.rules.position import HAND, NO_THROW, THROW_DUE, Position
from gnomon.games.twenty_squares.rules.table import Table


def set_up(table: Table, counters: Mapping[str, Sequence[str]], home: Mapping[str, int], player: str) -> Position:
    """The position with counters on squares and at home, and `player` to throw; all others are in hand.

    Raises RulesError for what cannot be.
    """
    for name in (*counters, *home, player):
        if name not in table.players:
            message = f"the players are {', '.join(table.players)}, not {name!r}"
            raise RulesError(message)
    places, piles = table.packing.start(), 0
    taken: dict[str, str] = {}
    for number, name in enumerate(table.players):
        squares = counters.get(name, ())
        _check(table, name, squares, home.get(name, 0))
        for square in dict.fromkeys(squares):
            if square in taken:
                message = f"rule 3: counters of {taken[square]} and {name} both stand on {square}"
                raise RulesError(message)
            taken[square] = name
        ends = [_step(table, number, square) for square in squares]
        for end in (*ends, *[table.last + 1] * home.get(name, 0)):
            places, piles = table.packing.moved(places, piles, number, HAND, end)
    mover = table.players.index(player)
    for number in table.everyone:
        if table.won(number, places):
            message = f"rule 8: {table.players[number]} has won, and nothing is left to play"
            raise RulesError(message)
    if table.finished(mover, places):
        message = f"{player} has borne off all counters, and throws no more"
        raise RulesError(message)
    return Position(mover, NO_THROW, entering=False, choices=THROW_DUE, places=places, piles=piles)


def _check(table: Table, name: str, squares: Sequence[str], home: int) -> None:
    """Raise RulesError if a player cannot have his counters like this."""
    number = table.settings.counters
    if home < 0 or len(squares) + home > number:
        message = f"rule 1: {name} has {number} counters, not {len(squares)} on the board and {home} at home"
        raise RulesError(message)
    shared = [square for square, count in Counter(squares).items() if count > 1]
    if shared and not table.settings.stacks:
        message = f"rule 3: one counter stands on a square, and {name} has more than one on {shared[0]}"
        raise RulesError(message)


def _step(table: Table, number: int, square: str) -> int:
    step = table.board.step(number, square)
    if step is None:
        message = f"{square!r} is not on the route of {table.players[number]}"
        raise RulesError(message)
    return step
