"""Whether what is written to a folder outlasts the power."""

from pathlib import PurePath

import pytest

from gnomon_pi.runtime.system.mounts import MOUNTS, forgets, mount_of

PROTECTED = """\
overlayroot / overlay rw,relatime,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay 0 0
/dev/mmcblk0p2 /media/root-ro ext4 ro,relatime 0 0
proc /proc proc rw 0 0
tmpfs /run tmpfs rw 0 0
/dev/mmcblk0p3 /data ext4 rw,relatime 0 0
/dev/sda1 /media/a\\040stick vfat rw 0 0
tmpfs /data/cache tmpfs rw 0 0
"""


def kind_of(folder: PurePath, mounts: str) -> str:
    """The kind of the file system on which a folder stands."""
    mount = mount_of(folder, mounts)
    return "" if mount is None else mount.kind


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/lib/gnomon", "overlay"),
        ("/data/gnomon", "ext4"),
        ("/data", "ext4"),
        ("/database", "overlay"),
        ("/data/cache/gnomon", "tmpfs"),
        ("/media/a stick/gnomon", "vfat"),
    ],
)
def test_the_deepest_mount_says_what_a_folder_stands_on(folder: str, kind: str) -> None:
    assert kind_of(PurePath(folder), PROTECTED) == kind


def test_of_two_mounts_on_one_point_the_last_counts() -> None:
    assert kind_of(PurePath("/var"), "/dev/sda1 / ext4 ro 0 0\noverlay / overlay rw 0 0\n") == "overlay"


def test_a_folder_in_memory_is_refused_in_one_sentence_and_another_is_not() -> None:
    assert forgets(PurePath("/data/gnomon"), PROTECTED) is None
    said = str(forgets(PurePath("/var/lib/gnomon"), PROTECTED))
    assert said.startswith("/var/lib/gnomon is on overlay, which loses everything when the power goes off: ")


def test_nothing_is_said_of_mounts_that_the_kernel_does_not_name() -> None:
    assert mount_of(PurePath("/var"), "") is None
    assert forgets(PurePath("/var"), "nonsense\n") is None


def test_the_kernel_of_this_machine_names_them_so() -> None:
    assert kind_of(PurePath("/proc/self"), MOUNTS.read_text(encoding="utf-8")) == "proc"
