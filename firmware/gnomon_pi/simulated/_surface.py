"""Model the tiles on a simulated board of squares, and the pressed buttons of a table.

Like the TAMSK table it has no rules: what a hand can do is allowed, what it cannot is refused.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from gnomon.refusals import statement
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.simulated._table import ImpossibleActError

TILE: Final = ".tile"


@dataclass(frozen=True, slots=True)
class Surface:
    """The physical truth as a value: each verb gives the surface after it, or raises ImpossibleActError."""

    squares: frozenset[str]  # that the board has
    buttons: tuple[str, ...]
    covered: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, description: BoardDescription) -> Self:
        """An empty board as it is described."""
        squares = frozenset(name.removesuffix(TILE) for name in description.inputs if name.endswith(TILE))
        return cls(squares, tuple(button.name for button in description.buttons))

    def lay(self, squares: Sequence[str]) -> Self:
        """Lay something on squares: all three of a tile, or one, as it is pushed over the edge of a square."""
        for square in self._check_squares(squares):
            if square in self.covered:
                raise ImpossibleActError(statement("told.tayu.occupied", square=square))
        return replace(self, covered=self.covered | frozenset(squares))

    def lift(self, squares: Sequence[str]) -> Self:
        """Take off what lies on squares."""
        for square in self._check_squares(squares):
            if square not in self.covered:
                raise ImpossibleActError(statement("told.hands.no_tile", square=square))
        return replace(self, covered=self.covered - frozenset(squares))

    def with_tiles(self, squares: Iterable[str]) -> Self:
        """The surface with tiles on exactly these squares."""
        return replace(self, covered=frozenset(squares) & self.squares)

    def press(self, button: str) -> Self:
        """Press a button, named by its input, and keep it down."""
        if button not in self.buttons:
            raise ImpossibleActError(statement("told.hands.no_button", button=button))
        if button in self.pressed:
            raise ImpossibleActError(statement("told.hands.down", button=button))
        return replace(self, pressed=self.pressed | {button})

    def release(self, button: str) -> Self:
        """Let a button go."""
        if button not in self.pressed:
            raise ImpossibleActError(statement("told.hands.up", button=button))
        return replace(self, pressed=self.pressed - {button})

    def with_change(self, name: str, *, value: bool) -> Self:
        """The surface when one of its inputs has changed."""
        if name.endswith(TILE):
            square = frozenset((name.removesuffix(TILE),))
            return replace(self, covered=self.covered | square if value else self.covered - square)
        button = frozenset((name,))
        return replace(self, pressed=self.pressed | button if value else self.pressed - button)

    def inputs(self) -> dict[str, bool]:
        """What every input of the board shows of it."""
        shown = {f"{square}{TILE}": square in self.covered for square in sorted(self.squares)}
        return shown | {button: button in self.pressed for button in self.buttons}

    def _check_squares(self, squares: Sequence[str]) -> Sequence[str]:
        if not self.squares:
            raise ImpossibleActError(statement("told.hands.no_squares"))
        if not squares:
            raise ImpossibleActError(statement("told.hands.which_squares"))
        for square in squares:
            if square not in self.squares:
                raise ImpossibleActError(statement("told.hands.no_square", square=square))
        return squares
