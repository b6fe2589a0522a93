"""Stream a board's state to open pages by server-sent events, shared by readers of one language and role.

A picture of a large board has sixty thousand bytes and changes with each move only: a page is sent its name, and
requests the picture once. The name is a hash of its content, so that a browser can cache it.
"""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gnomon.referee.game import Game
from gnomon.referee.rulings import GameOver
from gnomon.refusals import statement
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import Instant, seconds
from gnomon.views import seats
from gnomon.views.places import places
from gnomon.views.show import show_of
from gnomon.views.summary import summary
from gnomon.web._http_errors import refusal
from gnomon.web._pictures import picture_name
from gnomon.web.access import Role
from gnomon.web.access.gate import visitor_of
from gnomon.web.live.interfaces import LiveBoard, is_free
from gnomon.web.middleware.limits import asker
from gnomon.words import ENGLISH, Words

PICTURE: Final = "picture"
WHICH_TURN: Final = "which_turn"


def for_pages(told: Mapping[str, object], game: Game | None, now: Instant, words: Words = ENGLISH) -> dict[str, object]:
    """A summary as pages are told it.

    `picture` is a name, `corners` and `edges` say where its board lies, `used` is the time each player has thought,
    and `said` are the choices of a question that are turns, in plain words.
    """
    news = dict(told)
    svg = news.get(PICTURE)
    if isinstance(svg, str):
        news[PICTURE] = picture_name(svg)
        news["corners"] = [] if game is None else corners(game)
        news["edges"] = [] if game is None else list(show_of(game).edges)
    if game is not None:
        news["used"] = {player: seconds(time) for player, time in time_used(game, now).items()}
        news["thinks"] = thinker(game)
        news["said"] = choices(game, words)
    return news


def choices(game: Game, words: Words) -> dict[str, str]:
    """The choices of a question which turn it was, in plain words; nothing where something else is asked."""
    if game.question is None or game.question.asked.question != WHICH_TURN:
        return {}
    texts = game.question.asked.choices
    return {text: show_of(game).turn(game.turn, text, words) for text in texts}


def corners(game: Game) -> list[list[float]]:
    """The left upper and the right lower corner of all places on a board's picture, as places without a size.

    None where there are no places.
    """
    found = list(places(game.rules).values())
    if not found:
        return []
    first = (min(place.x for place in found), min(place.y for place in found))
    last = (max(place.x + place.width for place in found), max(place.y + place.height for place in found))
    return [[round(x, 2), round(y, 2), 0.0, 0.0] for x, y in (first, last)]


def thinker(game: Game) -> str:
    """Whose time runs: empty in a pause and after the end."""
    if game.outcome is not None or game.paused_at is not None:
        return ""
    return seats.actor(game)


def time_used(game: Game, now: Instant) -> Mapping[str, Instant]:
    """The game time that each player's turns have taken, in microseconds; what chance takes is the next mover's."""
    used: defaultdict[str, int] = defaultdict(int)
    before, since_nature = Instant(0), 0
    for ply in game.plies:
        when = show_of(game).ply_time(game, ply)
        took = max(0, when - before)
        before = when
        if ply.player == NATURE:
            since_nature += took
        else:
            used[ply.player] += took + since_nature
            since_nature = 0
    ended = next((ruling.at for ruling in reversed(game.rulings) if isinstance(ruling, GameOver)), now)
    until = now if game.outcome is None else ended
    thinks = max(0, show_of(game).time(game, until) - before) + since_nature
    if game.outcome is None or thinks:  # a turn that ends the game leaves nobody to think
        used[game.rules.actor(game.position)] += thinks
    return {player: Instant(time) for player, time in used.items()}


RETRY: Final = b"retry: 1000\n\n"  # milliseconds until a browser asks again by itself
LATER: Final = "5"  # seconds until one who found no place may ask again
AT_MOST: Final = 500
"""Readers at a time. With their connections and its own files the daemon stays below 1024 descriptors."""
AT_MOST_OF_ONE: Final = 32
"""Readers at one address: a hall behind one router has a few, a program that opens stream after stream has many."""

KEPT: Final = 50
"""Of all, for readers who have signed in."""

HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx hands on each event by itself

_TOLD_ALIKE: Final = (Role.ARBITER, Role.PLAYER, Role.SPECTATOR)

Events = AsyncGenerator[bytes, None] | AsyncGenerator[str, None]


class Watched:
    """What is followed while anybody reads along, and wakes the readers that wait for `_fresh`. For one loop."""

    def __init__(self) -> None:
        self._readers = 0
        self._following: asyncio.Task[None] | None = None
        self._fresh = asyncio.Event()

    async def _follow(self) -> None:
        """Follow it for good; each kind does so in its own way."""
        raise NotImplementedError

    def _begin(self) -> None:
        """It is not followed yet."""

    def _end(self) -> None:
        """It is not followed any more."""

    def _join(self, name: str) -> asyncio.Task[None]:
        """Count one reader more, and follow it in a task of that name if nobody did; gives the task."""
        self._readers += 1
        if self._following is None or self._following.done():
            self._begin()
            self._following = asyncio.create_task(self._follow(), name=name)
        return self._following

    def _leave(self) -> None:
        """Count one reader less; nothing is followed for nobody."""
        self._readers -= 1
        if not self._readers and self._following is not None:
            self._following.cancel()
            self._following = None
            self._end()

    def _wake(self) -> None:
        fresh, self._fresh = self._fresh, asyncio.Event()
        fresh.set()


class Feed(Watched):
    """What is true of a board, in one language, for everyone who reads along; latest wins for a slow reader.

    Every event is the whole state, so a reader that comes back has missed nothing. The board speaks at least once a
    second: a reader that hears nothing for longer has lost it.
    """

    def __init__(self, board: LiveBoard, words: Words, role: Role = Role.SPECTATOR) -> None:
        super().__init__()
        self._board = board
        self._words = words
        self._role = role
        self._number = 0
        self._event = b""

    async def events(self) -> AsyncGenerator[bytes, None]:
        """The stream of one reader, until it goes away. Raises what ended the board's news."""
        yield RETRY
        following = self._join(f"feed {self._words.language}")
        read = 0
        try:
            while not following.done():
                if read == self._number:
                    await self._fresh.wait()
                elif self._event:
                    read = self._number
                    yield self._event
            following.result()
        finally:
            self._leave()

    def _end(self) -> None:
        self._number, self._event = 0, b""

    async def _follow(self) -> None:
        try:
            async for _ in self._board.changes():
                board = self._board
                now = for_pages(board_payload(board, self._words, self._role), board.game(), board.now(), self._words)
                more = {"replay": board.replay, "demonstration": board.is_demonstrated, "free": is_free(board.game())}
                self._event = event("summary", {**now, **more})
                self._number += 1
                self._wake()
        finally:
            # The task is done only after this: those who wait see it then.
            asyncio.get_running_loop().call_soon(self._wake)


class Readers:
    """Everyone who reads along: the feeds that they share, and how many they may be."""

    def __init__(self, at_most: int = AT_MOST, at_most_of_one: int = AT_MOST_OF_ONE) -> None:
        self._at_most = at_most
        self._at_most_of_one = at_most_of_one
        self._feeds: dict[tuple[int, str, Role], Feed] = {}  # by the identity of their boards, which they keep
        self._places: Counter[str] = Counter()

    @property
    def number(self) -> int:
        """How many read along now."""
        return self._places.total()

    def feed(self, board: LiveBoard, words: Words, role: Role = Role.SPECTATOR) -> Feed:
        """The feed of a board in a language, the same for all who are told alike; a board shown later is another."""
        role = next(each for each in _TOLD_ALIKE if role.may(each))
        return self._feeds.setdefault((id(board), words.language, role), Feed(board, words, role))

    def answer(self, request: Request, events: Events) -> Response:
        """The answer that sends events for as long as the reader stays, or refuses one reader too many."""
        visitor = visitor_of(request)
        where = f"person {visitor.person}" if visitor.is_signed_in else asker(request.client)
        return Stream(events, self, where, is_known=visitor.is_signed_in)

    def enter(self, where: str, *, is_known: bool = False) -> bool:
        """Take a place for a reader at an address, or who is a known person; False when there is none."""
        at_most = self._at_most - (0 if is_known else min(KEPT, self._at_most // 10))
        if self._places.total() >= at_most or self._places[where] >= self._at_most_of_one:
            return False
        self._places[where] += 1
        return True

    def leave(self, where: str) -> None:
        """Give the place back."""
        self._places[where] -= 1
        if not self._places[where]:
            del self._places[where]


class Stream(Response):
    """Events as they come: a reader costs little, and one that has gone is noticed at the next event."""

    media_type = "text/event-stream"

    def __init__(self, events: Events, readers: Readers, where: str, *, is_known: bool = False) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers(HEADERS)
        self._events = events
        self._readers = readers
        self._where = where
        self._is_known = is_known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the reader has gone or the events end."""
        if not self._readers.enter(self._where, is_known=self._is_known):
            await _refuse(scope)(scope, receive, send)
            return
        gone = asyncio.create_task(_wait_for_close(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            if scope["method"] != "HEAD":
                await self._send(gone, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._readers.leave(self._where)

    async def _send(self, gone: asyncio.Task[None], send: Send) -> None:
        async with aclosing(self._events) as events:
            async for told in events:
                if gone.done():
                    return
                body = told.encode() if isinstance(told, str) else told
                await send({"type": "http.response.body", "body": body, "more_body": True})


async def _wait_for_close(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _refuse(scope: Scope) -> Response:
    answer = refusal(Request(scope), HTTPStatus.SERVICE_UNAVAILABLE, statement("refusal.requests.readers"))
    answer.headers["Retry-After"] = LATER
    return answer


def board_payload(board: LiveBoard, words: Words, role: Role = Role.SPECTATOR) -> dict[str, object]:
    """What is true of a board now, in a language, ready for JSON.

    What ails the machine is for those who can do something about it: arbiters hear all, players what concerns them,
    spectators nothing.
    """
    if not role.may(Role.PLAYER):
        return {**summary(board.game(), board.now(), (), words), "health": []}
    health = board.health() if role.may(Role.ARBITER) else board.notices()
    return summary(board.game(), board.now(), health, words)


def event(name: str, value: Mapping[str, object]) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n".encode()
