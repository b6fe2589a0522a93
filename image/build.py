"""Build the image that is flashed to a card: Debian for 64-bit Raspberry Pis, with Gnomon as its service.

As root on Debian: `make image`. The packages of Debian are fetched once and kept as an archive under `.cache/image`,
Python's wheels in a folder beside it, and from then on the same sources give the same image, byte for byte, without a
network. Programs for ARM run in QEMU's user emulation.
"""

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from partitions import assemble
from programs import digest, run, say

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
CACHE: Final = ROOT / ".cache" / "image"
BUILD: Final = ROOT / "build" / "image"

RELEASE: Final = "bookworm"
PYTHON: Final = "3.11"
BACKPORTS: Final = f"{RELEASE}-backports"
MIRROR: Final = "http://deb.debian.org/debian"
PACKAGES: Final = (
    *("systemd-sysv", "systemd-resolved", "systemd-timesyncd", "udev", "dbus", "kmod", "iproute2", "hostname"),
    *("python3", "python3-venv", "python3-spidev", "python3-argon2", "tzdata", "ca-certificates"),
    *("initramfs-tools", "busybox", "overlayroot", f"linux-image-arm64/{BACKPORTS}", "raspi-firmware", "zstd"),
    *("firmware-brcm80211", "wireless-regdb", "wpasupplicant", "avahi-daemon", "openssh-server", "sudo"),
    *("e2fsprogs", "dosfstools", "cloud-guest-utils", "fdisk", "i2c-tools"),
)
"""Of Debian, without what they only recommend."""
NOT_UNPACKED: Final = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")
NATIVE: Final = (
    *("awk", "basename", "cat", "chmod", "cp", "cpio", "cut", "dirname", "env", "expr", "find", "grep", "head", "id"),
    *("ln", "ls", "mkdir", "mktemp", "modinfo", "modprobe", "mv", "readlink", "realpath", "rm", "sed", "sort", "stat"),
    *("tail", "tee", "touch", "tr", "uname", "uniq", "wc", "xargs", "zstd", "depmod", "egrep", "fgrep", "test"),
)
"""What an initramfs is made with, taken from the machine that builds."""
LIBRARIES: Final = f"/usr/local/lib/python{PYTHON}/dist-packages"
"""Where Python looks for what is none of Debian's packages."""
PINS: Final = ("lgpio", "rpi-lgpio")
"""Of `locks/pins.txt`, what Debian has no package for."""
ENABLED: Final = (
    *("gnomon-partition.service", "gnomon-version.service", "gnomon-machine.service"),
    *("gnomon-first-boot.service", "gnomon-answers.path"),
    *("systemd-networkd.service", "systemd-resolved.service", "systemd-timesyncd.service"),
    "gnomond.service",
)
MASKED: Final = (
    *("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"),
    *("e2scrub_reap.service", "systemd-networkd-wait-online.service", "wpa_supplicant.service"),
)
"""What would only write into memory, or wait for a network that a board does without."""
MOVED: Final = {"opt/gnomon": "opt", "etc/gnomon": "etc", "var/lib/gnomon": "games"}
"""Folders that lie on the partition that can be written, by where they lie there."""

EPOCH: Final = "1767225600"
"""The time of every file in the image, unless SOURCE_DATE_EPOCH says otherwise: 2026-01-01."""
PROGRAMS: Final = {
    "mmdebstrap": "mmdebstrap",
    "arch-test": "arch-test",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "mkfs.ext4": "e2fsprogs",
    "sfdisk": "fdisk",
    "dtc": "device-tree-compiler",
    "xz": "xz-utils",
    "qemu-aarch64-static": "qemu-user-static",
}


class BuildError(Exception):
    """The image cannot be built here; the message is one sentence."""


def main() -> None:
    """Build the image, and say where it is and how large."""
    parser = argparse.ArgumentParser(description="Build the image that is flashed to a card.")
    parser.add_argument("--into", type=Path, default=BUILD, help="the folder for the image")
    parser.add_argument("--unpacked", action="store_true", help="leave the image as it is, for a machine in software")
    wish = parser.parse_args()
    try:
        made = build(wish.into, pack=not wish.unpacked)
    except (BuildError, OSError) as error:
        sys.exit(f"make image: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"make image: {error.cmd[0]} ended with {error.returncode}; what it said is above")
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB, sha256 {digest(made)}")


def build(into: Path, *, pack: bool) -> Path:
    """The image, packed by xz or as it is. Raises BuildError, OSError, CalledProcessError."""
    need_programs()
    os.environ.setdefault("SOURCE_DATE_EPOCH", EPOCH)
    os.environ["LC_ALL"] = "C.UTF-8"
    system = into / "root"
    shutil.rmtree(into, ignore_errors=True)
    system.mkdir(parents=True)
    archive = debian()
    wheels = wheelhouse()
    say("unpacking Debian")
    run("tar", "--extract", f"--file={archive}", f"--directory={system}", "--numeric-owner")
    put_files(system)
    install(system, wheels)
    boot, data = take_apart(system, into)
    clean(system)
    for folder in (system, boot, data):
        settle_times(folder)
    image = into / "gnomon-arm64.img"
    assemble(image, boot, system, data)
    if not pack:
        return image
    say("packing")
    run("xz", "--threads=0", "-6", "--keep", str(image))
    return image.with_name(f"{image.name}.xz")


def need_programs() -> None:
    """Raise BuildError where a program, a right or the emulation of ARM is missing."""
    if os.geteuid() != 0:
        message = "an image is built by root: sudo make image"
        raise BuildError(message)
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if missing:
        message = f"programs are missing; on Debian: sudo apt-get install {' '.join(missing)}"
        raise BuildError(message)
    if platform.machine() != "aarch64":
        _emulate_arm()


def _emulate_arm() -> None:
    """Let the kernel start programs for ARM by QEMU, where it does not yet."""
    formats = Path("/proc/sys/fs/binfmt_misc")
    if not (formats / "register").exists():
        run("mount", "-t", "binfmt_misc", "none", str(formats))
    if not (formats / "qemu-aarch64").exists():
        rule = Path("/usr/lib/binfmt.d/qemu-aarch64.conf")
        if not rule.exists():
            message = f"{rule} is missing, which tells the kernel of programs for ARM: install qemu-user-static"
            raise BuildError(message)
        told = next(line for line in rule.read_text(encoding="ascii").splitlines() if line.startswith(":"))
        (formats / "register").write_text(told, encoding="ascii")


def debian() -> Path:
    """An archive of Debian with all packages, fetched once for a list of them."""
    wanted = "\n".join((RELEASE, *PACKAGES, *NOT_UNPACKED, os.environ["SOURCE_DATE_EPOCH"]))
    archive = CACHE / f"{RELEASE}-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}.tar"
    if archive.exists():
        return archive
    say("fetching Debian (a quarter of an hour in emulation)")
    CACHE.mkdir(parents=True, exist_ok=True)
    mirror = os.environ.get("DEBIAN_MIRROR") or mirror_of_this_machine()
    part = archive.with_suffix(".part.tar")
    os.environ["INITRD"] = "No"  # the kernel's hook would make one in emulation, for an hour; `start_system` makes it
    run(
        *("mmdebstrap", "--quiet", "--architectures=arm64", "--variant=apt"),
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in NOT_UNPACKED),
        "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        f"--include={','.join(PACKAGES)}",
        *(RELEASE, str(part)),
        *(f"deb {mirror} {suite} main non-free-firmware" for suite in (RELEASE, f"{RELEASE}-updates", BACKPORTS)),
    )
    part.replace(archive)
    return archive


def mirror_of_this_machine() -> str:
    """Where apt on this machine takes packages from; Debian's own address where it says nothing."""
    places = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for place in places:
        text = place.read_text(encoding="utf-8") if place.is_file() else ""
        if found := re.search(r"^(?:URIs:|deb(?: \[[^]]*\])?)\s+(http\S+/debian)/?\s", text, re.MULTILINE):
            return found[1]
    return MIRROR


def wheelhouse() -> Path:
    """A folder with the wheels that install.sh asks for, each checked by its hash."""
    locks = [ROOT / "locks" / "board.txt", ROOT / "locks" / "pins.txt"]
    mark = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()[:12]
    folder = CACHE / f"wheels-{mark}"
    if folder.exists():
        return folder
    say("fetching wheels")
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    pins = part / "pins.txt"
    part.mkdir(parents=True)
    pins.write_text(lock_of(locks[1].read_text(encoding="utf-8"), PINS), encoding="utf-8")
    for lock in (locks[0], pins):
        run(
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--require-hashes", "--only-binary=:all:", "--python-version", PYTHON, "--implementation=cp"),
            *(f"--platform={name}" for name in ("manylinux_2_34_aarch64", "manylinux_2_28_aarch64")),
            *("--platform=manylinux_2_17_aarch64", "--platform=manylinux2014_aarch64"),
            *(f"--dest={part}", f"--requirement={lock}"),
        )
    part.replace(folder)
    return folder


def lock_of(text: str, names: Sequence[str]) -> str:
    """The entries of a lock file for some packages, for whatever machine: pip asks for which machine it runs on."""
    text = re.sub(r" ;[^\\\n]*", " ", text)
    entries = re.split(r"\n(?=[a-z0-9])", re.sub(r"(?m)^ *#.*\n", "", text))
    return "".join(f"{entry}\n" for entry in entries if re.split(r"[ =;]", entry)[0] in names)


def put_files(system: Path) -> None:
    """Copy the image's own files into the system, and the sources that install.sh reads."""
    shutil.copytree(HERE / "files", system, dirs_exist_ok=True, copy_function=shutil.copy2)
    for file in (HERE / "files").rglob("*"):
        os.chown(system / file.relative_to(HERE / "files"), 0, 0)
    (system / "etc/sudoers.d/maker").chmod(0o440)
    sources = system / "usr/src/gnomon"
    kept = (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "install.sh",
        "hatch_build.py",
        "locks",
        "companion",
        "firmware",
        "docs",
    )
    tracked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--", *kept], stdout=subprocess.PIPE, check=True, text=True
    ).stdout
    for name in filter(None, tracked.split("\0")):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, sources / name)


def install(system: Path, wheels: Path) -> None:
    """Run install.sh inside, with the wheels and without a network, and switch the services on."""
    with inside(system, wheels) as root:
        root("useradd", "--create-home", "--shell=/bin/bash", "maker")
        root("usermod", "--append", "--groups=sudo", "maker")
        for group in ("gpio", "i2c", "spi", "input", "dialout"):
            if root("getent", "group", group, check=False):
                root("groupadd", "--system", group)
        say("installing Gnomon (minutes in emulation)")
        root("python3", "-I", "-m", "venv", "/root/pip")
        root(
            *("/root/pip/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--no-compile", "--require-hashes", f"--target={LIBRARIES}", "-r", "/wheels/pins.txt"),
        )
        # Not by pip: the compiled files would name the folder of a moment.
        root("python3", "-I", "-m", "compileall", "-q", LIBRARIES)
        root("rm", "-rf", "/root/pip")
        (system / "boot/firmware/config.txt").touch()
        root("/usr/src/gnomon/install.sh", "--board", "tamsk")
        root("systemctl", "--quiet", "enable", *ENABLED)
        root("systemctl", "--quiet", "mask", *MASKED)
        (kernel,) = (path.name for path in (system / "lib/modules").iterdir())
        make_start_system(system, root, kernel)


def make_start_system(system: Path, root: "Inside", kernel: str) -> None:
    """Make the initramfs, and let Debian's hook for Raspberry Pis fill the boot partition."""
    say("making the initramfs")
    maker = system / "native" / "mkinitramfs"
    with native_tools(system) as path:
        # It sets a path of its own.
        told = (system / "usr/sbin/mkinitramfs").read_text(encoding="utf-8")
        maker.write_text(re.sub(r"(?m)^export PATH=.*$", f"export PATH={path}", told), encoding="utf-8")
        root("sh", "/native/mkinitramfs", "-o", f"/boot/initrd.img-{kernel}", kernel)
    root("sh", "-c", "DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware")


@contextmanager
def native_tools(system: Path) -> Iterator[str]:
    """The path with which the system's scripts are run by this machine's own tools, until the end of the block.

    Making an initramfs starts tens of thousands of small programs, each a tenth of a second in emulation. They only
    copy files of the system, and it makes no difference which program copies them.
    """
    usual = "/usr/sbin:/usr/bin:/sbin:/bin"
    folder = system / "native"
    folder.mkdir()
    done = []
    try:
        if platform.machine() != "aarch64":
            for tool in NATIVE:
                if (found := shutil.which(tool)) is not None:
                    shutil.copyfile(found, folder / tool)
                    (folder / tool).chmod(0o755)
            triplet = sysconfig.get_config_var("MULTIARCH")
            for here, there in (
                (f"/usr/lib/{triplet}", system / "usr/lib" / triplet),
                ("/lib64", system / "lib64"),
            ):
                there.mkdir()
                run("mount", "--bind", here, str(there))
                done.append(there)
            shell = system / "usr/bin/dash"
            run("mount", "--bind", os.path.realpath("/usr/bin/dash"), str(shell))
            done.append(shell)
        yield f"/native:{usual}"
    finally:
        for there in reversed(done):
            run("umount", str(there))
            if there.is_dir():
                there.rmdir()
        shutil.rmtree(folder)


@contextmanager
def inside(system: Path, wheels: Path) -> Iterator["Inside"]:
    """The system with what programs in it need, until the end of the block."""
    (system / "wheels").mkdir()
    mounts = [("proc", ["-t", "proc", "proc"]), ("wheels", ["--bind", str(wheels)]), ("dev", ["--bind", "/dev"])]
    policy = system / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n", encoding="ascii")
    policy.chmod(0o755)
    done = []
    try:
        for where, how in mounts:
            run("mount", *how, str(system / where))
            done.append(where)
        yield Inside(system)
    finally:
        for where in reversed(done):
            run("umount", str(system / where))
        (system / "wheels").rmdir()
        policy.unlink()


class Inside:
    """Run programs inside the system, as root and without a network for pip."""

    def __init__(self, system: Path) -> None:
        self._system = system

    def __call__(self, *words: str, check: bool = True) -> int:
        """Run one. Raises CalledProcessError where it fails, unless that is for the caller to look at."""
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LC_ALL": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": "/wheels",
            "PIP_NO_CACHE_DIR": "1",
            # Compiled files name what their sources hold, not when these were written.
            "SOURCE_DATE_EPOCH": os.environ["SOURCE_DATE_EPOCH"],
            "PYTHONHASHSEED": "0",
            "SYSTEMD_OFFLINE": "1",  # nothing is started here
        }
        words = ("chroot", str(self._system), *words)
        return subprocess.run(words, env=environment, check=check, stdin=subprocess.DEVNULL).returncode


def take_apart(system: Path, into: Path) -> tuple[Path, Path]:
    """The folders of the boot partition and of the one that can be written, taken out of the system."""
    boot, data = into / "boot", into / "data"
    (system / "boot/firmware").rename(boot)
    (system / "boot/firmware").mkdir()
    for firmware in sorted((system / "usr/lib/raspi-firmware").iterdir()):
        shutil.copy2(firmware, boot)
    shutil.copy2(HERE / "gnomon.toml.example", boot)
    (boot / "gnomon-overlays.txt").touch()
    (boot / "overlays").mkdir(exist_ok=True)
    for source in sorted((HERE / "overlays").glob("*.dtso")):
        made = boot / "overlays" / f"{source.stem}.dtbo"
        # Without symbols (-@): nothing refers to those of an overlay, and libfdt cannot merge that of a whole bus.
        run("dtc", "-q", "-I", "dts", "-O", "dtb", "-o", str(made), str(source))
    (boot / "config.txt.before-gnomon").unlink(missing_ok=True)
    data.mkdir()
    for where, name in MOVED.items():
        shutil.move(system / where, data / name)
        (system / where).mkdir(parents=True)
    (data / "ssh").mkdir(mode=0o700)
    (system / "data").mkdir()
    # The board is asked for; what install.sh wrote was only so that it could run.
    (data / "etc" / "board.toml").unlink()
    (data / "etc" / "gnomond.env").unlink()
    return boot, data


def clean(system: Path) -> None:
    """Take away what a machine makes for itself, and what only the building needed."""
    for pattern in (
        "var/cache/apt/*",
        "var/lib/apt/lists/*",
        "var/log/*",
        "var/cache/debconf/*-old",
        "var/cache/ldconfig/*",
    ):
        for path in system.glob(pattern):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name in ("etc/ssh/ssh_host_ecdsa_key", "etc/ssh/ssh_host_ed25519_key", "etc/ssh/ssh_host_rsa_key"):
        for path in (system / name, system / f"{name}.pub"):
            path.unlink(missing_ok=True)
    for name in ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/subuid-", "etc/subgid-"):
        (system / name).unlink(missing_ok=True)
    # Empty, so that a start is not taken for the first one each time; the machine's own is made in memory.
    (system / "etc/machine-id").write_bytes(b"")
    (system / "etc/resolv.conf").unlink(missing_ok=True)
    (system / "etc/resolv.conf").symlink_to("/run/systemd/resolve/stub-resolv.conf")
    (system / "etc/hostname").write_text("gnomon\n", encoding="ascii")
    for made in (system / "boot").glob("initrd.img-*"):
        made.unlink()  # the boot partition has it; a new kernel brings a new one


def settle_times(folder: Path) -> None:
    """Let no file be younger than the image says."""
    newest = int(os.environ["SOURCE_DATE_EPOCH"])
    for path in (folder, *folder.rglob("*")):
        if path.lstat().st_mtime > newest:
            os.utime(path, (newest, newest), follow_symlinks=False)


if __name__ == "__main__":
    main()
