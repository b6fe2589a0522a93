"""Stream the changes of all hall boards to open walls by server-sent events, made once for all readers.

At most twice a second all changes since the last event go out as one. A reader too slow for that is not waited for:
it is told from which event on it missed something, and requests just that. A second stream, for directors, has what
only they may see, with the alarms in between.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gnomon.hall.board_alarms import Alarm, Dispute
from gnomon.hall.board_registry import RegisteredBoard
from gnomon.hall.hall import Hall
from gnomon.hall.hub.changes import ChangeListener, Changes
from gnomon.hall.public_boards import Boards
from gnomon.refusals import Statement, sentence
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.web import forms
from gnomon.web._compression import text_response
from gnomon.web.app_context import Wait
from gnomon.web.hall._rounds import told_rounds
from gnomon.web.hall._tiles import Json, Tile, tile
from gnomon.web.live.streams import RETRY, Watched, event
from gnomon.words import LANGUAGES, words

SPACING: Final = 0.5
"""Seconds between two events."""
BEAT: Final = 2.0
"""Seconds without an event at most; a page that hears nothing for five says that it is not live."""
WATCH: Final = 10 * SECOND
"""How often the boards are asked to tell their state often that stand first on a wall."""
WATCHED: Final = 100
"""How many those are."""
KEPT: Final = 8
"""Events that a reader may be behind, four seconds' worth; behind them it asks for what it has missed."""
LOOKED_AT: Final = 2000
"""Boards that are looked at in an event though they said nothing: time alone makes a state stale."""


class _Told(NamedTuple):
    """What was told of a board last, in which event, and of which version of the board that is still all."""

    number: int
    tile: Tile
    version: int


class _Sent(NamedTuple):
    """An event for everybody, and its number."""

    number: int
    text: bytes


class HallNews(Watched):
    """What is told of a hall. To be used in one loop."""

    def __init__(self, hall: Hall, wait: Wait = asyncio.sleep, boards: Boards | None = None) -> None:
        """`boards` are those that are told of: `hall.public` for everybody, those of the hall itself unless told."""
        super().__init__()
        self._hall = hall
        self._boards: Boards = hall if boards is None else boards
        self._wait = wait
        self._tiles: dict[str, _Told] = {}
        self._sent: deque[_Sent] = deque(maxlen=KEPT)
        self._number = 0
        self._rounds: Sequence[Json] = ()
        self._wrong: object = None
        self._desk: _Sent = _Sent(0, b"")
        self._directors = 0

    @property
    def number(self) -> int:
        """The number of the last event."""
        return self._number

    async def events(self, *, desk: bool = False) -> AsyncGenerator[bytes, None]:
        """The stream of one reader, until it goes away; `desk`: with alarms. Raises what ended the news."""
        self._directors += desk
        following = self._join("news of the hall")
        if desk:
            self._look_for_alarms()
        read, seen = self._number, 0
        try:
            yield RETRY + event("hello", {"number": read})
            while not following.done():
                if desk and seen != self._desk.number:
                    seen = self._desk.number
                    yield self._desk.text
                elif read == self._number:
                    await self._fresh.wait()
                else:
                    told = self._since(read)
                    read = self._number
                    yield told
            following.result()
        finally:
            self._directors -= desk
            self._leave()

    async def whole(self, request: Request) -> Response:
        """Everything, for a file that others read: nobody may be following the hall who would have asked for rounds."""
        if not self._readers:
            self._rounds = await asyncio.to_thread(told_rounds, self._hall)
        return text_response(request, self.snapshot(), "application/json", {"Cache-Control": "no-store"})

    def changes_since(self, request: Request) -> Response:
        """What a reader that has missed something asks for: everything after the event that it names as `since`."""
        since = forms.number(request.query_params.get("since", "")) or 0
        return text_response(request, self.snapshot(since), "application/json", {"Cache-Control": "no-store"})

    def snapshot(self, since: int = 0) -> str:
        """Everything that was told after an event, as JSON: `count` says how many boards there are in all."""
        if not self._readers:
            self._look()
        now, told = self._hall.now(), []
        for name, known in tuple(self._tiles.items()):
            if known.number > since:
                told.append(tile(self._boards.place(name), now).payload())
        body = {"number": self._number, "count": len(self._tiles), "boards": told, "clocks": self._clocks()}
        return json.dumps({**body, "rounds": self._rounds}, separators=(",", ":"))

    # Private

    def _since(self, read: int) -> bytes:
        """The events after one, or that there were too many."""
        if not self._sent or self._sent[0].number > read + 1:
            return event("resync", {"number": read})
        return b"".join(sent.text for sent in self._sent if sent.number > read)

    def _begin(self) -> None:
        self._look()

    async def _follow(self) -> None:
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        listener = self._hall.listen(lambda: loop.call_soon_threadsafe(woken.set))
        changes = Changes(tournaments=frozenset({"all"}))
        watched_at: Instant | None = None
        try:
            while True:
                if watched_at is None or self._hall.now() - watched_at >= WATCH:
                    watched_at = self._hall.now()
                    self._hall.watch([place.board for place in self._hall.wall()[:WATCHED]])
                await self._tell(changes)
                await self._wait(SPACING)
                changes = Changes(tournaments=await self._until_news(listener, woken))
        finally:
            listener.close()
            loop.call_soon(self._wake)

    async def _until_news(self, listener: ChangeListener, woken: asyncio.Event) -> frozenset[str]:
        """Wait until there is something to tell, or for the next beat; which tournaments have changed meanwhile.

        When something changes that is not shown yet must not be seen from when an event goes out.
        """
        tournaments: frozenset[str] = frozenset()
        with suppress(TimeoutError):
            async with asyncio.timeout(BEAT - SPACING):
                while True:
                    await woken.wait()
                    woken.clear()
                    changes = listener.take()
                    tournaments |= changes.tournaments
                    if tournaments or self._directors or any(map(self._is_news, changes.boards)):
                        break
        return tournaments

    def _is_news(self, name: str) -> bool:
        """Whether anything else is to be told of a board."""
        place, told = self._boards.place(name), self._tiles.get(name)
        return told is None or not place.version or tile(place, self._hall.now()).is_news(told.tile)

    async def _tell(self, changes: Changes) -> None:
        """One event with all that has changed, or that nothing has."""
        body: dict[str, object] = {}
        if changes.tournaments:
            self._rounds = await asyncio.to_thread(told_rounds, self._hall)
            body["rounds"] = self._rounds
        changed, gone = self._look()
        body |= {"number": self._number, "count": len(self._tiles), "boards": [each.payload() for each in changed]}
        if clocks := self._clocks():
            body["clocks"] = clocks
        if gone:
            body["gone"] = gone
        self._sent.append(_Sent(self._number, event("boards", body)))
        if self._directors:
            self._look_for_alarms()
        self._wake()

    def _clocks(self) -> Json:
        """The round clocks of the tournaments, as they stand now."""
        told = {name: self._hall.clocks.payload(name) for name in (str(each["name"]) for each in self._rounds)}
        return {name: clock for name, clock in told.items() if clock is not None}

    def _look(self) -> tuple[list[Tile], list[str]]:
        """What has changed of the boards since it was last looked, and which are not there any more.

        Those that said nothing take turns: where there are many, some in each event.
        """
        self._number += 1
        now, places = self._hall.now(), self._boards.places()
        turns = 1 + len(places) // LOOKED_AT
        turn = self._number % turns
        looked_at = (place for at, place in enumerate(places) if at % turns == turn or self._has_spoken(place))
        changed = [each for place in looked_at if (each := self._news_of(place, now)) is not None]
        gone = sorted(self._tiles.keys() - {place.board for place in places})
        for name in gone:
            del self._tiles[name]
        return changed, gone

    def _has_spoken(self, place: RegisteredBoard) -> bool:
        told = self._tiles.get(place.board)
        return told is None or told.version != place.version

    def _news_of(self, place: RegisteredBoard, now: Instant) -> Tile | None:
        told = self._tiles.get(place.board)
        made = tile(place, now)
        if told is not None and not made.is_news(told.tile):
            self._tiles[place.board] = told._replace(version=place.version)
            return None
        self._tiles[place.board] = _Told(self._number, made, place.version)
        return made

    def _look_for_alarms(self) -> None:
        hall = self._hall
        alarms, health, refused = hall.alarms(), hall.health(), hall.refusal_counts()
        if (alarms, health, refused) == self._wrong:
            return
        self._wrong = (alarms, health, refused)
        body = {
            "alarms": list(alarms_payload(alarms, hall.now())),
            "health": _in_every_language(health),
            "refused": refused,
        }
        self._desk = _Sent(self._desk.number + 1, event("alarms", body))


def _in_every_language(health: Iterable[Statement]) -> Json:
    """What is wrong with the hall: all who read along are sent the same."""
    told = tuple(health)
    return {code: [sentence(each, words(code)) for each in told] for code in LANGUAGES}


def alarms_payload(alarms: Iterable[Alarm], now: Instant) -> Iterable[Json]:
    """Alarms ready for JSON; `age` is for how many milliseconds."""
    for alarm in alarms:
        age = None if alarm.since is None else max(0, now - alarm.since) // MILLISECOND
        yield {
            "board": alarm.board,
            "trouble": alarm.trouble.value,
            "age": age,
            "detail": alarm.detail[:200],
            "about": {} if alarm.dispute is None else _in_words(alarm.dispute),
            "page": "" if alarm.dispute is None else _page_of(alarm.dispute),
        }


def _in_words(dispute: Dispute) -> Json:
    """The pairing or the table in every language."""
    key = "hall.list.table" if dispute.is_table else "hall.board.pairing.of"
    values = {"title": dispute.title, "round": dispute.round, "board": dispute.board}
    return {code: words(code)(key, **values) for code in LANGUAGES}


def _page_of(dispute: Dispute) -> str:
    """Where its result is entered."""
    page = "tables" if dispute.is_table else "results"
    return f"/tournaments/{dispute.tournament}/{page}?round={dispute.round}"
