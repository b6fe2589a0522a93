"""Draw the pairing code of a new device on the display, large enough to be read at the board."""

from PIL import Image

from gnomon.views import fonts, panes

_CODE = 20  # the first row of the code
_TEXT = 43


def picture(code: str, *, for_admin: bool) -> Image.Image:
    """The code and what it is for."""
    image = Image.new("1", panes.SIZE)
    panes.headline(image, "First admin" if for_admin else "Your phone as a player", "", None)
    fonts.write(image, ((panes.WIDTH - fonts.width(code, 2)) // 2, _CODE), code, scale=2)
    panes.lines(image, ["Type this code on the page,", "under Sign in: Pair."], _TEXT)
    return image


def notice(code: str) -> str:
    """The same in one line, while a game needs the display."""
    return f"Code for the page: {code}"
