"""Files that are written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from gnomon.whole_files import READABLE, SECRET, write_whole


def test_a_file_is_written_with_its_rights_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    write_whole(path, "first\n", SECRET)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("first\n", 0o600)
    write_whole(path, "second\r\n", READABLE)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"second\r\n", 0o644)
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings"
    path.write_text("first\n")

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "second\n", READABLE)
    assert path.read_text() == "first\n"
    assert list(tmp_path.iterdir()) == [path]
