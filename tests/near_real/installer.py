"""Run install.sh for ARM on plain Debian Trixie, where the installer builds the library of the pins: nobody else has.

No machine is started: the root is one for ARM, and QEMU runs its programs one by one. Its packages are unpacked and not
configured, which would take longer than all that is looked at here; dpkg is told that they are installed.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.near_real import roots
from tests.near_real.machine import Ran, processor_seconds, say
from tests.near_real.records import Found
from tests.service.debian_root import CONFIG_TXT, ROOT, WITHOUT_WHEEL, wheelhouse

RELEASE: Final = roots.ARM_RELEASE
NAME: Final = "installer"
PACKAGES: Final = (
    *("apt", "base-files", "base-passwd", "bash", "ca-certificates", "coreutils", "dash", "diffutils", "dpkg"),
    *("findutils", "grep", "hostname", "kmod", "libc-bin", "mawk", "mount", "passwd", "procps", "sed", "systemd"),
    *("util-linux", "python3", "python3-venv", "python3-spidev", "python3-argon2"),
)
TO_BUILD: Final = ("gcc", "libc6-dev", "python3-dev", "swig")
FORMATS: Final = Path("/proc/sys/fs/binfmt_misc")
RULE: Final = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
SYSTEMCTL: Final = ROOT / "tests/service/stubs/systemctl"
ENVIRONMENT: Final = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "/srv/wheels",
    "PIP_NO_CACHE_DIR": "1",
}


class ArmRoot:
    """A root for ARM in which programs are run, and what was found in it."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.found: list[Found] = []
        self._end = time.monotonic() + seconds

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command to its end, without a network; its exit code and what it said."""
        mounted = 'mount -t proc proc "$0/proc" && mount -t tmpfs tmp "$0/run" && exec chroot "$0" "$@"'
        apart = ("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child")
        ran = subprocess.run(
            ["nice", "-n", "10", *apart, "sh", "-c", mounted, str(self.folder), *words],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=max(1.0, self._end - time.monotonic()),
            check=False,
        )
        return ran.returncode, ran.stdout

    def check(self, what: str, *words: str, code: int = 0, says: Sequence[str] = ()) -> None:
        """Run a command, and note whether it ends and speaks as it should."""
        began = time.monotonic()
        ended, said = self.run(*words)
        is_right = ended == code and all(each in said for each in says)
        seen = " ".join(line.strip() for line in said.splitlines() if any(each in line for each in says))
        found = Found(
            NAME, what, is_right, seen if is_right else f"{ended}: {said[-1500:]}", round(time.monotonic() - began, 1)
        )
        self.found.append(found)
        print(f"  {'ok    ' if is_right else 'WRONG '} {found.what}: {found.seen[:200]}", flush=True)


def install_for_arm(folder: Path, seconds: float) -> Ran:
    """Install on a root for ARM whose Debian has no package of lgpio, with a compiler and without one."""
    roots.need("mmdebstrap", "qemu-aarch64-static")
    emulate_arm()
    began, used = time.monotonic(), processor_seconds()
    root = ArmRoot(arm_files(folder), seconds)
    say(f"install.sh on Debian {RELEASE} for {roots.ARM64.debian}, program by program")
    installer = "/srv/gnomon/install.sh"
    try:
        tell_dpkg(root.folder, PACKAGES)
        root.check(
            "where lgpio cannot be built, that is said before anything is changed",
            installer,
            code=1,
            says=["without the package gcc it cannot be built", "Nothing was changed"],
        )
        tell_dpkg(root.folder, (*PACKAGES, *TO_BUILD))
        root.check(
            "install.sh builds lgpio, and installs a version",
            installer,
            says=["lgpio has no package here", "done   installed version", "come with a restart of the machine"],
        )
        root.check(
            "Gnomon's Python has the libraries of pins and buses",
            *("/opt/gnomon/current/bin/python", "-I", "-c"),
            "import os; os.chdir('/tmp'); import lgpio, spidev, smbus2, gpiozero; print('lgpio', lgpio.__file__)",
            says=["lgpio /opt/gnomon/current/lib/"],
        )
        root.check("the daemon names its version", "/opt/gnomon/current/bin/gnomond", "--version", says=["0.1.0"])
        is_complete = True
    except subprocess.TimeoutExpired:
        is_complete = False
    return Ran(root.found, is_complete, time.monotonic() - began, processor_seconds() - used)


def arm_files(folder: Path) -> Path:
    """A root of its own, with the sources of Gnomon and all that pip asks for."""
    unpacked = roots.unpacked(f"installer-{RELEASE}", RELEASE, [*PACKAGES, *TO_BUILD], roots.ARM64)
    root = folder / "root"
    subprocess.run(["cp", "--archive", "--reflink=auto", str(unpacked), str(root)], check=True)
    # The last three are made when base-files is configured.
    folders = ("proc", "run", "tmp", "boot/firmware", "etc/ssl/certs", "var/log", "srv/wheels")
    for name in (*folders, "usr/local/bin", "usr/local/sbin", "usr/local/share"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "boot/firmware/config.txt").write_text(CONFIG_TXT, encoding="utf-8")
    # What the package of certificates makes when it is configured: pip looks at it even without a network.
    certificates = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    (root / "etc/ssl/certs/ca-certificates.crt").write_bytes(b"".join(file.read_bytes() for file in certificates))
    shutil.copy(SYSTEMCTL, root / "usr/local/sbin/systemctl")
    roots.put_version(root / "srv/gnomon", "0.1.0")
    for kept in (wheelhouse(RELEASE, processor=roots.ARM64.machine), sources()):
        shutil.copytree(kept, root / "srv/wheels", dirs_exist_ok=True)
    return root


def tell_dpkg(root: Path, packages: Sequence[str]) -> None:
    """Let dpkg take packages for installed."""
    entry = (
        "Package: {}\nStatus: install ok installed\nVersion: 1\nArchitecture: arm64\nMaintainer: -\nDescription: -\n"
    )
    text = "\n".join(entry.format(name) for name in packages)
    (root / "var/lib/dpkg/status").write_text(text, encoding="utf-8")


def sources() -> Path:
    """A folder with the sources of what the lock names and nobody has built for this Python, fetched once."""
    lock = (ROOT / "locks" / "pins.txt").read_text(encoding="utf-8")
    wanted = re.findall(rf"^(?:lgpio|{'|'.join(WITHOUT_WHEEL)})==[^ ]+", lock, re.MULTILINE)
    folder = roots.CACHE / f"sources-{'-'.join(wanted)}"
    if not folder.exists():
        print(f"… fetching the sources of {' '.join(wanted)} (once)", flush=True)
        making = folder.with_suffix(".making")
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"),
                *("--dest", str(making), *wanted),
            ],
            check=True,
        )
        making.rename(folder)
    return folder


def emulate_arm() -> None:
    """Let the kernel start programs for ARM by QEMU, where it does not yet. Raises AbsentError."""
    if not (FORMATS / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "none", str(FORMATS)], check=True)
    if (FORMATS / "qemu-aarch64").exists():
        return
    if not RULE.exists():
        message = f"{RULE} is missing, which tells the kernel of programs for ARM: install qemu-user-static"
        raise roots.AbsentError(message)
    (rule,) = (line for line in RULE.read_text(encoding="ascii").splitlines() if line.startswith(":"))
    (FORMATS / "register").write_text(rule, encoding="ascii")
