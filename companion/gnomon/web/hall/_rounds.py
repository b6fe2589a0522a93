"""Build the JSON that a wall shows of tournaments: the progress of each, and its latest results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gnomon.hall.hall import Hall
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.store.database import StoreError
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import PlacesEntered, ResultCorrected, ResultEntered
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import format_result

LATEST: Final = 12
"""Results that are told of a tournament."""
_MOST: Final = 20
"""Tournaments that a wall tells of, the last ones opened."""

Json = Mapping[str, object]


def told_rounds(hall: Hall) -> list[Json]:
    """How far each tournament is, the last one opened first. A tournament that cannot be read is left out.

    Asks the database, so it is called in a thread.
    """
    try:
        names = [kept.id for kept in hall.tournaments()][-_MOST:]
    except StoreError:
        return []  # the health of the hall says so
    return [told for name in reversed(names) if (told := _payload(hall, name)) is not None]


def _payload(hall: Hall, name: str) -> Json | None:
    try:
        book = hall.book(name)
        events, tournament = book.read(), book.tournament()
        hall.clocks.of(name)
    except (StoreError, BookError, TournamentError):
        return None
    last = tournament.rounds[-1] if tournament.rounds else None
    return {
        "name": name,
        "title": tournament.settings.name,
        "round": 0 if last is None else last.number,
        "rounds": tournament.settings.rounds,
        "waiting": len(tournament.waiting),
        "tables": 0
        if last is None
        else sum(pairing.second is not None for pairing in last.pairings) + len(last.tables),
        "disputed": len(hall.disputes(name)),
        "results": list(_results(events, tournament)),
    }


def _results(events: Sequence[LoggedEvent], tournament: Tournament) -> Iterator[Json]:
    """The latest results, the newest first, each as it stands now."""
    seen: set[tuple[int, int]] = set()
    for told in reversed(events):
        event = told.event
        if not isinstance(event, ResultEntered | ResultCorrected | PlacesEntered) or (event.round, event.board) in seen:
            continue
        seen.add((event.round, event.board))
        payload = _table_payload if isinstance(event, PlacesEntered) else _pairing_payload
        result = payload(tournament, event.round, event.board)
        if result is not None:
            yield result
        if len(seen) >= LATEST:
            return


def _pairing_payload(tournament: Tournament, in_round: int, board: int) -> Json | None:
    if in_round > len(tournament.rounds):
        return None  # the round was taken back
    round_ = tournament.round(in_round)
    pairing = next((each for each in round_.pairings if each.board == board), None)
    result = round_.results.get(board)
    if pairing is None or pairing.second is None or result is None:
        return None
    first, second = (tournament.entrants[number].name for number in (pairing.first, pairing.second))
    return {"round": in_round, "board": board, "first": first, "second": second, "result": format_result(result)}


def _table_payload(tournament: Tournament, in_round: int, board: int) -> Json | None:
    """How a table of three or four ended: the place and the name of each, the best first."""
    if in_round > len(tournament.rounds):
        return None
    round_ = tournament.round(in_round)
    table = next((each for each in round_.tables if each.board == board), None)
    places = round_.places.get(board)
    if table is None or not places:
        return None
    by_place = sorted(zip(places, table.seats, strict=True), key=lambda one: one[0])
    return {
        "round": in_round,
        "board": board,
        "places": [(place, tournament.entrants[number].name) for place, number in by_place],
    }
