"""Parse and format points and pairings as people write them: `2½`, and `3:4-8` for board 3 with 4 moving first."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state.results import GameResult, Points
from gnomon.tournament.state.rounds import Pairing, Table

BYE: Final = "bye"
_NEIGHBOURS: Final = 2
_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
_PAIRING: Final = re.compile(rf"(?P<board>[0-9]{{1,6}}):(?P<first>[0-9]{{1,6}})-(?:(?P<second>[0-9]{{1,6}})|{BYE})")
_TABLE: Final = re.compile(r"(?P<board>[0-9]{1,6}):(?P<seats>[0-9]{1,6}(?:-[0-9]{1,6})+)")
# No exponent: 1e999999999 is a fraction too, and would fill the memory.
_POINTS: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{0,9}|/0{0,8}[1-9][0-9]{0,8})?|-?\.[0-9]{1,9}")
_MARKS: Final = {
    GameResult.FIRST_WON: "1",
    GameResult.SECOND_WON: "0",
    GameResult.DRAWN: "½",
    GameResult.BOTH_WON: "1",
    GameResult.BOTH_LOST: "0",
    GameResult.FIRST_BY_FORFEIT: "+",
    GameResult.SECOND_BY_FORFEIT: "-",
    GameResult.DOUBLE_FORFEIT: "-",
}


def points_text(points: Points) -> str:
    """Points as people write them: `2½`, `0`, `1 2/5`."""
    whole, rest = divmod(points, 1)
    if not rest:
        return str(whole)
    sign = _SIGNS.get(rest)
    return f"{whole or ''}{sign}" if sign else f"{whole or ''} {rest}".strip()


def value_text(value: Points) -> str:
    """What a tie-break comes to, as people read it: as points are written, an average to two places."""
    if value % 1 in _SIGNS or value.denominator == 1:
        return points_text(value)
    return f"{round(value * 100) / 100:.2f}"


def gain_text(gain: float) -> str:
    """What was gained or lost, to two places: `+0.25`, `−1.00`."""
    return f"{round(gain, 2) + 0.0:+.2f}".replace("-", "−")


def two_places(value: float) -> str:
    """A number to two places, with the minus sign of `gain_text`: `0.25`, `−1.00`."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def parse_points(text: str) -> Points:
    """Points as `points_text` writes them, and as `2.5` or `5/2`. Raises TournamentError for what is no number."""
    written = text.strip()
    sign = next((value for value, sign in _SIGNS.items() if written.endswith(sign)), Fraction(0))
    rest = written[:-1] if sign else written
    found = _POINTS.fullmatch(rest.replace(",", ".") or ("0" if sign else ""))
    if found is None:
        raise TournamentError(statement("tournament.points.not", text=quote(text)))
    return Fraction(found[0]) + sign


def parse_pairing(text: str) -> Pairing:
    """A pairing as `pairing_text` writes it. Raises TournamentError for anything else."""
    found = _PAIRING.fullmatch(text)
    if found is None:
        said = quote(text)
        raise TournamentError(statement("tournament.pairing.not", text=said, bye=BYE))
    second = found["second"]
    return Pairing(int(found["board"]), int(found["first"]), None if second is None else int(second))


def parse_tables(texts: Iterable[str]) -> tuple[Table, ...]:
    """Tables of three or four by their numbers, each such as `2:5-6-7`, its seats in order. Raises TournamentError."""
    tables = []
    for text in texts:
        found = _TABLE.fullmatch(text)
        if found is None:
            raise TournamentError(statement("tournament.pairing.no_table", text=quote(text)))
        tables.append(Table(int(found["board"]), tuple(map(int, found["seats"].split("-")))))
    return tuple(sorted(tables, key=lambda table: table.board))


def pairing_text(pairing: Pairing) -> str:
    """A pairing as one writes it by hand."""
    return f"{pairing.board}:{pairing.first}-{BYE if pairing.second is None else pairing.second}"


def table_text(table: Table) -> str:
    """A table as one writes it by hand."""
    return f"{table.board}:{'-'.join(map(str, table.seats))}"


def change_tables(tables: Sequence[Table], changes: Iterable[Table]) -> tuple[Table, ...]:
    """The tables with some of them seated again; those that are not named stay as they are."""
    boards = {table.board: table for table in tables} | {table.board: table for table in changes}
    return tuple(boards[board] for board in sorted(boards))


def swap_at_tables(tables: Sequence[Table], one: int, other: int) -> tuple[Table, ...]:
    """The tables with two entrants each in the other's seat. Raises TournamentError when one of them has none."""
    seats = {one: other, other: one}
    if one == other or not seats.keys() <= {number for table in tables for number in table.seats}:
        raise TournamentError(statement("tournament.pairing.not_swapped", one=one, other=other))
    return tuple(table._replace(seats=tuple(seats.get(number, number) for number in table.seats)) for table in tables)


def changed_by_hand(pairings: Sequence[Pairing], changes: Iterable[Pairing]) -> tuple[Pairing, ...]:
    """The pairings with some boards set again; boards that are not named stay as they are."""
    boards = {pairing.board: pairing for pairing in pairings} | {pairing.board: pairing for pairing in changes}
    return tuple(boards[board] for board in sorted(boards))


def swap(pairings: Iterable[Pairing], one: int, other: int) -> tuple[Pairing, ...]:
    """The pairings with two entrants each in the other's place. Raises TournamentError when one of them has none."""
    places = {one: other, other: one}
    before = tuple(pairings)
    seated = {number for pairing in before for number in pairing.entrants}
    missing = next((number for number in (one, other) if number not in seated), None)
    if missing is not None or one == other:
        raise TournamentError(statement("tournament.pairing.not_swapped", one=one, other=other))
    return tuple(
        Pairing(
            pairing.board,
            places.get(pairing.first, pairing.first),
            None if pairing.second is None else places.get(pairing.second, pairing.second),
        )
        for pairing in before
    )


def marks(games: Iterable[GameResult]) -> str:
    """The games as a table of all against all shows them, from the chair of the first: `1`, `½0`, `+`."""
    return "".join(_MARKS[game] for game in games)


def boards_text(boards: Iterable[int]) -> str:
    """Boards as a list is told: `2, 4–7, 9`; two neighbours stand each for itself."""
    runs: list[list[int]] = []
    for board in sorted(boards):
        if runs and board == runs[-1][-1] + 1:
            runs[-1].append(board)
        else:
            runs.append([board])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > _NEIGHBOURS else ", ".join(map(str, run)) for run in runs)
