"""Implement the rules of TAU (Néstor Romeral Andrés, 2011): the negotiation, the lines and the product.

Rule numbers in this folder are those of the project's rules file. [D] marks a decision where no source gives the rule.
Perfect play is in `solver`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

from gnomon.boards.bitsets import BitGroups, places_of
from gnomon.games.tau.rules._scoring import outcome_of, product, runs
from gnomon.games.tau.rules.notation import read, write
from gnomon.games.tau.rules.position import BIDDERS, HIGH, LOW, NO_BID, PASS, PLAYERS, Move, Position, drawable
from gnomon.refusals import Statement, statement
from gnomon.rules import protocol
from gnomon.rules.bids import DIGITS, JSON_DIGITS, digits, number, with_bids
from gnomon.rules.protocol import GAME_OVER, GameRules, Outcome, SettingsError, refusal

__all__ = ["BIDDERS", "HIGH", "LOW", "PASS", "PLAYERS", "Move", "Position", "Tau", "TauSettings"]

_bare_tuple = tuple.__new__
_BEYOND_JSON: Final = 10**JSON_DIGITS


# [D] Rule 1 sets no bound: this one is beyond any sheet of paper, and its products are still quickly written.
LONGEST: Final = 999
_SIDE: Final = re.compile(r"[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class TauSettings:
    """One choice of settings: the grid (rule 1), and the LIMIT where it is given and not negotiated (rule 2)."""

    rows: int = 10
    columns: int = 10
    limit: int | None = None

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence."""
        read = cls(**{name: _read_setting(name, value) for name, value in settings.items()})
        if read.rows == read.columns == 1:
            raise SettingsError(statement("told.setting.tau.one"))
        return read

    @property
    def turns(self) -> int:
        """How many turns the game lasts (rule 3)."""
        return -(-(self.rows + self.columns) // 3)


def _read_setting(name: str, value: object) -> int:
    if name not in (known := [field.name for field in fields(TauSettings)]):
        raise SettingsError(statement("told.setting.none", game="TAU", setting=name, known=known))
    text = digits(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise SettingsError(statement("told.setting.whole", setting=name, value=value))
    if name != "limit" and not _SIDE.fullmatch(text):
        raise SettingsError(statement("told.setting.number", setting=name, least=1, most=LONGEST, value=text))
    if not DIGITS.fullmatch(text):
        raise SettingsError(statement("told.setting.upwards", value=text))
    return number(text)


class Tau(GameRules[Position, Move]):
    """The rules of TAU under one choice of settings."""

    name: str = "tau"
    open_bids = True

    __slots__ = ("_lines", "players", "settings")

    def __init__(self, settings: TauSettings | None = None) -> None:
        self.settings = settings or TauSettings()
        # Rule 2: who is HIGH and who LOW comes out of the negotiation, so the bidders have names of their own.
        self.players: Sequence[str] = PLAYERS if self.settings.limit is not None else (*BIDDERS, *PLAYERS)
        rows = [(Move("row", number),) for number in range(self.settings.rows)]
        columns = [(Move("column", number),) for number in range(self.settings.columns)]
        self._lines = BitGroups(rows + columns)

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return cls(TauSettings.from_mapping(settings))

    # Questions

    def start(self) -> Position:
        """The position before the first number, or before the first line if the LIMIT is given."""
        settings = self.settings
        return Position(
            mover=HIGH,
            rows=(1 << settings.rows) - 1,
            columns=(1 << settings.columns) - 1,
            turns_left=settings.turns,
            bid=NO_BID if settings.limit is None else settings.limit,
            high=None if settings.limit is None else 0,
        )

    def turn(self, position: Position) -> str:
        """Who is to act: `p1` or `p2` in the negotiation, then `high` or `low`, or `over`."""
        if position.ending is not None:
            return protocol.OVER
        return (BIDDERS if position.high is None else PLAYERS)[position.mover]

    def seat(self, position: Position, player: str) -> str | None:
        """The bidder who plays as `high` or `low`: `p1` or `p2`, or None while that is open."""
        if player in BIDDERS:
            return player
        return None if position.high is None else BIDDERS[position.high ^ PLAYERS.index(player)]

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Every legal line; in the negotiation the lowest number and the pass, as there is no end of numbers.

        Empty exactly when the game is over.
        """
        if position.ending is not None:
            return ()
        if position.high is None:
            lowest = Move("bid", position.bid + 1)
            return (lowest,) if position.bid == NO_BID else (lowest, PASS)
        return self._lines.members(drawable(position.rows) | drawable(position.columns) << self.settings.rows)

    @property
    def seats(self) -> Sequence[str]:
        """Who sits at the board: the negotiation says which of them becomes HIGH."""
        return self.players[:2]

    def entries(self, position: Position) -> Sequence[str]:
        """The texts of all lines, or in the negotiation of the numbers about the lowest one."""
        texts = super().entries(position)
        return with_bids(self, position, texts) if self.may_bid(position) else texts

    def may_bid(self, position: Position) -> bool:
        """Whether any higher number may be named now: there are then more legal moves than are listed."""
        return position.high is None

    def why_not(self, position: Position, move: Move) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        return why_not(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return position.ending

    def score(self, position: Position) -> Mapping[str, int]:
        """The product of the sizes of all groups as they are now (rule 5)."""
        return {"product": product(runs(position.rows), runs(position.columns))}

    def state(self, position: Position) -> Mapping[str, object]:
        """Lines drawn, LIMIT, turns left and product, ready for JSON: the product as digits, as it knows no bound."""
        settings = self.settings
        rows = ~position.rows & (1 << settings.rows) - 1
        columns = ~position.columns & (1 << settings.columns) - 1
        limit = position.limit
        return {
            "rows": [write(Move("row", number)) for number in places_of(rows)],
            "columns": [write(Move("column", number)) for number in places_of(columns)],
            "limit": limit if limit is None or limit < _BEYOND_JSON else digits(limit),
            "turns_left": position.turns_left,
            "score": {name: digits(points) for name, points in self.score(position).items()},
        }

    # Text

    def parse(self, position: Position, text: str) -> Move:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        move = read(text, self.settings.rows, self.settings.columns)
        why = why_not(position, move)
        if why is not None:
            raise refusal(why)
        return move

    def text(self, _position: Position, move: Move) -> str:
        """The canonical text of a move."""
        return write(move)

    # Changes

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        why = why_not(position, move)
        if why is not None:
            raise refusal(why)
        kind, number = move
        mover, rows, columns, turns_left, bid, high, end = position
        if kind == "row":
            rows ^= 1 << number
        elif kind == "column":
            columns ^= 1 << number
        elif kind == "bid":
            return position._replace(mover=1 - mover, bid=number)
        else:
            return position._replace(mover=HIGH, high=1 - mover)  # Rule 2: the player who passed is LOW.
        turns_left -= 1
        if not turns_left:
            end = outcome_of(product(runs(rows), runs(columns)), bid)
        # The bare constructor of the tuple: a Position made by name takes as long as the rest of the turn.
        return _bare_tuple(Position, (1 - mover, rows, columns, turns_left, bid, high, end))


_NO_SUCH_MOVE: Final = statement("told.tau.no_such_move")
_NO_LIMIT: Final = statement("told.tau.no_limit", rules=(2,))
_NO_BIDDING: Final = statement("told.tau.limit_settled", rules=(2,))
_MUST_BID: Final = statement("told.tau.must_bid", rules=(2,))


def why_not(position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal."""
    kind, number = move
    if position.ending is not None:
        return GAME_OVER
    if kind == "row":
        lines = position.rows
    elif kind == "column":
        lines = position.columns
    else:
        return _why_not_bid(position, move)
    if position.high is not None and number >= 0 and drawable(lines) >> number & 1:
        return None
    return _why_not_line(position, move, lines)


def _why_not_line(position: Position, move: Move, lines: int) -> Statement:
    """Why no line can be drawn through a row or column."""
    if position.high is None:
        return _NO_LIMIT
    if move.number < 0:
        return _NO_SUCH_MOVE
    if lines >> move.number & 1:
        return statement("told.tau.last_line", rules=(4,), text=write(move), line=move.kind)
    return statement("told.tau.no_square", rules=(4,), text=write(move))


def _why_not_bid(position: Position, move: Move) -> Statement | None:
    """Why a number, or a pass, is not allowed in the negotiation (rule 2)."""
    if move.kind not in ("bid", "pass") or move.number < 0 or (move.kind == "pass" and move != PASS):
        return _NO_SUCH_MOVE
    if position.high is not None:
        return _NO_BIDDING
    bid = position.bid
    if move.kind == "pass":
        return _MUST_BID if bid == NO_BID else None
    if move.number <= bid:
        return statement("told.tau.too_low", rules=(2,), bid=digits(bid))
    return None
