"""Run the daemon in virtual time, where the clock jumps to the next event.

Everything but the clock, the threads and the disk is the daemon's own: the drivers on the emulated chips, the
scanner, the loop, the referee, the journal and the views. Scans in which nothing has changed are skipped; those
that are made keep the beat of the real ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from random import Random
from typing import Final, Self, assert_never

from gnomon.games.tamsk.rules import Tamsk
from gnomon.records.journal.entries import Entry, Excerpt, GameStart, Record, StoredGame
from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after
from gnomon_pi import config
from gnomon_pi.config.description import TABLE, TAMSK
from gnomon_pi.runtime._journal_writer import EventStore, JournalWriter
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.runtime.outputs import NEVER, Devices, Outputs, sides_of
from gnomon_pi.runtime.recovery import recover
from gnomon_pi.runtime.runner import Receipt, Runner
from gnomon_pi.runtime.scanner import PERIOD, InputEdge, Scanner
from gnomon_pi.runtime.system.randomness import SYSTEM, Chance, throw
from gnomon_pi.runtime.tag_input import TagInput
from gnomon_pi.simulated._table import TamskTable
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.game_script import Score, random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.input_actions import CodeRead, Deed
from gnomon_pi.simulated.players.player_timing import Habits
from gnomon_pi.simulated.players.table_hands import Handled, Meant, PlayingManner, play_at_a_table
from tests.player_mistakes import CAREFUL, Clumsiness

VERSION: Final = "virtual"
WATCHED_ON: Final = Duration(8 * SECOND)  # after the last touch: a last ring shows for five before it ends the game

ASKED: Final = 3
"""How often an input that is not believed is asked again before nothing more is waited for: it is asked for ever."""
SETTLED: Final = Duration(10 * MILLISECOND)  # the loop's slack has passed and the effects have happened

Choices = Mapping[str, object]


@dataclass(slots=True)
class Notebook:
    """A journal in memory: what is written is durable at once, unless it is told that the disk is slow or fails."""

    games: list[StoredGame] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    failed: Statement | None = None
    is_slow: bool = False
    durable_seq: int = 0
    epoch: str = "notebook"
    acknowledged: int = 0

    def begin(self, start: GameStart) -> int:
        """Write down a new game and give its number."""
        self.games.append(StoredGame(len(self.games) + 1, start, None))
        return len(self.games)

    def append(self, entry: Entry) -> int:
        """Write down an entry and give its number."""
        self.records.append(Record(len(self.records) + 1, entry))
        if not self.is_slow and self.failed is None:
            self.settle()
        return len(self.records)

    def end(self, entry: Entry) -> int:
        """Write down the entry with which its game ends."""
        return self._mark(entry, entry.at)

    def reopen(self, entry: Entry) -> int:
        """Write down the entry with which its game goes on after all."""
        return self._mark(entry, None)

    def together(self) -> AbstractContextManager[None]:
        """All of it or nothing: it is durable at once, and what is lost is lost where it is told to."""
        return nullcontext()

    def last_game(self) -> StoredGame | None:
        """The game that was written about last, if any of it is durable."""
        last = self.records[self.durable_seq - 1].entry.game if self.durable_seq else 0
        return self.games[last - 1] if last else None

    def read(self, game: int) -> Sequence[Record]:
        """Every durable entry of the game."""
        return [record for record in self.records[: self.durable_seq] if record.entry.game == game]

    def records_after(self, seq: int, limit: int) -> Excerpt:
        """The next durable entries, and their games."""
        records = tuple(self.records[seq : min(seq + limit, self.durable_seq)])
        numbers = sorted({record.entry.game for record in records})
        return Excerpt(tuple(self.games[number - 1] for number in numbers), records)

    def acknowledge(self, seq: int) -> None:
        """Remember what a hall has."""
        self.acknowledged = seq

    def renew(self, epoch: str) -> None:
        """Begin another epoch."""
        self.epoch, self.acknowledged = epoch, 0

    def settle(self) -> None:
        """Make everything durable that has been written."""
        self.durable_seq = len(self.records)

    def lose(self, durable: int | None = None) -> None:
        """Cut the power: what is not durable is lost (or what comes after entry `durable`)."""
        self.durable_seq = self.durable_seq if durable is None else durable
        del self.records[self.durable_seq :]

    def _mark(self, entry: Entry, ended: Instant | None) -> int:
        game = self.games[entry.game - 1]
        self.games[entry.game - 1] = StoredGame(game.id, game.start, ended)
        return self.append(entry)


def virtual_board(
    watch: VirtualWatch, board: str = TAMSK, size: int | None = None, variant: str = ""
) -> SimulatedBoard:
    """A simulated board in virtual time, TAMSK's unless another is wanted. Raises BoardError."""
    return SimulatedBoard(config.load_bundled(board, size, variant), now=watch.now, later=watch.later)


class VirtualDaemon:
    """A daemon on a simulated board in virtual time.

    `watch`, `store` and `board` outlive a daemon that was killed: hand them to the next one. `with_display` draws the
    display, too: up to ten pictures for each second in which sand runs, which is most of the work then.
    """

    def __init__(
        self, watch: VirtualWatch, store: EventStore, board: SimulatedBoard, *, with_display: bool = False
    ) -> None:
        self.watch = watch
        self.store = store
        self.board = board
        self._scan_due, self._run_due = _beat(watch.now()), watch.now()
        self.health = Health(self.stir)
        drivers = board.drivers
        display, sides = drivers.display if with_display else None, sides_of(board.description)
        large = board.description.display is not None and board.description.display.letters == "large"
        self.show = Outputs(Devices(drivers.lights, display, drivers.sound, sides, large), self.health)
        self.journal_writer = JournalWriter(store, watch, VERSION)
        self.host = Host.of(board.description)
        self.runner = Runner(watch, self.journal_writer, self.show, self.health, self.host)
        sensors, reader = drivers.sensors, board.description.reader
        self.scanner = None if sensors is None else Scanner(sensors, board.description.inputs, self.health)
        self.reading = TagInput(self.runner, self.health, {} if reader is None else reader.codes)
        self.rulings: list[Ruling] = []
        self._has_scanned = False
        self._buttons = frozenset(button.name for button in board.description.buttons)
        self.runner.on_rescan(self._scan_anew)
        self.runner.on_ruling(self.rulings.append)
        self.runner.on_stir(self.stir)
        drivers.buttons.start(self._on_press)
        if drivers.reader is not None:
            drivers.reader.start(lambda stamp, code: self.reading.read(Instant(stamp), code))

    @classmethod
    def of_new_board(cls, board: str = TAMSK, size: int | None = None, *, with_display: bool = False) -> Self:
        """A daemon with nothing in its journal."""
        watch = VirtualWatch()
        return cls(watch, Notebook(), virtual_board(watch, board, size), with_display=with_display)

    def recover(self) -> None:
        """Go on with the last game of the store, if there is one. Raises RecoveryError."""
        stored = self.store.last_game()
        if stored is not None:
            recovered = recover(stored, self.store.read(stored.id), self.journal_writer, self.watch, self.host)
            if self.scanner is not None:
                self.scanner.know_until(recovered.live_game.raw(recovered.live_game.last))
            self.runner.resume(recovered)
        for _ in range(2):  # It takes two looks to believe that a button is down already.
            self.board.drivers.buttons.check()

    def new_game(self, setup: GameSetup) -> None:
        """Set the board out and start a game, the board's own without a name. Raises RunnerError."""
        on = self.host.begin(setup).shown
        for name in self.board.inputs():
            self.board.set_input(name, name in on)
        self.runner.new_game(setup)

    def throw(self, chance: Chance = SYSTEM) -> Receipt:
        """Throw or draw for nature, as the controller does. Raises RulesError when nothing is due."""
        live_game = self.runner.live_game
        if live_game is None:
            raise RulesError(statement("told.no_game"))
        return self.runner.correct(throw(live_game.game, self.runner.now(), chance))

    def touch(self, name: str, *, value: bool) -> None:
        """Make an input 0 or 1 now."""
        self.board.set_input(name, value)
        if name not in self._buttons:
            self.look()

    def look(self) -> None:
        """Make the next scan at the next beat: something on the board has changed, or a device has failed."""
        self._scan_due = min(self._scan_due, _beat(self.watch.now()))

    def play(self, happenings: Iterable[InputChanged]) -> None:
        """Let raw edges happen to the board, each at its board time."""
        live_game = self.runner.live_game
        origin = 0 if live_game is None else live_game.origin
        for edge in happenings:
            self.pass_to(Instant(origin + edge.at))
            self.touch(edge.input, value=edge.value)

    def pass_to(self, instant: Instant) -> None:
        """Let time pass up to the raw instant `instant`, doing everything that is due before it."""
        while (due := min(self._scan_due, self._run_due, self.watch.next_call)) < instant:
            self.watch.go_to(due)
            if self._scan_due <= due:
                self._scan(due)
            if self._run_due <= due:
                self._run_due = NEVER
                wake = self.runner.run(due)
                self._run_due = min(self._run_due, NEVER if wake is None else max(wake, Instant(due + 1)))
        self.watch.go_to(instant)

    def wait_for_the_end(self) -> None:
        """Let the sand run until the game is over, or time has nothing left to decide."""
        asked = 0  # an input that lies is asked for ever whether it may be believed
        while (live_game := self.runner.live_game) and live_game.is_unfinished and live_game.deadline is not None:
            game = live_game.game
            asked = asked + 1 if game.deadline() == game.believes_at() else 0
            if asked > ASKED:
                return
            self.pass_to(Instant(live_game.raw(live_game.deadline) + SETTLED))

    def _scan(self, now: Instant) -> None:
        if self.scanner is None:
            self._scan_due = NEVER
            return
        if self._has_scanned:
            self.scanner.skip_to(Instant(now - PERIOD))
        self._has_scanned = True
        edges_seen = self.scanner.scan(now)
        self._scan_due = Instant(now + PERIOD) if self.health["sensors"] else NEVER
        if edges_seen:
            self.runner.post(edges_seen)

    def _scan_anew(self) -> None:
        if self.scanner is not None:
            self.scanner.report_all()
        self.look()

    def stir(self) -> None:
        """Make the loop run now: something has happened that it cannot know of by itself."""
        self._run_due = self.watch.now()

    def _on_press(self, stamp: int, name: str, value: bool) -> None:
        self.runner.post((InputEdge(Instant(stamp), name, value),))


@dataclass(frozen=True, slots=True)
class VirtualGame:
    """A game that was played in virtual time: what the hands meant, and the daemon as it is after it."""

    score: Score
    daemon: VirtualDaemon

    @property
    def rulings(self) -> Sequence[Ruling]:
        """Everything that was shown to have been ruled, in order."""
        return self.daemon.rulings


def play_virtual(  # noqa: PLR0913 - each is a choice of its own, and all but two have a default
    settings: Choices,
    seed: int,
    *,
    score: Score | None = None,
    habits: Habits | None = None,
    mistakes: Clumsiness = CAREFUL,
    noise: Noise | None = None,
    store: EventStore | None = None,
    with_display: bool = False,
    variant: str = "",
) -> VirtualGame:
    """Play a game by hands on the simulated board: `score`, or a random one; the same seed gives the same journal.

    `variant` is the way in which the board is wired.
    """
    random = Random(seed)
    rules = Tamsk.from_settings(settings)
    level = rules.settings.level
    score = random_score(rules, random, habits) if score is None else score
    watch = VirtualWatch()
    daemon = VirtualDaemon(
        watch,
        Notebook() if store is None else store,
        virtual_board(watch, variant=variant),
        with_display=with_display,
    )
    daemon.new_game(GameSetup(settings=settings))
    table = TamskTable.set_out(level, daemon.host.sensing)
    strokes = play(score, random, level=level, table=table, habits=habits, mistakes=mistakes, noise=noise)
    daemon.play(edges(strokes))
    daemon.pass_to(Instant(max(watch.now(), score[-1].at if score else 0) + WATCHED_ON))
    daemon.wait_for_the_end()
    return VirtualGame(score, daemon)


def _beat(instant: Instant) -> Instant:
    """The first scan at or after an instant."""
    return Instant(-(-instant // PERIOD) * PERIOD)


# At a table


@dataclass(frozen=True, slots=True)
class VirtualTableGame:
    """A game that was played in virtual time: what the hands meant, and the daemon as it is after it."""

    score: Sequence[Meant]
    daemon: VirtualDaemon

    @property
    def rulings(self) -> Sequence[Ruling]:
        """Everything that was shown to have been ruled, in order."""
        return self.daemon.rulings


def play_virtual_at_a_table(  # noqa: PLR0913 - each is a choice of its own, and all but three have a default
    game: str,
    settings: Mapping[str, object],
    seed: int,
    *,
    board: str = TABLE,
    size: int | None = None,
    manner: PlayingManner | None = None,
    store: EventStore | None = None,
    with_display: bool = False,
) -> VirtualTableGame:
    """Play a game by hands on a simulated board; the same seed gives the same journal. Raises RunnerError."""
    watch = VirtualWatch()
    there = virtual_board(watch, board, size)
    daemon = VirtualDaemon(watch, Notebook() if store is None else store, there, with_display=with_display)
    daemon.new_game(GameSetup(game, settings))
    handled = hands_at(daemon, seed, manner)
    do_all(daemon, handled.deeds)
    daemon.pass_to(after(daemon.watch.now(), WATCHED_ON))
    return VirtualTableGame(handled.score, daemon)


def hands_at(daemon: VirtualDaemon, seed: int, manner: PlayingManner | None = None) -> Handled:
    """What hands do from the present position to the end of the game. Raises ValueError when no such game goes on."""
    live_game = daemon.runner.live_game
    if live_game is None or live_game.game.board.name == TAMSK:
        message = "no game at a table goes on"
        raise ValueError(message)
    return play_at_a_table(live_game.game, Random(seed), daemon.runner.now(), manner)


def do_all(daemon: VirtualDaemon, deeds: Iterable[Deed]) -> None:
    """Do what hands do, each deed at its board time. Raises RunnerError for a turn that cannot be entered."""
    for deed in deeds:
        origin = daemon.runner.live_game.origin if daemon.runner.live_game is not None else 0
        daemon.pass_to(Instant(origin + deed.at))
        match deed:
            case InputChanged():
                daemon.touch(deed.input, value=deed.value)
            case TurnEntered():
                daemon.runner.correct(deed)
            case CodeRead():
                daemon.board.read_code(deed.code)
            case _:
                assert_never(deed)
