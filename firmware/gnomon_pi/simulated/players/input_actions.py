"""Generate what simulated hands do at a table: input edges, codes read and buttons pressed."""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from gnomon.referee.chooser import Chooser
from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.table import ENTER, NEXT, PREVIOUS
from gnomon.timekeeping.instants import Instant, after
from gnomon_pi.simulated._surface import TILE
from gnomon_pi.simulated.players._noise import Noise, bounce
from gnomon_pi.simulated.players.player_timing import TableHabits

HANDS: Final = "hands"
DRAW: Final = "draw:"
"""How the text of a drawn tile begins."""


class CodeRead(NamedTuple):
    """A tile is held under the reader."""

    at: Instant
    code: str


Deed = InputChanged | TurnEntered | CodeRead


class Fingers(NamedTuple):
    """Whose hands they are: their habits, how unclean what they touch is, and their chance."""

    habits: TableHabits
    noise: Noise
    random: Random

    def change(self, at: Instant, name: str, *, value: bool) -> list[InputChanged]:
        """The edges of one change, bounce and all."""
        return list(bounce(InputChanged(at, name, value), self.noise, self.random))


def on_squares(at: Instant, squares: Sequence[str], fingers: Fingers, *, value: bool) -> list[InputChanged]:
    """A tile comes to lie on squares, or leaves them, one square after the other."""
    edges: list[InputChanged] = []
    for square in fingers.random.sample(squares, len(squares)):
        edges += fingers.change(at, f"{square}{TILE}", value=value)
        at = after(at, fingers.habits.settle.draw(fingers.random))
    return edges


def press_buttons(at: Instant, buttons: Sequence[str], fingers: Fingers) -> tuple[list[InputChanged], Instant]:
    """Buttons pressed and let go one after the other, the first at `at`, and when the last one went down."""
    edges: list[InputChanged] = []
    last = at
    for button in buttons:
        last = at
        edges += fingers.change(at, button, value=True)
        edges += fingers.change(after(at, fingers.habits.hold_button.draw(fingers.random)), button, value=False)
        at = after(at, fingers.habits.between_presses.draw(fingers.random))
    return edges, last


def buttons_to_pick(texts: Sequence[str], wanted: str, chooser: Chooser | None) -> list[str]:
    """The buttons that pick one of the texts, the shortest way; without a choice begun, the first press begins it."""
    buttons = [] if chooser is not None else [NEXT]
    choice = chooser or Chooser.among(texts)
    while True:
        steps, round_about = _steps(choice, wanted), len(choice.options)
        buttons += [NEXT] * steps if 2 * steps <= round_about else [PREVIOUS] * (round_about - steps)
        buttons.append(ENTER)
        for _ in range(steps):
            choice = choice.next()
        choice = choice.enter()
        if choice.complete_text is not None:
            return buttons


def _steps(choice: Chooser, wanted: str) -> int:
    """How far it is from the cursor to the option that leads to the wanted text. Raises ValueError when none does."""
    options = choice.options
    if not options and choice.complete_text == wanted:
        return 0
    rest = wanted[len("".join(choice.parts)) :]
    # A part is as long as it can be: of 1 and 12 it is 12 that begins 12/E.
    fitting = [option for option in options if rest.startswith(option) and (option or not rest)]
    if not fitting:
        message = f"{wanted!r} is not among what can be picked"
        raise ValueError(message)
    return (options.index(max(fitting, key=len)) - choice.cursor) % len(options)
