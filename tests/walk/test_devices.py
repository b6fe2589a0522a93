"""What a walk does to the board, the display, the terminal and the disk."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from gnomon.refusals import NOTHING, Statement, clause
from gnomon.words import LANGUAGES, words
from gnomon_pi import config
from gnomon_pi.cli.daemon import main
from gnomon_pi.cli.walk import _walk_wired
from gnomon_pi.config.description import Output
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.miswired import FollowingHands, MiswiredBoard, Miswiring
from gnomon_pi.tools.walk.conclusions import keep
from gnomon_pi.tools.walk.prompts import Prompt, prompt
from gnomon_pi.tools.walk.rig import Rig
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.terminal import Terminal, Typed
from gnomon_pi.tools.walk.walk_loop import WalkPace, picture, run_walk
from gnomon_pi.tools.walk.wires import BitLevels
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkAnswer, WalkPhase, Wants, begin_walk
from tests.walk.boards import bundled, sensors_of

BOARD = bundled("tamsk").board
UNKNOWN = bundled("tamsk", unknown=True).board


@pytest.fixture
def watch() -> VirtualWatch:
    """Virtual time."""
    return VirtualWatch()


@pytest.fixture
def board(watch: VirtualWatch) -> MiswiredBoard:
    """The TAMSK board with an active buzzer, wired as described."""
    assert UNKNOWN.buzzer is not None
    return MiswiredBoard(Miswiring(UNKNOWN), Random(1), now=watch.now, later=watch.later)


@pytest.fixture
def rig(board: MiswiredBoard) -> Iterator[Rig]:
    """The devices of that board, of which nobody knows which levels switch things on."""
    rig = Rig(UNKNOWN, board.open)
    yield rig
    rig.close()


def driven(board: MiswiredBoard) -> set[int]:
    """The pins that the Pi drives."""
    return {number for number in range(2, 28) if board.board._factory.pin(number).function == "output"}


def test_nothing_is_driven_until_it_is_wanted_and_then_only_as_long(board: MiswiredBoard, rig: Rig) -> None:
    rig.look()
    assert driven(board) == {25}  # the latch
    rig.want(Wants(emitters=True))
    rig.look()
    assert driven(board) == {25}  # between two looks nobody knows whether they shine
    rig.want(Wants(buzzer=True))
    assert driven(board) == {25, 12}
    assert board.board._factory.pin(12).state == 1
    rig.want(Wants(buzzer=False))
    assert board.board._factory.pin(12).state == 0
    rig.want(Wants())
    assert driven(board) == {25}
    rig.close()
    assert driven(board) == set()


def test_emitters_of_a_known_level_are_held_dark_between_looks(board: MiswiredBoard) -> None:
    for low in (False, True):
        known = replace(UNKNOWN, sensors=replace(sensors_of(UNKNOWN), emitters=Output(17, active_low=low)))
        rig = Rig(known, board.open)
        rig.want(Wants(emitters=True))
        rig.look()
        assert (17 in driven(board), bool(board.board._factory.pin(17).state)) == (True, low)
        rig.close()
        assert 17 not in driven(board)


def test_a_look_shows_what_the_emitters_light_and_what_is_there_without_it(board: MiswiredBoard, rig: Rig) -> None:
    rest = rig.look()
    board.set("A1.ring1", value=True)
    assert rig.look() == rest
    rig.want(Wants(emitters=True))
    ring = 1 << dict(zip(UNKNOWN.inputs, range(200), strict=False))["A1.ring1"]
    assert rig.look() == BitLevels(rest.low, rest.low & ~ring)


def test_the_lit_place_is_lit_alone(board: MiswiredBoard, rig: Rig) -> None:
    rig.want(Wants(light="A2"))
    assert [number for number, colour in enumerate(board.board.lights()) if any(colour)] == [1]
    rig.want(Wants(light="timer15"))
    assert not any(any(colour) for colour in board.board.lights())


def test_a_board_that_does_not_answer_is_told_of_and_waited_for(
    board: MiswiredBoard, rig: Rig, watch: VirtualWatch
) -> None:
    board.board.break_sensors()
    board.board.break_lights()
    board.board.break_display()
    hands = FollowingHands(board, now=watch.now)
    assert board.board.chain is not None
    watch.later(5.0, board.board.chain.mend)
    watch.later(30.0, board.board.mend)
    walk = run_walk(begin_walk(UNKNOWN, quick=True), rig, hands, WalkPace(watch, watch.go_to))
    assert walk.phase is WalkPhase.OVER
    assert str(hands.troubles[0]).startswith("The sensors read only zeros: the chain has no power")
    assert any("The display does not answer" in str(said) for said in hands.troubles)
    assert any("The lights do not answer" in str(said) for said in hands.troubles)


def test_buttons_that_another_program_holds_are_told_of(board: MiswiredBoard, rig: Rig) -> None:
    second = Rig(UNKNOWN, board.open)
    assert str(second.troubles["buttons"]).startswith("button.red on GPIO 5 cannot be read")
    second.close()
    assert rig.troubles == {}


def test_what_stops_answering_in_the_middle_is_let_go_of(board: MiswiredBoard, rig: Rig) -> None:
    rig.want(Wants(emitters=True))
    rig.look()
    board.board.break_sensors()
    with pytest.raises(DriverError):
        rig.look()
    rig.want(Wants())
    assert 17 not in driven(board)


def test_an_interrupt_ends_the_walk_with_what_was_learnt(rig: Rig, watch: VirtualWatch) -> None:
    def interrupted(_instant: int) -> None:
        raise KeyboardInterrupt

    walk = run_walk(
        begin_walk(UNKNOWN), rig, Terminal(lambda _line: None, lambda: iter(())), WalkPace(watch, interrupted)
    )
    assert walk.is_stopped


def shown(walk: Walk) -> list[Prompt]:
    """Everything that a walk may ask at its steps."""
    return [
        prompt(replace(walk, phase=phase, number=number, act=act))
        for number, step in enumerate(walk.steps)
        for act in range(len(step.acts))
        for phase in (WalkPhase.DO, WalkPhase.CLEAR)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["tamsk", "tayu", "table"])
def test_what_is_asked_fits_on_the_display_in_whole_words(name: str, language: str) -> None:
    walk = begin_walk(bundled(name).board)
    for brief, each in {clause(asked.brief, words(language)): asked for asked in shown(walk)}.items():
        whole = picture(walk, each, words(language))
        less = (picture(walk, each._replace(brief=Statement.plain(said))) for said in ("", brief[:-1]))
        assert not [drawn for drawn in less if drawn.crop((0, 10, 128, 64)) == whole.crop((0, 10, 128, 64))]


@pytest.mark.parametrize("board", ["tamsk", "tayu"])
def test_every_place_is_somewhere_else_on_the_small_map(board: str) -> None:
    walk = begin_walk(bundled(board).board)
    places = [step.place for step in walk.steps if step.acts[-1].do is Do.TAKE][:: 1 if board == "tamsk" else 9]
    places = sorted(set(places))
    pictures = {picture(walk, Prompt(place, NOTHING, NOTHING)).crop((80, 10, 128, 64)).tobytes() for place in places}
    assert len(pictures) == len(places)


# The terminal


def test_the_terminal_says_what_is_asked_and_which_keys_there_are(watch: VirtualWatch) -> None:
    said: list[str] = []
    walk = replace(begin_walk(replace(BOARD, lights=None, display=None)), phase=WalkPhase.DO, number=5)
    terminal = Terminal(said.append, lambda: iter(["", "N", "what"]))
    terminal.on_prompt(walk, prompt(walk))
    assert said[0].startswith("Enter: yes, or done")
    assert said[1:14] == [
        "                  .",
        "              .       .",
        "          .       .       .",
        "      .       .       .       .",
        "          .       .       .",
        "      .       .       .       .",
        "          .       .       .",
        "      O       .       .       .",
        "          .       .       .",
        "      .       .       .       .",
        "          .       .       .",
        "              .       .",
        "                  .",
    ]
    assert said[14:] == ["   6/79 Put a glass on A2, its north end up."]
    assert list(terminal.answers()) == [WalkAnswer.YES, WalkAnswer.NO]
    assert said[-1].startswith("      There is no key 'what': Enter: yes")
    terminal.trouble(NOTHING)
    assert said[-1] == "      ! It works again."
    assert watch.now() == 0


def test_lines_are_taken_as_they_are_typed_and_the_end_stops_the_walk() -> None:
    read, write = os.pipe()
    try:
        typed = Typed(read)
        assert list(typed()) == []
        os.write(write, b"y\nb")
        assert list(typed()) == ["y"]
        os.write(write, b"\n")
        assert list(typed()) == ["b"]
        os.close(write)
        terminal = Terminal(print, typed)
        assert list(terminal.answers()) == [WalkAnswer.STOP]
        assert list(terminal.answers()) == [WalkAnswer.STOP]
    finally:
        os.close(read)


def test_a_terminal_that_is_gone_does_not_end_the_walk() -> None:
    def broken(_line: str) -> None:
        raise BrokenPipeError

    walk = begin_walk(BOARD)
    Terminal(broken, lambda: iter(())).on_prompt(walk, prompt(walk))


# The files and the command


def test_what_stood_there_goes_beside_it_and_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert keep(path, "one") is None
    path.chmod(0o600)
    assert keep(path, "two") == tmp_path / "mine.toml.bak"
    assert keep(path, "three") == tmp_path / "mine.toml.bak2"
    assert [each.read_text() for each in sorted(tmp_path.iterdir())] == ["three", "one", "two"]
    assert path.stat().st_mode & 0o777 == 0o600


def command(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["walk", *map(str, arguments)])


def test_a_simulated_board_is_walked_and_its_description_put_right_in_place(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(bundled("tamsk").text)
    result = command("--simulated", "--quick", "--seed=2", "--wiring", mine, "--out", mine)
    assert result.exit_code == 0, result.output
    assert "   1/23 Press the red button.\n" in result.stdout
    assert "  button.red     swapped   GPIO 6\n" in result.stdout
    assert result.stdout.endswith(f"The description is in {mine}, the one before it in {mine}.bak.\n")
    assert config.load(mine).buttons != BOARD.buttons
    assert config.load(tmp_path / "mine.toml.bak") == BOARD


def test_a_description_that_is_right_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    out.write_text(bundled("table").text)
    result = command("--simulated", "--seed=6", "--board=table", "--out", out)
    assert result.stdout.endswith(f"Everything that was checked is as described.\n{out} already says all that.\n")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "Name one: --wiring for your own description, or --board"),
        (["--board=table", "--wiring=x.toml"], 2, "Name one: --wiring"),
        (["--wiring=x.toml", "--variant=pn532"], 2, "--variant and --size choose among"),
        (["--board=tamsk", "--simulated", "--only=Z9"], 2, "no place 'Z9'; places are named like A1, A2, A3."),
        (["--wiring=/nowhere/x.toml"], 1, "gnomond walk: /nowhere/x.toml: cannot be read"),
        (
            ["--board=table", "--variant=gold"],
            1,
            "gnomond walk: the board table has no variant 'gold'; there are: clock, clock-lights, pn532.",
        ),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    result = command(*arguments, "--out", tmp_path / "out.toml")
    assert result.exit_code == code
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_walk_begins_whose_result_could_not_be_kept(tmp_path: Path) -> None:
    for out, said in ((tmp_path, "is a folder"), (tmp_path / "no" / "x.toml", "There is no folder")):
        result = command("--simulated", "--board=table", "--out", out)
        assert result.exit_code == 1
        assert said in result.stderr
        assert "Press" not in result.stdout


def test_a_machine_without_a_board_is_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gpiozero.pins.lgpio", None)
    result = command("--board=table", "--out", tmp_path / "out.toml")
    assert result.exit_code == 1
    assert result.stderr.startswith("gnomond walk: The library lgpio is missing")


def test_where_there_is_nobody_to_answer_the_walk_stops_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        walk = _walk_wired(begin_walk(replace(bundled("table").board, pins="mock", display=None)))
    assert walk.is_stopped


def test_what_cannot_be_edited_is_said_when_all_has_been_learnt(tmp_path: Path) -> None:
    mine, out = tmp_path / "mine.toml", tmp_path / "out.toml"
    mine.write_text(bundled("tamsk").text.replace("scan_hz = 100", "scan_hz = 100\nmoved = {}"))
    result = command("--simulated", "--wiring", mine, "--out", out)
    assert result.exit_code == 1
    assert "has changed places with" in result.stdout
    assert f"gnomond walk: {mine} is written in a way that cannot be edited here; write by hand: " in result.stderr
    assert not out.exists()
