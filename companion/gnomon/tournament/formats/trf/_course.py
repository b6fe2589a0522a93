"""Convert the rounds of a report file into tournament events and check each with the fold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import open_tournament, step
from gnomon.tournament.events import (
    ByeGranted,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    HeadingTold,
    PairingAllowed,
    PairingProhibited,
    PersonTold,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.formats.trf._columns import BYES, RoundColumn
from gnomon.tournament.formats.trf._regulations import dutch_code
from gnomon.tournament.formats.trf.seating import bracket_round, seat
from gnomon.tournament.formats.trf.sheet import ApartLine, Remark, TrfError, TrfSheet
from gnomon.tournament.pairing import validator
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import NOBODY_KNOWN, NOTHING_TOLD
from gnomon.tournament.state.results import NOTHING
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.settings import Bye, System, TournamentSettings

MOST_CLAUSES: Final = 3
SWISS: Final = frozenset({System.SWISS, System.MCMAHON})
TAKEN_OVER: Final = "a report file told it so"


@dataclass(slots=True)
class Course:
    """The events so far, and the tournament they make."""

    events: list[Event]
    tournament: Tournament
    remarks: list[Remark] = field(default_factory=list)

    def apply(self, event: Event) -> None:
        """Let an event be the next. Raises TrfError when it cannot happen."""
        try:
            self.tournament = step(self.tournament, event)
        except TournamentError as error:
            raise TrfError(_short(error.statement)) from error
        self.events.append(event)


def _short(what: Statement) -> Statement:
    """What is said with the first few of its faults: a wrong column breaks a rule at every board."""
    faults = what.values.get("faults")
    if not isinstance(faults, list) or len(faults) <= MOST_CLAUSES:
        return what
    more = statement("tournament.trf.more", count=len(faults) - MOST_CLAUSES)
    return what._replace(values={**what.values, "faults": [*faults[:MOST_CLAUSES], more]})


def course_of(sheet: TrfSheet, settings: TournamentSettings, columns: Sequence[RoundColumn]) -> Course:
    """What happened, by the entries of all players. Raises TrfError for what cannot have happened."""
    try:
        return _play_rounds(sheet, settings, columns)
    except TrfError:
        for other in _variants(settings):
            with suppress(TrfError):
                return _play_rounds(sheet, other, columns)
        raise


def _variants(settings: TournamentSettings) -> Iterator[TournamentSettings]:
    """What else a knockout may be: a match for the third place, and a second life, show only when they were played."""
    if settings.system is System.KNOCKOUT:
        yield replace(settings, third_place=True)
        yield replace(settings, lives=2)


def enter_all(sheet: TrfSheet, settings: TournamentSettings, columns: Sequence[RoundColumn]) -> Course:
    """A tournament with its entrants, before the first round. Raises TrfError when one cannot enter."""
    opening = TournamentOpened(settings)
    course = Course([opening], open_tournament(opening))
    if sheet.heading != NOTHING_TOLD:
        course.apply(HeadingTold(sheet.heading))
    published = _paired_rounds(columns, settings)
    gone = _withdrawn_from(_byes_to_come(sheet, settings, columns), published + 1, settings.rounds)
    teams = {number: team.name for team in sheet.teams for number in team.numbers}
    for player in sheet.players:
        number = player.number
        since = 1
        if settings.system in SWISS and published:
            # An entrant who has no entry yet comes for the next round, unless they have left or there is none.
            coming = 1 if number in gone or published == settings.rounds else published + 1
            entries = (one for one, column in enumerate(columns[:published], start=1) if number in column.there)
            since = next(entries, coming)
        course.apply(EntrantRegistered(number, player.name, player.rating, teams.get(number, ""), since))
        if player.person != NOBODY_KNOWN:
            course.apply(PersonTold(number, player.person))
    return course


def _byes_to_come(
    sheet: TrfSheet, settings: TournamentSettings, columns: Sequence[RoundColumn]
) -> Mapping[tuple[int, int], Bye]:
    """The byes that are told for rounds still to be paired, by round and number."""
    following = _paired_rounds(columns, settings) + 1
    known = {
        (number, one): bye
        for number, column in enumerate(columns[following - 1 :], start=following)
        for one, bye in column.granted.items()
    }
    for line in sheet.byes:
        number = (line.round + settings.games - 1) // settings.games
        known |= {(number, one): BYES[line.bye] for one in line.numbers if number >= following}
    return known


def _withdrawn_from(known: Mapping[tuple[int, int], Bye], following: int, rounds: int) -> frozenset[int]:
    """Who is absent from every round that is left: they have gone for good."""
    left = range(following, rounds + 1)
    return frozenset(one for _, one in known if all(known.get((number, one)) is Bye.ZERO for number in left))


def _play_rounds(sheet: TrfSheet, settings: TournamentSettings, columns: Sequence[RoundColumn]) -> Course:
    course = enter_all(sheet, settings, columns)
    engine = dutch_code(sheet.system)
    scores = dict.fromkeys(course.tournament.entrants, NOTHING)
    for number, column in enumerate(columns[: _paired_rounds(columns, settings)], start=1):
        _absences(course, column)
        _prohibitions(course, _kept_apart(sheet.apart, number))
        pairings = seat(course.tournament, column, scores)
        faults = validator.faults_of(course.tournament, number, pairings)
        override = TAKEN_OVER if faults.sides and not faults.meetings else ""
        if override:
            what = statement("tournament.trf.taken_over", round=number, faults=list(faults.sides))
            course.remarks.append(Remark(_short(what)))
        course.apply(RoundPublished(number, pairings, override, engine))
        for pairing in pairings:
            result = column.games.get((pairing.first, pairing.second or 0))
            if result:
                course.apply(ResultEntered(number, pairing.board, result))
        # Round by round: to compute all again for each would take the square of their number.
        for one, turns in histories(replace(course.tournament, rounds=course.tournament.rounds[-1:])).items():
            scores[one] += score(turns)
    _to_come(course, sheet, columns)
    return course


def _paired_rounds(columns: Sequence[RoundColumn], settings: TournamentSettings) -> int:
    """How many rounds were paired. Raises TrfError when one before them was not."""
    # A round of a bracket may have nobody but one who goes on without a game.
    knockout_ = settings.system is System.KNOCKOUT
    paired = [number for number, one in enumerate(columns, start=1) if one.published or (knockout_ and one.there)]
    if paired and paired[-1] != len(paired):
        missing = next(number for number in range(1, paired[-1]) if number not in paired)
        raise TrfError(statement("tournament.trf.gap", round=missing, later=paired[-1]))
    return len(paired)


def _absences(course: Course, column: RoundColumn) -> None:
    """Who leaves, comes back and has a bye before a round is paired."""
    tournament = course.tournament
    number = tournament.next_round
    if tournament.settings.system not in SWISS:
        for one, bye in column.granted.items():
            if bye is not Bye.ZERO:
                raise TrfError(
                    statement(
                        "tournament.trf.bye_here",
                        who=tournament.label_of(one),
                        bye=bye.value,
                        round=number,
                        system=tournament.settings.system.value,
                    )
                )
        if tournament.settings.system is System.KNOCKOUT:
            _out_of_the_bracket(course, column)
        return
    for one, entrant in tournament.entrants.items():
        gone = tournament.has_left(one, number)
        if entrant.since <= number and one not in column.there and not gone:
            course.apply(EntrantWithdrew(one, number))
        elif gone and one in column.there:
            course.apply(EntrantReturned(one))
    for one, bye in column.granted.items():
        course.apply(ByeGranted(one, number, bye))


def _out_of_the_bracket(course: Course, column: RoundColumn) -> None:
    """Whom the bracket expects, and the file does not name, has withdrawn."""
    try:
        expected = bracket_round(course.tournament)
    except TournamentError as error:
        raise TrfError(error.statement) from error
    for one in (one for pairing in expected for one in pairing.entrants):
        if one not in column.there:
            course.apply(EntrantWithdrew(one, course.tournament.next_round))


def _kept_apart(lines: Iterable[ApartLine], number: int) -> frozenset[frozenset[int]]:
    """Who must not meet in a round, by the lines that name rounds."""
    return frozenset(
        frozenset(pair)
        for line in lines
        if line.first is not None and line.first <= number and (line.last is None or number <= line.last)
        for pair in combinations(line.numbers, 2)
    )


def _prohibitions(course: Course, apart: frozenset[frozenset[int]]) -> None:
    for pair in sorted(map(sorted, course.tournament.prohibited - apart)):
        course.apply(PairingAllowed(*pair))
    for pair in sorted(map(sorted, apart - course.tournament.prohibited)):
        course.apply(PairingProhibited(pair[0], pair[-1]))


def _to_come(course: Course, sheet: TrfSheet, columns: Sequence[RoundColumn]) -> None:
    """What is known of the rounds still to be paired."""
    following, rounds = course.tournament.next_round, course.tournament.settings.rounds
    always = ApartLine(1, None, ())
    apart = [line if line.first else always._replace(numbers=line.numbers) for line in sheet.apart]
    _prohibitions(course, _kept_apart(apart, min(following, rounds)))
    known = _byes_to_come(sheet, course.tournament.settings, columns)
    gone = _withdrawn_from(known, following, rounds)
    if following <= rounds:
        for one in course.tournament.entrants:
            left = course.tournament.has_left(one, following)
            if one in gone and not left:
                course.apply(EntrantWithdrew(one, following))
            elif left and one not in gone and course.tournament.settings.system in SWISS:
                course.apply(EntrantReturned(one))
    for (number, one), bye in sorted(known.items()):
        if one not in gone:
            course.apply(ByeGranted(one, number, bye))
