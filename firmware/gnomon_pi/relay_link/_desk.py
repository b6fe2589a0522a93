"""Connect a daemon to the room of its game with another board, by the code of an invitation."""

import asyncio
import hmac
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import randbelow, token_hex
from typing import Final, Protocol

from gnomon.distance.codes import CodeError, RelayRoom, new_code, parse_code, room_of, spell_code, topic_of
from gnomon.distance.reports import GUEST, HOST, LARGEST
from gnomon.distance.shares import ShareChain
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.records.journal.event_codec import NOTE
from gnomon.records.journal.writer import Journal
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.relay_link._player import (
    DISTANCE,
    DistantPlayer,
    KnownPeers,
    invitation_of,
    known_in,
    settings_of_guest,
)
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.system.randomness import Chance

_BYTES: Final = 8  # of a name that is made by chance
PATIENCE: Final = 20.0
"""Seconds for a board that invites to answer."""
SHARE: Final = 5.0
"""Seconds for the other board's share of a throw; it comes with its turn, or within a round trip."""
_AGAIN: Final = 0.05
_WAITING: Final = 64
"""Reports that wait to be taken in; each says everything, so older ones may be dropped."""
_IDLE: Final = 3600.0

OTHERS: Final = {HOST: GUEST, GUEST: HOST}


class OpenBus(Protocol):
    """What connects to the relay."""

    def __call__(self, user: str, password: str) -> Bus:
        """A connection for one side of a room."""
        ...


@dataclass(eq=False)
class RelayConnection:
    """One side of a room on the relay, as the player's line."""

    code: str
    room: RelayRoom
    role: str
    run: str
    bus: Bus
    came: deque[bytes] = field(default_factory=lambda: deque(maxlen=_WAITING))

    def listen(self, loop: asyncio.AbstractEventLoop, stir: Callable[[], None]) -> None:
        """Put aside what comes, and stir the daemon's loop."""

        def take(message: Message) -> None:
            if 0 < len(message.payload) <= LARGEST:
                self.came.append(message.payload)
            with suppress(RuntimeError):  # the daemon is stopping
                loop.call_soon_threadsafe(stir)

        self.bus.subscribe(topic_of(self.room.name, OTHERS[self.role]), take)
        self.bus.on_connection(lambda _: take(Message("", b"")))

    @property
    def hindrance(self) -> Statement | None:
        """Why the relay cannot be reached; None while it can."""
        return self.bus.hindrance

    def send(self, payload: bytes) -> bool:
        """Send a report; the latest one counts, so it may be dropped."""
        return self.bus.publish(topic_of(self.room.name, self.role), payload, sure=False)


class RelayDesk:
    """The daemon's games with other boards, one at a time. All methods are called in its loop."""

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of the daemon that it stands between
        self,
        runner: Runner,
        health: Health,
        journal: Journal,
        open_bus: OpenBus,
        now: Callable[[], Instant],
        key: bytes = b"",
    ) -> None:
        """`now` is the board's raw clock; from its `key` follow the shares of what is thrown and drawn, none without.

        The key stands beside the journal and not in it: a record may be read while the game goes on.
        """
        self._key = key
        self._runner = runner
        self._health = health
        self._journal = journal
        self._open_bus = open_bus
        self._now = now
        self._run = token_hex(_BYTES)
        self._stirred = asyncio.Event()
        self._line: RelayConnection | None = None
        self._player: DistantPlayer | None = None
        self._number = 0  # of the game that is played
        self._joining = ""  # the code by which an invitation is waited for
        self._answered = asyncio.Event()
        runner.on_change(self._stirred.set)

    def code(self) -> str:
        """A code by which another board is invited."""
        return new_code(randbelow)

    async def work(self) -> None:
        """Look after the game with another board for as long as the daemon runs."""
        try:
            while True:
                self._stirred.clear()
                await self._attend()
                wait = self._look()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._stirred.wait()
        finally:
            self._leave()

    async def join(self, code: str, name: str = "") -> GameSetup:
        """The game to which another board invites by a code, with who plays here. Raises ControllerError."""
        try:
            code = parse_code(code)
        except CodeError as error:
            raise ControllerError(error) from error
        self._leave()
        self._joining = code
        self._answered.clear()
        player, line = await self._enter_room(code, GUEST, KnownPeers(token_hex(_BYTES), ""))
        self._stirred.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._answered.wait()
        invitation = player.exchange.invitation
        if invitation is None:
            if self._player is player:  # and nobody has asked to join elsewhere since
                self._joining = ""
                self._leave()
            why = line.hindrance or statement("told.distance.nobody", code=spell_code(code))
            if player.exchange.is_taken:
                why = statement("told.distance.taken", code=spell_code(code))
            raise ControllerError(why)
        settings = settings_of_guest(invitation, code)
        names = {**invitation.names, invitation.guest: name or invitation.names.get(invitation.guest, "")}
        return GameSetup(invitation.game, settings, invitation.temperament, names)

    async def chance(self) -> Chance | None:
        """What the next throw follows from, for both boards; None where the other one has no share in it.

        Raises ControllerError where its share does not come.
        """
        player = self._player
        end = self._now() + round(SHARE * SECOND)
        while player is not None and self._player is player and (live := self._runner.live_game) is not None:
            if player.exchange.peer and not player.exchange.shares_luck:
                return None
            if (found := player.exchange.chance(live.game)) is not None:
                return found
            if self._now() >= end:
                break
            await asyncio.sleep(_AGAIN)
        raise ControllerError(statement("told.distance.share"))

    def refuse(self, why: Statement) -> None:
        """Tell the board that invites why its game cannot be played here."""
        if self._player is not None:
            self._player.exchange.refusal = why
            self._look()
        self._joining = ""
        self._leave()

    # The room of the present game

    async def _attend(self) -> None:
        """Be in the room of the game at the board, and in no other."""
        live, number = self._runner.live_game, self._runner.number
        opponent = None if live is None else live.game.opponent
        if self._joining:
            if opponent is None or opponent.code != self._joining or self._player is None:
                return
            self._joining, self._number = "", number
            exchange = self._player.exchange
            self._note(KnownPeers(exchange.me.ident, exchange.peer, exchange.anchor))
        elif live is None or opponent is None or not opponent.is_distant:
            self._leave()
        elif self._number != number or self._player is None:
            stored = self._journal.last_game()
            if stored is None or stored.id != number:
                return  # it is not on the disk yet
            self._leave()
            known = known_in(self._journal.read(number))
            if known is None:
                known = KnownPeers(token_hex(_BYTES), "")
                self._note(known)
            player, _ = await self._enter_room(opponent.code, GUEST if opponent.is_guest else HOST, known)
            self._number = number
            player.invite(invitation_of(live.game, stored.start.settings))

    def _note(self, known: KnownPeers) -> None:
        self._runner.remark({NOTE: DISTANCE, **known._asdict()})

    async def _enter_room(self, code: str, role: str, known: KnownPeers) -> tuple[DistantPlayer, RelayConnection]:
        room = await asyncio.to_thread(room_of, code)
        bus = self._open_bus(room.user(role), room.password(role))
        line = self._line = RelayConnection(code, room, role, self._run, bus)
        line.listen(asyncio.get_running_loop(), self._stirred.set)
        chain = ShareChain(hmac.digest(self._key, known.ident.encode(), "sha256")) if self._key else None
        self._player = DistantPlayer(self._runner, self._health, line, known, role, chain)
        return self._player, line

    def _look(self) -> float:
        """Let the player do what is due; for how many seconds nothing else is."""
        player, line = self._player, self._line
        if player is None or line is None:
            return _IDLE
        now = self._now()
        while line.came:
            player.receive(line.came.popleft(), now)
        if player.exchange.invitation is not None or player.exchange.is_taken:
            self._answered.set()
        return max(0.01, (player.look(now) - self._now()) / SECOND)

    def _leave(self) -> None:
        line, self._line = self._line, None
        player, self._player = self._player, None
        self._number = 0
        if player is not None:
            player.leave()
        if line is not None:
            line.bus.close()
