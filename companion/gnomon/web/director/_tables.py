"""Build the rows of the public tournament tables: pairings, standings, players and rounds."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gnomon.tournament.scoring.multiplayer import place_points
from gnomon.tournament.standings import Standing, standings
from gnomon.tournament.standings.crosstables import points_before, score_steps
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import points_text, value_text
from gnomon.tournament.state.results import NOTHING, Points, Result, format_result
from gnomon.tournament.state.round_history import histories, worth
from gnomon.tournament.state.rounds import Pairing, Round, Table
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.given_points import starting_points
from gnomon.tournament.strength.stones import handicaps
from gnomon.tournament.teams.matches import as_people

FOUND = 20
"""Names that a search shows; to see others, write more of a name."""


class BoardSeat(NamedTuple):
    """Who sits at a board, with their points before the round."""

    number: int
    name: str
    points: str
    team: str = ""


class BoardRow(NamedTuple):
    """A board of a round: the two, or the one who has the bye; the result, and its points for each.

    `alone` is the key of what stands in the place of a second who is not there, `stones` the handicap of the one
    who moves first.
    """

    board: int
    first: BoardSeat
    second: BoardSeat | None
    result: str = ""
    score: str = ""
    alone: str = "sheet.bye"
    stones: int = 0


class FoundSeat(NamedTuple):
    """Where somebody sits, found by a part of their name; without an opponent they have the bye, board 0 is none.

    `result` is how the games there ended, the first mover's first; empty before. `others` are those at a table of
    several, in the order of their seats.
    """

    number: int
    name: str
    board: int
    moves_first: bool
    opponent: str
    result: str = ""
    others: str = ""


class StandingRow(NamedTuple):
    """Where an entrant stands; `shares` tells that somebody else stands in the same place."""

    standing: Standing
    name: str
    team: str
    rating: str
    points: str
    values: tuple[str, ...]
    shares: bool
    title: str = ""


class TurnRow(NamedTuple):
    """A round of a player: where, against whom, what came of it, and the points since the start.

    At a table of several there is no one opponent: `name` names all others, and `result` is the place.
    """

    round: int
    board: int
    opponent: int | None
    name: str
    moves_first: bool
    result: str
    points: str
    total: str
    has_bye: bool = False


def board_rows(tournament: Tournament, in_round: int, pairings: Sequence[Pairing] | None = None) -> list[BoardRow]:
    """The boards of a round that is published, or of pairings for the next one. Raises TournamentError."""
    results: Mapping[int, Result] = {}
    if pairings is None:
        round_ = tournament.round(in_round)
        pairings, results = round_.pairings, round_.results
    points = points_before(as_people(tournament), in_round)
    stones = handicaps(tournament, in_round, pairings)

    def seat(number: int) -> BoardSeat:
        one = tournament.entrants[number]
        return BoardSeat(number, one.name, points[number], one.team)

    return [
        BoardRow(
            pairing.board,
            seat(pairing.first),
            None if pairing.second is None else seat(pairing.second),
            format_result(results.get(pairing.board, ())),
            score(tournament, results.get(pairing.board, ())),
            "sheet.bye" if tournament.teams is None else "sheet.nobody",
            stones.get(pairing.board, 0),
        )
        for pairing in sorted(pairings)
    ]


def score(tournament: Tournament, result: Result) -> str:
    """What the games of a round brought the two, where there are several: `1½ : ½`."""
    if len(result) < 2:  # noqa: PLR2004 - one game is its own score
        return ""
    scoring = tournament.settings.scoring
    mine = sum((worth(scoring, game) for game in result), NOTHING)
    theirs = sum((worth(scoring, game.from_other_side) for game in result), NOTHING)
    return f"{points_text(mine)} : {points_text(theirs)}"


def find_seats(tournament: Tournament, in_round: int, text: str) -> list[FoundSeat]:
    """Who bears a name like that, and where they sit. Raises TournamentError for a round that is not published."""
    wanted = text.casefold().split()
    if not wanted:
        return []
    names = tournament.entrants.values()
    hits = [one.number for one in names if all(word in one.name.casefold() for word in wanted)]
    return _where(tournament, in_round, hits)[:FOUND]


def everybody(tournament: Tournament, in_round: int) -> list[FoundSeat]:
    """Everybody who has a place in a round, by name. Raises TournamentError for a round that is not published.

    For the last round those are here, too, who have no place in it and still play in an earlier one, as in an arena.
    """
    round_ = tournament.round(in_round)
    seated = [number for pairing in round_.pairings for number in pairing.entrants]
    seated += [number for table in round_.tables for number in table.seats]
    still = {number for _, pairing in _still_played(tournament, in_round) for number in pairing.entrants}
    return _where(tournament, in_round, [*seated, *sorted(still.difference(seated))])


def earlier_rows(tournament: Tournament) -> list[tuple[int, list[BoardRow]]]:
    """The boards of earlier rounds that still play while the last one does, by round."""
    played: dict[int, set[int]] = {}
    for round_, pairing in _still_played(tournament, len(tournament.rounds)):
        played.setdefault(round_.number, set()).add(pairing.board)
    return [
        (number, [row for row in board_rows(tournament, number) if row.board in boards])
        for number, boards in played.items()
    ]


def _still_played(tournament: Tournament, in_round: int) -> Iterator[tuple[Round, Pairing]]:
    """The boards of earlier rounds without a result, if the round is the last."""
    for round_ in tournament.open_rounds if in_round == len(tournament.rounds) else ():
        if round_.number < in_round:
            yield from ((round_, pairing) for pairing in round_.pairings if pairing.board in round_.waiting)


def _where(tournament: Tournament, in_round: int, numbers: Sequence[int]) -> list[FoundSeat]:
    round_ = tournament.round(in_round)
    played = [*_still_played(tournament, in_round), *((round_, pairing) for pairing in round_.pairings)]
    pairings = {number: (of, pairing) for of, pairing in played for number in pairing.entrants}
    tables = {number: table for table in round_.tables for number in table.seats}
    told = []
    for one in sorted((tournament.entrants[number] for number in numbers), key=lambda one: _letters(one.name)):
        table, (of, pairing) = tables.get(one.number), pairings.get(one.number, (round_, None))
        if table is not None:
            others = _others(tournament, table, one.number)
            told.append(FoundSeat(one.number, one.name, table.board, moves_first=False, opponent="", others=others))
            continue
        if pairing is None:
            told.append(FoundSeat(one.number, one.name, 0, moves_first=False, opponent=""))
            continue
        other = next((number for number in pairing.entrants if number != one.number), None)
        opponent = "" if other is None else tournament.entrants[other].name
        result = format_result(of.results.get(pairing.board, ()))
        told.append(FoundSeat(one.number, one.name, pairing.board, pairing.first == one.number, opponent, result))
    return told


def _others(tournament: Tournament, table: Table, number: int) -> str:
    """Who else sits at a table."""
    return ", ".join(tournament.entrants[other].name for other in table.seats if other != number)


def _letters(name: str) -> str:
    """What names are sorted by: their letters without accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def standing_rows(tournament: Tournament) -> list[StandingRow]:
    """Everybody, the best first. Raises TournamentError for an unknown tie-break."""
    ranked = standings(tournament)
    places = Counter(one.place for one in ranked)
    return [
        StandingRow(
            one,
            tournament.entrants[one.number].name,
            tournament.entrants[one.number].team,
            str(tournament.entrants[one.number].rating or ""),
            points_text(one.points),
            tuple(map(value_text, one.values)),
            places[one.place] > 1,
            tournament.person(one.number).title,
        )
        for one in ranked
    ]


def turns_of_all(tournament: Tournament) -> Mapping[int, Sequence[TurnRow]]:
    """What each published round was for each entrant."""
    if tournament.settings.system is System.TABLES:
        return {number: _turns_at_tables(tournament, number) for number in tournament.entrants}
    tournament = as_people(tournament)
    steps = score_steps(tournament)
    seats = [
        {number: pairing for pairing in round_.pairings for number in pairing.entrants} for round_ in tournament.rounds
    ]
    told: dict[int, Sequence[TurnRow]] = {}
    for one, turns in histories(tournament).items():
        total, rows = steps[one].start, []
        for turn, pairings, points in zip(turns, seats, steps[one].rounds, strict=True):
            pairing = pairings.get(one)
            total += points
            opponent = turn.opponent
            rows.append(
                TurnRow(
                    turn.round,
                    0 if pairing is None or pairing.second is None else pairing.board,
                    opponent,
                    "" if opponent is None else tournament.entrants[opponent].name,
                    turn.first,
                    format_result(turn.games),
                    points_text(points),
                    points_text(tournament.settings.rounding.round(total)),
                    has_bye=opponent is None and turn.points > 0,
                )
            )
        told[one] = rows
    return told


def starts_of_all(tournament: Tournament) -> Mapping[int, str]:
    """What everybody began with, who began with anything."""
    steps = score_steps(as_people(tournament))
    return {number: points_text(one.start) for number, one in steps.items() if one.start}


def _turns_at_tables(tournament: Tournament, number: int) -> Sequence[TurnRow]:
    """What each published round was for an entrant of a tournament of tables."""
    total, rows = starting_points(tournament, number), []
    for round_ in tournament.rounds:
        table = round_.table_of(number)
        place, points = _place_at(tournament, round_, table, number)
        total += points
        board, others = (0, "") if table is None else (table.board, _others(tournament, table, number))
        row = TurnRow(
            round_.number,
            board,
            None,
            others,
            moves_first=False,
            result=place,
            points=points_text(points),
            total=points_text(total),
        )
        rows.append(row)
    return rows


def _place_at(tournament: Tournament, round_: Round, table: Table | None, number: int) -> tuple[str, Points]:
    """The place of an entrant at their table and what it is worth; nothing before the table has ended."""
    places = None if table is None else round_.places.get(table.board)
    if table is None or places is None:
        return "", NOTHING
    seat = table.seats.index(number)
    return f"{places[seat]}.", place_points(tournament.settings, places)[seat]
