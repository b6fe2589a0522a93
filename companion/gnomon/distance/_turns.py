"""Collect the turns of a game on which each of two boards has ruled, and compare them by a digest."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.referee.game import Game
from gnomon.rules.registry import kind_of

_SHORT: Final = 16  # hexadecimal digits of a sum


class OwnTurn(NamedTuple):
    """A turn, a throw or a draw of one board: how many stood before it, its text, and its game time."""

    before: int
    text: str
    when: int


def own_turns(game: Game) -> tuple[OwnTurn, ...]:
    """What this board has ruled on by itself."""
    return tuple(turn for turn, is_elsewhere in _by_board(game) if not is_elsewhere)


def count_of_other(game: Game) -> int:
    """How many turns of the other board have come here, the one included that hands have yet to make."""
    made = sum(is_elsewhere for _, is_elsewhere in _by_board(game))
    return made + (game.announced is not None)


def sums(game: Game) -> Sequence[str]:
    """After no turn and after each one, the sum of all that was ruled so far: who, what, and at which game time."""
    made = hashlib.sha256(f"{game.rules.name} {sorted(game.given)}".encode())
    found = [made.hexdigest()[:_SHORT]]
    for ply in game.plies:
        made.update(f"\n{ply.player} {ply.text} {ply.when}".encode())
        found.append(made.hexdigest()[:_SHORT])
    return found


def _by_board(game: Game) -> Iterator[tuple[OwnTurn, bool]]:
    """Every turn so far, and whether it was the other board's."""
    opponent, seats = game.opponent, tuple(game.rules.seats)
    others = () if opponent is None else opponent.seats
    swap, is_swapped = kind_of(game.rules.name).swap, False
    for index, ply in enumerate(game.plies):
        seat = game.rules.seat(ply.before, game.rules.actor(ply.before)) or game.rules.actor(ply.before)
        if is_swapped and seat in seats:
            seat = seats[1 - seats.index(seat)]
        yield OwnTurn(index, ply.text, ply.when), seat in others
        is_swapped = is_swapped != (bool(swap) and ply.text == swap)
