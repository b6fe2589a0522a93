"""How long people wait for the daemon: from a touch at the emulated chips to the light and the display that answer it.

The daemon's own service in real time: scans at 100 Hz in their thread, the loop, a journal on disk that has every
entry durable before anything is shown, the real drivers on emulated chips. Hands in a thread of their own lift a
glass, set it down turned and drop its ring, each touch bouncing, at any moment of the scan's beat; a coach's lights
answer each of the three. The clock runs from the first raw edge to the first bytes that are sent because of it, so
bounce, scan and debouncing are in it; what they take is told apart. The emulated buses take no time of their own.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from threading import Event
from typing import Final

from PIL.Image import Image

from gnomon.games.tamsk.rules import BOARD, Move
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show._lights import Word
from gnomon.referee.debounce import CALM
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase, Temperament
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon_pi.runtime.scanner import PERIOD, InputEdge
from gnomon_pi.runtime.service import Orders
from gnomon_pi.runtime.system.clock import sleep_until
from gnomon_pi.simulated._table import TableAct, Verb, changes
from gnomon_pi.simulated.players._noise import Noise, bounce
from gnomon_pi.simulated.players.player_timing import RandomSpan
from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.bench._live_daemon import Live, journal_disk, live, thinking

# A coach's lights answer each of the three touches, in the first game as in those after it.
SETUP: Final = GameSetup(settings={"level": 2}, temperament=Temperament.COACH)
SAMPLES: Final = 330
LIMIT: Final = 58.0  # seconds
GIVEN_UP: Final = 1.0  # seconds after which no answer is waited for
PAUSE: Final = RandomSpan(50 * MILLISECOND, 130 * MILLISECOND)  # from an answer to the next touch
LASTS: Final = 1_000 * MILLISECOND
ANSWERED: Final = 100 * MILLISECOND  # the lights answer sooner
DATA: Final = 0x40  # the SSD1306's control byte before pixels
BYTE_US: Final = 9 / 0.4  # on I2C at 400 kHz: eight bits and the acknowledgement
FRAMING: Final = 2  # bytes of a transaction beside its data: address and control


@dataclass
class Touch:
    """One touch of the table and what the daemon sent because of it; all instants are raw."""

    kind: str
    inputs: frozenset[str]
    is_known_to: Callable[[TamskGame], bool]
    """Whether a game that is shown has taken the touch in."""
    began: int = 0
    sampled: int = 0  # the last scan that saw it bounce
    light: int = 0
    display: int = 0
    answered: Event = field(default_factory=Event)

    def note_light(self, now: int, shown: TamskGame | None) -> None:
        """Light bytes were sent."""
        if not self.light and shown is not None and self.is_known_to(shown):
            self.light = now
            self._answer()

    def note_display(self, now: int, shown: TamskGame | None) -> None:
        """Display bytes were sent."""
        if not self.display and shown is not None and self.is_known_to(shown):
            self.display = now
            self._answer()

    def _answer(self) -> None:
        if self.light and self.display:
            self.answered.set()


class Probes:
    """Probes on the emulated buses, and on the way of the edges into the loop."""

    def __init__(self, table: Live) -> None:
        self.touch: Touch | None = None
        self.pictures: list[int] = []  # bytes on the bus for each
        self._live = table
        self._drawn: TamskGame | None = None
        self._bytes = 0
        self._tap_lights()
        self._tap_display()
        self._tap_edges()

    def _tap_lights(self) -> None:
        strip, runner, now = self._live.board.strip, self._live.service.runner, self._live.watch.now
        send = strip.writebytes2

        def sent(data: bytes) -> None:
            send(data)
            if self.touch is not None:
                self.touch.note_light(now(), _tamsk(runner.shown))

        strip.writebytes2 = sent  # type: ignore[method-assign]  # listened to on its way

    def _tap_display(self) -> None:
        """A picture says which game it was drawn of; the bytes that follow are the picture's."""
        display, chip, now = self._live.service._display, self._live.board.oled, self._live.watch.now
        runner = self._live.service.runner
        assert display is not None
        leave, send, receive = display.show, display._display.show, chip.receive

        def left(image: Image) -> None:
            image.info["game"] = runner.shown
            leave(image)

        def sending(image: Image) -> None:
            self._drawn, self._bytes = image.info.get("game"), 0
            send(image)
            if self._bytes:
                self.pictures.append(self._bytes)

        def received(control: int, data: Sequence[int]) -> None:
            receive(control, data)
            self._bytes += len(data) + FRAMING
            if control == DATA and self.touch is not None:
                self.touch.note_display(now(), self._drawn)

        display.show = left  # type: ignore[method-assign]  # listened to on its way
        display._display.show = sending  # type: ignore[method-assign]  # listened to on its way
        chip.receive = received  # type: ignore[method-assign]  # listened to on its way

    def _tap_edges(self) -> None:
        runner = self._live.service.runner
        post = runner.post

        def posted(edges: tuple[InputEdge, ...]) -> None:
            if self.touch is not None:
                self.touch.sampled = max(
                    [self.touch.sampled, *(edge.stamp for edge in edges if edge.input in self.touch.inputs)]
                )
            post(edges)

        runner.post = posted  # type: ignore[method-assign]  # listened to on its way


class Hands:
    """Hands that play turn after turn as fast as they are answered; to be used in a thread of their own."""

    def __init__(self, table: Live, probes: Probes, loop: asyncio.AbstractEventLoop, random: Random) -> None:
        self._live = table
        self._probes = probes
        self._loop = loop
        self._random = random
        self._noise = Noise()
        self._last_move: frozenset[int] = frozenset()
        self.touches: list[Touch] = []

    def play(self, samples: int) -> None:
        """Touch the table until there are so many samples or time is up."""
        end = self._live.watch.now() + round(LIMIT * 1_000_000)
        while len(self.touches) < samples and self._live.watch.now() < end:
            self._turn()
            progress(f"{len(self.touches)} of {samples} touches")
        progress("")

    def _turn(self) -> None:
        game = _tamsk(self._live.service.runner.shown)
        move = None if game is None else self._move(game)
        if game is None or move is None:
            self._begin_anew()
            return
        origin, target, ply = BOARD.names[move.origin], BOARD.names[move.target], len(game.plies)
        self._last_move = frozenset((move.origin, move.target))
        player = game.rules.players[game.position.mover]
        if not (
            self._touch("lift", TableAct(Verb.LIFT, origin), lambda game: _is(game, Phase.IN_HAND, origin))
            and self._touch(
                "set-down", TableAct(Verb.PLACE, target, turned=True), lambda game: _is(game, Phase.MAY_GO_ON, origin)
            )
            and self._touch("ring", TableAct(Verb.DROP_RING, target, player), lambda game: len(game.plies) > ply)
        ):
            self._begin_anew()

    def _move(self, game: TamskGame) -> Move | None:
        """A turn of a glass and its ring, by chance; None when there is none."""
        if game.outcome is not None:
            return None
        plain = answered_moves(game, self._live.service.runner.now(), self._last_move)
        return self._random.choice(plain) if plain else None

    def _begin_anew(self) -> None:
        controller = self._live.service.controller
        new = controller.new_game(SETUP, abandoned_by="the bench")
        asyncio.run_coroutine_threadsafe(new, self._loop).result()

    def _touch(self, kind: str, act: TableAct, is_known_to: Callable[[TamskGame], bool]) -> bool:
        """Touch the table and wait for the answers; whether they came."""
        live, before = self._live, self._live.playground.table
        assert before is not None, "the board of this bench is TAMSK's"
        after = before.after(act)
        changed = changes(before, after)
        touch = Touch(kind, frozenset(name for name, _ in changed), is_known_to)
        at = self._moment()
        raw = [
            edge
            for name, value in changed
            for edge in bounce(InputChanged(at, name, bool(value)), self._noise, self._random)
        ]
        self._probes.touch = touch
        for edge in sorted(raw, key=lambda edge: edge.at):
            sleep_until(live.watch, edge.at)
            touch.began = touch.began or live.watch.now()
            live.board.set_input(edge.input, edge.value)
        live.playground.table = after
        touch.answered.wait(GIVEN_UP)
        self._probes.touch = None
        self.touches.append(touch)
        return touch.answered.is_set()

    def _moment(self) -> Instant:
        """When to touch next: a target's light is lit most of the time, and only then lifts and set-downs show."""
        live_game = self._live.service.runner.live_game
        assert live_game is not None
        at = Instant(self._live.watch.now() + PAUSE.draw(self._random) - live_game.origin)
        for wait in (0, ANSWERED):
            look = Instant(at + wait)
            if not Word.TARGET.signal.rhythm.is_lit(look):
                at = Instant((Word.TARGET.signal.rhythm.changes_at(look) or look) + self._random.randrange(PERIOD))
        return live_game.raw(at)


def answered_moves(game: TamskGame, now: Instant, last: frozenset[int]) -> Sequence[Move]:
    """The turns of a glass and its ring of which lights answer each touch at once; `last`: spaces of the last move."""
    # A glass that was turned twice in a row holds little sand: it must last until it is lifted.
    position = game.position_at(Instant(now + LASTS))
    return [
        move
        for move in game.rules.legal_moves(position)
        if move.kind == "turn"
        and move.ring
        and move.forgotten < 0
        and move.free < 0
        # Back to where the last move came from: its lights stay as they are, and there is nothing to wait for.
        and last != {move.origin, move.target}
        # A ring that ends the game is not ruled upon before it has shown for five seconds.
        and game.rules.outcome(game.rules.play(position, move)) is None
    ]


def _tamsk(game: Game | None) -> TamskGame | None:
    """The same game, which is one of TAMSK if there is any."""
    return game if isinstance(game, TamskGame) else None


def _is(game: TamskGame, phase: Phase, origin: str) -> bool:
    return game.judgement.phase is phase and game.judgement.origin == origin


async def measure(samples: int, seed: int, engines: int = 0) -> tuple[Sequence[Touch], Sequence[int]]:
    """Touch the table of a running daemon: the touches, and the bytes of every picture that the display was sent."""
    async with thinking(engines), live(Orders(SETUP)) as table:
        probes = Probes(table)
        hands = Hands(table, probes, asyncio.get_running_loop(), Random(seed))
        await asyncio.to_thread(hands.play, samples)
        return hands.touches, probes.pictures


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--samples", type=int, default=SAMPLES, help="touches")
    options.add_argument("--engines", type=int, default=0, help="engines that think meanwhile")
    given = options.parse_args()
    say_machine()
    say("journal on", journal_disk())
    say("engines that think meanwhile", given.engines)
    touches, pictures = asyncio.run(measure(9 if given.quick else given.samples, given.seed, given.engines))
    lit, drawn = [each for each in touches if each.light], [each for each in touches if each.display]
    for kind in dict.fromkeys(touch.kind for touch in touches):
        say(f"edge to light, {kind}", Spread.of([each.light - each.began for each in lit if each.kind == kind]))
        say(f"edge to display, {kind}", Spread.of([each.display - each.began for each in drawn if each.kind == kind]))
    say("edge to light, all", Spread.of([each.light - each.began for each in lit]))
    say("  bounce, scan, and 21 ms of calm", Spread.of([each.sampled + CALM - each.began for each in lit]))
    rest = "  the rest: loop, disk, drivers"
    say(rest, Spread.of([each.light - each.sampled - CALM for each in lit]))
    say("edge to display, all", Spread.of([each.display - each.began for each in drawn]))
    say("a changed picture on I2C at 400 kHz would take", Spread.of([each * BYTE_US for each in pictures]))
    say("touches that were not answered", sum(not each.answered.is_set() for each in touches))


if __name__ == "__main__":
    main()
