"""Draw two displays as players see them from 70 cm, as docs/pictures/display-70cm.png (`make docs`).

From the top: the module of 2.42 inches for an eye that reads the line 6/6 of an eye chart, the same for an eye that
only reads 6/12 (the least that drivers need), the module of 0.96 inches with normal letters, and with large ones.
All have the same scale. The eye is a blur whose width follows from the smallest gap that it can see: one minute of arc
at 6/6.
"""

from math import atan, degrees
from pathlib import Path

from PIL import Image, ImageFilter

from tests.docs_examples.pages import DOCS, ROOT

FILE = DOCS / "pictures" / "display-70cm.png"
DISTANCE = 700.0
"""Millimetres from the eye to the display."""
PITCH = {"2.42 inches": 55.01 / 128, "0.96 inches": 21.74 / 128}
"""Millimetres from pixel to pixel, by the width of the area that shows the picture (data sheets of the modules)."""
SCENES = ("level2-play", "refused")

_SHARP = 4  # pixels of the picture for a minute of arc
_SHRINK = 2
_BORDER = 10  # minutes of arc around each display
_SPREAD = 0.7  # standard deviation of the blur, by the smallest gap that is seen
_DARK = 12  # of 255: a dark pixel among bright ones is not black


def minutes(height: float) -> float:
    """The angle, in minutes of arc, at which so many millimetres are seen."""
    return degrees(atan(height / DISTANCE)) * 60


def seen(file: Path, pitch: float, gap: float) -> Image.Image:
    """The picture in `file` (128 × 64) on pixels of `pitch` mm, by an eye that sees gaps of `gap` minutes of arc."""
    with Image.open(file) as drawn:
        screen = drawn.convert("L").point(lambda value: 255 if value else _DARK)
    width = minutes(pitch) * 128 * _SHARP
    screen = screen.resize((round(width), round(width / 2)), Image.Resampling.BOX)
    border = _BORDER * _SHARP
    around = Image.new("L", (screen.width + 2 * border, screen.height + 2 * border))
    around.paste(screen, (border, border))
    return around.filter(ImageFilter.GaussianBlur(_SPREAD * gap * _SHARP)).reduce(_SHRINK)


def picture() -> Image.Image:
    """All displays below each other, one column for each scene."""
    golden = ROOT / "tests" / "views"
    large, small = PITCH["2.42 inches"], PITCH["0.96 inches"]
    columns = [
        (
            seen(golden / "golden" / f"{scene}.png", large, 1),
            seen(golden / "golden" / f"{scene}.png", large, 2),
            seen(golden / "golden" / f"{scene}.png", small, 1),
            seen(golden / "golden_large" / f"{scene}.png", small, 1),
        )
        for scene in SCENES
    ]
    widths = [max(each.width for each in column) for column in columns]
    drawn = Image.new("L", (sum(widths), sum(each.height for each in columns[0])))
    for number, column in enumerate(columns):
        top = 0
        for each in column:
            drawn.paste(each, (sum(widths[:number]), top))
            top += each.height
    return drawn


def main() -> None:
    """Write the picture."""
    picture().save(FILE, optimize=True)


if __name__ == "__main__":
    main()
