"""Play between two simulated boards in virtual time, over a network that delays, loses, doubles and reorders."""

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Final

from gnomon.distance.codes import RelayRoom
from gnomon.distance.reports import GUEST, HOST, Invitation
from gnomon.distance.shares import ShareChain
from gnomon.records.journal.event_codec import NOTE
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.config.description import TABLE
from gnomon_pi.relay_link._player import DISTANCE, DistantPlayer, KnownPeers, invitation_of, known_in, settings_of_guest
from gnomon_pi.runtime.engine_play.opponent import OpponentPlayer
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

CODE: Final = "KWXPTR"
ROOM: Final = RelayRoom("0" * 32, b"k" * 32)
STEP: Final = Duration(10 * MILLISECOND)


class NoEngine:
    """No engine plays here."""

    def ask(self, inquiry: object) -> None:
        raise AssertionError(inquiry)

    def stop(self) -> None:
        """Stop nothing."""

    def leave(self) -> None:
        """End nothing."""


class Network:
    """A relay in memory: each report takes `delay`, up to half of it more, and is lost with a chance of `loss`."""

    def __init__(self, delay: int, loss: float, seed: int, doubled: float = 0.05) -> None:
        self.delay, self.loss, self.doubled = delay, loss, doubled
        self.is_down = False
        self.sent = self.lost = 0
        self._random = Random(seed)
        self._number = count()
        self._under_way: list[tuple[int, int, str, bytes]] = []

    def send(self, to: str, payload: bytes, now: int) -> None:
        self.sent += 1
        if self.is_down or self._random.random() < self.loss:
            self.lost += 1
            return
        for _ in range(2 if self._random.random() < self.doubled else 1):
            at = now + self.delay + round(self._random.random() * self.delay / 2)
            heappush(self._under_way, (at, next(self._number), to, payload))

    def arrived(self, now: int) -> list[tuple[str, bytes]]:
        found = []
        while self._under_way and self._under_way[0][0] <= now:
            _, _, to, payload = heappop(self._under_way)
            found.append((to, payload))
        return found


class Board:
    """A board with its daemon, which may be killed, and the player of the other board."""

    def __init__(self, name: str, other: str, network: Network, head_start: int, board: str = TABLE) -> None:
        self.name, self.other, self.network = name, other, network
        self.watch = VirtualWatch()
        self.watch.go_to(Instant(head_start))
        self.head_start = head_start
        self.board = virtual_board(self.watch, board)
        self.store = Notebook()
        self.runs = 0
        self.run = ""
        self.room = ROOM
        self.code = CODE
        self.hindrance = None
        self.daemon = VirtualDaemon(self.watch, self.store, self.board)
        self.hands = OpponentPlayer(self.daemon.runner, NoEngine())
        self.player: DistantPlayer | None = None
        self.is_dead = False
        self.is_guest_waiting = False

    @property
    def ident(self) -> str:
        """The name of this board in what it tells the other."""
        return self.name.encode().hex().ljust(16, "0")[:16]

    def raw(self, now: int) -> Instant:
        return Instant(now + self.head_start)

    @property
    def game(self) -> Game:
        live = self.daemon.runner.live_game
        assert live is not None
        return live.game

    @property
    def has_game(self) -> bool:
        return self.daemon.runner.live_game is not None

    def begin(self, game: str, settings: Mapping[str, object]) -> None:
        self.daemon.new_game(GameSetup(game, settings))
        self._note()
        self._play(invitation_of(self.game, settings))

    def join(self) -> None:
        self.is_guest_waiting = True
        self._play(None)

    def restart(self) -> None:
        """Start the daemon again that was killed."""
        self.is_dead = False
        self.daemon = VirtualDaemon(self.watch, self.store, self.board)
        self.daemon.recover()
        self.hands = OpponentPlayer(self.daemon.runner, NoEngine())
        self.player = None
        if self.has_game:
            self._play(invitation_of(self.game, self.store.games[-1].start.settings))
        elif self.is_guest_waiting:
            self._play(None)

    def throw(self) -> None:
        """Throw as both boards do together; without the other's share nobody throws yet."""
        assert self.player is not None
        chance = self.player.exchange.chance(self.game)
        if chance is not None:
            self.daemon.throw(chance)

    def send(self, payload: bytes) -> bool:
        self.network.send(self.other, payload, self.watch.now() - self.head_start)
        return True

    def receive(self, payload: bytes) -> None:
        if self.player is not None and not self.is_dead:
            self.player.receive(payload, self.watch.now())

    def look(self) -> None:
        if self.is_dead:
            return
        if self.player is not None:
            self._begin_as_guest(self.player)
            self.player.look(self.watch.now())
        if self.has_game:
            self.hands.look()

    def _begin_as_guest(self, player: DistantPlayer) -> None:
        invitation = player.exchange.invitation
        if self.is_guest_waiting and invitation is not None and not self.has_game:
            self.is_guest_waiting = False
            self.daemon.new_game(GameSetup(invitation.game, settings_of_guest(invitation, CODE)))
            self._note()

    def _note(self) -> None:
        peer = "" if self.player is None else self.player.exchange.peer
        anchor = "" if self.player is None else self.player.exchange.anchor
        self.daemon.runner.remark({NOTE: DISTANCE, "ident": self.ident, "peer": peer, "anchor": anchor})

    def _play(self, invitation: Invitation | None) -> None:
        self.runs += 1
        known = known_in(self.store.records) or KnownPeers(self.ident, "")
        self.run = f"{self.runs:016x}"
        role = GUEST if invitation is None else HOST
        chain = ShareChain(self.name.encode())
        self.player = DistantPlayer(self.daemon.runner, self.daemon.health, self, known, role, chain)
        self.player.invite(invitation)


class Evening:
    """Two boards, and people who think before each turn and follow the other's turn with their hands."""

    def __init__(
        self, delay: int = 20, loss: float = 0.0, seed: int = 1, board: str = TABLE, *, longest: int = 3000
    ) -> None:
        """`longest` is for how many milliseconds people think at most."""
        self.longest = longest
        self.network = Network(delay * MILLISECOND, loss, seed)
        self.host = Board("host", "guest", self.network, 0, board)
        self.guest = Board("guest", "host", self.network, 7_777_777, board)
        self.boards = {"host": self.host, "guest": self.guest}
        self.now = 0
        self.random = Random(seed)
        self.thinks: dict[str, int] = {}
        self.thought = {"host": 0, "guest": 0}
        self._since: dict[str, int] = {}

    def pass_to(self, end: int) -> None:
        while self.now < end:
            self.now += STEP
            for board in self.boards.values():
                if not board.is_dead:
                    board.daemon.pass_to(board.raw(self.now))
                else:
                    board.watch.go_to(board.raw(self.now))
            for to, payload in self.network.arrived(self.now):
                self.boards[to].receive(payload)
            for board in self.boards.values():
                board.look()

    def act(self, board: Board) -> None:
        """Make the turn of this board's person, or follow the other's, once they have thought."""
        if board.is_dead or not board.has_game:
            return
        game = board.game
        if game.outcome is not None or game.paused_at is not None:
            return
        is_ours = not game.is_elsewhere
        if not is_ours and game.announced is None:
            self.thinks.pop(board.name, None)
            return
        if board.name not in self.thinks:
            span = self.random.randint(100, self.longest) * MILLISECOND
            self.thinks[board.name] = self.now + span
            if is_ours:
                self._since.setdefault(board.name, self.now)
            return
        if self.now < self.thinks[board.name]:
            return
        del self.thinks[board.name]
        at = board.daemon.runner.now()
        if game.announced is not None:
            board.daemon.runner.correct(TurnEntered(at, game.announced.text, "hands"))
            self._since[board.name] = self.now  # from here this board's time runs
        elif game.is_natures:
            board.throw()
        else:
            text = self.random.choice(list(game.texts()))
            board.daemon.runner.correct(TurnEntered(at, text, "person"))
            if len(board.game.plies) > 1:  # the first turn starts the clock, and costs no time
                self.thought[board.name] += self.now - self._since.get(board.name, self.now)
            self._since.pop(board.name, None)

    def play(self, most: int = 3600 * SECOND) -> None:
        """Play on until both boards have ended the game."""
        end = self.now + most
        while self.now < end and not self.is_over:
            self.pass_to(self.now + STEP)
            for board in self.boards.values():
                self.act(board)
        self.pass_to(self.now + 5 * SECOND)

    @property
    def is_over(self) -> bool:
        return all(board.has_game and board.game.outcome is not None for board in self.boards.values())

    def turns(self, board: Board) -> list[tuple[str, str, int]]:
        return [(ply.player, ply.text, ply.when) for ply in board.game.plies]
