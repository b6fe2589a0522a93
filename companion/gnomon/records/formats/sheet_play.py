"""Play a score sheet by the rules of its game, and find the first illegal turn.

A line without a time is played as soon as it is legal: at the instant of the line before, or at the next instant at
which time makes it legal, as with a pass when the last glass runs out.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gnomon.records.formats.line_play import BY_HAND, Acted, LinePlay, Step, line_play
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome, Rules, RulesError
from gnomon.rules.registry import rules_of
from gnomon.timekeeping.instants import Instant


class UnreadableTurnError(RulesError):
    """What stands in a line is no move of the game in any position; the message is one sentence."""


class IllegalTurnError(RulesError):
    """A turn is well written and not allowed where it stands.

    `number` counts lines from 1, `code` is a short fixed word (that of the rules, or `over`, `time`,
    `not_your_turn`), and the message names the line and the rule.
    """

    def __init__(self, number: int, line: SheetLine, error: RulesError) -> None:
        cause, code = error.statement, _code(error)
        super().__init__(
            statement("told.sheet.turn", short=code, where=_where(number, line), text=line.text, cause=cause)
        )
        self.number = number


class WrongResultError(RulesError):
    """The sheet names another result than its turns give; the message is one sentence."""


class Ending(NamedTuple):
    """Where a sheet leaves its game: the position, the result, and whether the rules gave it or people did."""

    position: Any
    result: Outcome | None
    by_the_rules: bool


def steps(sheet: Sheet) -> Iterator[Step]:
    """Play the lines of a sheet one by one.

    Raises SettingsError for an unknown game or setting, and UnreadableTurnError or IllegalTurnError at the first line
    that cannot be played.
    """
    rules = rules_of(sheet.game, sheet.settings)
    game = line_play(rules)
    position, now = rules.start(), Instant(0)
    for number, line in enumerate(sheet.lines, 1):
        try:
            _check_order(now, line)
            acted, now = _act_on(game, position, now, line, sheet.lines[number:])
            _check_player(line, acted.player)
        except NotationError as error:
            where = _where(number, line)
            raise UnreadableTurnError(statement("told.sheet.unreadable", where=where, cause=error.statement)) from error
        except RulesError as error:
            raise IllegalTurnError(number, line, error) from error
        position = acted.position
        yield Step(number, line, acted.player, acted.text, now, position)


def is_turn(rules: Rules[Any, Any], before: object, step: Step) -> bool:
    """Whether a line is a turn in the position `before` it: not a part of one, something beside it, or a correction."""
    if step.player == BY_HAND:
        return False
    try:
        return rules.is_turn(rules.parse(rules.elapse(before, step.at), step.text))
    except RulesError:
        return rules.turn(step.position) != rules.turn(before)


def play_to_end(sheet: Sheet) -> Ending:
    """Play a sheet to its end. Raises as `steps` does, and WrongResultError when the result is another one."""
    rules = rules_of(sheet.game, sheet.settings)
    position = rules.start()
    for step in steps(sheet):
        position = step.position
    said, outcome = sheet.result, rules.outcome(position)
    if outcome is None and said is not None:
        # Time may have ended the game after its last turn; or people have: they resigned, agreed, or broke rule 5.
        later = _run_on(rules, position)
        outcome = rules.outcome(later)
        if outcome is None or outcome != said:
            return Ending(position, said, by_the_rules=False)
        position = later
    if outcome is None:
        return Ending(position, None, by_the_rules=False)
    if said is not None and (said.winner != outcome.winner or said.reason not in ("", outcome.reason)):
        raise WrongResultError(statement("told.sheet.result", result=_reason_of(said), other=_reason_of(outcome)))
    return Ending(position, outcome, by_the_rules=True)


def _act_on(
    game: LinePlay, position: object, now: Instant, line: SheetLine, rest: Sequence[SheetLine]
) -> tuple[Acted, Instant]:
    """What a line comes to, and when."""
    said = [instant for instant in (line.at, line.placed, line.lifted) if instant is not None]
    if said:
        at = Instant(max(now, said[0]))
        return game.play(position, line, at, rest), at
    refused: RulesError | None = None
    while True:
        try:
            return game.play(position, line, now, rest), now
        except NotationError:
            raise
        except RulesError as error:
            refused = refused or error
        deadline = game.rules.deadline(position)
        if deadline is None:
            raise refused
        position, now = game.rules.elapse(position, deadline), deadline


def _check_order(now: Instant, line: SheetLine) -> None:
    said = [instant for instant in (line.lifted, line.placed, line.at) if instant is not None]
    if said != sorted(said) or (said and said[-1] < now):
        raise IllegalMoveError(statement("told.sheet.backwards", short="time"))


def _check_player(line: SheetLine, player: str) -> None:
    if line.player and line.player != player:
        raise IllegalMoveError(statement("told.sheet.not_your_turn", player=player, of=line.player))


def _code(error: RulesError) -> str:
    if isinstance(error, IllegalMoveError):
        return error.code
    return "over" if isinstance(error, GameOverError) else "time"


def _run_on(rules: Rules[Any, Any], position: object) -> Any:  # noqa: ANN401 - by game
    """The position when time has nothing left to decide."""
    while (deadline := rules.deadline(position)) is not None:
        position = rules.elapse(position, deadline)
    return position


def _where(number: int, line: SheetLine) -> Statement:
    if line.source:
        return statement("word.sheet.line", line=line.source, number=number)
    return statement("word.sheet.turn", number=number)


def _reason_of(result: Outcome) -> str | Statement:
    nobody = statement("word.no_result" if result.is_void else "word.a_draw")
    winner = result.winner or nobody
    return statement("word.sheet.result", winner=winner, reason=result.reason) if result.reason else winner
