"""The line protocol `gnomon rules`: one reply line a command, and errors that change nothing."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gnomon.cli import main
from gnomon.cli.game_commands.rules import Talk
from gnomon.games.tamsk.rules import BOARD
from gnomon.rules.registry import rules_of

PROGRAM = [sys.executable, "-c", "from gnomon.cli import main; main()", "rules"]


def talk(**settings: str) -> Talk:
    return Talk(rules_of("tamsk", settings))


def replies(commands: Iterable[str], **settings: str) -> list[str | None]:
    speaker = talk(**settings)
    return [speaker.reply(command.encode()) for command in commands]


def reply(*commands: str, **settings: str) -> str:
    """The reply to the last of these commands."""
    last = replies(commands, **settings)[-1]
    assert last is not None
    return last


def state(*commands: str, **settings: str) -> dict[str, object]:
    text = reply(*commands, "state", **settings)
    assert text.startswith("ok {")
    found: dict[str, object] = json.loads(text.removeprefix("ok "))
    return found


def test_moves_are_sorted_by_byte_value() -> None:
    assert reply("moves", ring="auto") == "ok A4-A3x A4-B4 A4-B5x D1-C1x D1-D2 D1-E1x G4-F4 G4-F5x G4-G3x"
    texts = reply("flip15", "moves", level="3").split()[1:]
    assert texts == sorted(texts, key=str.encode)
    assert texts[-4:] == ["flip15", "lift:A4", "lift:D1", "lift:G4"]


def test_a_game_is_played_taken_back_and_begun_anew() -> None:
    assert replies(["turn", "play D1-D2", "turn", "undo", "turn", "play D1-E1", "new", "turn", "undo"]) == [
        *["ok red", "ok", "ok black", "ok", "ok red", "ok", "ok", "ok red"],
        "error state nothing has been played that could be taken back",
    ]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("fly", "unknown"),
        ("TURN", "unknown"),
        ("Turn", "unknown"),
        ("turn now", "syntax"),
        ("play", "syntax"),
        ("play D1-D2 A1-A2", "syntax"),
        ("play D1D2", "syntax"),
        ("play d1-d2", "syntax"),
        ("play D1-D2=x", "syntax"),
        ("play D1-D3", "illegal"),
        ("play D1-D2x", "illegal"),
        ("play pass", "illegal"),
        ("play lift:D1", "illegal"),
        ("at", "syntax"),
        ("at x", "syntax"),
        ("at -1", "syntax"),
        ("at 1.0000001", "syntax"),
        ("at 1e3", "syntax"),
        ("at 1.", "syntax"),
        ("at .5", "syntax"),
        ("at \N{ARABIC-INDIC DIGIT ONE}", "syntax"),
        ("at nan", "syntax"),
        ("perft", "syntax"),
        ("perft -1", "syntax"),
        ("perft 1.0", "syntax"),
        ("perft \N{SUPERSCRIPT TWO}", "syntax"),
        ("undo", "state"),
        ("undo 1", "syntax"),
        ("quit now", "syntax"),
    ],
)
def test_an_error_has_its_code_and_one_line_and_changes_nothing(command: str, code: str) -> None:
    speaker = talk()
    before = speaker.reply(b"state")
    answer = speaker.reply(command.encode())
    assert answer is not None
    assert answer.startswith(f"error {code} ")
    assert len(answer.splitlines()) == 1
    assert answer.isascii()
    assert speaker.reply(b"state") == before


@pytest.mark.parametrize("line", [b"", b"\n", b"   \r\n", b"# a comment", b"  # a comment", b"#turn"])
def test_empty_lines_and_comments_get_no_reply(line: bytes) -> None:
    assert talk().reply(line) is None


def test_space_around_a_line_does_not_count() -> None:
    assert talk().reply(b" \t turn \r\n") == "ok red"


@pytest.mark.parametrize("line", [b"play \xff", b"\xff\xfe", b"at \xc3"])
def test_a_line_that_is_not_utf_8_is_ill_written(line: bytes) -> None:
    assert talk().reply(line) == "error syntax the line is not UTF-8"


@given(st.binary(max_size=40))
def test_any_line_gets_at_most_one_reply_line(line: bytes) -> None:
    answer = talk(level="3").reply(line)
    assert answer is None or (len(answer.splitlines()) == 1 and answer.startswith(("ok", "error ")))


def test_time_moves_on_and_never_back() -> None:
    assert replies(["at 1.5", "at 1.5", "at 1.499999", "at 1.500001"], level="2") == [
        *["ok", "ok"],
        "error state time does not run backwards: it is 1.5 s already",
        "ok",
    ]
    assert state("at 1.5", level="2")["at"] == 1.5
    assert state("at 2")["at"] == 2
    assert state("at 2", "new")["at"] == 0


def test_undo_takes_back_a_turn_but_not_the_time() -> None:
    found = state("play D1-D2", "play G1-F1", "at 100", "play A4-A3", "at 150", "undo", level="2")
    assert found["at"] == 150
    assert found["turn"] == "red"
    glasses = found["glasses"]
    assert isinstance(glasses, list)
    assert glasses[0] == {"player": "red", "space": "D2", "remaining": 30, "running": True}
    assert glasses[1] == {"player": "red", "space": "A4", "remaining": 0, "running": False}


def test_undo_takes_back_a_lift_too() -> None:
    assert reply("play lift:D1", "undo", "moves", level="3") == reply("moves", level="3")


def test_the_state_is_one_json_object_with_the_keys_of_every_game_and_of_tamsk() -> None:
    found = state("play D1-D2", level="3")
    assert list(found) == [
        *["game", "turn", "at", "over", "winner", "reason", "score"],
        *["rings", "rings_left", "glasses", "timer15"],
    ]
    assert (found["game"], found["turn"], found["over"], found["winner"], found["reason"]) == (
        *("tamsk", "black", False),
        *(None, None),
    )
    assert found["score"] == {"red": 31, "black": 32}
    assert found["rings"] == {name: int(name == "D2") for name in BOARD.names}
    assert found["rings_left"] == {"red": 31, "black": 32}
    assert found["timer15"] == 0


def test_the_state_tells_what_the_timer_has_left() -> None:
    assert state("play flip15", "at 3.25", level="3")["timer15"] == 11.75


def test_a_game_that_is_over_refuses_moves_and_tells_who_won() -> None:
    # Both players go to and fro without a ring: the shortest stall.
    ending = ["play D1-D2=", "play A1-A2=", "play D2-D1="]
    found = state(*ending, stall="3")
    assert (found["turn"], found["over"], found["winner"], found["reason"]) == ("over", True, "draw", "stall")
    assert replies([*ending, "turn", "moves", "perft 1", "play A2-A1", "play oops", "at 5", "undo"], stall="3")[3:] == [
        *["ok over", "ok", "ok 0", "error state the game is over"],
        "error syntax 'oops' is not a TAMSK move such as D1-D2, D1-E1x, D1-D2=, +D2,A1-B2,+C3, +C3, pass or lost",
        *["ok", "ok"],
    ]
    assert state(*ending, "undo", stall="3")["over"] is False


def test_a_game_can_be_won() -> None:
    found = state("play D1-D2", "play A1-A2=", "play D2-D1=", "play A2-A1=", "play D1-D2=", stall="4")
    assert (found["winner"], found["reason"]) == ("red", "stall")


def test_perft_counts_turns_at_this_instant() -> None:
    assert replies([f"perft {turns}" for turns in range(4)]) == ["ok 1", "ok 18", "ok 486", "ok 15444"]
    assert reply("perft 2", level="3") == "ok 486"
    assert reply("play lift:D1", "perft 1", level="3") == "ok 6"


def test_the_command_answers_each_line_at_once_and_ends_with_its_input() -> None:
    with subprocess.Popen([*PROGRAM, "tamsk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for command, answer in ((b"turn\n", b"ok red\n"), (b"play D1-D2\n", b"ok\n"), (b"turn\n", b"ok black\n")):
            process.stdin.write(command)
            process.stdin.flush()
            assert process.stdout.readline() == answer
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait() == 0


def test_quit_ends_the_command() -> None:
    result = CliRunner().invoke(main, ["rules", "tamsk"], input="turn\n\n# hm\nquit\nturn\n")
    assert (result.exit_code, result.stdout) == (0, "ok red\n")


def test_a_reader_that_goes_away_gets_no_traceback() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "tamsk"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, complaint = process.communicate(b"turn\n" * 1000)
    assert complaint == b""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "there is no game 'chess'; the games are"),
        (["tamsk", "--set", "level=4"], "level must be one of 1, 2, 3, not '4'"),
        (["tamsk", "--set", "colour=red"], "TAMSK has no setting 'colour'; its settings are"),
        (["tamsk", "--set", "level"], "a setting is written KEY=VALUE, not 'level'"),
        (["tamsk", "--set", "ring=\n"], r"ring must be one of optional, auto, not '\n'"),
    ],
)
def test_an_unknown_game_or_setting_is_one_line_on_standard_error(arguments: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["rules", *arguments], input="turn\n")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_settings_are_taken_from_the_command_line() -> None:
    result = CliRunner().invoke(main, ["rules", "tamsk", "--set", "level=2", "--set", "ring=auto"], input="perft 4\n")
    assert result.stdout == "ok 2916\n"


def test_gnomon_alone_tells_in_a_few_lines_what_it_can_do() -> None:
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 7
    assert "gnomon rules tamsk" in result.stdout


def test_gnomon_lists_its_commands_and_knows_no_others() -> None:
    assert "rules" in CliRunner().invoke(main, ["--help"]).stdout
    assert CliRunner().invoke(main, ["fly"]).exit_code == 2


def test_the_line_protocol_starts_without_the_web_the_records_and_the_screen() -> None:
    code = (
        "import sys; import gnomon.cli.game_commands.rules; "
        "print(*sorted(m for m in sys.modules if m.startswith('gnomon')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert {name.split(".")[1] for name in loaded if "." in name} == {
        "cli",
        "refusals",
        "rules",
        "timekeeping",
        "words",
    }


def test_while_a_number_may_be_bid_the_moves_are_not_listed() -> None:
    talk = Talk(rules_of("tau", {}))
    assert talk.reply(b"moves") == "ok bid pass"
    assert talk.reply(b"play bid:70") == "ok"
    assert talk.reply(b"moves") == "ok bid pass"
    assert talk.reply(b"play pass") == "ok"
    assert (talk.reply(b"moves") or "").startswith("ok ca cb")


def test_quit_takes_no_word_more() -> None:
    talk = Talk(rules_of("tamsk", {}))
    assert (talk.reply(b"quit now") or "").startswith("error syntax")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is a thing of Linux")
def test_an_output_that_is_full_is_one_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", "from gnomon.cli import main; main()", "rules", "tamsk"],
            input=b"moves\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr.decode().splitlines() == ["Error: the output: No space left on device"]
