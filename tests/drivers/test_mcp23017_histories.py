"""Whatever happens to the expanders, nothing untrue is told, no change as too young, and in the end all is seen."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gnomon.timekeeping.instants import Instant
from gnomon_pi.config.description import Expanders
from gnomon_pi.drivers._expander_bank import SAFETY_US
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import InputEdge, Scanner
from tests.conftest import examples
from tests.drivers.expander_rig import INPUTS, SCAN, SMALL, Rig

CHIPS = range(len(SMALL.chips))
SETTLED = SAFETY_US // SCAN + 2

Deed = tuple[str, object]

CHANGES = st.tuples(st.just("change"), st.sets(st.sampled_from(INPUTS), min_size=1, max_size=3))
WAITS = st.tuples(st.just("wait"), st.integers(1, SCAN - 1))
SCANS = st.tuples(st.just("scan"), st.sampled_from((1, 1, 1, 2, 3, SETTLED)))
FAULTS = st.one_of(
    st.tuples(st.sampled_from(("lose", "switch_off", "brown_out")), st.sampled_from(CHIPS)),
    st.tuples(st.sampled_from(("cut", "ground", "mend")), st.none()),
)
HISTORIES = st.lists(st.one_of(CHANGES, CHANGES, SCANS, SCANS, WAITS, FAULTS), max_size=40)


class Witness:
    """Looks on while things happen to a rig, and compares what its scanner tells with what it saw itself."""

    def __init__(self, sensors: Expanders) -> None:
        self.rig = Rig(sensors)
        self.scanner = Scanner(self.rig.bank, sensors.inputs, Health())
        self.changed_at: dict[str, int] = {}
        self.shown: dict[str, bool] = {}
        self.beat = self.rig.world.now

    def change(self, names: set[str]) -> None:
        self.rig.change(names)
        self.changed_at |= dict.fromkeys(names, self.rig.world.now)

    def wait(self, microseconds: int) -> None:
        self.rig.world.now += microseconds

    def scan(self, scans: int) -> None:
        for _ in range(scans):
            self.beat += SCAN
            self.rig.world.now = max(self.rig.world.now, self.beat)
            self.beat = self.rig.world.now
            for edge in self.scanner.scan(Instant(self.rig.world.now)):
                self._compare(edge)

    def _compare(self, edge: InputEdge) -> None:
        if edge.input in self.shown:  # The first report may be of a chip that was lost after it had been read.
            assert edge.value is self.rig.soldered.input(edge.input)
            assert edge.value is not self.shown[edge.input]
            assert edge.stamp - edge.uncertainty <= self.changed_at[edge.input] <= edge.stamp
        self.shown[edge.input] = edge.value

    def lose(self, chip: int) -> None:
        self.rig.soldered.lose(chip)

    def switch_off(self, chip: int) -> None:
        self.rig.soldered.switch_off(chip)

    def brown_out(self, chip: int) -> None:
        self.rig.soldered.brown_out(chip)

    def cut(self, _: None) -> None:
        self.rig.soldered.cut_interrupt()

    def ground(self, _: None) -> None:
        self._let_a_cut_be_found()
        self.rig.soldered.ground_interrupt()

    def mend(self, _: None) -> None:
        self._let_a_cut_be_found()
        self.rig.soldered.mend()

    def _let_a_cut_be_found(self) -> None:
        """A loose contact that closes again before the safety scan is the one thing that nobody can tell."""
        if self.rig.soldered.is_cut:
            self.scan(SETTLED)


def seen_in_the_end(sensors: Expanders, history: list[Deed]) -> None:
    witness = Witness(sensors)
    for deed, what in history:
        getattr(witness, deed)(what)
    witness.mend(None)
    witness.scan(SETTLED)
    assert witness.shown == {name: witness.rig.soldered.input(name) for name in sensors.inputs}
    assert witness.rig.scan() == witness.rig.truth()


@pytest.mark.untraced
@given(HISTORIES)
@settings(max_examples=examples(150))
def test_whatever_happens_is_finally_seen_exactly_and_nothing_else_is_ever_told(history: list[Deed]) -> None:
    seen_in_the_end(SMALL, history)


@pytest.mark.untraced
@given(HISTORIES)
@settings(max_examples=examples(50))
def test_so_it_is_without_an_interrupt_line(history: list[Deed]) -> None:
    seen_in_the_end(replace(SMALL, interrupt=None), history)


@pytest.mark.untraced
@given(HISTORIES)
@settings(max_examples=examples(50))
def test_so_it_is_with_sensors_that_are_active_high(history: list[Deed]) -> None:
    seen_in_the_end(replace(SMALL, active_low=False), history)


@given(st.lists(st.sets(st.sampled_from(INPUTS), max_size=4), min_size=1, max_size=12), st.data())
def test_changes_in_the_middle_of_a_reading_are_seen_after_the_next_safety_scan(
    changes: list[set[str]], data: st.DataObject
) -> None:
    rig = Rig()
    rig.scan()
    left = iter(changes)
    for number in data.draw(st.sets(st.sampled_from(CHIPS))):
        rig.chips[number].between = lambda: rig.change(next(left, set()))
    for _ in range(3):
        rig.change(next(left, set()))
        rig.scan()
    for chip in rig.chips:
        chip.between = lambda: None
    rig.scan(SETTLED)
    assert rig.scan() == rig.truth()


Touch = tuple[int, int | None, int]  # after so many scans; in the middle of a byte of that chip, or between scans
TOUCHES = st.lists(
    st.tuples(
        st.sampled_from((0, 0, 1, 2, 5, SETTLED)), st.one_of(st.none(), st.sampled_from(CHIPS)), st.integers(0, 5)
    ),
    max_size=len(INPUTS),
)


# The last change comes in the middle of a safety scan, two readings of its chip after it was prepared: the next one
# tells of it.
LATE_IN_A_READING: list[Touch] = [*[(0, None, 0)] * 8, (5, None, 0), (0, 0, 0), (0, 0, 2)]
LATE_NAMES = [f"hall{number}" for number in (0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 6)]


@pytest.mark.untraced
@given(TOUCHES, st.permutations(INPUTS))
@example(LATE_IN_A_READING, LATE_NAMES)
def test_every_change_is_told_by_the_next_safety_scan_and_never_as_younger_than_it_is(
    touches: list[Touch], names: list[str]
) -> None:
    rig = Rig()
    scanner = Scanner(rig.bank, INPUTS, Health())
    changed_at: dict[str, int] = {}
    told: list[str] = []
    hooks: dict[int, AtByte] = {}

    def change(name: str) -> None:
        rig.change({name})
        changed_at[name] = rig.world.now

    def scan(scans: int) -> None:
        for _ in range(scans):
            rig.world.now += SCAN
            for edge in scanner.scan(Instant(rig.world.now)):
                if edge.value:
                    told.append(edge.input)
                    assert edge.stamp - edge.uncertainty <= changed_at[edge.input] <= edge.stamp
                    assert edge.stamp - changed_at[edge.input] <= SAFETY_US

    scan(1)
    for (scans, chip, byte), name in zip(touches, names, strict=False):
        if chip is None:
            change(name)
        else:
            hooks[chip] = AtByte(byte, partial(change, name))
            rig.chips[chip].between = hooks[chip].pass_byte
        scan(scans)
    while any(hook.is_to_come for hook in hooks.values()):
        scan(1)
    scan(SETTLED)
    assert sorted(told) == sorted(changed_at)


class AtByte:
    """Something that is done once, in the middle of the byte of that number that is read of a chip's ports."""

    def __init__(self, byte: int, do: Callable[[], None]) -> None:
        self._left = byte
        self._do = do

    @property
    def is_to_come(self) -> bool:
        return self._left >= 0

    def pass_byte(self) -> None:
        if self._left == 0:
            self._do()
        self._left -= 1
