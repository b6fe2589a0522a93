"""Refuse to pair a round before the tournament is ready for it."""

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import book_of, undecided_matches


def ready(tournament: Tournament) -> None:
    """Raise TournamentError when there is no further round, or a result of the last or somebody is still missing."""
    _check_all_are_there(tournament)
    _check_decided(tournament)
    rounds = tournament.settings.rounds
    if tournament.next_round > rounds:
        name = tournament.settings.name
        if rounds == 1:
            raise TournamentError(statement("tournament.round.over.only", tournament=name))
        raise TournamentError(statement("tournament.round.over.all", tournament=name, number=rounds))
    open_rounds = tournament.open_rounds
    if len(open_rounds) >= tournament.settings.may_wait:
        missing = statement(
            "tournament.round.must_wait",
            round=tournament.next_round,
            last=open_rounds[0].number,
            boards=list(open_rounds[0].waiting),
        )
        raise TournamentError(missing)


def _check_all_are_there(tournament: Tournament) -> None:
    """Raise TournamentError where a table or two lives leave nobody out, and somebody is not there.

    Where teams play, it is teams that the table has: their players are asked for nowhere.
    """
    if tournament.teams is not None:
        return
    settings = tournament.settings
    has_table = settings.system is System.ROUND_ROBIN or settings.lives > 1
    if has_table and tournament.missing and not tournament.rounds:
        names = [tournament.label_of(number) for number in tournament.missing]
        raise TournamentError(statement("tournament.check_in.table", system=settings.system.value, who=names))


def _check_decided(tournament: Tournament) -> None:
    """Raise TournamentError while a level match of a knockout has nobody who goes on."""
    for match in undecided_matches(tournament):
        one, other = (book_of(tournament).matches.label_of(number) for number in match.entrants)
        raise TournamentError(statement("tournament.team.level", match=match.board, one=one, other=other))
