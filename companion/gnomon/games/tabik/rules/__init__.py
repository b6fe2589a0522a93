"""Implement the rules of Tabik (Luis Bolaños Mures, 2020): settings, legal moves, play, notation and outcome.

Rule numbers in this folder are those of the project's rules file. [D] marks a decision where no source gives the rule.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

from gnomon.boards.squares import SquareBoard
from gnomon.games.tabik.rules._position import BLACK, PIE, PLAYERS, WHITE, Move, Position
from gnomon.games.tabik.rules._transitions import Transition, Turns, turns_on
from gnomon.games.tabik.rules.notation import read, write
from gnomon.refusals import Statement, statement
from gnomon.rules import protocol
from gnomon.rules.protocol import GAME_OVER, GameRules, Outcome, RulesError, SettingsError, refusal

__all__ = ["BLACK", "PIE", "PLAYERS", "WHITE", "Move", "Position", "Tabik", "TabikSettings"]

_bare_tuple = tuple.__new__

_BY_SCORE: Final = tuple(Outcome(player, "larger_groups") for player in PLAYERS)
_BY_LAST_MOVE: Final = tuple(Outcome(player, "last_move") for player in PLAYERS)
SMALLEST: Final = 2
LARGEST: Final = 19
_CHOICES: Final = {"yes": True, "no": False}
_WHOLE_NUMBER: Final = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class TabikSettings:
    """One choice of settings: squares along a side (rule 1), and whether White may swap sides (rule 8)."""

    size: int = 8
    pie: bool = True

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Read settings as text or numbers. Raises SettingsError with one sentence."""
        unknown = [name for name in settings if name not in ("size", "pie")]
        if unknown:
            known = [field.name for field in fields(cls)]
            raise SettingsError(statement("told.setting.none", game="Tabik", setting=unknown[0], known=known))
        default = cls()
        return cls(
            size=_size(settings.get("size", default.size)),
            pie=_pie(settings.get("pie", "yes" if default.pie else "no")),
        )


def _size(value: object) -> int:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not _WHOLE_NUMBER.fullmatch(text) or not SMALLEST <= int(text) <= LARGEST:
        raise SettingsError(statement("told.setting.number", setting="size", least=SMALLEST, most=LARGEST, value=value))
    return int(text)


def _pie(value: object) -> bool:
    if not isinstance(value, str) or value not in _CHOICES:
        raise SettingsError(statement("told.setting.one_of", setting="pie", choices=[*_CHOICES], value=value))
    return _CHOICES[value]


class Tabik(GameRules[Position, Move]):
    """The rules of Tabik under one choice of settings."""

    name: str = "tabik"
    players: Sequence[str] = PLAYERS

    __slots__ = ("_turns", "board", "settings")

    def __init__(self, settings: TabikSettings | None = None) -> None:
        self.settings = settings or TabikSettings()
        self._turns = turns_on(self.settings.size)
        #: The geometry by which positions and moves number their squares and edges.
        self.board: Final = self._turns.board

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return cls(TabikSettings.from_mapping(settings))

    # Questions

    def start(self) -> Position:
        """The position before the first turn: an empty board, Black on turn."""
        return Position(BLACK, 0, 0, 0, self.board.edges_between(self.board.full, self.board.full), 0)

    def turn(self, position: Position) -> str:
        """Who is to act: `black`, `white` or `over`."""
        return PLAYERS[position.mover] if position.ending is None else protocol.OVER

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Every legal move, in no particular order; empty exactly when the game is over."""
        turns = self._turns
        moves = turns.placing.members(position.placements) + turns.swapping.members(position.swaps)
        return (*moves, PIE) if position.pie else moves

    def why_not(self, position: Position, move: Move) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        return why_not(self.settings, self._turns, position, move)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return position.ending

    def score(self, position: Position) -> Mapping[str, int]:
        """Each colour's largest size of which it has strictly more groups (rule 7)."""
        return dict(zip(PLAYERS, _scores(self.board, position.black, position.white), strict=True))

    def state(self, position: Position) -> Mapping[str, object]:
        """Stones and rods, ready for JSON: the uppermost row first, as one looks at the board."""
        return {"board": _draw(self.board, position), "rods": _rods_named(self.board, position.rods)}

    # Text

    def parse(self, position: Position, text: str) -> Move:
        """Read canonical text. Raises NotationError, IllegalMoveError or GameOverError."""
        move = read(self.board, text)
        why = self.why_not(position, move)
        if why is not None:
            raise refusal(why)
        return move

    def text(self, _position: Position, move: Move) -> str:
        """The canonical text of a move."""
        return write(self.board, move)

    # Changes

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move. Raises IllegalMoveError or GameOverError."""
        turns = self._turns
        why = why_not(self.settings, turns, position, move)
        if why is not None:
            raise refusal(why)
        if move.kind == "pie":
            # Rule 8: the turn is used, and the player who was first, White from now on, is next.
            return position._replace(pie=False, swapped=True)
        mover, black, white, rods, placements, _, _, swapped, end = position
        rod, of_black, of_white, elsewhere, _ = turns.changes[move]
        pie = not black and self.settings.pie  # Rule 8: this is the first turn of all.
        # A placement puts a stone of each colour where there was none; a swap toggles both colours on both squares.
        black ^= of_black
        white ^= of_white
        rods |= rod
        placements &= elsewhere
        swaps = self.board.edges_between(black, white) & ~rods
        if not (placements or swaps):
            end = _outcome_of(self.board, black, white, mover)
        # The bare constructor of the tuple: a Position made by name takes as long as the rest of the turn.
        return _bare_tuple(Position, (1 - mover, black, white, rods, placements, swaps, pie, swapped, end))

    def set_up(self, rows: Sequence[str], rods: Iterable[str] = (), mover: str = PLAYERS[BLACK]) -> Position:
        """The position with stones as drawn (`B`, `W`, `.`, the uppermost row first), rods, and a colour on turn.

        No pie is due in it: White may have had the first turn. Raises RulesError for what cannot be.
        """
        if mover not in PLAYERS:
            raise RulesError(statement("told.tabik.no_colour", text=mover))
        board = self.board
        black, white = _stones_read(board, rows)
        empty = board.full & ~(black | white)
        placements = board.edges_between(empty, empty)
        laid = _rods_read(board, rods, black | white)
        swaps = board.edges_between(black, white) & ~laid
        colour = PLAYERS.index(mover)
        end = None if placements or swaps else _outcome_of(board, black, white, last=1 - colour)
        return Position(colour, black, white, laid, placements, swaps, ending=end)


# The score: rule 7


def _scores(board: SquareBoard, black: int, white: int) -> tuple[int, int]:
    """The largest size of which each colour has strictly more groups than the other, 0 if there is none."""
    lead: Counter[int] = Counter()
    lead.update(group.bit_count() for group in board.groups(black))
    lead.subtract(group.bit_count() for group in board.groups(white))
    return (
        max((size for size, groups in lead.items() if groups > 0), default=0),
        max((size for size, groups in lead.items() if groups < 0), default=0),
    )


def _outcome_of(board: SquareBoard, black: int, white: int, last: int) -> Outcome:
    """How a game ends in which no move is left; `last`: the colour that made the last move."""
    for_black, for_white = _scores(board, black, white)
    if for_black == for_white:
        return _BY_LAST_MOVE[1 - last]
    return _BY_SCORE[BLACK if for_black > for_white else WHITE]


# Drawings of positions as text


def _draw(board: SquareBoard, position: Position) -> Sequence[str]:
    """The rows from the uppermost down, each square as `B`, `W` or `.`."""
    marks = [
        "B" if position.black >> square & 1 else "W" if position.white >> square & 1 else "." for square in board.names
    ]
    rows = ["".join(marks[first : first + board.columns]) for first in range(0, len(marks), board.columns)]
    return rows[::-1]


def _rods_named(board: SquareBoard, rods: int) -> Sequence[str]:
    """The edges with a rod as their two squares, the lower one first, in the order of the squares."""
    laid = sorted((edge.lower, edge.higher) for edge in board.edges if rods >> edge.number & 1)
    return [board.names[lower] + board.names[higher] for lower, higher in laid]


def _stones_read(board: SquareBoard, rows: Sequence[str]) -> tuple[int, int]:
    """The squares with black and with white stones in a drawing. Raises RulesError if it is not of this board."""
    if [len(row) for row in rows] != [board.columns] * board.rows or not set("".join(rows)) <= set("BW."):
        raise RulesError(statement("told.tabik.drawing", rows=board.rows, columns=board.columns))
    marks = dict(zip(board.names, "".join(reversed(rows)), strict=True))
    black, white = (sum(1 << square for square, mark in marks.items() if mark == stone) for stone in "BW")
    return black, white


def _rods_read(board: SquareBoard, names: Iterable[str], stones: int) -> int:
    """The set of edges with rods. Raises RulesError for one that does not lie between two stones."""
    possible: Mapping[str, int] = {
        board.names[lower] + board.names[higher]: number
        for number, lower, higher in board.edges
        if stones >> lower & stones >> higher & 1
    }
    rods = 0
    for name in names:
        if name not in possible:
            raise RulesError(statement("told.tabik.no_rod", text=name))
        rods |= 1 << possible[name]
    return rods


NO_SUCH_MOVE: Final = statement("told.tabik.no_such_move")
_NO_PIE: Final = statement("told.tabik.no_pie", rules=(8,))
_PIE_NOT_NOW: Final = statement("told.tabik.not_now", rules=(8,))


def why_not(settings: TabikSettings, turns: Turns, position: Position, move: Move) -> Statement | None:
    """Why a move is illegal now, or None when it is legal."""
    if position.ending is not None:
        return GAME_OVER
    change = turns.changes.get(move)
    if change is None:
        return _why_not_pie(settings, position) if move == PIE else _why_not_there(turns, move)
    if change.rod & (position.placements if change.placing else position.swaps):
        return None
    return _why_not_place(turns, position, move) if change.placing else _why_not_swap(turns, position, move, change)


def _why_not_pie(settings: TabikSettings, position: Position) -> Statement | None:
    if not settings.pie:
        return _NO_PIE
    return None if position.pie else _PIE_NOT_NOW


def _why_not_there(turns: Turns, move: Move) -> Statement:
    """Why no placement and no swap can be made on two squares, in any position."""
    names = turns.board.names
    if move.kind not in ("place", "swap") or not {move.first, move.second} <= names.keys():
        return NO_SUCH_MOVE
    if Move(move.kind, move.second, move.first) in turns.changes:
        return NO_SUCH_MOVE  # A swap the wrong way round: it has one name only.
    return statement("told.tabik.not_adjacent", rules=(4,), first=names[move.first], second=names[move.second])


def _why_not_place(turns: Turns, position: Position, move: Move) -> Statement:
    """Why stones cannot be placed on two adjacent squares."""
    taken = move.first if (position.black | position.white) >> move.first & 1 else move.second
    return statement("told.tabik.occupied", rules=(4,), square=turns.board.names[taken])


def _why_not_swap(turns: Turns, position: Position, move: Move, change: Transition) -> Statement:
    """Why the stones on two adjacent squares cannot be swapped."""
    first, second = turns.board.names[move.first], turns.board.names[move.second]
    empty = change.black & ~(position.black | position.white)
    if empty:
        bare = first if empty >> move.first & 1 else second
        return statement("told.tabik.empty", rules=(4,), square=bare)
    if change.rod & position.rods:
        return statement("told.tabik.rod", rules=(5,), first=first, second=second)
    colour = "black" if position.black >> move.first & 1 else "white"
    return statement("told.tabik.same_colour", rules=(4,), first=first, second=second, colour=colour)
