"""Map the state of a match clock to light words, one for each half, to be seen across a room.

    word          colour   rhythm                   half
    thinks        white    steady                   of the player whose time runs
    low           amber    half a second each       of that player, in the last 20 seconds
    flag          red      quick: 5 in 2 s          of the player whose flag fell first
    paused        amber    steady, faint            both, in a pause
    ready         white    steady, faint            both, before the clock is started

Colour is never needed to tell words apart: each has a rhythm, a strength or a half of its own.
"""

from collections.abc import Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views.clock_faces import TENTHS_BELOW
from gnomon.views.lights import DARK, Colour, Rhythm, Shown
from gnomon.views.moments import earliest

LOW: Final = TENTHS_BELOW

THINKS: Final[Colour] = (255, 255, 255)
RUNS_LOW: Final[Colour] = (255, 140, 0)
FLAG: Final[Colour] = (255, 0, 0)
PAUSED: Final[Colour] = (64, 35, 0)
READY: Final[Colour] = (48, 48, 48)

_STEADY: Final = Rhythm.of(1000)
_HALVES: Final = Rhythm.of(500, 500)
_QUICK: Final = Rhythm.of(200, 200)

Sides = Sequence[int | None]
"""Of each light the half of the clock that it belongs to, None for the middle."""


def along(count: int) -> Sides:
    """A strip of so many lights in a row: the first half, the second, and an odd one between them."""
    half = count // 2
    return (0,) * half + (None,) * (count - 2 * half) + (1,) * half


UNDER_SPACES: Final[Sides] = tuple(
    None if x == 0 else int(x > 0) for x in (BOARD.centre(space)[0] for space in range(len(BOARD.names)))
)
"""The lights under the spaces of the TAMSK board: those left of the middle, and those right of it."""


def lights(game: Game, now: Instant, strip: int) -> Shown:
    """What a strip of so many lights shows of the match clock; for 0, what the lights under spaces of a board show."""
    if game.clock is None:
        return Shown((DARK,) * (strip or len(UNDER_SPACES)), None)
    return shown(game, now, along(strip) if strip else UNDER_SPACES)


def shown(game: Game, now: Instant, sides: Sides) -> Shown:
    """What every light shows at board time `now`, and until when."""
    words = [_word(game, now, side) for side in (0, 1)]
    halves = [colour if rhythm.is_lit(now) else DARK for colour, rhythm in words]
    colours = tuple(DARK if side is None else halves[side] for side in sides)
    return Shown(colours, earliest([*(rhythm.changes_at(now) for _, rhythm in words), _low_at(game, now)]))


def _word(game: TamskGame | Game, now: Instant, side: int) -> tuple[Colour, Rhythm]:
    """The colour of one half, and its pattern in time."""
    match = game.clock
    if match is None:
        return DARK, _STEADY
    if match.flag == side:
        return FLAG, _QUICK
    if game.outcome is not None:
        return DARK, _STEADY
    if game.paused_at is not None:
        return PAUSED, _STEADY
    if not match.has_started:
        return READY, _STEADY
    when = game.game_time(now)
    if match.clock.at(when).runs != side:
        return DARK, _STEADY
    left = match.clock.available(side, when)
    return (RUNS_LOW, _HALVES) if left is not None and left <= LOW else (THINKS, _STEADY)


def _low_at(game: TamskGame | Game, now: Instant) -> Instant | None:
    """When the player who thinks comes to the last seconds, or the flag falls; None when neither is ahead."""
    match = game.clock
    if match is None or game.outcome is not None or game.paused_at is not None:
        return None
    end = match.flags_at()
    marks = [] if end is None else [Duration(end - LOW), Duration(end)]
    return earliest(Instant(mark + game.standstill) for mark in marks if mark > game.game_time(now))
