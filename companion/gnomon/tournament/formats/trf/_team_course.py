"""Convert the rounds of a competition of teams in a report file into tournament events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, islice, repeat
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import open_tournament
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    HeadingTold,
    LineupTold,
    PairingAllowed,
    PairingProhibited,
    PersonTold,
    ResultEntered,
    RoundPublished,
    TeamPlayTold,
    TeamTold,
    TeamWithdrew,
    TournamentOpened,
)
from gnomon.tournament.formats.trf._columns import BYES, RoundColumn
from gnomon.tournament.formats.trf._course import Course
from gnomon.tournament.formats.trf._team_bracket import begin_cup_round, cup_variants, last_lone_round, seat_cup
from gnomon.tournament.formats.trf._team_codes import TeamFormat
from gnomon.tournament.formats.trf.seating import seat
from gnomon.tournament.formats.trf.sheet import Remark, TeamLine, TrfError, TrfSheet
from gnomon.tournament.state.particulars import NOBODY_KNOWN, NOTHING_TOLD
from gnomon.tournament.state.results import HALF, Points
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import Bye, Scoring, System, TournamentSettings
from gnomon.tournament.state.team_play import MATCH_POINTS, MOST_BOARDS, TeamPlay
from gnomon.tournament.teams.matches import book_of, match_view, team_view
from gnomon.tournament.teams.seating import EMPTY, lineup_of

_TWO: Final = 2


def play_of(
    sheet: TrfSheet, told: TeamFormat, columns: Sequence[RoundColumn], settings: TournamentSettings
) -> TeamPlay:
    """How the teams of a file play each other. Raises TrfError where no teams play so."""
    teams = _by_number(sheet)
    told_boards = [len(order.players) for order in sheet.orders]
    told_boards += [_most_games(column, _of_players(teams)) for column in columns]
    boards = len(sheet.sides) or max(told_boards, default=0)
    boards = boards or min(MOST_BOARDS, max((len(team.numbers) for team in teams.values()), default=1))
    usual, bye = MATCH_POINTS, sheet.team_bye
    win, draw, loss = (
        sheet.match_points.get(letter, worth)
        for letter, worth in zip("WDL", (usual.win, usual.draw, usual.loss), strict=True)
    )
    try:
        return TeamPlay(
            boards,
            Scoring(win, draw, loss, draw if bye is None else bye.match_points),
            min(HALF, settings.scoring.win) if bye is None else bye.game_points / boards,
            told.games_first,
            alternate=len(set(sheet.sides)) != 1 or len(sheet.sides) == 1,
            scheveningen=told.scheveningen,
        )
    except TournamentError as error:
        raise TrfError(error.statement) from error


def team_course_of(
    sheet: TrfSheet, settings: TournamentSettings, play: TeamPlay, columns: Sequence[RoundColumn]
) -> Course:
    """What happened, by the entries of all players and the lines of teams. Raises TrfError for what cannot have."""
    try:
        return _play_rounds(sheet, settings, play, columns)
    except TrfError:
        for other, others_play in cup_variants(settings, play):
            with suppress(TrfError):
                return _play_rounds(sheet, other, others_play, columns)
        raise


def _play_rounds(
    sheet: TrfSheet, settings: TournamentSettings, play: TeamPlay, columns: Sequence[RoundColumn]
) -> Course:
    opening = TournamentOpened(settings)
    course = Course([opening], open_tournament(opening))
    course.apply(TeamPlayTold(play))
    if sheet.heading != NOTHING_TOLD:
        course.apply(HeadingTold(sheet.heading))
    for player in sheet.players:
        course.apply(EntrantRegistered(player.number, player.name, player.rating))
        if player.person != NOBODY_KNOWN:
            course.apply(PersonTold(player.number, player.person))
    teams = _by_number(sheet)
    for number, team in teams.items():
        course.apply(TeamTold(number, team.name, team.numbers))
    _check_teams(sheet, teams)
    published = max((n for n, column in enumerate(columns, start=1) if _is_paired(sheet, n, column)), default=0)
    if settings.system is System.KNOCKOUT:
        published = max(published, last_lone_round(sheet))
    nobody = repeat(RoundColumn({}, (), {}))
    for number, column in enumerate(islice(chain(columns, nobody), published), start=1):
        _play_round(course, sheet, number, column)
    _to_come(course, sheet)
    course.remarks.extend(_of_points(course, teams))
    return course


def _by_number(sheet: TrfSheet) -> Mapping[int, TeamLine]:
    """The teams by their numbers, or as they stand in the file where they have none. Raises TrfError."""
    found: dict[int, TeamLine] = {}
    for place, team in enumerate(sheet.teams, start=1):
        number = team.number or place
        if number in found:
            raise TrfError(statement("tournament.trf.team_twice", number=number), team.line)
        found[number] = team
    return found


def _of_players(teams: Mapping[int, TeamLine]) -> Mapping[int, int]:
    return {player: number for number, team in teams.items() for player in team.numbers}


def _check_teams(sheet: TrfSheet, teams: Mapping[int, TeamLine]) -> None:
    """Raise TrfError for a line that names a team which the file does not have."""
    naming: list[tuple[tuple[int, ...], int | None]] = [
        (line.numbers, line.line) for lines in (sheet.byes, sheet.apart) for line in lines
    ]
    naming += [((order.team, order.opponent), order.line) for order in sheet.orders]
    naming += [((forfeit.first, forfeit.second), forfeit.line) for forfeit in sheet.forfeits]
    naming += [] if sheet.team_bye is None else [(tuple(filter(None, sheet.team_bye.teams)), sheet.team_bye.line)]
    for numbers, line in naming:
        stranger = next((number for number in numbers if number not in teams), None)
        if stranger is not None:
            raise TrfError(statement("tournament.trf.no_team", number=stranger), line)


def _most_games(column: RoundColumn, teams: Mapping[int, int]) -> int:
    """The most games that two teams play in a round."""
    counts: dict[frozenset[int | None], int] = {}
    for first, second in column.games:
        pair = frozenset((teams.get(first), teams.get(second)))
        counts[pair] = counts.get(pair, 0) + 1
    return max(counts.values(), default=0)


def _is_paired(sheet: TrfSheet, number: int, column: RoundColumn) -> bool:
    return column.published or any(forfeit.round == number for forfeit in sheet.forfeits)


def _play_round(course: Course, sheet: TrfSheet, number: int, column: RoundColumn) -> None:
    matches, lone = _matches(course, sheet, number, column)
    is_cup = course.tournament.settings.system is System.KNOCKOUT
    if is_cup:
        begin_cup_round(course, sheet, number, matches)
    _absences(course, sheet, number, {team for match in matches for team in match} | {*lone})
    _prohibitions(course, sheet, number)
    lineups = {order.team: order.players for order in sheet.orders if order.round == number}
    teams = _of_players(_by_number(sheet))
    # A bye in a player's own columns means no board: others write so of everybody who is not lined up.
    there = {one for pair in column.games for one in pair} | {*column.idle}
    for team in sorted({team for match in matches for team in match}):
        played = tuple(one for one in book_of(course.tournament).rosters[team].members if one in there)
        boards = book_of(course.tournament).play.boards
        players = lineups.get(team, (*played, *(EMPTY,) * (boards - len(played))))
        if players != lineup_of(course.tournament, team, number):
            course.apply(LineupTold(team, number, players))
    view = team_view(course.tournament)
    if is_cup:
        pairings = seat_cup(view, matches, lone)
    elif book_of(course.tournament).play.scheveningen:
        pairings = at_boards(sorted(matches))
    else:
        scores = {one: score(turns) for one, turns in histories(view).items()}
        pairings = seat(view, RoundColumn(dict.fromkeys(matches, ()), lone, {}), scores)
    course.apply(RoundPublished(number, pairings))
    _enter_results(course, number, column, teams)


def _matches(
    course: Course, sheet: TrfSheet, number: int, column: RoundColumn
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Who met whom in a round, the team that moves first at board 1 first, and which team had the bye."""
    teams = _of_players(_by_number(sheet))
    play = book_of(course.tournament).play
    found: dict[frozenset[int], tuple[int, int]] = {}
    for first, second in _in_board_order(course, column):
        if first not in teams or second not in teams or teams[first] == teams[second]:
            what = statement("tournament.trf.no_match", round=number, one=first, other=second)
            raise TrfError(what)
        one, other = teams[first], teams[second]
        if frozenset((one, other)) not in found:
            place = _place_of(course, sheet, number, one, first)
            found[frozenset((one, other))] = (one, other) if not play.alternate or place % _TWO == 0 else (other, one)
    for forfeit in sheet.forfeits:
        if forfeit.round == number:
            found.setdefault(frozenset((forfeit.first, forfeit.second)), (forfeit.first, forfeit.second))
    for order in sheet.orders:
        if order.round == number:
            found.setdefault(frozenset((order.team, order.opponent)), (order.team, order.opponent))
    if play.scheveningen:
        found = {pair: (min(match), max(match)) for pair, match in found.items()}
    had = sheet.team_bye.teams if sheet.team_bye is not None else ()
    lone = tuple(filter(None, had[number - 1 : number]))
    return tuple(found.values()), lone


def _in_board_order(course: Course, column: RoundColumn) -> Iterable[tuple[int, int]]:
    """The games of a round, those of players who stand high in their rosters first."""
    places = {
        member: place
        for roster in book_of(course.tournament).rosters.values()
        for place, member in enumerate(roster.members)
    }
    return sorted(column.games, key=lambda pair: (min(places.get(one, 0) for one in pair), pair))


def _place_of(course: Course, sheet: TrfSheet, number: int, team: int, player: int) -> int:
    """At which board of its match, counted from 0, somebody plays for a team."""
    told = next((one.players for one in sheet.orders if (one.round, one.team) == (number, team)), None)
    if told is not None and player in told:
        return told.index(player)
    there = [
        one
        for one in book_of(course.tournament).rosters[team].members
        if next(p for p in sheet.players if p.number == one).cell(number - 1).opponent is not None
    ]
    return there.index(player)


def _absences(course: Course, sheet: TrfSheet, number: int, paired: set[int]) -> None:
    """The byes that teams had asked for; a team that is in no match had a round without points."""
    if course.tournament.settings.system is not System.SWISS:
        return
    granted = {team: BYES[line.bye] for line in sheet.byes if line.round == number for team in line.numbers}
    for team in book_of(course.tournament).matches.entrants:
        if team not in paired:
            course.apply(ByeGranted(team, number, granted.get(team, Bye.ZERO)))


def _prohibitions(course: Course, sheet: TrfSheet, number: int) -> None:
    apart = frozenset(
        frozenset(pair)
        for line in sheet.apart
        if (line.first or 1) <= number <= (line.last or course.tournament.settings.rounds)
        for pair in combinations(line.numbers, _TWO)
    )
    now = book_of(course.tournament).matches.prohibited
    for pair in sorted(map(sorted, now - apart)):
        course.apply(PairingAllowed(*pair))
    for pair in sorted(map(sorted, apart - now)):
        course.apply(PairingProhibited(pair[0], pair[-1]))


def _enter_results(course: Course, number: int, column: RoundColumn, teams: Mapping[int, int]) -> None:
    games = dict(column.games)
    for pairing in course.tournament.rounds[-1].pairings:
        if pairing.second is None:
            continue
        result = games.pop((pairing.first, pairing.second), None)
        if result is None:
            raise TrfError(_miss(number, pairing))
        if result:
            course.apply(ResultEntered(number, pairing.board, result))
    if games:
        first, second = next(iter(games))
        raise TrfError(statement("tournament.trf.no_board", round=number, one=first, other=second, team=teams[first]))


def _miss(number: int, pairing: Pairing) -> Statement:
    return statement("tournament.trf.team_boards", round=number, one=pairing.first, other=pairing.second)


def _to_come(course: Course, sheet: TrfSheet) -> None:
    """What is known of the rounds still to be paired."""
    tournament = course.tournament
    following, rounds = tournament.next_round, tournament.settings.rounds
    if tournament.settings.system is System.KNOCKOUT:
        begin_cup_round(course, sheet, following, ())
    if following > rounds:
        return
    _prohibitions(course, sheet, following)
    if tournament.settings.system is not System.SWISS:
        return
    known = {
        (line.round, team): BYES[line.bye] for line in sheet.byes if line.round >= following for team in line.numbers
    }
    left = range(following, rounds + 1)
    gone = {team for _, team in known if all(known.get((number, team)) is Bye.ZERO for number in left)}
    for team in sorted(gone):
        course.apply(TeamWithdrew(team, following))
    for (number, team), bye in sorted(known.items()):
        if team not in gone:
            course.apply(ByeGranted(team, number, bye))


def _of_points(course: Course, teams: Mapping[int, TeamLine]) -> Iterator[Remark]:
    made = {number: score(turns) for number, turns in histories(match_view(course.tournament)).items()}
    for number, team in teams.items():
        told: Points | None = team.match_points
        if told is not None and told != made[number]:
            who = f"{number} {team.name}"
            what = statement("tournament.trf.points_differ", who=who, told=float(told), counted=float(made[number]))
            yield Remark(what, team.line)
