"""The command `gnomond doctor` as it is called, and the machine on which it runs."""

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon_pi.cli.daemon import main
from gnomon_pi.cli.doctor import DoctorOptions, Examinee, places, service_folder
from gnomon_pi.config import bundled_text
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers import devices
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.tools.doctor.examination import OF_THE_MACHINE
from gnomon_pi.tools.doctor.here import answer_of, this_machine
from tests.doctor.machines import Ticking


def doctor(*arguments: str) -> Result:
    """Run the command in this process, on a simulated board that is scanned once."""
    return CliRunner().invoke(main, ["doctor", "--simulated", "--scans=1", *arguments])


@pytest.fixture
def no_board() -> str:
    """An option that names no board description, so that only the machine is looked at."""
    return "--wiring=/nowhere/mine.toml"


def test_a_simulated_board_is_looked_at_and_packed(tmp_path: Path) -> None:
    report = tmp_path / "report.zip"
    result = doctor(f"--journal={tmp_path / 'journal'}", f"--bundle={report}")
    assert result.exit_code in (0, 1)  # the machine of the tests may be warned of, as when it is busy
    assert "ok       position       The board is empty." in result.stdout
    assert "\x1b" not in result.stdout
    assert f"The report is in {report}: look through it before you send it" in result.stderr
    with zipfile.ZipFile(report) as packed:
        assert "gnomon-report/README.txt" in packed.namelist()
        assert "The board is empty." in packed.read("gnomon-report/table.txt").decode()


def test_json_is_one_object_with_the_same_exit_code(tmp_path: Path, no_board: str) -> None:
    result = doctor("--json", no_board, f"--journal={tmp_path / 'journal'}")
    told = json.loads(result.stdout)
    assert result.exit_code == told["exit"] == 2
    assert told["findings"][-1]["subject"] == "description"


def test_a_report_never_takes_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "report.zip").write_text("mine")
    result = doctor(f"--bundle={tmp_path / 'report.zip'}")
    assert result.exit_code == 2
    assert (
        result.stderr
        == f"gnomond doctor: {tmp_path / 'report.zip'} is there already: choose another name for --bundle.\n"
    )
    assert (tmp_path / "report.zip").read_text() == "mine"


def test_a_report_that_cannot_be_written_is_one_sentence(tmp_path: Path, no_board: str) -> None:
    result = doctor(no_board, f"--journal={tmp_path / 'journal'}", f"--bundle={tmp_path / 'no' / 'report.zip'}")
    assert result.exit_code == 2
    assert result.stderr.endswith("report.zip cannot be written: No such file or directory.\n")


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_are_for_terminals_and_can_be_refused(
    tmp_path: Path, no_board: str, monkeypatch: pytest.MonkeyPatch, no_color: str, coloured: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    arguments = ["doctor", "--simulated", no_board, f"--journal={tmp_path / 'journal'}"]
    # `color` makes click's runner a terminal.
    result = CliRunner().invoke(main, arguments, color=True)
    assert ("\x1b[31m" in result.stdout) == coloured


def test_the_wired_board_is_opened_with_a_folder_for_its_library_and_paths_that_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    def open_devices(_description: BoardDescription, **_world: object) -> Drivers:
        folders.append(Path(os.environ["LG_WD"]))
        assert folders[0].is_dir()
        os.chdir(folders[0])  # as lgpio does
        message = "The pins cannot be opened."
        raise DriverError(message)

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr(devices, "open_devices", open_devices)
    arguments = ["doctor", "--board=table", "--journal=j", "--bundle=report.zip"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "It cannot be opened: The pins cannot be opened." in result.stdout
    assert (tmp_path / "report.zip").is_file()
    assert not folders[0].exists()
    assert "LG_WD" not in os.environ


def test_the_doctor_speaks_the_language_of_its_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ["doctor", "--simulated", "--json", "--scans=3", f"--journal={tmp_path / 'journal'}"]
    told, german = (json.loads(CliRunner().invoke(main, [*more, *asked]).stdout) for more in ([], ["--language=de"]))
    said = {each["subject"]: each for each in told["findings"]}
    otherwise = {each["subject"]: each for each in german["findings"]}
    assert said["position"]["found"] == "The board is empty."
    assert otherwise["position"]["found"] == "Das Brett ist leer."
    assert said["position"]["code"] == otherwise["position"]["code"] == "doctor.position"


def test_a_folder_that_is_given_to_the_library_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    doctor("--wiring=/nowhere/mine.toml", f"--journal={tmp_path / 'journal'}")
    assert os.environ["LG_WD"] == str(tmp_path)


def test_a_command_that_fails_is_missing_or_slow_answers_nothing() -> None:
    run = answer_of(10)
    assert run([sys.executable, "-c", "print('hello')"]) == "hello\n"
    assert run([sys.executable, "-c", "raise SystemExit(3)"]) is None
    assert run(["no-such-program-anywhere"]) is None
    assert answer_of(0)([sys.executable, "-c", "input()"]) is None


def test_this_machine_tells_of_itself() -> None:
    machine = this_machine(Ticking())
    assert machine.versions["gpiozero"]
    assert machine.versions["gnomon"]
    assert machine.bits in (32, 64)
    assert machine.space(Path("/")).size > 0
    assert machine.may(Path("/"), "read")
    assert machine.data("/nowhere/\0strange") == b""
    assert not machine.has("/nowhere/\0strange")
    lines = machine.lines()
    assert lines is None or all(line.pin < 28 for line in lines)
    assert [
        finding for _, check in OF_THE_MACHINE for finding in check(machine) if not finding.sentence().strip()
    ] == []


# Where it looks


def test_the_installed_service_is_looked_at_unless_another_board_is_asked_for(tmp_path: Path) -> None:
    installed, kept, own = tmp_path / "board.toml", tmp_path / "kept", tmp_path / "own"
    service = (installed, kept)
    nothing = DoctorOptions(None, None, None, simulated=False)
    assert places(nothing, "tamsk", own, service) == Examinee("tamsk", None, own / "tamsk.journal")
    installed.write_text(bundled_text("tayu")[1])
    assert places(nothing, "tamsk", own, service) == Examinee("tayu", installed, kept / "tayu.journal")
    assert places(nothing._replace(board="table"), "tamsk", own, service) == Examinee(
        "table", None, own / "table.journal"
    )
    simulated = places(nothing._replace(simulated=True), "tamsk", own, service)
    assert simulated == Examinee("tamsk", None, own / "tamsk-simulated.journal")
    asked = places(nothing._replace(journal=tmp_path / "j"), "tamsk", own, service)
    assert asked == Examinee("tayu", installed, tmp_path / "j")
    assert asked.describe().board == "tayu"
    assert asked.source() == installed.read_text()


def test_the_user_of_the_service_has_its_games_whatever_board_is_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sudo -u gnomon gnomond doctor --wiring mine.toml` looked for them in a home that this user does not have."""
    mine, kept, own = tmp_path / "mine.toml", tmp_path / "kept", Path("/nonexistent/.local/state/gnomon")
    mine.write_text(bundled_text("tayu")[1])
    kept.mkdir()
    service = (tmp_path / "board.toml", kept)
    asked = DoctorOptions(None, mine, None, simulated=False)
    user = 1234
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert places(asked, "tamsk", own, service).journal == own / "tayu.journal"
    monkeypatch.setattr(Path, "stat", lambda _path, **_options: os.stat_result([0, 0, 0, 0, user, 0, 0, 0, 0, 0]))
    assert places(asked, "tamsk", own, service).journal == kept / "tayu.journal"
    user = 0  # root is nobody's service
    assert places(asked, "tamsk", own, (tmp_path / "none.toml", kept)).journal == own / "tayu.journal"


def test_another_folder_of_the_service_is_remembered(tmp_path: Path) -> None:
    written = tmp_path / "install.conf"
    assert service_folder(written) == Path("/var/lib/gnomon")
    written.write_text("# Written by install.sh.\nstate=/data/gnomon\n")
    assert service_folder(written) == Path("/data/gnomon")
    written.write_text("state=\n")
    assert service_folder(written) == Path("/var/lib/gnomon")


def test_a_description_that_is_wrong_still_has_a_place(tmp_path: Path) -> None:
    found = places(DoctorOptions(None, tmp_path / "none.toml", None, simulated=False), "tamsk", tmp_path)
    assert found == Examinee("tamsk", tmp_path / "none.toml", tmp_path / "tamsk.journal")
    assert found.source() == ""
