"""Any miswiring is found by hands that follow the walk, and the description that it writes reads every input right."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon_pi import config
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.simulated.miswired import Followed, Miswiring
from gnomon_pi.tools.walk.conclusions import CHATTERS, DEAD, INVERTED, MOVED, SWAPPED, Conclusion
from gnomon_pi.tools.walk.description_editor import edit
from tests.conftest import examples
from tests.walk.boards import Written, at_random, bits, bundled, follow, sensors_of, small_tayu


def named(conclusion: Conclusion, *kinds: str) -> set[str]:
    """The inputs of which something of these kinds was found."""
    return {found.subject for found in conclusion.found if found.kind in kinds and "." in found.subject}


def reads(followed: Followed, board: BoardDescription, names: Iterable[str]) -> set[str]:
    """The inputs that a description reads as they are, off and on, and no other with them."""
    there = followed.board
    drivers = there.open(board)
    assert drivers.sensors is not None
    order = {name: 1 << number for number, name in enumerate(board.inputs)}
    right = set()
    resting = drivers.sensors.scan()
    for name in names:
        there.set(name, value=True)
        on = drivers.sensors.scan()
        there.set(name, value=False)
        if on ^ resting == order[name] == on & order[name] and drivers.sensors.scan() == resting:
            right.add(name)
    drivers.close()
    return right


def check(written: Written, miswiring: Miswiring) -> None:
    """Walk, and hold what was found and written against how the board is really wired."""
    followed, conclusion = follow(written.board, miswiring)
    text = edit(written.text, "mine.toml", written.board, conclusion.board)
    learnt, wired = config.parse_board(text, "mine.toml"), miswiring.wired
    silent = miswiring.dead | miswiring.chattering
    whole = set(written.board.inputs) - silent
    assert {name: bits(learnt)[name] for name in whole} == {name: bits(wired)[name] for name in whole}
    assert reads(followed, learnt, sorted(whole - miswiring.inverted)) == whole - miswiring.inverted
    assert sensors_of(learnt).active_low is sensors_of(wired).active_low
    assert sensors_of(learnt).emitters == sensors_of(wired).emitters
    assert (learnt.buzzer, learnt.buttons) == (wired.buzzer, wired.buttons)
    described, real = bits(written.board), bits(wired)
    pressed = {
        button.name for button, other in zip(learnt.buttons, written.board.buttons, strict=True) if button != other
    }
    assert named(conclusion, MOVED, SWAPPED) == {name for name in whole if described[name] != real[name]} | pressed
    assert named(conclusion, INVERTED) == miswiring.inverted
    assert named(conclusion, DEAD, CHATTERS) >= silent
    assert followed.hands.troubles == []


@pytest.mark.untraced
@settings(max_examples=examples(6))
@given(st.integers(0, 2**32), st.sampled_from(["", "no-lights", "single-pole"]))
def test_any_miswiring_is_found_and_written_down(seed: int, variant: str) -> None:
    written = bundled("tamsk", variant, unknown=True)
    check(written, at_random(written.board, seed))


@pytest.mark.parametrize("board", ["expanders", "tayu"])
def test_so_it_is_with_other_chips_and_on_other_boards(board: str) -> None:
    written = bundled("tamsk", "expanders") if board == "expanders" else small_tayu()
    check(written, at_random(written.board, 5))


@pytest.mark.untraced
def test_a_board_that_is_wired_as_described_stays_as_it_is() -> None:
    written = bundled("tamsk")
    followed, conclusion = follow(written.board, Miswiring(written.board))
    assert conclusion.found == ()
    assert (conclusion.right, conclusion.unseen) == (143, 0)
    assert edit(written.text, "tamsk.toml", written.board, conclusion.board) == written.text
    assert not any("really" in str(prompt.sentence) for prompt in followed.hands.prompts)


def test_a_quick_walk_looks_at_every_chip() -> None:
    written = bundled("tamsk")
    followed, conclusion = follow(written.board, Miswiring(written.board), quick=True)
    seen = {bits(written.board)[name] // 8 for name in followed.walk.answered}
    assert seen == {bit // 8 for bit in bits(written.board).values()}
    assert conclusion.unseen > 100
    assert conclusion.board == written.board
