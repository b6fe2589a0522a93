"""The accuracy report: each figure from what was measured, and one sentence where nothing can be said."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from gnomon.records.journal.entries import Entry, EntryKind, Record
from gnomon.records.journal.store import JournalError
from gnomon.timekeeping.instants import MILLISECOND, MINUTE, SECOND, Duration, Instant
from gnomon_pi import config
from gnomon_pi.cli.daemon import main
from gnomon_pi.runtime.system import clock as watch
from gnomon_pi.runtime.system.clock import Compared, Discipline, Watch
from gnomon_pi.simulated import answers
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.accuracy._idle import IdleFigures, Rate, Spread, rate, watch_at_rest
from gnomon_pi.tools.accuracy.report import Answers, Findings, answers_in, answers_of, machine_facts, report

KEPT = Discipline(is_synchronised=True, most_wrong=2_000, correction_ppm=-12.5)
ADRIFT = Discipline(is_synchronised=False, most_wrong=16_000_000, correction_ppm=0.0)


def readings(ppm: float, seconds: int, step: int = 0) -> list[Compared]:
    """Both clocks every 5 s, the raw one fast by `ppm`; the wall clock is set in the middle by `step` ns."""
    found = []
    for second in range(0, seconds + 1, 5):
        raw = round(second * 1e9 * (1 + ppm / 1e6))
        found.append(Compared(raw, second * 10**9 + (step if second > seconds / 2 else 0), 300))
    return found


# The clock


@given(st.floats(-200, 200), st.sampled_from([60, 600, 3600]))
def test_the_rate_of_the_raw_clock_is_found_within_its_uncertainty(ppm: float, seconds: int) -> None:
    found = rate(readings(ppm, seconds), KEPT, KEPT)
    assert isinstance(found, Rate)
    assert abs(found.ppm - ppm) < 0.1
    assert found.uncertainty == pytest.approx(4_000 / seconds, rel=0.01)
    assert found.seconds == pytest.approx(seconds, rel=0.001)


@pytest.mark.parametrize(
    ("seen", "before", "after", "said"),
    [
        (readings(20, 60), KEPT, ADRIFT, "No time server keeps the wall clock"),
        (readings(20, 60), None, KEPT, "The kernel does not say"),
        (readings(20, 60, step=6_000_000), KEPT, KEPT, "was set while it was watched"),
        (readings(20, 0), KEPT, KEPT, "compared only once"),
    ],
)
def test_where_nothing_can_be_said_of_the_rate_one_sentence_says_why(
    seen: list[Compared], before: Discipline | None, after: Discipline | None, said: str
) -> None:
    found = rate(seen, before, after)
    assert isinstance(found, str)
    assert said in found


def test_the_watch_reads_both_clocks_together_and_asks_the_kernel() -> None:
    first, second = watch.compare_clocks(), watch.compare_clocks()
    assert 0 < second.raw - first.raw < 10**9
    assert 0 <= first.apart < 10**8
    told = watch.discipline()
    assert told is None or told.most_wrong >= 0


# Figures


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=300))
def test_percentiles_are_of_what_was_measured_and_in_order(durations: list[int]) -> None:
    spread = Spread.of(durations)
    assert spread is not None
    assert spread.median <= spread.most <= spread.nearly_all <= spread.worst == max(durations)
    assert set(spread[1:]) <= set(durations)
    assert sum(each <= spread.median for each in durations) * 2 >= len(durations)


def test_of_nothing_there_is_no_spread() -> None:
    assert Spread.of([]) is None


# At rest


def at_rest(board: SimulatedBoard, clock: VirtualWatch, seconds: int, late: Duration = Duration(0)) -> IdleFigures:
    def wait(_: Watch, instant: Instant) -> None:
        clock.go_to(Instant(instant + late))

    seen = iter(range(10**6))
    return watch_at_rest(
        board.drivers,
        board.description.inputs,
        clock,
        Duration(seconds * SECOND),
        wait=wait,
        compare=lambda: Compared(next(seen), 0, 0),
    )


@pytest.fixture
def clock() -> VirtualWatch:
    return VirtualWatch()


@pytest.fixture
def board(clock: VirtualWatch) -> SimulatedBoard:
    return SimulatedBoard(config.load_bundled("tamsk"), now=clock.now, later=clock.later)


def test_a_board_at_rest_gives_no_edge_and_says_what_stood_on_it(clock: VirtualWatch, board: SimulatedBoard) -> None:
    board.set_input("D1.north", True)
    found = at_rest(board, clock, 11)
    assert not found.edges
    assert (found.first, found.scans, found.missed, found.failed) == (frozenset({"D1.north"}), 1_100, 0, 0)
    assert len(found.readings) == 4


def test_every_edge_that_nobody_made_is_counted_by_its_input(clock: VirtualWatch, board: SimulatedBoard) -> None:
    for second, value in ((1, True), (2, False)):
        clock.later(second, lambda value=value: board.set_input("D4.south", value))  # type: ignore[misc]  # a default
        clock.later(second, lambda value=value: board.set_input("button.red", value))  # type: ignore[misc]  # mypy cannot tell the type of a default
    assert at_rest(board, clock, 3).edges == {"D4.south": 2, "button.red": 2}


def test_late_and_failing_scans_are_told(clock: VirtualWatch, board: SimulatedBoard) -> None:
    board.break_sensors(register=3)
    found = at_rest(board, clock, 1, Duration(25 * MILLISECOND))
    assert found.late is not None
    assert (found.late.worst, found.failed) == (25 * MILLISECOND, found.scans)
    assert found.missed == 2 * found.scans


# Answers


def entry(kind: EntryKind, at: int, body: dict[str, object], milliseconds: int) -> Record:
    wall = f"2026-11-20T10:00:{milliseconds // 1000:02d}.{milliseconds % 1000:03d}+00:00"
    return Record(1, Entry(1, kind, Instant(at), body, "boot", wall))


def test_a_journal_tells_how_late_each_ruling_was_decided() -> None:
    begun = entry(EntryKind.NOTE, 0, {"note": "begun", "origin_us": 5}, 0)
    turn = entry(EntryKind.RULING, 2_000_000, {"ruling": "turn"}, 2_030)
    stopped = entry(EntryKind.RULING, 4_000_000, {"ruling": "stopped"}, 4_105)
    paused = entry(EntryKind.RULING, 4_000_000, {"ruling": "paused"}, 4_105)
    asked = entry(EntryKind.RULING, 5_000_000, {"ruling": "turn"}, 4_900)
    resumed = entry(EntryKind.NOTE, 6_000_000, {"note": "resumed"}, 30_000)
    after = entry(EntryKind.RULING, 7_000_000, {"ruling": "turn"}, 40_000)
    told = answers_of([turn, begun, turn, stopped, paused, asked, resumed, after])
    assert told == Answers((30_000,), (105_000,))


def test_the_daemons_answers_come_after_the_fact_and_not_before_what_is_waited_on_purpose() -> None:
    told = answers.measure(2, 1, Random(1))
    assert len(told.touches) == 2
    assert min(told.touches) >= 21 * MILLISECOND
    assert min(told.expiries) >= 100 * MILLISECOND


# The report


def findings(**changes: Any) -> Findings:
    rest = IdleFigures(Duration(10 * MINUTE), 60_000, 1, 0, Spread.of([100, 200]), {}, frozenset({"D1.north"}), ())
    usual: dict[str, object] = {
        "date": "2026-11-20",
        "board": "tamsk",
        "simulated": False,
        "machine": {"machine": "Raspberry Pi 4"},
        "rate": Rate(-12.34, 0.5, 600),
        "discipline": KEPT,
        "rest": rest,
        "answers": Answers((25_000,), ()),
        "journal": False,
    }
    return Findings(**{**usual, **changes})


def test_the_report_gives_each_figure_and_what_it_does_not_say() -> None:
    text = report(findings())
    assert "CLOCK_MONOTONIC_RAW is **12.3 ppm slow, ± 0.5 ppm**, over 600 s." in text
    assert "In 180 s that is 2.2 ms" in text
    assert "-12.5 ppm" in text
    assert "**No edge** in 10.0 minutes" in text
    assert "fewer than 0.3 a minute" in text
    assert "| press of a button to ruling shown | 1 | 25.0 ms |" in text
    assert "| glass empty to ruling shown | none |" in text
    assert "the lateness decides nothing" in text


@pytest.mark.parametrize(
    ("watched", "length", "fewer"),
    [
        (1_200_000, "1.2 seconds", "150"),
        (120_000, "0.12 seconds", "1500"),
        (45 * SECOND, "45 seconds", "4"),
        (MINUTE, "1.0 minutes", "3"),
        (30 * 24 * 60 * MINUTE, "43200.0 minutes", "0.000069"),
    ],
)
def test_however_long_was_watched_the_report_says_it_in_plain_numbers(watched: int, length: str, fewer: str) -> None:
    text = report(findings(rest=IdleFigures(Duration(watched), 120, 0, 0, None, {}, frozenset(), ())))
    assert f"**No edge** in {length}; 0 inputs" in text
    assert f"fewer than {fewer} a minute." in text


def test_the_report_of_a_noisy_board_names_its_inputs_worst_first() -> None:
    noisy = IdleFigures(Duration(MINUTE), 6_000, 0, 3, None, {"A1.north": 2, "D4.ring1": 9}, frozenset(), ())
    text = report(findings(rest=noisy, simulated=True, journal=True, rate="Nothing.", discipline=None))
    assert text.index("| `D4.ring1` | 9 |") < text.index("| `A1.north` | 2 |")
    assert "**11 edges** in 1.0 minutes" in text
    assert "Read from the journal" in text
    assert "Nothing.\nSo this report does not say how long a second" in text
    assert "drivers and scans add none" in text


def test_the_machine_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    assert machine_facts(model=tmp_path / "model")["machine"] == "Raspberry Pi 4 Model B Rev 1.5"
    (tmp_path / "processors").write_text("processor\t: 0\nmodel name\t: A Fast One\n")
    nothing = tmp_path / "nothing"
    told = machine_facts(nothing, tmp_path / "processors", nothing)
    assert told["machine"] == "A Fast One"
    assert "clock of the kernel" not in told
    assert machine_facts(nothing, nothing, nothing)["machine"]


# The command


def accuracy(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["accuracy", *arguments])


def test_the_command_writes_the_report(tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    result = accuracy("--simulated", "--minutes=0.002", f"--out={out}", "--touches=1", "--expiries=1")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith(f"The report is in {out}.\n")
    text = out.read_text(encoding="utf-8")
    assert text.startswith("# Accuracy\n\nMeasured on ")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## The clock that measures",
        "## Scans",
        "## With nobody touching",
        "## From the fact to the ruling",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out=/dev/null/report.md",), "/dev/null/report.md cannot be written"),
        (("--wiring=nowhere.toml",), "nowhere.toml: cannot be read"),
        (("--journal=nowhere.journal",), "nowhere.journal"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    given = arguments if arguments[0].startswith("--out") else (*arguments, f"--out={tmp_path / 'report.md'}")
    result = accuracy("--simulated", "--minutes=0.002", *given)
    assert result.exit_code == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())  # no empty report is left behind


def test_minutes_that_are_no_number_are_refused(tmp_path: Path) -> None:
    result = accuracy("--simulated", "--minutes=nan", f"--out={tmp_path / 'report.md'}")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert result.stderr.endswith("'nan' is not a number.\n")


def test_a_daemon_that_does_not_answer_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object) -> Answers:
        raise TimeoutError

    monkeypatch.setattr(answers, "measure", silent)
    result = accuracy("--simulated", "--minutes=0.002", f"--out={tmp_path / 'report.md'}")
    assert result.exit_code == 1
    assert "gave no answer for 10 s" in result.stderr.splitlines()[-1]


def test_a_journal_without_a_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nothing"):
        answers_in(tmp_path / "nothing")
