"""Draw the pairing code of a new device on the display, large enough to be read at the board."""

from PIL import Image

from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.words import ENGLISH, Words

_CODE = 20  # the first row of the code
_TEXT = 43


def picture(code: str, words: Words = ENGLISH, *, for_admin: bool) -> Image.Image:
    """The code and what it is for."""
    image = Image.new("1", panes.SIZE)
    panes.headline(image, words("oled.pair.admin" if for_admin else "oled.pair.player"), "", None)
    fonts.write(image, ((panes.WIDTH - fonts.width(code, 2)) // 2, _CODE), code, scale=2)
    panes.lines(image, [words("oled.pair.type"), words("oled.pair.where")], _TEXT)
    return image


def notice(code: str, words: Words = ENGLISH) -> str:
    """The same in one line, while a game needs the display."""
    return words("oled.pair.notice", code=code)
