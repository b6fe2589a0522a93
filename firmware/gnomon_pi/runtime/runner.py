"""Run the referee loop: stamped edges in, deadlines when they are due, effects out once they are durable.

The loop depends on no thread and no event loop. A shell calls `run`, waits until the instant that it answers or until
it is stirred, and calls again: the daemon in real time, the simulation in virtual time.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from heapq import heappop, heappush
from operator import attrgetter, is_
from typing import Final, NamedTuple

from gnomon.records.journal.entries import Record, StoredGame
from gnomon.referee.debounce import Change
from gnomon.referee.effects import Announce, Effect, Sound, Tune
from gnomon.referee.events import Correction, DeadlineReached, Event, InputTrusted, Paused, TurnEntered, TurnsVoided
from gnomon.referee.evidence import OUTAGE
from gnomon.referee.game import Game
from gnomon.referee.games import foresee, let_rest, rests_at, tell
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import RequestRefusedError, Statement, statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime._journal_writer import JournalWriter
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.live_game import Host, LiveGame
from gnomon_pi.runtime.outputs import NEVER, Outputs
from gnomon_pi.runtime.recovery import WHO, Recovered, RecoveryError, recover, spell, why_stopped
from gnomon_pi.runtime.scanner import InputEdge
from gnomon_pi.runtime.system.clock import Watch

SLACK: Final = Duration(3 * MILLISECOND)
"""How long an edge waits for edges that were stamped before it and arrive after it."""

SLEEP: Final = Duration(500 * MILLISECOND)
"""A machine that was suspended for less has missed nothing that a slow scan would not miss as well."""

QUIET: Final = SECOND
"""A quarantined input is heard once in so long: chatter written down at every scan would wear out the SD card."""

FIRST_LOOK: Final = SECOND
"""So long after a start time decides nothing, unless the sensors answer sooner."""


_VISIBLE: Final[dict[type[Game], Callable[[Game], tuple[object, ...]]]] = {}
"""What views may read of a game, by its class."""


class RunnerError(RequestRefusedError, RuntimeError):
    """What was asked cannot be done now."""


class Receipt(NamedTuple):
    """What an event led to, and the journal entry that must be durable before it may be shown."""

    sequence: int
    rulings: tuple[Ruling, ...] = ()
    remark: int = 0  # the entry that says who elsewhere wanted it


class Posted(NamedTuple):
    """An edge that waits for its turn; edges with one stamp keep the order in which they came."""

    stamp: Instant
    arrival: int
    edge: InputEdge


class Pending(NamedTuple):
    """A game that may be shown, and effects that may happen, when the journal entry `sequence` is durable."""

    sequence: int
    game: Game
    origin: Instant  # of its board time, on the raw clock
    effects: tuple[Effect, ...] = ()
    number: int = 0  # of the game in the journal


class Waiting(NamedTuple):
    """Somebody who wants to know that an entry is durable (True), or that it cannot be now (False)."""

    sequence: int
    call: Callable[[bool], None]


class Runner:
    """One game at a time, from edges to effects. Every method is called in one thread."""

    shown: Game | None = None
    """The game as everyone may see it: its edges are durable, and a touch shows before it is evidence."""
    ruled: Game | None = None
    """The same game as far as it has been ruled."""
    live_game: LiveGame | None = None
    """The present game, ahead of what is shown, with what only the runner knows of it."""

    def __init__(self, watch: Watch, journal_writer: JournalWriter, show: Outputs, health: Health, host: Host) -> None:
        self.host = host
        self._watch = watch
        self._journal_writer = journal_writer
        self._show = show
        self._health = health
        self._asleep = watch.asleep()
        self._edges: list[Posted] = []
        self._arrivals = 0
        self._heard: dict[str, Instant] = {}
        self._withheld: dict[str, InputEdge] = {}
        self._blind_until: Instant | None = None  # after a start, until the board has been looked at
        self._pending: deque[Pending] = deque()
        self._waiting: list[Waiting] = []
        self._origin = Instant(0)  # of the game that is shown
        self._coming: tuple[Change, ...] = ()  # what is shown in it before it is evidence
        self.shown_number = 0  # of that game in the journal
        self._said: tuple[Statement, ...] = ()
        self._on_change: list[Callable[[], None]] = []
        self._on_ruling: list[Callable[[Ruling], None]] = []
        self._on_edge: list[Callable[[InputEdge], None]] = []
        self._stir: Callable[[], None] = _do_nothing
        self._rescan: Callable[[], None] = _do_nothing

    @property
    def number(self) -> int:
        """The number of the present game in the journal; 0 before any."""
        return self._journal_writer.game

    # Who listens

    def on_change(self, call: Callable[[], None]) -> None:
        """Call `call` whenever what is shown has changed."""
        self._on_change.append(call)

    def on_ruling(self, call: Callable[[Ruling], None]) -> None:
        """Call `call` with every ruling once it is durable, in order."""
        self._on_ruling.append(call)

    def on_edge(self, call: Callable[[InputEdge], None]) -> None:
        """Call `call` with every edge once the game has been told what it is to know of it, in the order of stamps."""
        self._on_edge.append(call)

    def on_stir(self, call: Callable[[], None]) -> None:
        """Call `call` when there is something to run for before the instant that `run` answered."""
        self._stir = call

    def stir(self) -> None:
        """Let the loop run soon: something is to be shown that no event has led to."""
        self._stir()

    def on_rescan(self, call: Callable[[], None]) -> None:
        """Call `call` when the next scan must report every input."""
        self._rescan = call

    def when_durable(self, receipt: Receipt, call: Callable[[bool], None]) -> None:
        """Call `call` with True once the receipt's entry is durable, with False when the journal has failed."""
        self._waiting.append(Waiting(receipt.sequence, call))
        self._stir()

    # What is true

    @property
    def is_unfinished(self) -> bool:
        """Whether a game is in progress."""
        return self.live_game is not None and self.live_game.is_unfinished

    @property
    def may_begin(self) -> bool:
        """Whether another game may come to the board: the present one is finished, or put away."""
        return self.live_game is None or not self.is_unfinished or self.live_game.game.adjourned

    def now(self) -> Instant:
        """Board time of the present game in microseconds; 0 without one."""
        return Instant(0) if self.live_game is None else self.live_game.board_time(self._watch.now())

    def time_since(self, origin: Instant) -> Instant:
        """Board time now of a game whose board time 0 was that raw instant. Any thread may ask."""
        return max(Instant(0), Instant(self._watch.now() - origin))

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with the machine."""
        return self._health.all()

    def notices(self) -> tuple[Statement, ...]:
        """What those at the board are told of it."""
        return self._health.notices()

    # What happens

    def post(self, edges: tuple[InputEdge, ...]) -> None:
        """Take in raw edges, in any order."""
        if any(edge.input in self.host.sampled for edge in edges):
            self._blind_until = None
        for edge in edges:
            self._arrivals += 1
            heappush(self._edges, Posted(edge.stamp, self._arrivals, edge))
        self._stir()

    def new_game(self, setup: GameSetup, wish: Mapping[str, object] | None = None) -> Receipt:
        """Start a new game, the board's own without a name; the next scan is compared with its start.

        `wish` is a remark on who wants it so. Raises RunnerError.
        """
        self._check_free()
        try:
            game = self.host.begin(setup)
        except RulesError as error:
            raise RunnerError(error) from error
        now = self._watch.now()
        with self._journal_writer.together():
            sequence = self._journal_writer.begin(game, setup.settings, now)
            remark = 0 if wish is None else self._journal_writer.remark(Instant(0), wish)
        self._sit(LiveGame.of_new(game, now))
        self._pending.append(Pending(sequence, game, now, number=self._journal_writer.game))
        return Receipt(max(sequence, remark), remark=remark)

    def bring_back(self, stored: StoredGame, records: Sequence[Record]) -> Recovered:
        """A game of the journal that was put away, as it stood; `resume` goes on with it. Raises RunnerError."""
        self._check_free()
        if stored.id == self._journal_writer.game:
            raise RunnerError(statement("told.game.here", number=stored.id))
        if stored.ended is not None:
            raise RunnerError(statement("told.game.over", number=stored.id))
        try:
            return recover(stored, records, self._journal_writer, self._watch, self.host)
        except RecoveryError as error:
            raise RunnerError(error) from error

    def _check_free(self) -> None:
        if not self.may_begin:
            raise RunnerError(statement("told.unfinished"))

    def resume(self, recovered: Recovered) -> None:
        """Go on with a game that the journal gave back; a finger that was on a button then is not any more."""
        live_game, number = recovered.live_game, self._journal_writer.game
        self._pending.append(Pending(recovered.sequence, live_game.game, live_game.origin, recovered.effects, number))
        self._sit(live_game)
        now = self._watch.now()
        if self.host.sampled:
            self._blind_until = Instant(now + FIRST_LOOK)
        self.post(tuple(InputEdge(now, button, value=False) for button in self.host.buttons if button in live_game.on))

    def correct(
        self, correction: Correction, wish: Mapping[str, object] | None = None, after: int | None = None
    ) -> Receipt:
        """Hand over an event by hand, after everything that was stamped before it.

        `wish` is a remark on who elsewhere wants it so: it is written down as the cause. `after` is how many turns the
        sender knew of. If that turn has been made since, as by somebody else who confirmed it, nothing is entered; if
        another one has, it is refused. Raises RunnerError.
        """
        live_game = self.live_game
        if live_game is None:
            raise RunnerError(statement("told.no_game"))
        if live_game.game.paused_at is not None:
            self._notice_sleep()  # it slept through a pause: that is no reason to stop what goes on from here
        self._hand_over(live_game.raw(correction.at))
        if after is not None and after != len(live_game.game.plies):
            return self._come_late(live_game.game, correction, after)
        if isinstance(correction, InputTrusted) and correction.input in self._withheld:
            self._tell(live_game, self._withheld.pop(correction.input))
        event = replace(correction, at=max(correction.at, live_game.last))
        try:
            receipt = self._hand(live_game, event) if wish is None else self._fulfil(live_game, event, wish)
        except RulesError as error:
            raise RunnerError(error) from error
        self._stir()
        return receipt

    def _come_late(self, game: Game, correction: Correction, after: int) -> Receipt:
        """Answer what is entered for an earlier position. Raises RunnerError unless that turn has been made there."""
        if isinstance(correction, TurnEntered) and [ply.text for ply in game.plies[after:][:1]] == [correction.text]:
            return Receipt(self._pending[-1].sequence if self._pending else self._journal_writer.durable)
        is_back = isinstance(correction, TurnsVoided)
        raise RunnerError(statement("players.take_back.late" if is_back else "players.turn.late"))

    def remark(self, what: Mapping[str, object]) -> Receipt:
        """Write down something about the present game that the referee does not need to know. Raises RunnerError."""
        if self.live_game is None:
            raise RunnerError(statement("told.no_game"))
        sequence = self._journal_writer.remark(self.now(), what)
        return Receipt(sequence, remark=sequence)

    def run(self, now: Instant) -> Instant | None:
        """Do everything that is due at the raw instant `now`; answer when to run again if nothing stirs before."""
        self._notice_sleep()
        self._hand_over(Instant(now - SLACK))
        self._show_what_is_durable(now)
        while self._pending and self._pending[0].sequence <= self._journal_writer.durable:
            self._show_what_is_durable(now)  # A game that ended and the one after it are shown one after the other.
        return self._wake(now)

    # Events in

    def _notice_sleep(self) -> None:
        """Stop the game when the machine was suspended: real sand ran on, and nobody looked at the board."""
        asleep = self._watch.asleep()
        slept, self._asleep = asleep - self._asleep, asleep
        live_game = self.live_game
        if slept < SLEEP or live_game is None or not live_game.is_unfinished:
            return
        away = spell(round(slept / SECOND))
        with self._journal_writer.together():
            if live_game.game.paused_at is None:
                self.correct(Paused(self.now(), WHO, why_stopped(away, slept=True)))
            sequence = self._journal_writer.resume(live_game, away)
        self._pending.append(Pending(sequence, live_game.game, live_game.origin, number=self._journal_writer.game))
        self._rescan()

    def _sit(self, live_game: LiveGame) -> None:
        self.live_game = live_game
        self._asleep = self._watch.asleep()  # how long it slept before is no matter of this game
        self._heard.clear()
        self._withheld.clear()
        self._rescan()
        self._stir()

    def _hand_over(self, until: Instant) -> None:
        """Hand over everything stamped up to the raw instant `until`, in order; an edge comes before a deadline."""
        live_game = self.live_game
        if live_game is None:
            self._edges.clear()  # A new game has every input reported again.
            return
        while True:
            edge, release, deadline = self._next_edge(), self._next_release(), self._next_deadline(live_game)
            first = min(edge, release, deadline)
            if first > until:
                return
            if first == edge:
                heard = heappop(self._edges).edge
                self._hear(live_game, heard)
                for call in self._on_edge:
                    call(heard)
            elif first == release:
                self._let_through(live_game, release)
            else:
                self._wake_up(live_game, deadline)

    def _next_edge(self) -> Instant:
        return self._edges[0].stamp if self._edges else NEVER

    def _next_deadline(self, live_game: LiveGame) -> Instant:
        """When time next decides something: not before what changed while nobody looked at the board has been told."""
        deadline = _deadline_of(live_game)
        if self._blind_until is not None:
            deadline = max(deadline, self._blind_until)
        for _, _, edge in self._edges:
            if edge.uncertainty > OUTAGE and edge.stamp - edge.uncertainty < deadline:
                return max(deadline, self._next_edge())
        return deadline

    def _next_release(self) -> Instant:
        return Instant(min(self._heard[name] for name in self._withheld) + QUIET) if self._withheld else NEVER

    def _hear(self, live_game: LiveGame, edge: InputEdge) -> None:
        """Tell the game of an edge, unless it knows or must not hear it yet."""
        name = edge.input
        if edge.stamp < live_game.origin:
            return
        if name in live_game.game.quarantined and edge.stamp < self._heard.get(name, -QUIET) + QUIET:
            self._withheld[name] = edge
            return
        self._tell(live_game, edge)

    def _let_through(self, live_game: LiveGame, release: Instant) -> None:
        """Tell the game where quarantined inputs have come to in their quiet time."""
        for name in [name for name in self._withheld if self._heard[name] + QUIET <= release]:
            edge = self._withheld.pop(name)
            self._tell(live_game, edge._replace(stamp=release, uncertainty=Duration(release - edge.stamp)))

    def _tell(self, live_game: LiveGame, edge: InputEdge) -> None:
        if edge.value == (edge.input in live_game.on) or edge.input not in live_game.inputs:
            return
        self._heard[edge.input] = edge.stamp
        self._hand(live_game, live_game.input_changed(edge.stamp, edge.input, edge.uncertainty, value=edge.value))

    def _wake_up(self, live_game: LiveGame, deadline: Instant) -> None:
        self._hand(live_game, DeadlineReached(live_game.board_time(deadline)))
        if _deadline_of(live_game) <= deadline:
            message = f"the deadline {deadline} was handed over and is still the next one"
            raise RuntimeError(message)

    def _fulfil(self, live_game: LiveGame, event: Event, wish: Mapping[str, object]) -> Receipt:
        """Hand over what somebody elsewhere wants, with a remark that is its cause: both are durable, or neither."""
        tell(live_game.game, event)  # what the referee refuses leaves no remark
        with self._journal_writer.together():
            remark = self._journal_writer.remark(event.at, wish)
            return self._hand(live_game, event, remark)._replace(remark=remark)

    def _hand(self, live_game: LiveGame, event: Event, cause: int | None = None) -> Receipt:
        game, effects = tell(live_game.game, event)
        rulings = tuple(effect.ruling for effect in effects if isinstance(effect, Announce))
        live_game.take(event, game)
        if effects or not isinstance(event, DeadlineReached):
            sequence = self._journal_writer.write(event, rulings, is_over=not live_game.is_unfinished, cause=cause)
        else:
            # Nothing was decided that anyone will be shown, and a replay finds it by itself.
            sequence = self._pending[-1].sequence if self._pending else self._journal_writer.durable
        self._pending.append(Pending(sequence, game, live_game.origin, effects, self._journal_writer.game))
        return Receipt(sequence, rulings)

    # Effects out

    def _show_what_is_durable(self, now: Instant) -> None:
        effects = self._accept()
        has_rested = self._show_what_rests(now)
        changed = self._notice_health() or effects is not None or has_rested
        at = self.shown_time(now)
        if changed:
            self._show.redraw(at)
        self._show.light(self.shown, at)
        if effects:
            self._show.play([effect.tune for effect in effects if isinstance(effect, Sound)])
        for effect in effects or ():
            if isinstance(effect, Announce):
                for tell in self._on_ruling:
                    tell(effect.ruling)
        self._show.draw(self.shown, at)
        if changed:
            for call in self._on_change:
                call()
        if self._waiting:
            self._tell_those_who_wait()

    def _accept(self) -> list[Effect] | None:
        """Let what has become durable of one game be shown; its effects, or None when nothing looks different."""
        if not self._pending or self._pending[0].sequence > (durable := self._journal_writer.durable):
            return None
        effects: list[Effect] = []
        before, ruled = self.shown, self.ruled
        if self._pending[0].origin != self._origin:
            self._show.begin()
        self._origin, self.shown_number = self._pending[0].origin, self._pending[0].number
        while self._pending and self._pending[0].sequence <= durable and self._pending[0].origin == self._origin:
            accepted = self._pending.popleft()
            effects += accepted.effects
            self.ruled = accepted.game
        if not look_alike(ruled, self.ruled) or self._coming != coming_changes(self.ruled):
            self.shown, self._coming = None if self.ruled is None else foresee(self.ruled), coming_changes(self.ruled)
        return effects if effects or not look_alike(before, self.shown) else None

    def _show_what_rests(self, now: Instant) -> bool:
        """Show at once what has come to rest; answer whether anything looks different.

        Nothing is ruled by it: that waits for edges in transit. Should one come, what is shown is taken back.
        """
        live_game = self.live_game
        if live_game is None or self._pending or self._edges or self.ruled is not live_game.game:
            return False
        rested = let_rest(live_game.game, live_game.board_time(now))
        if rested is live_game.game or coming_changes(rested) == self._coming:
            return False
        before, self.shown, self._coming = self.shown, foresee(rested), coming_changes(rested)
        return not look_alike(before, self.shown)

    def _notice_health(self) -> bool:
        """Take in what the journal says of itself, and answer whether there is anything new about health."""
        failed = self._journal_writer.failed
        if failed is None:
            self._health.well("journal")
        else:
            self._health.wrong("journal", statement("health.journal", told=failed), Audience.PLAYERS)
        before, self._said = self._said, self._health.all()
        if self._said == before:
            return False
        if failed is not None:
            self._show.play([Tune.FAULT])
        return True

    def _tell_those_who_wait(self) -> None:
        durable, has_failed = self._journal_writer.durable, self._journal_writer.failed is not None
        answered = [waiting for waiting in self._waiting if has_failed or waiting.sequence <= durable]
        self._waiting = [waiting for waiting in self._waiting if waiting not in answered]
        for waiting in answered:
            waiting.call(waiting.sequence <= durable)

    @property
    def shown_origin(self) -> Instant:
        """The raw instant of board time 0 of the game that is shown: in one boot no two games have the same."""
        return self._origin

    def shown_time(self, raw: Instant) -> Instant:
        """Board time of the game that is shown."""
        return max(Instant(0), Instant(raw - self._origin))

    def _wake(self, now: Instant) -> Instant | None:
        live_game, first = self.live_game, min(self._next_edge(), self._next_release())
        if live_game is not None:
            first = min(first, self._next_deadline(live_game))
        first = min(Instant(first + SLACK), Instant(self._show.due + self._origin))
        if live_game is not None:
            rest = rests_at(live_game.game, live_game.board_time(now))
            first = first if rest is None else min(first, live_game.raw(rest))
        if live_game is not None and live_game.is_unfinished and live_game.game.paused_at is None:
            first = min(first, Instant(now + SLEEP))  # a machine that was suspended is noticed soon
        return first if first < NEVER else None


def _deadline_of(live_game: LiveGame) -> Instant:
    return NEVER if live_game.deadline is None else Instant(live_game.deadline + live_game.origin)


def _do_nothing() -> None:
    pass


def coming_changes(game: Game | None) -> tuple[Change, ...]:
    """The changes of the board that are no evidence yet, but show already."""
    return () if game is None else game.debouncer.pending_changes()


def look_alike(before: Game | None, after: Game | None) -> bool:
    """Whether no view can tell two games apart: most edges change nothing yet but what the debouncer knows."""
    if before is after:
        return True
    if before is None or after is None or type(before) is not type(after):
        return False
    kind = type(before)
    visible = _VISIBLE.get(kind) or _VISIBLE.setdefault(kind, _visible(kind))
    return all(map(is_, visible(before), visible(after)))


def _visible(kind: type[Game]) -> Callable[[Game], tuple[object, ...]]:
    """What views may read of a game."""
    return attrgetter(*(field.name for field in fields(kind) if field.name != "debouncer"))
