"""Value the moves of a recorded game's positions for the pages: in a process of its own, at low priority."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

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

    `command` gets a sheet, and options: the number of turns played and perhaps the moves to weigh alone, or what is
    asked besides.
    """

    command: tuple[str, ...] = own_command("hint", "-", "--json")

    def find(self, sheet: bytes, ply: int, moves: Sequence[str] = ()) -> Mapping[str, Score]:
        """What all moves after so many turns are worth, or some, by their texts. It blocks. Raises UnvaluedError."""
        told = self._ask(sheet, "--ply", str(ply), *(f"--weigh={move}" for move in moves))
        try:
            found = told["candidates"]
            return {str(each["move"]): Score(float(each["chance"]), None, bool(each["proven"])) for each in found}
        except (ValueError, KeyError, TypeError) as error:
            raise UnvaluedError from error

    def threat(self, sheet: bytes) -> Mapping[str, Any]:
        """What the opponent of the player on turn would do after all turns. It blocks. Raises UnvaluedError."""
        told = self._ask(sheet, "--threats").get("threat")
        if not isinstance(told, dict):
            raise UnvaluedError
        return told

    def _ask(self, sheet: bytes, *options: str) -> Mapping[str, Any]:
        """The answer of the command to a sheet. Raises UnvaluedError."""
        try:
            process = subprocess.Popen(  # noqa: S603 - our own command, with a number and moves that are legal
                (*self.command, *options), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            lower_priority(process.pid, _MEMORY)
            try:
                output, _ = process.communicate(sheet, _PATIENCE)
            finally:
                process.kill()
            told: Mapping[str, Any] = {**json.loads(output)}
        except (OSError, ValueError, TypeError, subprocess.TimeoutExpired) as error:
            raise UnvaluedError from error
        return told
