"""Update a display with the changed parts of each picture, periodic full refreshes, and burn-in protection.

An OLED fades where it shines. So a picture that stays is dimmed, and every picture moves by a pixel now and then.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PIL.Image import Image
from PIL.ImageChops import offset

from gnomon_pi.config import description as wired
from gnomon_pi.drivers.display_chips import HEIGHT, WIDTH, Controller
from gnomon_pi.drivers.display_wires import DisplayWires
from gnomon_pi.drivers.libraries import failures
from gnomon_pi.drivers.pin_trouble import advice
from gnomon_pi.drivers.protocols import DriverError

# A display that lost its power for a moment has lost its picture and its settings, and does not say so.
REFRESH_US: Final = 30_000_000
_SECOND_US: Final = 1_000_000
STEPS: Final = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where the pictures stand, one after the other: pixels to the right and down."""


class Display:
    """A display driver. A whole picture takes 25 ms on I2C at 400 kHz, a changed second some 0.3 ms.

    `now` tells microseconds; a picture that has not changed costs nothing but a refresh every 30 s, so show it
    every few seconds: that is also when it is dimmed and moved.
    """

    def __init__(self, display: wired.Display, *, wires: DisplayWires, now: Callable[[], int]) -> None:
        self._wires: DisplayWires | None = wires
        self._now = now
        self._controller = Controller(display.kind, display.rotate, wires)
        self._dim_after = display.dim_after * _SECOND_US
        self._shift_every = display.shift_every * _SECOND_US
        self._refreshed_at: int | None = None
        self._picture = b""
        self._changed_at = self._began_at = now()
        self._is_dim = False

    def show(self, image: Image) -> None:
        """Send what has changed since the last picture. Raises DriverError; the next call then sends everything."""
        if image.mode != "1" or image.size != (WIDTH, HEIGHT):
            message = f"the display shows one-bit pictures of {WIDTH} x {HEIGHT}, not {image.mode} {image.size}"
            raise ValueError(message)
        now, picture = self._now(), image.tobytes()
        if picture != self._picture:
            self._picture, self._changed_at = picture, now
        self._send(image, now)

    def touched(self) -> None:
        """Somebody is there: shine, and begin anew to wait for dimming. Raises DriverError."""
        now = self._now()
        self._changed_at = now
        if self._is_dim:
            self._send(None, now)

    def close(self) -> None:
        """Blank the display and let its wires go."""
        wires, self._wires = self._wires, None
        if wires is None:
            return
        with suppress(*failures()):  # It is dark already, or out of reach.
            self._controller.switch(on=False)
        with suppress(*failures()):
            wires.close()

    def _send(self, image: Image | None, now: int) -> None:
        """Bring light and picture up to date."""
        begun = self._refreshed_at
        try:
            if image is not None and (begun is None or now - begun >= REFRESH_US):
                self._controller.begin(dark=begun is None)
                self._refreshed_at = None
                self._lighten(now)
                self._controller.display(self._placed(image, now))
                self._controller.switch(on=True)
                self._refreshed_at = now
                return
            if self._is_dim is not self._should_be_dim(now):
                self._lighten(now)
            if image is not None:
                self._controller.display(self._placed(image, now))
        except failures() as error:
            self._refreshed_at = None
            message = f"The display does not answer: {advice(error)}"
            raise DriverError(message) from error

    def _lighten(self, now: int) -> None:
        dim = self._should_be_dim(now)
        self._controller.lighten(dim=dim)
        self._is_dim = dim

    def _should_be_dim(self, now: int) -> bool:
        return 0 < self._dim_after <= now - self._changed_at

    def _placed(self, image: Image, now: int) -> Image:
        if not self._shift_every:
            return image
        return moved(image, *STEPS[(now - self._began_at) // self._shift_every % len(STEPS)])


def moved(image: Image, right: int, down: int) -> Image:
    """A picture that stands `right` and `down` pixels (0 or 1) further, where that loses nothing.

    The outermost line falls off the edge, so it must be dark, or only make the line beside it broader, as the end of
    a headline's ground does; otherwise the picture stays where it is that way.
    """
    if right and _may_go(image, (WIDTH - 1, 0, WIDTH, HEIGHT), (WIDTH - 2, 0, WIDTH - 1, HEIGHT)):
        image = offset(image, 1, 0)
        image.paste(0, (0, 0, 1, HEIGHT))
    if down and _may_go(image, (0, HEIGHT - 1, WIDTH, HEIGHT), (0, HEIGHT - 2, WIDTH, HEIGHT - 1)):
        image = offset(image, 0, 1)
        image.paste(0, (0, 0, WIDTH, 1))
    return image


def _may_go(image: Image, outermost: tuple[int, int, int, int], beside: tuple[int, int, int, int]) -> bool:
    going, staying = (int.from_bytes(image.crop(box).tobytes(), "big") for box in (outermost, beside))
    return not going & ~staying
