"""Apply the events of the door, of seeds, of prizes and of deadlines, and refuse those that are not possible.

`gnomon.tournament.event_log.reducer` alone calls them.
"""

from dataclasses import replace

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.prizes import PrizeList
from gnomon.tournament.state.seeds import StageSeed


def set_seeds(tournament: Tournament, seeds: tuple[StageSeed, ...]) -> Tournament:
    """The tournament with other seeds. Raises TournamentError once a round is published, and for seeds of two."""
    if tournament.rounds:
        raise TournamentError(statement("tournament.seed.late", round=len(tournament.rounds)))
    for one in seeds:
        tournament.entrant(one.number)
    told = [one.seed for one in seeds if one.seed]
    if len(set(told)) < len(told) or len({one.number for one in seeds}) < len(seeds):
        raise TournamentError(statement("tournament.seed.twice"))
    if any(one.seed < 0 or one.carried < 0 for one in seeds):
        raise TournamentError(statement("tournament.seed.negative"))
    return replace(tournament, stage_seeds={one.number: one for one in seeds})


def announce_prizes(tournament: Tournament, prizes: PrizeList) -> Tournament:
    """The tournament with other prizes. Raises TournamentError for those of a board at which no team sits."""
    boards = 0 if tournament.teams is None else tournament.teams.play.boards
    for category in prizes.categories:
        if category.board > boards:
            key = "tournament.prize.board" if boards else "tournament.prize.no_teams"
            raise TournamentError(
                Statement(key, {"category": category.name, "board": category.board, "boards": boards})
            )
    return replace(tournament, prizes=prizes)


def check_in(tournament: Tournament, number: int, since: int) -> Tournament:
    """The tournament with an entrant who is there. Raises TournamentError for one who is already, or has left."""
    who = tournament.label_of(tournament.entrant(number).number)
    if number in tournament.checked_in:
        raise TournamentError(statement("tournament.check_in.already", who=who))
    if tournament.has_left(number, tournament.next_round):
        raise TournamentError(statement("tournament.check_in.left", who=who))
    # Players who come while round 1 is being played may still be seated in it, by hand.
    rounds = {tournament.next_round, *([len(tournament.rounds)] if tournament.waiting else ())}
    if since not in rounds:
        raise TournamentError(statement("tournament.check_in.round", who=who, round=since, rounds=sorted(rounds)))
    return replace(tournament, checked_in={**tournament.checked_in, number: since})


def check_out(tournament: Tournament, number: int) -> Tournament:
    """The tournament without an entrant who is not there. Raises TournamentError for one who has been paired."""
    who = tournament.label_of(tournament.entrant(number).number)
    if number not in tournament.checked_in:
        raise TournamentError(statement("tournament.check_in.not", who=who))
    if tournament.settings.check_in and any(round_.has(number) for round_ in tournament.rounds):
        raise TournamentError(statement("tournament.check_in.paired", who=who))
    return replace(tournament, checked_in={one: at for one, at in tournament.checked_in.items() if one != number})


def set_deadline(tournament: Tournament, in_round: int, until: str) -> Tournament:
    """The tournament with a deadline, or without it. Raises TournamentError for a round that there is not."""
    if not 1 <= in_round <= tournament.settings.rounds:
        raise TournamentError(statement("tournament.deadline.round", round=in_round, rounds=tournament.settings.rounds))
    others = {one: at for one, at in tournament.deadlines.items() if one != in_round}
    return replace(tournament, deadlines={**others, in_round: until} if until else others)
