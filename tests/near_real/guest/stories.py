"""Tell what happens in a machine: whole games, lights and display read back, faults, and who may use what."""

import errno
import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Final

import gnomon
from gnomon.referee.games import begin
from gnomon.referee.rulings import GameOver
from gnomon.timekeeping.instants import Instant
from gnomon_pi import config
from tests.near_real.guest.board_end import BoardEnd
from tests.near_real.guest.checks import (
    FOLDER,
    PATIENCE,
    chain_is_broken,
    display_is_unplugged,
    doctor_is_content,
    expect_turns,
    idle_is_told,
    pin_is_held,
    press,
    press_while_stopped,
    stamps_are_the_kernels,
    stop,
    user_without_groups,
)
from tests.near_real.guest.daemon import daemon
from tests.near_real.guest.hands import play_by_buttons, play_tamsk, set_out_tamsk
from tests.near_real.guest.looks import Looks, expect_golden, expect_lights
from tests.near_real.guest.own_pins import own_pins
from tests.near_real.guest.story import Story, expect

# The page tells an arbiter what is wrong.
OPEN: Final = ("--open-to", "arbiter")
SETTLED: Final = 3.0  # seconds after the page answers: the first picture is drawn


def smoke(story: Story) -> None:
    """The shortest look at everything: doctor, a few turns, stamps, faults, rights."""
    end = BoardEnd(config.load_bundled("tamsk"))
    doctor_is_content(story, end, "--board", "tamsk")
    pin_is_held(story, end)
    user_without_groups(story)
    set_out_tamsk(end, 1)
    with daemon(FOLDER / "smoke", "--board", "tamsk", "--level", "1", *OPEN) as running:
        with story.checked("the page answers") as see:
            see(f"after {running.seconds_to_page:.1f} s")
        time.sleep(SETTLED)
        with story.checked("the display shows the approved picture of a start"):
            expect_golden(Looks.of(end), "golden/level1-start")
        with story.checked("the lights show the start"):
            expect_lights(Looks.of(end), end.description, gnomon.begin("tamsk", {"level": 1}), Instant(0))
        idle_is_told(story, running)
        with story.checked("six turns are ruled as they were played") as see:
            expect_turns(running, play_tamsk(end, 1, seed=7, turns=6), see)
        display_is_unplugged(story, end, running)
        chain_is_broken(story, end, running)
        pressed = press_while_stopped(story, end, running)
        time.sleep(SETTLED)
        record = stop(story, end, running)
    stamps_are_the_kernels(story, record, pressed)
    with story.checked("the buses were driven as the description says") as see:
        see(f"{end.transfers}, modes and clocks {end.modes}")
        expect(end.modes.get("0.0") == (2, 1_000_000), end.modes)
        expect(not end.complaints, end.complaints)


def whole_game(story: Story, level: int) -> None:
    """A whole game of TAMSK with bounce."""
    end = BoardEnd(config.load_bundled("tamsk"))
    set_out_tamsk(end, level)
    with daemon(FOLDER / f"level{level}", "--board", "tamsk", "--level", str(level), *OPEN) as running:
        time.sleep(SETTLED)
        with story.checked(f"a whole game at level {level} is ruled as it was played") as see:
            expect_turns(running, play_tamsk(end, level, seed=level), see)
        with story.checked("it is over"):
            expect(running.rulings[-1]["ruling"] == GameOver.kind, running.rulings[-1])
        stop(story, end, running)


def expanders(story: Story) -> None:
    """TAMSK on ten MCP23017, on buses whose pins are driven in software: an interrupt, and a chip that browns out."""
    end = BoardEnd(config.load_bundled("tamsk", None, "expanders"), unanswered=errno.ENXIO)
    doctor_is_content(story, end, "--wiring", str(files("gnomon_pi") / "boards" / "tamsk-expanders.toml"))
    set_out_tamsk(end, 1)
    options = ("--board", "tamsk", "--variant", "expanders", "--level", "1", *OPEN)
    with daemon(FOLDER / "expanders", *options) as running:
        time.sleep(SETTLED)
        with story.checked("the display shows the approved picture of a start"):
            expect_golden(Looks.of(end), "golden/level1-start")
        with story.checked("an expander that loses its power for a moment is named") as see:
            end.board.brown_out_sensors(3)
            said = running.wait_until(lambda said: "0x23" in said, PATIENCE)
            see(said)
            expect("0x23" in said, "the page does not name it")
        with story.checked("twelve turns are ruled as they were played, by that one, too") as see:
            expect_turns(running, play_tamsk(end, 1, seed=11, turns=12), see)
        display_is_unplugged(story, end, running)
        with story.checked("an expander that does not answer is named, and mended it goes on") as see:
            end.board.break_sensors(7)
            said = running.wait_until(lambda said: "0x22" in said, PATIENCE)
            see(said)
            expect("0x22" in said, "the page does not name it")
            end.board.mend()
            said = running.wait_until(lambda said: "0x22" not in said, PATIENCE)
            expect("0x22" not in said, said)
        stop(story, end, running, is_well=False)
    with story.checked("the chips took everything that was sent"):
        expect(not end.complaints, end.complaints)


def tayu(story: Story) -> None:
    """A whole game of Tayu on a part of its board, every draw and choice picked with the buttons."""
    end = BoardEnd(config.load_bundled("tayu"))
    doctor_is_content(story, end, "--board", "tayu")
    settings = {"size": 7}
    with daemon(FOLDER / "tayu", "--board", "tayu", "--game", "tayu", "--set", "size=7", *OPEN) as running:
        time.sleep(SETTLED)
        with story.checked("a whole game is ruled as it was played") as see:
            expect_turns(running, play_by_buttons(end, begin("tayu", settings, board="tayu"), seed=0), see, asks=True)
        display_is_unplugged(story, end, running)
        stop(story, end, running)


def table_clock(story: Story) -> None:
    """A match clock alone: its display, and presses with the kernel's stamps."""
    end = BoardEnd(config.load_bundled("table", None, "clock"))
    doctor_is_content(story, end, "--wiring", str(files("gnomon_pi") / "boards" / "table-clock.toml"))
    options = ("--board", "table", "--variant", "clock", "--game", "clock", "--set", "clock=25+10", *OPEN)
    with daemon(FOLDER / "clock", *options) as running:
        time.sleep(SETTLED)
        with story.checked("the display shows the approved picture of a start"):
            expect_golden(Looks.of(end), "golden_clocks/alone-start")
        for button in ("right", "left", "right"):
            press(end, f"button.{button}")
            time.sleep(1.5)
        pressed = press_while_stopped(story, end, running, pause_only=True)
        time.sleep(SETTLED)
        record = stop(story, end, running)
    stamps_are_the_kernels(story, record, pressed)


STORIES: Final[Mapping[str, Callable[[Story], None]]] = {
    "smoke": smoke,
    "level1": lambda story: whole_game(story, 1),
    "level2": lambda story: whole_game(story, 2),
    "level3": lambda story: whole_game(story, 3),
    "tamsk-expanders": expanders,
    "tayu": tayu,
    "table-clock": table_clock,
    "own-pins": own_pins,
}
