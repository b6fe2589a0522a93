"""Fold the events of a tournament of teams: rosters, line-ups, and rounds whose matches become boards."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament import events
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.settings.changes import change_settings
from gnomon.tournament.settings.team_play_changes import check_change
from gnomon.tournament.state import Entrant, Roster, TeamBook, Tournament
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.state.team_play import USUAL_BREAKS, TeamPlay
from gnomon.tournament.teams.matches import book_of, team_view, teams_of
from gnomon.tournament.teams.seating import check_lineup, seat_players

Step = Callable[[Tournament, events.Event], Tournament]
"""How a tournament of single entrants takes an event: the rules that teams share with them."""

SYSTEMS: Final = (System.SWISS, System.ROUND_ROBIN, System.KNOCKOUT)


def announce(tournament: Tournament, play: TeamPlay) -> Tournament:
    """The tournament in which teams play teams from now on. Raises TournamentError once a round is published."""
    if tournament.rounds:
        raise TournamentError(statement("tournament.team.too_late", tournament=tournament.settings.name))
    _check_settings(tournament.settings, play)
    book = tournament.teams or TeamBook(play, Tournament(tournament.settings))
    return replace(tournament, teams=replace(book, play=play))


def _check_settings(settings: TournamentSettings, play: TeamPlay) -> None:
    """Raise TournamentError for settings by which teams cannot play."""
    if settings.system not in SYSTEMS or (play.scheveningen and settings.system is not System.ROUND_ROBIN):
        key = "tournament.team.mcmahon" if settings.system is System.MCMAHON else "tournament.team.system"
        raise TournamentError(Statement(key, {"system": settings.system.value}))
    if play.cup_breaks != USUAL_BREAKS and settings.system is not System.KNOCKOUT:
        what = statement("tournament.team.cup_breaks")
        raise TournamentError(statement("tournament.setting.scope", setting=what, system=settings.system.value))
    if settings.match_score:
        raise TournamentError(statement("tournament.team.match_score", tournament=settings.name))
    if settings.gives_stones:
        raise TournamentError(statement("tournament.go.teams"))
    if play.board_bye > settings.scoring.win:
        raise TournamentError(statement("tournament.team.board_bye", points=str(play.board_bye)))


def step_teams(tournament: Tournament, event: events.Event, step: Step) -> Tournament:
    """The tournament of teams after an event. Raises TournamentError when it cannot happen now."""
    after = _step(tournament, event, step)
    if tournament.settings.system is System.KNOCKOUT:
        _check_bracket(tournament, after)
    return after


def _check_bracket(before: Tournament, after: Tournament) -> None:
    """Raise TournamentError where another team would go on from a match whose winner has played on already."""
    was, now = team_view(before), team_view(after)
    for one, other in zip(was.rounds[:-1], now.rounds[: len(before.rounds)], strict=False):
        for match in one.pairings:
            won = winner(match, one.results.get(match.board, ()))
            if won != winner(match, other.results.get(match.board, ())):
                what = statement("tournament.team.other_winner", round=one.number, match=match.board)
                raise TournamentError(what)


def _step(tournament: Tournament, event: events.Event, step: Step) -> Tournament:  # noqa: PLR0911 - a case each
    match event:
        case events.TeamPlayTold(play):
            return announce(tournament, play)
        case events.SettingsChanged() | events.TeamPlayChanged():
            return _change_settings(tournament, event)
        case events.TeamTold():
            return _enter(tournament, event, step)
        case events.TeamWithdrew() | events.TeamReturned() | events.TeamsSeeded() | events.TeamPaymentNoted():
            return _of_teams(tournament, _as_of_an_entrant(event), step)
        case events.LineupTold():
            return _line_up(tournament, event)
        case events.RoundPublished() | events.RoundChanged():
            return _seat(tournament, event, step)
        case events.RoundRevoked(in_round):
            book = book_of(tournament)
            after = _of_people(tournament, event, step)
            matches = replace(book.matches, rounds=book.matches.rounds[: in_round - 1])
            decided = {number: told for number, told in book.decided.items() if number < in_round}
            return replace(after, teams=replace(book, matches=matches, decided=decided))
        case (
            events.ByeGranted()
            | events.ByeWithdrawn()
            | events.PairingProhibited()
            | events.PairingAllowed()
            | events.LotDrawn()
            | events.OrderDecided()
        ):
            return _of_teams(tournament, event, step)
        case events.EntrantCorrected(number):
            # The team of a member is the one whose roster they are in, whatever a list says.
            known = (
                event if number not in teams_of(tournament) else replace(event, team=tournament.entrants[number].team)
            )
            return _of_people(tournament, known, step)
        case _:
            return _of_people(tournament, event, step)


def _as_of_an_entrant(
    event: events.TeamWithdrew | events.TeamReturned | events.TeamsSeeded | events.TeamPaymentNoted,
) -> events.Event:
    if isinstance(event, events.TeamsSeeded):
        return events.EntrantsSeeded(event.seeds)
    if isinstance(event, events.TeamPaymentNoted):
        return events.PaymentNoted(event.number, event.payment)
    if isinstance(event, events.TeamWithdrew):
        return events.EntrantWithdrew(event.number, event.since)
    return events.EntrantReturned(event.number)


def _change_settings(tournament: Tournament, event: events.SettingsChanged | events.TeamPlayChanged) -> Tournament:
    """Settings that teams cannot play by are refused as they are at the opening."""
    if isinstance(event, events.TeamPlayChanged):
        check_change(tournament, event, book_of(tournament).play)
        _check_settings(tournament.settings, event.now)
        return replace(tournament, teams=replace(book_of(tournament), play=event.now))
    after, book = change_settings(tournament, event), book_of(tournament)
    _check_settings(after.settings, book.play)
    return replace(after, teams=replace(book, matches=replace(book.matches, settings=after.settings)))


def _of_people(tournament: Tournament, event: events.Event, step: Step) -> Tournament:
    """What happens to players and at boards: a player may come late, and a board may be drawn, whatever the system."""
    system, lives = tournament.settings.system, tournament.settings.lives
    after = step(replace(tournament, settings=replace(tournament.settings, system=System.SWISS, lives=1)), event)
    return replace(after, settings=replace(after.settings, system=system, lives=lives))


def _of_teams(tournament: Tournament, event: events.Event, step: Step) -> Tournament:
    """What happens to teams as it happens to single entrants elsewhere."""
    return _keep(tournament, step(team_view(tournament), event))


def _keep(tournament: Tournament, view: Tournament) -> Tournament:
    """The tournament with what has become of its teams; how their matches ended follows from the boards."""
    book = book_of(tournament)
    rounds = tuple(replace(round_, results={}) for round_ in view.rounds)
    # What the view computes is not kept: the strength of a team, which of its members are there, and the heading of the
    # tournament.
    entrants = {number: team._replace(rating=None) for number, team in view.entrants.items()}
    matches = replace(
        view,
        settings=book.matches.settings,
        entrants=entrants,
        rounds=rounds,
        corrections=(),
        heading=book.matches.heading,
        checked_in=book.matches.checked_in,
    )
    return replace(tournament, corrections=view.corrections, teams=replace(book, matches=matches))


def _enter(tournament: Tournament, event: events.TeamTold, step: Step) -> Tournament:
    book = book_of(tournament)
    was = book.rosters.get(event.number)
    name = " ".join(event.name.split())
    _check_members(tournament, event, name)
    namesake = next((n for n, team in book.matches.entrants.items() if n != event.number and team.name == name), None)
    if namesake is not None:
        raise TournamentError(statement("tournament.team.namesake", name=name, number=namesake))
    if was is None:
        after = _of_teams(tournament, events.EntrantRegistered(event.number, name, since=event.since), step)
    else:
        after = _of_teams(tournament, events.EntrantCorrected(event.number, name), step)
    roster = Roster(event.members, event.captain.strip())
    rosters = {**book.rosters, event.number: roster}
    return replace(
        after,
        entrants=_name_teams(tournament.entrants, was, roster, name),
        teams=replace(book_of(after), rosters=rosters),
    )


def _check_members(tournament: Tournament, event: events.TeamTold, name: str) -> None:
    teams, book = teams_of(tournament), book_of(tournament)
    for number in event.members:
        who = tournament.label_of(tournament.entrant(number).number)
        if event.members.count(number) > 1:
            raise TournamentError(statement("tournament.team.roster.twice", who=who, team=name))
        other = teams.get(number, event.number)
        if other != event.number:
            raise TournamentError(statement("tournament.team.roster.other", who=who, team=book.matches.label_of(other)))
    if not event.members:
        raise TournamentError(statement("tournament.team.roster.nobody", team=name))
    before = book.rosters[event.number].members if event.number in book.rosters else ()
    # Others may only join behind those who are on the list already, or everybody could be moved at will.
    if tournament.rounds and event.members[: len(before)] != before:
        raise TournamentError(statement("tournament.team.roster.fixed", team=name))


def _name_teams(entrants: Mapping[int, Entrant], was: Roster | None, now: Roster, name: str) -> Mapping[int, Entrant]:
    """The entrants with the name of their team beside those of a roster, and none beside those who are out of it."""
    left = set(was.members if was else ()) - {*now.members}
    return {
        number: one._replace(team=name) if number in now.members else one._replace(team="") if number in left else one
        for number, one in entrants.items()
    }


def _line_up(tournament: Tournament, event: events.LineupTold) -> Tournament:
    book = book_of(tournament)
    team = book.matches.entrant(event.team)
    if not max(1, len(tournament.rounds)) <= event.round <= tournament.settings.rounds:
        raise TournamentError(
            statement("tournament.team.lineup.round", team=book.matches.label_of(team.number), round=event.round)
        )
    if event.players:
        check_lineup(tournament, event.team, event.round, event.players)
    others = {key: players for key, players in book.lineups.items() if key != (event.team, event.round)}
    told = {(event.team, event.round): event.players} if event.players else {}
    after = replace(tournament, teams=replace(book, lineups={**others, **told}))
    if event.round > len(tournament.rounds):
        return after
    # The round is being played: its boards follow, as far as none of them has a result already.
    round_, matches = tournament.rounds[-1], book.matches.rounds[-1].pairings
    changed = round_.with_pairings(seat_players(after, event.round, matches), round_.override)
    return replace(after, rounds=(*tournament.rounds[:-1], changed))


def _seat(tournament: Tournament, event: events.RoundPublished | events.RoundChanged, step: Step) -> Tournament:
    """The round with the boards of its matches."""
    in_round = event.round
    after = _keep(tournament, step(team_view(tournament), event))
    matches = book_of(after).matches.rounds[-1]
    for match in matches.pairings:
        for team in match.entrants:
            told = book_of(after).lineups.get((team, in_round))
            if told is not None:
                check_lineup(after, team, in_round, told)
    boards = seat_players(after, in_round, matches.pairings)
    if isinstance(event, events.RoundChanged):
        round_ = tournament.rounds[-1].with_pairings(boards, matches.override)
    else:
        round_ = Round(in_round, boards, {}, matches.paired_by, matches.override)
        book = book_of(after)
        decided = {**book.decided, in_round: (len(book.matches.lots), len(book.matches.orders))}
        after = replace(after, teams=replace(book, decided=decided))
    return replace(after, rounds=(*tournament.rounds[: in_round - 1], round_))
