"""Find recorded games for the pages and replay them into frames."""

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, NamedTuple

from gnomon.records.bundles import bundle
from gnomon.records.entries import Archive, StoredGame
from gnomon.records.replay import Replay, film
from gnomon.records.store import JournalError
from gnomon.refusals import InvalidValueError, Statement, statement, statement_of
from gnomon.rules.protocol import Outcome
from gnomon.web.access import Visitor
from gnomon.web.app_context import AppContext
from gnomon.web.server.workers import Shelf

DECIDED: Final = "decided"
DRAWN: Final = "drawn"
GOING_ON: Final = "going-on"
VOID: Final = "void"
CUT_OFF: Final = "cut-off"
RESULTS: Final = (DECIDED, DRAWN, VOID, GOING_ON, CUT_OFF)

_FILMS: Final = 4
"""Games that are kept as they were played again: a long one is two megabytes."""
_DRAW: Final = "draw"
_CATALOGUE: Final = 5000  # endings that are remembered


class ArchivedGame(NamedTuple):
    """A written game and how it ended, None while it goes on.

    `is_cut_off`: its end was lost with a damaged journal, and nobody has gone on with it.
    """

    stored: StoredGame
    outcome: Outcome | None
    is_cut_off: bool = False

    @property
    def began(self) -> str:
        """The date and time of day, as labels of the board's clock: `2026-11-20 10:30`."""
        return self.stored.start.wall[:16].replace("T", " ")


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are looked for; empty: all."""

    text: str = ""
    player: str = ""
    game: str = ""
    result: str = ""
    since: str = ""
    until: str = ""

    def fits(self, game: ArchivedGame) -> bool:
        """Whether a game is among those looked for."""
        start = game.stored.start
        day = start.wall[:10]
        return (
            self.game in ("", start.game)
            and self.result in ("", _result(game))
            and (not self.since or self.since <= day)
            and (not self.until or day <= self.until)
            and _fold(self.player) in _fold(" \n".join(game.stored.players.values()))
            and all(word in _text(game) for word in _fold(self.text).split())
        )


class FollowError(InvalidValueError):
    """A game cannot be played again."""


def why_not_shown(number: int | None, error: JournalError | FollowError) -> tuple[HTTPStatus, Statement]:
    """The status and the statement with which a game is refused that cannot be read, or followed."""
    if isinstance(error, FollowError):
        return HTTPStatus.CONFLICT, statement("replay.refused.unfollowed", number=number, why=statement_of(error))
    return HTTPStatus.SERVICE_UNAVAILABLE, statement("replay.refused.unreadable", why=statement_of(error))


@dataclass
class Library:
    """The written games of a house as its pages show them; to be used in one loop.

    What somebody may not see yet is not in it for them. Reading happens in threads, one question at a time.
    """

    house: AppContext
    _films: Shelf = field(default_factory=lambda: Shelf(_FILMS))
    _endings: dict[tuple[int, int], Outcome] = field(default_factory=dict)

    async def all(self, visitor: Visitor) -> Sequence[ArchivedGame]:
        """Every game, the newest first. Raises JournalError."""
        archive = self.house.archive_for(visitor)
        stored = await self.house.shelf.ask(archive.games)
        unknown = [game.id for game in stored if game.ended is not None and (game.id, game.ended) not in self._endings]
        if unknown:
            found = await self.house.shelf.ask(lambda: archive.endings(min(unknown)))
            self._remember(stored, found)
        cut_off = await self._cut_off(archive, stored)
        return [ArchivedGame(game, self._outcome(game), game.id in cut_off) for game in reversed(stored)]

    async def is_cut_off(self, stored: StoredGame, visitor: Visitor) -> bool:
        """Whether the end of a game was lost with a damaged journal. Raises JournalError."""
        return stored.id in await self._cut_off(self.house.archive_for(visitor), [stored])

    async def game(self, number: int, visitor: Visitor) -> StoredGame | None:
        """A game by its number, or None. Raises JournalError."""
        games = await self.house.shelf.ask(self.house.archive_for(visitor).games)
        return next((game for game in games if game.id == number), None)

    async def film(self, stored: StoredGame, visitor: Visitor) -> tuple[Replay, object]:
        """A game as it was played, and what names it as it stands now.

        Raises JournalError, and FollowError for one that no referee can follow any more.
        """
        archive = self.house.archive_for(visitor)
        records = await self.house.shelf.ask(lambda: archive.read(stored.id))
        last = records[-1] if records else None
        # Whose name is hidden since is not shown any more: their records have no links.
        names = tuple(stored.players.items()), last is not None and bool(last.link)
        key = (stored.id, stored.ended, 0 if last is None else last.seq, names)
        try:
            return await self._films.ask_once(key, lambda: film(bundle(stored, records))), key
        except ValueError as error:
            raise FollowError(statement_of(error)) from error

    async def _cut_off(self, archive: Archive, stored: Sequence[StoredGame]) -> Collection[int]:
        return () if all(game.ended is not None for game in stored) else await self.house.shelf.ask(archive.cut_off)

    def _remember(self, stored: Sequence[StoredGame], found: Mapping[int, Mapping[str, object]]) -> None:
        while len(self._endings) > _CATALOGUE:
            del self._endings[next(iter(self._endings))]
        for game in stored:
            if game.ended is not None and game.id in found:
                self._endings[game.id, game.ended] = outcome_of(found[game.id])

    def _outcome(self, game: StoredGame) -> Outcome | None:
        return None if game.ended is None else self._endings.get((game.id, game.ended), Outcome(None, ""))


def outcome_of(ending: Mapping[str, object]) -> Outcome:
    """How a game ended, by what the journal says of it; a reason that it does not say is empty."""
    winner, reason = (str(ending.get(key, "")) for key in ("winner", "reason"))
    return Outcome(None if winner == _DRAW else winner, reason)


def _result(game: ArchivedGame) -> str:
    if game.outcome is None:
        return CUT_OFF if game.is_cut_off else GOING_ON
    if game.outcome.is_void:
        return VOID
    return DRAWN if game.outcome.winner is None else DECIDED


def _winner(outcome: Outcome) -> str:
    return VOID if outcome.is_void else outcome.winner or _DRAW


def _text(game: ArchivedGame) -> str:
    """Everything about a game in which words are looked for."""
    start, outcome = game.stored.start, game.outcome
    settings = " ".join(f"{name}={value} {name} {value}" for name, value in start.settings.items())
    ended = "" if outcome is None else f"{_winner(outcome)} {outcome.reason.replace('_', ' ')}"
    seats = " ".join(f"{seat} {name}" for seat, name in game.stored.players.items())
    return _fold(
        f"{game.stored.id} #{game.stored.id} {start.game} {start.board} {game.began} {seats} {settings} {ended}"
    )


def _fold(text: str) -> str:
    """The text without what makes it hard to find: capitals, accents, widths."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).casefold()
