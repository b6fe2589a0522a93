"""The only place that tells another program what the daemon shows: one JSON object a line, each durable before it.

`resumed`: every ruling of a game that was brought back. `ruling`: one more. `sand`: the glasses' sand in microseconds
at the raw instant `raw_us`, at most ten times a second while it changes.
"""

import json
from collections.abc import Callable, Mapping
from typing import Final

from gnomon.records.traces import ruling_record
from gnomon.referee.game import Game
from gnomon.referee.rulings import Ruling
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon_pi.runner import Runner
from gnomon_pi.watch import Watch

SPACING: Final = 100 * MILLISECOND


class Announcer:
    """Writes what a runner shows, line by line, to `write`."""

    def __init__(self, runner: Runner, watch: Watch, write: Callable[[str], None]) -> None:
        self._runner = runner
        self._watch = watch
        self._write = write
        self._game: Game | None = None
        self._told_at = Instant(-SPACING)
        runner.on_ruling(self._ruled)
        runner.on_change(self._changed)

    def _ruled(self, ruling: Ruling) -> None:
        self._tell({"ruling": ruling_record(ruling)})

    def _changed(self) -> None:
        game, now = self._runner.shown, self._watch.now()
        if game is None:
            return
        if self._game is None:
            self._tell({"resumed": [ruling_record(ruling) for ruling in game.rulings]})
        elif now - self._told_at < SPACING:
            return
        self._game, self._told_at = game, now
        self._tell({"sand": self._sand(game, now)})

    def _sand(self, game: Game, now: Instant) -> Mapping[str, object]:
        at = self._runner.shown_time(now)
        position = game.position_at(at)
        when = game.game_time(at)
        return {
            "raw_us": now,
            "at_us": at,
            "paused": game.paused_at is not None,
            "plies": len(game.plies),
            "remaining_us": [glass.remaining(when) for glass in position.sands],
        }

    def _tell(self, what: Mapping[str, object]) -> None:
        self._write(json.dumps(what) + "\n")
