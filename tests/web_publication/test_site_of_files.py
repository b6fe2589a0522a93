"""A published site: pages as strangers see them, in files that change whole or not at all."""

from pathlib import Path
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from gnomon.tournament.events import EntrantCorrected
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.web.publication import Publication, PublicationError, publish
from tests.web_director.houses import DirectorHouse
from tests.web_publication.sites import contents, dead_links, pages, unreached

TABLES = ("index.html", "round-1.html", "standings/index.html", "standings/round-1.html", "cross/index.html")


def publish_site(house: DirectorHouse, folder: Path, *languages: str) -> tuple[int, int]:
    """How many files the site has now, and how many of them are new or changed."""
    written = publish(Publication(str(house.where), folder, languages or ("en",)))
    return written.files, written.changed


def test_a_site_has_pairings_standings_tables_and_players(house: DirectorHouse, tmp_path: Path) -> None:
    publish_site(house, tmp_path / "site")
    site = tmp_path / "site"
    for table in TABLES:
        assert "Ada Lovelace" in (site / "tournaments" / "open" / table).read_text(encoding="utf-8"), table
    assert len(list((site / "tournaments/open/players").iterdir())) == 9
    assert 'href="tournaments/open/index.html"' in (site / "index.html").read_text(encoding="utf-8")


def test_every_link_is_relative_and_leads_to_a_file_and_every_page_is_reached(
    house: DirectorHouse, tmp_path: Path
) -> None:
    publish_site(house, tmp_path / "site", "en", "de", "fr")
    site = tmp_path / "site"
    assert len(pages(site)) == 3 * (1 + 6 + 9)
    assert dead_links(site) == []
    assert unreached(site) == set()


def test_both_brackets_of_a_double_elimination_are_published(house: DirectorHouse, tmp_path: Path) -> None:
    house.tournament("double", 8, system=System.KNOCKOUT, rounds=9, lives=2, tie_breaks=())
    house.publish("double")
    house.play("double", [GameResult.FIRST_WON])
    house.publish("double")
    publish_site(house, tmp_path / "site", "en", "de")
    site = tmp_path / "site"
    page = (site / "tournaments/double/bracket/index.html").read_text(encoding="utf-8")
    assert page.index("Winners’ bracket") < page.index("Losers’ bracket") < page.index("Second final, if needed")
    assert page.count('<div class="match">') == 4 + 2 + 1 + 2 + 2
    assert "Verliererrunde" in (site / "de/tournaments/double/bracket/index.html").read_text(encoding="utf-8")
    assert "bracket/index.html" in (site / "tournaments/double/index.html").read_text(encoding="utf-8")
    assert (dead_links(site), unreached(site)) == ([], set())


def test_what_scripts_import_is_there(house: DirectorHouse, tmp_path: Path) -> None:
    publish_site(house, tmp_path / "site", "de", "en")
    there = {file.name for file in (tmp_path / "site/static").iterdir()}
    assert {"tournament_live.js", "stream.js", "dom.js", "round_clock.js", "base.css"} <= there
    assert {file.name for file in (tmp_path / "site/words").iterdir()} == {"de.json", "en.json"}


def test_the_first_language_stands_at_the_top_and_the_others_below(house: DirectorHouse, tmp_path: Path) -> None:
    publish_site(house, tmp_path / "site", "de", "en")
    assert '<html lang="de"' in (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert '<html lang="en"' in (tmp_path / "site/en/tournaments/open/index.html").read_text(encoding="utf-8")


def test_a_page_of_a_site_asks_nothing_of_a_server(house: DirectorHouse, tmp_path: Path) -> None:
    publish_site(house, tmp_path / "site")
    for page in pages(tmp_path / "site"):
        text = page.read_text(encoding="utf-8")
        assert "<form" not in text, page
        assert "csrf" not in text, page
        assert "sign-in" not in text, page
        assert "data-stream" not in text, page


def test_nothing_is_written_again_when_nothing_was_told(house: DirectorHouse, tmp_path: Path) -> None:
    files, changed = publish_site(house, tmp_path / "site")
    assert files == changed
    shown = (tmp_path / "site").readlink()
    assert publish_site(house, tmp_path / "site") == (files, 0)
    assert (tmp_path / "site").readlink() == shown


def test_files_that_say_the_same_are_the_same_files(house: DirectorHouse, tmp_path: Path) -> None:
    publish_site(house, tmp_path / "site")
    names = ("static/base.css", "tournaments/open/standings/round-1.html", "tournaments/open/index.html")
    before = [(tmp_path / "site" / name).stat().st_ino for name in names]
    house.play()
    files, changed = publish_site(house, tmp_path / "site")
    after = [(tmp_path / "site" / name).stat().st_ino for name in names]
    assert 0 < changed < files
    assert before[:2] == after[:2]
    assert before[2] != after[2]


def test_a_tournament_of_which_nothing_was_told_is_not_asked_for_again(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.tournament("other")
    publish_site(house, tmp_path / "site")
    site = contents(tmp_path / "site")
    house.play()
    asked: list[str] = []
    from gnomon.web.publication import _page_client  # noqa: PLC0415 - to listen to it

    answer = _page_client._answer

    async def listen(app: ASGIApp, address: str, *more: Any) -> object:
        asked.append(address)
        return await answer(app, address, *more)

    monkeypatch.setattr(_page_client, "_answer", listen)
    publish_site(house, tmp_path / "site")
    assert [address for address in asked if "/other" in address] == ["/tournaments/other"]
    assert "/tournaments/open/standings" in asked
    assert not any(address.startswith("/static") for address in asked)
    assert contents(tmp_path / "site").keys() == site.keys()


def test_a_site_published_again_and_again_is_the_one_that_is_published_once(
    house: DirectorHouse, tmp_path: Path
) -> None:
    for _ in range(2):
        house.play()
        publish_site(house, tmp_path / "site", "en", "fr")
        book = house.hall.book("open")
        told = book.read()
        entrant = book.tournament().entrants[1]
        book.append(EntrantCorrected(1, name=f"{entrant.name} II"), "Dora", after=len(told))
        publish_site(house, tmp_path / "site", "en", "fr")
    publish_site(house, tmp_path / "again", "en", "fr")
    assert contents(tmp_path / "site") == contents(tmp_path / "again")


def test_a_page_that_fails_leaves_the_site_as_it_was(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_site(house, tmp_path / "site")
    before = contents(tmp_path / "site")
    house.play()

    def fail(*_: object) -> None:
        raise HTTPException(503)

    monkeypatch.setattr("gnomon.web.director.public.pages.turns_of_all", fail)
    with pytest.raises(PublicationError, match=r"/players/\d+ cannot be published \(HTTP 503\)"):
        publish_site(house, tmp_path / "site")
    assert contents(tmp_path / "site") == before


@pytest.mark.parametrize("call", ["os.link", "os.sync", "pathlib.Path.write_bytes", "pathlib.Path.replace"])
def test_a_disk_that_fails_leaves_the_site_as_it_was(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    publish_site(house, tmp_path / "site")
    before = contents(tmp_path / "site")
    house.play()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(call, fail)
        with pytest.raises(PublicationError, match="No space left on device"):
            publish_site(house, tmp_path / "site")
    assert contents(tmp_path / "site") == before
    publish_site(house, tmp_path / "site")
    assert contents(tmp_path / "site") != before
    assert dead_links(tmp_path / "site") == []


def test_a_folder_that_holds_something_else_is_left_alone(house: DirectorHouse, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/thesis.txt").write_text("ten years")
    with pytest.raises(PublicationError, match="already holds something else"):
        publish_site(house, tmp_path / "site")
    assert contents(tmp_path / "site") == {"thesis.txt": b"ten years"}


def test_a_folder_may_be_named_from_here(house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    publish_site(house, Path("site"))
    assert publish_site(house, Path("site"))[1] == 0
    assert (tmp_path / "site/index.html").is_file()
    with pytest.raises(PublicationError, match="already holds something else"):
        publish_site(house, Path())


def test_an_empty_folder_becomes_the_site(house: DirectorHouse, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    publish_site(house, tmp_path / "site")
    assert (tmp_path / "site/index.html").is_file()


def test_old_sets_of_files_are_cleared_away(house: DirectorHouse, tmp_path: Path) -> None:
    for turn in range(4):
        book = house.hall.book("open")
        book.append(EntrantCorrected(1, name=f"Ada {turn}"), "Dora", after=len(book.read()))
        publish_site(house, tmp_path / "site")
    sets = [each for each in (tmp_path / ".site.sets").iterdir() if each.is_dir()]
    assert len(sets) == 2


def test_two_programs_do_not_write_one_site(house: DirectorHouse, tmp_path: Path) -> None:
    from gnomon.web.publication._folder import Site  # noqa: PLC0415 - what holds the lock

    publish_site(house, tmp_path / "site")
    with Site(tmp_path / "site")._hold(), pytest.raises(PublicationError, match="by another program"):
        publish_site(house, tmp_path / "site")
