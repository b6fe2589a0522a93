"""Follow the bracket of a cup of teams through a report file: who has left, who goes on, who has no match.

A file says neither by what a level match was decided nor which teams had no match: that follows from the next round,
from the places of the teams, and from the bracket.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gnomon.refusals import statement
from gnomon.tournament.events import OrderDecided, TeamWithdrew
from gnomon.tournament.formats.trf._columns import BYES
from gnomon.tournament.formats.trf._course import TAKEN_OVER, Course
from gnomon.tournament.formats.trf.seating import follow_bracket
from gnomon.tournament.formats.trf.sheet import TrfError, TrfSheet
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, cup_verdict

Matches = tuple[tuple[int, int], ...]


def cup_variants(settings: TournamentSettings, play: TeamPlay) -> Iterator[tuple[TournamentSettings, TeamPlay]]:
    """What else a cup may be.

    A match for third place, and a second life, show only when they are played. The rules by which level matches are
    decided are in no file: where the usual ones let others go on, the file alone decides.
    """
    if settings.system is System.KNOCKOUT:
        third = replace(settings, third_place=True)
        untold = replace(play, cup_breaks=())
        twice = replace(settings, lives=2)
        yield from ((third, play), (settings, untold), (third, untold), (twice, play), (twice, untold))


def begin_cup_round(course: Course, sheet: TrfSheet, number: int, matches: Matches) -> None:
    """Let those go on who play in a round, and those leave who are away from then on."""
    _decide_level_matches(course, sheet, matches)
    for line in sheet.byes:
        if line.round == number and BYES[line.bye] is Bye.ZERO:
            for team in line.numbers:
                if not book_of(course.tournament).matches.has_left(team, number):
                    course.apply(TeamWithdrew(team, number))


def _decide_level_matches(course: Course, sheet: TrfSheet, following: Matches) -> None:
    """Say who goes on from the level matches of the last round, by the matches that follow and by the teams' places.

    Raises TrfError where a rule says otherwise.
    """
    tournament = course.tournament
    if not tournament.rounds:
        return
    playing = {team for match in following for team in match}
    places = {team.number or at: team.rank for at, team in enumerate(sheet.teams, start=1)}
    for match in book_of(tournament).matches.rounds[-1].pairings:
        verdict = cup_verdict(tournament, tournament.rounds[-1], match)
        # A team that loses for the first time in double elimination plays on as well.
        goes_on = tournament.settings.lives > 1 and playing >= {*match.entrants}
        order = None if verdict is None or goes_on else _order(match, playing, places)
        if verdict is None or order is None:
            continue
        if verdict.first_goes_on is None:
            course.apply(OrderDecided(order, TAKEN_OVER))
        elif verdict.first_goes_on != (order[0] == match.first):
            raise TrfError(statement("tournament.trf.bracket", round=len(tournament.rounds) + 1))


def _order(match: Pairing, playing: set[int], places: Mapping[int, int | None]) -> tuple[int, ...] | None:
    """The two teams of a match, first the one that goes on; None where a file does not say which."""
    alone = [team for team in match.entrants if team in playing]
    if len(alone) == 1:
        return tuple(sorted(match.entrants, key=lambda team: team not in alone))
    told = {team: place for team in match.entrants if (place := places.get(team)) is not None}
    if len(told) < len(match.entrants) or len({*told.values()}) == 1:
        return None
    return tuple(sorted(told, key=told.__getitem__))


def seat_cup(view: Tournament, matches: Matches, lone: tuple[int, ...]) -> tuple[Pairing, ...]:
    """The matches of the next round at their places in the bracket, and the teams that go on without one.

    `lone` is the team of which a file says that. Raises TrfError where matches or team do not follow the bracket.
    """
    pairings = follow_bracket(view, matches)
    if lone and {*lone} != {pairing.first for pairing in pairings if pairing.second is None}:
        raise TrfError(statement("tournament.trf.bracket", round=view.next_round))
    return pairings


def last_lone_round(sheet: TrfSheet) -> int:
    """The last round in which a team had no match by the file: nobody need have met there. 0 where there is none."""
    had = () if sheet.team_bye is None else sheet.team_bye.teams
    return max((number for number, team in enumerate(had, start=1) if team), default=0)
