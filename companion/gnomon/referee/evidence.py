"""Define how long changes of the board must stand before the referee takes them as evidence.

A ruling that cannot be taken back rests on changes that have stood still. They are stamped with their first edge, so
waiting costs nobody time, and what people see of the board responds at once (`gnomon.referee.game.Board.foresee`).
"""

from typing import Final, NamedTuple

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration

NUDGE: Final = Duration(200 * MILLISECOND)
"""A glass that is back sooner was knocked, not lifted; one that has come to stand elsewhere was lifted."""

PATIENCE: Final = Duration(3 * SECOND)
"""How long a board that nothing explains may stay so before the referee speaks: people put things right themselves."""

DOUBT_TIME: Final = Duration(1 * SECOND)
"""How long an input may say what cannot be before it is quarantined."""

OUTAGE: Final = Duration(50 * MILLISECOND)
"""What was seen after nobody had looked for longer than this may have happened in any order."""

READ: Final = Duration(1 * SECOND)
"""Nobody reads a question in less that is no part of play: what was pressed sooner was pressed for something else."""

BUTTON: Final = "button."
"""How the names of buttons begin."""

LIFTED: Final = (".north", ".south", ".glass")
"""How the names of inputs end that show a glass."""

_TRUSTED_STAND: Final = "timer15.glass"
_TILE: Final = ".tile"


class Evidence(NamedTuple):
    """What the referee asks of the board before it rules, in microseconds; 0 asks for nothing."""

    stands: Duration = Duration(600 * MILLISECOND)
    """A glass set down, and a ring, must show for so long: sleeves brush over sensors for up to half a second."""
    lifted: Duration = NUDGE
    """A socket must be empty for so long."""
    full: Duration = PATIENCE
    """A glass must rest on a full space for so long before it loses the game: until then it may be put right."""
    late_ring: Duration = Duration(2 * SECOND)
    """For so long after setting down a ring is the mover's, even if the opponent has a glass in the air (rule 22)."""
    quiet: Duration = Duration(3 * SECOND)
    """An input that moved as no hand moves it is believed again when it has been quiet for so long; 0: never."""
    causes: bool = True
    """Whether a set-down must not be older than its lift, nor a ring than the lift of the glass it belongs to."""
    reply_presses: bool = True
    """Whether a reply ends the mover's time on the match clock, though their ring falls after it."""
    clock_waits: Duration = Duration(PATIENCE + 100 * MILLISECOND)
    """A flag waits so long for a turn that may lie on the board: a touch may be a nudge, a ring may fall late."""
    squares: Duration = Duration(600 * MILLISECOND)
    """A square must show a tile, or none, for so long; 0 leaves all that stands still to the judge of the squares."""

    wary: bool = True
    """Whether it is asked or said what one fault may have made: a ring that comes again, an end on a board in doubt."""
    last_ring: Duration = Duration(5 * SECOND)
    """A ring must show for so long before it ends the game."""
    full_alone: bool = False
    """Whether a glass on a full space loses the game as soon as it is refused, though its socket alone says so."""
    full_longer: Duration = Duration(60 * SECOND)
    """For so much longer it must rest there, refused, if nothing but its socket says so."""
    one_message: bool = True
    """Whether a register that was named is not named again for its other inputs before it has been quiet."""
    unseen: bool = True
    """Whether sand is told of later that ran out while a glass was in the hand, or while the board was in doubt."""
    contradictions: bool = True
    """Whether it is asked or said what sensors contradict: a flickering stamp, a lift too late, a seventh glass."""

    def holds(self, name: str, *, value: bool) -> Duration:
        """How long a change of that input to that level must last. Buttons are at rest between two presses."""
        if name.startswith(BUTTON):
            return Duration(0)
        if name.endswith(_TILE):
            return self.squares
        if name == _TRUSTED_STAND or (not value and name.endswith(LIFTED)):
            return self.lifted
        return self.stands


STANDING: Final = Evidence()
"""Rulings on what has stood still."""

_NOTHING: Final = Duration(0)
_AT_MOST: Final = Duration(700 * MILLISECOND)
AT_ONCE: Final = Evidence(
    stands=_NOTHING,
    lifted=_NOTHING,
    full=NUDGE,
    late_ring=_NOTHING,
    quiet=_NOTHING,
    causes=False,
    reply_presses=False,
    clock_waits=_AT_MOST,
    squares=_NOTHING,
    wary=False,
    last_ring=_NOTHING,
    full_alone=True,
    one_message=False,
    unseen=False,
    contradictions=False,
)
"""Rulings as they were made up to version 0.1: recorded games that say nothing of evidence are replayed by it."""

UNCONTRADICTED: Final = STANDING._replace(full_longer=Duration(10 * SECOND), contradictions=False)
"""Rulings as they were made before it was asked what sensors contradict; a socket alone soon lost a full space."""

ENDS_BY_ONE: Final = UNCONTRADICTED._replace(last_ring=_NOTHING, full_alone=True, one_message=False, unseen=False)
"""Rulings as they were made before the end of a game asked for more than one sensor, or a longer time, to say so."""

UNWARY: Final = ENDS_BY_ONE._replace(wary=False)
"""Rulings as they were made before single faults were looked for: a ring that came again was the next player's."""

SQUARES_AT_ONCE: Final = UNWARY._replace(reply_presses=False, clock_waits=_AT_MOST, squares=_NOTHING)
"""Rulings as they were made before tables asked for evidence too, and before flags waited for rings that fall late."""

EDITIONS: Final = (AT_ONCE, SQUARES_AT_ONCE, UNWARY, ENDS_BY_ONE, UNCONTRADICTED, STANDING)
"""How a journal and a trace name what was asked: by its place here."""


class Sensing(NamedTuple):
    """What the sensors of a board tell, and what the referee asks before it rules.

    `single` names the places at which one pole alone is seen, so not which way up a glass stands; `registers` are the
    inputs that share a chip: what they do together has one cause.
    """

    single: tuple[str, ...] = ()
    registers: tuple[frozenset[str], ...] = ()
    evidence: Evidence = STANDING


BY_POLES: Final = Sensing()
"""Both poles are seen everywhere, and every input has a wire of its own."""
