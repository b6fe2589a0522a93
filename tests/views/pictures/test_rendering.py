from itertools import pairwise
from math import hypot
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageColor, ImageFont

from gnomon.views.pictures import DARK, LIGHT, Colour, Drawing, png, to_svg
from gnomon.views.pictures._letters import ABOVE, BELOW, WIDTHS, letters, spelt, width
from gnomon.views.pictures.drawing import Circle, Group, Path, Polygon, Text, groups, texts
from gnomon.views.pictures.figures import arrow, box, line, regular
from gnomon.views.pictures.png import PictureError, dash_pieces, flatten_path, ribbon, to_png
from gnomon.views.pictures.svg import number

SVG = "{http://www.w3.org/2000/svg}"
PAPER, INK, RED = (ImageColor.getrgb(LIGHT[colour]) for colour in (Colour.PAPER, Colour.INK, Colour.RED))


def drawing(*shapes: Circle | Group | Path | Polygon | Text, width: float = 100, height: float = 100) -> Drawing:
    return Drawing(width, height, "A title", "What there is", shapes)


# PNG


def test_a_disc_is_filled_to_its_edge_and_no_further() -> None:
    image = to_png(drawing(Circle((50, 50), 20, fill=Colour.RED)), 100)
    assert [image.getpixel((x, 50)) for x in (50, 31, 68)] == [RED] * 3
    assert [image.getpixel((x, 50)) for x in (28, 71)] == [PAPER] * 2


def test_the_stroke_of_a_circle_lies_on_both_sides_of_its_edge() -> None:
    image = to_png(drawing(Circle((50, 50), 20, stroke=Colour.RED, width=8)), 100)
    assert [image.getpixel((x, 50)) for x in (25, 34, 50, 67, 72)] == [PAPER, PAPER, PAPER, RED, RED]
    assert image.getpixel((27, 50)) == RED
    assert image.getpixel((32, 50)) == RED


def test_a_round_end_goes_beyond_a_line_and_a_flat_one_does_not() -> None:
    straight = Path((30, 50), (((70, 50),),), stroke=Colour.RED, width=20)
    flat = Path((30, 50), (((70, 50),),), stroke=Colour.RED, width=20, flat=True)
    assert to_png(drawing(straight), 100).getpixel((23, 50)) == RED
    assert to_png(drawing(flat), 100).getpixel((23, 50)) == PAPER
    assert to_png(drawing(flat), 100).getpixel((31, 58)) == RED


def test_dashes_leave_the_paper_free() -> None:
    image = to_png(drawing(Path((0, 50), (((100, 50),),), stroke=Colour.RED, width=2, dash=(10, 20))), 100)
    assert [image.getpixel((x, 50)) for x in (5, 20, 35, 50)] == [RED, PAPER, RED, PAPER]


@pytest.mark.parametrize(("anchor", "columns"), [("start", (50, 100)), ("middle", (30, 70)), ("end", (0, 50))])
def test_letters_stand_on_the_side_of_their_anchor(anchor: str, columns: tuple[int, int]) -> None:
    word = Text((50, 60), "HHH", 20, anchor=anchor)  # type: ignore[arg-type]  # one of three
    inked = to_png(drawing(word), 100).convert("L").point(lambda level: 255 * (level < 128)).getbbox()
    assert inked is not None
    left, top, right, bottom = inked
    assert columns[0] <= left < right <= columns[1]
    assert 40 <= top < bottom <= 61


def test_bold_and_spaced_letters_take_more_ink_and_room() -> None:
    plain, bold, spaced = (
        to_png(drawing(Text((5, 60), "HI", 30, bold=bold, spacing=spacing)), 100).convert("L")
        for bold, spacing in ((False, 0), (True, 0), (False, 20))
    )
    assert sum(bold.histogram()[:128]) > sum(plain.histogram()[:128])
    boxes = [image.point(lambda level: 255 * (level < 128)).getbbox() for image in (plain, spaced)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[1][2] > boxes[0][2] + 15


def test_a_picture_is_the_same_in_narrow_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = (
        Circle((50, 50), 30, fill=Colour.RED, stroke=Colour.INK, width=5),
        Polygon(regular((20, 20), 15, 5), fill=Colour.ACCENT),
        box(60, 10, 30, 30, 8, stroke=Colour.INK, line=3),
        Group((Text((10, 95), "Bands", 14),)),
        line((5, 5), (95, 90), Colour.MARK, 4, dash=(6, 5)),
    )
    whole = to_png(drawing(*shapes), 200)
    monkeypatch.setattr(png, "_BAND", 7)
    assert to_png(drawing(*shapes), 200).tobytes() == whole.tobytes()


def test_a_picture_is_as_high_as_its_drawing_asks_for() -> None:
    assert to_png(drawing(width=200, height=50), 120).size == (120, 30)
    assert to_png(drawing(width=1000, height=1), 10).size == (10, 1)


@pytest.mark.parametrize("width", [0, -1, png.WIDEST + 1])
def test_a_width_that_cannot_be_is_refused(width: int) -> None:
    with pytest.raises(PictureError, match="pixels wide"):
        to_png(drawing(), width)


def test_an_empty_drawing_is_its_paper_in_either_theme() -> None:
    for theme in (LIGHT, DARK):
        assert to_png(drawing(), 4, theme).getcolors() == [(16, ImageColor.getrgb(theme[Colour.PAPER]))]


@given(st.text())
def test_every_text_is_spelt_in_letters_of_the_font(text: str) -> None:
    assert set(spelt(text)) <= {*map(chr, range(0x20, 0x7F)), "·", "…", "°"}


def test_accents_dashes_and_signs_are_spelt_as_well_as_can_be() -> None:
    assert spelt("Bolaños – 2 × 3 € ’ Größe") == "Bolanos - 2 x 3 ? ' Grosse"
    assert "".join(letter.accents for letter in letters("Bolaños Größe")) == "\u0303\u0308"


@pytest.mark.parametrize("letter", "àéîõäåőčçęşīăż")
def test_an_accent_is_drawn_and_changes_nothing_else(letter: str) -> None:
    bare, accented = (text_picture(each) for each in (spelt(letter), letter))
    assert accented.tobytes() != bare.tobytes()
    assert width(letter, 20) == width(spelt(letter), 20)
    assert all(accent in ABOVE or accent in BELOW for accent in letters(letter)[0].accents)


def text_picture(text: str) -> Image.Image:
    return to_png(drawing(Text((20, 60), text, 40), width=100, height=100), 100).convert("L")


def test_a_text_is_as_wide_in_every_font_as_it_was_drawn() -> None:
    svg = to_svg(drawing(Text((0, 50), "stopped", 20), Text((0, 80), "E", 20), Text((0, 90), "囲碁", 20)))
    assert f'textLength="{number(width("stopped", 20))}" lengthAdjust="spacingAndGlyphs"' in svg
    assert svg.count("textLength") == 1  # one letter needs none, and what the font lacks is not measured


def test_letters_are_as_wide_as_those_of_the_font_that_pictures_are_painted_with() -> None:
    """It has no kerning, so a text is as wide as its letters."""
    font = ImageFont.load_default(100)
    assert {letter: font.getlength(letter) for letter in WIDTHS} == WIDTHS
    assert all(font.getlength(one + other) == WIDTHS[one] + WIDTHS[other] for one in WIDTHS for other in WIDTHS)
    assert set(spelt("".join(map(chr, range(0x20, 0x2100))))) <= WIDTHS.keys()


def test_a_pillow_without_freetype_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFont, "load_default", lambda _: ImageFont.ImageFont())
    with pytest.raises(PictureError, match="without FreeType"):
        to_png(drawing(Text((5, 60), "HI", 33.33)), 100)


# Lines in pieces

POINTS = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=2, max_size=6)


def length(points: list[tuple[float, float]]) -> float:
    return sum(hypot(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in pairwise(points))


@given(POINTS, st.lists(st.integers(1, 30), min_size=1, max_size=5))
def test_dashes_are_as_long_as_their_pattern_says(points: list[tuple[int, int]], pattern: list[int]) -> None:
    lengths = (pattern if len(pattern) % 2 == 0 else pattern * 2)[::2]
    pieces = list(dash_pieces(points, pattern))
    for place, piece in enumerate(pieces[:-1]):
        assert length(piece) == pytest.approx(lengths[place % len(lengths)])
    assert sum(map(length, pieces)) <= length([(float(x), float(y)) for x, y in points]) + 1e-6


def test_a_curve_begins_and_ends_where_it_should_and_stays_within_its_controls() -> None:
    points = flatten_path(Path((0, 0), (((0, 10), (10, 20), (20, 20)), ((30, 20),))))
    assert (points[0], points[-2], points[-1]) == ((0, 0), (20, 20), (30, 20))
    assert all(0 <= x <= 30 and 0 <= y <= 20 for x, y in points)


def test_a_ribbon_is_as_wide_as_its_line_everywhere() -> None:
    outline = ribbon([(0, 0), (10, 0), (20, 0)], 4)
    assert outline == [(0, 2), (10, 2), (20, 2), (20, -2), (10, -2), (0, -2)]


# SVG


def test_an_svg_says_its_title_and_description_first() -> None:
    root = ET.fromstring(to_svg(drawing()))
    assert [child.text for child in root][:2] == ["A title", "What there is"]
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 100 100"


def test_a_group_carries_its_name_and_its_place() -> None:
    group = Group((Circle((1, 2), 3, fill=Colour.RED),), title="ring & tube <D4>", key='D"4')
    root = ET.fromstring(to_svg(drawing(group)))
    element = root.find(f"{SVG}g")
    assert element is not None
    assert element.get("data-key") == 'D"4'
    assert element.findtext(f"{SVG}title") == "ring & tube <D4>"
    assert element.find(f"{SVG}circle") is not None


@given(st.text())
def test_any_text_can_be_written_and_read_again(text: str) -> None:
    written = to_svg(drawing(Text((1, 1), text, 10), Group((), title=text, key=text)))
    root = ET.fromstring(written.encode())
    found = root.find(f"{SVG}text")
    assert found is not None
    assert len(found.text or "") == len(text)


def test_an_svg_that_follows_its_viewer_has_both_themes_and_no_fixed_colours() -> None:
    written = to_svg(drawing(Circle((1, 2), 3, fill=Colour.RED)), dark=DARK)
    assert f"--red:{LIGHT[Colour.RED]}" in written
    assert f"--red:{DARK[Colour.RED]}" in written
    assert 'fill="var(--red)"' in written
    assert 'fill="#' not in written


def test_ends_dashes_anchors_and_weights_are_written() -> None:
    written = to_svg(
        drawing(
            Path((0, 0), (((5, 5),),), stroke=Colour.INK, width=1, dash=(1, 2.5), flat=True),
            Text((1, 2), "x", 3, anchor="end", bold=True, spacing=4),
        )
    )
    assert 'd="M0,0L5,5"' in written
    assert 'stroke-dasharray="1 2.5" stroke-linecap="butt"' in written
    assert 'text-anchor="end" font-weight="bold" letter-spacing="4"' in written


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (-0.001, "0"), (10, "10"), (2.50, "2.5"), (1 / 3, "0.33")])
def test_lengths_are_written_short(value: float, text: str) -> None:
    assert number(value) == text


# Figures


def test_corners_of_a_box_are_no_rounder_than_it_has_room_for() -> None:
    assert box(0, 0, 10, 4, 50) == box(0, 0, 10, 4, 2)


def test_an_arrow_ends_at_its_tip_and_a_short_one_does_not_turn_back() -> None:
    shaft, head = arrow((0, 0), (100, 0), Colour.INK, 10)
    assert head.points[0] == pytest.approx((100, 0))
    assert shaft.steps[0][-1] == pytest.approx((66, 0))
    short, _ = arrow((0, 0), (5, 0), Colour.INK, 10)
    assert short.steps[0][-1] == pytest.approx((0, 0))


def test_groups_and_texts_are_found_at_any_depth() -> None:
    inner = Group((Text((0, 0), "b", 1),), title="inner")
    outer = Group((Text((0, 0), "a", 1), inner), title="outer")
    assert [group.title for group in groups((outer,))] == ["outer", "inner"]
    assert [text.text for text in texts((outer, Text((0, 0), "c", 1)))] == ["a", "b", "c"]
