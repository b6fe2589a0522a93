"""Implement the rules of Tau (Twenty Squares) and its variants on four boards.

Every reconstruction of this ancient game is conjectural; `TwentySquares.conjecture` says so for people. Rule numbers in
this folder are those of the project's rules file. [D] marks a decision where no source gives the rule.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, Self

from gnomon.games.twenty_squares.rules._cache import Remembered
from gnomon.games.twenty_squares.rules._legality import answers, choices, why_not
from gnomon.games.twenty_squares.rules._notation import read, write
from gnomon.games.twenty_squares.rules._position import (
    CONVERT,
    FORFEIT,
    HAND,
    NO_THROW,
    NOTHING,
    PLAYERS,
    THROW_DUE,
    Move,
    Position,
)
from gnomon.games.twenty_squares.rules._settings import TwentySquaresSettings
from gnomon.games.twenty_squares.rules._setup import set_up
from gnomon.games.twenty_squares.rules._table import TwentySquaresBoard
from gnomon.games.twenty_squares.rules.dice import odds
from gnomon.refusals import Statement
from gnomon.rules import protocol
from gnomon.rules.protocol import GameRules, Outcome, refusal

__all__ = [
    "CONVERT",
    "FORFEIT",
    "HAND",
    "NO_THROW",
    "PLAYERS",
    "Move",
    "Position",
    "TwentySquares",
    "TwentySquaresSettings",
    "odds",
]

_bare_tuple = tuple.__new__


class TwentySquares(GameRules[Position, Move]):
    """The rules of Tau (Twenty Squares) under one choice of settings."""

    name: str = "twenty-squares"
    title: str = "Tau (Twenty Squares)"

    __slots__ = (
        "_answers",
        "_followers",
        "_in_teams",
        "_stacks",
        "_strides",
        "_table",
        "board",
        "odds",
        "players",
        "settings",
    )

    def __init__(self, settings: TwentySquaresSettings | None = None) -> None:
        self.settings = settings or TwentySquaresSettings()
        table = self._table = TwentySquaresBoard(self.settings)
        self.players: Sequence[str] = table.players
        #: The squares, and the route of each player over them.
        self.board: Final = table.board
        #: Every throw with its exact probability (rule 2).
        self.odds: Final[Mapping[int, Fraction]] = odds(self.settings)
        self._strides = table.strides
        self._followers = table.followers
        self._stacks = self.settings.stacks
        self._in_teams = self.settings.in_teams
        self._answers = {number: Remembered(answers(table, number)) for number in (NO_THROW, *table.throws)}

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return cls(TwentySquaresSettings.from_mapping(settings))

    @property
    def conjecture(self) -> Statement:
        """What is to be said to people of how certain these rules are: one sentence."""
        settings: TwentySquaresSettings = self.settings
        return settings.conjecture

    # Questions

    def start(self) -> Position:
        """The position before the first throw: all counters in hand, `p1` to throw.

        [D] Rule 9: the lot that decides who begins is drawn before; the player who wins it is `p1`.
        """
        return Position(0, NO_THROW, entering=False, choices=THROW_DUE, places=self._table.packing.start())

    def turn(self, position: Position) -> str:
        """Who is to act: `nature` while a throw is due, a player's name, or `over`."""
        if position.choices == THROW_DUE:
            return protocol.NATURE
        return self.players[position.player] if position.choices else protocol.OVER

    def actor(self, position: Position) -> str:
        """Who is to act, or for whom the sticks are thrown."""
        return str(self.players[position.player])

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Every possible throw, or every legal answer to one, in no particular order; empty when the game is over."""
        _, throw, _, due, _, _ = position
        return self._answers[throw][due]

    def why_not(self, position: Position, move: Move) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        return None if move in self.legal_moves(position) else why_not(self._table, position, move)

    def weight(self, _position: Position, move: Move) -> Fraction | int:
        """The odds of a throw."""
        return self.odds[move.number]

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on; in teams, the winner is who bore off the last counter."""
        return None if position.choices else Outcome(self.players[position.player], "borne_off")

    def team(self, player: str) -> Sequence[str]:
        """Who wins and loses with a player, that player included."""
        return [self.players[mate] for mate in self._table.team(self.players.index(player))]

    def score(self, position: Position) -> Mapping[str, int]:
        """Counters borne off, by player (rule 8)."""
        packing = self._table.packing
        return {name: packing.at_home(position.places, player) for player, name in enumerate(self.players)}

    def counters_of(self, position: Position, player: int) -> tuple[int, Sequence[int]]:
        """How many counters a player has in hand, and the steps of those on the board, by the player's number."""
        packing, places = self._table.packing, position.places
        return packing.in_hand(places, player), packing.on_board(places, position.piles, player)

    def state(self, position: Position) -> Mapping[str, object]:
        """Where all counters are, the throw to be answered, and who is to throw or to answer, ready for JSON."""
        packing, places, piles = self._table.packing, position.places, position.piles
        players = list(enumerate(self.players))
        return {
            "hand": {name: packing.in_hand(places, player) for player, name in players},
            "home": dict(self.score(position)),
            "counters": {
                name: [self.board.square(player, step) for step in packing.on_board(places, piles, player)]
                for player, name in players
            },
            "throw": None if position.throw == NO_THROW else position.throw,
            "player": self.players[position.player] if position.choices else None,
        }

    # Text

    def parse(self, position: Position, text: str) -> Move:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        move = read(self._table, position, text)
        if move not in self.legal_moves(position):
            raise refusal(why_not(self._table, position, move))
        return move

    def text(self, position: Position, move: Move) -> str:
        """The canonical text of a move that is legal in `position`."""
        return write(self._table, position.player, move)

    # Changes

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        player, throw, entering, due, places, piles = position
        if move not in self._answers[throw][due]:
            raise refusal(why_not(self._table, position, move))
        kind, number, start = move
        # The bare constructor of the tuple: a Position made by name takes as long as the rest of the turn.
        if kind == "throw":
            due = choices(self._table, position, number)
            return _bare_tuple(Position, (player, number, entering, due, places, piles))
        if kind == "convert":  # Rule 4: a second throw is due.
            return _bare_tuple(Position, (player, NO_THROW, True, THROW_DUE, places, piles))
        if kind == "move":
            gain, enemies, off, again = self._strides[player][number][start]
            if places & enemies:
                places, piles = self._table.packing.sent_back(places, piles, places & enemies)
            if self._stacks:
                places, piles = self._table.packing.move(places, piles, player, start, start + number)
            else:
                places += gain
            if off and self._table.has_won(player, places):
                return _bare_tuple(Position, (player, NO_THROW, False, NOTHING, places, piles))
            if again:
                return _bare_tuple(Position, (player, NO_THROW, False, THROW_DUE, places, piles))
        follower = self._followers[player]
        if self._in_teams:
            follower = self._passing_over(follower, places)
        return _bare_tuple(Position, (follower, NO_THROW, False, THROW_DUE, places, piles))

    def _passing_over(self, player: int, places: int) -> int:
        """The first from `player` on who has counters left. [D] Of four, who has borne off all is passed over."""
        while self._table.has_finished(player, places):
            player = self._followers[player]
        return player

    def set_up(
        self, counters: Mapping[str, Sequence[str]], home: Mapping[str, int] | None = None, player: str = PLAYERS[0]
    ) -> Position:
        """The position with counters on squares and at home, and `player` to throw; all others are in hand.

        Raises RulesError for what cannot be.
        """
        return set_up(self._table, counters, home or {}, player)
