"""Write the daemon's shown rulings and sand levels as JSON lines for another program.

Every ruling is durable before it is written. `resumed`: every ruling so far of the game that is shown from now on.
`ruling`: one more. `sand`: the glasses' sand in microseconds at the raw instant `raw_us`, at most ten times a second.
`game` tells games apart within one boot.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final

from gnomon.records.formats.traces import ruling_record
from gnomon.referee.game import Game
from gnomon.referee.rulings import Ruling
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon.views.show import show_of
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.runtime.system.clock import Watch

SPACING: Final = 100 * MILLISECOND


class Announcer:
    """Writes what a runner shows, line by line, to `write`."""

    def __init__(self, runner: Runner, watch: Watch, write: Callable[[str], None]) -> None:
        self._runner = runner
        self._watch = watch
        self._write = write
        self._game: Instant | None = None
        self._told_at = Instant(-SPACING)
        runner.on_ruling(self._on_ruling)
        runner.on_change(self._on_change)

    def _on_ruling(self, ruling: Ruling) -> None:
        self._tell({"ruling": ruling_record(ruling), "game": self._runner.shown_origin})

    def _on_change(self) -> None:
        game, now = self._runner.ruled, self._watch.now()
        if game is None:
            return
        number = self._runner.shown_origin
        if number != self._game:
            self._game = number
            self._tell({"resumed": [ruling_record(ruling) for ruling in game.rulings], "game": number})
        elif now - self._told_at < SPACING:
            return
        self._told_at = now
        self._tell({"sand": self._sand(game, now), "game": number})

    def _sand(self, game: Game, now: Instant) -> Mapping[str, object]:
        at = self._runner.shown_time(now)
        sands = show_of(game).sands(game, at)
        when = game.game_time(at)
        return {
            "raw_us": now,
            "at_us": at,
            "paused": game.paused_at is not None,
            "plies": len(game.plies),
            "remaining_us": [glass.remaining(when) for glass in sands],
        }

    def _tell(self, what: Mapping[str, object]) -> None:
        self._write(json.dumps(what) + "\n")
