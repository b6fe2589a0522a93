"""Copies of a site: by rsync, and in an object store."""

import asyncio
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.hall.demo._board import Casual
from gnomon.web.publication import Publication, PublicationError, publish
from gnomon.web.publication import _publisher as publisher
from gnomon.web.publication._folder import Site
from gnomon.web.publication._live import LiveBoards
from gnomon.web.publication._page_client import Source, page_client
from gnomon.web.publication._page_set import Making, gather
from gnomon.web.publication._targets import copy_site
from tests.conftest import FindProgram
from tests.web_director.houses import DirectorHouse
from tests.web_hall.party import Party
from tests.web_publication.object_store import Bucket, object_store
from tests.web_publication.sites import contents, dead_links

STORE = "s3://club/open/2026"
UNDER = "open/2026/"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """A bucket, to which the environment leads."""
    with object_store("club") as found:
        monkeypatch.setenv("AWS_ENDPOINT_URL", found.address)
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_REGION", "eu-central-1")
        yield found


def publish_to(house: DirectorHouse, folder: Path, *targets: str) -> None:
    """Publish a hall's data to a folder, and copy that."""
    publish(Publication(str(house.where), folder, ("en", "de"), targets))


def stored(bucket: Bucket) -> dict[str, bytes]:
    """What is in a bucket, by the names that it has in a site."""
    return {key.removeprefix(UNDER): body for key, body in bucket.objects.items()}


def test_rsync_copies_a_site_and_later_what_has_changed(
    house: DirectorHouse, tmp_path: Path, find_program: FindProgram
) -> None:
    find_program("rsync", package="rsync")
    target = tmp_path / "served"
    publish_to(house, tmp_path / "site", str(target))
    assert contents(target) == contents(tmp_path / "site")
    assert dead_links(target) == []
    kept = (target / "static/base.css").stat().st_ino
    house.play()
    house.publish()
    (target / "old.html").write_text("gone")
    publish_to(house, tmp_path / "site", str(target))
    assert contents(target) == contents(tmp_path / "site")
    assert (target / "static/base.css").stat().st_ino == kept


def test_rsync_brings_what_pages_need_before_the_pages(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, told = tmp_path / "bin/rsync", tmp_path / "told"
    program.parent.mkdir()
    program.write_text(
        f'#!{sys.executable}\nimport sys\nopen({str(told)!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    publish_to(house, tmp_path / "site", "-host:/srv/site")
    first, second = told.read_text(encoding="utf-8").splitlines()
    assert "--exclude=*.html" in first
    assert "--delete" not in first
    assert "--delete-after" in second
    assert first.endswith(f" -- {tmp_path}/site/ -host:/srv/site/")  # no option of rsync


def test_what_rsync_says_is_told(house: DirectorHouse, tmp_path: Path, find_program: FindProgram) -> None:
    find_program("rsync", package="rsync")
    (tmp_path / "file").write_text("")
    with pytest.raises(PublicationError, match=rf"{tmp_path}/file/there cannot be written: rsync"):
        publish_to(house, tmp_path / "site", f"{tmp_path}/file/there")
    assert (tmp_path / "site/index.html").is_file()


def test_without_rsync_it_is_asked_for(house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PublicationError, match="rsync is not on this machine"):
        publish_to(house, tmp_path / "site", "host:/srv/site")


def test_an_object_store_gets_a_site_and_later_what_has_changed(
    house: DirectorHouse, tmp_path: Path, bucket: Bucket
) -> None:
    publish_to(house, tmp_path / "site", STORE)
    assert stored(bucket) == contents(tmp_path / "site")
    before = contents(tmp_path / "site")
    bucket.asked.clear()
    publish_to(house, tmp_path / "site", STORE)
    assert bucket.asked == []
    house.play()
    publish_to(house, tmp_path / "site", STORE)
    after = contents(tmp_path / "site")
    changed = {("PUT", UNDER + name) for name in after if after[name] != before.get(name)}
    assert 0 < len(changed) < len(after)
    assert set(bucket.asked) == changed
    assert stored(bucket) == after


def test_pages_come_last_and_what_is_gone_goes_after_them(house: DirectorHouse, tmp_path: Path, bucket: Bucket) -> None:
    publish_to(house, tmp_path / "site", STORE)
    order = [key.endswith(".html") for _, key in bucket.asked]
    assert order == sorted(order)
    bucket.asked.clear()
    publish(Publication(str(house.where), tmp_path / "site", ("en",), (STORE,)))
    what = [done for done, _ in bucket.asked]
    assert what == sorted(what, reverse=True)
    assert "DELETE" in what
    assert stored(bucket) == contents(tmp_path / "site")


def test_objects_say_what_they_are(house: DirectorHouse, tmp_path: Path, bucket: Bucket) -> None:
    publish_to(house, tmp_path / "site", STORE)
    page, style = bucket.headers[f"{UNDER}index.html"], bucket.headers[f"{UNDER}static/base.css"]
    assert (page["content-type"], page["cache-control"]) == ("text/html; charset=utf-8", "no-cache")
    assert (style["content-type"], style["cache-control"]) == ("text/css", "public, max-age=300")
    assert bucket.headers[f"{UNDER}static/dom.js"]["content-type"] == "text/javascript"


def test_what_could_not_be_stored_is_stored_the_next_time(house: DirectorHouse, tmp_path: Path, bucket: Bucket) -> None:
    name = f"{UNDER}tournaments/open/index.html"
    bucket.fails.add(name)
    with pytest.raises(PublicationError, match="s3://club/open/2026 cannot be written"):
        publish_to(house, tmp_path / "site", STORE)
    done = set(bucket.objects)
    bucket.fails.clear()
    bucket.asked.clear()
    publish_to(house, tmp_path / "site", STORE)
    assert stored(bucket) == contents(tmp_path / "site")
    assert not {key for _, key in bucket.asked} & done


def test_without_its_library_an_object_store_asks_for_it(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(PublicationError, match="install gnomon with its extra `publish`"):
        publish_to(house, tmp_path / "site", STORE)


def test_boards_are_copied_with_the_rest(tmp_path: Path, bucket: Bucket) -> None:
    data = tmp_path / "data"
    data.mkdir()
    party = Party(data)
    party.board("t01", Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben")))
    party.run(10)
    site, ask = Site(tmp_path / "site"), page_client(party.app, ("en",))
    pages = asyncio.run(gather(Source(ask), ("en",), Making("1", site.manifest(), {})))
    site.write_live(pages.live, is_all=True)
    site.write(pages)
    copy_site(site, STORE)
    assert stored(bucket) == contents(site.folder)
    party.run(10)
    bucket.asked.clear()
    asyncio.run(LiveBoards(ask, site, ("en",)).look(60))
    copy_site(site, STORE)
    assert {key.removeprefix(UNDER) for _, key in bucket.asked} == {
        "boards/now.json",
        "boards/index.html",
        "boards/pictures-yes.html",
        "boards/t01/index.html",
        "boards/t01/miniature.svg",
    }
    party.hall.close()


def test_a_target_that_fails_is_told_once_and_tried_again(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class _EnoughError(Exception):
        pass

    tried: list[str] = []
    told: list[object] = []

    def fail(_site: Site, target: str) -> None:
        tried.append(target)
        if len(tried) == 4:
            raise _EnoughError
        why = "the cable is out"
        raise PublicationError(why)

    monkeypatch.setattr(publisher, "copy_site", fail)
    with pytest.raises(_EnoughError):
        publisher.keep_published(
            Publication(str(house.where), tmp_path / "site", ("en",), ("host:/srv",)), 0.01, told.append
        )
    assert [str(each) for each in told[1:]] == ["the cable is out"]
