"""Seat the players of teams: check line-ups against rosters, and expand matches into boards."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of

EMPTY: Final = 0
"""Stands in a line-up for a board at which nobody plays."""


def lineup_of(tournament: Tournament, team: int, in_round: int) -> tuple[int, ...]:
    """Who plays for a team in a round, board by board: as it was told, or the first of the roster who are there."""
    book = book_of(tournament)
    if book.matches.has_left(team, in_round):
        return (EMPTY,) * book.play.boards
    told = book.lineups.get((team, in_round))
    if told is not None:
        return told
    there = [number for number in book.rosters[team].members if _is_there(tournament, number, in_round)]
    return (*there[: book.play.boards], *(EMPTY,) * (book.play.boards - len(there)))


def check_lineup(tournament: Tournament, team: int, in_round: int, players: Sequence[int]) -> None:
    """Raise TournamentError, with what to change, for a line-up that the roster of its team does not allow."""
    book = book_of(tournament)
    called, roster = book.matches.label_of(team), book.rosters[team].members
    if len(players) != book.play.boards:
        what = statement(
            "tournament.team.lineup.count.one" if len(players) == 1 else "tournament.team.lineup.count.other",
            short="count",
            team=called,
            boards=book.play.boards,
            told=len(players),
        )
        raise TournamentError(what)
    named = [number for number in players if number != EMPTY]
    for number in named:
        if number not in roster:
            who = tournament.label_of(tournament.entrant(number).number)
            raise TournamentError(statement("tournament.team.lineup.stranger", who=who, team=called))
        who = tournament.label_of(number)
        if named.count(number) > 1:
            raise TournamentError(statement("tournament.team.lineup.twice", who=who, team=called))
        if not _is_there(tournament, number, in_round):
            raise TournamentError(statement("tournament.team.lineup.absent", who=who, team=called, round=in_round))
    for one, other in itertools.pairwise(named):
        if roster.index(one) > roster.index(other):
            first, second = tournament.label_of(other), tournament.label_of(one)
            what = statement("tournament.team.lineup.order", first=first, second=second, team=called)
            raise TournamentError(what)


def seat_players(tournament: Tournament, in_round: int, matches: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """The boards of some matches: what people sit at, what devices are sent, and whose results count.

    Board by board, the team that moves first and the other take turns; a board at which one of two is missing has the
    other alone, and one without anybody is left out.
    """
    return tuple(pairing for match in matches for pairing in _boards(tournament, in_round, match))


def moves_first(play: TeamPlay, in_round: int, place: int) -> bool:
    """Whether the first team of a match moves first at a board of it, counted from 1."""
    if not play.scheveningen:
        return not play.alternate or place % 2 == 1
    # Everybody meets everybody: by the sum of their places each has one side as often as the other, and so has each
    # team in a round; with an odd number of boards the meeting in the middle goes by turns.
    cycle, turn = divmod(in_round - 1, play.boards)
    place_sum = (2 * (place - 1) + turn) % play.boards
    middle = 2 * place_sum + 1 == play.boards
    first = turn % 2 == 0 if middle else 2 * place_sum < play.boards
    return first == (cycle % 2 == 0)


def _boards(tournament: Tournament, in_round: int, match: Pairing) -> Iterator[Pairing]:
    if match.second is None:
        return
    play = book_of(tournament).play
    ours, theirs = (lineup_of(tournament, team, in_round) for team in (match.first, match.second))
    for place, board in enumerate(play.boards_of(match.board), start=1):
        turn = in_round - 1 if play.scheveningen else 0
        one, other = ours[place - 1], theirs[(place - 1 + turn) % play.boards]
        if one and other:
            yield Pairing(board, one, other) if moves_first(play, in_round, place) else Pairing(board, other, one)
        elif one or other:
            yield Pairing(board, one or other)


def _is_there(tournament: Tournament, number: int, in_round: int) -> bool:
    here = tournament.entrants[number].since <= in_round and not tournament.has_left(number, in_round)
    return here and not tournament.is_missing(number, in_round)
