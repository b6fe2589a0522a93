"""Convert a tournament into the sheet of a report file."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.formats.trf._columns import BYES, LETTERS
from gnomon.tournament.formats.trf._numbers import runs
from gnomon.tournament.formats.trf._players import MOST_RATING
from gnomon.tournament.formats.trf._regulations import (
    code_of,
    code_of_tie_break,
    columns_per_round,
    dutch_code,
    points_of,
    words_of,
)
from gnomon.tournament.formats.trf._team_sheet import add_teams
from gnomon.tournament.formats.trf.sheet import (
    MOST_NUMBER,
    NAME_WIDTH,
    TEAM_WIDTH,
    ApartLine,
    Bonus,
    ByeLine,
    Cell,
    PlayerLine,
    TeamLine,
    TrfError,
    TrfSheet,
)
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import Heading, Virtual
from gnomon.tournament.state.results import GameResult, Points, Result
from gnomon.tournament.state.round_history import winner
from gnomon.tournament.state.rounds import Pairing, Round
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from gnomon.tournament.strength.given_points import lent_points, starting_points
from gnomon.tournament.teams.matches import as_people, book_of, team_view

MEMBERS: Final = 14  # columns of a line for a team
MOST_POINTS: Final = 999  # in four columns, with a decimal

_BYE_LETTERS: Final = {bye: letter for letter, bye in BYES.items()}


def sheet_of(tournament: Tournament) -> TrfSheet:
    """What a file can tell of a tournament: nothing of the round that is being played, for it has no letter for that.

    Raises TrfError for numbers and points that its columns cannot hold.
    """
    if tournament.waiting:
        tournament = replace(tournament, rounds=tournament.rounds[:-1])
    if tournament.teams is not None:
        sheet = add_teams(sheet_of(as_people(tournament)), tournament)
        lent = (*sheet.heading.virtual, *lent_to_teams(tournament))
        return replace(sheet, heading=replace(sheet.heading, virtual=lent))
    settings = tournament.settings
    if max(tournament.entrants, default=0) > MOST_NUMBER:
        raise TrfError(statement("tournament.trf.many_entrants", count=max(tournament.entrants), most=MOST_NUMBER))
    a_result = statement("tournament.word.a_result")
    ranked = standings(tournament)
    absent = [number for number in tournament.seeds if not tournament.took_part(number)]
    places = {one.number: one.place for one in ranked} | dict.fromkeys(absent, len(ranked) + 1)
    points = {one.number: one.points for one in ranked} | {one: starting_points(tournament, one) for one in absent}
    return TrfSheet(
        name=_plain(settings.name),
        heading=_written_heading(tournament),
        rounds=settings.rounds * columns_per_round(settings),
        first_side="W" if settings.leader_first else "B",
        points={letter: _writable(worth, a_result) for letter, worth in points_of(settings.scoring).items()},
        system=code_of(tournament),
        tie_breaks=tuple(code for name in settings.tie_breaks if (code := code_of_tie_break(name)) is not None),
        players=tuple(
            _player(tournament, tournament.entrants[number], points[number], places[number])
            for number in sorted(tournament.entrants)
        ),
        byes=_byes(tournament),
        apart=(*_apart(tournament), *(() if has_teams(tournament) else _mates_apart(tournament))),
        bonuses=_bonuses(tournament),
        teams=_teams(tournament) if has_teams(tournament) else (),
    )


def has_teams(tournament: Tournament) -> bool:
    """Whether a file tells the teams of the entrants.

    Where it bears the code of a federation's rules it does not: to their engines and checkers a line for a team makes
    it a competition of teams against teams, which bbpPairings 6 refuses to read.
    """
    return not dutch_code(code_of(tournament))


def mates(tournament: Tournament) -> Iterator[tuple[int, ...]]:
    """The members of each team who must not meet."""
    if tournament.settings.team_mates_meet:
        return
    teams: defaultdict[str, list[int]] = defaultdict(list)
    for number, entrant in sorted(tournament.entrants.items()):
        if entrant.team:
            teams[entrant.team].append(number)
    yield from (tuple(members) for members in teams.values() if len(members) > 1)


def _written_heading(tournament: Tournament) -> Heading:
    """The heading with each text in one line, the kind where none is told, and what Baku lends."""
    heading = tournament.heading
    told = {one.name: getattr(heading, one.name) for one in fields(Heading)}
    plain: dict[str, Any] = {name: _plain(text) for name, text in told.items() if isinstance(text, str)}
    deputies = tuple(map(_plain, heading.deputies))
    plain["kind"] = plain["kind"] or words_of(tournament.settings)
    return replace(heading, **plain, deputies=deputies, virtual=(*heading.virtual, *_virtual_points(tournament)))


def _plain(text: str) -> str:
    """Text in one line, as columns need it."""
    return " ".join(text.split())


def _writable(points: Points, whose: str | Statement) -> Points:
    """Points that four columns with one decimal hold. Raises TrfError for others."""
    if (10 * points).denominator != 1 or not 0 <= points <= MOST_POINTS:
        raise TrfError(statement("tournament.trf.tenths", who=whose, points=str(points), most=MOST_POINTS))
    return points


def _player(tournament: Tournament, entrant: Entrant, points: Points, place: int) -> PlayerLine:
    name = _plain(entrant.name)[:NAME_WIDTH].rstrip()
    rating = entrant.rating if entrant.rating and 0 < entrant.rating <= MOST_RATING else None
    cells = tuple(cell for round_ in tournament.rounds for cell in _cells(tournament, round_, entrant.number))
    person = tournament.person(entrant.number)
    return PlayerLine(entrant.number, name, rating, person, _writable(points, name), place, cells)


def _cells(tournament: Tournament, round_: Round, number: int) -> tuple[Cell, ...]:
    """The columns of a round for one entrant: one, or one for each of its games."""
    settings = tournament.settings
    columns = columns_per_round(settings)
    pairing = round_.of(number)
    if pairing is None:
        granted = tournament.byes.get((number, round_.number))
        return (Cell() if granted is None else Cell(None, "-", _BYE_LETTERS[granted]),) * columns
    if pairing.second is None:
        # An entrant who goes on in a bracket without a game gets no point for it: to a file that is an absence.
        return (Cell(None, "-", "Z" if settings.system is System.KNOCKOUT else "U"),) * columns
    result = round_.results.get(pairing.board, ())
    games = _in_columns(settings, pairing, result)
    return tuple(_cell(pairing, game, number, changed=bool(index % 2)) for index, game in enumerate(games))


def _in_columns(settings: TournamentSettings, pairing: Pairing, result: Result) -> tuple[GameResult, ...]:
    """The result for each column: of each game, or of the match where that counts as one."""
    columns = columns_per_round(settings)
    if len(result) == columns:
        return result
    won = winner(pairing, result)
    if all(not game.played for game in result):
        forfeits = (GameResult.FIRST_BY_FORFEIT, GameResult.SECOND_BY_FORFEIT)
        return (GameResult.DOUBLE_FORFEIT if won is None else forfeits[won != pairing.first],)
    if won is None:
        return (GameResult.BOTH_LOST if _nobody_scored(result) else GameResult.DRAWN,)
    return (GameResult.FIRST_WON if won == pairing.first else GameResult.SECOND_WON,)


def _nobody_scored(result: Result) -> bool:
    return set(result) <= {GameResult.BOTH_LOST, GameResult.DOUBLE_FORFEIT}


def _cell(pairing: Pairing, game: GameResult, number: int, *, changed: bool) -> Cell:
    first = number == pairing.first
    opponent = pairing.second if first else pairing.first
    return Cell(opponent, "w" if first != changed else "b", LETTERS[game][0 if first else 1])


def _byes(tournament: Tournament) -> tuple[ByeLine, ...]:
    """The byes of rounds still to be paired (those before stand in their columns), and absences of those who left."""
    columns = columns_per_round(tournament.settings)
    granted: defaultdict[tuple[int, Bye], list[int]] = defaultdict(list)
    for (number, in_round), bye in sorted(tournament.byes.items()):
        if in_round >= tournament.next_round:
            granted[in_round, bye].append(number)
    for number, since in sorted(tournament.withdrawn.items()):
        for in_round in range(max(since, tournament.next_round), tournament.settings.rounds + 1):
            granted[in_round, Bye.ZERO].append(number)
    return tuple(
        ByeLine(_BYE_LETTERS[bye], (in_round - 1) * columns + column, tuple(numbers))
        for (in_round, bye), numbers in sorted(granted.items(), key=lambda each: (each[0][0], each[1]))
        for column in range(1, columns + 1)
    )


def _apart(tournament: Tournament) -> tuple[ApartLine, ...]:
    """Who is kept apart, from the round after that in which they met, if they did."""
    columns, rounds = columns_per_round(tournament.settings), tournament.settings.rounds
    lines = []
    for one, other in sorted(sorted(pair) for pair in tournament.prohibited):
        met = (round_.number for round_ in tournament.rounds if _sat(round_, one, other))
        since = max(met, default=0) + 1
        if since <= rounds:
            lines.append(ApartLine((since - 1) * columns + 1, rounds * columns, (one, other)))
    return tuple(lines)


def _mates_apart(tournament: Tournament) -> Iterator[ApartLine]:
    rounds = tournament.settings.rounds * columns_per_round(tournament.settings)
    return (ApartLine(1, rounds, members) for members in mates(tournament))


def _sat(round_: Round, one: int, other: int) -> bool:
    pairing = round_.of(one)
    return pairing is not None and other in pairing.entrants


def _bonuses(tournament: Tournament) -> tuple[Bonus, ...]:
    """What McMahon gives to begin with."""
    begin: defaultdict[Points, list[int]] = defaultdict(list)
    for number in sorted(tournament.entrants):
        begin[starting_points(tournament, number)].append(number)
    return tuple(Bonus(points, None, tuple(numbers)) for points, numbers in sorted(begin.items()) if points)


def _virtual_points(tournament: Tournament) -> Iterator[Virtual]:
    """What Baku lends, a line for each run of numbers and round; a file's rounds may be half of one."""
    columns = columns_per_round(tournament.settings)
    for number in range(1, tournament.settings.rounds + 1):
        lent = lent_points(tournament, number)
        for run in runs(lent):
            first, last = (number - 1) * columns + 1, number * columns
            yield Virtual(_writable(lent[run[0]], "acceleration"), first, last, run[0], run[-1])


def lent_to_teams(tournament: Tournament) -> Iterator[Virtual]:
    """What Baku lends to teams: points of matches, or of games where those rank first."""
    if book_of(tournament).play.games_first:
        yield from _virtual_points(team_view(tournament))
    else:
        for lent in _virtual_points(team_view(tournament)):
            yield lent._replace(points=Points(0), match_points=lent.points)


def _teams(tournament: Tournament) -> tuple[TeamLine, ...]:
    members: defaultdict[str, list[int]] = defaultdict(list)
    for number, entrant in sorted(tournament.entrants.items()):
        if entrant.team:
            members[_plain(entrant.team)[:TEAM_WIDTH].rstrip()].append(number)
    return tuple(
        TeamLine(team, tuple(numbers[start : start + MEMBERS]))
        for team, numbers in sorted(members.items())
        for start in range(0, len(numbers), MEMBERS)
    )
