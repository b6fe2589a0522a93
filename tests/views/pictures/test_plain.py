"""How a game is drawn that brings no picture: the values of its position as text."""

import pytest
from PIL import Image

from gnomon.rules.protocol import OVER
from gnomon.rules.registry import rules_of
from gnomon.views.pictures import plain, to_svg
from gnomon.views.pictures.drawing import Text
from gnomon.views.pictures.frame import Annotations
from gnomon.views.pictures.miniatures import BOARD, SIZE
from gnomon.words import words
from tests.views.pictures.scenes import Scene, scenes

SCENES = {name: each for name, each in scenes().items() if each.rules.name != "clock"}


@pytest.mark.parametrize("name", SCENES)
def test_every_value_of_a_position_is_in_the_picture(name: str) -> None:
    each: Scene = SCENES[name]
    drawn = plain.picture(each.rules, each.position, Annotations())
    texts = [shape.text for shape in drawn.shapes if isinstance(shape, Text)]
    assert all(any(text.split()[0] == value for text in texts) for value in each.rules.state(each.position))
    assert to_svg(drawn).startswith("<svg")


@pytest.mark.parametrize("name", SCENES)
def test_the_small_picture_keeps_to_the_part_of_the_board(name: str) -> None:
    each: Scene = SCENES[name]
    image = Image.new("1", SIZE)
    plain.miniature(each.rules, each.position, image, words("en"))
    assert image.crop((BOARD, 0, *SIZE)).getbbox() is None
    assert image.getbbox() is not None


def test_a_picture_says_who_is_on_turn_or_has_won_in_the_language() -> None:
    rules = rules_of("tau", {"rows": 1, "columns": 2, "limit": 1})
    start = rules.start()
    end = rules.play(start, rules.parse(start, "ca"))
    assert rules.turn(end) == OVER
    german = Annotations(words=words("de"))
    assert plain.picture(rules, start, german).title == "TAU: HIGH am Zug"
    assert plain.picture(rules, end, german).title == "TAU: LOW gewinnt"
    assert plain.picture(rules, start, Annotations(result="A draw")).title == "TAU: A draw"


def test_rows_of_text_have_lines_of_their_own_and_a_long_line_is_cut() -> None:
    assert list(
        plain._lines({"board": ["..X", "O.."], "taken": {"p1": 2, "p2": None}, "open": [], "moves": (1, 2)})
    ) == [
        *("board", "..X", "O.."),
        "taken p1:2 p2:-",
        "open",
        "moves 1 2",
    ]
    assert plain._cut("x" * 60) == "x" * 51 + "…"
