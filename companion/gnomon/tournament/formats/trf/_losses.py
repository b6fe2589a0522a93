"""Write a tournament as a report file and list what is lost in it, by reading the file back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.formats.trf._numbers import by_seeds
from gnomon.tournament.formats.trf._reader import read_trf
from gnomon.tournament.formats.trf.sheet import Remark, TrfEdition, TrfError
from gnomon.tournament.formats.trf.sheets import has_teams, sheet_of
from gnomon.tournament.formats.trf.writer import LINE_END, format_sheet
from gnomon.tournament.settings.texts import grade_rules_text
from gnomon.tournament.state import TeamBook, Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.results import format_result as result_written
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.state.settings import GradeRules, System, TournamentSettings

TOLD_APART: Final = frozenset(
    {"settings", "entrants", "withdrawn", "byes", "prohibited", "rounds", "heading", "persons", "teams"}
)


@dataclass(frozen=True, slots=True)
class TrfText:
    """A file's text, and what of the tournament it does not tell."""

    text: str
    left_out: tuple[Remark, ...]


_OF_THE_OFFICE: Final = ("checked_in", "payments", "prizes", "deadlines", "stage_seeds")
"""What an event needs and no federation asks for."""
_TOLD: Final = frozenset({System.SWISS, System.MCMAHON, System.ROUND_ROBIN, System.KNOCKOUT})
"""The systems that a report file can tell."""


def has_report(tournament: Tournament) -> bool:
    """Whether a report file can tell what a tournament plays."""
    return _untellable(tournament) is None


def _untellable(tournament: Tournament) -> Statement | None:
    """Why no report file can tell a tournament, None where one can."""
    settings = tournament.settings
    if settings.system not in _TOLD:
        return statement("tournament.trf.system", tournament=settings.name, system=settings.system.value)
    # The lines of teams know one game a round.
    return statement("tournament.trf.team_games") if tournament.teams is not None and settings.games > 1 else None


def write_trf(tournament: Tournament, edition: TrfEdition = TrfEdition.TRF26, line_end: str = LINE_END) -> TrfText:
    """A tournament as a report file: entrants numbered by rank, as engines want them, and the rounds that are over.

    Raises TrfError for numbers and points that the format's columns cannot hold, and for what it cannot tell.
    """
    untellable = _untellable(tournament)
    if untellable is not None:
        raise TrfError(untellable)
    told, had = by_seeds(tournament)
    if told.waiting:
        told = replace(told, rounds=told.rounds[:-1])
    text = format_sheet(sheet_of(told), edition, line_end)
    return TrfText(text, tuple(Remark(what) for what in (*_not_so(tournament, had), *_losses(told, text))))


def _not_so(tournament: Tournament, had: Mapping[int, int]) -> Iterator[Statement]:
    """What the file tells otherwise on purpose."""
    if any(new != old for new, old in had.items()):
        yield statement("tournament.trf.renumbered")
    if tournament.waiting:
        yield statement("tournament.trf.round_not_over", round=len(tournament.rounds))


def _losses(tournament: Tournament, text: str) -> Iterator[Statement]:
    try:
        read = read_trf(text)
    except TrfError as error:
        yield statement("tournament.trf.not_read_back", cause=error.statement)
        return
    told = read.tournament
    yield from _of_heading(tournament.heading, told.heading)
    yield from _of_persons(tournament, told)
    yield from _of_settings(tournament.settings, told.settings)
    yield from _of_entrants(tournament, told)
    yield from _of_teams(tournament, told)
    # Of a cup, a last round in which several teams went on and nobody met anybody is in no file.
    rounds = tuple(zip(tournament.rounds, told.rounds, strict=tournament.teams is None))
    moved = [was.number for was, now in rounds if set(was.pairings) != set(now.pairings)]
    if moved:
        yield statement("tournament.trf.boards.one" if len(moved) == 1 else "tournament.trf.boards.other", rounds=moved)
    for was, now in rounds:
        yield from _of_round(was, now)
    for one in fields(Tournament):
        kept, read = getattr(tournament, one.name), getattr(told, one.name)
        if one.name in _OF_THE_OFFICE and kept != read:
            yield Statement(f"tournament.trf.without.{one.name}")
        elif one.name not in TOLD_APART and kept and kept != read:
            yield _only_led_to(one.name, len(kept))


def _only_led_to(name: str, count: int) -> Statement:
    """That a file has no corrections, lots or orders, but shows what they led to."""
    number = "one" if count == 1 else "other"
    return Statement(f"tournament.trf.only_led_to.{name}.{number}", {"count": count}, short="only_led_to")


def _of_persons(was: Tournament, now: Tournament) -> Iterator[Statement]:
    clubs = sum(bool(person.club) for person in was.persons.values())
    if clubs:
        yield statement("tournament.trf.club.one" if clubs == 1 else "tournament.trf.club.other", number=clubs)
    for number, person in sorted(was.persons.items()):
        read = now.person(number)
        names = [one.name for one in fields(PersonalData) if one.name != "club"]
        what = [name.replace("_", " ") for name in names if getattr(person, name) != getattr(read, name)]
        if what:
            yield statement("tournament.trf.person", who=was.label_of(number), fields=what)


def _of_heading(was: Heading, now: Heading) -> Iterator[Statement]:
    for one in fields(Heading):
        # Points that are lent may be parted otherwise.
        if one.name != "virtual" and getattr(was, one.name) != getattr(now, one.name):
            kept, read = _printable(getattr(was, one.name)), _printable(getattr(now, one.name))
            yield statement("tournament.trf.heading", field=one.name.replace("_", " "), kept=kept, read=read)


def _of_settings(was: TournamentSettings, now: TournamentSettings) -> Iterator[Statement]:
    for one in fields(TournamentSettings):
        if (kept := getattr(was, one.name)) != (read := getattr(now, one.name)):
            name = one.name.replace("_", " ")
            yield statement("tournament.trf.setting", setting=name, kept=_printable(kept), read=_printable(read))


def _printable(value: object) -> str | Statement:
    if isinstance(value, bool):
        return statement("tournament.word.on" if value else "tournament.word.off")
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or statement("tournament.word.none")
    if isinstance(value, GradeRules):
        return grade_rules_text(value)
    return str(value) or statement("tournament.word.nothing")


def _of_entrants(was: Tournament, now: Tournament) -> Iterator[Statement]:
    members = sum(bool(one.team) for one in was.entrants.values())
    if members and not has_teams(was):
        yield statement("tournament.trf.team.one" if members == 1 else "tournament.trf.team.other", number=members)
    for number, one in sorted(was.entrants.items()):
        read = now.entrants[number]
        for name in one._fields:
            if getattr(one, name) != getattr(read, name) and (name != "team" or has_teams(was)):
                kept, again = _printable(getattr(one, name)), _printable(getattr(read, name))
                yield statement("tournament.trf.entrant", who=was.label_of(number), field=name, kept=kept, read=again)
        if was.withdrawn.get(number) != now.withdrawn.get(number):
            since = was.withdrawn.get(number)
            if since is None:
                yield statement("tournament.trf.still_there", who=was.label_of(number))
            else:
                yield statement("tournament.trf.has_left", who=was.label_of(number), round=since)
    for (number, in_round), bye in sorted(was.byes.items()):
        if now.byes.get((number, in_round)) is not bye:
            yield statement("tournament.trf.bye_lost", who=was.label_of(number), bye=bye.value, round=in_round)
    for pair in sorted(map(sorted, was.prohibited - now.prohibited)):
        one_of, other = map(was.label_of, pair)
        yield statement("tournament.trf.apart_lost", one=one_of, other=other)


def _of_teams(was: Tournament, now: Tournament) -> Iterator[Statement]:
    """What a file tells of teams otherwise; captains and line-ups to come it does not tell at all."""
    if was.teams is None:
        return
    if now.teams is None:
        yield statement("tournament.trf.teams_lost")
        return
    yield from _of_book(was.teams, now.teams, was.next_round)


def _of_the_office_of_teams(matches: Tournament) -> Iterator[Statement]:
    """What an event needs of its teams and no federation asks for."""
    if matches.stage_seeds:
        yield statement("tournament.trf.without.stage_seeds")
    if matches.payments:
        yield statement("tournament.trf.without.team_payments")


def _of_decisions(kept: Tournament, read: Tournament) -> Iterator[Statement]:
    """By what it was decided who stands before whom among teams that are level."""
    for name in ("lots", "orders"):
        told = getattr(kept, name)
        if told and told != getattr(read, name):
            yield _only_led_to(name, len(told))


def _of_book(kept: TeamBook, read: TeamBook, following: int) -> Iterator[Statement]:
    if kept.play != read.play:
        yield statement("tournament.trf.team_play")
    captains = sum(bool(roster.captain) for roster in kept.rosters.values())
    if captains:
        yield statement("tournament.trf.captains", number=captains)
    coming = sum(in_round >= following for _, in_round in kept.lineups)
    if coming:
        yield statement("tournament.trf.lineups_to_come", number=coming)
    for number, roster in sorted(kept.rosters.items()):
        again = read.rosters.get(number)
        if again is None or again.members != roster.members:
            yield statement("tournament.trf.roster", team=kept.matches.label_of(number))
    told = {one.number: set(one.pairings) for one in read.matches.rounds}
    others = [
        one.number
        for one in kept.matches.rounds
        if one.number < following and set(one.pairings) != told.get(one.number)
    ]
    if others:
        yield statement("tournament.trf.matches", rounds=others)
    yield from _of_decisions(kept.matches, read.matches)
    yield from _of_the_office_of_teams(kept.matches)
    for number, since in sorted(kept.matches.withdrawn.items()):
        if not read.matches.has_left(number, following):
            yield statement("tournament.trf.has_left", who=kept.matches.label_of(number), round=since)


def _of_round(was: Round, now: Round) -> Iterator[Statement]:
    for pairing in was.pairings:
        result = was.results.get(pairing.board, ())
        again = now.of(pairing.first)
        read = now.results.get(again.board, ()) if again else ()
        if result != read:
            again_as = result_written(read) or statement("tournament.word.nothing")
            kept = result_written(result)
            yield statement("tournament.trf.result", round=was.number, board=pairing.board, kept=kept, read=again_as)
