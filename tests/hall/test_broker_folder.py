import os
import ssl
import subprocess
from getpass import getuser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from gnomon.cli.hall_commands.hall import hall
from gnomon.hall.broker import _authority as authority
from gnomon.hall.broker import _passwords as passwords
from gnomon.hall.broker.credentials import FolderDoors
from gnomon.hall.broker.folder import BrokerFolder, BrokerSettings, FolderError
from gnomon.hall.messaging.enrolment import Enrolment, code, parse_code, tls_context
from gnomon.web.hall._assembly import Wanted, open_hall
from tests.conftest import FindProgram

SETTINGS = BrokerSettings(("hall.local", "192.0.2.7", "2001:db8::7"), user=getuser())


@pytest.fixture(scope="module")
def laid_out(find_program: FindProgram, tmp_path_factory: pytest.TempPathFactory) -> BrokerFolder:
    """A folder that tests only read."""
    find_program("openssl", package="openssl")
    made = BrokerFolder(tmp_path_factory.mktemp("hall") / "broker")
    made.lay_out(SETTINGS)
    return made


@pytest.fixture
def folder(laid_out: BrokerFolder, tmp_path: Path) -> BrokerFolder:
    """A folder for one test."""
    subprocess.run(["cp", "-r", laid_out.path, tmp_path / "broker"], check=True)
    read = tmp_path / "broker" / "mosquitto.conf"
    read.write_text(read.read_text("utf-8").replace(str(laid_out.path), str(tmp_path / "broker")), "utf-8")
    return BrokerFolder(tmp_path / "broker")


def run(*words: object) -> Result:
    return CliRunner().invoke(hall, [str(word) for word in words])


def texts(folder: BrokerFolder) -> dict[str, str]:
    return {
        str(path.relative_to(folder.path)): path.read_text("utf-8")
        for path in sorted(folder.path.rglob("*"))
        if path.is_file()
    }


# Passwords


@given(st.text(min_size=1, max_size=40))
def test_a_password_is_known_again_and_no_other_is(password: str) -> None:
    kept = passwords.hash_password(password)
    assert passwords.is_right(password, kept)
    assert not passwords.is_right(password + "x", kept)
    assert passwords.hash_password(password) != kept
    assert passwords.parse_passwords(passwords.format_passwords({"t07": kept}), "passwords") == {"t07": kept}


def test_a_hash_of_mosquitto_itself_is_known(find_program: FindProgram, tmp_path: Path) -> None:
    program = find_program("mosquitto_passwd", package="mosquitto")
    list_of_it = tmp_path / "passwords"
    list_of_it.touch(0o600)
    subprocess.run([program, "-b", list_of_it, "t07", "secret"], check=True, capture_output=True)
    kept = passwords.parse_passwords(list_of_it.read_text("utf-8"), "passwords")["t07"]
    assert passwords.is_right("secret", kept)
    assert not passwords.is_right("Secret", kept)


def test_a_hash_of_another_kind_is_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="kind '6', and only 7 is known"):
        passwords.is_right("secret", passwords.hash_password("secret").replace("$7$", "$6$", 1))


# CVE-2018-12551: a line without a hash let everybody in.
@pytest.mark.parametrize("line", ["", "t01", "t01:", "t01:secret", ":$7$101$AAAA$AAAA", "t07:$7$1$AAAA$AAAA"])
def test_a_line_that_is_none_is_refused(line: str) -> None:
    kept = passwords.format_passwords({"t07": passwords.hash_password("secret")})
    with pytest.raises(passwords.PasswordsError, match="passwords:2: is not a user with a hash"):
        passwords.parse_passwords(kept + line + "\n", "passwords")


# Certificates


def shaken(server: authority.Signed, name: str, folder: Path, enrolment: Enrolment) -> None:
    """Let a board and a server with that certificate shake hands. Raises ssl.SSLError."""
    (folder / "server").write_text(server.certificate + server.key, "ascii")
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(folder / "server")
    context = tls_context(enrolment)
    assert context is not None
    # As Python 3.13 does by itself.
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    to_server, to_board = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        context.wrap_bio(to_board, to_server, server_hostname=name),
        serving.wrap_bio(to_server, to_board, server_side=True),
    ]
    while ends:
        for end in list(ends):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            ends.remove(end)


@pytest.mark.parametrize("name", ["hall.local", "192.0.2.7", "2001:db8::7", "localhost", "127.0.0.1"])
def test_the_broker_proves_all_its_names(laid_out: BrokerFolder, tmp_path: Path, name: str) -> None:
    path = laid_out.path
    server = authority.Signed((path / "server.crt").read_text("ascii"), (path / "server.key").read_text("ascii"))
    shaken(server, name, tmp_path, laid_out.enrolment("hub"))


def test_the_broker_does_not_prove_another_name(laid_out: BrokerFolder, tmp_path: Path) -> None:
    path = laid_out.path
    server = authority.Signed((path / "server.crt").read_text("ascii"), (path / "server.key").read_text("ascii"))
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        shaken(server, "other.local", tmp_path, laid_out.enrolment("hub"))


def test_a_board_without_the_day_believes_its_broker_all_the_same(
    laid_out: BrokerFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A certificate that is over for us is one of the future for a board whose clock is behind.
    monkeypatch.setattr(authority, "_DAYS", -1)
    path = laid_out.path
    signer = authority.Signed((path / "ca.crt").read_text("ascii"), (path / "ca.key").read_text("ascii"))
    shaken(authority.server(["hall.local"], signer), "hall.local", tmp_path, laid_out.enrolment("hub"))


def test_without_openssl_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = run("broker", tmp_path / "hall", "--host", "hall.local", "--user", getuser())
    assert (said.exit_code, said.output) == (
        2,
        "Error: openssl, which makes the hall's certificates, is missing: sudo apt-get install openssl\n",
    )


# The folder


def test_nothing_secret_in_the_folder_is_for_others(laid_out: BrokerFolder) -> None:
    open_to_others = [path.name for path in laid_out.path.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    assert set(open_to_others) <= {"ca.crt", ".lock"}
    assert laid_out.path.stat().st_mode & 0o077 == 0
    assert {path.stat().st_uid for path in laid_out.path.rglob("*")} == {os.getuid()}


def test_the_service_is_one_that_systemd_takes(laid_out: BrokerFolder, find_program: FindProgram) -> None:
    find_program("mosquitto", package="mosquitto")
    program = find_program("systemd-analyze", package="systemd")
    unit = laid_out.path / "gnomon-broker.service"
    said = subprocess.run([program, "verify", unit], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert f"{laid_out.path}/mosquitto.conf" in unit.read_text("utf-8")
    assert "{" not in unit.read_text("utf-8") + (laid_out.path / "mosquitto.conf").read_text("utf-8")


def test_laid_out_again_it_keeps_boards_authority_and_passwords(folder: BrokerFolder) -> None:
    folder.enrol(["t01", "t02"], home_assistant=True)
    folder.enrol(["wall"], reader=True)
    before = texts(folder)
    said = run("broker", folder.path, "--host", "other.local", "--port", "8884")
    assert said.exit_code == 0, said.output
    after = texts(folder)
    changed = {name for name, text in before.items() if after[name] != text}
    assert changed == {
        "boards/t01.toml",
        "boards/t02.toml",
        "broker.toml",
        "gnomon-broker.service",  # this folder is a copy and stands elsewhere
        "hub.toml",
        "mosquitto.conf",
        "readers/wall.toml",
        "server.crt",
        "server.key",
    }
    assert folder.settings() == BrokerSettings(("other.local",), 8884, SETTINGS.name, SETTINGS.user)
    assert folder.enrolment("t01").broker == "other.local:8884"
    assert folder.enrolment("hub").broker == "localhost:8884"
    assert folder.enrolment("t01").home_assistant


def test_files_of_another_version_are_named_until_they_are_written_anew(folder: BrokerFolder, tmp_path: Path) -> None:
    folder.enrol(["t01"])
    assert folder.upgrade_warning() is None
    assert run("boards", folder.path).stderr == ""
    for name in ("access", "mosquitto.conf"):
        file = folder.path / name
        file.write_text(file.read_text("utf-8").replace("gnomon", "gnomad"), "utf-8")
        assert name in str(folder.upgrade_warning())
    said = (
        f"The files mosquitto.conf and access in {folder.path}, which the broker reads, "
        "were written by another version of Gnomon or "
    )
    assert run("boards", folder.path).stderr.startswith(said)
    heard: list[str] = []
    with open_hall(Wanted(tmp_path / "data", mqtt=str(folder.path / "hub.toml")), heard.append):
        pass
    assert any(line.startswith(said) for line in heard)
    folder.lay_out(folder.settings())
    assert folder.upgrade_warning() is None
    assert BrokerFolder(tmp_path).upgrade_warning() is None


def test_every_board_has_a_password_of_its_own(folder: BrokerFolder) -> None:
    made = folder.enrol([f"t{number:02}" for number in range(1, 41)])
    hashes = passwords.parse_passwords((folder.path / "passwords").read_text("utf-8"), "passwords")
    assert len({one.password for one in made}) == 40
    assert all(passwords.is_right(one.password, hashes[one.user]) for one in made)
    assert set(hashes) == {"hall/hub", *(one.user for one in made)}
    assert folder.boards() == [one.board for one in made]


def test_who_is_enrolled_is_not_enrolled_by_mistake(folder: BrokerFolder) -> None:
    folder.enrol(["t01"])
    before = texts(folder)
    for names, sentence in (
        (["t02", "t01"], "t01 is enrolled already: --again gives it a new password, and the old one stops working"),
        (["hub"], "hub is the hall itself: give the board another name"),
        (["T1"], "'T1' cannot be the name of a board"),
        (["../t1"], "'../t1' cannot be the name of a board"),
    ):
        with pytest.raises(FolderError) as refused:
            folder.enrol(names)
        assert sentence in str(refused.value)
    assert texts(folder) == before
    first = folder.enrolment("t01")
    (again,) = folder.enrol(["t01"], again=True)
    assert folder.enrolment("t01") == again != first


def test_a_board_that_becomes_a_reader_is_no_board_any_more(folder: BrokerFolder) -> None:
    folder.enrol(["t01"])
    folder.enrol(["t01"], again=True, reader=True)
    assert (folder.boards(), folder.readers()) == ([], ["t01"])


def test_nobody_is_revoked_by_half(folder: BrokerFolder) -> None:
    folder.enrol(["t01", "t02"])
    for names in (["t01", "t03"], ["t01", "hub"]):
        with pytest.raises(FolderError, match="not enrolled here, so nothing was changed"):
            folder.revoke(names)
    assert folder.boards() == ["t01", "t02"]
    folder.revoke(["t01", "t02"])
    assert folder.boards() == []
    assert set(passwords.parse_passwords((folder.path / "passwords").read_text("utf-8"), "")) == {"hall/hub"}


def test_a_folder_is_told_from_any_other(tmp_path: Path) -> None:
    assert not BrokerFolder(tmp_path).is_there
    for words in (("boards", tmp_path), ("enrol", tmp_path, "t01"), ("revoke", tmp_path, "t01"), ("sheet", tmp_path)):
        said = run(*words)
        assert said.exit_code == 2
        assert said.output.startswith(f"Error: {tmp_path} is not the folder of a broker: `gnomon hall broker")
    for text in ("hosts = 7\n", f"hosts = {'[' * 5_000}", f"{'a.' * 30_000}a = 1"):
        (tmp_path / "broker.toml").write_text(text, "utf-8")
        assert "broker.toml: is not as `gnomon hall broker` wrote it" in run("boards", tmp_path).output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name the machine of the broker as the boards reach it, such as --host hall.local"),
        (("--host", "hall.local:8883"), "'hall.local:8883' is not the name of a machine"),
        (("--host", "no name"), "'no name' is not the name of a machine"),
        (("--host", "a", "--name", "Z\u00fcrich\n"), "cannot be the name of a hall"),
        (("--host", "a", "--user", "nobody-of-that-name"), "this machine has no user 'nobody-of-that-name'"),
    ],
)
def test_a_mistake_in_the_settings_is_one_sentence(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    given = words if "--user" in words else (*words, "--user", getuser())
    said = run("broker", tmp_path / "hall", *given)
    assert said.exit_code == 2
    assert sentence in said.output
    assert not (tmp_path / "hall").exists()


def test_who_is_enrolled_or_revoked_is_so_at_once(folder: BrokerFolder) -> None:
    doors = FolderDoors(folder)
    (first,) = folder.enrol(["t01"])
    folder.enrol(["wall"], reader=True)
    assert doors.lets_in("hall/t01", first.password)
    assert doors.may_read("hall/wall", "gnomon/1/t01/state")
    (second,) = folder.enrol(["t01"], again=True)
    assert doors.have_changed()
    assert not doors.have_changed()
    assert [doors.lets_in("hall/t01", one.password) for one in (first, second)] == [False, True]
    folder.revoke(["t01"])
    assert doors.have_changed()
    assert not doors.lets_in("hall/t01", second.password)


def test_lists_that_cannot_be_read_change_nothing(folder: BrokerFolder) -> None:
    (made,) = folder.enrol(["t01"])
    doors = FolderDoors(folder)
    (folder.path / "passwords").write_text("nonsense\n", "utf-8")
    assert not doors.have_changed()
    (folder.path / "passwords").unlink()
    assert not doors.have_changed()
    assert doors.lets_in("hall/t01", made.password)


def test_a_broken_list_of_passwords_is_not_made_worse(folder: BrokerFolder) -> None:
    path = folder.path / "passwords"
    path.write_text(path.read_text("utf-8") + "t01\n", "utf-8")
    with pytest.raises(FolderError, match="passwords:2: is not a user with a hash"):
        folder.enrol(["t02"])
    assert folder.boards() == []


# The commands


def test_boards_are_enrolled_listed_and_put_out_by_the_command_line(folder: BrokerFolder, tmp_path: Path) -> None:
    assert run("boards", folder.path).output == "Nobody is enrolled yet.\n"
    assert "no board is enrolled" in run("sheet", folder.path).output
    said = run("enrol", folder.path, "t01", "t02")
    assert said.output.splitlines()[:2] == [f"{name}: {folder.path}/boards/{name}.toml" for name in ("t01", "t02")]
    assert "systemctl reload" in said.output
    run("enrol", folder.path, "home-assistant", "--reader")
    assert run("boards", folder.path).output == "t01\nt02\nhome-assistant  read-only\n"
    shown = run("code", folder.path, "t02").output.splitlines()
    assert parse_code(shown[-1]) == folder.enrolment("t02")
    page = tmp_path / "sheet.html"
    assert run("sheet", folder.path, "-o", page).output == f"{page}: 2 codes; keep them to yourself\n"
    assert page.stat().st_mode & 0o777 == 0o600
    assert page.read_text("utf-8").count("<svg") == 2
    assert run("sheet", folder.path, "t01").output.count("<svg") == 1
    assert "t09: not enrolled here" in run("code", folder.path, "t09").output
    assert run("revoke", folder.path, "t01").exit_code == 0
    assert run("boards", folder.path).output == "t02\nhome-assistant  read-only\n"


# Several processes of one hall


def test_each_process_of_a_hall_has_a_user_and_rights_of_its_own(folder: BrokerFolder) -> None:
    before = folder.enrolment("hub").password
    told = run("broker", folder.path, "--hubs", "2", "--recorders", "2")
    assert told.exit_code == 0, told.output
    assert (folder.settings().hubs, folder.settings().recorders) == (2, 2)
    processes = ("hub", "hub-2", "recorder-1", "recorder-2")
    users = [f"hall/{name}" for name in processes]
    assert [folder.enrolment(name).user for name in processes] == users
    assert folder.enrolment("hub").password == before
    assert len({folder.enrolment(name).password for name in processes}) == 4
    assert set(users) <= {*folder.hashes()}
    access = folder.access()
    for hub in users[:2]:
        assert access.may(hub, "write", "gnomon/1/t01/request")
    for recorder in users[2:]:
        assert access.may(recorder, "read", "gnomon/1/t01/records")
        assert access.may(recorder, "write", "gnomon/1/t01/ack")
        assert not access.may(recorder, "write", "gnomon/1/t01/request")
        assert not access.may(recorder, "read", "gnomon/1/t01/live")
    assert run("broker", folder.path, "--hubs", "1", "--recorders", "0").exit_code == 0
    assert "hall/hub-2" not in folder.hashes()
    assert not (folder.path / "recorder-1.toml").exists()
    assert folder.enrolment("hub").password == before


def test_a_board_and_a_process_of_the_hall_do_not_share_a_name(folder: BrokerFolder) -> None:
    folder.enrol(["hub-2"])
    assert "hub-2 is the hall itself" in run("broker", folder.path, "--hubs", "2").output
    assert folder.settings().hubs == 1
    assert run("broker", folder.path, "--recorders", "1").exit_code == 0
    assert "recorder-1 is the hall itself" in run("enrol", folder.path, "recorder-1").output


def test_a_folder_of_an_older_version_has_one_hub(folder: BrokerFolder) -> None:
    written = folder.path / "broker.toml"
    lines = [line for line in written.read_text("utf-8").splitlines() if not line.startswith(("hubs", "recorders"))]
    written.write_text("\n".join(lines), "utf-8")
    assert folder.settings().processes == ("hub",)


# The name of the hall


def test_boards_are_enrolled_for_the_hall_by_name_or_for_protocol_1(folder: BrokerFolder) -> None:
    assert run("broker", folder.path, "--hall", "north").exit_code == 0
    assert run("enrol", folder.path, "t01").exit_code == 0
    assert run("enrol", folder.path, "--protocol-1", "t02").exit_code == 0
    told = {name: (folder.enrolment(name).protocol, folder.enrolment(name).hall) for name in ("hub", "t01", "t02")}
    assert told == {"hub": (2, "north"), "t01": (2, "north"), "t02": (1, "")}
    assert folder.enrolment("hub").understands_former
    assert not folder.enrolment("t01").understands_former
    assert run("broker", folder.path, "--port", "8884").exit_code == 0
    assert {name: folder.enrolment(name).hall for name in told} == {"hub": "north", "t01": "north", "t02": ""}


def test_rights_are_those_of_one_hall_in_both_protocols(folder: BrokerFolder) -> None:
    run("broker", folder.path, "--hall", "north", "--recorders", "1")
    folder.enrol(["t01"], home_assistant=True)
    folder.enrol(["wall"], reader=True)
    access = folder.access()
    for prefix in ("gnomon/1", "gnomon/2/north"):
        board = "t01" if prefix == "gnomon/1" else "north/t01"
        assert access.may("north/hub", "write", f"{prefix}/t01/request")
        assert access.may(board, "write", f"{prefix}/t01/records")
        assert access.may(board, "read", f"{prefix}/t01/ack")
        assert not access.may(board, "write", f"{prefix}/t02/records")
        assert access.may("north/recorder-1", "read", f"{prefix}/t01/records")
        assert access.may("north/recorder-1", "write", f"{prefix}/t01/ack")
        assert access.may("north/wall", "read", f"{prefix}/t01/state")
        assert not access.may("north/wall", "read", f"{prefix}/t01/live")
    assert access.may("north/t01", "write", "homeassistant/sensor/north_t01/phase/config")
    for user in ("north/hub", "north/t01", "t01", "north/recorder-1", "north/wall"):
        for kind in ("status", "state", "records", "request", "ack"):
            assert not access.may(user, "read", f"gnomon/2/south/t01/{kind}")
            assert not access.may(user, "write", f"gnomon/2/south/t01/{kind}")


def test_a_folder_of_an_older_version_knows_protocol_1_until_it_is_laid_out_again(folder: BrokerFolder) -> None:
    written = folder.path / "broker.toml"
    lines = [line for line in written.read_text("utf-8").splitlines() if not line.startswith("hall")]
    written.write_text("\n".join(lines), "utf-8")
    assert folder.upgrade_warning() is not None, "the lists name a hall that the settings do not"
    (enrolled,) = folder.enrol(["t01"])
    assert (enrolled.protocol, folder.settings().hall) == (1, "")
    assert "gnomon/2" not in folder.access().acl_text()
    assert run("broker", folder.path).exit_code == 0
    assert folder.settings().hall == "hall"
    assert folder.enrolment("t01").protocol == 1
    assert folder.enrolment("hub").hall == "hall"
    assert folder.enrol(["t02"])[0].protocol == 2


def test_a_hall_with_a_name_that_topics_cannot_have_is_refused(folder: BrokerFolder) -> None:
    said = run("broker", folder.path, "--hall", "Halle 3")
    assert said.exit_code == 2
    assert "'Halle 3' cannot be the name of a hall" in said.output


def test_two_halls_of_one_broker_have_boards_of_one_name(folder: BrokerFolder) -> None:
    assert run("broker", folder.path, "--hall", "north", "--other-hall", "south", "--recorders", "1").exit_code == 0
    told = run("enrol", folder.path, "t01", "t01@south")
    assert (told.exit_code, "boards/t01@south.toml" in told.output) == (0, True)
    assert folder.boards() == ["t01", "t01@south"]
    names = ("hub", "recorder-1", "hub@south", "recorder-1@south", "t01", "t01@south")
    made = {name: folder.enrolment(name) for name in names}
    assert [one.user for one in made.values()] == [
        f"{hall}/{name}"
        for hall, name in (
            *(("north", "hub"), ("north", "recorder-1"), ("south", "hub"), ("south", "recorder-1")),
            *(("north", "t01"), ("south", "t01")),
        )
    ]
    assert [made[name].hall for name in ("hub", "hub@south", "t01@south")] == ["north", "south", "south"]
    assert [made[name].understands_former for name in ("hub", "hub@south")] == [True, False]
    assert len({one.password for one in made.values()}) == len(names)
    assert parse_code(code(made["t01@south"])) == made["t01@south"]
    doors = FolderDoors(folder)
    assert all(doors.lets_in(one.user, one.password) for one in made.values())
    access = folder.access()
    for named, other in (("north", "south"), ("south", "north")):
        assert access.may(f"{named}/hub", "write", f"gnomon/2/{named}/t01/request")
        assert access.may(f"{named}/hub", "read", f"gnomon/2/{other}/t01/state")
        assert not access.may(f"{named}/hub", "read", f"gnomon/2/{other}/t01/records")
        assert not access.may(f"{named}/hub", "write", f"gnomon/2/{other}/t01/request")
        assert access.may(f"{named}/t01", "write", f"gnomon/2/{named}/t01/state")
        assert not access.may(f"{named}/t01", "write", f"gnomon/2/{other}/t01/state")
        assert not access.may(f"{named}/recorder-1", "read", f"gnomon/2/{other}/t01/records")
    assert access.may("north/hub", "read", "gnomon/1/t01/state")
    assert not access.may("south/hub", "read", "gnomon/1/t01/state"), "protocol 1 is the first hall's"
    assert run("revoke", folder.path, "t01@south").exit_code == 0
    assert (folder.boards(), "south/t01" in folder.hashes()) == (["t01"], False)
    assert run("broker", folder.path, "--port", "8885").exit_code == 0
    assert folder.settings().other_halls == ("south",)


def test_a_hall_that_the_folder_does_not_have_takes_no_boards(folder: BrokerFolder) -> None:
    run("broker", folder.path, "--hall", "north", "--other-hall", "south")
    for words, sentence in (
        (("t01@east",), "names a hall that this folder does not have"),
        (("t01@north",), "names a hall that this folder does not have"),
        (("--protocol-1", "t01@south"), "cannot speak protocol 1"),
    ):
        assert sentence in run("enrol", folder.path, *words).output
    assert "two halls of one broker are called north" in run("broker", folder.path, "--other-hall", "north").output
    assert folder.boards() == []


def test_a_hall_that_is_called_otherwise_keeps_its_passwords(folder: BrokerFolder) -> None:
    (before,) = folder.enrol(["t01"])
    assert run("broker", folder.path, "--hall", "north").exit_code == 0
    after = folder.enrolment("t01")
    assert (after.user, after.hall, after.password) == ("north/t01", "north", before.password)
    assert FolderDoors(folder).lets_in("north/t01", before.password)
    assert set(folder.hashes()) == {"north/hub", "north/t01"}
