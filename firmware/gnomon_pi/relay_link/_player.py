"""Play the side of the other board: enter the turns that it reports, and report the turns made here.

`DistantPlayer` decides what is to be entered and sent, and waits for nothing; the daemon's shell and virtual time call
it alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol

from gnomon.distance.codes import RelayRoom, spell_code
from gnomon.distance.exchange import Exchange, Party
from gnomon.distance.reports import GUEST, HOST, Invitation, ReportError, decode, encode
from gnomon.distance.shares import ShareChain
from gnomon.records.journal.entries import Record
from gnomon.records.journal.event_codec import NOTE
from gnomon.referee.events import TurnArrived
from gnomon.referee.game import ANOTHER_BOARD, Game
from gnomon.referee.opponents import CODE, OPPONENT, PLAYS
from gnomon.referee.opponents import GUEST as IS_GUEST
from gnomon.refusals import Statement, statement
from gnomon.rules.odds import pick
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.runner import Runner, RunnerError

HEALTH: Final = "other board"
REFUSED: Final = "relay"
"""What keepers are told of messages that were refused."""
DISTANCE: Final = "distance"
"""The note of the journal that says who the two boards of a game are."""

LUCK: Final = "other board's luck"
_READ: Final = 2
"""So many turns after a throw by hand nobody is told of it any more."""

_BEAT: Final = Duration(SECOND)
"""Between two reports when nothing happens: the way is measured by them, and a lost connection noticed."""
_AGAIN: Final = Duration(400 * MILLISECOND)
"""After so long a report is repeated that tells of a turn."""
_QUIET: Final = Duration(4 * SECOND)
"""After so long without a report people are told."""
_STEP: Final = 5  # seconds by which they are told again
_ENTRIES: Final = 64  # at one look, so that nobody keeps the daemon busy


class Line(Protocol):
    """The way to the room on the relay where two boards meet."""

    @property
    def room(self) -> RelayRoom:
        """The room, with the key that signs."""
        ...

    @property
    def code(self) -> str:
        """The code of the room."""
        ...

    @property
    def run(self) -> str:
        """A name for this start of the daemon."""
        ...

    @property
    def hindrance(self) -> Statement | None:
        """Why the relay cannot be reached; None while it can."""
        ...

    def send(self, payload: bytes) -> bool:
        """Send a report to the other board; False when it cannot go out now."""
        ...


class KnownPeers(NamedTuple):
    """What the journal says of the two boards of a game: this one's name, and the other's once it was heard.

    `anchor` is the end of the other's chain of shares; with the first word of a board it is settled.
    """

    ident: str
    peer: str
    anchor: str = ""


def known_in(records: Sequence[Record]) -> KnownPeers | None:
    """Who the two boards of a game are, by its entries."""
    found = None
    for record in records:
        body: Mapping[str, object] = record.entry.body
        if body.get(NOTE) == DISTANCE:
            found = KnownPeers(*(str(body.get(key, "")) for key in KnownPeers._fields))
    return found


class DistantPlayer:
    """One game with another board, from its first report to its last."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a game between two boards stands on
        self, runner: Runner, health: Health, line: Line, known: KnownPeers, role: str, chain: ShareChain | None = None
    ) -> None:
        """`chain` has this board's shares of what is thrown and drawn; without it each board does so alone."""
        self.exchange = Exchange(Party(role, known.ident, line.run), known.peer, chain, known.anchor)
        self._runner = runner
        self._health = health
        self._line = line
        self._invitation: Invitation | None = None
        self._noted: dict[str, object] = known._asdict()
        self._luck: tuple[int, bool] | None = None  # the last throw of the other board, and whether it is proven
        self._told: object = None
        self._next = Instant(0)

    def invite(self, invitation: Invitation | None) -> None:
        """Say from now on what the host plays; a guest invites to nothing."""
        self._invitation = invitation

    def receive(self, payload: bytes, now: Instant) -> None:
        """Take in what came from the relay at raw instant `now`."""
        try:
            report = decode(payload, self._line.room.key)
        except ReportError as error:
            self._health.wrong(REFUSED, statement("distance.unreadable", why=error.statement))
            return
        if self.exchange.take(report, now):
            self._health.well(REFUSED)

    def look(self, now: Instant) -> Instant:
        """Enter and send what is due at raw instant `now`; answer when to look again though nothing has come."""
        self._enter()
        self._note()
        self._say(now)
        return self._send(now)

    def leave(self) -> None:
        """Say nothing more of the other board."""
        for part in (HEALTH, REFUSED, LUCK):
            self._health.well(part)

    def _is_of(self, game: Game) -> bool:
        """Whether the game is the one that is played by this code."""
        return game.opponent is not None and game.opponent.is_distant and game.opponent.code == self._line.code

    # What is entered

    def _enter(self) -> None:
        for _ in range(_ENTRIES):
            live = self._runner.live_game
            if live is None or not self._is_of(live.game):
                return
            event = self.exchange.due(live.game, self._runner.now())
            if event is None:
                return
            taken = None
            if isinstance(event, TurnArrived):
                event = self._weigh(live.game, event)
                taken = self.exchange.charge_due(live.game, event, self._runner.now())
            try:
                self._runner.correct(event)
                if taken is not None:
                    self._runner.correct(taken)
            except RunnerError as error:
                if isinstance(event, TurnArrived):
                    number = len(live.game.plies) + 1
                    self.exchange.differs = statement("distance.differs.refused", number=number, why=error.statement)
                return

    def _weigh(self, game: Game, turn: TurnArrived) -> TurnArrived:
        """A turn of the other board with what it follows from, where it was thrown by both boards.

        What does not follow from both shares was thrown by hand, and those at this board are told: they are the only
        witnesses.
        """
        if not game.is_natures or not self.exchange.shares_luck:
            return turn
        chance, number = self.exchange.chance(game), len(game.plies)
        is_proven = chance is not None and turn.text == pick(
            game.rules, game.position, lambda bound: chance.below(bound, number)
        )
        if not is_proven and (self._luck is None or self._luck[1]):
            self._health.wrong(LUCK, statement("distance.by_hand", number=number + 1), Audience.PLAYERS)
        self._luck = number, is_proven
        return replace(turn, why=f"thrown by {chance.name(number)}") if chance is not None and is_proven else turn

    def _note(self) -> None:
        """Write down who the other board is, once it has been heard, and at the end whether both agree."""
        live, exchange = self._runner.live_game, self.exchange
        if live is None or not self._is_of(live.game):
            return
        found: dict[str, object] = KnownPeers(exchange.me.ident, exchange.peer, exchange.anchor)._asdict()
        if exchange.own_anchor:
            found["own_anchor"] = exchange.own_anchor
        if exchange.differs is not None:
            found["differs"] = exchange.differs.dump()
        elif agreed := exchange.agreement(live.game):
            found["agreed"] = agreed
        if found != self._noted and exchange.peer:
            self._noted = found
            self._runner.remark({NOTE: DISTANCE, **found})

    # What is told

    def _send(self, now: Instant) -> Instant:
        runner, exchange = self._runner, self.exchange
        # What the other board hears is written down here, so that a power cut takes nothing back.
        game = runner.ruled if runner.shown_number == runner.number else None
        game = game if game is not None and self._is_of(game) else None
        is_waiting = exchange.me.role == HOST and exchange.heard is None
        if is_waiting:
            return Instant(now + _BEAT)
        told = _digest(exchange, game)
        if told == self._told and now < self._next:
            return self._next
        report = exchange.report(game, now, invitation=self._invitation)
        is_behind = game is not None and exchange.is_behind(game)
        if self._line.send(encode(report, self._line.room.key)):
            self._told = told
        self._next = Instant(now + (_AGAIN if is_behind else _BEAT))
        return self._next

    def _say(self, now: Instant) -> None:
        """Tell those at the board how the other board does."""
        told, live = self._statement(now), self._runner.live_game
        if self._luck is not None and live is not None and len(live.game.plies) > self._luck[0] + _READ:
            self._health.well(LUCK)
        if told is None:
            self._health.well(HEALTH)
        else:
            self._health.wrong(HEALTH, told, Audience.PLAYERS)

    def _statement(self, now: Instant) -> Statement | None:
        exchange, live = self.exchange, self._runner.live_game
        heard = exchange.heard
        if exchange.differs is not None:
            return exchange.differs
        if exchange.is_taken:
            return statement("distance.taken")
        if heard is not None and heard.report.refusal is not None:
            return statement("distance.refused", why=heard.report.refusal)
        if live is not None and self._is_of(live.game) and live.game.outcome is not None:
            return None
        if self._line.hindrance is not None:
            return self._line.hindrance
        if heard is None or (exchange.me.role == HOST and not exchange.peer):
            code = spell_code(self._line.code)
            is_known = exchange.peer or exchange.me.role == GUEST
            return statement("distance.waiting", code=code) if is_known else statement("distance.invites", code=code)
        quiet = now - heard.at
        if quiet < _QUIET:
            return None
        return statement("distance.silent", seconds=quiet // SECOND // _STEP * _STEP or _QUIET // SECOND)


def _digest(exchange: Exchange, game: Game | None) -> object:
    """What the other board wants to hear at once when it changes."""
    heard = None if exchange.heard is None else (exchange.heard.report.ident, exchange.heard.report.run)
    if game is None:
        return heard, exchange.refusal
    return (
        heard,
        exchange.refusal,
        exchange.differs,
        len(game.plies),
        game.announced,
        game.declared,
        game.draw,
        game.paused_at,
        len(game.rulings),
    )


def invitation_of(game: Game, settings: Mapping[str, object]) -> Invitation | None:
    """What a host invites to; None at a guest's board."""
    opponent = game.opponent
    if opponent is None or opponent.is_guest:
        return None
    own = (OPPONENT, PLAYS, CODE, IS_GUEST)
    kept = {name: str(value) for name, value in settings.items() if name not in own}
    guest = opponent.seats[0]
    host = next(seat for seat in game.rules.seats if seat != guest)
    return Invitation(game.rules.name, kept, game.temperament.value, host, guest, dict(game.people))


def settings_of_guest(invitation: Invitation, code: str) -> dict[str, object]:
    """The settings of the game to which this board was invited."""
    own = {OPPONENT: ANOTHER_BOARD, PLAYS: invitation.host, CODE: code, IS_GUEST: "yes"}
    return {**invitation.settings, **own}
