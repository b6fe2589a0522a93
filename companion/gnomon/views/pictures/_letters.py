"""Measure text in Pillow's built-in font and split letters into base glyphs and accents.

The font is Aileron, which Pillow brings, so that a picture needs no font file of the machine and is equally wide on
every machine. It has the letters of English only: accents are drawn as separate lines and dots.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

Point = tuple[float, float]

# What stands for signs and letters that are no letter of the font with an accent.
_SIGNS: Final = {"×": "x", "–": "-", "−": "-", "’": "'", "′": "'", "“": '"', "”": '"', "µ": "u"}
_PAIRS: Final = {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th"}
_BARRED: Final = {"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ł": "l", "Ł": "L"}
_SPELT: Final = _SIGNS | _PAIRS | _BARRED
_ALSO: Final = "·…°"  # that the font has besides ASCII

WIDTHS: Final[Mapping[str, int]] = {
    letter: wide
    for alike, wide in (
        *(("'", 18), ("·", 20), (" ,", 22), (".:;", 23), ("ij", 24), ("!l", 25), ("|", 26), ("-I", 27), ("f", 29)),
        *(("/\\]`{}°", 30), ("([", 31), (")t", 32), ("r", 33), ('"', 34), ("s", 45), ("z", 46), ("x", 48), ("?_", 50)),
        *(("vy", 51), ("k", 52), ("c", 53), ("a", 54), ("*Je", 55), ("F", 57), ("#$+0123456789<=>LSY^o", 58)),
        *(("EZhn~", 59), ("Pbpu", 60), ("KT", 61), ("RVdgq", 62), ("BX…", 63), ("A", 64), ("&", 65), ("U", 68)),
        *(
            ("C", 70),
            ("DG", 71),
            ("N", 72),
            ("HQ", 73),
            ("%O", 74),
            ("w", 79),
            ("@", 84),
            ("m", 85),
            ("M", 87),
            ("W", 95),
        ),
    )
    for letter in alike
}
"""How wide each letter of the font is, in hundredths of its height: read once, so that no drawing has to load it."""
BOLD: Final = 1.04
"""How much wider bold letters are."""

_RISE: Final = 0.1  # how far a line of an accent rises, in heights of the font
_ACUTE: Final = ((-0.05, 0.03), (0.11, 0.15))
_GRAVE: Final = ((-0.11, 0.15), (0.05, 0.03))
_HAT: Final = ((-0.14, 0.03), (0.0, 0.15), (0.14, 0.03))
ABOVE: Final[Mapping[str, Sequence[Sequence[Point]]]] = {
    "\u0300": (_GRAVE,),
    "\u0301": (_ACUTE,),
    "\u0302": (_HAT,),
    "\u0303": (((-0.16, 0.05), (-0.07, 0.12), (0.07, 0.05), (0.16, 0.12)),),
    "\u0304": (((-0.14, _RISE), (0.14, _RISE)),),
    "\u0306": (((-0.13, 0.15), (-0.07, 0.06), (0.07, 0.06), (0.13, 0.15)),),
    "\u0307": (((0.0, _RISE), (0.0, _RISE)),),
    "\u0308": (((-0.11, _RISE), (-0.11, _RISE)), ((0.11, _RISE), (0.11, _RISE))),
    "\u030a": (((-0.07, 0.1), (0.0, 0.17), (0.07, 0.1), (0.0, 0.03), (-0.07, 0.1)),),
    "\u030b": (((-0.12, 0.03), (-0.02, 0.15)), ((0.06, 0.03), (0.16, 0.15))),
    "\u030c": (((-0.14, 0.15), (0.0, 0.03), (0.14, 0.15)),),
}
"""Accents over a letter, as lines from its middle and its upper edge: parts of the height of the font, y upwards."""
BELOW: Final[Mapping[str, Sequence[Sequence[Point]]]] = {
    "\u0323": (((0.0, -0.12), (0.0, -0.12)),),
    "\u0326": (((0.03, -0.06), (-0.03, -0.17)),),
    "\u0327": (((0.0, 0.0), (0.04, -0.08), (-0.01, -0.16), (-0.09, -0.15)),),
    "\u0328": (((0.04, 0.0), (-0.03, -0.1), (0.04, -0.17), (0.11, -0.15)),),
}
"""The same under a letter, from its middle and the base line."""
HIGH: Final = 0.72
"""Where the upper edge of capitals is, and of letters that are as high, in heights of the font above the base line."""
LOW: Final = 0.54
"""Where that of the others is."""


class Letter(NamedTuple):
    """What of a text is one letter of the font, and the accents on it."""

    base: str
    accents: str = ""

    @property
    def top(self) -> float:
        """Where its upper edge is, in heights of the font above the base line."""
        return LOW if self.base in "acegijmnopqrsuvwxyz" else HIGH


def letters(text: str) -> Sequence[Letter]:
    """The text in letters that the font has, each with its accents; what is unknown is a question mark."""
    found: list[Letter] = []
    for sign in unicodedata.normalize("NFC", text):
        for part in unicodedata.normalize("NFKD", _SPELT.get(sign, sign)):
            if not unicodedata.combining(part):
                found.append(Letter(_replace_unknown(part)))
            elif found and (part in ABOVE or part in BELOW):
                found[-1] = Letter(found[-1].base, found[-1].accents + part)
    return found


def spelt(text: str) -> str:
    """The text in letters that the font has, without their accents."""
    return "".join(letter.base for letter in letters(text))


def _replace_unknown(letter: str) -> str:
    return letter if " " <= letter <= "~" or letter in _ALSO else "?"


def has_all(text: str) -> bool:
    """Whether the font has every letter of a text, so that its width is known."""
    return spelt(text).count("?") == text.count("?")


@lru_cache(maxsize=4096)
def width(text: str, size: float, spacing: float = 0, *, bold: bool = False) -> float:
    """How wide a text is in a font of that height, in the same unit."""
    found = spelt(text)
    wide = sum(WIDTHS[letter] for letter in found) * size / 100
    return wide * (BOLD if bold else 1) + spacing * len(found)
