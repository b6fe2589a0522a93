"""Compare what stands on the emulated display and lights with the golden pictures and with the views of a game."""

from pathlib import Path
from typing import Final, NamedTuple, Self

from PIL import Image, ImageChops

from gnomon.referee.game import Game
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon.views.display import oled
from gnomon.views.show import show_of
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers._display import STEPS, shift
from gnomon_pi.runtime.outputs import sides_of
from gnomon_pi.simulated.chips.hc165_and_lights import Colour
from tests.near_real.guest.board_end import BoardEnd
from tests.near_real.guest.story import expect

GOLDEN: Final = Path(__file__).parents[2] / "views"
_RHYTHMS: Final = 4_000  # milliseconds: longer than any rhythm of a light
_STEP: Final = 20


class Looks(NamedTuple):
    """What a person sees: the pixels of the display and the colours of the lights."""

    display: Image.Image
    lights: tuple[Colour, ...]

    @classmethod
    def of(cls, end: BoardEnd) -> Self:
        """What is to be seen now."""
        return cls(end.board.display_image().convert("1"), end.board.lights())

    @property
    def is_dark(self) -> bool:
        """Whether neither the display nor a light shines."""
        return not self.display.getbbox() and not any(map(any, self.lights))


def expect_golden(looks: Looks, place: str) -> None:
    """Expect an approved picture on the display, pixel by pixel. Raises AssertionError."""
    with Image.open(GOLDEN / f"{place}.png") as approved:
        expect_picture(looks.display, approved.convert("1"), place)


def expect_views(looks: Looks, description: BoardDescription, game: Game, now: Instant) -> None:
    """Expect what the views make of a game that stands still, on the display and on the lights."""
    expect_picture(looks.display, oled.screen(game, now), "the view of the game")
    expect_lights(looks, description, game, now)


def expect_lights(looks: Looks, description: BoardDescription, game: Game, now: Instant) -> None:
    """Expect the colours of a game on the lights, at some moment of their rhythms."""
    if description.lights is None:
        return
    draw, sides = load(show_of(game).lights), sides_of(description)
    instants = [Instant(now + later * MILLISECOND) for later in range(0, _RHYTHMS, _STEP)]
    wanted = {tuple(draw(game, at, sides).colours(at)) for at in instants}
    expect(looks.lights in wanted, f"the lights show {looks.lights}")


def expect_picture(shown: Image.Image, wanted: Image.Image, name: str) -> None:
    """Expect a picture, pixel by pixel, where the driver has moved it to spare the display. Raises AssertionError."""
    if shown.tobytes() in {shift(wanted, *step).tobytes() for step in STEPS}:
        return
    print(f"shown:\n{sketch(shown)}\nwanted, {name}:\n{sketch(wanted)}", flush=True)
    different = sum(ImageChops.difference(shown.convert("L"), wanted.convert("L")).histogram()[1:])
    expect(condition=False, otherwise=f"{different} pixels differ from {name}")


def sketch(picture: Image.Image) -> str:
    """A picture for a terminal, two rows of pixels in a line."""
    rows = [[bool(picture.getpixel((x, y))) for x in range(picture.width)] for y in range(picture.height)]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(" ▀▄█"[up + 2 * low] for up, low in zip(*pair, strict=True)) for pair in pairs)
