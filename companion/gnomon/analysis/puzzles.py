"""Find puzzles in recorded games: positions in which only one turn wins, by proof or by a wide margin.

A proof weighs every legal turn: the best one wins, and all others do not. Where a game is not proven, the best turn is
far better than any other, in a search of all and again in one of the best two alone.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import eq
from random import Random
from typing import Any, Final

from gnomon.analysis._engine_values import Effort
from gnomon.engines.protocol import Candidate, Limits
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet, read_sheet, sheet_text
from gnomon.records.formats.turns import played_turns
from gnomon.rules.bids import BID
from gnomon.rules.protocol import NATURE, OVER, PlayedTurn, Rules, RulesError
from gnomon.rules.registry import rules_of

FORMAT: Final = 1
_LEAST_CHOICES: Final = 4
_MARGIN: Final = 0.3
_GOOD: Final = 0.6  # the best turn is at least worth this, or there is nothing to win
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and the only good turn in it, with what is expected after it.

    `sheet` is the game up to there, without the names of the players. `value` is what the turn is worth to the player,
    and `second` what the best of all others is; 1 and 0 where that is proven.
    """

    sheet: Sheet
    player: str
    line: tuple[str, ...]
    proven: bool
    value: float
    second: float

    @property
    def number(self) -> str:
        """What the puzzle is called: the same position is the same puzzle."""
        return hashlib.sha256(sheet_text(self.sheet).encode()).hexdigest()[:12]

    @property
    def best(self) -> str:
        """The only good turn."""
        return self.line[0]

    def way(self) -> tuple[str, ...] | None:
        """The turns that lead to the position, in canonical text; None where no hands can set it out.

        Sand that has run is not set out, nor what somebody corrected. Raises ValueError for turns that are not legal.
        """
        rules, wanted, _ = self.scene()
        turns = tuple(step.text for step in steps(self.sheet))
        position = rules.start()
        try:
            for text in turns:
                position = rules.play(position, rules.parse(position, text))
        except RulesError:
            return None
        is_same = rules.state(position) == rules.state(wanted) and rules.deadline(wanted) is None
        return turns if is_same else None

    def scene(self) -> tuple[Rules[Any, Any], Any, str]:
        """The rules, the position, and the turn that led to it. Raises ValueError for one that is not legal."""
        rules = rules_of(self.sheet.game, self.sheet.settings)
        position, last = rules.start(), ""
        for step in steps(self.sheet):
            position, last = step.position, step.text
        return rules, position, last


def find_puzzles(sheet: Sheet, engine: object, effort: Effort) -> Iterator[Puzzle | None]:
    """The puzzles of a game, one after the other, and None after each turn that gives none. Raises ValueError."""
    rules, limits = rules_of(sheet.game, sheet.settings), effort.limits(engine)
    for turn in played_turns(sheet):
        found = None
        if turn.player != NATURE and rules.turn(turn.before) not in {NATURE, OVER}:
            found = _puzzle(rules, engine, limits, turn)
        if found is None:
            yield None
            continue
        line, proven, best, second = found
        lines = tuple(replace(each, comment=()) for each in sheet.lines[: turn.line - 1])
        before = Sheet(sheet.game, dict(sheet.settings), lines=lines)
        yield Puzzle(before, rules.turn(turn.before), line, proven, round(best, _DIGITS), round(second, _DIGITS))


def dump_puzzles(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """Puzzles for JSON."""
    return {
        "format": FORMAT,
        "puzzles": [
            {
                "sheet": sheet_text(each.sheet),
                "player": each.player,
                "line": list(each.line),
                "proven": each.proven,
                "value": each.value,
                "second": each.second,
            }
            for each in puzzles
        ],
    }


def load_puzzles(value: Any) -> Sequence[Puzzle]:  # noqa: ANN401 - whatever JSON holds
    """Read what `dump_puzzles` wrote. Raises ValueError for anything else, also for turns that are not legal."""
    try:
        if value["format"] != FORMAT:
            message = f"puzzles of format {value['format']!r}"
            raise ValueError(message)
        return [_load_puzzle(each) for each in value["puzzles"]]
    except (LookupError, TypeError, AttributeError) as error:
        message = f"these are no puzzles: {error!r}"
        raise ValueError(message) from error


def _load_puzzle(value: Mapping[str, Any]) -> Puzzle:
    sheet = read_sheet(value["sheet"].encode())
    first, *after = map(str, value["line"])
    value_of, second = (float(value[key]) for key in ("value", "second"))
    puzzle = Puzzle(sheet, str(value["player"]), (first, *after), bool(value["proven"]), value_of, second)
    rules, position, _ = puzzle.scene()
    if rules.turn(position) != puzzle.player:
        message = f"it is not the turn of {puzzle.player!r}"
        raise ValueError(message)
    for text in puzzle.line:
        position = rules.play(position, rules.parse(position, text))
    return puzzle


_Found = tuple[tuple[str, ...], bool, float, float]


def _puzzle(rules: Rules[Any, Any], engine: Any, limits: Limits, turn: PlayedTurn) -> _Found | None:  # noqa: ANN401 - as above
    """The line of the only good turn, whether that is proven, and what it and the next best are worth."""
    position = turn.before
    moves = [move for move in rules.legal_moves(position) if rules.is_turn(move)]
    if len(moves) < _LEAST_CHOICES or any(rules.text(position, move).startswith(BID) for move in moves):
        return None

    def weigh(*asked: Any) -> Sequence[Candidate]:
        *_, report = engine.think(position, limits._replace(moves=asked, spread=1.0), Random(turn.number), bool)  # noqa: S311 - repeatable
        found: Sequence[Candidate] = [each for each in report.candidates if not asked or each.move in asked]
        return found

    is_alike: Callable[[Any, Any], bool] = getattr(engine, "is_alike", eq)
    best, *others = weigh()
    others = [each for each in others if not is_alike(each.move, best.move)]
    line = _line(rules, position, best)
    if best.score.proven:
        if best.score.chance < 1:
            return None
        asked = [move for move in moves if not is_alike(move, best.move)]
        if not asked:
            return None
        rest = weigh(*asked)
        whole = len(rest) == len(asked) and all(each.score.proven and each.score.chance < 1 for each in rest)
        return (line, True, 1.0, max(each.score.chance for each in rest)) if whole else None
    if not others or best.score.chance < _GOOD or best.score.chance - others[0].score.chance < _MARGIN:
        return None
    predicts = getattr(engine, "predicts", None)
    if predicts is not None and not predicts(position):
        return None
    pair = {each.move: each.score.chance for each in weigh(best.move, others[0].move)}
    first, second = pair.get(best.move, 0.0), pair.get(others[0].move, 1.0)
    return (line, False, first, second) if first >= _GOOD and first - second >= _MARGIN else None


def _line(rules: Rules[Any, Any], position: object, best: Candidate) -> tuple[str, ...]:
    texts = []
    for move in (best.move, *best.line):
        texts.append(rules.text(position, move))
        position = rules.play(position, move)
    return tuple(texts)
