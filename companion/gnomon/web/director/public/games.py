"""Serve the finished games of a tournament, turn by turn.

A game is shown once its result is in the book, and as far as spectators may see what its board has written.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.rounds.results import PairingGame
from gnomon.records.bundles import bundle
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.records.replay import Replay, film
from gnomon.refusals import clause, statement, statement_of
from gnomon.timekeeping.instants import SECOND
from gnomon.tournament.standings.even_luck import has_even_luck
from gnomon.web._templates import page
from gnomon.web.director._luck import Key, LuckSoFar, wanted_games
from gnomon.web.director._office import AS_OF, TournamentApp, TournamentSnapshot, path_of, unchanged_response
from gnomon.web.games import replays
from gnomon.web.games.whole_pages import FORMATS, GameAnswer, answers, frame_of
from gnomon.web.language import words_for

PATH: Final = "/tournaments/{name}/games/{game}"
_AGAIN: Final = 10 * SECOND
"""How long what boards have written may be looked up late, where nothing was told of the tournament."""
_LONGEST: Final = 10_000
"""Records of a game; a thousand are many, and to play so many again takes seconds."""

_KEY: Final = re.compile(r"([0-9]{1,6})-([0-9]{1,6})(?:-([0-9]{1,6}))?")

Followed = tuple[StoredGame, Replay]
Place = tuple[int, int]
"""A round and a board."""


class GameKey(NamedTuple):
    """A game of a tournament: the round, the pairing's board, and which of their games it is, from 1 up."""

    round: int
    board: int
    number: int

    def __str__(self) -> str:
        """The key as it stands in addresses: `2-5`, or `2-5-2` for the second game."""
        return f"{self.round}-{self.board}" + ("" if self.number == 1 else f"-{self.number}")

    @classmethod
    def parse(cls, text: str) -> "GameKey | None":
        """The key that an address has; None where it has none."""
        found = _KEY.fullmatch(text)
        key = None if found is None else cls(int(found[1]), int(found[2]), int(found[3] or 1))
        return key if str(key) == text else None  # a page has one address

    @property
    def place(self) -> "Place":
        """The round and the board, at which two may have played several games."""
        return self.round, self.board


class _NotFollowedError(Exception):
    """A game cannot be played again, and why."""


Games = Mapping[GameKey, PairingGame]


async def games_of(office: TournamentApp, look: TournamentSnapshot, places: Iterable[Place] | None = None) -> Games:
    """The games of a tournament that everybody may see, by where they were played; those of some places, if told."""

    def read() -> Mapping[Place, Games]:
        found: dict[Place, dict[GameKey, PairingGame]] = {}
        for one in office.hall.proposals(look.name):
            for number, game in enumerate(one.games if one.entered is not None else (), start=1):
                key = GameKey(one.round, one.board, number)
                found.setdefault(key.place, {})[key] = game
        return found

    key = (look.name, look.last, office.hall.now() // _AGAIN)
    known: Mapping[Place, Games] = await office.played.ask_once(key, read)
    wanted = known.values() if places is None else (known.get(place, {}) for place in places)
    return {where: game for games in wanted for where, game in games.items() if _is_shown(office, game)}


async def luck_of(office: TournamentApp, look: TournamentSnapshot, in_round: int) -> LuckSoFar:
    """What luck gave in the games up to a round that everybody may see."""
    if not has_even_luck(look.tournament):
        return LuckSoFar()
    key = (look.name, look.last, office.hall.now() // _AGAIN, "luck")
    wanted: Mapping[Key, PairingGame] = await office.played.ask_once(key, lambda: wanted_games(office.hall, look.name))
    return await office.luck.of(
        look.name,
        {one: game for one, game in wanted.items() if game.seating.round <= in_round and _is_shown(office, game)},
    )


def _is_shown(office: TournamentApp, game: PairingGame) -> bool:
    """Whether its end is among what everybody may read of its journal."""
    return game.ruled is not None and game.ruled.seq <= office.archive(game.device, game.epoch).last


def routes(office: TournamentApp) -> Sequence[BaseRoute]:
    """The page of each game, its pictures, and its files."""
    pages = _GamePages(office)
    return (
        Route(PATH, pages.show),
        *(Route(f"{PATH}/{name}", pages.of_a_game(make)) for name, make in answers().items()),
    )


class _GamePages:
    """What is answered at each address."""

    def __init__(self, office: TournamentApp) -> None:
        self._office = office

    async def show(self, request: Request) -> Response:
        look, words = await self._office.look(request), words_for(request)
        where, game = await self._find(request, look)
        seq = 0 if game.ruled is None else game.ruled.seq
        as_of = f"{look.tournament.settings.name} {game.device} {game.epoch} {game.game} {seq}"
        if (known := unchanged_response(request, as_of)) is not None:
            return known
        up = path_of(look.name) + ("" if where.round == len(look.tournament.rounds) else f"?round={where.round}")
        back = (up, f"{look.tournament.settings.name} · {words('sheet.round.number', number=where.round)}")
        try:
            stored, replay = await self._follow(game)
        except _NotFollowedError as error:
            why = clause(statement_of(error.args[0]), words)
            return page(request, "replay_missing.html", number=None, why=why, back=back)
        values = await self._office.shelf.ask(
            lambda: replays.page_values(stored, replay, frame_of(request, replay), words)
        )
        label = words("director.game.label", round=where.round, board=where.board)
        response = page(
            request,
            "replay.html",
            **values,
            game_page=f"{path_of(look.name)}/games/{where}",
            up=back,
            label=label if where.number == 1 else words("director.game.label.of", label=label, number=where.number),
            formats=FORMATS,
            of_a_position=(),
            is_whole=True,
            is_cut_off=False,
            can_analyse=False,
        )
        response.headers[AS_OF] = as_of
        return response

    def of_a_game(self, make: GameAnswer) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint about a game that is there and can be followed."""

        async def endpoint(request: Request) -> Response:
            _, game = await self._find(request, await self._office.look(request))
            try:
                _, replay = await self._follow(game)
            except _NotFollowedError as error:
                raise HTTPException(HTTPStatus.CONFLICT) from error
            return await self._office.shelf.ask(lambda: make(request, replay, words_for(request)))

        return endpoint

    async def _find(self, request: Request, look: TournamentSnapshot) -> tuple[GameKey, PairingGame]:
        """The game that an address names. Raises HTTPException where there is none, or nobody may see it yet."""
        key = GameKey.parse(request.path_params["game"])
        games = {} if key is None else await games_of(self._office, look, (key.place,))
        if key is None or key not in games:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return key, games[key]

    async def _follow(self, game: PairingGame) -> Followed:
        """The game as it was played. Raises _NotFollowedError."""
        archive = self._office.archive(game.device, game.epoch)

        def follow() -> Followed:
            records = archive.read(game.game)
            if len(records) > _LONGEST:
                raise ValueError(statement("hall.fold.many", game=game.game, count=len(records)))
            stored = next(one for one in archive.games() if one.id == game.game)
            return stored, film(bundle(stored, records))

        try:
            seq = 0 if game.ruled is None else game.ruled.seq
            followed: Followed = await self._office.films.ask_once((game.device, game.epoch, game.game, seq), follow)
        except (ValueError, JournalError, StopIteration) as error:
            raise _NotFollowedError(error) from error
        return followed
