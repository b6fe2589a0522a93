"""Serve the pages on entrants: registration, late entry, withdrawal, return, byes and prohibited pairings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.refusals import clause
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import (
    EntrantCorrected,
    EntrantRegistered,
    EntrantReturned,
    EntrantWithdrew,
    Event,
    PersonTold,
)
from gnomon.tournament.formats.tables.entrants import MOST_NAME, MOST_RATING, PERSONAL, is_name
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.particulars import READERS, PersonalData
from gnomon.tournament.state.settings import Bye, System
from gnomon.tournament.strength.grades import grade_text, is_grade, parse_grade, rating_or_least
from gnomon.web import forms
from gnomon.web.access import Role, allow
from gnomon.web.director import _event_writer as event_writer
from gnomon.web.director._office import (
    BYES,
    FINE,
    EntryPage,
    FormError,
    FormInput,
    FormMistake,
    FormProblem,
    TournamentApp,
    TournamentSnapshot,
    bye_told,
    form_mistake,
    page_response,
    path_of,
)
from gnomon.web.director._uploads import Upload
from gnomon.web.director.entrants._imports import ImportPreview, match_entrants, read_entrants, strangers
from gnomon.web.language import words_for

PATH: Final = "/tournaments/{name}/entrants"
ONE: Final = PATH + "/{number:number}"
_SWISS: Final = frozenset({System.SWISS, System.MCMAHON})


class EntrantRow(NamedTuple):
    """An entrant of the list: whether they play the next round, and what is to be said of them."""

    one: Entrant
    plays: bool
    byes: Sequence[tuple[int, Bye]]
    out_since: int | None


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The list, its forms and those of one entrant, all for directors."""
    page = _Entrants(office)
    actions = {"add": page.add, "confirm": page.confirm, "apart": page.keep_apart, "allow": page.let_meet}
    of_one = {
        "correct": page.correct,
        "person": page.describe,
        "withdraw": page.withdraw,
        "return": page.take_back,
        "bye": page.grant_bye,
    }
    return (
        *page.routes(PATH, Role.DIRECTOR, {name: (Role.DIRECTOR, do) for name, do in actions.items()}),
        Route(f"{PATH}/read", allow(Role.DIRECTOR, page.read), methods=["POST"]),
        Route(ONE, allow(Role.DIRECTOR, page.show_one)),
        *page.forms(ONE, page.one, {name: (Role.DIRECTOR, do) for name, do in of_one.items()}),
    )


class _Entrants(EntryPage):
    """What is answered at each address."""

    # Pages

    async def page(
        self,
        request: Request,
        look: TournamentSnapshot,
        wrong: FormMistake,
        reading: ImportPreview | None = None,
        upload: str = "",
    ) -> Response:
        tournament = look.tournament
        wanted = request.query_params.get("find", "").casefold().split()
        rows = [
            row
            for row in _rows(tournament)
            if all(word in f"{row.one.number} {row.one.name} {row.one.team}".casefold() for word in wanted)
        ]
        return page_response(
            request,
            "director_entrants.html",
            look,
            wrong,
            rows=rows,
            count=len(tournament.entrants),
            playing=len(tournament.players(tournament.next_round)),
            find=request.query_params.get("find", ""),
            apart=[[tournament.entrants[number] for number in sorted(pair)] for pair in _sort(tournament)],
            may_part=tournament.settings.system in _SWISS and tournament.teams is None,
            teams=sorted({one.team for one in tournament.entrants.values() if one.team}),
            entered=_newest_first(request, tournament),
            reading=reading,
            titles={one.number: one.person.title for one in reading.persons} if reading else {},
            upload=upload,
            may_enter=tournament.next_round <= tournament.settings.rounds,
        )

    async def show_one(self, request: Request) -> Response:
        return await self.one(request, await self._office.look(request), FINE)

    async def one(self, request: Request, look: TournamentSnapshot, wrong: FormMistake) -> Response:
        tournament = look.tournament
        found = tournament.entrants.get(_number_of(request))
        if found is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        row = _row(tournament, found)
        return page_response(
            request,
            "director_entrant.html",
            look,
            wrong,
            row=row,
            one=found,
            person=tournament.person(found.number),
            things=list(PERSONAL),
            byes=BYES,
            rounds=range(tournament.next_round, tournament.settings.rounds + 1),
            may_bye=tournament.settings.system in _SWISS and tournament.teams is None,
            teams=sorted({one.team for one in tournament.entrants.values() if one.team}),
        )

    async def read(self, request: Request) -> Response:
        """Show what a file would add, and each row's mistake; nothing is entered yet."""
        look, found = await self._office.look(request), await forms.file(request, "file")
        pasted = (await forms.read(request)).get("text", "")
        if (found is None or not found[1]) and pasted.strip():
            found = (words_for(request)("director.import.pasted"), pasted.encode())
        if found is None:
            return await self.page(request, look, form_mistake(request, "read", {}, FormError(FormProblem.FILE)))
        file, content = found
        try:
            reading = await self._office.work_out(lambda: read_entrants(content, look.tournament))
        except TournamentError as error:
            why = clause(error.statement, words_for(request))
            wrong = FormMistake("read", f"{file[:80]}: {why}.", {}, HTTPStatus.CONFLICT)
            return await self.page(request, look, wrong)
        upload = self._office.uploads.keep(Upload(look.name, file[:80], reading.registrations, reading.persons))
        return await self.page(request, look, FINE, reading, upload)

    # Actions

    async def add(self, wish: FormInput) -> str:
        tournament = wish.look.tournament
        number = wish.number_or_none("number")
        event = EntrantRegistered(
            number or max(tournament.entrants, default=0) + 1,
            *_parse_entrant(wish),
            wish.number_or_none("since") or tournament.next_round,
        )
        graded = _grade(wish, event.number, PersonalData())
        concerns = event_writer.of_entrants(event.number)
        # Two may add somebody at once: an entrant without a number gets the next one that is free now.
        await self._office.tell(wish._replace(sent={**wish.sent, "seen": ""}), [event, *graded], concerns)
        # The field has the focus again: a whole club is entered without the mouse.
        return f"{path_of(wish.look.name)}/entrants?entered={event.number}#add-name"

    async def confirm(self, wish: FormInput) -> None:
        name = wish.sent.get("upload", "")
        upload = self._office.uploads.of(name, wish.look.name)
        if upload is None:
            raise FormError(FormProblem.FORGOTTEN)
        tournament, chosen, known = wish.look.tournament, upload.registrations, upload.persons
        if wish.text("only") == "new":
            chosen = strangers(chosen, tournament)
            numbers = {one.number for one in chosen}
            known = tuple(one for one in known if one.number in numbers)
        # Others may have entered somebody since it was looked at.
        entries, persons = match_entrants(chosen, known, tournament)
        await self._office.tell(
            wish._replace(sent={}), [*entries, *persons], event_writer.conflicts_with_nothing, upload.file
        )
        self._office.uploads.drop(name)

    async def correct(self, wish: FormInput) -> str:
        number = _number_of(wish.request)
        graded = _grade(wish, number, wish.look.tournament.person(number))
        return await self._tell_of_one(wish, EntrantCorrected(number, *_parse_entrant(wish)), *graded)

    async def describe(self, wish: FormInput) -> str:
        """Keep what is known of somebody; TournamentError says what of it no report file has."""
        person = PersonalData(**{thing: read_thing(wish.text(thing)) for thing, read_thing in READERS.items()})
        return await self._tell_of_one(wish, PersonTold(_number_of(wish.request), person))

    async def withdraw(self, wish: FormInput) -> str:
        since = wish.number_or_none("since") or wish.look.tournament.next_round
        return await self._tell_of_one(wish, EntrantWithdrew(_number_of(wish.request), since))

    async def take_back(self, wish: FormInput) -> str:
        return await self._tell_of_one(wish, EntrantReturned(_number_of(wish.request)))

    async def grant_bye(self, wish: FormInput) -> str:
        return await self._tell_of_one(wish, bye_told(wish, _number_of(wish.request)))

    async def _tell_of_one(self, wish: FormInput, *events: Event) -> str:
        """Tell the book of the entrant whose page it is, and go back there."""
        number = _number_of(wish.request)
        await self._office.tell(wish, events, event_writer.of_entrants(number))
        return f"{path_of(wish.look.name)}/entrants/{number}"


def _parse_entrant(wish: FormInput) -> tuple[str, int | None, str]:
    """Name, rating and team as a form says them; a grade of Go is the rating in its middle. Raises FormError."""
    name, graded = wish.text("name"), is_grade(wish.text("rating"))
    rating = rating_or_least(parse_grade(wish.text("rating"))) if graded else wish.number_or_none("rating")
    if not is_name(name):
        raise FormError(FormProblem.NAME)
    if rating is not None and rating > MOST_RATING:
        raise FormError(FormProblem.NUMBER)
    return name, rating or None, wish.text("team")[:MOST_NAME]


def _grade(wish: FormInput, number: int, person: PersonalData) -> Sequence[PersonTold]:
    """That somebody bears a grade of Go, where it was written for their rating."""
    text = wish.text("rating")
    graded = replace(person, title=grade_text(parse_grade(text))) if is_grade(text) else person
    return () if graded == person else (PersonTold(number, graded),)


def _newest_first(request: Request, tournament: Tournament) -> Sequence[Entrant]:
    """Who has just been entered, and behind them the others of the same name."""
    number = request.query_params.get("entered", "")
    found = tournament.entrants.get(int(number)) if re.fullmatch(r"[0-9]{1,6}", number) else None
    if found is None:
        return ()
    named = [one for one in tournament.entrants.values() if one.name.casefold() == found.name.casefold()]
    return (found, *(one for one in named if one is not found))


def _rows(tournament: Tournament) -> Iterator[EntrantRow]:
    return (_row(tournament, tournament.entrants[number]) for number in tournament.seeds)


def _row(tournament: Tournament, one: Entrant) -> EntrantRow:
    byes = [(in_round, bye) for (number, in_round), bye in sorted(tournament.byes.items()) if number == one.number]
    plays = tournament.plays(one.number, tournament.next_round)
    return EntrantRow(one, plays, byes, tournament.withdrawn.get(one.number))


def _sort(tournament: Tournament) -> Sequence[Sequence[int]]:
    return sorted(sorted(pair) for pair in tournament.prohibited)


def _number_of(request: Request) -> int:
    number: int = request.path_params["number"]
    return number
