"""Draw a calibration on the display: for each lane its button, its glass and the next step."""

from typing import Final

from PIL import Image

from gnomon.views import fonts, panes
from gnomon_pi.tools.calibration.guide import Guide, Lane, Phase

_NAMES: Final = {"button.red": "Red", "button.black": "Black", "button.arbiter": "Arbiter"}
_TOP: Final = fonts.PITCH + 1


def screen(guide: Guide) -> Image.Image:
    """The picture that belongs to a guide; it changes only when the guide does."""
    image = Image.new("1", panes.SIZE)
    if guide.is_done:
        panes.headline(image, "Calibration", "Done", None)
        panes.text(image, ["Every glass has been seen to.", "The terminal says what was found."], None)
        return image
    glasses = sum(len(lane.todo) for lane in guide.lanes)
    panes.headline(image, "Calibration", f"{glasses} left" if glasses > 1 else "the last one", None)
    row = _TOP
    for lane in guide.lanes:
        if lane.phase is not Phase.DONE:
            _draw_lane(image, row, lane, light=guide.light)
            row += 2 * fonts.PITCH
    return image


def _draw_lane(image: Image.Image, row: int, lane: Lane, *, light: bool) -> None:
    width = panes.tag(image, (0, row), _NAMES[lane.button])
    place = "its stand" if lane.socket == lane.glass else lane.socket
    fonts.write(image, (width + 3, row + 1), f"{lane.glass}, {place}: {lane.left} to go")
    panes.lines(image, (_told(lane, light=light),), row + fonts.PITCH)


def _told(lane: Lane, *, light: bool) -> str:
    match lane.phase:
        case Phase.READY:
            return "Turn it, its sand below."
        case Phase.RUNNING:
            return "It runs: leave it." if light else "Press at the last grain."
        case _:
            return "Let it run out, then press."
