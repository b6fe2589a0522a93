import os
import pwd
import sys
from getpass import getuser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.hall.messaging import enrolment
from gnomon.hall.messaging.enrolment import Enrolment
from gnomon_pi.cli.join import FILE, join
from gnomon_pi.cli.join import _daemon as owner
from tests.hall.test_enrolment import T07


def run(to: Path, *words: str, typed: str = "") -> Result:
    return CliRunner().invoke(join, [*words, "--to", str(to)], input=typed)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "etc" / "hall.toml"


def test_a_board_joins_by_the_code_that_it_is_given(file: Path) -> None:
    said = run(file, enrolment.code(T07))
    assert said.exit_code == 0, said.output
    assert enrolment.read(file) == T07
    assert file.stat().st_mode & 0o777 == 0o600
    assert f"This board is t07 in the hall at hall.local:8883 ({file})." in said.output
    assert f"--hall {file}" in said.output
    assert T07.password not in said.output


def test_a_board_joins_by_the_code_that_is_scanned_or_piped(file: Path) -> None:
    assert run(file, typed=f"{enrolment.code(T07).lower()}\n").exit_code == 0
    assert enrolment.read(file) == T07
    other = Enrolment("192.0.2.7", 8883, "t08", "secret", "system")
    assert run(file, "-", typed=f"{enrolment.code(other)}\r\n").exit_code == 0
    assert enrolment.read(file) == other


def test_a_board_joins_by_a_file(file: Path, tmp_path: Path) -> None:
    enrolment.keep(tmp_path / "t07.toml", T07)
    assert run(file, "--file", str(tmp_path / "t07.toml")).exit_code == 0
    assert enrolment.read(file) == T07


def test_what_is_wrong_is_one_sentence_and_changes_nothing(file: Path) -> None:
    run(file, enrolment.code(T07))
    for words, sentence in (
        ((enrolment.code(T07)[:-4],), "gnomond join: the code: is damaged or not whole: scan it again\n"),
        (("--file", "/no/file"), "gnomond join: /no/file: cannot be read: No such file or directory\n"),
    ):
        said = run(file, *words)
        assert (said.exit_code, said.output) == (1, sentence)
    assert run(file, "x", "--leave").exit_code == 2
    assert enrolment.read(file) == T07


def test_a_board_leaves_its_hall(file: Path) -> None:
    run(file, enrolment.code(T07))
    assert "leaves its hall" in run(file, "--leave").output
    assert not file.exists()
    again = run(file, "--leave")
    assert (again.exit_code, again.output) == (0, f"This board is in no hall: there is no {file}.\n")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "etc").touch()
    said = run(tmp_path / "etc" / "hall.toml", enrolment.code(T07))
    assert said.exit_code == 1
    assert "hall.toml: cannot be written: " in said.output


def test_the_file_of_a_service_is_its_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = sys.modules["gnomon_pi.cli.join"]
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(module, "_SERVICE", getuser())
    user = pwd.getpwnam(getuser())
    assert owner(FILE) == (user.pw_uid, user.pw_gid)
    assert owner(tmp_path / "hall.toml") is None
    monkeypatch.setattr(module, "_SERVICE", "no-such-user")
    assert owner(FILE) is None
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert owner(FILE) is None


def test_a_board_joins_without_the_library_of_the_broker(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == "paho"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "paho", None)
    assert run(file, enrolment.code(T07)).exit_code == 0
