"""The expanders: the real driver on emulated chips, buses and pins."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config.description import Output
from gnomon_pi.drivers._expander_bank import FOLLOWED, ROUNDS, SAFETY_US, STUCK
from gnomon_pi.simulated.chips._mcp23017 import ChipRegister, Iocon
from tests.drivers.expander_rig import EMITTERS, HALLS, INPUTS, QUIET, SCAN, SMALL, Rig
from tests.words.statements import in_english

SAFETY_SCANS = SAFETY_US // SCAN
GPIO = (ChipRegister.GPIO, 2)
TOLD = (ChipRegister.INTF, 6)  # the flags and the capture of the interrupt, and GPIO after them


def read_of(rig: Rig) -> list[tuple[int, int]]:
    """Register and length of every read since the last call."""
    reads = [(sent.register, sent.read) for sent in rig.notes if sent.read]
    rig.notes.clear()
    return reads


# Set-up


def test_a_chip_is_told_what_it_needs_and_keeps_it(rig: Rig) -> None:
    inputs, none, iocon = [0x7F, 0x7F], [0, 0], [Iocon.MIRROR | Iocon.ODR] * 2
    expected = [[*inputs, *none, *heard, *none, *none, *iocon, *inputs] for heard in ([0x7F, 0x7F], [0, 0], [7, 7])]
    assert rig.settings() == expected
    assert [chip.register(ChipRegister.OLAT) for chip in rig.chips] == [0] * 3


def test_a_chip_that_is_active_high_gets_pull_ups_on_free_pins_only() -> None:
    rig = Rig(replace(SMALL, active_low=False))
    rig.put("hall3", "ring0", "ring5")
    assert rig.scan() == {"hall3", "ring0", "ring5"}
    assert [settings[12:] for settings in rig.settings()] == [[0, 0], [0x3E, 0x3E], [0x70, 0x38]]


def test_eyes_are_given_their_time_in_the_light_before_their_chips_are_read() -> None:
    rig = Rig(replace(SMALL, settle_us=950))
    rig.scan(3)
    assert rig.pauses == [(0.00095, True)] * 3
    still = Rig(replace(QUIET, settle_us=950))
    still.scan(3)
    assert still.pauses == []


def test_without_an_interrupt_line_no_pin_interrupts(quiet: Rig) -> None:
    polled = Rig(replace(QUIET, interrupt=None))
    polled.scan()
    assert {tuple(settings[4:6]) for settings in polled.settings()} == {(0, 0)}
    assert {tuple(settings[4:6]) for settings in quiet.settings()} != {(0, 0)}


def test_a_chip_that_another_program_left_with_bank_1_is_set_up_all_the_same() -> None:
    rig = Rig()
    for chip in rig.chips:
        chip.receive(ChipRegister.IOCON, [Iocon.BANK | Iocon.SEQOP])
    rig.put("hall9", "ring2")
    assert rig.scan() == {"hall9", "ring2"}


def test_an_output_latch_that_another_program_left_high_is_low_before_its_pin_is_an_output() -> None:
    rig = Rig()
    rig.chips[0].receive(ChipRegister.OLAT, [0xFF, 0xFF])
    rig.scan()
    written = [sent.register for sent in rig.notes if sent.written and sent.bus == 1]
    assert written == [0x05, ChipRegister.OLAT, ChipRegister.IODIR]
    assert rig.chips[0].register(ChipRegister.OLAT) == 0


# What is read


@pytest.mark.parametrize("name", INPUTS)
def test_each_input_alone_is_read_as_itself(rig: Rig, name: str) -> None:
    rig.put(name)
    assert rig.scan() == {name}
    rig.put()
    assert rig.scan() == set()


@pytest.mark.untraced
@given(st.permutations(SMALL.bits), st.sets(st.sampled_from(INPUTS)))
def test_moved_inputs_are_read_as_they_are_named(bits: list[int], names: set[str]) -> None:
    rig = Rig(replace(SMALL, bits=tuple(bits)))
    rig.put(*names)
    assert rig.scan() == names


def test_both_ports_are_read_in_one_transaction_and_with_them_what_the_interrupt_tells_if_it_does(rig: Rig) -> None:
    rig.scan(SAFETY_SCANS + 1)
    assert set(read_of(rig)) == {GPIO, (ChipRegister.IODIR, 14)}
    rig.change(INPUTS)
    rig.scan(2)
    assert set(read_of(rig)) == {TOLD, GPIO, (ChipRegister.IODIR, 14)}


def test_chips_that_every_scan_reads_are_never_asked_of_their_interrupts(rig: Rig) -> None:
    rig.scan(FOLLOWED + 1)
    rig.notes.clear()
    rig.put("hall0")
    rig.scan()
    assert read_of(rig) == [TOLD, GPIO, GPIO, (ChipRegister.IODIR, 14)]  # there are rings on the second and the third


# The interrupt line


def test_while_nothing_moves_nothing_goes_over_the_buses_but_in_every_25th_scan(quiet: Rig) -> None:
    quiet.scan(SAFETY_SCANS)
    quiet.notes.clear()
    silent = 0
    for _ in range(4 * SAFETY_SCANS):
        quiet.scan()
        silent += not quiet.notes
        # Every chip is read, and the settings of one are looked at.
        assert len(quiet.notes) in (0, len(quiet.chips) + 1)
        quiet.notes.clear()
    assert silent == 4 * (SAFETY_SCANS - 1)


def test_a_change_is_seen_by_the_next_scan_and_is_no_older(quiet: Rig) -> None:
    quiet.scan(FOLLOWED + 1)
    quiet.notes.clear()
    quiet.put("hall17")
    assert quiet.scan() == {"hall17"}
    assert quiet.unread("hall17") == 0
    assert read_of(quiet) == [TOLD] * 3 + [(ChipRegister.IODIR, 14)]
    for _ in range(FOLLOWED):
        assert quiet.scan() == {"hall17"}
        assert read_of(quiet) == [GPIO] * 3
    assert quiet.scan() == {"hall17"}
    assert read_of(quiet) == []


def test_a_byte_that_was_read_wrongly_is_right_again_in_the_next_scan(quiet: Rig) -> None:
    quiet.scan(SAFETY_SCANS + 1)
    wrong = iter([[0, 0, 0, 0, 0x7E, 0x7F]])
    bus = quiet.buses[1]
    read = bus.read_i2c_block_data

    def noisy(i2c_addr: int, register: int, length: int) -> list[int]:
        right = read(i2c_addr, register, length)
        return next(wrong, right) if register == ChipRegister.INTF else right

    bus.read_i2c_block_data = noisy  # type: ignore[method-assign]  # noise on the wires
    quiet.put("hall17")
    assert quiet.scan() == {"hall0", "hall17"}
    assert quiet.scan() == {"hall17"}


def test_a_change_of_a_chip_that_had_its_turn_is_seen_in_the_same_scan(quiet: Rig) -> None:
    """It keeps the line low, so there is no second edge: only a look at the level finds it."""
    quiet.scan(3)
    moved = iter([True])

    def between() -> None:
        if next(moved, False):
            quiet.soldered.set_input("hall0", value=True)

    quiet.chips[2].between = between
    quiet.put("hall17")
    assert quiet.scan() == {"hall0", "hall17"}


def test_a_second_change_before_the_read_is_not_lost(quiet: Rig) -> None:
    quiet.scan(3)
    quiet.soldered.set_input("hall3", value=True)
    quiet.soldered.set_input("hall4", value=True)
    quiet.soldered.set_input("hall3", value=False)
    assert quiet.scan() == {"hall4"}


def lose_a_change(rig: Rig, name: str) -> None:
    """Change an input of chip 0 in the next reading of its port A, between the sample of GPIO and its last bit."""
    moved = iter([True])

    def between() -> None:
        # A read of the capture comes before, and what changes then is in GPIO.
        is_sampled = rig.notes[-1].register == ChipRegister.GPIO or next(captures, None) is None
        if is_sampled and next(moved, False):
            rig.change({name})

    captures = iter(range(2))
    rig.chips[0].between = between


def test_a_change_that_raised_no_interrupt_because_its_port_was_being_read_is_seen_by_the_next_scan(
    quiet: Rig,
) -> None:
    """It came between the sample of the port and its last bit; nothing is wrong with the line."""
    quiet.scan(FOLLOWED + 1)
    lose_a_change(quiet, "hall1")
    quiet.put("hall8")
    assert quiet.scan() == {"hall8"}
    assert quiet.scan() == {"hall1", "hall8"}
    assert quiet.unread("hall1") == 0


def test_a_change_that_came_so_in_a_safety_scan_is_found_by_the_next_one_and_its_age_is_told(quiet: Rig) -> None:
    quiet.scan(SAFETY_SCANS - 1)
    lose_a_change(quiet, "hall1")
    assert quiet.scan() == set()
    read_at = quiet.world.now
    assert quiet.scan(SAFETY_SCANS - 1) == set()
    assert quiet.scan() == {"hall1"}
    assert quiet.unread("hall1") == quiet.world.now - read_at == SAFETY_US
    assert quiet.bank.health() == ()


@pytest.mark.parametrize("later", ["hall14", "hall8", "hall2"])
def test_a_lost_change_that_is_found_because_another_input_changed_is_not_taken_for_told(
    quiet: Rig, later: str
) -> None:
    """Of another chip, of the other port, of the same port: the line tells of the later one only."""
    quiet.scan(SAFETY_SCANS - 1)
    lose_a_change(quiet, "hall1")
    assert quiet.scan() == set()
    assert quiet.scan(5) == set()
    quiet.change({later})
    assert quiet.scan() == {"hall1", later}
    assert (quiet.unread("hall1"), quiet.unread(later)) == (6 * SCAN, 0)
    assert quiet.bank.health() == ()
    quiet.scan(FOLLOWED + 1)
    quiet.notes.clear()
    quiet.scan()
    assert quiet.notes == []  # the line is believed as before


def test_a_change_after_the_one_that_raised_the_interrupt_of_its_port_is_no_older(quiet: Rig) -> None:
    """The chip flags the first one only; its capture shows that the others came later."""
    quiet.scan(FOLLOWED + 1)
    for name in ("hall3", "hall4", "hall5"):
        quiet.change({name})
    assert quiet.scan() == {"hall3", "hall4", "hall5"}
    assert [quiet.unread(name) for name in ("hall3", "hall4", "hall5")] == [0, 0, 0]


def test_a_broken_interrupt_line_is_found_told_of_and_replaced_by_polling(quiet: Rig) -> None:
    quiet.soldered.cut_interrupt()
    for number, name in enumerate(HALLS[:2]):
        quiet.scan(FOLLOWED + 1)
        quiet.put(*HALLS[: number + 1])
        found = next(scan for scan in range(1, SAFETY_SCANS + 1) if name in quiet.scan())
        assert quiet.unread(name) >= (found - 1) * SCAN
    (said,) = in_english(quiet.bank.health())
    assert said == ("The interrupt line on GPIO 4 does not report changes: look at its wire; the expanders are polled.")
    quiet.scan()
    for number in range(3, 8):
        quiet.put(*HALLS[:number])
        assert quiet.scan() == set(HALLS[:number])
        assert quiet.unread(HALLS[number - 1]) == 0
    quiet.soldered.mend()
    quiet.put()
    assert quiet.scan() == set()
    assert quiet.bank.health() == ()
    quiet.scan(FOLLOWED)
    quiet.notes.clear()
    quiet.scan(3)
    assert len(quiet.notes) <= len(quiet.chips) + 1  # it is believed again


def test_a_line_that_stays_low_is_told_of_and_what_changes_is_seen(quiet: Rig) -> None:
    quiet.soldered.ground_interrupt()
    quiet.notes.clear()
    quiet.scan()
    assert len(read_of(quiet)) <= ROUNDS * len(quiet.chips) + 1
    for number in range(STUCK):
        quiet.put(HALLS[number])
        assert quiet.scan() == {HALLS[number]}
        assert quiet.unread(HALLS[number]) == 0
    quiet.notes.clear()
    quiet.scan()
    assert len(read_of(quiet)) <= len(quiet.chips) + 1  # once, and not again and again
    assert in_english(quiet.bank.health()) == ("The interrupt line on GPIO 4 stays low: look for a short circuit.",)
    quiet.soldered.mend()
    quiet.scan(2)
    assert quiet.bank.health() == ()


def test_a_switch_that_bounces_for_long_is_no_short_circuit(quiet: Rig) -> None:
    quiet.scan(3)

    def between() -> None:
        quiet.change({"hall0"})

    for _ in range(STUCK - 1):
        quiet.chips[2].between = between
        quiet.change({"hall0"})
        quiet.scan()
    quiet.chips[2].between = lambda: None
    quiet.scan()
    assert quiet.bank.health() == ()
    assert quiet.scan() == quiet.truth()


def test_without_an_interrupt_line_every_scan_reads_every_chip() -> None:
    rig = Rig(replace(QUIET, interrupt=None))
    rig.scan()
    for number in range(5):
        rig.notes.clear()
        rig.put(HALLS[number])
        assert rig.scan() == {HALLS[number]}
        assert read_of(rig)[:3] == [GPIO] * 3
        assert rig.unread(HALLS[number]) == 0
    assert rig.bank.health() == ()


# Strobed light


def test_rings_are_seen_in_every_scan_though_they_interrupt_nobody(rig: Rig) -> None:
    for number in range(6):
        rig.put(f"ring{number}")
        assert rig.scan() == {f"ring{number}"}
        assert rig.unread(f"ring{number}") == 0


def test_the_dark_is_looked_at_only_when_the_light_shows_something_new(rig: Rig) -> None:
    rig.scan(3)
    rig.notes.clear()
    rig.scan()
    assert read_of(rig) == [GPIO] * 2  # the two chips that have rings, in the light
    rig.put("ring0")
    rig.scan()
    assert read_of(rig) == [GPIO] * 3 + [(ChipRegister.IODIR, 14)]  # and the one with news in the dark


def test_the_emitters_are_on_for_the_reading_in_the_light_and_never_else(rig: Rig) -> None:
    seen: list[int] = []
    rig.scan(3)
    for chip in rig.chips:
        chip.between = lambda: seen.append(rig.soldered._shine)
    rig.put("ring5")
    rig.scan()
    assert seen == [True] * 4 + [False] * 2  # two ports each of two chips, then of the one with news
    assert not rig.soldered._shine


@pytest.mark.parametrize("active_low", [False, True])
def test_emitters_are_switched_by_the_level_that_is_described(active_low: bool) -> None:
    rig = Rig(replace(SMALL, emitters=Output(EMITTERS, active_low)))
    rig.put("ring1")
    assert rig.scan() == {"ring1"}
    assert bool(rig.factory.pin(EMITTERS).state) is active_low  # and off again


def test_emitters_of_which_nobody_knows_what_turns_them_on_are_left_alone_and_told_of() -> None:
    rig = Rig(replace(SMALL, emitters=Output(EMITTERS, None)))
    rig.put("ring1", "hall1")
    assert rig.scan() == {"hall1"}
    assert rig.factory.pin(EMITTERS).function == "input"
    assert in_english(rig.bank.health()) == (
        "The emitters on GPIO 17 stay dark: say which level switches them on ([sensors] emitters_on = high or low).",
    )


def test_foreign_light_on_an_empty_level_makes_no_ring_and_is_told_of(rig: Rig) -> None:
    rig.soldered.dazzle("ring4")
    rig.soldered.dazzle("ring5")
    assert rig.scan() == set()
    assert in_english(rig.bank.health()) == ("Too much light falls on ring4 and 1 more: shade the board.",)
    rig.soldered.mend()
    assert rig.scan() == set()
    assert rig.bank.health() == ()


def test_foreign_light_hides_a_ring_and_the_ring_is_back_in_the_first_scan_without_it(rig: Rig) -> None:
    rig.put("ring0")
    rig.scan()
    rig.soldered.dazzle("ring0")
    assert rig.scan(SAFETY_SCANS) == set()
    rig.soldered.mend()
    assert rig.scan() == {"ring0"}
