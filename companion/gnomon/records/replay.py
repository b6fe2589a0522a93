"""Replay a recorded game through the referee, and keep the game as it stood after each turn.

A frame is the whole game at that moment, sand included. Turns that were taken back have none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

from gnomon.records.bundles import Bundle
from gnomon.referee.events import DeadlineReached
from gnomon.referee.game import Game
from gnomon.referee.games import game_of, tell
from gnomon.referee.rulings import GameOver, Ruling
from gnomon.referee.step import watched_until
from gnomon.timekeeping.instants import Instant


class Frame(NamedTuple):
    """A game after so many of its turns, at the board time at which the last of them was complete."""

    game: Game
    at: Instant


class ReplayedRuling(NamedTuple):
    """A ruling of the game, and the frame that shows what it led to."""

    ruling: Ruling
    frame: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A written game from its beginning to its end.

    Frame 0 is the start and frame N stands after turn N; one more shows the end where time, a declaration or a
    correction has changed something after the last turn.
    """

    frames: tuple[Frame, ...]
    bundle: Bundle

    @property
    def last(self) -> Game:
        """The game as it stands in the end."""
        return self.frames[-1].game

    @property
    def rulings(self) -> Iterator[ReplayedRuling]:
        """Every ruling in order, with the frame that it belongs to."""
        plies, number, rulings = self.last.plies, 0, self.last.rulings
        ended = next((ruling.at for ruling in reversed(rulings) if isinstance(ruling, GameOver)), None)
        for ruling in rulings:
            while number < len(plies) and plies[number].at <= ruling.at:
                number += 1
            is_of_the_end = number == len(plies) and ended is not None and ruling.at >= ended
            yield ReplayedRuling(ruling, len(self.frames) - 1 if is_of_the_end else number)


def film(bundle: Bundle) -> Replay:
    """The frames of a game. Raises what a replay of it raises: TraceError, SettingsError, CorrectionError."""
    game = _start(bundle)
    frames = [Frame(game, Instant(0))]
    for after, at in _steps(game, bundle):
        if after.plies is not game.plies:
            del frames[_common_plies(game, after) + 1 :]
            frames += [_frame(after, number, at) for number in range(len(frames), len(after.plies) + 1)]
        game = after
    last = frames[-1].game
    if game.outcome != last.outcome or game.timeless != last.timeless:
        frames.append(Frame(_light(game), bundle.until))
    else:  # what was ruled since belongs to it, and the time that has passed does not
        frames[-1] = frames[-1]._replace(game=replace(last, rulings=game.rulings))
    return Replay(tuple(frames), bundle)


def _start(bundle: Bundle) -> Game:
    return game_of(bundle.header.setup, bundle.header.sensing)


def _steps(game: Game, bundle: Bundle) -> Iterator[Frame]:
    """The game after every event, deadlines between them included, and when that was."""
    for happening in bundle.happenings:
        for reached in _frames_until(game, happening.at):
            yield reached
            game = reached.game
        game, _ = tell(game, happening)
        yield Frame(game, happening.at)
    until = bundle.until
    yield Frame(watched_until(game, until)[0], until)


def _frames_until(game: Game, end: Instant) -> Iterator[Frame]:
    """The game after every deadline before an instant; an event at that very instant comes first."""
    while (deadline := game.deadline()) is not None and deadline < end:
        game, _ = tell(game, DeadlineReached(deadline))
        yield Frame(game, deadline)


def _common_plies(before: Game, after: Game) -> int:
    """How many turns stand as they did."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before.plies, after.plies, strict=False)))


def _frame(game: Game, number: int, at: Instant) -> Frame:
    """The game after so many of its turns, of which one event may have brought several."""
    if number == len(game.plies):
        return Frame(_light(game), at)
    # What the referee thought in between was never shown.
    next_one: Any = game.plies[number]
    shown = replace(_light(game), position=next_one.before, clock=next_one.clock, declared=None)
    return Frame(replace(shown, plies=game.plies[:number]), at)


def _light(game: Game) -> Game:
    """The game without the games that its arbiter could go back to."""
    return replace(game, undoable=())
