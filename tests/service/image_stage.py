"""The image from its first start to a power cut, in a machine in software: a stage of its own, `make image-test`.

QEMU emulates a 64-bit ARM machine that is no Raspberry Pi, so the kernel, the system, the services and the page are
those of the image, and the loader, the pins and the wireless network are not. Its Raspberry Pi 3B, the last machine
here, has the pins. The tests are one story and run in their order. The machine may take all the time that it needs:
only what has ended is judged.
"""

import gzip
import json
import os
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from gnomon_pi.config import load_bundled
from gnomon_pi.config.image_overlays import FILE, KNOWN, dump, overlays_of
from tests.conftest import CI, FindProgram
from tests.near_real.roots import REVISION_3B

ROOT = Path(__file__).parents[2]
IMAGE = Path(os.environ.get("IMAGE", ROOT / "build" / "image" / "gnomon-arm64.img"))
FIRST_BOOT, SSH, PAGE = 80, 22, 8765
PATIENCE = 900.0
"""Seconds for a start: emulated on a busy machine it takes minutes."""
PATIENT = "systemd.log_target=console systemd.default_timeout_start_sec=900"
"""What the kernel is told beside: where the clock is this computer's, a module alone may take minutes to be checked."""
MODELS = 8
"""Device trees of models 3, 4 and Zero 2 W."""
PI_4_ONLY = ("gnomon-i2c4", "gnomon-i2c6")
LARGEST = 700 * 1000 * 1000
BROKEN = """
set -eu
cp -a /usr/src/gnomon /data/broken
cd /data/broken
sed -i 's/^version = .*/version = "99.0.0"/' pyproject.toml
sed -i 's/^READY_WITHIN=90/READY_WITHIN=900/' install.sh
sed '/^main /,$d' install.sh >/tmp/functions
. /tmp/functions
read_arguments --from /data/broken
find_source
old=$(readlink /opt/gnomon/current)
new=/opt/gnomon/versions/$NAME
cp -a "$old" "$new"
grep -rlI "$old" "$new/bin" "$new/pyvenv.cfg" | xargs sed -i "s,$old,$new,g"
service=$(echo "$new"/lib/python3*/site-packages/gnomon_pi/runtime/service.py)
sed -i 's,self._recover(),1 / 0,' "$service"
grep -q '1 / 0' "$service"
rm -rf "${service%/*}/__pycache__"
"""
"""Sources of a version that does not start; it is built as a copy of the one that runs, because pip takes long here."""
PROBE = """
import time
from gnomon_pi.drivers import _hc165 as hc165
scan = hc165.ShiftRegisters.scan
def first(self):
    levels = scan(self)
    hc165.ShiftRegisters.scan = scan
    with open("/run/gnomond/first-scan", "w") as file:
        print(time.clock_gettime(time.CLOCK_MONOTONIC), file=file)
    return levels
hc165.ShiftRegisters.scan = first
"""
"""What the service's Python loads before the daemon: its first scan tells when it was made."""
LOADED = """import sys; "--durable" in sys.orig_argv and __import__("first_scan")\n"""
SETTINGS = {"name": "board-7", "time_zone": "Europe/Berlin", "board": "tamsk", "simulated": "yes", "language": "en"}


class EmulatedMachine:
    """A machine with the image as its disk; `ports` of it are ports of this machine."""

    hardware: Sequence[str] = (
        *("-machine", "virt", "-accel", "tcg,thread=single", "-cpu", "cortex-a53", "-smp", "1"),
        *("-icount", "shift=0,sleep=on"),
    )
    """Its clock follows what it executes, a nanosecond an instruction: it is about as fast as a Raspberry Pi 3, and no
    service is late because this computer is busy."""
    card: Sequence[str] = ("if=none,id=card", "-device", "virtio-blk-pci,drive=card")
    network = "virtio-net-pci"

    def __init__(self, folder: Path, size: int) -> None:
        """A card of so many bytes, and what the machine's loader reads from it, in a folder."""
        self.disk = folder / "card.img"
        shutil.copyfile(IMAGE, self.disk)
        with self.disk.open("r+b") as card:
            card.truncate(size)
        for pattern, name in (("vmlinuz-*", "kernel"), ("initrd.img-*", "initrd.img"), ("cmdline.txt", "cmdline.txt")):
            _copy_from_boot_partition(pattern, folder)
            (found,) = folder.glob(pattern)
            found.rename(folder / name)
        packed = (folder / "kernel").read_bytes()
        (folder / "vmlinuz").write_bytes(gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed)
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.ports = {inside: _free_port() for inside in (FIRST_BOOT, SSH, PAGE)}
        self.console = folder / "console.log"
        self.key = folder / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.key)], check=True)

    def start(self, *more: str, daemon: bool = True) -> None:
        """Switch it on, with the daemon or without one; `more` is said to QEMU besides."""
        told = f"{self._told()} console=ttyAMA0 {PATIENT}{'' if daemon else ' systemd.mask=gnomond.service'}"
        forwarded = ",".join(f"hostfwd=tcp:127.0.0.1:{here}-:{there}" for there, here in self.ports.items())
        kind, *device = self.card
        words = [
            *("qemu-system-aarch64", *self.hardware),
            *("-m", "1024", "-display", "none", "-monitor", "none", "-serial", f"file:{self.console}"),
            *("-kernel", str(self._folder / "vmlinuz"), "-initrd", str(self._folder / "initrd.img")),
            *("-append", told),
            *("-drive", f"{kind},file={self.disk},format=raw", *device),
            *("-netdev", f"user,id=net,{forwarded}", "-device", f"{self.network},netdev=net"),
            *more,
        ]
        self._process = subprocess.Popen(words)

    def _told(self) -> str:
        """What the card tells the kernel, but for another machine's consoles; and it may say more here."""
        told = (self._folder / "cmdline.txt").read_text(encoding="ascii").split()
        return " ".join(word for word in told if not word.startswith("console=") and word != "quiet")

    def cut(self) -> None:
        """Take its power away."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def wait_for(self, port: int, looks_right: Callable[[httpx.Response], bool] = lambda _: True) -> httpx.Response:
        """The answer of a page, once there is one that looks right."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(httpx.HTTPError):
                answer = httpx.get(f"http://127.0.0.1:{self.ports[port]}/", timeout=30, follow_redirects=True)
                if looks_right(answer):
                    return answer
            time.sleep(2)
        pytest.fail(f"no answer at port {port}; the last of the console:\n{self.said()[-3000:]}")

    def run(self, command: str, seconds: float = 300) -> str:
        """What a command says to a user who has logged in with the key."""
        words = ["ssh", "-i", str(self.key), "-p", str(self.ports[SSH]), "-o", "StrictHostKeyChecking=no"]
        words += ["-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=120"]
        words += ["maker@127.0.0.1", command]
        ran = subprocess.run(words, check=False, capture_output=True, text=True, timeout=seconds)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def run_once_it_is_up(self, command: str) -> str:
        """The same, from when somebody can log in."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(5)
            with suppress(AssertionError, subprocess.TimeoutExpired):
                self.run("true")
                break
        return self.run(command)

    def said(self) -> str:
        """What it wrote on its console."""
        return self.console.read_text(encoding="utf-8", errors="replace") if self.console.exists() else ""


class EmulatedPi(EmulatedMachine):
    """A Raspberry Pi 3B as far as QEMU has one: its pins, its card reader and its device tree, but no bus answers."""

    hardware = ("-machine", "raspi3b", "-accel", "tcg,thread=multi")
    card = ("if=sd",)
    network = "usb-net,mac=00:16:3e:00:00:01"  # one of a maker's, so that the kernel calls it eth0

    def merge_tree(self, overlays: Sequence[str]) -> Sequence[str]:
        """What is said to QEMU of the device tree, which the firmware merges and writes the revision into."""
        tree = self._folder / "tree.dtb"
        for pattern in ("bcm2837-rpi-3-b.dtb", "overlays/*.dtbo"):
            _copy_from_boot_partition(pattern, self._folder)
        merged = [str(self._folder / f"{name}.dtbo") for name in overlays]
        plain = str(self._folder / "bcm2837-rpi-3-b.dtb")
        subprocess.run(["fdtoverlay", "-i", plain, "-o", str(tree), *merged], check=True)
        subprocess.run(["fdtput", "-c", str(tree), "/system"], check=True)
        subprocess.run(["fdtput", "-t", "x", str(tree), "/system", "linux,revision", REVISION_3B], check=True)
        return ("-dtb", str(tree))

    def write(self, name: str, text: str) -> None:
        """Put a file onto the first partition of the card, as a person would before the first start."""
        (self._folder / name).write_text(text, encoding="utf-8")
        subprocess.run(["mcopy", "-o", "-i", f"{self.disk}@@4M", str(self._folder / name), "::"], check=True)


def _copy_from_boot_partition(pattern: str, folder: Path) -> None:
    subprocess.run(["mcopy", "-n", "-i", f"{IMAGE}@@4M", f"::{pattern}", str(folder)], check=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, find_program: FindProgram) -> Iterator[EmulatedMachine]:
    """The image on a card that is larger than it, in a machine that is off."""
    for program, package in (
        ("qemu-system-aarch64", "qemu-system-arm"),
        ("mcopy", "mtools"),
        ("ssh-keygen", "openssh-client"),
    ):
        find_program(program, package=package)
    if not IMAGE.exists():
        message = f"there is no image at {IMAGE}: make image"
        pytest.fail(message) if os.environ.get(CI) == "true" else pytest.skip(message)
    folder = tmp_path_factory.mktemp("card")
    made = EmulatedMachine(folder, IMAGE.stat().st_size + 512 * 1024 * 1024)
    try:
        yield made
    finally:
        made.cut()


def test_packed_it_is_no_larger_than_promised() -> None:
    packed = IMAGE.with_name(f"{IMAGE.name}.xz")
    if not packed.exists():
        pytest.skip(f"{packed.name} was not made")
    assert packed.stat().st_size <= LARGEST


def test_every_overlay_fits_the_models_that_have_its_bus(machine: EmulatedMachine, find_program: FindProgram) -> None:
    assert machine.said() == ""  # it is off: this is looked at on the card
    merge = find_program("fdtoverlay", package="device-tree-compiler")
    folder = machine.key.parent / "trees"
    folder.mkdir()
    for pattern in ("bcm2837-*.dtb", "bcm2711-*.dtb", "overlays/*.dtbo"):
        _copy_from_boot_partition(pattern, folder)
    overlays = {path.stem: path for path in folder.glob("*.dtbo")}
    assert sorted(overlays) == sorted(KNOWN)
    models = sorted(folder.glob("bcm2*.dtb"))
    assert len(models) == MODELS
    for model in models:
        fitting = [path for name, path in sorted(overlays.items()) if name not in PI_4_ONLY or "2711" in model.name]
        subprocess.run([merge, "-i", model, "-o", folder / "merged", *fitting], check=True)


def test_the_first_start_asks_for_settings_and_plays_nothing(machine: EmulatedMachine) -> None:
    machine.start()
    answer = machine.wait_for(FIRST_BOOT)
    assert "Set up this board" in answer.text
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"http://127.0.0.1:{machine.ports[PAGE]}/", timeout=5)


def test_settings_that_are_wrong_are_asked_for_again(machine: EmulatedMachine) -> None:
    answer = _send(machine, {**SETTINGS, "name": "my board"})
    assert answer.status_code == 422
    assert "lower-case letters" in answer.text


def test_with_settings_it_starts_again_and_the_board_s_page_answers(machine: EmulatedMachine) -> None:
    key = machine.key.with_suffix(".pub").read_text(encoding="ascii")
    assert "http://board-7.local:8765/" in _send(machine, {**SETTINGS, "ssh_key": key}).text
    answer = machine.wait_for(PAGE)
    assert "Gnomon" in answer.text
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"http://127.0.0.1:{machine.ports[FIRST_BOOT]}/", timeout=5)


def test_the_root_is_read_only_and_the_games_have_the_rest_of_the_card(machine: EmulatedMachine) -> None:
    assert machine.run("hostname; date +%Z; systemctl is-active gnomond").split()[::2] == ["board-7", "active"]
    assert machine.run("findmnt -no FSTYPE /").strip() == "overlay"
    assert "ro" in machine.run("findmnt -no OPTIONS /media/root-ro").split(",")
    assert int(machine.run("findmnt -bno SIZE /var/lib/gnomon")) > 700 * 1024 * 1024
    assert machine.run("systemctl --failed --plain --no-legend") == ""
    assert "sshd" not in machine.run("sudo -u gnomon id")


def test_the_pins_belong_to_the_group_of_the_service(machine: EmulatedMachine) -> None:
    assert machine.run("stat -c '%G %a' /dev/gpiochip0") == "gpio 660\n"
    assert "gpio" in machine.run("id -nG gnomon").split()


def test_how_long_a_start_takes(machine: EmulatedMachine, capsys: pytest.CaptureFixture[str]) -> None:
    """From the kernel's start to the first scan and until the service is ready, by the machine's own clock."""
    site = machine.run("echo /opt/gnomon/current/lib/python3*/site-packages").strip()
    for name, text in (("first_scan.py", PROBE), ("first_scan.pth", LOADED)):
        machine.run(f"echo {shlex.quote(text)} | sudo tee {site}/{name} >&2")
    machine.run("sync")
    machine.cut()
    on = time.monotonic()
    machine.start()
    machine.wait_for(PAGE)
    waited = time.monotonic() - on
    at = {"first scan": float(machine.run("sudo cat /run/gnomond/first-scan"))}
    for name, stamp in (("service started", "ExecMainStart"), ("ready", "ActiveEnter")):
        at[name] = int(machine.run(f"systemctl show gnomond --value -p {stamp}TimestampMonotonic")) / 1e6
    machine.run(f"sudo rm {site}/first_scan.py {site}/first_scan.pth")
    with capsys.disabled():
        print(f"\n{machine.run('systemd-analyze || true').strip()}")
        print("from the kernel's start:", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in at.items()))
        print(f"from power on until the page answered, by this computer: {waited:.0f} s, load {os.getloadavg()[0]:.0f}")
    assert at["service started"] < at["first scan"] < at["ready"]


def test_the_network_that_the_machine_offers_is_joined_with_the_settings_for_one(machine: EmulatedMachine) -> None:
    """On radios in software: one has what a machine without settings is told, the other what one with settings is."""
    gnomond = "sudo /opt/gnomon/current/bin/gnomond first-boot apply --serial /data/serial"
    offered = (
        machine.run(f"{gnomond} --boot /home/maker/nothing --root /home/maker/offers").strip().rstrip(".").split()[-1]
    )
    told = [f'name = "x"\ntime_zone = "UTC"\nboard = "tamsk"\n[wifi]\ncountry = "DE"\nnetwork = "{offered}"\n']
    told.append('passphrase = "gnomon-board"\n')
    machine.run(f"mkdir /home/maker/card && printf %s '{''.join(told)}' >/home/maker/card/gnomon.toml")
    machine.run(f"{gnomond} --boot /home/maker/card --root /home/maker/joins")
    machine.run("sudo modprobe mac80211_hwsim radios=2")
    for radio, side in (("wlan0", "offers"), ("wlan1", "joins")):
        settings = f"/home/maker/{side}/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
        machine.run(f"sudo wpa_supplicant -B -i {radio} -c {settings}")
    until = time.monotonic() + PATIENCE
    while "wpa_state=COMPLETED" not in (said := machine.run("sudo wpa_cli -i wlan1 status")):
        assert time.monotonic() < until, said
        time.sleep(5)
    assert f"\nssid={offered}\n" in said


def test_a_version_that_does_not_start_is_gone_back_from(machine: EmulatedMachine) -> None:
    before = machine.run("readlink /opt/gnomon/current")
    machine.run(f"sudo sh -c {shlex.quote(BROKEN)}")
    said = machine.run("sudo /data/broken/install.sh update 2>&1 || echo ended with $?", seconds=2 * PATIENCE)
    assert "99.0.0" in said
    assert said.endswith(" runs again.\nended with 1\n")
    assert machine.run("readlink /opt/gnomon/current") == before
    assert machine.run("systemctl is-active gnomond").strip() == "active"
    machine.wait_for(PAGE)


def test_a_power_cut_in_the_middle_of_an_update_takes_neither_the_game_nor_the_version(
    machine: EmulatedMachine,
) -> None:
    """With --level the daemon begins a game unless one is unfinished: a second one would mean a lost first one."""
    machine.run("sudo sed -i 's/--simulated/--simulated --level 1/' /etc/gnomon/gnomond.env")
    machine.run("sudo systemctl restart gnomond")
    assert len(_games(machine)) == 1
    before = machine.run("readlink /opt/gnomon/current")
    machine.run("sudo systemd-run --quiet /data/broken/install.sh update --anyway")
    until = time.monotonic() + PATIENCE
    while "99.0.0" not in machine.run("readlink /opt/gnomon/current"):
        assert time.monotonic() < until, machine.said()[-3000:]
    machine.run("sudo sync")  # or the card might not even know of the new version yet
    machine.cut()
    machine.start()
    machine.wait_for(PAGE)
    assert machine.run("readlink /opt/gnomon/current") == before
    assert "The update was cut off" in machine.run("sudo journalctl --boot --unit gnomon-version --output cat")
    assert len(_games(machine)) == 1
    assert machine.run("hostname").strip() == "board-7"


def test_a_raspberry_pi_has_the_buses_of_its_board_and_the_service_may_use_them(
    tmp_path: Path, machine: EmulatedMachine, find_program: FindProgram
) -> None:
    """The settings stand on the card before the first start; doctor says what it finds as the service's user."""
    machine.cut()
    find_program("fdtoverlay", package="device-tree-compiler")
    pi = EmulatedPi(tmp_path, 1 << 31)
    key = pi.key.with_suffix(".pub").read_text(encoding="ascii").strip()
    overlays = overlays_of(load_bundled("tamsk"))
    pi.write("gnomon.toml", f'name = "pi"\ntime_zone = "UTC"\nboard = "tamsk"\nssh_key = "{key}"\n')
    pi.write(FILE.name, dump(overlays))
    try:
        # No daemon, which would hold the board: the buses of this machine keep everybody waiting.
        pi.start(*pi.merge_tree(overlays), daemon=False)
        found = json.loads(pi.run_once_it_is_up("sudo -u gnomon gnomond doctor --scans 1 --json || true"))["findings"]
        assert "ro" in pi.run("findmnt -no OPTIONS /media/root-ro").split(",")
    finally:
        pi.cut()
    for subject in ("model", "config.txt", "pin library", "I2C1", "SPI0.0", "SPI1.0", "pins", "rights"):
        assert [each["mark"] for each in found if each["subject"] == subject] == ["ok"], found


def _games(machine: EmulatedMachine) -> list[object]:
    """The games that are recorded, once there is one."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(httpx.HTTPError):
            answer = httpx.get(f"http://127.0.0.1:{machine.ports[PAGE]}/api/v1/games", timeout=30)
            if answer.status_code == HTTPStatus.OK and (games := list(answer.json()["games"])):
                return games
        time.sleep(2)
    pytest.fail(f"no game was begun; the last of the console:\n{machine.said()[-3000:]}")


def _send(machine: EmulatedMachine, fields: dict[str, str]) -> httpx.Response:
    address = f"http://127.0.0.1:{machine.ports[FIRST_BOOT]}"
    return httpx.post(f"{address}/", data=fields, headers={"Origin": address}, timeout=60)
