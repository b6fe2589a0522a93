"""Compute tie-breaks by name: Buchholz, Sonneborn-Berger, Koya, progressive score, SOSOS and others (FIDE C.07).

Those that compare entrants within a tied group are in `gnomon.tournament.tiebreaks.direct_encounter`. A name may have
modifiers, as in C.07, 14, without the strokes: `BHC1` is BH/C1, `KSL-1` is KS/L-1.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.results import HALF, NOTHING, ONE, Points
from gnomon.tournament.state.round_history import RoundKind, Turn, score
from gnomon.tournament.strength.elo import difference, least_rating, round_half_up
from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS
from gnomon.tournament.tiebreaks.fields import (
    NO_ROUND,
    VOLUNTARY,
    Field,
    RoundContribution,
    adjusted_score,
    game_points,
    parts,
)

TieBreak = Callable[[Field, int], Points]
MOST: Final = 9  # of a modifier: one digit, as in files


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
        # 16.5.1: of the rounds that were given up that which brings least goes, unless the lowest score brings more.
        given_up = [part for part in ranked if part.voluntary]
        lowest = min(given_up, key=lambda part: (value(part), part.opponent), default=cut)
        cut = lowest if value(lowest) >= value(cut) else cut
    at = ranked.index(cut)
    return ranked[:at] + ranked[at + 1 :]


def buchholz(low: int = 0, high: int = 0) -> TieBreak:
    """The sum of the opponents' scores, without some of the lowest and of the highest: C.07, 8.1 and 14."""
    return lambda field, number: _trimmed_sum(field, number, low, high, lambda part: part.opponent)


def fore_buchholz(low: int = 0, high: int = 0) -> TieBreak:
    """The sum of the opponents' scores as though the last round had been drawn everywhere: C.07, 8.3."""
    sums = buchholz(low, high)
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


def rounds_elected(field: Field, number: int) -> Points:
    """Rounds that an entrant did not give up by a bye of their own or a forfeit: C.07, 7.6."""
    return Points(sum(turn.kind not in VOLUNTARY | NO_ROUND for turn in field.told[number]))


def standard_points(field: Field, number: int) -> Points:
    """The score at one point for a win and half of one for a draw, however results are scored: C.07, 7.7."""
    return sum((_standard(field, turn) for turn in field.told[number] if turn.kind not in NO_ROUND), NOTHING)


def _standard(field: Field, turn: Turn) -> Points:
    if turn.games and field.units > 1:
        return game_points(turn)
    return field.units * (ONE if turn.points > field.draw else HALF if turn.points == field.draw else NOTHING)


def all_game_points(field: Field, number: int) -> Points:
    """The points of all games, however a match of several is scored: C.07, 13, as teams have it."""
    return sum(map(game_points, field.told[number]), NOTHING)


def koya(half_points: int = 0) -> TieBreak:
    """The points made against all who have at least half of what can be had, or more or less: C.07, 9.2."""

    def value(field: Field, number: int) -> Points:
        more = half_points * HALF
        return sum(
            (
                turn.points
                for turn in field.told[number]
                if turn.opponent is not None
                and field.total(turn.opponent) >= field.win * _rounds(field.told[turn.opponent]) * HALF + more
            ),
            NOTHING,
        )

    return value


def without_best_round(field: Field, number: int) -> Points:
    """The points of all games without those of the best round: the second step of the Mind Sports Olympiad."""
    rounds = [game_points(turn) for turn in field.told[number]]
    return sum(rounds, NOTHING) - max(rounds, default=NOTHING)


def seed_place(field: Field, number: int) -> Points:
    """The place in the order of seeds, the higher the stronger."""
    return Points(len(field.seeds) - field.seeds.index(number))


def pairing_number(field: Field, number: int) -> Points:
    """The number in the order of seeds, so that the weakest of those who are level comes first."""
    return Points(field.seeds.index(number) + 1)


def _rounds(turns: Iterable[Turn]) -> int:
    return sum(turn.kind not in NO_ROUND for turn in turns)


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


# Means and sums of what the opponents have


def average_of_opponents(field: Field, number: int, own: Mapping[int, Points]) -> Points:
    """The average of what those met at the board have, of whom there is something: C.07, 8.2."""
    met = [own[one] for one in _opponents_met(field, number) if one in own]
    return sum(met, NOTHING) / len(met) if met else NOTHING


def average_performance(field: Field, number: int, own: Mapping[int, Points]) -> Points:
    """The same to a whole number: C.07, 10.4 and 10.5."""
    return round_half_up(average_of_opponents(field, number, own))


def sum_of_opponents(field: Field, number: int, own: Mapping[int, Points]) -> Points:
    """The sum of what those met at the board have."""
    return sum((own[one] for one in _opponents_met(field, number)), NOTHING)


def _opponents_met(field: Field, number: int) -> list[int]:
    return [turn.opponent for turn in field.told[number] if turn.played and turn.opponent is not None]


def average_rating(field: Field, number: int, low: int = 0, high: int = 0) -> Points:
    """The average rating of those met, to a whole number, without some of the lowest and highest: 10.1 and 14.

    One without a rating counts what was announced for that, or is left out; nobody at all makes nothing.
    """
    rated = sorted(rating for rating, _ in _ratings_met(field, number))
    return _average(rated[low : max(low, len(rated) - high)])


def performance(field: Field, number: int) -> Points:
    """The average rating of those met, and how far above or below them the score against them is: 10.2."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    share = sum((share for _, share in met), NOTHING) / len(met)
    return average_rating(field, number) + difference(share)


def perfect_performance(field: Field, number: int) -> Points:
    """The lowest rating with which the score against those met, or more, was to be expected: 10.3."""
    met = _ratings_met(field, number)
    if not met:
        return NOTHING
    return Points(least_rating(sum((share for _, share in met), NOTHING), [rating for rating, _ in met]))


def own_rating(field: Field, number: int) -> Points:
    """The entrant's own rating: 10.6. An entrant without one counts what was announced for that, or nothing."""
    return Points(field.ratings.get(number, field.unrated or 0))


def has_rated_opponents(field: Field, number: int) -> bool:
    """Whether an entrant met anybody at the board whose rating counts."""
    return any(
        turn.played and (field.unrated is not None or turn.opponent in field.ratings) for turn in field.told[number]
    )


def _average(ratings: Iterable[int]) -> Points:
    counted = tuple(ratings)
    return round_half_up(Points(sum(counted), len(counted))) if counted else NOTHING


def _ratings_met(field: Field, number: int) -> list[tuple[int, Points]]:
    """The ratings met at the board, each with the share of the games' points made there."""
    met = []
    for turn in field.told[number]:
        rating = field.unrated if turn.opponent is None else field.ratings.get(turn.opponent, field.unrated)
        if turn.played and rating is not None:
            met.append((rating, (turn.units_won + HALF * turn.units_drawn) / field.units))
    return met


class _OfOpponents(NamedTuple):
    """A tie-break that puts together what another comes to for the opponents; only those count of whom it says so."""

    own: TieBreak
    together: Callable[[Field, int, Mapping[int, Points]], Points]
    counts: Callable[[Field, int], bool] = lambda _field, _number: True

    def own_values(self, field: Field, numbers: Iterable[int]) -> Mapping[int, Points]:
        """What the other tie-break comes to for each of some who count."""
        return {one: self.own(field, one) for one in numbers if self.counts(field, one)}


_OF_OPPONENTS: Final[Mapping[str, _OfOpponents]] = {
    "AOB": _OfOpponents(buchholz(), average_of_opponents),
    "AOBF": _OfOpponents(fore_buchholz(), average_of_opponents),
    "APRO": _OfOpponents(performance, average_performance, has_rated_opponents),
    "APPO": _OfOpponents(perfect_performance, average_performance, has_rated_opponents),
    "SOSOS": _OfOpponents(buchholz(), sum_of_opponents),
}


def _of_opponents(name: str) -> TieBreak:
    of = _OF_OPPONENTS[name]
    return lambda field, number: of.together(field, number, of.own_values(field, _opponents_met(field, number)))


def _with_forfeits(tie_break: TieBreak) -> TieBreak:
    """A tie-break with forfeits as games against the opponent who was paired: the modifier P."""
    return lambda field, number: tie_break(field._replace(scheduled=True), number)


def _reverse(tie_break: TieBreak) -> TieBreak:
    return lambda field, number: -tie_break(field, number)


def _variants() -> Iterator[tuple[str, TieBreak]]:
    """Every tie-break with modifiers: cuts C, medians M, forfeits played P, fore F, limits L, the other way round R."""
    for few in range(1, MOST + 1):
        for plain, sums in (("BH", buchholz), ("FB", fore_buchholz)):
            for modifier, cut in ((f"C{few}", sums(few)), (f"M{few}", sums(few, few))):
                yield f"{plain}{modifier}", cut
                yield f"{plain}{modifier}P", _with_forfeits(cut)
        yield f"SBC{few}", sonneborn_berger(few)
        yield f"SBC{few}P", _with_forfeits(sonneborn_berger(few))
        yield f"PSC{few}", progressive(few)
        yield f"AROC{few}", partial(average_rating, low=few)
        yield f"AROM{few}", partial(average_rating, low=few, high=few)
    yield from ((f"KSL{half_points:+}", koya(half_points)) for half_points in range(-MOST, MOST + 1) if half_points)
    yield from ((f"{plain}P", _with_forfeits(_PLAIN[plain])) for plain in ("BH", "FB", "SB"))
    yield "AOBF", _of_opponents("AOBF")
    yield "RTNGR", _reverse(own_rating)
    yield "TPNR", pairing_number


_PLAIN: Final[Mapping[str, TieBreak]] = {
    "BH": buchholz(),
    "AOB": _of_opponents("AOB"),
    "FB": fore_buchholz(),
    "SB": sonneborn_berger(),
    "PS": progressive(),
    "WIN": wins,
    "WON": wins_played,
    "BPG": games_second,
    "BWG": wins_second,
    "REP": rounds_elected,
    "STD": standard_points,
    "TPN": seed_place,
    "KS": koya(),
    "ARO": average_rating,
    "TPR": performance,
    "PTP": perfect_performance,
    "APRO": _of_opponents("APRO"),
    "APPO": _of_opponents("APPO"),
    "RTNG": own_rating,
    "MPVGP": all_game_points,
    "SOS": buchholz(),
    "SOSOS": _of_opponents("SOSOS"),
    "SODOS": sodos,
    "SPREAD": without_best_round,
    "SEED": seed_place,
}
TIE_BREAKS: Final[Mapping[str, TieBreak]] = {**_PLAIN, **dict(_variants())}
NAMES: Final = (*(name for name in GROUP_TIE_BREAKS if name != "DEP"), *_PLAIN)
"""The tie-breaks without modifiers."""

MODIFIERS: Final[Mapping[str, tuple[str, ...]]] = {
    "C": ("BH", "FB", "SB", "PS", "ARO"),
    "M": ("BH", "FB", "ARO"),
    "P": ("DE", "BH", "FB", "SB"),
    "F": ("AOB",),
    "L": ("KS",),
    "R": ("TPN", "RTNG"),
}
"""Which tie-breaks a modifier goes with."""

_CALLED_BEFORE: Final = {"GE": "REP"}  # until February 2026


def name_of(text: str) -> str:
    """The name of a tie-break that may be written otherwise: `BH/C1` and `bh-c1` are `BHC1`, `GE` is `REP`."""
    plain = re.sub(r"/|-(?=[A-Z])", "", text.strip().upper())
    plain = re.sub(r"(?<=KSL)(?=\d)", "+", plain)
    return _CALLED_BEFORE.get(plain, plain)


def is_tie_break(name: str) -> bool:
    """Whether there is a tie-break of a name."""
    return name in GROUP_TIE_BREAKS or name in TIE_BREAKS


def modifiers_of(name: str) -> tuple[str, tuple[str, ...]]:
    """The tie-break without its modifiers, and these in order: `BHC1P` is `BH` with `C1` and `P`."""
    if name in NAMES:
        return name, ()
    plain = max((one for one in NAMES if name.startswith(one)), key=len, default=name)
    return plain, tuple(re.findall(r"L[+-]\d|[CM]\d|[PFR]", name[len(plain) :]))


def check_tie_break(name: str) -> None:
    """Raise TournamentError when there is no tie-break of a name."""
    if not is_tie_break(name):
        raise TournamentError(statement("tournament.tiebreak.none", text=name, known=[*NAMES]))


def values_of(field: Field, name: str, numbers: Iterable[int]) -> Mapping[int, Points]:
    """What a tie-break comes to for each of some. Raises TournamentError when there is none, or it needs a group."""
    check_tie_break(name)
    if name not in TIE_BREAKS:
        raise TournamentError(statement("tournament.tiebreak.group", text=name))
    if name in _OF_OPPONENTS:
        of = _OF_OPPONENTS[name]
        known = of.own_values(field, field.told)
        return {one: of.together(field, one, known) for one in numbers}
    tie_break = TIE_BREAKS[name]
    return {one: tie_break(field, one) for one in numbers}
