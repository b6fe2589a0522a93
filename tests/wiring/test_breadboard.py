"""The breadboard of one space: what its holes join is what the description says, and the picture shows all of it."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import PINS_OF_A_REGISTER, Chain
from gnomon_pi.tools.wiring import WiringError, bundled_files, files
from gnomon_pi.tools.wiring._breadboard import ROWS, BreadboardLayout, breadboard_drawing, one_space

BOARD = load_bundled("tamsk", variant="one-space")
LAYOUT = one_space(BOARD)
INPUT_PINS = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
"""Texas Instruments, SN74HC165, SCLS116."""
LEFT, RIGHT = "abcde", "fghij"
"""The holes of a row that are one strip of metal."""


def nets_of(layout: BreadboardLayout) -> Sequence[frozenset[str]]:
    """The pins that are joined, as `U0:9`, `A1.north:OUT`, `GPIO 25`, `3V3` and `GND`."""
    joined: dict[str, set[str]] = {}

    def join(first: str, second: str) -> None:
        one, other = joined.setdefault(first, {first}), joined.setdefault(second, {second})
        if one is not other:
            one |= other
            for each in other:
                joined[each] = one

    for wire in layout.wires:
        join(*(strip_of(leg.hole) for leg in wire.legs))
    for part in layout.parts:
        for leg in part.legs:
            join(f"{part.name}:{leg.name}", strip_of(leg.hole))
    nets = {id(net): net for net in joined.values()}.values()
    return [frozenset(pin for pin in net if not pin.startswith("#")) for net in nets]


def strip_of(hole: str) -> str:
    """The strip of metal that a hole belongs to; a pin of the Pi stands for itself."""
    if hole[:1] in {"L", "R"}:
        return f"#{hole}"
    if hole[:1] in {*LEFT, *RIGHT} and hole[1:].isdecimal():
        return f"#{'left' if hole[0] in LEFT else 'right'} {hole[1:]}"
    return hole


def net(pin: str) -> frozenset[str]:
    (found,) = [each for each in nets_of(LAYOUT) if pin in each]
    return found


def sensors() -> Chain:
    assert isinstance(BOARD.sensors, Chain)
    return BOARD.sensors


def test_clock_latch_and_data_go_from_the_pi_through_both_registers() -> None:
    assert net(f"GPIO {sensors().latch}") == {f"GPIO {sensors().latch}", "U0:1", "U1:1"}
    assert net("GPIO 11") == {"GPIO 11", "U0:2", "U1:2"}
    assert net("GPIO 9") == {"GPIO 9", "U0:9"}
    assert net("U1:9") == {"U1:9", "U0:10"}
    assert {"U1:10", "U0:15", "U1:15", "U0:8", "U1:8"} <= net("GND")  # the canary's serial input, CLK INH and ground
    assert {"U0:16", "U1:16"} <= net("3V3")
    assert net("U0:7") == {"U0:7"}
    assert net("U1:7") == {"U1:7"}


def test_every_input_is_at_the_pin_that_the_description_says() -> None:
    for name, leg in (("A1.north", "OUT"), ("A1.south", "OUT"), ("A1.ring1", "collector")):
        register, pin = sensors().place(name)
        assert f"U{register}:{INPUT_PINS[pin]}" in net(f"{name}:{leg}")
        others = {each for each in net(f"{name}:{leg}") if not each.startswith(f"{name}:")}
        assert others == {f"U{register}:{INPUT_PINS[pin]}"} | ({"R3:2"} if leg == "collector" else set())
    for name in "DEFGH":
        assert f"U0:{INPUT_PINS[name]}" in net("3V3")


def test_the_canary_is_wired_to_its_pattern() -> None:
    read = sum(1 << bit for bit, name in enumerate(PINS_OF_A_REGISTER) if f"U1:{INPUT_PINS[name]}" in net("3V3"))
    grounded = {name for name in PINS_OF_A_REGISTER if f"U1:{INPUT_PINS[name]}" in net("GND")}
    assert read == sensors().canary
    assert len(grounded) == 8 - sensors().canary.bit_count()


def test_the_emitter_is_switched_by_its_transistor_and_fed_through_its_resistor() -> None:
    assert sensors().emitters is not None
    assert net("GPIO 17") == {"GPIO 17", "R2:1"}
    assert net("Q:base") == {"Q:base", "R2:2"}
    assert net("Q:collector") == {"Q:collector", "A1.ring1:cathode"}
    assert net("A1.ring1:anode") == {"A1.ring1:anode", "R1:2"}
    assert {"Q:emitter", "A1.ring1:emitter", "A1.north:GND", "A1.south:GND", "C0:2", "C1:2"} <= net("GND")
    assert {"R1:1", "R3:1", "A1.north:VCC", "A1.south:VCC", "C0:1", "C1:1"} <= net("3V3")
    assert not net("3V3") & net("GND")


def test_no_hole_holds_two_legs_and_every_hole_is_there() -> None:
    holes = [leg.hole for part in (*LAYOUT.parts, *LAYOUT.wires) for leg in part.legs if leg.hole[1:].isdecimal()]
    assert len(holes) == len(set(holes))
    assert all(hole[0] in "abcdefghij" and 1 <= int(hole[1:]) <= ROWS for hole in holes)


def test_the_picture_has_a_line_for_every_wire_and_a_name_for_every_part() -> None:
    drawing = breadboard_drawing(LAYOUT, "TAMSK, one space")
    assert files(BOARD, "TAMSK, one space") == {"breadboard.svg": drawing}
    assert bundled_files()["wiring/tamsk-one-space/breadboard.svg"] == drawing
    root = ET.fromstring(drawing)
    texts = {each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {part.name for part in LAYOUT.parts} <= {text.split(" ")[0] for text in texts}
    assert {"GPIO 25", "GPIO 11", "GPIO 9", "GPIO 17", "3V3", "GND"} <= texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == len(LAYOUT.wires)


def test_another_board_has_no_breadboard() -> None:
    for other in (replace(BOARD, only=("A2",)), replace(load_bundled("tamsk"), only=("A1",))):
        with pytest.raises(WiringError, match="only for one space with a ring"):
            one_space(other)
