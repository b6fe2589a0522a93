"""Write the partitions of an image: the same bytes from the same files."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from programs import run, say

MEBI: Final = 1024 * 1024
START: Final = 4  # mebibytes before the first partition
BOOT_SIZE: Final = 256
DATA_SIZE: Final = 384
SPARE: Final = 48  # in the root's file system, for packages that are changed later
IDS: Final = {
    "gnomon-root": "6c6d8f8e-5d5c-4c39-9d0d-6a6e0b0f6f01",
    "gnomon-data": "6c6d8f8e-5d5c-4c39-9d0d-6a6e0b0f6f02",
}
BOOT_LABEL: Final = "GNOMONBOOT"
BOOT_ID: Final = "6e6f6d01"
DISK_ID: Final = "0x6e6f6d6f"


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of the image: its type by sfdisk, its size, and the file with its content."""

    kind: str
    mebibytes: int
    content: Path


def assemble(image: Path, boot: Path, system: Path, data: Path) -> None:
    """Write the three file systems and put them into one image."""
    say("writing the file systems")
    used = int(subprocess.run(["du", "-sm", str(system)], stdout=subprocess.PIPE, check=True).stdout.split()[0])
    parts = [
        Partition("c", BOOT_SIZE, fat(boot, image.with_suffix(".boot"))),
        Partition(
            "83",
            root_size := (used * 108 // 100 + SPARE),
            ext4(system, image.with_suffix(".root"), "gnomon-root", root_size),
        ),
        Partition("83", DATA_SIZE, ext4(data, image.with_suffix(".data"), "gnomon-data", DATA_SIZE)),
    ]
    table = [f"label: dos\nlabel-id: {DISK_ID}\nunit: sectors\n"]
    at = START
    with image.open("wb") as disk:
        disk.truncate((START + sum(part.mebibytes for part in parts)) * MEBI)
    for part in parts:
        sector = MEBI // 512
        table.append(f"start={at * sector}, size={part.mebibytes * sector}, type={part.kind}\n")
        run("dd", f"if={part.content}", f"of={image}", "bs=1M", f"seek={at}", "conv=notrunc,sparse", "status=none")
        part.content.unlink()
        at += part.mebibytes
    subprocess.run(["sfdisk", "--quiet", str(image)], input="".join(table), text=True, check=True)


def fat(folder: Path, file: Path) -> Path:
    """A FAT file system with what is in a folder."""
    with file.open("wb") as made:
        made.truncate(BOOT_SIZE * MEBI)
    run("mkfs.vfat", "--invariant", "-F", "32", "-n", BOOT_LABEL, "-i", BOOT_ID, str(file))
    for path in sorted(folder.iterdir()):
        run("mcopy", "-s", "-m", "-i", str(file), str(path), "::")
    return file


def ext4(folder: Path, file: Path, label: str, mebibytes: int) -> Path:
    """An ext4 file system with what is in a folder."""
    own = IDS[label]
    os.environ["E2FSPROGS_FAKE_TIME"] = os.environ["SOURCE_DATE_EPOCH"]
    run(
        *("mkfs.ext4", "-q", "-F", "-m", "1", "-L", label, "-U", own, "-d", str(folder)),
        *("-E", f"hash_seed={own},lazy_itable_init=0,lazy_journal_init=0", str(file), f"{mebibytes}M"),
    )
    settle_inodes(file)
    return file


def settle_inodes(file: Path) -> None:
    """Let every file in a file system be as old as the image says: mke2fs copies when it was last read and changed."""
    told = subprocess.run(["dumpe2fs", str(file)], capture_output=True, text=True, check=True).stdout
    total = int(re.findall(r"Inode count: +(\d+)", told)[0])
    free: set[int] = set()
    for line in re.findall(r"Free inodes: (.+)", told):
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", line):
            free.update(range(int(first), int(last or first) + 1))
    when = f"@{os.environ['SOURCE_DATE_EPOCH']}"
    used = (number for number in range(1, total + 1) if number not in free)
    fields = ("atime", "ctime", "crtime", "atime_extra", "ctime_extra", "crtime_extra")
    orders = [
        f"set_inode_field <{number}> {field} {'0' if field.endswith('_extra') else when}\n"
        for number in used
        for field in fields
    ]
    subprocess.run(
        ["debugfs", "-w", "-f", "-", str(file)], input="".join(orders), text=True, check=True, stdout=subprocess.DEVNULL
    )
