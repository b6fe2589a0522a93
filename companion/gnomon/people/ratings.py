"""Rate people month by month and game by game, each game of a month at once.

A rating period is a calendar month, as the labels of the board's clock have it. Glickman recommends periods of 10 to 15
games a person, which is what a weekly club evening brings. The present month counts as if it ended now.

A game of three or four is one game, too: each opponent of n - 1 counts 1/(n - 1).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gnomon.people._glicko2 import UNRATED, RatedResult, Rating, rate
from gnomon.people.games import Encounter

_MONTHS = 12


class PersonRating(NamedTuple):
    """The rating of a person in a game, by so many games, the last of them in the month `last`."""

    rating: Rating
    games: int
    last: str

    @property
    def text(self) -> str:
        """The rating and its margin, such as `1512 ± 80`."""
        return f"{self.rating.value:.0f} ± {self.rating.margin:.0f}"


class MonthRating(NamedTuple):
    """The rating of a person at the end of a month in which they played."""

    month: str
    rating: PersonRating


Histories = Mapping[str, Mapping[str, tuple[MonthRating, ...]]]
"""Ratings month by month, by the game, and then by the key of the person."""
Ratings = Mapping[str, Mapping[str, PersonRating]]
"""Ratings by the game, and then by the key of the person."""


def ratings_of(encounters: Iterable[Encounter], now: str) -> Ratings:
    """The ratings at the end of the month `now`, such as `2026-11`, of everybody who has a rated game.

    A game whose date lies behind that counts in this month: a clock was set wrong. One without a date is not rated.
    """
    last: dict[str, Mapping[str, PersonRating]] = {}
    for game, months in sorted(_months_of(encounters, now).items()):
        for _, ratings in _month_by_month(months, now):
            last[game] = ratings
    return last


def rating_histories(encounters: Iterable[Encounter], now: str) -> Histories:
    """The rating of everybody at the end of each month in which they had a rated game, the oldest first."""
    found: dict[str, dict[str, list[MonthRating]]] = defaultdict(lambda: defaultdict(list))
    for game, months in sorted(_months_of(encounters, now).items()):
        for month, ratings in _month_by_month(months, now):
            for key, rating in ratings.items():
                if rating.last == month:
                    found[game][key].append(MonthRating(month, rating))
    return {game: {key: tuple(told) for key, told in of.items()} for game, of in found.items()}


def _months_of(encounters: Iterable[Encounter], now: str) -> Mapping[str, Mapping[str, Sequence[Encounter]]]:
    by_game: dict[str, dict[str, list[Encounter]]] = defaultdict(lambda: defaultdict(list))
    for encounter in encounters:
        if encounter.is_rated and encounter.game.month:
            by_game[encounter.game.game][min(encounter.game.month, now)].append(encounter)
    return by_game


def _month_by_month(
    months: Mapping[str, Sequence[Encounter]], now: str
) -> Iterator[tuple[str, Mapping[str, PersonRating]]]:
    """Everybody's rating at the end of every month from the first game on."""
    found: Mapping[str, PersonRating] = {}
    for month in _calendar(min(months), now):
        found = {**found, **_after_month(found, months.get(month, ()), month)}
        yield month, found


def _after_month(
    before: Mapping[str, PersonRating], encounters: Sequence[Encounter], month: str
) -> Mapping[str, PersonRating]:
    """Everybody's rating after a month; nobody's depends on what others have become in it."""
    results: dict[str, list[Sequence[RatedResult]]] = {key: [] for key in before}
    for encounter in encounters:
        weight = 1 / (len(encounter.game.sides) - 1)
        for key in encounter.people:
            met = [
                RatedResult(before[other].rating if other in before else UNRATED, score.value, weight)
                for other, score in encounter.opponents(key)
            ]
            if met:
                results.setdefault(key, []).append(met)
    return {
        key: _person_after(before.get(key, PersonRating(UNRATED, 0, "")), played, month)
        for key, played in results.items()
    }


def _person_after(before: PersonRating, played: Sequence[Sequence[RatedResult]], month: str) -> PersonRating:
    """A rating after the games of a month, each with the results against those who were met in it."""
    met = [result for game in played for result in game]
    return PersonRating(rate(before.rating, met), before.games + len(played), month if played else before.last)


def _calendar(first: str, last: str) -> Iterable[str]:
    """Every month from the first to the last."""
    start, end = map(_count, (first, last))
    return (f"{month // _MONTHS:04}-{month % _MONTHS + 1:02}" for month in range(start, end + 1))


def _count(month: str) -> int:
    return int(month[:4]) * _MONTHS + int(month[5:]) - 1
