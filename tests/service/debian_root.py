"""Make a Debian root to install into, and run commands inside: no Pi, no systemd, no network.

The root is made once by debootstrap and kept as an archive under `.cache`, with the packages that the installer asks
for downloaded beside it, and the wheels that pip asks for in a folder. What a Raspberry Pi has and Debian has not are
stubs, and named so.
"""

import hashlib
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[2]
STUBS: Final = Path(__file__).parent / "stubs"
CACHE: Final = ROOT / ".cache" / "install"
MIRROR: Final = "http://deb.debian.org/debian"
PYTHONS: Final = {"bookworm": "3.11", "trixie": "3.13"}
# The systems whose wheels Debian's C library runs.
PLATFORMS: Final = tuple(f"manylinux{each}" for each in ("_2_34", "_2_28", "_2_26", "_2_17", "2014"))
# The library of the pins is locked for the processors of a Raspberry Pi, though there are wheels for others.
PINS: Final = ("lgpio",)
# Debian packs them, and nobody publishes a wheel.
WITHOUT_WHEEL: Final = ("spidev", "rpi-lgpio")
INCLUDED: Final = "python3,ca-certificates,systemd,adduser,kmod"
ASKED_FOR: Final = ("python3-venv", "python3-spidev", "python3-argon2")
NODES: Final = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}
NOT_SOURCES: Final = shutil.ignore_patterns(
    ".*_cache", ".git", ".venv", ".cache", ".hypothesis", "__pycache__", ".coverage*", "build", "dist", "node_modules"
)
ENVIRONMENT: Final = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "/wheels",
}
GROUPS: Final = ("gpio", "i2c", "spi", "input")
STUB_PACKAGES: Final = ("python3-lgpio", "python3-rpi-lgpio")
CONFIG_TXT: Final = """# For more options and information see
# http://rptl.io/configtxt
dtparam=audio=on
#dtparam=i2c_arm=on
#dtparam=spi=on

[cm4]
dtparam=spi=on

[all]
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command inside ended."""

    code: int
    text: str


class Machine:
    """A Debian root with processes of its own; `run` runs a command in it as root."""

    def __init__(self, folder: Path, leader: int) -> None:
        self.folder = folder
        self._leader = leader

    def run(self, *words: str, timeout: float = 300) -> Ran:
        """Run a command inside, with no network and with pip's wheels at hand."""
        ended = subprocess.run(
            [*self._inside(), *words],
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Ran(ended.returncode, ended.stdout)

    @contextmanager
    def started(self, *words: str) -> Iterator[None]:
        """Start a command inside; at the end it and all that it started are killed, as by a power cut."""
        with subprocess.Popen(
            [*self._inside(), *words],
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                yield
            finally:
                os.killpg(process.pid, signal.SIGKILL)

    def path(self, inside: str) -> Path:
        """Where something inside is from outside."""
        return self.folder / inside.lstrip("/")

    def read(self, inside: str) -> str:
        """The text of a file inside."""
        return self.path(inside).read_text(encoding="utf-8")

    def link(self, inside: str) -> str:
        """Where a link inside leads, by its last name; empty when there is none."""
        path = self.path(inside)
        return path.readlink().name if path.is_symlink() else ""

    def _inside(self) -> Sequence[str]:
        return ["nsenter", f"--target={self._leader}", "--mount", "--pid", "--net", "chroot", str(self.folder)]


@contextmanager
def machine(release: str, folder: Path) -> Iterator[Machine]:
    """A fresh machine of a release of Debian under `folder`; its processes and mounts end with it."""
    archive, wheels = template(release), wheelhouse(release)
    root = folder / release
    root.mkdir()
    subprocess.run(["tar", "--extract", f"--file={archive}", f"--directory={root}"], check=True)
    _put_stubs(root)
    (root / "wheels").mkdir()
    apart = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--propagation=private"]
    mounts = f"mount -t proc proc {root}/proc && mount --bind {wheels} {root}/wheels"
    holding = [*apart, "sh", "-c", f"{mounts} && echo there && exec sleep infinity"]
    with subprocess.Popen(holding, stdout=subprocess.PIPE, text=True) as holder:
        try:
            if holder.stdout is None or holder.stdout.readline() != "there\n":
                message = "no machine could be set apart: unshare failed"
                raise RuntimeError(message)
            (leader,) = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text(encoding="ascii").split()
            yield Machine(root, int(leader))
        finally:
            holder.kill()
    shutil.rmtree(root, ignore_errors=True)


def put_sources(made: Machine, name: str, version: str | None = None) -> Path:
    """Copy the working tree into the machine as the folder /name, with another version number if one is given."""
    there = made.path(name)
    shutil.copytree(ROOT, there, ignore=NOT_SOURCES)
    if version is not None:
        project = there / "pyproject.toml"
        text = project.read_text(encoding="utf-8")
        old = tomllib.loads(text)["project"]["version"]
        project.write_text(text.replace(f'version = "{old}"', f'version = "{version}"', 1), encoding="utf-8")
    return there


def template(release: str) -> Path:
    """The archive of a root, made when there is none."""
    archive = CACHE / f"{release}-{platform.machine()}.tar"
    if archive.exists():
        return archive
    CACHE.mkdir(parents=True, exist_ok=True)
    root = CACHE / f"{release}.making"
    shutil.rmtree(root, ignore_errors=True)
    print(f"… making a root of Debian {release} (once)", flush=True)
    _quietly("debootstrap", "--variant=minbase", f"--include={INCLUDED}", release, str(root), MIRROR)
    (root / "etc/apt/sources.list").write_text(f"deb {MIRROR} {release} main\n", encoding="utf-8")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    _quietly("chroot", str(root), "apt-get", "-q", "update")
    _quietly(
        "chroot", str(root), "apt-get", "-q", "install", "-y", "--download-only", "--no-install-recommends", *ASKED_FOR
    )
    for mounted in ("proc", "sys"):
        with suppress(subprocess.CalledProcessError):
            _quietly("umount", str(root / mounted))
    _quietly(
        "tar",
        "--create",
        f"--file={archive}.new",
        f"--directory={root}",
        "--exclude=./proc/*",
        "--exclude=./sys/*",
        ".",
    )
    Path(f"{archive}.new").rename(archive)
    shutil.rmtree(root)
    return archive


def wheelhouse(release: str, *, pins: bool = False, processor: str = "") -> Path:
    """A folder of the wheels that the lock names, fetched by the pip outside, as it is configured there.

    With `pins` it holds the library of the pins, too, which a machine with pins needs; `processor` is that of this
    machine unless another one is named.
    """
    python, processor = PYTHONS[release], processor or platform.machine()
    lock = (ROOT / "locks" / ("pins.txt" if pins else "board.txt")).read_text(encoding="utf-8")
    lines = re.findall(r"^[a-z].*==.*?(?= \\$)", lock, re.MULTILINE)
    # pip reads markers as if for the Python that it runs on, also where it downloads for another one.
    there = {"python_version": python, "python_full_version": f"{python}.0"}
    locked = [
        one for one in map(Requirement, lines) if one.name in PINS or one.marker is None or one.marker.evaluate(there)
    ]
    wanted = [f"{one.name}{one.specifier}" for one in locked if one.name not in WITHOUT_WHEEL]
    mark = hashlib.sha256("\n".join([python, processor, *sorted(wanted)]).encode()).hexdigest()[:12]
    wheels = CACHE / f"wheels-{mark}"
    if not wheels.exists():
        making = CACHE / f"wheels-{mark}.making"
        print(f"… fetching wheels for Python {python} (once)", flush=True)
        systems = [f"--platform={each}_{processor}" for each in PLATFORMS]
        is_own = python == ".".join(platform.python_version_tuple()[:2]) and processor == platform.machine()
        foreign = [] if is_own else [f"--python-version={python}", *systems]
        _quietly(
            *(sys.executable, "-m", "pip", "download", "--only-binary=:all:", "--no-deps"),
            *("--dest", str(making), *foreign, *wanted),
        )
        making.rename(wheels)
    return wheels


def _put_stubs(root: Path) -> None:
    """What a Raspberry Pi has: its settings, its groups, its packages; and a systemctl where no systemd runs."""
    shutil.copy(STUBS / "systemctl", root / "usr/local/sbin/systemctl")
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "boot/firmware/config.txt").write_text(CONFIG_TXT, encoding="utf-8")
    for name, (major, minor) in NODES.items():
        with suppress(FileExistsError):
            os.mknod(root / "dev" / name, 0o20666, os.makedev(major, minor))
        (root / "dev" / name).chmod(0o666)
    groups = root / "etc/group"
    text = groups.read_text(encoding="utf-8")
    missing = [(name, number) for number, name in enumerate(GROUPS, 900) if f"\n{name}:" not in text]
    groups.write_text(text + "".join(f"{name}:x:{number}:\n" for name, number in missing), encoding="utf-8")
    _put_stub_packages(root)


def _put_stub_packages(root: Path) -> None:
    """A folder of packages for apt: empty modules under the names that Raspberry Pi OS gives the libraries of pins."""
    index = []
    for package in STUB_PACKAGES:
        tree = root / "stub-packages" / package
        module = tree / "usr/lib/python3/dist-packages" / f"{package.removeprefix('python3-').replace('-', '_')}.py"
        module.parent.mkdir(parents=True)
        module.write_text('"""A stub."""\n', encoding="utf-8")
        control = (
            f"Package: {package}\nVersion: 0.2.2-stub\nArchitecture: all\nMaintainer: nobody\nDescription: a stub\n"
        )
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN/control").write_text(control, encoding="utf-8")
        made = tree.with_suffix(".deb")
        _quietly("dpkg-deb", "--root-owner-group", "--build", str(tree), str(made))
        shutil.rmtree(tree)
        data = made.read_bytes()
        index.append(
            f"{control}Filename: ./{made.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n"
        )
    (root / "stub-packages/Packages").write_text("\n".join(index), encoding="utf-8")
    source = root / "etc/apt/sources.list.d/stub.list"
    source.write_text("deb [trusted=yes] file:/stub-packages ./\n", encoding="utf-8")


def _quietly(*words: str) -> None:
    """Run a command outside; what it says is shown when it fails."""
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if ended.returncode:
        print("\n".join(ended.stdout.splitlines()[-20:]), file=sys.stderr)
        ended.check_returncode()
