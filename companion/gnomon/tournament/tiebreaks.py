"""The only place that reckons tie-breaks: values by name, from what each round was for everybody."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, assert_never

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.histories import History, Kind, Turn, score
from gnomon.tournament.results import HALF, NOTHING, Points
from gnomon.tournament.rule_sets import Dummy, RuleSet
from gnomon.tournament.settings import Scoring

REQUESTED: Final = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE})
VOLUNTARY: Final = REQUESTED | {Kind.FORFEIT_LOSS}
NO_ROUND: Final = frozenset({Kind.FREE, Kind.PENDING})


class Field(NamedTuple):
    """Everybody's rounds, what they began with, and the rules: what a tie-break may look at."""

    told: Mapping[int, History]
    start: Mapping[int, Points]
    scoring: Scoring
    units: int
    rules: RuleSet

    def total(self, number: int) -> Points:
        """The points of an entrant, with what they began with."""
        return self.start[number] + score(self.told[number])

    @property
    def draw(self) -> Points:
        """What a drawn round is worth."""
        return self.scoring.draw * self.units

    @property
    def win(self) -> Points:
        """What a won round is worth."""
        return self.scoring.win * self.units


class Part(NamedTuple):
    """What one round brings to a sum over opponents: their score, and what was scored against them."""

    opponent: Points
    points: Points
    voluntary: bool


TieBreak = Callable[[Field, int], Points]


def adjusted(field: Field, number: int) -> Points:
    """An entrant's score as their opponents' tie-breaks see it: some unplayed rounds count as draws."""
    total, at_end = field.total(number), True
    for turn in reversed(field.told[number]):
        unplayed = not turn.played and turn.kind not in NO_ROUND
        as_draw = field.rules.draws_at_end and at_end and turn.kind in REQUESTED
        if as_draw or (field.rules.draws_all and unplayed):
            total += field.draw - turn.points
        at_end = at_end and turn.kind in VOLUNTARY
    return total


def parts(field: Field, number: int) -> tuple[Part, ...]:
    """What every round of an entrant brings; where they played nobody, the rules put somebody there."""
    return tuple(
        Part(
            adjusted(field, turn.opponent)
            if turn.played and turn.opponent is not None
            else _dummy(field, number, turn),
            turn.points,
            turn.kind in VOLUNTARY,
        )
        for turn in field.told[number]
        if turn.kind not in NO_ROUND
    )


def _dummy(field: Field, number: int, turn: Turn) -> Points:
    own = field.total(number)
    match field.rules.dummy:
        case Dummy.VIRTUAL:
            before = field.start[number] + score(field.told[number][: turn.round - 1])
            return before + field.win - turn.points + field.draw * (len(field.told[number]) - turn.round)
        case Dummy.OWN:
            return own
        case Dummy.OWN_CAPPED:
            if turn.opponent is not None:
                return min(own, adjusted(field, turn.opponent))
            return min(own, field.draw * len(field.told[number]))
        case Dummy.START:
            return field.start[number]
        case _:
            assert_never(field.rules.dummy)


def _kept(field: Field, number: int, low: int, high: int, value: Callable[[Part], Points]) -> Points:
    """The sum over opponents without some of the lowest and some of the highest."""
    ranked = sorted(parts(field, number), key=lambda part: (part.opponent, value(part)))
    for _ in range(low):
        ranked = _without_least(ranked, value, voluntary_first=field.rules.voluntary_first)
    return sum(map(value, ranked[: max(0, len(ranked) - high)]), NOTHING)


def _without_least(ranked: list[Part], value: Callable[[Part], Points], *, voluntary_first: bool) -> list[Part]:
    if not ranked:
        return ranked
    cut = ranked[0]
    if voluntary_first:
        # 16.5.1: the least of the rounds that were given up goes, unless the least of all is worth more.
        given_up = (part for part in ranked if part.voluntary)
        lowest = min(given_up, key=lambda part: (value(part), part.opponent), default=cut)
        cut = lowest if value(lowest) >= value(cut) else cut
    at = ranked.index(cut)
    return ranked[:at] + ranked[at + 1 :]


def buchholz(low: int = 0, high: int = 0) -> TieBreak:
    """The sum of the opponents' scores, without some of the lowest and of the highest: C.07, 8.1 and 14."""
    return lambda field, number: _kept(field, number, low, high, lambda part: part.opponent)


def sonneborn_berger(low: int = 0) -> TieBreak:
    """The sum of the opponents' scores, each times the points made against them: C.07, 9.1."""
    return lambda field, number: _kept(field, number, low, 0, lambda part: part.opponent * part.points)


def progressive(low: int = 0) -> TieBreak:
    """The sum of the scores after each round, without those of the first few: C.07, 7.5."""

    def value(field: Field, number: int) -> Points:
        turns = field.told[number]
        running = [field.start[number] + score(turns[:after]) for after in range(1, len(turns) + 1)]
        return sum(running[low:], NOTHING)

    return value


def wins(field: Field, number: int) -> Points:
    """Rounds or games that brought the points of a win, byes and forfeits too: C.07, 7.1."""
    idle = sum(
        turn.kind in {Kind.PAIRING_BYE, Kind.FULL_BYE} and turn.points == field.win for turn in field.told[number]
    )
    return Points(sum(turn.units_won + turn.units_given for turn in field.told[number]) + idle * field.units)


def wins_played(field: Field, number: int) -> Points:
    """Games won at the board: C.07, 7.2."""
    return Points(sum(turn.units_won for turn in field.told[number]))


def games_second(field: Field, number: int) -> Points:
    """Rounds played without moving first: C.07, 7.3."""
    return Points(sum(turn.played and not turn.first for turn in field.told[number]))


def wins_second(field: Field, number: int) -> Points:
    """Rounds won at the board without moving first: C.07, 7.4."""
    return Points(sum(turn.units_won for turn in field.told[number] if not turn.first))


def koya(field: Field, number: int) -> Points:
    """The points made against all who have at least half of what can be had: C.07, 9.2, for round robins."""
    half = {one: field.win * _rounds(turns) * HALF for one, turns in field.told.items()}
    return sum(
        (
            turn.points
            for turn in field.told[number]
            if turn.opponent is not None and field.total(turn.opponent) >= half[turn.opponent]
        ),
        NOTHING,
    )


def _rounds(turns: Iterable[Turn]) -> int:
    return sum(turn.kind not in NO_ROUND for turn in turns)


def sosos(field: Field, number: int) -> Points:
    """The sum of the opponents' sums of opponents' scores, as in Go; where there was nobody, nothing."""
    sums = buchholz()
    met = (turn.opponent for turn in field.told[number] if turn.played)
    return sum((sums(field, one) for one in met if one is not None), NOTHING)


def sodos(field: Field, number: int) -> Points:
    """The sum of the scores of defeated opponents, half of it for a draw, as in Go."""
    return sum(
        (
            adjusted(field, turn.opponent) * (turn.units_won + turn.units_drawn * HALF)
            for turn in field.told[number]
            if turn.played and turn.opponent is not None
        ),
        NOTHING,
    )


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    "BH": buchholz(),
    "BHC1": buchholz(1),
    "BHC2": buchholz(2),
    "BHM1": buchholz(1, 1),
    "BHM2": buchholz(2, 2),
    "SB": sonneborn_berger(),
    "SBC1": sonneborn_berger(1),
    "PS": progressive(),
    "PSC1": progressive(1),
    "WIN": wins,
    "WON": wins_played,
    "BPG": games_second,
    "BWG": wins_second,
    "KS": koya,
    "SOS": buchholz(),
    "SOSOS": sosos,
    "SODOS": sodos,
}
DIRECT: Final = "DE"  # of a group, not of one: who of those that are level did best among themselves


def tie_break(name: str) -> TieBreak:
    """The tie-break of a name. Raises TournamentError when there is none."""
    if name not in TIE_BREAKS:
        message = f"{name} is no tie-break: take some of {', '.join((DIRECT, *TIE_BREAKS))}"
        raise TournamentError(message)
    return TIE_BREAKS[name]
