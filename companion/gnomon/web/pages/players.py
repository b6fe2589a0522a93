"""Serve the pages of people who play: everybody for the arbiter, and one person's results, ratings and export.

Nobody is shown to strangers until an arbiter has published the person; people who are private and people who do not
exist get the same answer.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.people.profiles import Meeting, People, Profile, Tally, by_game
from gnomon.people.ratings import PersonRating
from gnomon.people.register import Register, RegisterError, fold
from gnomon.records.journal.store import JournalError
from gnomon.records.people.export import export_value
from gnomon.records.people.sources import ArchiveSource
from gnomon.refusals import Statement, sentence, statement
from gnomon.web import forms
from gnomon.web._http_errors import HttpError
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.server.workers import Shelf
from gnomon.words import Words

PATH: Final = "/players"
LONGEST: Final = 100  # letters of a name in an address
GAMES: Final = 50  # of a person, on the page
_KEPT: Final = 2
"""What is known of everybody, as spectators and others may know it: of five thousand games that is some megabytes."""

_Sent = Mapping[str, str]
_Decision = Callable[[Register, _Sent], Register]
_DECISIONS: Final[Mapping[str, _Decision]] = {
    "publish": lambda register, sent: register.publish(sent["name"]),
    "withdraw": lambda register, sent: register.withdraw(sent["name"]),
    "join": lambda register, sent: register.join(sent["name"], sent["other"]),
    "part": lambda register, sent: register.part(sent["name"]),
    "forget": lambda register, sent: register.forget(sent["name"]),
    "recall": lambda register, sent: register.recall(sent["name"]),
    "grant": lambda register, sent: register.grant(sent["account"], sent["name"]),
    "deny": lambda register, sent: register.deny(sent["account"]),
}


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The list, a person's page, the export, and the arbiter's decisions."""
    pages = _PlayerPages(context)
    return (
        Route(PATH, allow(Role.ARBITER, pages.everybody)),
        Route(f"{PATH}/person", pages.person),
        Route(f"{PATH}/export", pages.export),
        *(
            Route(f"{PATH}/{name}", allow(Role.ARBITER, pages.endpoint(decide)), methods=["POST"])
            for name, decide in _DECISIONS.items()
        ),
    )


class _HiddenPersonError(HttpError):
    """There is no such person here, or this visitor may not see them: both get the same answer."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.NOT_FOUND, statement("people.not_shown"))


class _PlayerPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._known = Shelf(_KEPT)

    async def everybody(self, request: Request) -> Response:
        """Everybody who has a finished game against somebody named."""
        return await self._list(request)

    async def person(self, request: Request) -> Response:
        """A person, or two head to head: for arbiters, for the person, and for everybody where they are public."""
        words = words_for(request)
        try:
            people, key = await self._visible(request)
        except _HiddenPersonError as error:
            return page(request, "player_missing.html", error.status_code, why=sentence(error.why, words))
        is_close = self._is_close(request, people.register, key)
        profile = people.profile(key)
        other = request.query_params.get("other", "")[:LONGEST]
        opponent = people.find(other) if other and is_close else None
        meetings = profile.games if opponent is None else people.meetings(key, opponent)
        accounts = self._accounts() if visitor_of(request).may(Role.ARBITER) else {}
        return page(
            request,
            "player.html",
            name=profile.name,
            is_public=people.register.is_public(key),
            is_close=is_close,
            spellings=profile.spellings if is_close else (),
            results=[
                _result_row(game, tally, profile.ratings.get(game), words) for game, tally in profile.by_game.items()
            ],
            with_engines=[_result_row(game, tally, None, words) for game, tally in profile.with_engines.items()],
            opponents=_opponent_rows(profile, people.register, words, is_close=is_close),
            opponent="" if opponent is None else people.name(opponent),
            between=[_result_row(game, each, None, words) for game, each in by_game(meetings).items()],
            games=[_game_row(one, words) for one in meetings[:GAMES]] if is_close else (),
            more=max(0, len(meetings) - GAMES) if is_close else 0,
            accounts=accounts,
            owners=[one.account for one in people.register.owners if people.register.key(one.key) == key],
            link=link_to,
            can_change=self._context.people.can_change,
        )

    async def export(self, request: Request) -> Response:
        """Everything that is kept of a person, for arbiters and for the person."""
        people, key = await self._visible(request)
        if not self._is_close(request, people.register, key):
            raise _HiddenPersonError
        archive, name = self._context.archive_for(visitor_of(request)), people.name(key)
        source = ArchiveSource(archive, "")
        kept = await self._context.shelf.ask(lambda: list(source.records_of(key, people.register)))
        text = json.dumps(export_value(name, people, kept), ensure_ascii=False, indent=1) + "\n"
        headers = {"Content-Disposition": 'attachment; filename="gnomon-person.json"', "Cache-Control": "no-store"}
        return Response(text, media_type="application/json", headers=headers)

    def endpoint(self, decide: _Decision) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that decides what a form asks for and shows the list again, or says what is wrong."""

        async def endpoint(request: Request) -> Response:
            sent = {"name": "", "other": "", "account": "", **await forms.read(request)}
            try:
                await self._check(sent)
                await self._context.shelf.ask(lambda: self._context.people.change(lambda now: decide(now, sent)))
            except RegisterError as error:
                return await self._list(request, error.statement, sent)
            except JournalError as error:
                raise _no_games() from error
            return go_to(link_to(sent["back"]) if sent.get("back") else PATH)

        return endpoint

    async def _check(self, sent: _Sent) -> None:
        """Raise RegisterError for a name that no game has, and for an account that is not here."""
        games = await self._context.shelf.ask(self._context.archive.games)
        register = await self._register()
        known = {fold(name) for game in games for name in game.players.values()}
        known |= {fold(one.name) for one in register.joined}
        for name in filter(None, (sent["name"], sent["other"])):
            if fold(name) not in known and not register.is_forgotten(name):
                raise RegisterError(statement("people.nobody", name=name[:LONGEST]))
        if sent["account"] and sent["account"] not in self._accounts():
            raise RegisterError(statement("people.no_account"))

    async def _list(self, request: Request, wrong: Statement | None = None, sent: _Sent | None = None) -> Response:
        people, words = await self._people(request), words_for(request)
        notice = await self._context.shelf.ask(self._context.people.notice)
        return page(
            request,
            "players.html",
            HTTPStatus.OK if wrong is None else HTTPStatus.UNPROCESSABLE_ENTITY,
            rows=[
                {
                    "name": one.name,
                    "is_public": people.register.is_public(one.key),
                    "results": one.results,
                    "with_engines": one.with_engines,
                    "last": one.last[:10] or "–",
                    "ratings": [
                        f"{words.name_of(f'game.{game}', game)} {rating.text}" for game, rating in one.ratings.items()
                    ],
                }
                for one in people.everybody()
            ],
            joined=people.register.joined,
            hidden_people=len({one.number for one in people.register.forgotten}),
            wrong="" if wrong is None else sentence(wrong, words),
            notice="" if notice is None else sentence(notice, words),
            sent=sent or {},
            link=link_to,
            can_change=self._context.people.can_change,
        )

    async def _visible(self, request: Request) -> tuple[People, str]:
        """Everybody, and the person whom the address names, or who asks. Raises _HiddenPersonError."""
        people = await self._people(request)
        name = request.query_params.get("name", "")[:LONGEST]
        key = people.find(name) if name else self._own_key(request, people.register)
        if key is None or not people.has(key):
            raise _HiddenPersonError
        if not (self._is_close(request, people.register, key) or people.register.is_public(key)):
            raise _HiddenPersonError
        return people, key

    def _is_close(self, request: Request, register: Register, key: str) -> bool:
        """Whether somebody may see everything of a person: an arbiter, or the person."""
        return visitor_of(request).may(Role.ARBITER) or self._own_key(request, register) == key

    def _own_key(self, request: Request, register: Register) -> str | None:
        number = visitor_of(request).person
        account = None if number is None else self._context.door.store.person(number)
        return None if account is None else register.key_of_owner(_mark(account.id, account.made))

    def _accounts(self) -> Mapping[str, str]:
        """The accounts that may be a person's, by their marks. A number alone may be given to somebody else later."""
        return {_mark(each.id, each.made): each.name for each in self._context.door.store.people()}

    async def _register(self) -> Register:
        return await self._context.shelf.ask(self._context.people.register)

    async def _people(self, request: Request) -> People:
        """Everybody, as this visitor may know of games. Raises HttpError where the games cannot be read."""
        archive, month = self._context.archive_for(visitor_of(request)), f"{self._context.wall():%Y-%m}"
        try:
            register, games = await self._register(), await self._context.shelf.ask(archive.games)
            ended = tuple((game.id, game.ended) for game in games if game.ended is not None)
            # A game may end between both looks: what arbiters then know is not what late spectators may.
            key = (PATH, ended, register, month, archive is self._context.archive)
            source = ArchiveSource(archive, "")
            return await self._known.ask_once(key, lambda: People(source.finished_games(), register, month))
        except (JournalError, RegisterError) as error:
            raise _no_games() from error


def link_to(name: str, other: str = "") -> str:
    """The address of a person's page, or of two people's head to head."""
    return f"{PATH}/person?{urlencode({'name': name, **({'other': other} if other else {})})}"


def _no_games() -> HttpError:
    return HttpError(HTTPStatus.SERVICE_UNAVAILABLE, statement("people.failed"))


def _mark(number: int, made: float) -> str:
    return f"{number}-{made!r}"


def _result_row(game: str, tally: Tally, rating: PersonRating | None, words: Words) -> Mapping[str, Any]:
    return {
        "game": _game_name(game, words),
        "tally": tally,
        "rating": "" if rating is None else rating.text,
        "rated": 0 if rating is None else rating.games,
        "low": "" if rating is None else f"{rating.rating.value - rating.rating.margin:.0f}",
        "high": "" if rating is None else f"{rating.rating.value + rating.rating.margin:.0f}",
    }


def _opponent_rows(
    profile: Profile, register: Register, words: Words, *, is_close: bool
) -> Sequence[Mapping[str, Any]]:
    """Results by opponent; to strangers those who are private are one row for each game."""
    rows: list[Mapping[str, Any]] = []
    others: dict[str, Tally] = {}
    for one in profile.opponents:
        for game, tally in one.by_game.items():
            if is_close or register.is_public(one.key):
                rows.append({"name": one.name, **_result_row(game, tally, None, words)})
            else:
                others[game] = Tally(*map(sum, zip(others.get(game, Tally()), tally, strict=True)))
    return [*rows, *({"name": "", **_result_row(game, tally, None, words)} for game, tally in others.items())]


def _game_row(meeting: Meeting, words: Words) -> Mapping[str, Any]:
    game = meeting.encounter.game
    return {
        "id": game.number,
        "game": _game_name(game.game, words),
        "names": list(game.names.values()),
        "began": game.began_text,
        "result": words(f"people.{meeting.score.name.lower()}"),
    }


def _game_name(game: str, words: Words) -> str:
    return words.name_of(f"game.{game}", game)
