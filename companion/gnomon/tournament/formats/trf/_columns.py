"""Join the round entries of two players into games, and the columns of a report file into rounds."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon.tournament.formats.trf.sheet import Cell, PlayerLine, Remark, TrfError, TrfSheet
from gnomon.tournament.state.results import GameResult, Result
from gnomon.tournament.state.settings import Bye

BYES: Final = {"F": Bye.FULL, "H": Bye.HALF, "Z": Bye.ZERO}
# Before 2016 a bye was a result without an opponent.
_WITHOUT_OPPONENT: Final = {"=": "H", "-": "Z", "+": "U"}
# W, D and L are games that lasted no move: played, and not rated.
_RATED: Final = {"W": "1", "D": "=", "L": "0"}
_GAMES: Final = {
    ("1", "0"): GameResult.FIRST_WON,
    ("0", "1"): GameResult.SECOND_WON,
    ("=", "="): GameResult.DRAWN,
    ("0", "0"): GameResult.BOTH_LOST,
    ("+", "-"): GameResult.FIRST_BY_FORFEIT,
    ("-", "+"): GameResult.SECOND_BY_FORFEIT,
    ("-", "-"): GameResult.DOUBLE_FORFEIT,
}
# Two winners of one game are no chess: they are written, and no file is believed that has them.
LETTERS: Final = {**{game: pair for pair, game in _GAMES.items()}, GameResult.BOTH_WON: ("1", "1")}
FORFEITS: Final = frozenset("+-")


class RoundColumn(NamedTuple):
    """What one round was: who met, first and second, with what result, and what it was for everybody else.

    A game still to be played has no result; an entrant who is in none of these has no entry.
    """

    games: Mapping[tuple[int, int], Result]
    idle: tuple[int, ...]
    granted: Mapping[int, Bye]

    @property
    def published(self) -> bool:
        """Whether the round was paired: byes alone are what was asked for beforehand."""
        return bool(self.games or self.idle)

    @property
    def there(self) -> frozenset[int]:
        """Everybody who has an entry."""
        return frozenset(one for pair in self.games for one in pair) | {*self.idle, *self.granted}


def columns_of(sheet: TrfSheet) -> tuple[tuple[RoundColumn, ...], tuple[Remark, ...]]:
    """The rounds of a file, and what of them Gnomon does not keep. Raises TrfError with line and column."""
    players = {player.number: player for player in sheet.players}
    remarks: list[Remark] = []
    return tuple(_column(players, column, remarks) for column in range(sheet.columns)), tuple(remarks)


def merge_columns(columns: Sequence[RoundColumn]) -> tuple[RoundColumn, ...]:
    """Two rounds of a file as one of two games, after which sides were changed. Raises TrfError when they differ."""
    pairs = zip(columns[::2], columns[1::2], strict=True)
    return tuple(_merge_two(one, other, 2 * number) for number, (one, other) in enumerate(pairs, start=1))


def two_games(columns: Sequence[RoundColumn]) -> bool:
    """Whether every other round is the one before with sides changed."""
    return (
        bool(columns)
        and len(columns) % 2 == 0
        and all(
            {(second, first) for first, second in one.games} == set(other.games)
            for one, other in zip(columns[::2], columns[1::2], strict=True)
        )
    )


def _column(players: Mapping[int, PlayerLine], column: int, remarks: list[Remark]) -> RoundColumn:
    games: dict[tuple[int, int], Result] = {}
    idle, granted = [], {}
    for player in players.values():
        cell = player.cell(column)
        if cell.opponent is not None:
            opponent = players.get(cell.opponent)
            if opponent is None:
                raise player.refusal(
                    statement(
                        "tournament.trf.no_opponent", number=cell.opponent, entrant=player.number, name=player.name
                    ),
                    column,
                )
            first, second, result = _game(player, opponent, column, remarks)
            games[first, second] = result
        elif not cell.empty:
            letter = _WITHOUT_OPPONENT.get(cell.result, cell.result)
            if letter in BYES:
                granted[player.number] = BYES[letter]
            elif letter == "U" and cell.side in {"-", " "}:
                idle.append(player.number)
            else:
                raise player.refusal(
                    statement(
                        "tournament.trf.against_nobody", number=player.number, name=player.name, result=cell.result
                    ),
                    column,
                )
    return RoundColumn(games, tuple(idle), granted)


def _game(player: PlayerLine, opponent: PlayerLine, column: int, remarks: list[Remark]) -> tuple[int, int, Result]:
    mine, theirs = player.cell(column), opponent.cell(column)
    me, them = f"{player.number} {player.name}", f"{opponent.number} {opponent.name}"
    if theirs.opponent != player.number:
        raise player.refusal(statement("tournament.trf.not_mutual", one=me, other=them, round=column + 1), column)
    one, other = (_RATED.get(cell.result, cell.result) for cell in (mine, theirs))
    if {mine.result, theirs.result} & set(_RATED) and player.number < opponent.number:
        what = statement("tournament.trf.unrated", one=me, other=them, round=column + 1)
        remarks.append(Remark(what, player.line))
    forfeit = {one, other} <= FORFEITS
    if {mine.side, theirs.side} != {"w", "b"} and not (forfeit and not {mine.side, theirs.side} & {"w", "b"}):
        raise player.refusal(statement("tournament.trf.no_sides", one=me, other=them, round=column + 1), column)
    told = {(" ", " "): (), **{pair: (game,) for pair, game in _GAMES.items()}}
    first = mine.side == "w" or (mine.side != "b" and player.number < opponent.number)
    result = told.get((one, other) if first else (other, one))
    if result is None:
        raise player.refusal(
            statement(
                "tournament.trf.results_differ",
                one=me,
                other=them,
                mine=_read(mine),
                theirs=_read(theirs),
                round=column + 1,
            ),
            column,
        )
    return (player.number, opponent.number, result) if first else (opponent.number, player.number, result)


def _read(cell: Cell) -> str | Statement:
    return cell.result.strip() or statement("tournament.word.none")


def _merge_two(one: RoundColumn, other: RoundColumn, last: int) -> RoundColumn:
    if {(second, first) for first, second in one.games} != set(other.games):
        raise TrfError(statement("tournament.trf.two_games.meetings", first=last - 1, last=last))
    if one.granted != other.granted or set(one.idle) != set(other.idle):
        raise TrfError(statement("tournament.trf.two_games.byes", first=last - 1, last=last))
    games: dict[tuple[int, int], Result] = {}
    for (first, second), result in one.games.items():
        again = tuple(game.from_other_side for game in other.games[second, first])
        if bool(result) != bool(again):
            raise TrfError(
                statement("tournament.trf.two_games.result", first=last - 1, last=last, one=first, other=second)
            )
        games[first, second] = (*result, *again)
    return RoundColumn(games, one.idle, one.granted)
