"""Let the daemon meet a real kernel: run the machines, print what they found, and write it into build/near-real."""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.near_real import installer, roots
from tests.near_real.container import run_container
from tests.near_real.machine import PC, PC_WITH_DISK, PLAIN, RASPI3B, VIRT, Ran, run, say
from tests.near_real.report import report
from tests.service.debian_root import ROOT

ALL: Final = "all"
SHORT: Final = ("smoke", "service")
"""Run where nothing is named: before every change that goes to others."""
RESULTS: Final = ROOT / "build" / "near-real"
QUIET: Final = "quiet panic=-1 rdinit=/init"


def play(stories: Sequence[str], seconds: float) -> Ran:
    """Run stories on a machine of this computer's kind, without a disk."""
    roots.need("qemu-system-x86_64", "mmdebstrap", "cpio", "depmod")
    kernel = roots.kernel(roots.RELEASE, roots.AMD64)
    with fresh("-".join(stories)) as folder:
        say(f"a PC with Linux {kernel.version}: {', '.join(stories)}")
        told = f"console=ttyS0 {QUIET} near_real.i2c=1,4,6 near_real.stories={','.join(stories)}"
        start = boot(kernel, roots.AMD64, folder, told)
        return run([*PC, *PLAIN, "-no-reboot", *start], folder.with_suffix(".log"), seconds, len(stories))


def play_on_arm(machine: Sequence[str], name: str, told: str, seconds: float) -> Ran:
    """Run stories on a machine for ARM, without a disk."""
    roots.need("qemu-system-aarch64", "mmdebstrap", "cpio", "depmod", "fdtput")
    kernel = roots.kernel(roots.ARM_RELEASE, roots.ARM64)
    with fresh(name) as folder:
        say(f"{machine[2]} with Linux {kernel.version}")
        start = boot(kernel, roots.ARM64, folder, f"{QUIET} {told}")
        tree = ("-dtb", str(roots.device_tree(kernel, folder))) if machine is RASPI3B else ()
        return run([*machine, *PLAIN, "-no-reboot", *tree, *start], folder.with_suffix(".log"), seconds)


def install(seconds: float) -> Ran:
    """Install on a machine of this computer's kind, on a disk with systemd."""
    roots.need("qemu-system-x86_64", "mmdebstrap", "cpio", "depmod", "mke2fs")
    kernel = roots.kernel(roots.RELEASE, roots.AMD64)
    with fresh("installed") as folder:
        image = roots.disk(kernel, folder)
        say(f"a PC with Linux {kernel.version} and systemd on a disk")
        start = boot(
            kernel, roots.AMD64, folder, f"console=ttyS0 {QUIET} near_real.disk=/dev/vda systemd.show_status=no"
        )
        drive = ("-drive", f"file={image},if=virtio,format=raw,cache=unsafe")
        return run([*PC_WITH_DISK, *PLAIN, *drive, *start], folder.with_suffix(".log"), seconds)


def install_in_container(seconds: float) -> Ran:
    """Install under systemd on this computer's own kernel, with a simulated board."""
    roots.need("mmdebstrap")
    with fresh("service") as folder:
        root = roots.container(folder)
        say("a container with systemd")
        return run_container(root, folder.with_suffix(".log"), seconds)


def install_for_arm(seconds: float) -> Ran:
    """Install on plain Debian for ARM, in a folder."""
    with fresh(installer.NAME) as folder:
        return installer.install_for_arm(folder, seconds)


def boot(kernel: roots.Kernel, architecture: roots.Architecture, folder: Path, told: str) -> Sequence[str]:
    """The words that start a machine with a kernel and the root in memory."""
    initrd = folder / "initrd"
    with initrd.open("wb") as whole:
        for part in (roots.guest(roots.RELEASE, architecture), roots.program(kernel, architecture, folder)):
            with part.open("rb") as one:
                shutil.copyfileobj(one, whole)
    return ("-kernel", str(kernel.image), "-initrd", str(initrd), "-append", told)


@contextmanager
def fresh(name: str) -> Iterator[Path]:
    """An empty folder for what a machine is made of; its console is written beside it."""
    folder = RESULTS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


MACHINES: Final[Mapping[str, Callable[[], Ran]]] = {
    "smoke": lambda: play(["smoke"], 1800),
    "service": lambda: install_in_container(1800),
    "boards": lambda: play(["tamsk-expanders", "tayu", "table-clock"], 3600),
    "games": lambda: play(["level1", "level2", "level3"], 7200),
    "installed": lambda: install(7200),
    installer.NAME: lambda: install_for_arm(7200),
    "arm64": lambda: play_on_arm(VIRT, "arm64", "console=ttyAMA0 near_real.i2c=1 near_real.stories=smoke", 3600),
    "raspi3b": lambda: play_on_arm(
        RASPI3B, "raspi3b", "console=ttyAMA0,115200 near_real.kmsg=1 near_real.stories=own-pins", 1800
    ),
}


def main() -> int:
    """Run the machines that were asked for; 0 when everything was as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.near_real", description=__doc__)
    parser.add_argument("machines", nargs="*", metavar="MACHINE", help=f"all, or some of {', '.join(MACHINES)}")
    names = parser.parse_args().machines or SHORT
    if unknown := set(names) - {*MACHINES, ALL}:
        parser.error(f"there is no machine {', '.join(sorted(unknown))}")
    if os.geteuid() != 0 or os.uname().machine != roots.OWN.machine:
        sys.stderr.write("The machines are made by root on a PC (x86_64) only: sudo make near-real\n")
        return 1
    ran: dict[str, Ran] = {}
    try:
        for name in MACHINES if ALL in names else names:
            ran[name] = MACHINES[name]()
    except roots.AbsentError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    text, is_right = report(ran)
    (RESULTS / "report.txt").write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
