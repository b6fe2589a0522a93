"""Collect the tournaments of many halls in one book: their event logs, and the results and standings that follow.

The book holds every event that the halls have told, and nothing that follows from them. A log only ever grows, so
reading a hall twice changes nothing, one that cannot be reached keeps what it has told before, and one that tells
something else about an event than before is reported and not believed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gnomon.hall.clock import wall
from gnomon.hall.rounds import result_rows
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.store.backend import POSTGRESQL, is_database, open_database
from gnomon.hall.store.database import StoreError
from gnomon.refusals import Refusal, Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent, told_from, told_value
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.scoring.multiplayer import place_points
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text
from gnomon.tournament.state.results import Points, format_result
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.teams.matches import as_shown

VERSION: Final = 1
"""Of the book's format."""
_FORMAT: Final = "gnomon-league"

Logs = Mapping[str, tuple[LoggedEvent, ...]]
"""The event logs of a hall, by the names of its tournaments."""


class LeagueError(Refusal):
    """A hall or a league's book cannot be read; the statement names it."""


class LeagueResult(NamedTuple):
    """The result of a pairing; `first` names everybody at a table of three or four, in the order of their seats."""

    hall: str
    tournament: str
    round: int
    board: int
    first: str
    second: str
    result: str


class LeagueRow(NamedTuple):
    """Where somebody stands in the league: the points of all tournaments, in whichever halls."""

    place: int
    name: str
    halls: tuple[str, ...]
    tournaments: int
    points: Points


class HallRow(NamedTuple):
    """What the league has of a hall: `waiting` are the pairings without a result."""

    hall: str
    tournaments: int
    entrants: int
    results: int
    waiting: int


@dataclass(frozen=True, slots=True)
class League:
    """What halls have told."""

    halls: Mapping[str, Logs] = field(default_factory=dict)

    # Reading and writing

    @classmethod
    def load(cls, text: str) -> "League":
        """The league in a book's text. Raises LeagueError."""
        try:
            told = json.loads(text)
            if told["format"] != _FORMAT or told["version"] != VERSION:
                raise LeagueError(statement("hall.league.format"))
            return cls(
                {
                    str(hall): {str(name): tuple(map(told_from, events)) for name, events in logs.items()}
                    for hall, logs in told["halls"].items()
                }
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise LeagueError(statement("hall.league.format")) from error

    def dump(self) -> str:
        """The text of the book."""
        halls = {
            hall: {name: [told_value(told) for told in log] for name, log in sorted(logs.items())}
            for hall, logs in sorted(self.halls.items())
        }
        told = {"format": _FORMAT, "version": VERSION, "halls": halls}
        return json.dumps(told, ensure_ascii=False, indent=1) + "\n"

    def with_hall(self, hall: str, logs: Logs) -> tuple["League", list[Statement]]:
        """The league with what a hall tells now, and what is odd about that."""
        before, odd = dict(self.halls.get(hall, {})), list[Statement]()
        for name, log in logs.items():
            known = before.get(name, ())
            common = min(len(known), len(log))
            differing = next((at for at in range(common) if known[at] != log[at]), None)
            if differing is not None:
                number = differing + 1
                odd.append(statement("hall.league.differs", hall=hall, tournament=name, number=number))
            elif len(log) < len(known):
                odd.append(
                    statement("hall.league.shorter", hall=hall, tournament=name, count=len(log), known=len(known))
                )
            else:
                before[name] = log
        return replace(self, halls={**self.halls, hall: before}), odd

    # What follows

    def results(self) -> list[LeagueResult]:
        """Every result, by hall, tournament, round and board. Raises LeagueError."""
        return [
            LeagueResult(hall, name, round_.number, *told)
            for hall, name, tournament in self._tournaments()
            for round_ in tournament.rounds
            for told in _results(tournament, round_)
        ]

    def standings(self) -> list[LeagueRow]:
        """Everybody by name, the most points first; those with equal points share the place. Raises LeagueError.

        Where teams play, teams stand here, with the points that rank first.
        """
        points: dict[str, Points] = {}
        played: dict[str, list[str]] = {}
        for hall, _, tournament in self._tournaments():
            seen = as_shown(tournament)
            for standing in standings(seen):
                name = seen.entrant(standing.number).name
                points[name] = points.get(name, 0) + standing.points
                played.setdefault(name, []).append(hall)
        ranked = sorted(points, key=lambda name: (-points[name], name.casefold(), name))
        better = sorted(points.values(), reverse=True)
        return [
            LeagueRow(
                better.index(points[name]) + 1,
                name,
                tuple(dict.fromkeys(played[name])),
                len(played[name]),
                points[name],
            )
            for name in ranked
        ]

    def overview(self) -> list[HallRow]:
        """What there is of each hall. Raises LeagueError."""
        rows = {hall: HallRow(hall, 0, 0, 0, 0) for hall in sorted(self.halls)}
        for hall, _, tournament in self._tournaments():
            before = rows[hall]
            entered = sum(len(round_.results) + len(round_.places) for round_ in tournament.rounds)
            rows[hall] = HallRow(
                hall,
                before.tournaments + 1,
                before.entrants + len(tournament.entrants),
                before.results + entered,
                before.waiting + len(tournament.waiting),
            )
        return list(rows.values())

    def _tournaments(self) -> Iterator[tuple[str, str, Tournament]]:
        for hall, logs in sorted(self.halls.items()):
            for name, log in sorted(logs.items()):
                try:
                    yield hall, name, fold(told.event for told in log)
                except TournamentError as error:
                    wrong = statement("hall.league.tournament", hall=hall, tournament=name, cause=error.statement)
                    raise LeagueError(wrong) from error


def _results(tournament: Tournament, round_: Round) -> Iterator[tuple[int, str, str, str]]:
    """The boards and tables of a round that have a result: which one, who, and how it ended."""
    names = {number: entrant.name for number, entrant in tournament.entrants.items()}
    for pairing in round_.pairings:
        if pairing.second is not None and pairing.board in round_.results:
            result = format_result(round_.results[pairing.board])
            yield pairing.board, names[pairing.first], names[pairing.second], result
    for table in round_.tables:
        if table.board in round_.places:
            points = place_points(tournament.settings, round_.places[table.board])
            who = ", ".join(names[number] for number in table.seats)
            yield table.board, who, "", " : ".join(map(points_text, points))


def read_hall(address: str) -> Logs:
    """The event logs in the database of a hall. Raises LeagueError."""
    if not address.startswith(POSTGRESQL) and not is_database(address):
        raise LeagueError(statement("hall.league.none", address=address))
    try:
        database = open_database(address)
    except StoreError as error:
        raise LeagueError(error) from error
    try:
        names: Sequence[str] = sorted(result_rows.last_events(database))
        return {name: tuple(SqlBook(database, name, wall).read()) for name in names}
    except (StoreError, BookError) as error:
        raise LeagueError(error) from error
    finally:
        database.close()
