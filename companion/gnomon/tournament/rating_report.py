"""Compute what an event does to Elo ratings, by FIDE's rating rules of 2024 (Handbook B.02, 8).

The same results make the same report to the last digit: expected scores are hundredths, and sums are exact.
"""

from collections.abc import Mapping, Sequence
from math import floor
from typing import Final, NamedTuple

from gnomon.tournament._elo import HUNDRED, difference, expected_score, round_half_up
from gnomon.tournament.results import HALF, NOTHING, ONE, GameResult, Points
from gnomon.tournament.round_history import History, histories
from gnomon.tournament.state import Tournament

CAP: Final = 400  # 8.3.1: a larger difference counts as this
UNCAPPED: Final = 2650  # from whom on it counts as it is, since October 2025
UNCAPPED_SINCE: Final = "2025/10/01"
K_NEW: Final = 40
K_USUAL: Final = 20
K_MASTER: Final = 10
_MASTER: Final = 2400
_JUNIOR: Final = 2300
_JUNIOR_YEARS: Final = 18
MOST_GAMES_TIMES_K: Final = 700
# 8.2: who has no rating gets one after five games, with two draws against 1800 counted in.
LEAST_GAMES: Final = 5
_STRANGERS: Final = (1800, 1800)
LEAST_RATING: Final = 1400
MOST_INITIAL: Final = 2200

_SCORES: Final = {GameResult.FIRST_WON: ONE, GameResult.DRAWN: HALF, GameResult.SECOND_WON: NOTHING}


class RatingChange(NamedTuple):
    """What an event was for a rating: `before` is None for who had none, and `after` for who has none even now.

    `games` are those at the board against opponents with a rating, `average` the average of theirs, `expected` the
    score to be expected, and `change` what the rating moves by before it is rounded.
    """

    number: int
    before: int | None
    games: int
    score: Points
    average: int | None
    performance: int | None
    expected: Points = NOTHING
    k: int = 0
    change: Points = NOTHING
    after: int | None = None


def rating_report(
    tournament: Tournament, ratings: Mapping[int, int] | None = None, factors: Mapping[int, int] | None = None
) -> tuple[RatingChange, ...]:
    """What the event is for everybody who met somebody with a rating at the board, by their numbers.

    `ratings` take the place of those with which people entered, and `factors` of the K that the rules give.
    """
    known = _entered_ratings(tournament) if ratings is None else ratings
    told = histories(tournament)
    given = factors or {}
    changes = []
    for number in sorted(tournament.entrants):
        met = _games_met(told[number], known)
        if met:
            changes.append(_change(tournament, number, known.get(number), met, given.get(number)))
    return tuple(changes)


def _entered_ratings(tournament: Tournament) -> Mapping[int, int]:
    return {number: one.rating for number, one in tournament.entrants.items() if one.rating is not None}


def _games_met(turns: History, ratings: Mapping[int, int]) -> Sequence[tuple[int, Points]]:
    """The rating of the opponent and the score of every game at the board that counts."""
    return [
        (ratings[turn.opponent], _SCORES[game])
        for turn in turns
        if turn.opponent is not None and turn.opponent in ratings
        for game in turn.games
        if game in _SCORES
    ]


def _change(
    tournament: Tournament, number: int, rating: int | None, met: Sequence[tuple[int, Points]], k: int | None
) -> RatingChange:
    score = sum((one for _, one in met), NOTHING)
    average = int(round_half_up(Points(sum(other for other, _ in met), len(met))))
    report = RatingChange(
        number, rating, len(met), score, average, average + difference(score / len(met)), after=_initial(met, score)
    )
    if rating is None:
        return report
    cap = None if rating >= UNCAPPED and (tournament.heading.starts or UNCAPPED_SINCE) >= UNCAPPED_SINCE else CAP
    expected = Points(sum(expected_score(rating, other, cap) for other, _ in met), HUNDRED)
    used = min(_factor(tournament, number, rating) if k is None else k, MOST_GAMES_TIMES_K // len(met))
    change = used * (score - expected)
    return report._replace(expected=expected, k=used, change=change, after=rating + away_from_zero(change))


def _initial(met: Sequence[tuple[int, Points]], score: Points) -> int | None:
    """The first rating of who had none, None for too few games, no point at all, or too low to be published."""
    if len(met) < LEAST_GAMES or not score:
        return None
    counted = [*(other for other, _ in met), *_STRANGERS]
    average = int(round_half_up(Points(sum(counted), len(counted))))
    rating = min(MOST_INITIAL, average + difference((score + len(_STRANGERS) * HALF) / len(counted)))
    return rating if rating >= LEAST_RATING else None


def _factor(tournament: Tournament, number: int, rating: int) -> int:
    """The development coefficient: 8.3.3. Who is new to the list is not known here; a list may say so."""
    born, starts = tournament.person(number).born[:4], tournament.heading.starts[:4]
    junior = bool(born and starts) and int(starts) - int(born) <= _JUNIOR_YEARS and rating < _JUNIOR
    return K_NEW if junior else K_USUAL if rating < _MASTER else K_MASTER


def away_from_zero(change: Points) -> int:
    """A change of a rating as it counts: to a whole number, halves away from zero (8.3.4)."""
    size = floor(abs(change) + HALF)
    return size if change >= 0 else -size
