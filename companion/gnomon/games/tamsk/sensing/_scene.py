"""Gather the facts that an explanation of the TAMSK board rests on, and play turns as hands made them."""

from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import Position, Tamsk
from gnomon.games.tamsk.sensing._board_reading import UNSEEN, BoardReading
from gnomon.games.tamsk.sensing._change_history import ChangeHistory, Touch
from gnomon.games.tamsk.sensing._single_pole import Denied
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant

TIMED: Final = 2
"""The level from which glasses are turned with every move, and sand decides (rule 10)."""


class Scene(NamedTuple):
    """Everything that an explanation rests on."""

    rules: Tamsk
    position: Position  # after the last accepted turn
    poles: tuple[int, ...]  # what each of the six glasses shows by the game
    timer_pole: int | None
    sight: BoardReading
    trail: ChangeHistory
    turn_began: Instant  # board time
    sensing: Sensing = BY_POLES
    denied: Denied | None = None  # the glass of which somebody said that it was not turned
    pressed: Instant | None = None  # board time at which the mover said that a turn was made, which nothing showed yet

    @property
    def own(self) -> tuple[int, ...]:
        """The spaces of the glasses of the player on turn."""
        return self.position.glasses[3 * self.position.mover :][:3]

    @property
    def theirs(self) -> tuple[int, ...]:
        """The spaces of the other player's glasses."""
        return self.position.glasses[3 - 3 * self.position.mover :][:3]

    @property
    def latest(self) -> Instant:
        """The stamp of the last change of the board."""
        touch = self.trail.latest()
        return self.turn_began if touch is None else touch.at

    def placed(self, space: int) -> Touch | None:
        """When a glass last came to stand in a socket; the other pole that shows while it stands is no setting down."""
        return self.trail.stood(space) if self.sensing.evidence.wary else self.trail.placed(space)

    def is_turned(self, origin: int, target: int) -> bool:
        """Whether the glass from `origin` was turned on its way (rule 10).

        A blind socket is trusted, and one that sees one pole unless somebody has said that it was not.
        """
        pole = self.poles[self.position.glasses.index(origin)]
        if self.denied is not None and self.denied.space == target and self.sight.glasses.get(target) == UNSEEN:
            return False
        return self.rules.settings.level < TIMED or self.sight.glasses.get(target, 1 - pole) != pole

    def may_be_lifted(self, space: int, lifted: Instant) -> bool:
        """Whether a lift at that game time begins a turn: a glass that may not move begins none (11, 12 and 17).

        Neither does one when the last sand has run out by then, though nobody has been told yet (rule 15).
        """
        try:
            held(self.rules, self.position, space, lifted)
        except RulesError:
            return False
        return True


def held(rules: Tamsk, position: Position, space: int, lifted: Instant) -> Position:
    """The position with the glass of that space in the air since `lifted`. Raises IllegalMoveError."""
    if position.lifted == space:
        return position
    at_rest = position if position.lifted < 0 else rules.put_back(position)
    return rules.lift(rules.elapse(at_rest, lifted), space)


def before_completion(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position at the instant when the turn was done, the glass still in the air. Raises IllegalMoveError."""
    if made.move.kind != "turn":
        return rules.elapse(position, made.done)
    return rules.elapse(held(rules, position, made.move.origin, made.lifted), made.done)


def played(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position after the turn. Raises IllegalMoveError."""
    placed_at = made.placed if rules.settings.level >= TIMED else None
    return rules.play(before_completion(rules, position, made), made.move, placed_at=placed_at)


def turn_text(rules: Tamsk, position: Position, made: Made) -> str:
    """The canonical text of a turn that was made by hand."""
    return rules.text(before_completion(rules, position, made), made.move)
