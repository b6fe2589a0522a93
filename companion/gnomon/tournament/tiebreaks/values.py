"""Compute tie-breaks by name: Buchholz, Sonneborn-Berger, Koya, progressive score, SOSOS and others (FIDE C.07).

Those that compare entrants within a tied group are in `gnomon.tournament.tiebreaks.direct_encounter`.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import floor
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.results import HALF, NOTHING, Points
from gnomon.tournament.round_history import RoundKind, Turn, score
from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS
from gnomon.tournament.tiebreaks.fields import NO_ROUND, Field, RoundContribution, adjusted_score, game_points, parts

TieBreak = Callable[[Field, int], Points]

# FIDE Handbook B.02, 8.1.1: how many rating points a score is worth, from half of all to all, by hundredths.
# fmt: off
DIFFERENCES: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
# fmt: on
_HUNDRED: Final = 100


def _trimmed_sum(
    field: Field, number: int, low: int, high: int, value: Callable[[RoundContribution], Points]
) -> Points:
    """The sum over opponents without some of the lowest and some of the highest."""
    ranked = sorted(parts(field, number), key=lambda part: (part.opponent, value(part)))
    for _ in range(low):
        ranked = _without_least(ranked, value, voluntary_first=field.rules.voluntary_first)
    return sum(map(value, ranked[: max(0, len(ranked) - high)]), NOTHING)


def _without_least(
    ranked: list[RoundContribution], value: Callable[[RoundContribution], Points], *, voluntary_first: bool
) -> list[RoundContribution]:
    if not ranked:
        return ranked
    cut = ranked[0]
    if voluntary_first:
        # 16.5.1: of the rounds that were given up that against the lowest score goes, unless the least is worth more.
        lowest = next((part for part in ranked if part.voluntary), cut)
        cut = lowest if value(lowest) >= value(cut) else cut
    at = ranked.index(cut)
    return ranked[:at] + ranked[at + 1 :]


def buchholz(low: int = 0, high: int = 0) -> TieBreak:
    """The sum of the opponents' scores, without some of the lowest and of the highest: C.07, 8.1 and 14."""
    return lambda field, number: _trimmed_sum(field, number, low, high, lambda part: part.opponent)


def fore_buchholz(low: int = 0) -> TieBreak:
    """The sum of the opponents' scores as though the last round had been drawn everywhere: C.07, 8.3."""
    sums = buchholz(low)
    return lambda field, number: sums(field._replace(fore=True), number)


def sonneborn_berger(low: int = 0) -> TieBreak:
    """The sum of the opponents' scores, each times the points made against them: C.07, 9.1."""
    return lambda field, number: _trimmed_sum(field, number, low, 0, lambda part: part.opponent * part.points)


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
        turn.kind in {RoundKind.PAIRING_BYE, RoundKind.FULL_BYE} and turn.points == field.win
        for turn in field.told[number]
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


def without_best_round(field: Field, number: int) -> Points:
    """The points of all games without those of the best round: the second step of the Mind Sports Olympiad."""
    rounds = [game_points(turn) for turn in field.told[number]]
    return sum(rounds, NOTHING) - max(rounds, default=NOTHING)


def seed_place(field: Field, number: int) -> Points:
    """The place in the order of seeds, the higher the stronger."""
    return Points(len(field.seeds) - field.seeds.index(number))


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
            adjusted_score(field, turn.opponent) * (turn.units_won + turn.units_drawn * HALF)
            for turn in field.told[number]
            if turn.played and turn.opponent is not None
        ),
        NOTHING,
    )


# Ratings: C.07, 10


def average_rating(field: Field, number: int, low: int = 0) -> Points:
    """The average rating of those met over the board, to a whole number, without some of the lowest: C.07, 10.1.

    Who has no rating counts what was announced for that, or is left out; nobody at all makes nothing.
    """
    rated = sorted(rating for rating, _ in _ratings_met(field, number))[low:]
    return _round(Points(sum(rated), len(rated))) if rated else NOTHING


def performance(field: Field, number: int) -> Points:
    """The average rating of those met, and how far above or below them the score against them is: C.07, 10.2."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    hundredths = int(_round(_HUNDRED * sum((share for _, share in met), NOTHING) / len(met)))
    half = _HUNDRED // 2
    above = DIFFERENCES[abs(hundredths - half)]
    return average_rating(field, number) + (above if hundredths >= half else -above)


def _ratings_met(field: Field, number: int) -> list[tuple[int, Points]]:
    """The ratings met over the board, each with the share of the games' points made there."""
    met = []
    for turn in field.told[number]:
        rating = field.unrated if turn.opponent is None else field.ratings.get(turn.opponent, field.unrated)
        if turn.played and rating is not None:
            met.append((rating, (turn.units_won + HALF * turn.units_drawn) / field.units))
    return met


def _round(value: Points) -> Points:
    return Points(floor(value + HALF))  # halves go up: C.07, 10.1


TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    "BH": buchholz(),
    "BHC1": buchholz(1),
    "BHC2": buchholz(2),
    "BHM1": buchholz(1, 1),
    "BHM2": buchholz(2, 2),
    "FB": fore_buchholz(),
    "FBC1": fore_buchholz(1),
    "SB": sonneborn_berger(),
    "SBC1": sonneborn_berger(1),
    "PS": progressive(),
    "PSC1": progressive(1),
    "PSC2": progressive(2),
    "WIN": wins,
    "WON": wins_played,
    "BPG": games_second,
    "BWG": wins_second,
    "KS": koya,
    "ARO": average_rating,
    "AROC1": partial(average_rating, low=1),
    "TPR": performance,
    "SOS": buchholz(),
    "SOSOS": sosos,
    "SODOS": sodos,
    "SPREAD": without_best_round,
    "SEED": seed_place,
}
NAMES: Final = (*GROUP_TIE_BREAKS, *TIE_BREAKS)


def check_tie_break(name: str) -> None:
    """Raise TournamentError when there is no tie-break of a name."""
    if name not in NAMES:
        raise TournamentError(statement("tournament.tiebreak.none", text=name, known=[*NAMES]))


def tie_break(name: str) -> TieBreak:
    """What reckons a tie-break for each alone. Raises TournamentError when there is none, or it needs a group."""
    check_tie_break(name)
    if name not in TIE_BREAKS:
        raise TournamentError(statement("tournament.tiebreak.group", text=name))
    return TIE_BREAKS[name]
