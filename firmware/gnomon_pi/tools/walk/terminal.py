"""Prompt for a walk on a terminal: sentences out, one letter and Enter in."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from select import select
from typing import Final

from gnomon.refusals import Statement, clause
from gnomon.words import ENGLISH, Words
from gnomon_pi.tools.walk.prompts import Prompt, keys, lines
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkAnswer, WalkPhase

_MEANINGS: Final = {
    "": WalkAnswer.YES,
    "y": WalkAnswer.YES,
    "n": WalkAnswer.NO,
    "a": WalkAnswer.AGAIN,
    "b": WalkAnswer.BACK,
    "q": WalkAnswer.STOP,
}
_CHUNK: Final = 4096


class Terminal:
    """An audience at a terminal; a map is shown at each new place of a board without lights and display."""

    def __init__(self, say: Callable[[str], None], typed: Callable[[], Iterator[str]], words: Words = ENGLISH) -> None:
        """`typed` gives the lines that were typed since the last time. Raises EOFError when there will be no more."""
        self._say = say
        self._typed = typed
        self._words = words
        self._keys = ""
        self._place = ""

    def on_prompt(self, walk: Walk, prompt: Prompt) -> None:
        """Say what is asked, and once which keys answer."""
        if not self._keys:
            self._keys = clause(keys(walk.board), self._words)
            self._out(self._keys)
        is_dark = walk.board.lights is None and walk.board.display is None
        if is_dark and prompt.place != self._place:
            for line in lines(walk.board, prompt.place):
                self._out(f"      {line}")
        self._place = prompt.place
        number = f"{walk.number + 1}/{len(walk.steps)}" if walk.phase is not WalkPhase.OVER and prompt.place else ""
        self._out(f"{number:>7} {clause(prompt.sentence, self._words)}")

    def trouble(self, told: Statement) -> None:
        """Say what of the board does not work."""
        self._out(f"      ! {clause(told, self._words) or self._words('walk.works')}")

    def answers(self) -> Iterator[WalkAnswer]:
        """What was typed; the end of the input stops the walk."""
        try:
            for line in self._typed():
                answer = _MEANINGS.get(line.strip().lower())
                if answer is None:
                    told = self._words("walk.no_key", letter=line.strip(), keys=self._keys)
                    self._out(f"      {told}")
                else:
                    yield answer
        except EOFError:
            yield WalkAnswer.STOP

    def _out(self, line: str) -> None:
        # Where nobody reads any more, what was learnt is still kept.
        with suppress(OSError):
            self._say(line)


class Typed:
    """The lines that arrive at a file descriptor, without waiting for them."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._is_over = False

    def __call__(self) -> Iterator[str]:
        """The lines since the last time. Raises EOFError when there will be no more."""
        if self._is_over:
            raise EOFError
        while not self._is_over and select([self._descriptor], [], [], 0)[0]:
            try:
                chunk = os.read(self._descriptor, _CHUNK)
            except OSError:  # a terminal that was closed
                chunk = b""
            self._is_over = not chunk
            self._rest += chunk
        *whole, self._rest = self._rest.split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace")
        if self._is_over:
            raise EOFError
