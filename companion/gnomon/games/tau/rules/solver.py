"""Solve TAU positions exactly: the value under perfect play, the best line, and the number to bid.

Which rows stand beside which columns does not matter: the score depends on the lengths of the runs alone (rule 5),
and so does the effect of a line, which shortens a run or splits it in two. The value of a position is therefore that
of its two multisets of run lengths. They are few, and the values of all that can follow are computed from the last
turn to the first (retrograde analysis), a row of a table at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Final, NamedTuple, Self

from gnomon.boards.bitsets import places_of
from gnomon.games.tau.rules._scoring import runs
from gnomon.games.tau.rules.position import HIGH, Move, Position, drawable
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError

Runs = tuple[int, ...]  # in ascending order
Progress = Callable[[int, int], object]  # how many values are computed, and how many there are
Pause = Callable[[], object]
_Better = Callable[..., int]
_Table = Sequence[Sequence[int]]  # values, by the number of the row runs and that of the column runs

_BEST: Final = (max, min)  # by player: HIGH wants a high score

# What a small computer has room for: 26x26 and 1x38 are within, 20x20 is far within (400 thousand values).
MOST_RUNS: Final = 4_000  # multisets of one side after so many lines
MOST_VALUES: Final = 8_000_000


class TooLargeError(RulesError):
    """More can follow the position than there is room to remember."""


class _Side(NamedTuple):
    """All that can become of the rows, or of the columns: per number of lines drawn, the multisets of runs.

    `after[lines][n]` are the numbers, among those with one line more, of what can follow the n-th.
    """

    stages: Sequence[Mapping[Runs, int]]
    after: Sequence[Sequence[Sequence[int]]]

    @classmethod
    def of(cls, lines: int, most: int, pause: Pause) -> Self:
        """What can become of the runs of a set of rows in up to `most` lines. Raises TooLargeError."""
        stages: list[dict[Runs, int]] = [{_runs(lines): 0}]
        after: list[list[list[int]]] = []
        for _ in range(most):
            following: dict[Runs, int] = {}
            led_to = []
            for runs_left in stages[-1]:
                pause()
                led_to.append([following.setdefault(shorter, len(following)) for shorter in _with_a_line(runs_left)])
                _refuse_above(MOST_RUNS, len(following))
            after.append(led_to)
            stages.append(following)
        return cls(stages, after)


class PerfectPlay:
    """The value of a position and of all that can follow it: the score when both play perfectly.

    `progress` is told as it goes on how many values have been computed, and of how many; `pause` is called every few
    milliseconds. What they raise ends the analysis. In the negotiation too, HIGH will draw the first line. Raises
    TooLargeError before it begins to compute, where more than `most` values would be needed.
    """

    __slots__ = ("_columns", "_origin", "_pause", "_rows", "_tables")

    def __init__(
        self,
        origin: Position,
        progress: Progress | None = None,
        pause: Pause = bool,
        most: int = MOST_VALUES,
    ) -> None:
        self._origin = origin
        self._pause = pause
        self._rows = _Side.of(origin.rows, origin.turns_left, pause)
        self._columns = _Side.of(origin.columns, origin.turns_left, pause)
        self._tables: dict[tuple[int, int], _Table] = {}
        total, done = self.size, 0
        _refuse_above(min(most, MOST_VALUES), total)
        for rows, columns in self._stages():
            table = self._table(rows, columns)
            self._tables[rows, columns] = table
            done += len(table) * len(table[0])
            if progress is not None:
                progress(done, total)

    def value(self, position: Position) -> int:
        """The score to which perfect play leads. Raises RulesError if the position does not follow the first one."""
        if not self._follows(position):
            raise RulesError(statement("told.tau.does_not_follow"))
        return self._value(position.rows, position.columns)

    def values(self, position: Position) -> Mapping[Move, int]:
        """The value of every line that may be drawn now. Raises ValueError as `value` does."""
        self.value(position)
        if not position.turns_left:
            return {}
        rows, columns = position.rows, position.columns
        return {
            Move("row", number): self._value(rows ^ 1 << number, columns) for number in places_of(drawable(rows))
        } | {
            Move("column", number): self._value(rows, columns ^ 1 << number) for number in places_of(drawable(columns))
        }

    def best_moves(self, position: Position) -> Sequence[Move]:
        """The lines that lose nothing, rows first. Raises ValueError as `value` does."""
        value = self.value(position)
        return [move for move, reached in self.values(position).items() if reached == value]

    def best_line(self, position: Position) -> Sequence[Move]:
        """One perfect way to the end of the game. Raises ValueError as `value` does."""
        line: list[Move] = []
        while position.turns_left:
            move = self.best_moves(position)[0]
            line.append(move)
            position = _with_line(position, move)
        return line

    def best_bid(self) -> int:
        """What the bid should have been: the greatest LIMIT with which HIGH wins from the analysed position.

        The player who names it wins: an opponent who then passes is LOW and loses, and one who names more is HIGH and
        cannot exceed it.
        """
        return self.value(self._origin) - 1

    # Inside

    def _stages(self) -> Iterator[tuple[int, int]]:
        """How many lines may have been drawn through rows and through columns, the end of the game first."""
        for lines in range(self._origin.turns_left, -1, -1):
            for rows in range(lines + 1):
                if self._rows.stages[rows] and self._columns.stages[lines - rows]:
                    yield rows, lines - rows

    @property
    def size(self) -> int:
        """How many values were computed."""
        rows, columns = self._rows.stages, self._columns.stages
        return sum(len(rows[drawn]) * len(columns[also]) for drawn, also in self._stages())

    def _follows(self, position: Position) -> bool:
        """Whether the lines drawn since the analysed position lead to another one."""
        origin = self._origin
        drawn = (origin.rows ^ position.rows).bit_count() + (origin.columns ^ position.columns).bit_count()
        return (
            origin.turns_left - position.turns_left == drawn
            and 0 < position.rows == position.rows & origin.rows
            and 0 < position.columns == position.columns & origin.columns
        )

    def _value(self, rows: int, columns: int) -> int:
        """The value of what is left of the grid."""
        drawn_rows = (self._origin.rows ^ rows).bit_count()
        drawn_columns = (self._origin.columns ^ columns).bit_count()
        row = self._rows.stages[drawn_rows][_runs(rows)]
        column = self._columns.stages[drawn_columns][_runs(columns)]
        return self._tables[drawn_rows, drawn_columns][row][column]

    def _table(self, rows: int, columns: int) -> _Table:
        """The values after so many lines through rows and columns, by their runs."""
        origin, tables, pause = self._origin, self._tables, self._pause
        if rows + columns == origin.turns_left:
            return _scores(self._rows.stages[rows], self._columns.stages[columns], pause)
        # HIGH and LOW alternate, and want opposite things.
        best = _BEST[_next_player(origin) ^ (rows + columns) & 1]
        # Where one row is left, or one column, no line may be drawn through it (rule 4); never through neither.
        if (rows + 1, columns) not in tables:
            return _transpose(
                _best_of(best, self._columns.after[columns], _transpose(tables[rows, columns + 1]), pause)
            )
        through_a_row = _best_of(best, self._rows.after[rows], tables[rows + 1, columns], pause)
        if (rows, columns + 1) not in tables:
            return through_a_row
        through_a_column = _transpose(
            _best_of(best, self._columns.after[columns], _transpose(tables[rows, columns + 1]), pause)
        )
        merged = []
        for both in zip(through_a_row, through_a_column, strict=True):
            pause()
            merged.append(_best_rows(best, both))
        return merged


def _refuse_above(most: int, found: int) -> None:
    if found > most:
        raise TooLargeError(statement("told.tau.too_large"))


def _next_player(position: Position) -> int:
    """Who draws the next line."""
    return HIGH if position.high is None else position.mover


def _with_line(position: Position, move: Move) -> Position:
    """What matters here of the position after a line."""
    line, turns_left = 1 << move.number, position.turns_left - 1
    if move.kind == "row":
        return position._replace(rows=position.rows ^ line, turns_left=turns_left)
    return position._replace(columns=position.columns ^ line, turns_left=turns_left)


def _runs(lines: int) -> Runs:
    return tuple(sorted(runs(lines)))


def _with_a_line(runs_left: Runs) -> Iterator[Runs]:
    """What one more line can make of a multiset of runs (rule 4), each once."""
    if runs_left == (1,):
        return
    for length in set(runs_left):
        others = list(runs_left)
        others.remove(length)
        for before in range((length + 1) // 2):
            parts = [part for part in (before, length - 1 - before) if part]
            yield tuple(sorted(others + parts))


def _scores(rows: Iterable[Runs], columns: Iterable[Runs], pause: Pause) -> _Table:
    """The scores of finished games (rule 5)."""
    of_columns = [(prod(runs_left), len(runs_left)) for runs_left in columns]
    scores = []
    for runs_left in rows:
        pause()
        of_row, number = prod(runs_left), len(runs_left)
        scores.append([of_row**count * of_column**number for of_column, count in of_columns])
    return scores


def _best_of(best: _Better, after: Sequence[Sequence[int]], table: _Table, pause: Pause) -> _Table:
    """Row by row the best of those rows of a table that can follow."""
    chosen = []
    for following in after:
        pause()
        chosen.append(_best_rows(best, [table[number] for number in following]))
    return chosen


def _best_rows(best: _Better, rows: Sequence[Sequence[int]]) -> Sequence[int]:
    """Place by place the best of some rows."""
    return list(map(best, *rows)) if len(rows) > 1 else rows[0]


def _transpose(table: _Table) -> _Table:
    """The table with rows for columns."""
    return list(zip(*table, strict=True))
