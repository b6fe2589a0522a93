"""Pictures of the boards of all games as SVG, PNG and display bitmaps: pure functions of a position."""

from gnomon.views.pictures._gallery import picture
from gnomon.views.pictures._png import PictureError, to_png
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.pictures.miniatures import miniature
from gnomon.views.pictures.palette import DARK, LIGHT, Colour, Theme
from gnomon.views.pictures.svg import to_svg

__all__ = ["DARK", "LIGHT", "Colour", "Drawing", "PictureError", "Theme", "miniature", "picture", "to_png", "to_svg"]
