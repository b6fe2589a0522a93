"""Write a tournament as a report file and list what is lost in it, by reading the file back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from gnomon.tournament.particulars import Heading, PersonalData
from gnomon.tournament.results import written as result_written
from gnomon.tournament.rounds import Round
from gnomon.tournament.settings import TournamentSettings
from gnomon.tournament.state import Tournament
from gnomon.tournament.trf.numbers import by_seeds
from gnomon.tournament.trf.reading import read_trf
from gnomon.tournament.trf.sheet import Remark, TrfEdition, TrfError
from gnomon.tournament.trf.sheets import sheet_of
from gnomon.tournament.trf.writing import LINE_END, written

TOLD_APART: Final = frozenset(
    {"settings", "entrants", "withdrawn", "byes", "prohibited", "rounds", "heading", "persons"}
)


@dataclass(frozen=True, slots=True)
class TrfText:
    """A file's text, and what of the tournament it does not tell."""

    text: str
    left_out: tuple[Remark, ...]


def write_trf(tournament: Tournament, edition: TrfEdition = TrfEdition.TRF26, line_end: str = LINE_END) -> TrfText:
    """A tournament as a report file: entrants numbered by rank, as engines want them, and the rounds that are over.

    Raises TrfError for numbers and points that the format's columns cannot hold.
    """
    told, had = by_seeds(tournament)
    if told.waiting:
        told = replace(told, rounds=told.rounds[:-1])
    text = written(sheet_of(told), edition, line_end)
    return TrfText(text, tuple(Remark(what) for what in (*_not_so(tournament, had), *_losses(told, text))))


def _not_so(tournament: Tournament, had: Mapping[int, int]) -> Iterator[str]:
    """What the file tells otherwise on purpose."""
    if any(new != old for new, old in had.items()):
        yield "entrants are numbered by their rank, which is not the order in which they entered"
    if tournament.waiting:
        yield f"round {len(tournament.rounds)} is being played: it is told when its last result is in"


def _losses(tournament: Tournament, text: str) -> Iterator[str]:
    try:
        read = read_trf(text)
    except TrfError as error:
        yield f"Gnomon itself cannot read this file back: {error}"
        return
    told = read.tournament
    yield from _of_heading(tournament.heading, told.heading)
    yield from _of_persons(tournament, told)
    yield from _of_settings(tournament.settings, told.settings)
    yield from _of_entrants(tournament, told)
    rounds = tuple(zip(tournament.rounds, told.rounds, strict=True))
    moved = [str(was.number) for was, now in rounds if set(was.pairings) != set(now.pairings)]
    if moved:
        which = f"round {moved[0]}" if len(moved) == 1 else f"rounds {', '.join(moved)}"
        yield f"the boards of {which} are not told, and would be numbered otherwise"
    for was, now in rounds:
        yield from _of_round(was, now)
    for one in fields(Tournament):
        kept, read = getattr(tournament, one.name), getattr(told, one.name)
        if one.name not in TOLD_APART and kept != read:
            yield f"{len(kept)} {one.name} are not told, only what they led to"


def _of_persons(was: Tournament, now: Tournament) -> Iterator[str]:
    clubs = sum(bool(person.club) for person in was.persons.values())
    if clubs:
        yield f"the club of {clubs} entrant{'s' * (clubs > 1)} is not told: only a team has a line"
    for number, person in sorted(was.persons.items()):
        read = now.person(number)
        names = [one.name for one in fields(PersonalData) if one.name != "club"]
        what = ", ".join(name.replace("_", " ") for name in names if getattr(person, name) != getattr(read, name))
        if what:
            yield f"{was.called(number)}: {what} would be read otherwise"


def _of_heading(was: Heading, now: Heading) -> Iterator[str]:
    for one in fields(Heading):
        # Points that are lent may be parted otherwise.
        if one.name != "virtual" and getattr(was, one.name) != getattr(now, one.name):
            told = _said(getattr(now, one.name)) or "nothing"
            yield f"{one.name.replace('_', ' ')} is {_said(getattr(was, one.name))} and would be read as {told}"


def _of_settings(was: TournamentSettings, now: TournamentSettings) -> Iterator[str]:
    for one in fields(TournamentSettings):
        if (kept := getattr(was, one.name)) != (read := getattr(now, one.name)):
            name = one.name.replace("_", " ")
            yield f"the setting {name} is {_said(kept)} and would be read as {_said(read)}"


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _of_entrants(was: Tournament, now: Tournament) -> Iterator[str]:
    for number, one in sorted(was.entrants.items()):
        read = now.entrants[number]
        for name in one._fields:
            if getattr(one, name) != getattr(read, name):
                told = _said(getattr(read, name)) or "nothing"
                yield f"{was.called(number)}: {name} is {getattr(one, name)} and would be read as {told}"
        if was.withdrawn.get(number) != now.withdrawn.get(number):
            since = was.withdrawn.get(number)
            left = "is still there" if since is None else f"has left from round {since} on"
            yield f"{was.called(number)} {left}, which is not told"
    for (number, in_round), bye in sorted(was.byes.items()):
        if now.byes.get((number, in_round)) is not bye:
            yield f"{was.called(number)} has a {bye.value}-point bye in round {in_round}, which is not told"
    for pair in sorted(map(sorted, was.prohibited - now.prohibited)):
        yield f"{' and '.join(map(was.called, pair))} are kept apart, which is not told"


def _of_round(was: Round, now: Round) -> Iterator[str]:
    for pairing in was.pairings:
        result = was.results.get(pairing.board, ())
        again = now.of(pairing.first)
        read = now.results.get(again.board, ()) if again else ()
        if result != read:
            told = result_written(read) or "nothing"
            yield f"round {was.number}, board {pairing.board}: {result_written(result)} would be read as {told}"
