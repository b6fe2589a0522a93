"""The files of a site while it is made: on the disk where they are many, and gone if it fails."""

from contextlib import closing
from pathlib import Path

import pytest

from gnomon.web.publication import Publication, PublicationError, publish
from gnomon.web.publication import _publisher as publisher
from tests.web_director.houses import DirectorHouse
from tests.web_publication.sites import contents

FILES = {"index.html": b"a page", "players/1.html": bytes(5000), "empty.txt": b""}


@pytest.mark.parametrize("room", [0, 5500, publisher.IN_MEMORY])
def test_files_come_back_from_memory_and_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(publisher, "IN_MEMORY", room)
    folder = tmp_path / "there/.site.sets"
    with closing(publisher.Spool(folder)) as files:
        for name, content in FILES.items():
            files[name] = b"said otherwise before"
            files[name] = content
        assert dict(files) == FILES
        assert "index.html" in files
        assert "other.html" not in files
        del files["empty.txt"]
        assert len(files) == 2
        assert folder.exists() is (room < 5500)
        assert list(tmp_path.rglob("*.html")) == []
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_site_that_does_not_fit_into_memory_is_the_same(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites = tmp_path / "small", tmp_path / "large"
    for site, room in zip(sites, (publisher.IN_MEMORY, 10_000), strict=True):
        monkeypatch.setattr(publisher, "IN_MEMORY", room)
        publish(Publication(str(house.where), site))
    assert contents(sites[0]) == contents(sites[1])


def test_a_disk_without_room_is_said_and_leaves_the_site_as_it_was(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(Publication(str(house.where), tmp_path / "site"))
    before = contents(tmp_path / "site")
    monkeypatch.setattr(publisher, "IN_MEMORY", 10_000)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.SpooledTemporaryFile.rollover", fail)
    house.play()
    with pytest.raises(PublicationError, match="No space left on device"):
        publish(Publication(str(house.where), tmp_path / "site"))
    assert contents(tmp_path / "site") == before
