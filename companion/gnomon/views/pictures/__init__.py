"""Pictures of the boards of all games as SVG, PNG and display bitmaps: pure functions of a position.

PNG is in `gnomon.views.pictures.png`: it brings Pillow's fonts with it, and a page shows none.
"""

from gnomon.views.pictures._gallery import picture
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.pictures.miniatures import miniature
from gnomon.views.pictures.palette import DARK, LIGHT, Colour, Theme
from gnomon.views.pictures.svg import to_svg

__all__ = ["DARK", "LIGHT", "Colour", "Drawing", "Theme", "miniature", "picture", "to_svg"]
