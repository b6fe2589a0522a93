"""Implement the rules of Hex on seven times seven hexagons: settings, legal moves, play, notation and outcome.

Rule numbers are those of `rules.md`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GAME_OVER, OVER, GameRules, NotationError, Outcome, SettingsError, refusal

SIZE: Final = 7
BLACK: Final = 0
WHITE: Final = 1
PLAYERS: Final = ("black", "white")
SWAP: Final = "swap"
SPACES: Final = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdefg")
_AROUND: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
_CHOICES: Final = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class HexSettings:
    """Whether White may swap sides (rule 5)."""

    swap: bool = True


class Position(NamedTuple):
    """Where stones lie, and who is to move."""

    mover: int = BLACK
    stones: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    swapped: bool = False
    """Whether the two persons have changed sides (rule 5)."""
    is_won: bool = False
    """Whether the player who moved last has won (rule 4)."""


class Hex(GameRules[Position, str]):
    """The rules of Hex under one choice of settings. A move is a space such as `d4`, or `swap`."""

    name: str = "hex7"
    players: Sequence[str] = PLAYERS

    __slots__ = ("settings",)

    def __init__(self, settings: HexSettings | None = None) -> None:
        self.settings = settings or HexSettings()

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        for name in settings:
            if name != SWAP:
                raise SettingsError(statement("told.setting.none", game="Hex", setting=name, known=[SWAP]))
        value = settings.get(SWAP, "yes")
        if not isinstance(value, str) or value not in _CHOICES:
            raise SettingsError(statement("told.setting.one_of", setting=SWAP, choices=[*_CHOICES], value=value))
        return cls(HexSettings(_CHOICES[value]))

    def start(self) -> Position:
        """The empty board, Black on turn."""
        return Position()

    def turn(self, position: Position) -> str:
        """Who is to act: `black`, `white` or `over`."""
        return OVER if position.is_won else PLAYERS[position.mover]

    def legal_moves(self, position: Position) -> Sequence[str]:
        """Every legal move; empty exactly when the game is over."""
        return [move for move in (*SPACES, SWAP) if self.why_not(position, move) is None]

    def why_not(self, position: Position, move: str) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        if position.is_won:
            return GAME_OVER
        black, white = position.stones
        if move == SWAP:
            if not self.settings.swap:
                return statement("told.hex7.no_swap", rules=(5,))
            may = len(black) == 1 and not white and not position.swapped
            return None if may else statement("told.hex7.not_now", rules=(5,))
        return statement("told.hex7.occupied", rules=(2,), space=move) if move in black | white else None

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        why = self.why_not(position, move)
        if why is not None:
            raise refusal(why)
        if move == SWAP:  # the stones stay; the person who was Black is White now, and on turn
            return position._replace(swapped=True)
        mover, (black, white) = position.mover, position.stones
        stones = (black | {move}, white) if mover == BLACK else (black, white | {move})
        return Position(1 - mover, stones, position.swapped, _joins(stones[mover], mover))

    def parse(self, position: Position, text: str) -> str:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        if text != SWAP and text not in SPACES:
            raise NotationError(statement("told.hex7.notation", text=text))
        why = self.why_not(position, text)
        if why is not None:
            raise refusal(why)
        return text

    def text(self, _position: Position, move: str) -> str:
        """The canonical text of a move."""
        return move

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on: there is no draw (rule 4)."""
        return Outcome(PLAYERS[1 - position.mover], "connected") if position.is_won else None

    def score(self, _position: Position) -> Mapping[str, int]:
        """Nothing."""
        return {}

    def state(self, position: Position) -> Mapping[str, object]:
        """The stones row by row, ready for JSON."""
        signs = {space: sign for sign, stones in zip("BW", position.stones, strict=True) for space in stones}
        drawn = "".join(signs.get(space, ".") for space in SPACES)
        return {"board": [drawn[first : first + SIZE] for first in range(0, len(SPACES), SIZE)]}


def _joins(stones: frozenset[str], player: int) -> bool:
    """Whether stones join the player's two edges: Black's above and below, White's left and right (rule 1)."""
    places = {(ord(space[0]) - ord("a"), int(space[1]) - 1) for space in stones}
    along = 1 - player  # of a place: the coordinate that grows from one edge to the other
    reached = [place for place in places if place[along] == 0]
    seen = set(reached)
    while reached:
        column, row = place = reached.pop()
        if place[along] == SIZE - 1:
            return True
        near = {(column + across, row + down) for across, down in _AROUND} & places - seen
        seen |= near
        reached += near
    return False
