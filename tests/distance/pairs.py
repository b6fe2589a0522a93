"""Two referees that exchange reports, without daemons: what their boards do is said by a test."""

from dataclasses import dataclass, field
from typing import Final

from gnomon.distance.exchange import Exchange, Party
from gnomon.distance.reports import GUEST, HOST, Report, decode, encode
from gnomon.referee.events import TurnArrived, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import begin
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Instant

KEY: Final = b"k" * 32
IDENTS: Final = {HOST: "a" * 16, GUEST: "b" * 16}
OTHER: Final = {HOST: GUEST, GUEST: HOST}
SIDES: Final = {HOST: "white", GUEST: "black"}
"""The side that the other board plays."""


def game_at(role: str, **settings: object) -> Game:
    own = {"opponent": "another-board", "opponent_code": "KWXPTR", "opponent_plays": SIDES[role]}
    return begin("tabik", {"size": 3, "pie": "no", **own, **settings})


@dataclass
class End:
    """One board: its game, its exchange, and its clock, which is ahead of the other's by `ahead`."""

    role: str
    game: Game
    exchange: Exchange
    ahead: int = 0
    runs: int = 1
    now: int = 0
    events: list[object] = field(default_factory=list)

    @classmethod
    def of(cls, role: str, ahead: int = 0, **settings: str) -> "End":
        return cls(role, game_at(role, **settings), Exchange(Party(role, IDENTS[role], f"{1:016x}")), ahead)

    @property
    def raw(self) -> Instant:
        return Instant(self.now + self.ahead)

    @property
    def at(self) -> Instant:
        return Instant(self.now)

    def restart(self) -> None:
        """Lose everything but the journal."""
        self.runs += 1
        self.exchange = Exchange(Party(self.role, IDENTS[self.role], f"{self.runs:016x}"), self.exchange.peer)

    def tell(self) -> bytes:
        return encode(self.exchange.report(self.game, self.raw), KEY)

    def say(self) -> Report:
        return self.exchange.report(self.game, self.raw)

    def take(self, payload: bytes) -> None:
        self.exchange.take(decode(payload, KEY), self.raw)
        self.look()

    def look(self) -> None:
        for _ in range(20):
            event = self.exchange.due(self.game, self.at)
            if event is None:
                return
            taken = self.exchange.charge_due(self.game, event, self.at) if isinstance(event, TurnArrived) else None
            for each in (event, taken):
                if each is not None:
                    self.events.append(each)
                    self.game, _ = step(self.game, each)
        raise AssertionError(self.events[-3:])

    def play(self, choice: int = 0) -> None:
        """Make a turn, or that of the other board which has arrived."""
        game = self.game
        if game.outcome is not None or game.paused_at is not None:
            return
        if game.announced is not None:
            self.game, _ = step(game, TurnEntered(self.at, game.announced.text, "hands"))
        elif not game.is_elsewhere:
            texts = list(game.texts())
            self.game, _ = step(game, TurnEntered(self.at, texts[choice % len(texts)], "person"))

    @property
    def turns(self) -> list[tuple[str, int]]:
        return [(ply.text, ply.when) for ply in self.game.plies]


class Pair:
    """Both boards, and what is on its way between them."""

    def __init__(self, **settings: str) -> None:
        self.host, self.guest = End.of(HOST, 0, **settings), End.of(GUEST, 12_345_678, **settings)
        self.ends = {HOST: self.host, GUEST: self.guest}

    def wait(self, duration: int) -> None:
        for end in self.ends.values():
            end.now += duration

    def meet(self, times: int = 4) -> None:
        """Let both hear each other, without a loss."""
        for _ in range(times):
            for role, end in self.ends.items():
                self.ends[OTHER[role]].take(end.tell())
            self.wait(SECOND // 100)
