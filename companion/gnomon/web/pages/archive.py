"""Serve the archive of recorded games, searched by player, game, result, date and words, fifty to a page.

`Library` reads them for all pages of written games, and replays them into frames.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.records.bundles import bundle
from gnomon.records.journal.entries import Archive, StoredGame
from gnomon.records.journal.store import EntryError, JournalError
from gnomon.records.replay import Replay, film
from gnomon.referee.exercises import LESSON, PUZZLE, is_exercise, split_exercise
from gnomon.refusals import InvalidValueError, Statement, statement, statement_of
from gnomon.rules.protocol import Outcome
from gnomon.rules.registry import BARE_CLOCK
from gnomon.rules.registry import games as all_games
from gnomon.views import phrases
from gnomon.views.endings import reason_of
from gnomon.views.show import show
from gnomon.web._templates import page
from gnomon.web.access import Visitor, visitor_of
from gnomon.web.app_context import AppContext
from gnomon.web.games.archive import RESULTS, ArchivedGame, GameFilter, outcome_of
from gnomon.web.language import words_for
from gnomon.web.server.workers import Shelf
from gnomon.words import Words

PATH: Final = "/games"
EACH: Final = 50
LONGEST: Final = 100  # letters that are looked for
_FILMS: Final = 4
"""Games that are kept as they were played again: a long one is two megabytes."""
_CATALOGUE: Final = 5000  # endings that are remembered


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page of the games."""
    library = Library(context)

    async def show(request: Request) -> Response:
        try:
            games = await library.all(visitor_of(request))
        except JournalError:
            return page(request, "games.html", HTTPStatus.SERVICE_UNAVAILABLE, **page_values(request, [], failed=True))
        values = page_values(request, games, _delay(context, request), has_puzzles=context.puzzles is not None)
        return page(request, "games.html", **values)

    return (Route(PATH, show),)


def _delay(context: AppContext, request: Request) -> int:
    """By how many seconds this visitor sees the games later."""
    if context.past is None or context.archive_for(visitor_of(request)) is context.archive:
        return 0
    return round(context.past.delay)


def wish_of(request: Request) -> GameFilter:
    """What is looked for, as the address says; what is no date or no choice is as if it were not there."""
    asked = request.query_params

    def day(name: str) -> str:
        text = asked.get(name, "")
        digits = text.split("-")
        return text if [len(part) for part in digits] == [4, 2, 2] and all(map(str.isdecimal, digits)) else ""

    return GameFilter(
        text=asked.get("text", "")[:LONGEST],
        player=asked.get("player", "")[:LONGEST],
        game=asked.get("game", "") if asked.get("game") in all_games() else "",
        result=asked.get("result", "") if asked.get("result") in RESULTS else "",
        since=day("since"),
        until=day("until"),
    )


def page_values(
    request: Request,
    games: Sequence[ArchivedGame],
    delay: int = 0,
    *,
    failed: bool = False,
    has_puzzles: bool = False,
) -> Mapping[str, Any]:
    """What the page of the games shows of those that are looked for."""
    words, wish = words_for(request), wish_of(request)
    found = [game for game in games if wish.fits(game)]
    pages = max(1, -(-len(found) // EACH))
    wished = request.query_params.get("page", "1")
    number = min(max(1, int(wished)) if wished.isdecimal() and len(wished) < len("1000000") else 1, pages)
    return {
        "wish": wish,
        "kinds": all_games(),
        "results": RESULTS,
        "rows": [_row(game, words) for game in found[(number - 1) * EACH : number * EACH]],
        "found": len(found),
        "in_all": len(games),
        "number": number,
        "pages": pages,
        "to": partial(_address, wish),
        "failed": failed,
        "delay": delay,
        "has_puzzles": has_puzzles,
    }


def _address(wish: GameFilter, number: int) -> str:
    """The address of a page of the games that are looked for; without a number it is the first."""
    asked = {**_filters(wish), **({} if number == 1 else {"page": str(number)})}
    return f"{PATH}?{urlencode(asked)}" if asked else PATH


def _filters(wish: GameFilter) -> Mapping[str, str]:
    fields = {"text": wish.text, "player": wish.player, "game": wish.game, "result": wish.result}
    return {name: value for name, value in {**fields, "since": wish.since, "until": wish.until}.items() if value}


def _row(game: ArchivedGame, words: Words) -> Mapping[str, Any]:
    start, practice = game.stored.start, _practice(game, words)
    return {
        "id": game.stored.id,
        "game": words.name_of(f"game.{start.game}", start.game),
        # The distribution that brought a game may have been removed since.
        "variant": show(start.game).variant(start.settings, words) if start.game in (*all_games(), BARE_CLOCK) else "",
        "players": list(_players(game, words)),
        "began": game.began,
        "day": start.wall[:10] if start.wall[:1].isdigit() else "",
        "result": result_of(game, words),
        "going_on": game.outcome is None and not game.is_cut_off,
        "practice": practice,
        "can_guess": _has_result(game) and start.game != BARE_CLOCK and not practice,
    }


def _has_result(game: ArchivedGame) -> bool:
    return game.outcome is not None and not game.outcome.is_void


def is_practice(stored: StoredGame) -> bool:
    """Whether it was a lesson or a puzzle on the board, and no game."""
    return is_exercise(stored.start.settings)


def _practice(game: ArchivedGame, words: Words) -> str:
    """That it was a lesson or a puzzle on the board; empty for a game."""
    kind, _, _ = split_exercise(game.stored.start.settings)[1].partition(":")
    return words(f"exercise.{kind}") if kind in {LESSON, PUZZLE} else ""


def _players(game: ArchivedGame, words: Words) -> Iterator[Mapping[str, object]]:
    winner = None if game.outcome is None else game.outcome.winner
    for player, name in game.stored.players.items():
        yield {"name": name, "player": phrases.name(player, words), "won": player == winner}


def result_of(game: ArchivedGame, words: Words) -> str:
    """How a game ended, in few words."""
    if game.outcome is None:
        return words("watching.result.cut-off" if game.is_cut_off else "watching.result.going-on")
    person = game.stored.players.get(game.outcome.winner or "")
    own = phrases.winner_sentence(game.outcome.winner, words, game.outcome.reason)
    why = reason_of(game.outcome.reason, {}, words).text
    return f"{words('watching.won', name=person) if person else own} {why}".rstrip()


class FollowError(InvalidValueError):
    """A game cannot be played again."""


def why_not_shown(number: int | None, error: JournalError | FollowError) -> tuple[HTTPStatus, Statement]:
    """The status and the statement with which a game is refused that cannot be read, or followed."""
    if isinstance(error, FollowError | EntryError):  # neither of which changes
        return HTTPStatus.CONFLICT, statement("replay.refused.unfollowed", number=number, why=statement_of(error))
    return HTTPStatus.SERVICE_UNAVAILABLE, statement("replay.refused.unreadable", why=statement_of(error))


@dataclass
class Library:
    """The written games of a board or a hall as its pages show them; to be used in one loop.

    What somebody may not see yet is not in it for them. Reading happens in threads, one question at a time.
    """

    context: AppContext
    _films: Shelf = field(default_factory=lambda: Shelf(_FILMS))
    _endings: dict[tuple[int, int], Outcome | None] = field(default_factory=dict)

    async def all(self, visitor: Visitor) -> Sequence[ArchivedGame]:
        """Every game, the newest first. Raises JournalError."""
        archive = self.context.archive_for(visitor)
        stored = await self.context.shelf.ask(archive.games)
        unknown = [game.id for game in stored if game.ended is not None and (game.id, game.ended) not in self._endings]
        if unknown:
            found = await self.context.shelf.ask(lambda: archive.endings(min(unknown)))
            self._remember(stored, found)
        cut_off = await self._cut_off(archive, stored)
        return [
            ArchivedGame(game, outcome, game.id in cut_off or (game.ended is not None and outcome is None))
            for game, outcome in ((game, self._outcome(game)) for game in reversed(stored))
        ]

    async def is_cut_off(self, stored: StoredGame, visitor: Visitor) -> bool:
        """Whether the end of a game was lost with a damaged journal. Raises JournalError."""
        return stored.id in await self._cut_off(self.context.archive_for(visitor), [stored])

    async def game(self, number: int, visitor: Visitor) -> StoredGame | None:
        """A game by its number, or None. Raises JournalError."""
        games = await self.context.shelf.ask(self.context.archive_for(visitor).games)
        return next((game for game in games if game.id == number), None)

    async def film(self, stored: StoredGame, visitor: Visitor) -> tuple[Replay, object]:
        """A game as it was played, and what names it as it stands now.

        Raises JournalError, and FollowError for one that no referee can follow any more.
        """
        archive = self.context.archive_for(visitor)
        records = await self.context.shelf.ask(lambda: archive.read(stored.id))
        last = records[-1] if records else None
        # Whose name is hidden since is not shown any more: their records have no links.
        names = tuple(stored.players.items()), last is not None and bool(last.link)
        key = (stored.id, stored.ended, 0 if last is None else last.seq, names)
        try:
            return await self._films.ask_once(key, lambda: film(bundle(stored, records))), key
        except ValueError as error:
            raise FollowError(statement_of(error)) from error

    async def _cut_off(self, archive: Archive, stored: Sequence[StoredGame]) -> Collection[int]:
        return () if all(game.ended is not None for game in stored) else await self.context.shelf.ask(archive.cut_off)

    def _remember(self, stored: Sequence[StoredGame], found: Mapping[int, Mapping[str, object]]) -> None:
        while len(self._endings) > _CATALOGUE:
            del self._endings[next(iter(self._endings))]
        for game in stored:
            if game.ended is not None and game.id in found:
                ending = found[game.id]
                self._endings[game.id, game.ended] = outcome_of(ending) if ending else None

    def _outcome(self, game: StoredGame) -> Outcome | None:
        """How a game ended; None while it goes on, and where nobody can read what was ruled."""
        return None if game.ended is None else self._endings.get((game.id, game.ended), Outcome(None, ""))
