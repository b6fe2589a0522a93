"""The tests of the command `gnomon replay`: what it prints where, and how it exits."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "records" / "examples"
GNOMON = str(Path(sys.executable).with_name("gnomon"))

HEADER = b'{"trace": 1, "board": "tamsk", "settings": {"level": 3}}\n'
TIMER_TURNED = (
    b'{"at_us": 2000000, "input": "timer15.north", "value": 0}\n'
    b'{"at_us": 2300000, "input": "timer15.south", "value": 1}\n'
    b'{"at_us": 3000000, "input": "D1.ring1", "value": 0}\n'
)
RULED = {"at_us": 2_300_000, "ruling": "timer15", "by": "black", "until_us": 17_300_000}


def replayed(file: Path | str, stdin: bytes = b"") -> tuple[int, list[object], str]:
    """The exit status, the rulings printed, and what was said on standard error."""
    told = subprocess.run([GNOMON, "replay", str(file)], input=stdin, capture_output=True, check=False)
    return told.returncode, [json.loads(line) for line in told.stdout.splitlines()], told.stderr.decode()


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "trace.jsonl"


def test_a_trace_is_replayed_and_exits_0() -> None:
    status, ruled, said = replayed(EXAMPLES / "level3.jsonl")
    assert (status, said, ruled[0]) == (0, "", RULED)
    assert len(ruled) == 7


def test_a_trace_may_come_from_standard_input() -> None:
    assert replayed("-", HEADER + TIMER_TURNED) == (0, [RULED], "")


@pytest.mark.parametrize("bad", [b"nonsense\n", b'{"at_us": 4000000, "input": "D1.n\xff", "value": 1}\n'])
def test_a_malformed_line_is_named_and_what_was_ruled_before_it_printed(trace: Path, bad: bytes) -> None:
    trace.write_bytes(HEADER + TIMER_TURNED + bad)
    status, ruled, said = replayed(trace)
    assert (status, ruled) == (2, [RULED])
    assert said.startswith(f"Error: {trace}: line 5: this is not ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "line 1: this is not JSON"),
        (b"\x80\x81\x82", "line 1: this is not UTF-8"),
        (HEADER.replace(b"tamsk", b"chess"), 'line 1: there is no board "chess"'),
        (HEADER.replace(b"3", b"4"), "line 1: "),
        (HEADER.replace(b"level", b"speed"), "line 1: "),
    ],
)
def test_what_is_no_trace_is_refused_with_one_sentence(trace: Path, content: bytes, sentence: str) -> None:
    trace.write_bytes(content)
    status, ruled, said = replayed(trace)
    assert (status, ruled) == (2, [])
    assert said.startswith(f"Error: {trace}: {sentence}")
    assert said.count("\n") == 1


def test_a_file_that_is_not_there_is_refused_with_one_sentence(trace: Path) -> None:
    assert replayed(trace) == (2, [], f"Error: {trace} cannot be read: No such file or directory\n")


def test_a_folder_is_refused_with_one_sentence(tmp_path: Path) -> None:
    assert replayed(tmp_path) == (2, [], f"Error: {tmp_path} cannot be read: Is a directory\n")


def test_a_file_that_fails_while_it_is_read_is_refused_with_one_sentence() -> None:
    # The first page of a process's memory is never mapped: reading it fails with EIO.
    status, ruled, said = replayed("/proc/self/mem")
    assert (status, ruled, said) == (2, [], "Error: /proc/self/mem cannot be read: Input/output error\n")


def test_each_ruling_is_printed_at_once() -> None:
    with subprocess.Popen([GNOMON, "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(HEADER + TIMER_TURNED)
        running.stdin.flush()
        assert json.loads(running.stdout.readline()) == RULED
        running.stdin.close()
        assert running.wait() == 0


def test_a_reader_that_goes_away_is_no_failure_of_the_trace() -> None:
    with subprocess.Popen(
        [GNOMON, "replay", str(EXAMPLES / "level1.jsonl")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 1
