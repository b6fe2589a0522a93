import shutil
from pathlib import Path
from random import Random

import pytest

from gnomon.records.journal.writer import Journal
from tests.faults.storage import FAULTS, NAME, Left, explore_storage, found, leave


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Left:
    return leave(tmp_path_factory.mktemp("left"))


@pytest.fixture
def left(written: Left, tmp_path: Path) -> Left:
    """What was left, in a folder that may be damaged."""
    return written._replace(now=shutil.copytree(written.now, tmp_path / "now"))


def test_what_a_kill_leaves_is_whole(left: Left) -> None:
    assert found(left.now, left.written) == ("right", "")


def test_an_entry_that_is_gone_without_a_word_is_found(left: Left) -> None:
    what, detail = found(left.before, left.written)
    assert what in {"lost", "said"}
    assert what == "said" or detail == "60 entries of 120, 60 as they were written"


def test_a_traceback_is_no_word(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise KeyError(NAME)

    monkeypatch.setattr(Journal, "open", fail)
    assert found(left.now, left.written) == ("traceback", "KeyError: 'journal.db'")


def test_no_single_fault_of_the_storage_loses_anything_without_a_word(tmp_path: Path) -> None:
    losses = explore_storage(tmp_path, 120, Random(11))
    assert losses.first == {}
    assert {*losses.total} == {"right", "said"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_changes_one_file(left: Left, fault: str) -> None:
    path = left.now / f"{NAME}-wal"
    others = {each: each.read_bytes() for each in left.now.iterdir() if each != path}
    content = path.read_bytes()
    tried = Random(1)
    for _ in range(20):
        FAULTS[fault][0](left, path, tried)
        if not path.exists() or path.read_bytes() != content:
            break
    assert not path.exists() or path.read_bytes() != content
    assert others == {each: each.read_bytes() for each in others}
