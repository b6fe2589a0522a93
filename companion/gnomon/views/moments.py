"""Compute the instant that a view shows, the sand of the glasses at it, and when they next change."""

from collections.abc import Iterable

from gnomon.games.tamsk.rules import Position
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.rulings import GameOver
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration, Instant

_HOUR = 3600  # seconds


def game_time(game: TamskGame, now: Instant) -> Instant:
    """Game time as it is shown at board time `now`: it stands still in a pause and from the end of the game on."""
    return game.game_time(_shown(game, now))


def position(game: TamskGame, now: Instant) -> Position:
    """The position with its sand as it is shown at board time `now`, the unfinished turn in it as far as it got.

    Whose turn it is, what binds him and what is due to him stand in `game.position` until the turn is complete.
    """
    return game.position_at(_shown(game, now))


def has_stopped(position: Position, index: int, instant: Instant) -> bool:
    """Whether a glass has run out for good by game time `instant`; one not yet turned has not (rules 11 and 12)."""
    return bool(position.moved >> index & 1) and not position.sands[index].is_running(instant)


def is_running(game: TamskGame) -> bool:
    """Whether sand runs: the game is neither paused nor over."""
    return game.paused_at is None and game.outcome is None


def whole_seconds(remaining: int) -> int:
    """Microseconds as seconds for people: rounded up, so that 0 is shown only when nothing is left."""
    return -(-remaining // SECOND)


def shown_time(seconds: int) -> str:
    """Whole seconds as display and pages show them: "2:30", and below a minute "45"."""
    return f"{seconds // 60}:{seconds % 60:02}" if seconds >= MINUTE // SECOND else str(seconds)


def glasses(game: TamskGame, now: Instant) -> tuple[SandGlass, ...]:
    """Every sand glass of the game as it is shown at board time `now`."""
    return glasses_of(position(game, now))


def glasses_of(shown: Position) -> tuple[SandGlass, ...]:
    """Every sand glass of a position: the six, and at level 3 the 15-second glass; none at level 1."""
    return shown.sands if shown.timer15 is None else (*shown.sands, shown.timer15)


def next_second(glass: SandGlass, instant: Instant) -> Instant | None:
    """When the glass, watched at `instant`, next shows another whole number of seconds; None when it is empty."""
    end = glass.runs_out_at()
    if end is None or not glass.is_running(instant):
        return None
    # While no sand has run yet (an instant before `since`) what is shown is what it holds at `since`.
    left = glass.remaining(instant)
    return Instant(end - (whole_seconds(left) - 1) * SECOND)


def reaches(glass: SandGlass, instant: Instant, remaining: Duration) -> Instant | None:
    """When the glass, watched at `instant`, comes down to `remaining`; None when it has or never will."""
    end = glass.runs_out_at()
    if end is None or glass.remaining(instant) <= remaining:
        return None
    return Instant(end - remaining)


def earliest(instants: Iterable[Instant | None]) -> Instant | None:
    """The first of the instants that there are."""
    return min((instant for instant in instants if instant is not None), default=None)


def _shown(game: TamskGame, now: Instant) -> Instant:
    """The board time that is shown: `now`, from the end of a game on the instant it ended."""
    if game.outcome is None:
        return now
    return min(now, next((ruling.at for ruling in reversed(game.rulings) if isinstance(ruling, GameOver)), now))


def clock(time: int) -> str:
    """Microseconds as people write a time: `0:07`, `12:30`, `1:02:03`; whole seconds that have passed."""
    whole = max(0, time) // SECOND
    minutes, rest = divmod(whole, 60)
    hours, part = divmod(minutes, 60)
    return f"{hours}:{part:02d}:{rest:02d}" if whole >= _HOUR else f"{minutes}:{rest:02d}"
