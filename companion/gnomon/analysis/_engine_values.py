"""Value the turns of a recorded game by an engine.

A search is bounded by nodes and never by time, and has its own source of chance, so that the same engine gives the same
values on every machine. A turn that is not the best one is compared with it by one more search of these two alone: only
values of the same search are comparable.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import eq
from random import Random
from typing import Any, Final

from gnomon.analysis._game_analysis import (
    LEAST,
    OPEN,
    AnalysedTurn,
    Analysis,
    Forecast,
    Glass,
    Luck,
    Value,
)
from gnomon.engines.protocol import Candidate, Limits, Report
from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.formats.sheets import Sheet
from gnomon.records.formats.turns import has_swapped, person_of, played_turns
from gnomon.refusals import InvalidValueError, statement
from gnomon.rules.bids import BID
from gnomon.rules.protocol import NATURE, OVER, Outcome, PlayedTurn, Rules
from gnomon.rules.registry import BARE_CLOCK, rules_of
from gnomon.timekeeping.instants import Duration, parse_seconds

Progress = Callable[[int, int], None]
"""Told how many turns have been valued, of how many."""

_USUAL: Final = 0.75  # of all levels, the one whose nodes are searched where nobody says otherwise
_PAIR: Final = 2
_DEEP: Final = 2  # an estimate of less depth judges nobody: it has not seen the answer
_SHALLOW: Final = 32  # the shallow tutor searches that part of the nodes: what it misses, only looking ahead finds
_DIGITS: Final = 4  # of a chance: more would be noise


@dataclass(frozen=True, slots=True)
class Effort:
    """How far each position is searched: as a level of the engine does, or so many nodes."""

    level: int | None = None
    nodes: int | None = None

    def limits(self, engine: Any) -> Limits:  # noqa: ANN401 - an engine of any game
        """The limits of each search. Raises InvalidValueError for a level that there is not."""
        if self.nodes is not None:
            return Limits(nodes=self.nodes)
        number = self.level or max(1, round(len(engine.levels) * _USUAL))
        if not 1 <= number <= len(engine.levels):
            raise InvalidValueError(statement("engine.match.level", number=len(engine.levels), text=str(number)))
        limits: Limits = engine.levels[number - 1].limits
        return limits


def analyse(sheet: Sheet, engine: object, effort: Effort, progress: Progress, *, with_table: bool = False) -> Analysis:
    """Value each turn of a game by an engine.

    Raises ValueError with one sentence for a game that cannot be played by the rules, or a level that there is not.
    """
    if sheet.game == BARE_CLOCK:
        raise InvalidValueError(statement("cli.no_rules", game=sheet.game))
    rules = rules_of(sheet.game, sheet.settings)
    limits = effort.limits(engine)
    turns = list(played_turns(sheet))
    result = play_to_end(sheet).result
    searches = _Searches(rules, engine, limits)
    analysed = []
    progress(0, len(turns))
    for turn in turns:
        analysed.append(searches.value(turn))
        progress(turn.number, len(turns))
    seats = tuple(rules.seats)
    return Analysis(
        game=sheet.game,
        settings=dict(sheet.settings),
        seats=seats,
        names={seat: name for seat in seats if (name := sheet.players.get(seat))},
        nodes=limits.nodes or 0,
        depth=limits.depth or 0,
        with_table=with_table,
        turns=tuple(analysed),
        end=_forecast_of_result(rules, sheet, result, turns),
        result=result,
        luck=_luck(rules, engine, turns, sheet.players, exact=with_table),
    )


class _Searches:
    """Asks an engine about the positions of one game."""

    def __init__(self, rules: Rules[Any, Any], engine: Any, limits: Limits) -> None:  # noqa: ANN401 - as above
        self._rules = rules
        self._engine = engine
        self._limits = limits

    def value(self, turn: PlayedTurn) -> AnalysedTurn:
        """What a turn was worth."""
        rules, before = self._rules, turn.before
        plain = AnalysedTurn(
            turn.number, turn.player, turn.person, turn.text, turn.at, turn.took, self._choices(before)
        )
        mobility: Callable[[Any], Mapping[str, int]] | None = getattr(self._engine, "mobility", None)
        described = replace(plain, mobility=mobility(before) if mobility else None, sand=_sand(rules, turn.after))
        if turn.player == NATURE or rules.turn(before) in {NATURE, OVER}:
            return described
        if not self._predicts(before):
            return replace(described, forecast=OPEN)
        best = self._search(turn, self._limits._replace(spread=0.0)).candidates[0]
        better, played = self._compare(turn, best)
        if better is None:
            return described
        valued = replace(described, forecast=self._forecast(turn, better))
        if played is None:
            return valued
        return replace(
            valued,
            best=rules.text(before, better.move),
            line=tuple(better.texts(self._rules, turn.before)),
            best_value=_value(better),
            played_value=_value(played),
            found=better.move == played.move and self._is_found(turn, played),
        )

    def _is_found(self, turn: PlayedTurn, played: Candidate) -> bool:
        """Whether a shallow search prefers a turn that is worth clearly less than the one that was played.

        How much less, one search as deep as all others says of these two.
        """
        nodes = self._limits.nodes
        if nodes is None or nodes < _SHALLOW or self._choices(turn.before) < _PAIR:
            return False
        shallow = self._search(turn, self._limits._replace(nodes=nodes // _SHALLOW, spread=0.0)).candidates[0]
        is_alike: Callable[[Any, Any], bool] = getattr(self._engine, "is_alike", eq)
        if is_alike(shallow.move, played.move):
            return False
        report = self._search(turn, self._limits._replace(moves=(played.move, shallow.move), spread=1.0))
        scores = {each.move: each.score for each in report.candidates}
        own, other = scores.get(played.move), scores.get(shallow.move)
        if own is None or other is None or (report.depth < _DEEP and not own.proven):
            return False
        return own.chance - other.chance >= LEAST and (own.proven == other.proven or own.chance == 1)

    def _search(self, turn: PlayedTurn, limits: Limits) -> Report:
        report: Report
        *_, report = self._engine.think(turn.before, limits, Random(turn.number), _never)  # noqa: S311 - repeatable
        return report

    def _compare(self, turn: PlayedTurn, best: Candidate) -> tuple[Candidate | None, Candidate | None]:
        """The better of the best move and the one that was played, and this, as one search of these alone finds them.

        That a move has come out best of many is in part good luck of a search by samples, which this one does not have.
        """
        moves = tuple(dict.fromkeys(move for move in (best.move, turn.move) if move is not None))
        report = self._search(turn, self._limits._replace(moves=moves, spread=1.0))
        found = {each.move: each for each in report.candidates}
        better, played = found.get(best.move), found.get(turn.move)
        if better is None or (played is not None and played.score.chance >= better.score.chance):
            return played, played
        if report.depth < _DEEP and not better.score.proven:
            return better, None
        return better if better.line else better._replace(line=best.line), played

    def _predicts(self, position: object) -> bool:
        predicts: Callable[[Any], bool] | None = getattr(self._engine, "predicts", None)
        return predicts is None or predicts(position)

    def _choices(self, position: object) -> int:
        """How many turns are legal, of which those are counted one by one that have an end."""
        rules = self._rules
        moves = [move for move in rules.legal_moves(position) if rules.is_turn(move)]
        has_no_end = rules.open_bids and any(rules.text(position, move).startswith(BID) for move in moves)
        return len(moves) + has_no_end

    def _forecast(self, turn: PlayedTurn, best: Candidate) -> Forecast | None:
        if len(self._rules.seats) != _PAIR or turn.person is None:
            return None
        chance = round(best.score.chance, _DIGITS)
        chance = chance if turn.person == 0 else round(1 - chance, _DIGITS)
        return Forecast(chance, chance, best.score.proven)


def _never() -> bool:
    return False


def _value(candidate: Candidate) -> Value:
    return Value(round(candidate.score.chance, _DIGITS), candidate.score.proven)


def _sand(rules: Rules[Any, Any], position: object) -> tuple[Glass, ...]:
    """What every glass has left, where sand runs."""
    glasses = rules.state(position).get("glasses") if getattr(position, "sands", ()) else None
    if not isinstance(glasses, list):
        return ()
    return tuple(
        Glass(str(each["player"]), str(each["space"]), Duration(parse_seconds(str(each["remaining"]))))
        for each in glasses
    )


def _forecast_of_result(
    rules: Rules[Any, Any], sheet: Sheet, result: Outcome | None, turns: list[PlayedTurn]
) -> Forecast | None:
    """The end of a game of two: the first person has won, lost or drawn."""
    if result is None or result.is_void or len(rules.seats) != _PAIR:
        return None
    if result.winner is None:
        return Forecast(0.5, 0.5, proven=True)
    last = turns[-1].after if turns else rules.start()
    person = person_of(rules, last, result.winner, is_swapped=has_swapped(sheet))
    return None if person is None else Forecast(1.0 - person, 1.0 - person, proven=True)


def _luck(
    rules: Rules[Any, Any], engine: object, turns: list[PlayedTurn], names: Mapping[str, str], *, exact: bool
) -> Luck | None:
    """What throws and choices were worth, where the engine of the game can tell."""
    asked = getattr(engine, "account" if exact else "estimate_account", None)
    if asked is None or len(rules.players) != _PAIR or not turns or any(turn.move is None for turn in turns):
        return None
    account = asked([turn.move for turn in turns])
    return Luck(
        account.summary(tuple(names.get(player) or player for player in rules.players)),
        round(account.start, _DIGITS),
        tuple(round(each, _DIGITS) for each in account.luck),
        tuple(round(each, _DIGITS) for each in account.skill),
        exact,
    )
