"""install.sh as far as it can be tried without installing: what it refuses, and what it would do.

The whole story is told in a Debian root by `install_stage.py`.
"""

import re
import subprocess
from pathlib import Path

import pytest

from gnomon_pi.config import examine_board
from gnomon_pi.config.boot_lines import boot_lines
from tests.conftest import FindProgram
from tests.service.debian_root import CONFIG_TXT

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "install.sh"
BOARDS = ROOT / "firmware/gnomon_pi/boards"


def bundled_names() -> list[str]:
    return sorted(path.stem for path in BOARDS.glob("*.toml"))


def install(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run install.sh in a way that changes nothing."""
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bogus"], "I do not know bogus."),
        (["--dry"], "I do not know --dry."),
        (["update", "remove"], "One thing at a time: update or remove."),
        (["--board"], "--board needs a value."),
        (["--board", "../tamsk"], "--board takes a name such as tamsk."),
        (["--state", "data"], "--state takes a folder by its whole path, such as /data/gnomon."),
        (["--state", "/"], "--state takes a folder by its whole path, such as /data/gnomon."),
        (["--state", "/my games"], "--state takes letters, digits, and / . _ - only."),
        (["install", "--purge"], "--purge goes with remove."),
    ],
)
def test_wrong_use_is_said_in_one_sentence(arguments: list[str], said: str) -> None:
    ran = install(*arguments, "--dry-run") if arguments != ["--board"] else install("--dry-run", *arguments)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"install.sh: {said} See ./install.sh --help.\n")


def test_a_folder_that_does_not_hold_gnomon_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        ran = install("--dry-run", "--from", folder)
        assert ran.returncode == 1
        assert re.fullmatch(r"install\.sh: .*(does not hold Gnomon: .*|There is no folder .*)\n", ran.stderr)


@pytest.mark.skipif(Path("/opt/gnomon").exists(), reason="Gnomon is installed on this machine")
class TestOnAMachineWithoutGnomon:
    def test_a_dry_run_goes_through_every_step_and_needs_no_rights(self) -> None:
        ran = install("--dry-run", "--simulated")
        assert ran.returncode == 0, ran.stderr
        steps = ("python3-venv", "user gnomon", "installed version", "board.toml", "gnomond.service", "restarted")
        places = [ran.stdout.find(step) for step in steps]
        assert places == sorted(places)
        assert -1 not in places
        assert "  done " not in ran.stdout
        assert ran.stdout.endswith(":8765/\n")
        assert not Path("/opt/gnomon").exists()

    def test_a_board_that_is_not_there_is_refused_before_anything_is_done(self) -> None:
        ran = install("--dry-run", "--board", "tamsk-board")
        assert (ran.returncode, ran.stdout) == (1, "")
        said, _, names = ran.stderr.removesuffix(".\n").partition("; there are: ")
        assert said == "install.sh: There is no board tamsk-board"
        assert sorted(names.split()) == bundled_names()
        assert install("--dry-run", "--board", "tamsk-boards").returncode == 0

    def test_there_is_nothing_to_update_to_go_back_to_or_to_remove(self) -> None:
        assert (
            install("update", "--dry-run").stderr == "install.sh: Gnomon is not installed here yet: sudo ./install.sh\n"
        )
        assert install("rollback", "--dry-run").stderr == "install.sh: There is no version to go back to.\n"
        assert install("remove", "--dry-run").returncode == 0
        assert install("status").stdout == "Gnomon is not installed.\n"


def sources_of_a_stranger(folder: Path, ran: Path) -> Path:
    """Something that passes for Gnomon, in a repository whose configuration names a program for all that git does."""
    trap = folder / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    trap.chmod(0o755)
    source = folder / "source"
    source.mkdir()
    (source / "pyproject.toml").write_text('[project]\nname = "gnomon"\nversion = "9.9"\n', encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        (source / name).write_text("text", encoding="utf-8")
    for name in ("companion", "firmware"):
        (source / name).mkdir()
    for module in ("lgpio", "spidev", "sys", "argon2", "venv"):  # what Python would import from the current folder
        (source / f"{module}.py").write_text(f"open({str(ran)!r}, 'w')", encoding="utf-8")
    (source / ".gitattributes").write_text("* filter=trap diff=trap\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", source], check=True)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.trap.clean", "diff.trap.command"):
        subprocess.run(["git", "-C", source, "config", key, str(trap)], check=True)
    return source


def test_a_dry_run_runs_no_program_of_the_folder_that_it_is_shown(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    source = sources_of_a_stranger(tmp_path, ran)
    for folder in (tmp_path, source):
        done = subprocess.run(
            [SCRIPT, "--dry-run", "--from", source], cwd=folder, capture_output=True, text=True, check=False
        )
        assert re.search(r"Gnomon 9\.9-[0-9a-f]{8} from ", done.stdout)
        assert not ran.exists()


def test_the_lock_is_where_nobody_else_may_write_or_open_it() -> None:
    script = SCRIPT.read_text(encoding="utf-8")
    (lock,) = re.findall(r"exec 9>(\S+)", script)
    assert Path(lock).parent == Path("/run")
    assert re.search(rf"umask 077\n\s+exec 9>{lock}\n\s+umask 022\n", script)


def test_the_help_names_every_action_and_option() -> None:
    said = install("--help").stdout
    script = SCRIPT.read_text(encoding="utf-8")
    options = set(re.findall(r"^ +(--[a-z-]+)\)", script, re.MULTILINE)) - {"--help"}
    assert options
    assert {name for name in options if name not in said} == set()


def in_the_script(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run some of the shell functions of install.sh in a folder; `words` may put others in their place."""
    functions = SCRIPT.read_text(encoding="utf-8").removesuffix('main "$@"\nexit 0\n')
    assert 'main "$@"' not in functions
    usual = f"SOURCE={ROOT} BOARD='' DRY_RUN=no LOG=/dev/null BUILT=no BOARD_FILE={folder}/none.toml"
    return subprocess.run(
        ["sh", "-c", f"{functions}\n{usual}\n{words}"], cwd=folder, capture_output=True, text=True, check=False
    )


ON_A_PI = """
boot_settings() { echo config.txt; }
is_simulated() { return 1; }
is_our_own() { true; }
modprobe() { true; }
change() { echo "$1"; shift; "$@"; }
put_file() { cat >"$(basename "$1")"; }
"""


def switch_on(board: str, folder: Path) -> list[str]:
    """What install.sh adds to config.txt for a board that comes with the program."""
    before = (folder / "config.txt").read_text(encoding="utf-8")
    ran = in_the_script(f"{ON_A_PI}BOARD={board}\nswitch_interfaces_on", folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    after = (folder / "config.txt").read_text(encoding="utf-8")
    assert after.startswith(before)
    return [line for line in after.removeprefix(before).splitlines() if line and line[0] not in "#["]


@pytest.mark.parametrize("board", bundled_names())
def test_config_txt_follows_from_the_description_of_each_board(tmp_path: Path, board: str) -> None:
    """An SPI that the expanders' pins forbid was switched on, and none of their buses was."""
    config = tmp_path / "config.txt"
    examined = examine_board((BOARDS / f"{board}.toml").read_text(encoding="utf-8"), board)
    assert examined.description is not None
    wanted = boot_lines(examined.description, examined.pins, "")
    for text in (CONFIG_TXT, f"{CONFIG_TXT}dtparam=spi=on\n", f"{CONFIG_TXT}dtparam=i2c_arm=on\ndtparam=spi=off\n"):
        config.write_text(text, encoding="utf-8")
        (tmp_path / "config.txt.before-gnomon").unlink(missing_ok=True)
        held = {
            "dtparam=spi=on": "spi=on\n" in text.split("[all]")[1],
            "dtparam=i2c_arm=on": "i2c_arm=on" in text.split("[all]")[1],
        }
        held["dtparam=spi=off"] = not held["dtparam=spi=on"]
        assert switch_on(board, tmp_path) == [each.line for each in wanted if not held.get(each.line)]
        assert switch_on(board, tmp_path) == []
    if any(device.startswith("/dev/i2c-") for each in wanted for device in each.devices):
        assert (tmp_path / "gnomon.conf").read_text(encoding="utf-8") == "i2c-dev\n"
    else:
        assert not (tmp_path / "gnomon.conf").exists()


def test_a_dry_run_for_another_folder_says_that_it_does_not_know(tmp_path: Path) -> None:
    (tmp_path / "config.txt").write_text(CONFIG_TXT, encoding="utf-8")
    ran = in_the_script(f"{ON_A_PI}is_our_own() {{ false; }}\nDRY_RUN=yes\nswitch_interfaces_on", tmp_path)
    assert "what the board needs in config.txt is known once" in ran.stdout


def test_on_the_image_config_txt_is_left_alone(tmp_path: Path) -> None:
    """It cannot be written there, and the kernel knows none of these lines: an update ended at this point."""
    config = tmp_path / "config.txt"
    config.write_text("arm_64bit=1\ninclude gnomon-overlays.txt\n", encoding="utf-8")
    assert switch_on("tamsk", tmp_path) == []
    assert (tmp_path / "gnomon.conf").read_text(encoding="utf-8") == "i2c-dev\n"


def test_libraries_that_are_there_without_their_packages_are_not_asked_for(tmp_path: Path) -> None:
    """On the image there is no package of them, and the list of packages was fetched into memory for nothing."""
    stubs = """
    is_installed() { [ "$1" != python3-lgpio ] && [ "$1" != python3-rpi-lgpio ]; }
    has_library() { true; }
    uname() { echo aarch64; }
    to_be_had() { true; }
    PATH=$PWD:$PATH
    """
    asked = tmp_path / "apt-get"
    asked.write_text("#!/bin/sh\ntouch fetched\n", encoding="ascii")
    asked.chmod(0o755)
    ran = in_the_script(f"{stubs}install_packages; must_build_pins || echo nothing to build", tmp_path)
    assert ran.returncode == 0
    assert not (tmp_path / "fetched").exists()
    assert "kept   the library of python3-lgpio" in ran.stdout
    assert "nothing to build" in ran.stdout


SCRIPTS = (
    "image/files/usr/local/lib/gnomon-image/use-version",
    "image/files/usr/local/lib/gnomon-image/use-whole-card",
    "tests/near_real/disk/start-container",
)
OWNERS = """
boot_settings() { echo config.txt; }
RULES=$PWD/60-gnomon.rules
getent() { [ "$2" = i2c ]; }
groupadd() { echo "groupadd $*"; }
grep() { IS_SAID; }
change() { shift; "$@"; }
"""


def test_on_plain_debian_the_devices_of_a_board_get_their_groups(tmp_path: Path) -> None:
    """Without a rule pins and SPI are root's alone, and the daemon could not open them."""
    stubs = OWNERS.replace("IS_SAID", "false")
    ran = in_the_script(f"{stubs}make_groups", tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    made = re.findall(r"^groupadd --system (.*)", ran.stdout, re.MULTILINE)
    assert made == ["gpio", "spi"]
    rules = (tmp_path / "60-gnomon.rules").read_text(encoding="utf-8")
    assert re.findall(r'SUBSYSTEM=="([a-z0-9-]+)".*GROUP="([a-z0-9]+)", MODE="0660"', rules) == [
        ("gpio", "gpio"),
        ("i2c-dev", "i2c"),
        ("spidev", "spi"),
    ]


def test_where_the_system_says_whom_devices_belong_to_nothing_is_added(tmp_path: Path) -> None:
    stubs = OWNERS.replace("IS_SAID", "true")
    ran = in_the_script(f"{stubs}make_groups", tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert list(tmp_path.iterdir()) == []


CHANGES = """
OPT=$PWD VERSIONS=$PWD/versions CURRENT=$PWD/current PREVIOUS=$PWD/previous UNPROVEN=$PWD/unproven UNITS_CHANGED=yes
mkdir -p versions/1 versions/2
touch versions/1/.complete versions/2/.complete
ln -s "$PWD/versions/1" current
systemctl() { true; }
missing_devices() { true; }
write_units() { true; }
last_words() { true; }
"""


@pytest.mark.parametrize("is_good", [True, False])
def test_a_new_version_is_unproven_until_it_is_ready(tmp_path: Path, is_good: bool) -> None:
    ends = "case $(readlink current) in */2) " + ("true" if is_good else "false") + " ;; esac"
    start = f"start_service() {{ echo now $(readlink unproven); {ends}; }}"
    ran = in_the_script(f'{CHANGES}{start}\nrun_version "$VERSIONS/2"', tmp_path)
    assert f"now {tmp_path}/versions/1\n" in ran.stdout
    assert (ran.returncode, (tmp_path / "current").readlink().name) == ((0, "2") if is_good else (1, "1"))
    assert not (tmp_path / "unproven").is_symlink()


def image_of(folder: Path, current: str) -> Path:
    """A folder that looks like a machine started from the image, on which one of two versions was chosen."""
    for name in ("1", "2"):
        version = folder / "opt/gnomon/versions" / name
        for unit in ("gnomond.service", "gnomond-safe.service"):
            file = version / "lib/python3.11/site-packages/gnomon_pi/system" / unit
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# of {name}\n", encoding="utf-8")
        (version / ".complete").touch()
    (folder / "opt/gnomon/current").symlink_to(f"/opt/gnomon/versions/{current}")
    units = folder / "etc/systemd/system"
    units.mkdir(parents=True)
    for unit in ("gnomond.service", "gnomond-safe.service"):
        (units / unit).write_text("# of 1\n", encoding="utf-8")
    return folder


def use_version(folder: Path) -> str:
    """Run what the image runs at each start; systemctl only says that it was called."""
    stub = folder / "systemctl"
    stub.write_text("#!/bin/sh\necho systemctl $@\n", encoding="ascii")
    stub.chmod(0o755)
    script = ROOT / "image/files/usr/local/lib/gnomon-image/use-version"
    ran = subprocess.run(
        ["sh", str(script), str(folder)],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return ran.stdout


def test_the_image_undoes_an_update_that_was_cut_off(tmp_path: Path) -> None:
    opt = image_of(tmp_path, "2") / "opt/gnomon"
    (opt / "unproven").symlink_to("/opt/gnomon/versions/1")
    (opt / "previous").symlink_to("/opt/gnomon/versions/1")
    assert use_version(tmp_path) == "The update was cut off before the new version was ready: 1 is started.\n"
    assert str((opt / "current").readlink()) == "/opt/gnomon/versions/1"
    assert sorted(path.name for path in opt.iterdir()) == ["current", "versions"]


def test_the_image_keeps_a_version_that_was_ready_and_takes_its_services(tmp_path: Path) -> None:
    opt = image_of(tmp_path, "2") / "opt/gnomon"
    (opt / "previous").symlink_to("/opt/gnomon/versions/1")
    assert use_version(tmp_path) == "systemctl daemon-reload\n"
    assert (tmp_path / "etc/systemd/system/gnomond.service").read_text(encoding="utf-8") == "# of 2\n"
    assert use_version(tmp_path) == ""
    assert sorted(path.name for path in opt.iterdir()) == ["current", "previous", "versions"]


def test_looking_for_the_library_of_the_pins_leaves_nothing_behind(tmp_path: Path) -> None:
    """Importing lgpio makes a pipe in the folder where that is done, and root did it in the checkout."""
    stubs = 'uname() { echo aarch64; }\npython3() { touch .lgd-nfy0; [ "$LG_WD" = "$(pwd)" ] || exit 9; }\n'
    ran = in_the_script(f"{stubs}extra", tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert list(tmp_path.iterdir()) == []
    assert in_the_script("uname() { echo aarch64; }\npython3() { false; }\nextra", tmp_path).stdout == "[pi]"


@pytest.mark.parametrize(
    ("machine", "known", "is_new", "told"),
    [
        ("aarch64", "python3-lgpio", True, "no"),  # Raspberry Pi OS
        ("aarch64", "", False, "no"),  # Debian Bookworm: PyPI has wheels
        ("aarch64", "gcc libc6-dev python3-dev swig", True, "yes"),  # Debian Trixie
        ("x86_64", "", True, "no"),
    ],
)
def test_a_library_that_nobody_has_built_is_built(
    tmp_path: Path, machine: str, known: str, is_new: bool, told: str
) -> None:
    _apt_get(tmp_path)
    ran = in_the_script(f"{_packages(machine, known, is_new=is_new)}need_pins\necho $BUILT", tmp_path)
    assert ran.stdout.splitlines()[-1] == told
    assert ("will be built" in ran.stdout) == (told == "yes")


def test_a_library_that_can_not_be_built_is_said_before_anything_is_changed(tmp_path: Path) -> None:
    _apt_get(tmp_path)
    ran = in_the_script(f"{_packages('aarch64', 'gcc libc6-dev python3-dev', is_new=True)}need_pins", tmp_path)
    assert ran.returncode == 1
    assert "without the package swig it cannot be built: use Raspberry Pi OS" in ran.stderr
    assert ran.stderr.endswith("Nothing was changed.\n")


def _apt_get(folder: Path) -> None:
    """An apt-get that does nothing, in a folder."""
    (folder / "apt-get").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "apt-get").chmod(0o755)


def _packages(machine: str, known: str, *, is_new: bool) -> str:
    """Shell functions for a machine whose apt knows some packages and has installed none."""
    return (
        f"uname() {{ echo {machine}; }}\nis_installed() {{ false; }}\nPATH=$(pwd):$PATH\n"
        f'to_be_had() {{ for one in {known} x; do [ "$one" != "$1" ] || echo "$1"; done; }}\n'
        f"python3() {{ {'true' if is_new else 'false'}; }}\n"
    )


def link_shared(version: Path, current: Path, share: Path) -> str:
    """Run the part of install.sh that links manual pages and completions, in folders of our own."""
    text = SCRIPT.read_text(encoding="utf-8")
    body = text[text.index("link_shared() {") :]
    shared = next(line for line in text.splitlines() if line.startswith("SHARED="))
    said = "did() { echo done; }; left() { echo kept; }; DRY_RUN=no"
    script = f"{said}; CURRENT={current}; SHARE={share}; {shared}\n{body[: body.index(chr(10) + '}' + chr(10)) + 3]}"
    ran = subprocess.run(
        ["sh", "-eu", "-c", f"{script}\nlink_shared {version}"], capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


def test_manual_pages_and_completions_lead_into_the_version_that_runs(tmp_path: Path) -> None:
    old, new, share = tmp_path / "old", tmp_path / "new", tmp_path / "share"
    for version, pages in ((old, ("gnomon.1", "gnomon-gone.1")), (new, ("gnomon.1", "gnomon-new.1"))):
        for name in (*(f"man/man1/{page}" for page in pages), "zsh/site-functions/_gnomon", "man/man1/other.1"):
            (version / "share" / name).parent.mkdir(parents=True, exist_ok=True)
            (version / "share" / name).write_text(version.name)
    (share / "zsh/site-functions").mkdir(parents=True)
    (share / "zsh/site-functions/_gnomon").write_text("somebody else's")
    current = tmp_path / "current"
    current.symlink_to(old)
    assert [link_shared(old, current, share) for _ in range(2)] == ["done", "kept"]
    current.unlink()
    current.symlink_to(new)
    assert link_shared(new, current, share) == "done"
    found = {path.name: path.read_text() for path in share.rglob("*") if path.is_file()}
    assert found == {"gnomon.1": "new", "gnomon-new.1": "new", "_gnomon": "somebody else's"}
    assert link_shared(tmp_path / "nowhere", current, share) == "done"
    assert [path.name for path in share.rglob("*") if not path.is_dir()] == ["_gnomon"]


@pytest.mark.parametrize("script", ["install.sh", ".ci/run", ".ci/needs", *SCRIPTS])
def test_shellcheck_has_nothing_to_say(find_program: FindProgram, script: str) -> None:
    ran = subprocess.run(
        [find_program("shellcheck", package="shellcheck"), ROOT / script], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "")
