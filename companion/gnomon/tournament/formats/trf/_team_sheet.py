"""Add to the sheet of a report file what it tells of teams: their points, line-ups, byes and forfeited matches."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.formats.trf._columns import BYES
from gnomon.tournament.formats.trf._team_codes import code_of_team_tie_break, team_code_of, team_words_of
from gnomon.tournament.formats.trf.sheet import (
    TEAM_WIDTH,
    ApartLine,
    ByeLine,
    ForfeitLine,
    OrderLine,
    PlayerLine,
    TeamByeLine,
    TeamLine,
    TrfError,
    TrfSheet,
)
from gnomon.tournament.standings import field_of, standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of, game_view, match_games, match_view, outcome, team_view
from gnomon.tournament.teams.seating import EMPTY, lineup_of

MEMBERS: Final = 14  # columns of a line for a team
MOST_TEAMS: Final = 999
_LETTERS: Final = {bye: letter for letter, bye in BYES.items()}
_NOT_PLAYED: Final = {
    GameResult.FIRST_BY_FORFEIT: "+-",
    GameResult.SECOND_BY_FORFEIT: "-+",
    GameResult.DOUBLE_FORFEIT: "--",
}
_ALONE: Final = "+"


def add_teams(sheet: TrfSheet, tournament: Tournament) -> TrfSheet:
    """A sheet of the people at the boards with what their teams are and did. Raises TrfError for too long rosters."""
    book, settings = book_of(tournament), tournament.settings
    for number, roster in book.rosters.items():
        if len(roster.members) > MEMBERS or number > MOST_TEAMS:
            team = book.matches.label_of(number)
            raise TrfError(statement("tournament.trf.long_roster", team=team, most=MEMBERS, teams=MOST_TEAMS))
    kind = tournament.heading.kind or team_words_of(settings, book.play)
    return replace(
        sheet,
        heading=replace(sheet.heading, kind=kind),
        points={**sheet.points, "P": settings.scoring.bye},
        system=team_code_of(settings, book.play),
        tie_breaks=tuple(map(code_of_team_tie_break, settings.tie_breaks)),
        players=tuple(map(_alone, sheet.players)),
        byes=tuple(_byes(tournament)),
        apart=tuple(_apart(tournament)),
        teams=tuple(_teams(tournament)),
        orders=tuple(_orders(tournament)),
        team_bye=_team_bye(tournament),
        forfeits=tuple(_forfeits(tournament)),
        sides=colour_sequence(book.play),
        match_points={"W": book.play.scoring.win, "D": book.play.scoring.draw, "L": book.play.scoring.loss},
    )


def colour_sequence(play: TeamPlay) -> str:
    """What line 352 says: the sides of the team that moves first at board 1, board by board."""
    return "".join("W" if place % 2 == 0 or not play.alternate else "B" for place in range(play.boards))


def _alone(player: PlayerLine) -> PlayerLine:
    """A player whose opponent's board stayed empty has won it by forfeit, and had no bye."""
    cells = tuple(cell._replace(result=_ALONE) if cell.result == "U" else cell for cell in player.cells)
    return replace(player, cells=cells)


def _teams(tournament: Tournament) -> Iterator[TeamLine]:
    book, view = book_of(tournament), team_view(tournament)
    matches, games = field_of(match_view(tournament)), field_of(game_view(tournament))
    ranked = standings(view)
    places = {one.number: one.place for one in ranked}
    for number, team in sorted(view.entrants.items()):
        yield TeamLine(
            " ".join(team.name.split())[:TEAM_WIDTH].rstrip(),
            book.rosters[number].members,
            None,
            number,
            team.rating,
            matches.total(number),
            games.total(number),
            places.get(number, len(ranked) + 1),
        )


def _rounds(tournament: Tournament) -> Iterator[tuple[Round, Pairing]]:
    """The matches of two teams, round by round."""
    for round_, matches in zip(tournament.rounds, book_of(tournament).matches.rounds, strict=False):
        yield from ((round_, match) for match in matches.pairings if match.second is not None)


def _orders(tournament: Tournament) -> Iterator[OrderLine]:
    """Who played where that was not the order of the roster, or a board stayed empty."""
    book = book_of(tournament)
    for round_, match in _rounds(tournament):
        for team in match.entrants:
            opponent = next(one for one in match.entrants if one != team)
            players = lineup_of(tournament, team, round_.number)
            if players != book.rosters[team].members[: book.play.boards]:
                yield OrderLine(round_.number, team, opponent, players)


def _forfeits(tournament: Tournament) -> Iterator[ForfeitLine]:
    """The matches that one team, or both, did not come to."""
    for round_, match in _rounds(tournament):
        games = match_games(tournament, round_, match)
        told = _NOT_PLAYED.get(outcome(tournament.settings.scoring, games)) if games else None
        if told is not None and match.second is not None:
            yield ForfeitLine(told, round_.number, match.first, match.second)


def _team_bye(tournament: Tournament) -> TeamByeLine | None:
    """The byes of the pairing, where an odd team may have one; those of a cup follow from its bracket."""
    book = book_of(tournament)
    if tournament.settings.system is System.ROUND_ROBIN:
        return None
    had = [
        [match.first for match in matches.pairings if match.second is None]
        for _, matches in zip(tournament.rounds, book.matches.rounds, strict=False)
    ]
    # The line has room for one team in each round, and the first round of a cup may let many go on without a match.
    teams = tuple(teams[0] if len(teams) == 1 else EMPTY for teams in had)
    return TeamByeLine(book.play.scoring.bye, book.play.board_bye * book.play.boards, teams)


def _byes(tournament: Tournament) -> Iterator[ByeLine]:
    """The rounds in which teams were or will be away: nothing else of a file tells of them."""
    if tournament.settings.system is System.ROUND_ROBIN:
        return
    view, rounds = team_view(tournament), tournament.settings.rounds
    away: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for number in sorted(view.entrants):
        for in_round in range(1, rounds + 1):
            if not view.plays(number, in_round):
                granted = view.byes.get((number, in_round), Bye.ZERO)
                away[in_round, _LETTERS[granted]].append(number)
    yield from (ByeLine(letter, in_round, tuple(teams)) for (in_round, letter), teams in sorted(away.items()))


def _apart(tournament: Tournament) -> Iterator[ApartLine]:
    """The teams that are kept apart, from the round after that in which they met, if they did."""
    view, rounds = team_view(tournament), tournament.settings.rounds
    for one, other in sorted(sorted(pair) for pair in view.prohibited):
        met = (
            round_.number
            for round_ in view.rounds
            if (pairing := round_.of(one)) is not None and other in pairing.entrants
        )
        since = max(met, default=0) + 1
        if since <= rounds:
            yield ApartLine(since, rounds, (one, other))
