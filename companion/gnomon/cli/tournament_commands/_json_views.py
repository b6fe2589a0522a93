"""Convert entrants, rounds, standings and cross tables of a tournament to JSON for other programs.

Field names are stable, and points are exact fractions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from gnomon.tournament.standings import Standing, TeamStanding
from gnomon.tournament.standings.crosstables import CrossTableRow
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import PRIVATE
from gnomon.tournament.state.results import format_result
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.strength.stones import handicaps
from gnomon.tournament.teams.matches import book_of, match_score


def entrants_value(tournament: Tournament) -> list[dict[str, object]]:
    """Everybody, the strongest first, without what is private."""
    return [
        {
            **tournament.entrants[number]._asdict(),
            **{thing: text for thing, text in asdict(tournament.person(number)).items() if thing not in PRIVATE},
            "withdrawn_since": tournament.withdrawn.get(number),
            "byes": {str(of): bye.value for (one, of), bye in sorted(tournament.byes.items()) if one == number},
        }
        for number in tournament.seeds
    ]


def round_value(tournament: Tournament, round_: Round) -> dict[str, object]:
    """A round with its pairings, and the results told so far."""
    told = {"round": round_.number, "pairings": pairings_value(tournament, round_.pairings, round_)}
    if tournament.teams is None:
        return told
    matches = tournament.teams.matches.round(round_.number).pairings
    return told | {"matches": [_match_value(tournament, round_, match) for match in matches]}


def pairings_value(
    tournament: Tournament, pairings: Sequence[Pairing], round_: Round | None = None
) -> list[dict[str, object]]:
    """Pairings, each with its result where there is one."""
    results = round_.results if round_ else {}
    in_round = round_.number if round_ else tournament.next_round
    stones = handicaps(tournament, in_round, pairings)
    return [
        {
            "board": pairing.board,
            "first": pairing.first,
            "second": pairing.second,
            "first_name": tournament.entrants[pairing.first].name,
            "second_name": None if pairing.second is None else tournament.entrants[pairing.second].name,
            "result": format_result(results[pairing.board]) if pairing.board in results else None,
            **({"stones": stones.get(pairing.board, 0)} if tournament.settings.gives_stones else {}),
        }
        for pairing in pairings
    ]


def _match_value(tournament: Tournament, round_: Round, match: Pairing) -> dict[str, object]:
    book = book_of(tournament)
    value: dict[str, object] = {
        "match": match.board,
        "first": match.first,
        "second": match.second,
        "first_name": book.matches.entrants[match.first].name,
        "second_name": None if match.second is None else book.matches.entrants[match.second].name,
    }
    if match.second is None:
        return value
    score = match_score(tournament, round_, match)
    points = {"first_points": str(score.first), "second_points": str(score.second), "waiting": list(score.waiting)}
    return value | {"boards": list(book.play.boards_of(match.board)), **points}


def standings_value(
    tournament: Tournament, ranked: Sequence[Standing], pentamind: Mapping[int, str]
) -> list[dict[str, object]]:
    """The standings, with each tie-break under its name, and the Pentamind points of those who have some."""
    worth = {number: {"pentamind": points} for number, points in pentamind.items()}
    return [_standing_value(tournament, one) | worth.get(one.number, {}) for one in ranked]


def teams_value(teams: Sequence[TeamStanding]) -> list[dict[str, object]]:
    """The standings of teams."""
    return [{**team._asdict(), "points": str(team.points), "counted": list(team.counted)} for team in teams]


def cross_value(tournament: Tournament, rows: Sequence[CrossTableRow]) -> list[dict[str, object]]:
    """A cross table, row by row."""
    return [{**_standing_value(tournament, row.standing), "cells": list(row.cells)} for row in rows]


def _standing_value(tournament: Tournament, one: Standing) -> dict[str, object]:
    breaks = zip(tournament.settings.tie_breaks, map(str, one.values), strict=True)
    return {
        "place": one.place,
        "number": one.number,
        "name": tournament.entrants[one.number].name,
        "points": str(one.points),
        "tie_breaks": dict(breaks),
    }
