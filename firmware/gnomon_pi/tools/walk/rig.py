"""Access the board during a walk: read every bit, and hold outputs while they are wanted.

No other module of the walk touches the devices.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PIL.Image import Image

from gnomon.games.tamsk.rules import BOARD
from gnomon.refusals import Statement
from gnomon_pi.config import description as wired
from gnomon_pi.config.description import BoardDescription, Button, Output
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.tools.walk.wires import BitLevels, levels, raw
from gnomon_pi.tools.walk.wiring_inference import Wants

OpenBoard = Callable[[BoardDescription], Drivers]
"""Opens the drivers of what a description has, and of nothing else; may be called again for other parts of a board."""

_LIT: Final = (255, 255, 255)
_DARK: Final = (0, 0, 0)
_TONE: Final = ((880.0, 3600.0),)  # Hz and seconds: until somebody has said whether it is heard
_ON: Final = ((1.0, 1.0),)  # an active buzzer's driver only switches


class Rig:
    """The devices of a board while it is walked.

    Nothing but the display, the lights and the buttons is driven from the beginning. What is switched by one pin, the
    emitters as well as the buzzer, is held by the driver of an active buzzer, from when it is wanted until it is not:
    that driver holds a pin at the one level and switches it to the other, and takes it again after it was closed.
    """

    def __init__(self, board: BoardDescription, open_board: OpenBoard) -> None:
        """Raises DriverError when what shows something cannot be opened."""
        self._board = board
        self._open = open_board
        self._events: deque[str] = deque()
        self.troubles: dict[str, Statement] = {}  # of parts without which a walk goes on
        self._shown = open_board(_only(board, shown=True))
        self._sensors: Drivers | None = None
        self._wants = Wants()
        self._switch: Drivers | None = None  # the emitters' pin
        self._sound: Drivers | None = None
        try:
            self._shown.buttons.start(self._report)
        except DriverError as error:
            self.troubles["buttons"] = error.statement

    def look(self) -> BitLevels:
        """The levels of all bits. Raises DriverError."""
        sensors = self._board.sensors
        if sensors is None:
            return BitLevels(0, 0)
        if self._sensors is None:
            self._sensors = self._open(replace(_only(self._board), sensors=raw(sensors)))
        if self._switch is None or self._switch.sound is None or sensors.emitters is None:
            read = self._read()
            return BitLevels(read, read)
        return self._look_both_ways(sensors.emitters, self._switch.sound)

    def want(self, wants: Wants) -> None:
        """Drive what is wanted, and let go of what is not. Raises DriverError."""
        if wants == self._wants:
            return
        was = self._wants
        if wants.emitters is not was.emitters:
            self._hold_emitters(wanted=wants.emitters)
        if (wants.buzzer, wants.tone) != (was.buzzer, was.tone):
            self._make_sound(wants)
        if wants.light != was.light:
            self._light(wants.light)
        self._wants = wants

    def new_presses(self) -> list[str]:
        """The buttons that were pressed since the last time."""
        try:
            self._shown.buttons.check()
            self.troubles.pop("buttons", None)
        except DriverError as error:
            self.troubles["buttons"] = error.statement
        names = []
        while self._events:
            names.append(self._events.popleft())
        return names

    def show(self, image: Image) -> None:
        """Show a picture on the display, if there is one."""
        if self._shown.display is None:
            return
        try:
            self._shown.display.show(image)
            self.troubles.pop("display", None)
        except DriverError as error:
            self.troubles["display"] = error.statement

    def close(self) -> None:
        """Darken, silence and let everything go."""
        for part in (self._switch, self._sound, self._sensors, self._shown):
            if part is not None:
                part.close()

    def _look_both_ways(self, emitters: Output, switch: Buzzer) -> BitLevels:
        """Look with the emitters' pin at either level; while nobody knows which is on, it is let go of at once."""
        try:
            switch.play(())
            rest = self._read()
            switch.play(_ON)
            other = self._read()
        finally:
            if emitters.active_low is None:
                switch.close()
            else:
                switch.play(())
        return BitLevels(other, rest) if emitters.active_low else BitLevels(rest, other)

    def _read(self) -> int:
        sensors = self._board.sensors
        assert sensors is not None and self._sensors is not None and self._sensors.sensors is not None  # noqa: S101, PT018 - opened
        return levels(sensors, self._sensors.sensors.scan())

    def _report(self, _stamp: int, name: str, value: bool) -> None:  # noqa: FBT001 - the contract of ButtonDriver
        if value:
            self._events.append(name)

    def _hold_emitters(self, *, wanted: bool) -> None:
        sensors = self._board.sensors
        if self._switch is not None:
            self._switch.close()
            self._switch = None
        if wanted and sensors is not None and sensors.emitters is not None:
            pin = wired.BuzzerWiring(sensors.emitters.pin, active=True, active_low=bool(sensors.emitters.active_low))
            self._switch = self._open(replace(_only(self._board), buzzer=pin))
            if sensors.emitters.active_low is None and self._switch.sound is not None:
                self._switch.sound.close()

    def _make_sound(self, wants: Wants) -> None:
        buzzer = self._board.buzzer
        if self._sound is not None:
            self._sound.close()
            self._sound = None
        if buzzer is None or (wants.buzzer is None and not wants.tone):
            return
        # Held silent at a level, it is that level that is tried.
        held = replace(buzzer, active_low=bool(buzzer.active_low) if wants.tone else wants.buzzer)
        self._sound = self._open(replace(_only(self._board), buzzer=held))
        if wants.tone and self._sound.sound is not None:
            self._sound.sound.play(_TONE)

    def _light(self, place: str) -> None:
        if self._shown.lights is None or self._board.lights is None:
            return
        count = len(self._board.lights.shown)
        lit = BOARD.index.get(place, -1)
        try:
            self._shown.lights.show([_LIT if number == lit else _DARK for number in range(count)])
            self.troubles.pop("lights", None)
        except DriverError as error:
            self.troubles["lights"] = error.statement


def _only(board: BoardDescription, *, shown: bool = False) -> BoardDescription:
    """The board with its buttons, display and lights, or with none of its parts."""
    buttons: tuple[Button, ...] = board.buttons if shown else ()
    return replace(
        board,
        sensors=None,
        buttons=buttons,
        display=board.display if shown else None,
        lights=board.lights if shown else None,
        buzzer=None,
        reader=None,
    )
