"""Make what the machines start from: a kernel with the relay, a root of Debian, and the program in it.

What is downloaded is kept under `.cache/near-real`; a changed list of packages or a changed lock makes another one.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.service.debian_root import CONFIG_TXT, GROUPS, MIRROR, NOT_SOURCES, PLATFORMS, PYTHONS, ROOT, wheelhouse

HERE: Final = Path(__file__).parent
CACHE: Final = ROOT / ".cache" / "near-real"
# Programs that the stage needs, and the packages of Debian that bring them.
NEEDED: Final = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-system-aarch64": "qemu-system-arm",
    "mmdebstrap": "mmdebstrap",
    "cpio": "cpio",
    "depmod": "kmod",
    "fdtput": "device-tree-compiler",
    "mke2fs": "e2fsprogs",
    "qemu-aarch64-static": "qemu-user-static",
}
# Enough to run the kernel's build in.
BUILD: Final = ("make", "dash", "coreutils", "sed", "grep", "mawk", "findutils")
GUEST: Final = (
    *("base-files", "base-passwd", "bash", "coreutils", "dash", "findutils", "grep", "kmod", "libc-bin", "mount"),
    *("procps", "sed", "util-linux", "iproute2", "gpiod", "i2c-tools", "python3", "python3-spidev"),
)
SYSTEM: Final = (
    *("systemd-sysv", "udev", "dbus", "kmod", "procps", "iproute2", "adduser", "gpiod", "fdisk"),
    *("python3", "python3-venv", "python3-spidev", "python3-argon2"),
)
REVISION_3B: Final = "a02082"
DISK_MB: Final = 2400
# What pip does takes minutes in a machine: each version is built before it starts, by the installer's own function, and
# put into its place just before it is installed. The installer finds it whole, and goes on from there.
BUILD_VERSION: Final = """
sed '/^main /,$d' "$1/install.sh" >/tmp/functions
. /tmp/functions
LOG=/tmp/log BUILT=no
read_arguments --from "$1"
find_source
install_version
mkdir -p /srv/built
mv "$target" /srv/built/"${1##*/}"
echo "$NAME" >/srv/built/"${1##*/}".name
rm /tmp/functions /tmp/log
"""
# Nobody reads them there, and they are half of the files.
LEFT_OUT: Final = ("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/perl", "var/cache", "var/lib/apt")
SHELL: Final = "bin/sh"
NEAR_REAL_SERVICE: Final = "etc/systemd/system/near-real.service"
RELEASE: Final = "bookworm"
# The kernel is as new as Raspberry Pi OS's; the root is one for whose Python there are wheels of the pins' library.
ARM_RELEASE: Final = "trixie"
# What a machine loads, and what that needs: a disk, the bus of user space, and for the Raspberry Pi's own controllers.
WANTED: Final = (
    *("i2c-dev", "virtio", "virtio_ring", "virtio_pci", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_blk"),
    *("ext4", "jbd2", "mbcache", "crc16", "crc32c_generic", "libcrc32c"),
    *("i2c-bcm2835", "spi-bcm2835", "spi-bcm2835aux"),
)


class AbsentError(RuntimeError):
    """Programs are missing on this machine; the message names the packages."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """How Debian, Python and QEMU call a processor."""

    debian: str
    machine: str

    @property
    def is_own(self) -> bool:
        """Whether this computer has it: QEMU's PC is the same."""
        return self == OWN


AMD64: Final = Architecture("amd64", "x86_64")
ARM64: Final = Architecture("arm64", "aarch64")
OWN: Final = AMD64


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of Debian: of which release, its image, its version, and the folder of its modules."""

    release: str
    image: Path
    version: str
    modules: Path


def need(*programs: str) -> None:
    """Install the packages of missing programs as root on Debian. Raises AbsentError with what to install."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    os.environ["PATH"] = path
    absent = sorted({NEEDED[program] for program in programs if shutil.which(program, path=path) is None})
    if not absent:
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"… installing {' '.join(absent)} (Debian packages)", flush=True)
        _quietly("apt-get", "-q", "update")
        _quietly(
            *("apt-get", "-q", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"),
            *absent,
            DEBIAN_FRONTEND="noninteractive",
        )
        return
    message = (
        f"The machines of make near-real need programs that are missing here: sudo apt-get install {' '.join(absent)}"
    )
    raise AbsentError(message)


def kernel(release: str, architecture: Architecture) -> Kernel:
    """Debian's kernel with its headers, unpacked."""
    names = [f"linux-{part}-{architecture.debian}" for part in ("image", "headers")]
    root = unpacked(f"kernel-{release}", release, [*names, *BUILD], architecture)
    (version,) = (path.name for path in (root / "lib/modules").iterdir())
    return Kernel(release, root / f"boot/vmlinuz-{version}", version, root / "lib/modules" / version)


def relay(kernel: Kernel, architecture: Architecture) -> Path:
    """The relay, built for a kernel with the compiler of its release."""
    root = headers = kernel.modules.parents[2]
    cross = []
    if not architecture.is_own:
        # The compiler that the headers ask for is one that runs on that processor.
        (scripts,) = (path.name for path in headers.glob("usr/lib/linux-kbuild-*"))
        compiler = f"gcc-{architecture.machine}-linux-gnu"
        root = unpacked(f"compiler-{architecture.debian}", kernel.release, [compiler, scripts, *BUILD], OWN)
        shutil.rmtree(root / "usr/src", ignore_errors=True)
        shutil.copytree(headers / "usr/src", root / "usr/src", symlinks=True)
        cross = [f"ARCH={architecture.debian}", f"CROSS_COMPILE={architecture.machine}-linux-gnu-"]
    there = root / "relay"
    shutil.rmtree(there, ignore_errors=True)
    shutil.copytree(HERE / "relay", there)
    source = f"/usr/src/linux-headers-{kernel.version}"
    _quietly("chroot", str(root), "make", "-s", "-C", source, "M=/relay", *cross, "modules")
    return there / "board_relay.ko"


def unpacked(name: str, release: str, packages: Sequence[str], architecture: Architecture) -> Path:
    """The files of some packages and of all that they need: nothing is configured, so any processor's will do."""
    mark = hashlib.sha256("\n".join([release, MIRROR, *packages]).encode()).hexdigest()[:12]
    root = CACHE / f"{name}-{architecture.debian}-{mark}"
    if root.exists():
        return root
    need("mmdebstrap")
    CACHE.mkdir(parents=True, exist_ok=True)
    making = root.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    print(f"… unpacking {name} for {architecture.debian} (once)", flush=True)
    words = ["mmdebstrap", "--quiet", "--variant=extract", f"--architectures={architecture.debian}"]
    _quietly(*words, f"--include={','.join(packages)}", release, str(making), MIRROR)
    # Where the packages leave that to a package of its own, as they are meant to be merged.
    for merged in ("bin", "sbin", "lib", "lib64"):
        if (making / "usr" / merged).exists() and not (making / merged).exists():
            (making / merged).symlink_to(f"usr/{merged}")
    for link, target in ((SHELL, "dash"), ("usr/bin/awk", "mawk")):
        if not (making / link).exists() and (making / link).parent.joinpath(target).exists():
            (making / link).symlink_to(target)
    for device, number in (("null", 3), ("zero", 5)):
        making.joinpath("dev").mkdir(exist_ok=True)
        if not (making / "dev" / device).exists():
            os.mknod(making / "dev" / device, 0o20666, os.makedev(1, number))
    for folder in LEFT_OUT:
        shutil.rmtree(making / folder, ignore_errors=True)
    _write_people(making)
    making.rename(root)
    return root


def guest(release: str, architecture: Architecture) -> Path:
    """An archive of the root that a machine without a disk starts with: Debian, and the libraries of the lock."""
    root = unpacked(f"guest-{release}", release, GUEST, architecture)
    wheels = wheelhouse(release, pins=True, processor=architecture.machine)
    archive = CACHE / f"{root.name}-{wheels.name}.cpio"
    if archive.exists():
        return archive
    print(f"… putting libraries into the root for {architecture.debian} (once)", flush=True)
    libraries = root / "opt/libraries"
    shutil.rmtree(libraries, ignore_errors=True)
    _pip(
        "--no-deps", "--target", str(libraries), *map(str, sorted(wheels.glob("*.whl"))), processor=architecture.machine
    )
    _write(root / "usr/lib/python3/dist-packages/near_real.pth", "/opt/libraries\n/opt/gnomon\n")
    _archive(root, archive)
    return archive


def program(kernel: Kernel, architecture: Architecture, folder: Path) -> Path:
    """An archive of what changes from day to day: Gnomon, the stories, and the relay with what it needs."""
    root = folder / "program"
    _put_program(root / "opt/gnomon")
    for command, module in (("gnomon", "gnomon.cli"), ("gnomond", "gnomon_pi.cli.daemon")):
        _write(
            root / "usr/local/bin" / command, f"#!/usr/bin/python3\nfrom {module} import main\n\nmain()\n", mode=0o755
        )
    shutil.copy(HERE / "guest/init", root / "init")
    _put_relay(kernel, architecture, root)
    archive = folder / "program.cpio"
    _archive(root, archive)
    return archive


def disk(kernel: Kernel, folder: Path) -> Path:
    """A disk with Debian and systemd, on which nothing of Gnomon is installed yet, and three of its sources."""
    root = installable(folder)
    _put_relay(kernel, AMD64, root)
    for name, place in (
        ("near-real.service", NEAR_REAL_SERVICE),
        ("gnomond-dropin.conf", "etc/systemd/system/gnomond.service.d/90-near-real.conf"),
        ("gnomond-dropin.conf", "etc/systemd/system/gnomond-safe.service.d/90-near-real.conf"),
        ("devices.rules", "etc/udev/rules.d/99-com.rules"),
        ("pi-4", "srv/pi-4"),
    ):
        _write(root / place, (HERE / "disk" / name).read_text(encoding="utf-8"))
    _write(root / "etc/modules-load.d/board.conf", "i2c-dev\nboard_relay\n")
    _write(root / "etc/fstab", "/dev/vda / ext4 defaults 0 1\n")
    _quietly("chroot", str(root), "systemctl", "enable", "near-real.service")
    image = folder / "disk.img"
    _quietly("mke2fs", "-q", "-t", "ext4", "-d", str(root), str(image), f"{DISK_MB}M")
    shutil.rmtree(root)
    return image


def container(folder: Path) -> Path:
    """A root for a container, with the service of Gnomon's image that undoes an update."""
    root = installable(folder)
    _write(root / NEAR_REAL_SERVICE, (HERE / "disk/near-real-container.service").read_text(encoding="utf-8"))
    for name in ("etc/systemd/system/gnomon-version.service", "usr/local/lib/gnomon-image/use-version"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "image/files" / name, root / name)
    _quietly("chroot", str(root), "systemctl", "enable", "near-real.service", "gnomon-version.service")
    return root


def installable(folder: Path) -> Path:
    """A root with Debian and systemd, on which nothing of Gnomon is installed yet, and three of its sources."""
    root = folder / "disk"
    _quietly("cp", "--archive", "--reflink=auto", str(system(RELEASE)), str(root))
    for name, version in (("first", "0.1.0"), ("second", "0.1.1"), ("broken", "0.1.2")):
        put_version(root / "srv" / name, version)
    spoilt = root / "srv/broken/firmware/gnomon_pi/runtime/service.py"
    spoilt.write_text(spoilt.read_text(encoding="utf-8").replace("self._recover()", "1 / 0", 1), encoding="utf-8")
    shutil.copytree(wheelhouse(RELEASE, processor=AMD64.machine), root / "srv/wheels")
    _put_program(root / "opt/near-real")
    _write(root / "boot/firmware/config.txt", CONFIG_TXT)
    _write(root / "etc/hostname", "near-real\n")
    for group in GROUPS:
        _quietly("chroot", str(root), "addgroup", "--system", group)
    for name in ("first", "second", "broken"):
        environment = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels", "LC_ALL": "C.UTF-8", "HOME": "/root"}
        _quietly("chroot", str(root), "sh", "-euc", BUILD_VERSION, "sh", f"/srv/{name}", **environment)
    _quietly("chroot", str(root), "systemctl", "mask", "serial-getty@ttyS0.service", "getty@tty1.service")
    return root


def system(release: str) -> Path:
    """Debian with systemd, configured; and the library of the pins where Raspberry Pi OS has its package of it."""
    mark = hashlib.sha256("\n".join([release, MIRROR, *SYSTEM]).encode()).hexdigest()[:12]
    root = CACHE / f"system-{release}-{mark}"
    if root.exists():
        return root
    CACHE.mkdir(parents=True, exist_ok=True)
    making = root.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    print(f"… installing Debian {release} with systemd into a folder (once)", flush=True)
    _quietly(
        "mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(SYSTEM)}", release, str(making), MIRROR
    )
    for left_out in LEFT_OUT:
        shutil.rmtree(making / left_out, ignore_errors=True)
    (making / "var/lib/apt/lists/partial").mkdir(parents=True)
    (making / "var/cache/apt/archives/partial").mkdir(parents=True)
    wheels = wheelhouse(release, pins=True, processor=AMD64.machine)
    files = map(str, sorted(wheels.glob("*.whl")))
    _pip("--no-deps", "--target", str(making / "opt/libraries"), *files, processor=AMD64.machine)
    (lgpio,) = wheels.glob("lgpio-*.whl")
    packages = making / "usr/lib/python3/dist-packages"
    _pip("--no-deps", "--target", str(packages), str(lgpio), processor=AMD64.machine)
    making.rename(root)
    return root


def put_version(there: Path, version: str) -> None:
    """Copy the working tree, with another version number."""
    shutil.copytree(ROOT, there, ignore=NOT_SOURCES)
    project = there / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    old = tomllib.loads(text)["project"]["version"]
    project.write_text(text.replace(f'version = "{old}"', f'version = "{version}"', 1), encoding="utf-8")


def _put_relay(kernel: Kernel, architecture: Architecture, root: Path) -> None:
    """The relay with what it needs, where modprobe finds it."""
    modules = root / "lib/modules" / kernel.version
    put_modules(kernel, modules, WANTED)
    (modules / "extra").mkdir()
    shutil.copy(relay(kernel, architecture), modules / "extra")
    _quietly("depmod", "--basedir", str(root), kernel.version)


def _put_program(there: Path) -> None:
    """Gnomon as it is installed, the stories, and the pictures that they compare with."""
    _pip("--no-deps", "--no-build-isolation", "--target", str(there), str(ROOT))
    shutil.rmtree(there / "bin", ignore_errors=True)
    shutil.copytree(HERE, there / "tests/near_real", ignore=NOT_SOURCES)
    for golden in ("golden", "golden_clocks", "golden_tables"):
        shutil.copytree(ROOT / "tests/views" / golden, there / "tests/views" / golden)


def device_tree(kernel: Kernel, folder: Path) -> Path:
    """The device tree of a Raspberry Pi 3B, with the revision that its firmware would write into it."""
    root = kernel.modules.parents[2]
    (tree,) = root.glob("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb")
    there = folder / "pi-3b.dtb"
    shutil.copy(tree, there)
    _quietly("fdtput", "-c", str(there), "/system")
    _quietly("fdtput", "-t", "x", str(there), "/system", "linux,revision", REVISION_3B)
    return there


def put_modules(kernel: Kernel, there: Path, names: Sequence[str]) -> None:
    """Copy modules of a kernel, as far as it has them apart, and its lists of what is built in."""
    there.mkdir(parents=True, exist_ok=True)
    for path in kernel.modules.glob("modules.*"):
        shutil.copy(path, there)
    for name in names:
        for path in kernel.modules.glob(f"kernel/**/{name}.ko*"):
            target = there / path.relative_to(kernel.modules)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def _write_people(root: Path) -> None:
    """The users and groups that base-passwd would make when it is configured."""
    masters = root / "usr/share/base-passwd"
    if masters.exists():
        for name in ("passwd", "group"):
            shutil.copy(masters / f"{name}.master", root / "etc" / name)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _archive(root: Path, archive: Path) -> None:
    """Pack a folder as the kernel unpacks it."""
    making = archive.with_suffix(".making")
    find = "find . -print0 | LC_ALL=C sort --zero-terminated | cpio --null --create --format=newc --quiet"
    with making.open("wb") as out:
        subprocess.run(["sh", "-c", find], cwd=root, stdout=out, check=True)
    making.rename(archive)


def _pip(*words: str, processor: str = "") -> None:
    """Install without asking a network; with a processor wheels for the machine's Python are taken as they are."""
    python = PYTHONS[RELEASE]
    is_own = processor == os.uname().machine and sys.version.startswith(f"{python}.")
    foreign = ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp"]
    foreign += [f"--platform={each}_{processor}" for each in PLATFORMS]
    words = (*(foreign if processor and not is_own else ()), *words)
    _quietly(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", *words)


def _quietly(*words: str, **environment: str) -> None:
    """Run a command; what it says is shown when it fails."""
    ended = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    if ended.returncode:
        print("\n".join(ended.stdout.splitlines()[-20:]), file=sys.stderr)
        ended.check_returncode()
