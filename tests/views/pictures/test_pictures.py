"""Golden pictures: after a change, `GNOMON_UPDATE_GOLDEN=1 pytest tests/views` draws them again: look at them."""

import os
import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from PIL import Image, ImageChops, ImageFont

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tau.rules import Move, Tau
from gnomon.rules.protocol import OVER, NotationError
from gnomon.rules.registry import GAMES, rules_of
from gnomon.views.phrases import name as name_of
from gnomon.views.pictures import DARK, LIGHT, Colour, Theme, picture, to_svg
from gnomon.views.pictures._letters import spelt
from gnomon.views.pictures.drawing import Circle, Drawing, Group, Polygon, Shape, Text, groups, texts
from gnomon.views.pictures.drawing import Path as Line
from gnomon.views.pictures.png import to_png
from gnomon.words import LANGUAGES, words
from tests.conftest import examples
from tests.views.pictures.scenes import Scene, Wanted, random_scenes, scene, scenes

GOLDEN = Path(__file__).with_name("golden")
DOCUMENTS = Path(__file__).parents[3] / "docs" / "pictures" / "games"
UPDATE = os.environ.get("GNOMON_UPDATE_GOLDEN") == "1"
SCENES = scenes()
WIDTH = 400
CLEAR = 16.0  # units of a picture that stay free at its edge
BESIDE = 4.0  # and at the edge of a panel
SHOWN = {f"{game}.png": f"{game}-middle" for game in GAMES}
THEMES = {"light": LIGHT, "dark": DARK}
PAINTED = {
    **{f"{name}.png": (name, LIGHT) for name in SCENES},
    **{f"{name}-dark.png": (name, DARK) for name in SCENES if name.endswith("-middle")},
}
SVG = "{http://www.w3.org/2000/svg}"
SOFTENED = 4  # letters fall a little differently with every FreeType
NEARLY = 14  # of 255

every_scene = pytest.mark.parametrize("name", SCENES)


def differ(one: Image.Image, other: Image.Image) -> int:
    """The greatest difference of a channel, once edges have been softened."""
    greatest = ImageChops.difference(one.reduce(SOFTENED), other.reduce(SOFTENED)).getextrema()
    return max(int(high) for _, high in greatest)  # type: ignore[misc]  # of several channels


def check_golden(picture: Image.Image, golden: Path) -> None:
    """Compare a picture with the approved one, or approve it."""
    if UPDATE:
        picture.quantize(256, dither=Image.Dither.NONE).save(golden, optimize=True)
    with Image.open(golden) as approved:
        assert approved.size == picture.size
        assert differ(approved.convert("RGB"), picture) <= NEARLY


@every_scene
def test_an_svg_is_as_it_was_approved(name: str) -> None:
    golden, written = GOLDEN / f"{name}.svg", to_svg(SCENES[name].drawn())
    if UPDATE:
        golden.write_text(written, encoding="utf-8", newline="\n")
    assert golden.read_text(encoding="utf-8") == written


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize("file", PAINTED)
def test_a_png_looks_as_it_was_approved(file: str) -> None:
    name, theme = PAINTED[file]
    check_golden(to_png(SCENES[name].drawn(), WIDTH, theme), GOLDEN / file)


@pytest.mark.untraced
@pytest.mark.parametrize("file", SHOWN)
def test_the_documents_show_what_is_drawn(file: str) -> None:
    check_golden(to_png(SCENES[SHOWN[file]].drawn(), 1200), DOCUMENTS / file)


def test_every_golden_picture_is_of_a_scene() -> None:
    wanted = {f"{name}.svg" for name in SCENES} | set(PAINTED)
    assert {path.name for path in GOLDEN.iterdir() if path.suffix in (".svg", ".png")} == wanted


@pytest.mark.untraced
def test_a_lost_ring_would_be_seen() -> None:
    # The comparison of pictures is soft: what it lets through must be less than the smallest thing on a board.
    scene = SCENES["tamsk-start"]
    position = scene.rules.play(scene.position, scene.rules.parse(scene.position, "D1-D2"))
    without = scene.rules.play(scene.position, scene.rules.parse(scene.position, "D1-D2="))
    with_ring, without_ring = (to_png(picture(scene.rules, each), WIDTH) for each in (position, without))
    assert differ(with_ring, without_ring) > NEARLY


# What every picture keeps


@pytest.mark.untraced
@given(random_scenes())
def test_an_svg_is_well_formed_and_needs_nothing_else(scene: Scene) -> None:
    written = to_svg(scene.drawn(), dark=DARK)
    root = ET.fromstring(written)
    assert root.tag == f"{SVG}svg"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert all(element.text for element in root.iter(f"{SVG}title"))
    assert written.replace('xmlns="http://www.w3.org/2000/svg"', "").count("://") == 0
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "circle", "polygon", "path", "text", "g")
    }


@pytest.mark.long
@pytest.mark.untraced
@given(random_scenes())
def test_nothing_leaves_the_sheet(scene: Scene) -> None:
    for language in LANGUAGES:
        drawing = scene.drawn(words(language))
        for x, y in extent(drawing.shapes):
            assert 0 <= x <= drawing.width
            assert 0 <= y <= drawing.height


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_every_text_keeps_clear_of_the_edge(name: str, language: str) -> None:
    drawing = SCENES[name].drawn(words(language))
    for text in texts(drawing.shapes):
        for x, _ in extent((text,)):
            assert CLEAR <= x <= drawing.width - CLEAR, text.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_every_text_keeps_clear_of_the_edge_of_its_panel(name: str, language: str) -> None:
    shapes = [*flat(SCENES[name].drawn(words(language)).shapes)]
    panels = [list(extent((each,))) for each in shapes if isinstance(each, Line) and each.fill is Colour.PANEL]
    for text in (each for each in shapes if isinstance(each, Text)):
        (left, top), (right, _) = extent((text,))
        for panel in panels:
            (start, above), (end, below) = (tuple(map(of, zip(*panel, strict=True))) for of in (min, max))
            if start <= left <= end and above <= top <= below:
                assert right <= end - BESIDE, text.text


@pytest.mark.untraced
@given(random_scenes())
def test_a_picture_is_the_same_every_time_and_hashable(scene: Scene) -> None:
    assert scene.drawn() == scene.drawn()
    assert hash(scene.drawn()) == hash(scene.drawn())


@pytest.mark.untraced
@given(random_scenes())
def test_the_words_say_the_game_the_turn_and_the_last_move(scene: Scene) -> None:
    drawing = scene.drawn()
    assert drawing.title.startswith(f"{written_status(drawing)[0]}: ")
    assert written_status(drawing)[1] in drawing.description
    if scene.last_move:
        assert f"Last move: {scene.last_move}." in drawing.description


@pytest.mark.long
@pytest.mark.untraced
@settings(max_examples=examples(15))
@given(random_scenes())
def test_a_position_can_be_painted_small_in_both_themes(scene: Scene) -> None:
    for theme in THEMES.values():
        image = to_png(scene.drawn(), 90, theme)
        assert image.mode == "RGB"
        assert image.width == 90
        assert len(set(image.tobytes())) > 10


# Everything is there, game by game


@pytest.mark.untraced
@given(random_scenes("tamsk"))
def test_every_ring_glass_and_holder_of_tamsk_is_drawn(scene: Scene) -> None:
    titles, position = titles_of(scene), scene.position
    for space, name in enumerate(BOARD.names):
        assert any(title.startswith(f"{name}: {position.rings_on(space)} of ") for title in titles)
    state = state_of(scene)
    for glass in state["glasses"]:
        assert any(title.startswith(f"{glass['player']} glass on {glass['space']}") for title in titles)
    for player, left in state["rings_left"].items():
        assert any(title.startswith(f"{player}: {left} ring") for title in titles)
    assert any(title.startswith("15-second glass") for title in titles) == (position.timer15 is not None)
    drawn = [group for group in groups(scene.drawn().shapes) if group.key in BOARD.names and ": " in group.title]
    assert sum(strokes(group, Colour.RING) for group in drawn) == sum(map(position.rings_on, range(len(BOARD.names))))


def test_a_lifted_glass_is_in_the_air_above_the_name_of_its_space() -> None:
    rules = rules_of("tamsk", {"level": 3})
    position = rules.play(rules.start(), rules.parse(rules.start(), "lift:D1"))
    drawn = picture(rules, position, last_move="lift:D1")
    assert "red glass on D1, in the air" in [group.title for group in groups(drawn.shapes)]
    assert [text.text for text in texts(drawn.shapes)].count("D1") == 3  # on the space, at the glass, beside its time
    assert any(isinstance(shape, Circle) and shape.stroke is Colour.MARK for shape in drawn.shapes)


@pytest.mark.untraced
@given(random_scenes("tabik"))
def test_every_stone_and_rod_of_tabik_is_drawn(scene: Scene) -> None:
    state, titles = state_of(scene), titles_of(scene)
    names = scene.rules.board.names  # type: ignore[attr-defined]  # the rules of Tabik
    marks = dict(zip(names.values(), "".join(reversed(list(state["board"]))), strict=True))
    stones = {f"{'black' if mark == 'B' else 'white'} stone on {name}" for name, mark in marks.items() if mark != "."}
    assert {title for title in titles if " stone on " in title} == stones
    assert {title for title in titles if title.startswith("rod ")} == {f"rod {rod}" for rod in state["rods"]}


@given(random_scenes("tau"))
def test_every_line_and_group_of_tau_is_drawn(scene: Scene) -> None:
    state, titles = state_of(scene), titles_of(scene)
    lines = {f"line {name}" for name in (*state["rows"], *state["columns"])}
    assert {title for title in titles if title.startswith("line ")} == lines
    sizes = [int(title.removeprefix("group of ")) for title in titles if title.startswith("group of ")]
    assert sizes == [] or prod(sizes) == scene.rules.score(scene.position)["product"]


@pytest.mark.untraced
@given(random_scenes("tayu"))
def test_every_tile_side_and_double_square_of_tayu_is_drawn(scene: Scene) -> None:
    state, titles = state_of(scene), titles_of(scene)
    assert [title for title in titles if title.startswith("tile ") and "hand" not in title] == [
        f"tile {text}" for text in state["laid"]
    ]
    for side, points in state["sides"].items():
        assert any(title.startswith(f"side {side}: {points} point") for title in titles)
    assert (f"tile in hand: {state['tile']}" in titles) == (state["tile"] is not None)
    doubles = scene.rules.double_squares  # type: ignore[attr-defined]  # the rules of Tayu
    assert sum(title.startswith("double square") for title in titles) == sum(map(len, doubles.values()))


@given(random_scenes("twenty-squares"))
def test_every_counter_of_twenty_squares_is_drawn(scene: Scene) -> None:
    state, titles = state_of(scene), titles_of(scene)
    for name, squares in state["counters"].items():
        for square in squares:
            number = squares.count(square)
            who = name_of(name)
            assert f"{f'{number} counters' if number > 1 else 'counter'} of {who} on {square}" in titles
        hand, home = (state[key][name] for key in ("hand", "home"))
        assert f"{name_of(name)}: {hand} in hand, {home} home" in titles
    assert (f"throw: {state['throw']}" in titles) == (state["throw"] is not None)


def test_every_square_of_a_grid_too_fine_for_names_is_drawn() -> None:
    rules = Tau.from_settings({"rows": 999, "columns": 999, "limit": 10**2000})
    position = rules.start()
    for text in ("r500", "ca", "r2"):
        position = rules.play(position, rules.parse(position, text))
    drawing = picture(rules, position, last_move="r2")
    assert "Lines: r2, r500, ca." in drawing.description
    assert "1.00 e2000" in [text.text for text in texts(drawing.shapes)]


def test_more_groups_than_can_be_told_apart_are_drawn_as_one() -> None:
    rules = Tau.from_settings({"rows": 100, "columns": 100, "limit": 7})
    position = rules.start()
    lines: tuple[Literal["row", "column"], ...] = ("row", "column")
    for number in range(1, 66, 2):
        for kind in lines:
            position = rules.play(position, Move(kind, number))
    assert rules.turn(position) != OVER
    drawing = picture(rules, position)
    strips = [shape for shape in drawing.shapes if isinstance(shape, Line) and shape.fill is Colour.PAPER]
    assert len(strips) == 66
    assert sum(group.title.startswith("line ") for group in groups(drawing.shapes)) == 66
    assert not any(group.title.startswith("group of") for group in groups(drawing.shapes))


def test_a_table_of_more_sizes_than_it_has_room_for_says_that_there_are_more() -> None:
    each = scene(Wanted("tabik", {"size": 19}, 400, 3))
    assert "…" in [text.text for text in texts(each.drawn().shapes)]


def test_a_last_move_that_is_none_is_refused() -> None:
    rules = rules_of("tabik", {})
    with pytest.raises(NotationError, match="not a Tabik move"):
        picture(rules, rules.start(), last_move="castles")


@pytest.mark.parametrize("game", GAMES)
def test_highlights_that_are_no_places_are_ignored(game: str) -> None:
    rules = rules_of(game, {})
    assert picture(rules, rules.start(), highlights=("nowhere", "")) == picture(rules, rules.start())


@pytest.mark.parametrize(
    ("game", "place"), [("tamsk", "D4"), ("tabik", "d4"), ("tayu", "d4"), ("twenty-squares", "d2")]
)
def test_a_highlight_is_seen_by_its_shape_too(game: str, place: str) -> None:
    rules = rules_of(game, {})
    plain, marked = (picture(rules, rules.start(), highlights=each) for each in ((), (place,)))
    assert colourless(plain.shapes) != colourless(marked.shapes)


# Never by colour alone


def test_the_glasses_of_both_players_have_different_shapes() -> None:
    drawn = {group.title: group for group in groups(SCENES["tamsk-start"].drawn().shapes)}
    red, black = drawn["red glass on A4"], drawn["black glass on A1"]
    assert len(colourless(red.shapes)) != len(colourless(black.shapes))


def test_stones_of_both_colours_have_different_shapes() -> None:
    drawn = {group.title: group for group in groups(SCENES["tabik-start"].drawn().shapes)}
    black, white = drawn["black stone on h6"], drawn["white stone on g6"]
    assert [round(shape.radius, 3) for shape in black.shapes if isinstance(shape, Circle)] != [
        round(shape.radius, 3) for shape in white.shapes if isinstance(shape, Circle)
    ]


def test_counters_of_four_players_have_different_shapes() -> None:
    drawn = list(groups(SCENES["twenty-squares-double"].drawn().shapes))
    kinds = {}
    for player in ("p1", "p2", "p3", "p4"):
        tray = next(group for group in drawn if group.key == player)
        sides = [shape for shape in tray.shapes if isinstance(shape, Circle | Polygon) and shape.stroke and shape.fill]
        first = sides[0]
        kinds[player] = "disc" if isinstance(first, Circle) else str(level_points(first))
    # As the signs of the pages (`signs.css`): a circle, a square, a triangle, a square on its corner.
    assert kinds == {"p1": "disc", "p2": "(4, 2)", "p3": "(3, 1)", "p4": "(4, 1)"}


# Themes


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_theme_names_every_colour(theme: Theme) -> None:
    assert set(theme) == set(Colour)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in theme.values())


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        (Colour.INK, Colour.PAPER, 7.0),
        (Colour.INK, Colour.PANEL, 7.0),
        (Colour.MUTED, Colour.PAPER, 4.5),
        (Colour.MUTED, Colour.PANEL, 4.0),
        (Colour.ON_ACCENT, Colour.ACCENT, 4.5),
        (Colour.GROUP_INK, Colour.GROUP, 4.5),
        (Colour.WELL_INK, Colour.WELL, 4.5),
        (Colour.WELL_INK, Colour.PLATE_CLOSED, 3.0),
        (Colour.RIM, Colour.BLACK, 7.0),
        (Colour.RIM, Colour.RED, 3.0),
        (Colour.PAPER, Colour.FIRST, 4.5),
        (Colour.PAPER, Colour.SECOND, 4.0),
        (Colour.STONE_BLACK, Colour.STONE_WHITE, 7.0),
        (Colour.MARK, Colour.PAPER, 3.0),
        (Colour.ACCENT, Colour.PAPER, 3.0),
        (Colour.HINT, Colour.PLATE, 3.0),
        (Colour.RING, Colour.WELL, 4.5),
    ],
)
def test_ink_can_be_read_on_its_ground(theme: Theme, ink: Colour, ground: Colour, least: float) -> None:
    lighter, darker = sorted((luminance(theme[ink]), luminance(theme[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= least


# What the tests ask of drawings


def state_of(scene: Scene) -> dict[str, Any]:
    """The position as JSON."""
    return dict(scene.rules.state(scene.position))


def titles_of(scene: Scene) -> list[str]:
    """The names of all groups of a picture."""
    return [group.title for group in groups(scene.drawn().shapes)]


def written_status(drawing: Drawing) -> tuple[str, str]:
    """The game and the status, as the title says them."""
    game, _, status = drawing.title.partition(": ")
    return game, status


def strokes(group: Group, colour: Colour) -> int:
    """How many circles of a group are drawn in a colour."""
    return sum(isinstance(shape, Circle) and shape.stroke is colour for shape in group.shapes)


def extent(shapes: tuple[Shape, ...]) -> Iterator[tuple[float, float]]:
    """Corners of everything in a picture; letters as wide as the font of the PNG makes them."""
    for shape in shapes:
        match shape:
            case Circle((x, y), radius):
                yield from ((x - radius, y - radius), (x + radius, y + radius))
            case Polygon(points):
                yield from points
            case Line():
                yield from (shape.start, *(step[-1] for step in shape.steps))
            case Text((x, y), text, size):
                font = ImageFont.load_default(size)
                wide = font.getlength(spelt(text)) + shape.spacing * len(text)
                left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
                yield from ((left, y - size), (left + wide, y + 0.3 * size))
            case Group():
                yield from extent(shape.shapes)


def flat(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """The shapes without their groups."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from flat(shape.shapes)
        else:
            yield shape


def colourless(shapes: tuple[Shape, ...]) -> list[object]:
    """Shapes without their colours."""
    bare: list[object] = []
    for shape in shapes:
        match shape:
            case Circle(centre, radius):
                bare.append(("circle", centre, radius, shape.width))
            case Polygon(points):
                bare.append(("polygon", points, shape.width))
            case Line():
                bare.append(("path", shape.start, shape.steps, shape.width, shape.dash))
            case Text(at, text, size):
                bare.append(("text", at, text, size, shape.bold))
            case Group():
                bare.extend(colourless(shape.shapes))
    return bare


def level_points(polygon: Polygon) -> tuple[int, int]:
    """How many corners a polygon has, and how many of them are at its top: a lozenge has one, a square two."""
    top = min(y for _, y in polygon.points)
    return len(polygon.points), sum(abs(y - top) < 0.01 for _, y in polygon.points)


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2.1 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_of_a_game_that_was_ended_by_hand_marks_nobody_as_on_turn(game: str) -> None:
    position, rules = SCENES[f"{game}-middle"].position, SCENES[f"{game}-middle"].rules
    going_on, ended = (
        re.sub(r"<(text|title|desc)\b.*?</\1>", "", to_svg(picture(rules, position, result=result)))
        for result in ("", "A draw")
    )
    assert going_on != ended


def test_a_picture_calls_the_players_as_the_pages_do() -> None:
    drawn = SCENES["tayu-start"].drawn()
    texts = re.findall(r"<text[^>]*>([^<]*)", to_svg(drawn))
    names = {name_of(player) for player in ("north-south", "east-west")}
    assert names <= set(texts)
    assert not [text for text in texts if text.lower().startswith("north") and not text.startswith("North-South")]
