"""The netlist: every pin is where the description says, fed, and in one net only."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config.description import (
    BITS_PER_EXPANDER,
    OUTPUTS_OF_AN_EXPANDER,
    PINS_OF_A_REGISTER,
    Chain,
    Expanders,
    OnI2c,
    Sensors,
)
from gnomon_pi.config.power import EYE_LOAD_MA, FIVE, THREE, budget, total_current
from gnomon_pi.tools.wiring._catalogue import (
    AHCT125,
    BUZZER,
    EYE,
    HALL_ANY,
    HALL_POLE,
    HC14,
    HC125,
    HC165,
    IR_EYE,
    IR_LIGHT,
    MCP23017,
    OLED_I2C,
    OLED_SPI,
    PIEZO,
    PIN_OF_GPIO,
    PN532,
    R47K,
)
from gnomon_pi.tools.wiring._netlist import GND, IR, PI, V3, V5, Netlist, NetlistDraft, NetPin, WiringError
from gnomon_pi.tools.wiring._nets import fuse, netlist
from tests.wiring.boards import ALL, BUNDLED, board, nets_of, small_board, small_chain, small_expanders

# Nexperia, 74HC165, and Microchip, DS20001952D, written down a second time.
REGISTER = dict(zip("ABCDEFGH", ("11", "12", "13", "14", "3", "4", "5", "6"), strict=True))
EXPANDER = {f"GPA{n}": str(21 + n) for n in range(8)} | {f"GPB{n}": str(1 + n) for n in range(8)}
ENTRIES = {
    HC165: ("1", "2", "3", "4", "5", "6", "10", "11", "12", "13", "14", "15"),
    HC125: ("1", "2", "4", "5", "9", "10", "12", "13"),
    AHCT125: ("1", "2", "4", "5", "9", "10", "12", "13"),
    HC14: ("1", "3", "5", "9", "11", "13"),
    MCP23017: ("12", "13", "15", "16", "17", "18"),
}
SENSED = tuple(name for name in ALL if board(name).sensors is not None)


def sensors_of(name: str) -> Sensors:
    sensors = board(name).sensors
    assert sensors is not None
    return sensors


def soldered(sensors: Sensors, name: str) -> NetPin:
    """Where the description says an input ends, by data sheets written down here."""
    place = sensors.place(name)
    return NetPin(f"U{place.chip}", (REGISTER if isinstance(sensors, Chain) else EXPANDER)[place.pin])


@pytest.mark.parametrize("name", SENSED)
def test_every_input_is_a_net_that_ends_where_the_description_says(name: str) -> None:
    sensors, nets = sensors_of(name), nets_of(name)
    for each in sensors.inputs:
        chips = [pin for pin in nets.pins[each] if nets.by_reference[pin.part].key in {HC165, MCP23017}]
        assert chips == [soldered(sensors, each)]


@pytest.mark.parametrize("name", ALL)
def test_no_pin_is_in_two_nets_and_every_pin_is_one_of_its_package(name: str) -> None:
    nets = nets_of(name)
    pins = Counter(pin for net in nets.pins.values() for pin in net)
    assert set(pins.values()) == {1}
    assert all(pin.number in nets.by_reference[pin.part].article.pins for pin in pins)


@pytest.mark.parametrize("name", ALL)
def test_every_part_is_fed_and_grounded(name: str) -> None:
    nets = nets_of(name)
    for part in nets.parts:
        if part.reference == PI:
            continue
        assert {nets.net(part.reference, pin) for pin in part.article.power} <= {V3, V5}
        assert {nets.net(part.reference, pin) for pin in part.article.ground} <= {GND}
    assert any(pin.part == PI for pin in nets.pins[GND])


@pytest.mark.parametrize("name", ALL)
def test_no_input_of_a_chip_floats(name: str) -> None:
    nets = nets_of(name)
    open_pins = [
        (part.reference, pin)
        for part in nets.of(*ENTRIES)
        for pin in ENTRIES[part.key]
        if not nets.net(part.reference, pin)
    ]
    assert open_pins == []


@pytest.mark.parametrize("name", ALL)
def test_each_net_has_two_ends_and_no_part_with_two_legs_is_shorted(name: str) -> None:
    nets = nets_of(name)
    assert all(len(pins) >= 2 for pins in nets.pins.values())
    legs = [part for part in nets.parts if set(part.article.pins) == {"1", "2"}]
    for part in legs:
        ends = {nets.net(part.reference, leg) for leg in "12"}
        assert len(ends) == 2
        assert "" not in ends


@pytest.mark.parametrize("name", SENSED)
def test_the_canary_is_strapped_to_its_byte(name: str) -> None:
    sensors, nets = sensors_of(name), nets_of(name)
    if isinstance(sensors, Chain):
        levels = (nets.net(f"U{sensors.registers - 1}", REGISTER[pin]) for pin in PINS_OF_A_REGISTER)
        # The hubs of circuit boards hold two of the pins high.
        canary = 0xE5 if name.endswith("-boards") else 0xB1
        assert sum({V3: 1, GND: 0}[level] << bit for bit, level in enumerate(levels)) == sensors.canary == canary
    else:
        for number, wires in enumerate(sensors.chips):
            levels = (nets.net(f"U{number}", pin) for pin in ("15", "16", "17"))
            assert sum({V3: 1, GND: 0}[level] << bit for bit, level in enumerate(levels)) == wires.address - 0x20
            assert not any(nets.net(f"U{number}", EXPANDER[f"GP{port}7"]) for port in "AB")


@pytest.mark.parametrize("name", SENSED)
def test_the_data_runs_from_the_last_register_through_all_to_the_pi(name: str) -> None:
    sensors, nets = sensors_of(name), nets_of(name)
    if not isinstance(sensors, Chain):
        return
    assert nets.net(f"U{sensors.registers - 1}", "10") == GND
    for number in range(1, sensors.registers):
        assert nets.others(f"U{number}", "9") == (NetPin(f"U{number - 1}", "10"),)
    assert nets.others("U0", "9") == (NetPin("RDATA", "1"),)
    miso = {0: 9, 1: 19}[sensors.spi_port]
    assert NetPin(PI, PIN_OF_GPIO[miso]) in nets.others("RDATA", "2")


@pytest.mark.parametrize("name", SENSED)
def test_there_is_one_sensor_for_each_input(name: str) -> None:
    sensors, nets = sensors_of(name), nets_of(name)
    assert sorted(part.reference for part in nets.of(HALL_ANY, HALL_POLE, EYE)) == sorted(sensors.inputs)
    eyes = [part.reference for part in nets.of(EYE)]
    assert set(eyes) == {each for each, strobed in zip(sensors.inputs, sensors.strobed, strict=True) if strobed}
    assert all(nets.net(eye, "2") == IR for eye in eyes)


@pytest.mark.parametrize("name", ALL)
def test_the_budget_counts_the_parts_that_are_soldered(name: str) -> None:
    nets = nets_of(name)
    articles = {
        "switches": (HALL_ANY, HALL_POLE),
        "registers": (HC165,),
        "expanders": (MCP23017,),
        "eyes": (R47K,),
        "emitters": (EYE,),
        "display": (OLED_I2C, OLED_SPI),
        "reader": (PN532,),
        "buzzer": (PIEZO, BUZZER),
        "neck_light": (IR_LIGHT,),
    }
    soldered = {what: len(nets.of(*keys)) for what, keys in articles.items()}
    counted = {load.what: load.number for load in budget(board(name))}
    pulled, lights = counted.pop("pull_ups", 0), counted.pop("lights", 0)
    assert counted == {what: number for what, number in soldered.items() if number}
    described = board(name)
    assert lights == (described.lights.count if described.lights is not None else 0)
    is_pulled = isinstance(described.sensors, Expanders) and described.sensors.active_low
    assert pulled == (len(nets.of(HALL_ANY, HALL_POLE, EYE)) if is_pulled else 0)


def test_a_load_of_an_eye_draws_what_its_resistor_lets_through() -> None:
    volts = EYE_LOAD_MA * float(R47K.removesuffix(" kΩ"))
    assert volts == pytest.approx(THREE)


@pytest.mark.parametrize("name", ALL)
def test_every_pin_that_the_description_gives_is_wired(name: str) -> None:
    described, nets = board(name), nets_of(name)
    gpios = [button.pin for button in described.buttons]
    gpios += [described.sand_light.pin] if described.sand_light else []
    gpios += [described.buzzer.pin] if described.buzzer else []
    sensors = described.sensors
    gpios += [sensors.latch] if isinstance(sensors, Chain) else []
    gpios += [sensors.interrupt] if isinstance(sensors, Expanders) and sensors.interrupt is not None else []
    gpios += [sensors.emitters.pin] if sensors is not None and sensors.emitters is not None else []
    assert all(nets.net(PI, PIN_OF_GPIO[gpio]) for gpio in gpios)


@pytest.mark.parametrize("name", ["tamsk", "active high", "active buzzer, on when low", "nobody knows the level"])
def test_until_the_pi_has_started_the_emitters_are_dark(name: str) -> None:
    nets = nets_of(name)
    pulls = {part.reference: nets.net(part.reference, "1") for part in nets.parts if part.reference.endswith(".off")}
    turned = {reference for reference in pulls if ".low" in reference}
    assert all(rail == (V3 if reference in turned else GND) for reference, rail in pulls.items())
    assert {nets.net(f"Q{reference[1:-4]}", "1") for reference in pulls} == {f"{each[1:-4]}.gate" for each in pulls}


@given(data=st.data())
def test_a_moved_input_moves_in_the_netlist_and_nothing_else_does(data: st.DataObject) -> None:
    either: list[Sensors] = [small_chain(), small_expanders()]
    sensors = data.draw(st.sampled_from(either))
    room = range(16) if isinstance(sensors, Chain) else range(32)
    free = [
        bit
        for bit in room
        if bit not in sensors.bits
        and (isinstance(sensors, Chain) or bit % BITS_PER_EXPANDER not in OUTPUTS_OF_AN_EXPANDER)
    ]
    number = data.draw(st.sampled_from(range(len(sensors.inputs))))
    bits = list(sensors.bits)
    bits[number] = data.draw(st.sampled_from(free))
    moved = replace(sensors, bits=tuple(bits))
    before, after = (netlist(small_board(sensors=each)) for each in (sensors, moved))
    name = sensors.inputs[number]
    assert soldered(moved, name) in after.pins[name]
    others = set(sensors.inputs) - {name}
    assert all(before.pins[other] == after.pins[other] for other in others)
    assert {part.reference for part in before.parts} == {part.reference for part in after.parts}


@pytest.mark.parametrize("name", BUNDLED)
def test_a_netlist_is_the_same_each_time(name: str) -> None:
    assert netlist(board(name)) == nets_of(name)


def test_lights_that_share_their_bus_listen_to_their_chip_select() -> None:
    nets, alone = nets_of("lights beside the chain"), nets_of("tamsk")
    assert {nets.net("UL", enable) for enable in ("1", "4")} == {"CE1_SPI0"}
    assert nets.net(PI, PIN_OF_GPIO[7]) == "CE1_SPI0"
    assert {alone.net("UL", enable) for enable in ("1", "4")} == {GND}


def test_the_eye_at_the_neck_pulls_its_pin_to_ground_against_a_pull_up_while_the_lamp_shines() -> None:
    nets = nets_of("light at the neck")
    (eye,), (lamp,) = nets.of(IR_EYE), nets.of(IR_LIGHT)
    net = "sand.light"
    assert set(nets.pins[net]) == {
        NetPin(PI, PIN_OF_GPIO[24]), NetPin("JSAND", "3"), NetPin("RSAND.up", "2"), NetPin(eye.reference, "C"),
    }  # fmt: skip
    assert [nets.net("JSAND", pin) for pin in "123"] == [V3, GND, net]
    assert nets.net("RSAND.up", "1") == nets.net("RSAND", "1") == V3
    assert nets.net(eye.reference, "E") == nets.net(lamp.reference, "K") == GND
    assert nets.others(lamp.reference, "A") == (NetPin("RSAND", "2"),)
    assert not nets_of("buttons only").of(IR_EYE, IR_LIGHT)


def refusal(**changes: object) -> str:
    with pytest.raises(WiringError) as raised:
        netlist(small_board(**changes))
    return str(raised.value)


def test_what_cannot_be_wired_is_refused_in_one_sentence() -> None:
    far = small_expanders(chips=(OnI2c(1, 0x28), OnI2c(4, 0x20)))
    assert refusal(sensors=far) == "U0, an MCP23017, cannot have the address 0x28, only 0x20 to 0x27"
    twice = small_expanders(chips=(OnI2c(1, 0x20), OnI2c(1, 0x20)))
    assert refusal(sensors=twice) == "U1 and U0 have the same address 0x20 on I2C1"
    assert "I2C4 of U1 has no pins" in refusal(
        sensors=small_expanders(emitters=None, strobed=(False,) * 5), buses=small_board().buses[:1]
    )
    assert "a1.ring1 is strobed, but no pin switches the emitters" in refusal(sensors=small_chain(emitters=None))
    assert "pin 22 of PI cannot be" in refusal(buttons=(replace(small_board().buttons[0], pin=25),))
    assert "the header has no GPIO 40" in refusal(buttons=(replace(small_board().buttons[0], pin=40),))


def test_two_parts_of_one_name_are_refused() -> None:
    draft = NetlistDraft()
    draft.add("U0", HC165, "")
    with pytest.raises(WiringError, match="two parts are called U0"):
        draft.add("U0", HC165, "")


def test_an_empty_draft_is_an_empty_netlist() -> None:
    assert NetlistDraft().finish() == Netlist((), ())


@pytest.mark.parametrize("name", ["tamsk", "tamsk-expanders", "tamsk-single-pole"])
def test_the_fuse_carries_what_is_drawn_and_no_more_than_the_supply_can_give(name: str) -> None:
    described = board(name)
    amperes = float(fuse(described).removesuffix(" A"))
    assert described.supply is not None
    assert total_current(budget(described), FIVE) <= amperes * 1000 <= described.supply.five_volt_ma
