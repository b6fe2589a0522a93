"""Expanders that are lost, brown out or hang: what is still known, what is told, and how they come back."""

import errno
import os
from dataclasses import replace

import pytest

from gnomon_pi.config.description import OnI2c
from gnomon_pi.drivers._expander_bank import HUNG_US, RECENT_US, SAFETY_US, ExpanderBank
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.chips._mcp23017 import ChipRegister, Iocon
from tests.drivers.expander_rig import EMITTERS, INTERRUPT, QUIET, SCAN, SMALL, Rig
from tests.words.statements import in_english

SAFETY_SCANS = SAFETY_US // SCAN
GPIO = (ChipRegister.GPIO, 2)
TOLD = (ChipRegister.INTF, 6)  # the flags and the capture of the interrupt, and GPIO after them


# Chips that are lost


def test_a_lost_chip_keeps_its_inputs_as_they_were_and_the_others_go_on(rig: Rig) -> None:
    rig.put("hall0", "ring0", "ring5")
    rig.scan()
    rig.soldered.lose(0)
    rig.put("hall1", "ring5")
    assert rig.scan(SAFETY_SCANS) == {"hall0", "ring5"}
    (said,) = in_english(rig.bank.health())
    assert said == (
        "Expander 0x20 on I2C bus 1 does not answer: look at its power, its address pins and its wires. "
        "hall0 and 13 more show nothing new."
    )


def test_a_lost_chip_without_inputs_is_told_of_too() -> None:
    rig = Rig(replace(QUIET, chips=(*QUIET.chips, OnI2c(1, 0x21))))
    rig.scan()
    rig.soldered.lose(3)
    rig.put("hall2")
    assert rig.scan(SAFETY_SCANS) == {"hall2"}
    (said,) = in_english(rig.bank.health())
    assert said == ("Expander 0x21 on I2C bus 1 does not answer: look at its power, its address pins and its wires.")


def test_a_chip_that_comes_back_is_read_anew_and_the_whole_time_is_granted(rig: Rig) -> None:
    rig.scan(3)
    read_at = rig.world.now
    rig.soldered.lose(0)
    rig.put("hall1", "ring5")
    rig.scan(100)
    rig.soldered.mend()
    found = next(scan for scan in range(1, SAFETY_SCANS + 1) if "hall1" in rig.scan())
    assert rig.unread("hall1") == 0 if found == 0 else rig.unread("hall1") >= 100 * SCAN
    assert rig.unread("hall1") <= rig.world.now - read_at + SAFETY_US
    assert rig.bank.health() == ()


def test_a_chip_is_asked_again_in_the_next_scan_and_then_every_250_ms(quiet: Rig) -> None:
    quiet.scan(3)
    quiet.soldered.lose(1)
    quiet.notes.clear()
    asked = []
    for scan in range(4 * SAFETY_SCANS):
        quiet.scan()
        asked += [scan for sent in quiet.notes if (sent.bus, sent.address) == (3, 0x20)]
        quiet.notes.clear()
    first = asked[0]
    assert [scan for scan in asked if scan > first] == [first + 1 + SAFETY_SCANS * number for number in range(4)]


def test_a_single_disturbance_costs_one_scan(rig: Rig) -> None:
    rig.scan(3)
    rig.soldered.lose(1)
    rig.scan()
    rig.soldered.mend()
    rig.put("ring0")
    assert rig.scan() == {"ring0"}
    assert rig.unread("ring0") == 2 * SCAN
    assert rig.bank.health() == ()


def test_when_all_are_lost_that_is_a_driver_error_and_the_levels_return_with_the_chips(rig: Rig) -> None:
    rig.put("hall5", "ring3")
    rig.scan()
    for chip in range(3):
        rig.soldered.lose(chip)
    with pytest.raises(DriverError) as raised:
        rig.scan(SAFETY_SCANS)
    assert str(raised.value) == (
        "Expander 0x20 on I2C bus 1 does not answer: look at its power, its address pins and its wires. "
        "None of the 2 expanders on I2C bus 3 answers: look at their power, SDA and SCL."
    )
    assert rig.bank.health() == ()  # it has been said
    rig.put("hall6")
    rig.soldered.mend()
    rig.scan_blindly(SAFETY_SCANS)
    assert rig.scan() == {"hall6"}


def test_a_chip_that_never_answered_is_a_driver_error_that_names_it() -> None:
    """Its inputs are not known; idle ones would be glasses that were lifted."""
    rig = Rig()
    rig.put("hall0")
    rig.soldered.lose(2)
    for _ in range(2):
        with pytest.raises(
            DriverError, match=r"Expander 0x27 on I2C bus 3 does not answer: .* the position on the board is unknown"
        ):
            rig.scan()
    assert rig.bank.health() == ()
    rig.soldered.mend()
    rig.scan_blindly(SAFETY_SCANS)
    assert rig.scan() == {"hall0"}


def test_a_chip_that_keeps_no_settings_is_not_believed(rig: Rig) -> None:
    rig.scan(3)
    rig.chips[0].forgets = True
    rig.soldered.brown_out(0)
    rig.put("ring5")
    assert rig.scan(4 * SAFETY_SCANS) == {"ring5"}
    assert in_english(rig.bank.health())[0] == (
        "Expander 0x20 on I2C bus 1 does not keep its settings: look at its supply, and for another chip there. "
        "hall0 and 13 more show nothing new."
    )


# Brown-outs


@pytest.mark.parametrize("chip", range(3))
def test_a_chip_that_lost_its_settings_shows_nothing_false_and_is_set_up_again(rig: Rig, chip: int) -> None:
    """Without its pull-ups every free input reads as active."""
    rig.put("hall0", "hall14", "ring0", "ring5")
    before = rig.scan()
    settings = rig.settings()
    rig.soldered.brown_out(chip)
    for _ in range(3 * SAFETY_SCANS):
        assert rig.scan() == before
    assert rig.settings() == settings
    address = f"0x{SMALL.chips[chip].address:02X} on I2C bus {SMALL.chips[chip].bus}"
    assert in_english(rig.bank.health()) == (f"Expander {address} lost its settings for a moment: look at its supply.",)
    rig.world.now += RECENT_US
    assert rig.bank.health() == ()


def test_a_chip_that_holds_the_line_up_without_its_settings_is_found_by_what_the_others_could_not_tell(
    quiet: Rig,
) -> None:
    quiet.scan(SAFETY_SCANS)  # the next settings to be looked at are those of another chip
    quiet.soldered.brown_out(0)
    quiet.put("hall17")  # of chip 2, whose open drain is not heard
    found = next(scan for scan in range(1, SAFETY_SCANS + 1) if "hall17" in quiet.scan())
    assert found <= SAFETY_SCANS
    assert quiet.chips[0].register(ChipRegister.IOCON) == (Iocon.MIRROR | Iocon.ODR) * 0x0101
    quiet.put("hall16")
    assert quiet.scan() == {"hall16"}
    assert quiet.unread("hall16") == 0


# Buses and pins


def test_a_bus_that_hangs_is_left_alone_for_seconds_and_the_other_goes_on(rig: Rig) -> None:
    rig.put("ring0")
    rig.scan(3)
    rig.buses[3].failure = TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
    rig.notes.clear()
    rig.put("hall1", "ring1")
    for _ in range(HUNG_US // SCAN - 1):
        assert rig.scan() == {"hall1", "ring0"}
    assert len([sent for sent in rig.notes if sent.bus == 3]) == 1  # each attempt takes the kernel a second
    assert in_english(rig.bank.health()) == (
        "I2C bus 3 hangs: look for a short circuit of SDA or SCL. ring0 and 11 more show nothing new.",
    )
    rig.buses[3].failure = None
    assert rig.scan(SAFETY_SCANS + 2) == {"hall1", "ring1"}
    assert rig.bank.health() == ()


def test_pins_that_cannot_be_had_are_a_driver_error_and_the_next_scan_tries_anew() -> None:
    rig = Rig()
    other = Rig(SMALL, pin_factory=rig.factory)
    other.scan()
    with pytest.raises(DriverError, match=r"The pins of the expanders do not answer: .*already in use"):
        rig.scan()
    other.bank.close()
    rig.put("hall2")
    assert rig.scan() == {"hall2"}


def test_closing_turns_the_emitters_off_and_lets_pins_and_buses_go(rig: Rig) -> None:
    rig.bank.close()
    rig.bank.close()
    assert [bus.closed for bus in rig.buses.values()] == [1, 1]
    for pin in (INTERRUPT, EMITTERS):
        assert rig.factory.pin(pin).function == "input"
    with pytest.raises(DriverError, match="does not answer"):
        rig.scan(2)


def test_the_driver_takes_no_pin_before_it_is_used() -> None:
    rig = Rig()
    assert isinstance(rig.bank, ExpanderBank)
    rig.bank.close()
    assert rig.notes == []
