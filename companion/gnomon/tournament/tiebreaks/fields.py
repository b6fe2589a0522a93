"""Prepare the rounds of all entrants for tie-breaks, with unplayed rounds counted by a rule set."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from gnomon.tournament.state.results import HALF, NOTHING, GameResult, Points
from gnomon.tournament.state.round_history import History, RoundKind, Turn, score
from gnomon.tournament.state.settings import Rounding, Scoring
from gnomon.tournament.tiebreaks.rule_sets import Dummy, RuleSet

REQUESTED: Final = frozenset({RoundKind.HALF_BYE, RoundKind.ZERO_BYE})
VOLUNTARY: Final = REQUESTED | {RoundKind.FORFEIT_LOSS}
FORFEITS: Final = frozenset({RoundKind.FORFEIT_WIN, RoundKind.FORFEIT_LOSS})
NO_ROUND: Final = frozenset({RoundKind.FREE, RoundKind.PENDING})
_NOBODY: Final[Mapping[int, int]] = MappingProxyType({})


class Field(NamedTuple):
    """Everybody's rounds, what they began with, and the rules.

    `ratings` are of those who have one, and `unrated` is what the others count, None for nothing at all. `rounds` is
    how many the tournament has, 0 where that does not matter. `scheduled` says that it was settled beforehand who
    meets whom, so that a forfeit is a game like any other (C.07, 15.2). `seeds` are the numbers, the strongest first;
    `lots` and `orders` what was drawn and decided, the latest last, each the best first. `fore` makes the last round
    of all count as drawn by all who were paired in it (C.07, 8.3); `rounding` is what becomes of half points.
    """

    told: Mapping[int, History]
    start: Mapping[int, Points]
    scoring: Scoring
    units: int
    rules: RuleSet
    ratings: Mapping[int, int] = _NOBODY
    unrated: int | None = None
    rounds: int = 0
    scheduled: bool = False
    seeds: tuple[int, ...] = ()
    lots: tuple[tuple[int, ...], ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    fore: bool = False
    rounding: Rounding = Rounding.NONE

    def turns(self, number: int) -> History:
        """The rounds of an entrant, as they count."""
        turns = self.told[number]
        if not self.fore or not turns or turns[-1].round != self.rounds or turns[-1].opponent is None:
            return turns
        return (*turns[:-1], turns[-1]._replace(kind=RoundKind.PLAYED, points=self.draw))

    def total(self, number: int) -> Points:
        """The points of an entrant, with what they began with."""
        return self.rounding.round(self.start[number] + score(self.turns(number)))

    @property
    def draw(self) -> Points:
        """What a drawn round is worth."""
        return self.scoring.draw * self.units

    @property
    def win(self) -> Points:
        """What a won round is worth."""
        return self.scoring.win * self.units

    def opponent_in(self, turn: Turn) -> int | None:
        """Against whom a round counts as a game, or None."""
        return turn.opponent if turn.played or (self.scheduled and turn.kind in FORFEITS) else None


class RoundContribution(NamedTuple):
    """What one round brings to a sum over opponents: their score, and what was scored against them."""

    opponent: Points
    points: Points
    voluntary: bool


def adjusted_score(field: Field, number: int) -> Points:
    """An entrant's score as their opponents' tie-breaks see it: some unplayed rounds count as draws."""
    total, at_end = field.total(number), True
    for turn in reversed(field.turns(number)):
        unplayed = field.opponent_in(turn) is None and turn.kind not in NO_ROUND
        as_draw = field.rules.draws_at_end and at_end and turn.kind in REQUESTED
        if as_draw or (field.rules.draws_all and unplayed):
            total += field.draw - turn.points
        at_end = at_end and turn.kind in VOLUNTARY
    return total


def parts(field: Field, number: int) -> tuple[RoundContribution, ...]:
    """What every round of an entrant brings; where they played nobody, the rules put somebody there."""
    return tuple(
        RoundContribution(
            _dummy(field, number, turn)
            if (opponent := field.opponent_in(turn)) is None
            else adjusted_score(field, opponent),
            turn.points,
            opponent is None and turn.kind in VOLUNTARY,
        )
        for turn in field.turns(number)
        if turn.kind not in NO_ROUND
    )


def game_points(turn: Turn) -> Points:
    """What the games of a round come to at one each, however the round is scored; a bye is what it brought."""
    if not turn.games:
        return turn.points
    won = sum(game in {GameResult.FIRST_WON, GameResult.BOTH_WON, GameResult.FIRST_BY_FORFEIT} for game in turn.games)
    return won + HALF * sum(game is GameResult.DRAWN for game in turn.games)


def _dummy(field: Field, number: int, turn: Turn) -> Points:
    own = field.total(number)
    match field.rules.dummy:
        case Dummy.VIRTUAL:
            before = field.start[number] + score(field.turns(number)[: turn.round - 1])
            return before + field.win - turn.points + field.draw * (len(field.turns(number)) - turn.round)
        case Dummy.OWN:
            return own
        case Dummy.OWN_CAPPED:
            if turn.opponent is not None:
                return min(own, adjusted_score(field, turn.opponent))
            return min(own, field.draw * len(field.turns(number)))
        case Dummy.START:
            return field.start[number]
        case Dummy.NOBODY:
            return NOTHING
        case _:
            assert_never(field.rules.dummy)
