"""Golden miniatures: after a wanted change, `GNOMON_UPDATE_GOLDEN=1 pytest tests/views` draws them again."""

from pathlib import Path

import pytest
from hypothesis import given

from gnomon.rules.registry import rules_of
from gnomon.views import fonts
from gnomon.views.pictures import miniature
from gnomon.views.pictures.miniatures import BOARD, LEFT
from tests.views.display import check_golden
from tests.views.pictures.scenes import Scene, Wanted, random_scenes, scene, scenes

GOLDEN = Path(__file__).with_name("golden") / "miniatures"
GAMES = ("tabik", "tau", "tayu", "twenty-squares")
SCENES = {
    **{name: each for name, each in scenes().items() if each.rules.name in GAMES},
    "tabik-19": scene(Wanted("tabik", {"size": 19}, 60, 3)),
    "tau-20": scene(Wanted("tau", {"rows": 20, "columns": 20}, 11, 4)),
    "tau-40": scene(Wanted("tau", {"rows": 40, "columns": 60, "limit": 2**80}, 30, 4)),
    "tayu-26": scene(Wanted("tayu", {"size": 26}, 66, 3)),
}


@pytest.mark.parametrize("name", SCENES)
def test_a_miniature_is_as_it_was_approved(name: str) -> None:
    check_golden(miniature(SCENES[name].rules, SCENES[name].position), GOLDEN / f"{name}.png")


def test_every_golden_miniature_is_of_a_scene() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.png")) == sorted(SCENES)


def test_no_two_scenes_look_alike() -> None:
    assert len({miniature(each.rules, each.position).tobytes() for each in SCENES.values()}) == len(SCENES)


@pytest.mark.untraced
@given(random_scenes(*GAMES))
def test_a_miniature_has_128_by_64_pixels_of_one_bit(each: Scene) -> None:
    drawn = miniature(each.rules, each.position)
    assert (drawn.size, drawn.mode) == ((128, 64), "1")


@pytest.mark.untraced
@given(random_scenes(*GAMES))
def test_board_and_words_keep_apart(each: Scene) -> None:
    drawn = miniature(each.rules, each.position)
    assert drawn.crop((BOARD + 1, fonts.PITCH, LEFT, drawn.height)).getbbox() is None
    assert drawn.crop((0, 0, BOARD, drawn.height)).getbbox() is not None


@pytest.mark.untraced
@given(random_scenes("tabik", "tau"))
def test_every_move_can_be_seen(each: Scene) -> None:
    before = miniature(each.rules, each.position)
    for move in list(each.rules.legal_moves(each.position))[:4]:
        after = miniature(each.rules, each.rules.play(each.position, move))
        assert after.tobytes() != before.tobytes()


def test_tamsk_has_a_screen_of_its_own() -> None:
    rules = rules_of("tamsk", {})
    with pytest.raises(ValueError, match="no miniature of tamsk"):
        miniature(rules, rules.start())
