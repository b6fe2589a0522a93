"""Draw text with a built-in bitmap font and seven-segment digits, and wrap or shorten it to a width.

The font is drawn here and not taken from Pillow or the system: the same pixels with every Pillow from 10.1 on
(`load_default_imagefont` came with 10.4), more letters to a line, and no file to open. Wrapping breaks a
word only if it is longer than a line.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from gnomon.words import NO_BREAK

LINE: Final = 8  # pixels from the top of a capital to the lowest descender
PITCH: Final = 9  # pixels from line to line
SPACE: Final = 3
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"

_WORD: Final = re.compile(rf"(?:\S|{NO_BREAK}|(?<=\d) (?=(?:s|min|h)\b))+")  # a number stays with its unit

_CELL = 6  # columns of the drawing that belong to one letter
_SHEET = r"""
!     "     #     $     %     &     '     (     )     *     +     ,     -     .     /     0
#     #.#   .#.#  ..#   ##..# .##   #     .#    #                                   ...#  .##
#     #.#   .#.#  .#### ##..# #..#  #     #     .#    #.#.# ..#                     ..#   #..#
#           ##### #.#   ...#  #..#        #     .#    .###  ..#                     ..#   #..#
#           .#.#  .###  ..#   .##         #     .#    ##### #####       ###         .#    #..#
#           ##### ..#.# .#    #..#        #     .#    .###  ..#                     .#    #..#
            .#.#  ####  #..## #..#        #     .#    #.#.# ..#   .#                #     #..#
#           .#.#  ..#   #..## .##.#       .#    #                 .#          #     #     .##
                                                                  #
1     2     3     4     5     6     7     8     9     :     ;     <     =     >     ?     @
.#    .##   .##   ..#   ####  .##   ####  .##   .##                                .##   .###
##    #..#  #..#  .##   #     #     ...#  #..#  #..#              ...#        #     #..#  #...#
.#    ...#  ...#  #.#   ###   #     ..#   #..#  #..#  #     .#    ..#   ####  .#    ...#  #.###
.#    ..#   .##   #.#   ...#  ###   ..#   .##   .###              .#          ..#   ..#   #.#.#
.#    .#    ...#  ####  ...#  #..#  .#    #..#  ...#              ..#   ####  .#    .#    #.###
.#    #     #..#  ..#   #..#  #..#  .#    #..#  ...#  #     .#    ...#        #           #
###   ####  .##   ..#   .##   .##   .#    .##   .##         .#                      .#    .###
                                                            #
A     B     C     D     E     F     G     H     I     J     K     L     M     N     O     P
.##   ###   .##   ###   ####  ####  .##   #..#  ###   ...#  #..#  #     #...# #...# .###  ###
#..#  #..#  #..#  #..#  #     #     #..#  #..#  .#    ...#  #.#   #     ##.## ##..# #...# #..#
#..#  #..#  #     #..#  #     #     #     #..#  .#    ...#  ##    #     #.#.# #.#.# #...# #..#
####  ###   #     #..#  ###   ###   #.##  ####  .#    ...#  ##    #     #.#.# #.#.# #...# ###
#..#  #..#  #     #..#  #     #     #..#  #..#  .#    ...#  #.#   #     #...# #..## #...# #
#..#  #..#  #..#  #..#  #     #     #..#  #..#  .#    #..#  #.#   #     #...# #...# #...# #
#..#  ###   .##   ###   ####  #     .###  #..#  ###   .##   #..#  ####  #...# #...# .###  #

Q     R     S     T     U     V     W     X     Y     Z     [     \     ]     ^     _     `
.##   ###   .###  ##### #..#  #...# #...# #...# #...# ####  ##    #     ##    .#          #
#..#  #..#  #     ..#   #..#  #...# #...# #...# #...# ...#  #     #     .#    #.#         .#
#..#  #..#  #     ..#   #..#  #...# #...# .#.#  .#.#  ..#   #     #     .#
#..#  ###   .##   ..#   #..#  #...# #.#.# ..#   ..#   .##   #     .#    .#
#..#  #.#   ...#  ..#   #..#  .#.#  #.#.# .#.#  ..#   .#    #     .#    .#
#.##  #..#  ...#  ..#   #..#  .#.#  ##.## #...# ..#   #     #     ..#   .#
.###  #..#  ###   ..#   .##   ..#   #...# #...# ..#   ####  ##    ..#   ##          ####

a     b     c     d     e     f     g     h     i     j     k     l     m     n     o     p
      #           ...#        .##         #     #     .#    #     #
      #           ...#        #           #                 #     #
.##   ###   .##   .###  .##   ###   .###  ###   #     .#    #..#  #     ####  ###   .##   ###
...#  #..#  #     #..#  #..#  #     #..#  #..#  #     .#    #.#   #     #.#.# #..#  #..#  #..#
.###  #..#  #     #..#  ####  #     #..#  #..#  #     .#    ##    #     #.#.# #..#  #..#  #..#
#..#  #..#  #     #..#  #     #     .###  #..#  #     .#    #.#   #     #.#.# #..#  #..#  ###
.###  ###   .##   .###  .##   #     ...#  #..#  #     .#    #..#  .#    #.#.# #..#  .##   #
                                    .##               #                                   #
q     r     s     t     u     v     w     x     y     z     {     |     }     ~     …     ▲
                  #                                         .##   #     ##
                  #                                         .#    #     .#    .#.#        ..#
.###  #.#   .###  ###   #..#  #...# #...# #..#  #..#  ####  .#    #     .#    #.#         ..#
#..#  ##    #     #     #..#  #...# #.#.# #..#  #..#  ...#  #     #     ..#               .###
#..#  #     .##   #     #..#  #...# #.#.# .##   #..#  .##   .#    #     .#                .###
.###  #     ...#  #     #..#  .#.#  #.#.# #..#  .###  #     .#    #     .#                #####
...#  #     ###   .##   .###  ..#   .#.#  #..#  ...#  ####  .##   #     ##          #.#.# #####
...#                                            .##               #
●     ○     ✓     ►     ä     ö     ü     ë     é     è     ê     à     â     ô     û     ù
                        #..#  #..#  #..#  #..#  ..#   .#    .##   .#    .##   .##   .##   .#
.###  .###        #                             .#    ..#   #..#  ..#   #..#  #..#  #..#  ..#
##### #...# ....# ##    .##   .##   #..#  .##   .##   .##   .##   .##   .##   .##   #..#  #..#
##### #...# ...## ###   ...#  #..#  #..#  #..#  #..#  #..#  #..#  ...#  ...#  #..#  #..#  #..#
##### #...# #..#  ####  .###  #..#  #..#  ####  ####  ####  ####  .###  .###  #..#  #..#  #..#
##### #...# ###   ###   #..#  #..#  #..#  #     #     #     #     #..#  #..#  #..#  #..#  #..#
.###  .###  .#    ##    .###  .##   .###  .##   .##   .##   .##   .###  .###  .##   .###  .###
                  #
î     ï     ç     ß     œ     Ä     Ö     Ü     É     È     Ê     À     Ç     ’     «     »
.#    #.#         .##         #..#  #...# #..#  ..#   .#    .##   .#    .##   .#
#.#               #..#                          .#    ..#   #..#  ..#   #..#  .#
.#    .#    .##   #..#  .#.#  .##   .###  #..#  ####  ####  ####  .##   #     #     ..#.# #.#
.#    .#    #     #.#   #.#.# #..#  #...# #..#  #     #     #     #..#  #           .#.#  .#.#
.#    .#    #     #..#  #.### ####  #...# #..#  ###   ###   ###   ####  #           #.#   ..#.#
.#    .#    #     #..#  #.#   #..#  #...# #..#  #     #     #     #..#  #..#        .#.#  .#.#
.#    .#    .##   #.#   .#.## #..#  .###  .##   ####  ####  ####  #..#  .##         ..#.# #.#
            .#                                                          .#
„     “     ”     –
      .#.#  #.#
      #.#   #.#
      #.#   .#.#
                  ####


.#.#
#.#
"""


def width(text: str, scale: int = 1) -> int:
    """Pixels from the left of the first letter to the right of the last."""
    return max(0, sum(_advance(letter) for letter in readable(text)) - 1) * scale


@lru_cache(maxsize=512)
def readable(text: str) -> str:
    """The text in letters of this font: others lose their accents, and what is unknown then becomes a question mark."""
    return "".join(letter if letter in _GLYPHS else _plain(letter) for letter in text)


@lru_cache(maxsize=256)
def wrap(text: str, room: int) -> tuple[str, ...]:
    """The text in lines of at most `room` pixels, broken between words, within one only if it is longer than a line."""
    lines: list[str] = []
    for word in _pieces(readable(text), room):
        if lines and width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def shorten(text: str, room: int, lines: int = 1) -> tuple[str, ...]:
    """As `wrap`, at most so many lines: what does not fit is left out after a whole word, marked by an ellipsis."""
    whole = wrap(text, room)
    if len(whole) <= lines:
        return whole
    *kept, last = whole[:lines]
    while last and width(last + ELLIPSIS) > room:
        head, _, _ = last.rpartition(" ")
        last = head or last[:-1]
    return (*kept, last + ELLIPSIS)


@lru_cache(maxsize=512)
def text_mask(text: str, scale: int = 1) -> Image.Image:
    """The text as a mask of one bit a pixel, `LINE * scale` high; to be read only, it is kept for the next call."""
    rows = [0] * LINE
    columns = 0
    for letter in readable(text):
        advance = _advance(letter)
        columns += advance
        for row, bits in enumerate(_GLYPHS[letter].rows):
            rows[row] = rows[row] << advance | bits << 1
    columns = max(1, columns - 1)
    stride = (columns + 7) // 8
    # The last letter carries one empty column too many: it is shifted out.
    packed = b"".join((bits >> 1 << (stride * 8 - columns)).to_bytes(stride, "big") for bits in rows)
    mask = Image.frombytes("1", (columns, LINE), packed)
    return mask if scale == 1 else mask.resize((columns * scale, LINE * scale), Image.Resampling.NEAREST)


def write(image: Image.Image, at: tuple[int, int], text: str, *, ink: int = 1, scale: int = 1) -> None:
    """Draw one line of text with its top left corner `at`; `ink` 1 lights pixels, 0 darkens them."""
    image.paste(ink, at, text_mask(text, scale))


def write_digits(  # noqa: PLR0913 - where, what, and how large
    image: Image.Image, at: tuple[int, int], digits: str, *, size: tuple[int, int], stroke: int, ink: int = 1
) -> None:
    """Draw seven-segment digits (0..9, space, colon and point), each digit `size` pixels, gaps as wide as a stroke."""
    left, top = at
    boxes = _segment_boxes(size, stroke)
    for digit in digits:
        for row in _DOTS.get(digit, ()):
            down = top + round(row * (size[1] - stroke))
            image.paste(ink, (left, down, left + stroke, down + stroke))
        for segment in _SEGMENTS.get(digit, ""):
            x0, y0, x1, y1 = boxes[segment]
            image.paste(ink, (left + x0, top + y0, left + x1, top + y1))
        left += (stroke if digit in _DOTS else size[0]) + stroke


def digits_width(digits: str, size: tuple[int, int], stroke: int) -> int:
    """Pixels from the left of the first digit to the right of the last."""
    return sum((stroke if digit in _DOTS else size[0]) + stroke for digit in digits) - stroke


class _Glyph(NamedTuple):
    """One letter: its columns, and its rows as binary numbers from the top."""

    columns: int
    rows: tuple[int, ...]


def _glyphs() -> Iterator[tuple[str, _Glyph]]:
    """Every letter on the sheet: a line of names, then `LINE` lines of drawing."""
    sheet = _SHEET.removeprefix("\n").splitlines()
    for top in range(0, len(sheet), LINE + 1):
        names, drawing = sheet[top], sheet[top + 1 : top + 1 + LINE]
        for left in range(0, len(names), _CELL):
            cells = [row[left : left + _CELL].rstrip() for row in drawing]
            columns = max(map(len, cells))
            yield names[left], _Glyph(columns, tuple(_bits(cell.ljust(columns)) for cell in cells))


def _bits(cells: str) -> int:
    return int("0" + "".join("01"[cell == "#"] for cell in cells), 2)


_GLYPHS: Final = {**dict.fromkeys((" ", NO_BREAK), _Glyph(SPACE - 1, (0,) * LINE)), **dict(_glyphs())}

# The segments of each digit, named as in data sheets: a top, b and c right, d bottom, e and f left, g middle.
_SEGMENTS: Final = {
    " ": "",
    "0": "abcdef",
    "1": "bc",
    "2": "abdeg",
    "3": "abcdg",
    "4": "bcfg",
    "5": "acdfg",
    "6": "acdefg",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}


# How far down the dots of these stand, as parts of the height.
_DOTS: Final[Mapping[str, tuple[float, ...]]] = {":": (0.25, 0.75), ".": (1.0,)}


def _plain(letter: str) -> str:
    """What stands for a letter that was not drawn."""
    if letter.isspace():
        return " "
    parts = (part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return "".join(part if part in _GLYPHS else "?" for part in parts)


def _advance(letter: str) -> int:
    return _GLYPHS[letter].columns + 1


def _pieces(text: str, room: int) -> Iterator[str]:
    """The words of the text, those longer than a line in pieces that fit; each letter is looked at once."""
    for word in _WORD.findall(text):
        start, used = 0, 0
        for place, letter in enumerate(word):
            advance = _advance(letter)
            if used + advance - 1 > room and place > start:
                yield word[start:place]
                start, used = place, 0
            used += advance
        yield word[start:]


@lru_cache(maxsize=8)
def _segment_boxes(size: tuple[int, int], stroke: int) -> Mapping[str, tuple[int, int, int, int]]:
    """Where the segments of a digit lie: left, top, right, bottom; corners stay free so that segments show."""
    wide, high = size
    middle = (high - stroke) // 2
    waist = middle + stroke // 2
    return {
        "a": (1, 0, wide - 1, stroke),
        "b": (wide - stroke, 1, wide, waist),
        "c": (wide - stroke, waist + 1, wide, high - 1),
        "d": (1, high - stroke, wide - 1, high),
        "e": (0, waist + 1, stroke, high - 1),
        "f": (0, 1, stroke, waist),
        "g": (1, middle, wide - 1, middle + stroke),
    }
