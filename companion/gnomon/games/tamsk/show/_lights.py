"""Define the vocabulary of the 37 lights, ten words of colour and rhythm, and compute the colour of each light.

Nobody has to tell colours apart: every word has a rhythm of its own, named as those of lighthouses.

    word          colour   rhythm                         shown by
    last move     white    steady, faint                  silent, assistant, coach
    to move       slate    long light, eclipsed every 3 s silent, assistant, coach: with a match clock, under the
                                                          glasses of the player whose time runs
    flag          crimson  long and short by turns        silent, assistant, coach: under the glasses of the player
                                                          whose flag fell first
    running out   amber    a short flash every second     silent, assistant, coach
    wrong         red      quick: 5 in 2 s                assistant, coach: after a ruling; a glass to turn over
    put here      blue     two flashes every 2 s          assistant, coach: the next step of a repair
    take away     yellow   three flashes every 2 s        assistant, coach: the next step of a repair
    movable       green    1 s light, 1 s dark            coach, before the turn
    target        cyan     light, eclipsed every 2 s      coach, while a glass is in the air
    full          violet   one long flash every 4 s       coach: beside a glass in the air, closed (rule 4)
    15 s glass    pink     four flashes every 2 s         silent, assistant, coach: on the six corners, while an engine
                                                          asks that the 15-second glass be turned, which has no light

Where two words meet on a space, the more urgent one is shown: the flag, the repair or wrong, then target, full,
running out, movable, 15 s glass, last move, to move. After a correction by hand even a silent referee shows what must
change on the board: nobody is to blame, and the game waits for it. A pause leaves the last move, the flag and the next
step of a repair, for an arbiter's correction is followed while the sand stands still; the end leaves the last move and
the flag; without a game there is no light.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final, assert_never

from gnomon.games.tamsk.rules import BOARD, START, UNTIL_SEEN, Position
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.show import _moments as moments
from gnomon.referee.judgement import Action, Phase, Repair, Temperament
from gnomon.referee.opponents import steps_due
from gnomon.timekeeping.instants import SECOND, Duration, Instant, earliest
from gnomon.views import clock_faces
from gnomon.views.lights import NOTHING, Colour, LightsView, Rhythm, Sides, Signal
from gnomon.views.sentences import BY_HAND

LAST_SECONDS: Final = Duration(15 * SECOND)
"""A glass with less than this is running out."""

UNDER_SPACES: Final[Sides] = tuple(
    None if x == 0 else int(x > 0) for x in (BOARD.centre(space)[0] for space in range(len(BOARD.names)))
)
"""Of each light under a space the half of a match clock that it belongs to: left of the middle, or right of it."""


class Word(Enum):
    """What a light says; the name is for pages, the rest for the strip."""

    LAST_MOVE = ("last move", (48, 48, 48), Rhythm.of(1000))
    RUNNING_OUT = ("running out", (255, 140, 0), Rhythm.of(150, 850))
    WRONG = ("wrong", (255, 0, 0), Rhythm.of(200, 200))
    PUT_HERE = ("put here", (0, 60, 255), Rhythm.of(200, 200, 200, 1400))
    TAKE_AWAY = ("take away", (255, 220, 0), Rhythm.of(200, 200, 200, 200, 200, 1000))
    MOVABLE = ("movable", (0, 180, 0), Rhythm.of(1000, 1000))
    TARGET = ("target", (0, 200, 200), Rhythm.of(1700, 300))
    TO_MOVE = ("to move", (70, 80, 130), Rhythm.of(2600, 400))
    FLAG = ("flag", (255, 0, 70), Rhythm.of(700, 200, 200, 200))
    FULL = ("full", (150, 0, 200), Rhythm.of(800, 3200))
    FLIP_TIMER = ("15 s glass", (255, 90, 200), Rhythm.of(120, 120, 120, 120, 120, 120, 120, 1160))

    def __init__(self, label: str, colour: Colour, rhythm: Rhythm) -> None:
        """A word with what pages call it, its colour and its pattern."""
        self.label = label
        self.signal = Signal(colour, rhythm)


def under_board(game: TamskGame, now: Instant, sides: Sides) -> LightsView:
    """What every light under the board says from board time `now` on, and until when."""
    del sides
    return lights_view(game, now)


def lights_view(game: TamskGame | None, now: Instant) -> LightsView:
    """What the lights say from board time `now` on, and until when."""
    if game is None:
        return LightsView.of((NOTHING,) * len(BOARD.names), None)
    position = moments.position(game, now)
    said = _words(game, position, now)
    return LightsView.of(
        (NOTHING if word is None else word.signal for word in said), earliest(_turning_points(game, position, now))
    )


def lights(game: TamskGame | None, now: Instant) -> tuple[Colour, ...]:
    """The colour of every light at board time `now`, in the order of the spaces."""
    return lights_view(game, now).colours(now)


def words(game: TamskGame | None, now: Instant) -> tuple[Word | None, ...]:
    """What every light says at board time `now`, in the order of the spaces."""
    if game is None:
        return (None,) * len(BOARD.names)
    return tuple(_words(game, moments.position(game, now), now))


def changes_at(game: TamskGame | None, now: Instant) -> Instant | None:
    """The next board time after `now` at which a light may change by itself, or None if none does."""
    return lights_view(game, now).changes_at(now)


def _words(game: TamskGame, position: Position, now: Instant) -> list[Word | None]:
    said: list[Word | None] = [None] * len(BOARD.names)
    # From the least to the most urgent: what comes later covers what came before.
    for space, word in (
        *_to_move(game, position, now),
        *_last_move(game),
        *_off_turn(game),
        *_before_a_turn(game, position),
        *_running_out(game, position, now),
        *_in_the_air(game, position),
        *_repair(game),
        *_flag(game, position),
    ):
        said[space] = word
    return said


def _turning_points(game: TamskGame, position: Position, now: Instant) -> Iterator[Instant]:
    """When time itself changes what there is to say: a glass comes to its last seconds, or runs out."""
    if not moments.is_running(game):
        return
    time = moments.game_time(game, now)
    for glass in moments.glasses_of(position):
        if (end := glass.runs_out_at()) is not None and (left := glass.remaining(time)):
            yield game.board_time(Instant(end - LAST_SECONDS) if left > LAST_SECONDS else end)
    flag = None if game.clock is None else game.clock.flags_at()
    if flag is not None and time < flag:
        yield game.board_time(flag)
    # A glass lifted at the very instant at which the 15-second glass runs out is in time (rule 17): what is lost is
    # lost a microsecond later.
    lost = Instant(game.position.bound_until + 1)
    if time < lost <= UNTIL_SEEN:
        yield game.board_time(lost)


def _to_move(game: TamskGame, position: Position, now: Instant) -> Iterator[tuple[int, Word]]:
    """The glasses of the player whose time runs on a match clock."""
    for half in clock_faces.faces(game, now):
        if half.runs:
            yield from ((space, Word.TO_MOVE) for space in _glasses_of(position, half.side))


def _flag(game: TamskGame, position: Position) -> Iterator[tuple[int, Word]]:
    """The glasses of the player whose flag fell first."""
    if game.clock is not None and game.clock.flag is not None:
        yield from ((space, Word.FLAG) for space in _glasses_of(position, game.clock.flag))


def _glasses_of(position: Position, player: int) -> tuple[int, ...]:
    return position.glasses[3 * player : 3 * player + 3]


def _last_move(game: TamskGame) -> Iterator[tuple[int, Word]]:
    """Where the last glass that moved came from and went to."""
    after = game.position.glasses
    for ply in reversed(game.plies):
        moved = [space for pair in zip(ply.before.glasses, after, strict=True) if pair[0] != pair[1] for space in pair]
        if moved:
            yield from ((space, Word.LAST_MOVE) for space in moved)
            return
        after = ply.before.glasses


def _off_turn(game: TamskGame) -> Iterator[tuple[int, Word]]:
    """The corners, where an engine that is not on turn has announced that the 15-second glass be turned."""
    if game.judgement.phase is not Phase.WRONG and Repair(Action.FLIP_TIMER) in steps_due(game):
        yield from ((space, Word.FLIP_TIMER) for space in START)


def _running_out(game: TamskGame, position: Position, now: Instant) -> Iterator[tuple[int, Word]]:
    """Glasses in their last seconds."""
    if not moments.is_running(game):
        return
    time = moments.game_time(game, now)
    for space, glass in zip(position.glasses, position.sands, strict=False):  # at level 1 there is no sand
        # What is only an estimate warns of nothing.
        if not glass.by_eye and 0 < glass.remaining(time) <= LAST_SECONDS:
            yield space, Word.RUNNING_OUT


def _before_a_turn(game: TamskGame, position: Position) -> Iterator[tuple[int, Word]]:
    """Glasses that may move, for a coach."""
    if moments.has_hints(game, Phase.AGREED):
        yield from ((space, Word.MOVABLE) for space in moments.movable(game, position))


def _in_the_air(game: TamskGame, position: Position) -> Iterator[tuple[int, Word]]:
    """Where the one glass in the air may go, and where it must not, for a coach."""
    if not moments.has_hints(game, Phase.IN_HAND) or len(lifted := moments.in_the_air(game)) != 1:
        return
    origin = lifted[0]
    yield from ((space, Word.FULL) for space in BOARD.neighbours[origin] if position.is_full(space))
    yield from ((space, Word.TARGET) for space in moments.targets(game, position, origin))


def _repair(game: TamskGame) -> Iterator[tuple[int, Word]]:
    """The next step of putting the board right; where no step is known, the spaces of the turn that is wrong."""
    judgement = game.judgement
    if game.announced is not None and judgement.phase is not Phase.WRONG:
        # Hands make a turn that nobody of them has chosen: even a silent referee shows how.
        yield from ((BOARD.index[step.space], _word(step.action)) for step in steps_due(game)[:1] if step.space)
        return
    silent = game.temperament is Temperament.SILENT and judgement.code != BY_HAND
    if game.outcome is not None or silent:
        return
    if judgement.repairs:
        step = judgement.repairs[0]
        if step.space:
            yield BOARD.index[step.space], _word(step.action)
    elif judgement.phase is Phase.WRONG and moments.is_running(game):
        for name in (judgement.origin, judgement.target):
            if name:
                yield BOARD.index[name], Word.WRONG


def _word(action: Action) -> Word:
    match action:
        case Action.PUT_GLASS | Action.PUT_TURNED | Action.PUT_RING | Action.PUT_TILE | Action.LAY_TILE:
            return Word.PUT_HERE
        case Action.TAKE_GLASS | Action.TAKE_RING | Action.TAKE_TILE:
            return Word.TAKE_AWAY
        case Action.TURN_GLASS | Action.TURN_TIMER | Action.FLIP_TIMER:
            return Word.WRONG
        case _:
            assert_never(action)
