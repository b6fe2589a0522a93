"""Score tables of three and four: places with ties, points for places, and tie-breaks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.strength.given_points import starting_points

FEWEST: Final = 2
MOST: Final = 4
"""Seats of a table: Tayu has four at most."""
Places = tuple[int, ...]  # of each seat; those who are level share a place, and the next is left out


def check_tables_are_played(tournament: Tournament) -> None:
    """Raise TournamentError for a tournament that plays in pairs."""
    if tournament.settings.system is not System.TABLES:
        raise TournamentError(statement("tournament.broken.no_tables"))


def places_of(table: Table, order: str) -> Places:
    """The places of the seats by an order such as `7 3=5 9`: entrants, the best first, level ones with `=`.

    Raises TournamentError unless everybody at the table is named once.
    """
    groups = [re.split(r"\s*=\s*", group) for group in re.sub(r"\s*=\s*", "=", order).replace(">", " ").split()]
    numbers = [int(word) for group in groups for word in group if re.fullmatch(r"[0-9]{1,6}", word)]
    if sorted(numbers) != sorted(table.seats) or len(numbers) != sum(map(len, groups)):
        raise TournamentError(
            statement("tournament.table_places.order", text=quote(order), board=table.board, seats=list(table.seats))
        )
    places: dict[int, int] = {}
    for group in groups:
        place = len(places) + 1
        places |= dict.fromkeys(map(int, group), place)
    return tuple(places[number] for number in table.seats)


def shared_places(ranks: Sequence[int]) -> Places:
    """The places by ranks, the lowest first: those who are level share a place, and the next is left out."""
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def check_places(table: Table, places: Places) -> None:
    """Raise TournamentError unless each seat has a place, and those who are level leave out the next."""
    if len(places) != len(table.seats) or places != shared_places(places):
        raise TournamentError(
            statement("tournament.table_places.places", board=table.board, places=list(places), count=len(table.seats))
        )


def places_by_score(scores: Sequence[int], winner: int | None) -> Places:
    """The places of some seats by their scores, the highest first; `winner` is a seat, None after a draw.

    A winner with the highest score shares the first place with everybody who has the same score, as two of a team do.
    A winner with another score, such as a saboteur, is first alone, and so is a winner where all scores are equal.
    """
    alone = winner is not None and (scores[winner] < max(scores) or min(scores) == max(scores))
    ranks = [(alone and seat == winner, score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)


def order_text(table: Table, places: Places) -> str:
    """The order that `places_of` reads."""
    groups: dict[int, list[int]] = {}
    for number, place in zip(table.seats, places, strict=True):
        groups.setdefault(place, []).append(number)
    return " ".join("=".join(map(str, groups[place])) for place in sorted(groups))


def place_points(settings: TournamentSettings, places: Places) -> tuple[Points, ...]:
    """What the places of a table are worth: those who are level share what they take up together.

    Unless points are announced, the first of any table gets 1 and the last 0, and the others what lies evenly between.
    """
    count = len(places)
    announced = dict(enumerate(settings.place_points, start=1))
    worth = {
        place: announced.get(place, NOTHING) if announced else Points(count - place, count - 1)
        for place in range(1, count + 1)
    }
    return tuple(
        sum((worth[place + more] for more in range(places.count(place))), NOTHING) / places.count(place)
        for place in places
    )


def table_scores(tournament: Tournament) -> Mapping[int, Points]:
    """The points of everybody at tables so far, with those they brought along."""
    scores = {number: starting_points(tournament, number) for number in tournament.entrants}
    for table, places in finished_tables(tournament):
        for number, points in zip(table.seats, place_points(tournament.settings, places), strict=True):
            scores[number] += points
    return scores


def table_breaks(tournament: Tournament) -> Iterator[Mapping[int, Points]]:
    """What parts those who are level on points: first places, then seconds and thirds, then the points of those met."""
    scores = table_scores(tournament)
    won = {place: dict.fromkeys(tournament.entrants, NOTHING) for place in range(1, MOST)}
    met = dict.fromkeys(tournament.entrants, NOTHING)
    for table, places in finished_tables(tournament):
        together = sum((scores[number] for number in table.seats), NOTHING)
        for number, place in zip(table.seats, places, strict=True):
            met[number] += (together - scores[number]) / (len(table.seats) - 1)
            if place in won:
                won[place][number] += 1
    yield from (*won.values(), met)


def finished_tables(tournament: Tournament) -> Iterator[tuple[Table, Places]]:
    """Every table whose places are told, from the first round on."""
    for round_ in tournament.rounds:
        for table in round_.tables:
            if table.board in round_.places:
                yield table, round_.places[table.board]
