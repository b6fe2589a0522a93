"""What the parts of a board draw: each once, at its voltage, and by what it is set to."""

from dataclasses import replace

import pytest

from gnomon_pi.config import load_bundled, parse_board
from gnomon_pi.config.description import BoardDescription, BuzzerWiring, DisplayWiring, OnI2c
from gnomon_pi.config.power import DISPLAY_MA, FIVE, PI_MA, THREE, Load, budget, total_current
from tests.firmware_config.wirings import EXPANDERS, table, tayu


def loads_of(board: BoardDescription) -> dict[str, Load]:
    return {load.what: load for load in budget(board)}


def test_the_parts_of_a_board_are_counted_by_its_description() -> None:
    numbers = {what: (load.number, load.volts) for what, load in loads_of(load_bundled("tamsk")).items()}
    assert numbers == {
        "switches": (76, THREE),
        "registers": (19, THREE),
        "eyes": (64, THREE),
        "emitters": (64, FIVE),
        "display": (1, THREE),
        "buzzer": (1, THREE),
        "lights": (37, FIVE),
    }
    expanders = loads_of(load_bundled("tamsk", variant="expanders"))
    assert (expanders["expanders"].number, "registers" in expanders) == (10, False)
    assert (expanders["pull_ups"].number, "eyes" in expanders) == (140, False)
    assert loads_of(load_bundled("table", variant="pn532"))["reader"].total_ma == 150


def test_a_table_with_nothing_but_buttons_draws_nothing() -> None:
    assert budget(parse_board(table(""), "x")) == ()


def test_emitters_draw_together_only_while_they_are_lit() -> None:
    emitters = loads_of(load_bundled("tamsk"))["emitters"]
    assert emitters.total_ma == 64 * 20
    # 19 registers of 8 bits at 1 MHz and 850 µs for the eyes, a hundred times a second.
    assert emitters.duty == pytest.approx(0.1002)
    assert emitters.mean_ma == pytest.approx(128.256)
    # Ten expanders, 48 clocks each at 400 kHz, and 950 µs.
    assert loads_of(load_bundled("tamsk", variant="expanders"))["emitters"].duty == pytest.approx(0.215)
    assert "emitters" not in loads_of(parse_board(tayu(EXPANDERS), "x"))


def test_lights_draw_by_their_brightness() -> None:
    lights = load_bundled("tamsk").lights
    assert lights is not None
    full = replace(load_bundled("tamsk"), lights=replace(lights, brightness=31))
    assert loads_of(full)["lights"].total_ma == 37 * 61
    assert loads_of(load_bundled("tamsk"))["lights"].total_ma == pytest.approx(37 * (60 * 8 / 31 + 1))


def test_an_active_buzzer_and_a_larger_display_draw_more() -> None:
    plain = parse_board(table(""), "x")
    loud = loads_of(replace(plain, buzzer=BuzzerWiring(12, active=True)))["buzzer"]
    assert (loud.volts, loud.total_ma) == (FIVE, 30)
    drawn_by = [
        total_current(budget(replace(plain, display=DisplayWiring(kind, OnI2c(1, 0x3C)))), THREE)
        for kind in ("ssd1306", "sh1106", "ssd1309")
    ]
    assert drawn_by == sorted(DISPLAY_MA.values())


def test_voltages_are_added_up_apart() -> None:
    loads = (Load("a", FIVE, 2, 10.0), Load("b", THREE, 3, 1.5, 0.5), Load("c", FIVE, 1, 1.0))
    assert (total_current(loads, FIVE), total_current(loads, THREE), loads[1].mean_ma) == (21, 4.5, 2.25)


def test_a_pi_has_a_supply_of_its_own() -> None:
    assert all(2500 <= milliamperes <= 5000 for milliamperes in PI_MA.values())
