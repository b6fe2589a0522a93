"""Value the moves of a recorded game's positions for the pages: in a process of its own, at low priority."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gnomon.engines.plugins import own_command
from gnomon.engines.process import lower_priority
from gnomon.engines.protocol import Score

_MEMORY: Final = 512  # MiB of addresses
_PATIENCE: Final = 45.0  # seconds


class UnvaluedError(RuntimeError):
    """No values have been found."""


@dataclass(frozen=True, slots=True)
class MoveValues:
    """Asks an engine about positions of recorded games.

    `command` gets the number of turns played, perhaps the moves to weigh alone, and a sheet.
    """

    command: tuple[str, ...] = own_command("hint", "-", "--json", "--ply")

    def find(self, sheet: bytes, ply: int, moves: Sequence[str] = ()) -> Mapping[str, Score]:
        """What all moves after so many turns are worth, or some, by their texts. It blocks. Raises UnvaluedError."""
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command, with a number and moves that are legal
                (*self.command, str(ply), *(f"--weigh={move}" for move in moves)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            lower_priority(process.pid, _MEMORY)
            try:
                output, _ = process.communicate(sheet, _PATIENCE)
            finally:
                process.kill()
            found = json.loads(output)["candidates"]
            return {str(each["move"]): Score(float(each["chance"]), None, bool(each["proven"])) for each in found}
        except (OSError, ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
            raise UnvaluedError from error
