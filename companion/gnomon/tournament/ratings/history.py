"""Follow Elo ratings over events, game by game: the rating after one event is the rating before the next.

Nothing is stored. The same events in any order make the same history, because they are taken by their days.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gnomon.tournament.ratings.rating_list import ListedPlayer, person_key
from gnomon.tournament.ratings.report import RatingChange, rated_games, rating_report
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points


class RatedEvent(NamedTuple):
    """One event of a person: what it is called, when it began, and what it did to the rating."""

    event: str
    day: str
    change: RatingChange


@dataclass(frozen=True, slots=True)
class PersonHistory:
    """The events of a person, the oldest first, and the rating since then."""

    key: str
    name: str
    rating: int | None = None
    games: Points = NOTHING
    events: tuple[RatedEvent, ...] = field(default=())


def games_of(events: Sequence[Tournament]) -> tuple[str, ...]:
    """The games of some events by their `game_key`, an empty one first for rounds that name none."""
    return tuple(sorted({game for tournament in events for game in rated_games(tournament)}))


def rating_histories(
    events: Sequence[Tournament], listed: Sequence[ListedPlayer] = (), game: str = ""
) -> Mapping[str, PersonHistory]:
    """Everybody's history in a game over some events, by the key of the person; a list says what they begin with.

    People on no list begin with the rating with which they entered first, in whatever game. People are told apart by
    their number in a federation's list, and else by their name.
    """
    factors = {person_key(one.number, one.name): one.k for one in listed if one.k}
    found = {
        key: PersonHistory(key, one.name, one.rating) for one in listed for key in (person_key(one.number, one.name),)
    }
    for tournament in sorted(events, key=_order):
        keys = {
            number: person_key(tournament.person(number).fide_number, one.name)
            for number, one in tournament.entrants.items()
        }
        before = {number: _rating_before(tournament, number, found.get(key)) for number, key in keys.items()}
        rated = {number: rating for number, rating in before.items() if rating is not None}
        given = {number: factors[key] for number, key in keys.items() if key in factors}
        for change in rating_report(tournament, rated, given, game):
            key, name = keys[change.number], tournament.entrants[change.number].name
            was = found.get(key, PersonHistory(key, name))
            told = RatedEvent(tournament.settings.name, tournament.heading.starts, change)
            after = change.before if change.after is None else change.after
            found[key] = PersonHistory(key, name, after, was.games + change.games, (*was.events, told))
    return {key: found[key] for key in sorted(found, key=lambda key: (-(found[key].rating or 0), key))}


def _order(tournament: Tournament) -> tuple[str, str]:
    return tournament.heading.starts, tournament.settings.name


def _rating_before(tournament: Tournament, number: int, known: PersonHistory | None) -> int | None:
    entered = tournament.entrants[number].rating
    return entered if known is None or known.rating is None else known.rating
