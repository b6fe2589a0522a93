"""What can be said of the looks of the page without a browser: words can be read, names are wired."""

import re
from importlib import resources
from typing import Final

import pytest

from gnomon.rules.registry import BARE_CLOCK, GAMES
from gnomon.views.show import TOUCHES, show

STATIC: Final = resources.files("gnomon.web") / "static"
STYLE: Final = (STATIC / "base.css").read_text(encoding="utf-8")
OF_THE_BENCH: Final = (
    *("board_page.js", "board_view.js", "controls.js", "fingers.js", "hands.js", "pad.js", "seats.js"),
    *("table_picture.js", "tamsk.js"),
)
LEAST: Final = 4.5  # WCAG 2.2, success criterion 1.4.3, level AA
PAIRS: Final = (
    ("ink", "page"),
    ("ink", "card"),
    ("ink-soft", "page"),
    ("ink-soft", "card"),
    ("accent-ink", "accent"),
    ("bad", "card"),
    ("bad", "page"),
    ("page", "ink"),
    ("page", "bad"),
)


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))


LIGHT: Final = colours(STYLE[: STYLE.index("@media (prefers-color-scheme: dark)")])
DARK: Final = LIGHT | colours(STYLE[STYLE.index("@media (prefers-color-scheme: dark)") : STYLE.index("*, *::before")])


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    digits = colour.removeprefix("#")
    pairs = [digit * 2 for digit in digits] if len(digits) == 3 else re.findall("..", digits)
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(pair, 16) / 255 for pair in pairs)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_of_contrast_is_right() -> None:
    assert contrast("#000", "#fff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("words", "ground"), PAIRS)
def test_words_can_be_read_in_light_and_in_dark(palette: dict[str, str], words: str, ground: str) -> None:
    assert contrast(palette[words], palette[ground]) >= LEAST


def test_every_element_that_a_script_asks_for_by_its_name_is_on_the_page() -> None:
    templates = resources.files("gnomon.web") / "templates"
    parts = ("board.html", "board_view.html", "controls.html")
    page = "".join((templates / part).read_text(encoding="utf-8") for part in parts).replace("{{ player }}", "red")
    asked = {
        name
        for script in OF_THE_BENCH
        for name in re.findall(r'byId\("([\w-]+)"', (STATIC / script).read_text(encoding="utf-8"))
    }
    assert asked
    assert asked <= set(re.findall(r'id="([\w-]+)"', page))


def test_no_script_reaches_for_another_address_or_writes_markup() -> None:
    for script in STATIC.iterdir():
        if script.name.endswith(".js"):
            text = script.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"https?://|innerHTML|insertAdjacentHTML|\beval\(|document\.write", text), script.name


def test_a_page_knows_how_every_game_is_touched() -> None:
    told = (STATIC / "fingers.js").read_text(encoding="utf-8")
    known = set(re.findall(r"(\w+):", told[told.index("export const FINGERS") :]))
    assert {show(game).touch for game in (*GAMES, BARE_CLOCK)} - {""} == known - {"places", "steps"}
    assert known | {""} == set(TOUCHES)  # those that a game from outside may name, too
