"""Boards in a published site: their pages change one by one, as strangers may see them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from gnomon.hall.demo._board import Casual
from gnomon.web.access import Role
from gnomon.web.publication._folder import Site
from gnomon.web.publication._live import LiveBoards
from gnomon.web.publication._page_client import Ask, Source, page_client
from gnomon.web.publication._page_set import Making, gather
from gnomon.web.publication._publisher import Publication, _publish_once
from tests.web_hall.party import Party
from tests.web_hall.test_hall_delay import Evening
from tests.web_publication.sites import contents, dead_links, files, pages, unreached

TABIK = Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben"))
LANGUAGES = ("en", "fr")


def publish(ask: Ask, site: Site, *, with_boards: bool = True) -> None:
    """Publish what answers."""
    made = asyncio.run(gather(Source(ask), LANGUAGES, Making("1", site.manifest(), {}), with_boards=with_boards))
    if with_boards:
        site.write_live(made.live, is_all=True)
    site.write(made)


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Party]:
    """A hall in which two boards play."""
    data = tmp_path / "data"
    data.mkdir()
    party = Party(data)
    for name in ("t01", "t02"):
        party.board(name, TABIK)
    party.run(20)
    yield party
    party.hall.close()


@pytest.fixture
def site(playing: Party, tmp_path: Path) -> Site:
    """Its site."""
    site = Site(tmp_path / "site")
    publish(page_client(playing.app, LANGUAGES), site)
    return site


def test_a_site_has_a_page_for_each_board_and_a_wall(site: Site) -> None:
    assert dead_links(site.folder) == []
    assert unreached(site.folder) == set()
    for language in ("", "fr/"):
        for page in ("boards/index.html", "boards/t01/index.html", "boards/t02/index.html", "wall/index.html"):
            assert (site.folder / f"{language}{page}").is_file(), page
    told = json.loads((site.folder / "boards/now.json").read_text(encoding="utf-8"))
    assert [each["board"] for each in told["boards"]] == ["t01", "t02"]


def test_what_was_written_counts_the_files_of_boards(playing: Party, tmp_path: Path) -> None:
    site, publication = Site(tmp_path / "counted"), Publication("a hall", tmp_path / "counted", LANGUAGES)
    opened = Source(page_client(playing.app, LANGUAGES))
    first = asyncio.run(_publish_once(site, publication, opened))
    there, before = files(site.folder), contents(site.folder)
    assert (first.files, first.size) == (len(there), sum(file.stat().st_size for file in there))
    assert first.changed == first.files
    playing.run(20)
    later = asyncio.run(_publish_once(site, publication, opened))
    changed = [name for name, content in contents(site.folder).items() if content != before[name]]
    assert later.changed == len(changed)
    assert "boards/t01/index.html" in changed
    # Where boards are looked at apart, they are among the files all the same.
    assert asyncio.run(_publish_once(site, publication, opened, with_boards=False)) == later._replace(changed=0)


def test_the_page_of_a_board_says_without_its_program_how_it_stands(playing: Party, site: Site) -> None:
    page = (site.folder / "boards/t01/index.html").read_text(encoding="utf-8")
    assert "Ada (Black)" in page
    assert "Ben (White)" in page
    assert page.count("data-left=") == 2
    assert page.count("data-runs") == 1
    assert '<div class="look-board picture"><svg' in page
    assert "<form" not in page
    assert "Ada" in (site.folder / "boards/index.html").read_text(encoding="utf-8")
    assert playing.hall.place("t01").is_online


def test_a_list_of_boards_with_pictures_shows_each_position(site: Site) -> None:
    for language in ("", "fr/"):
        page = (site.folder / f"{language}boards/pictures-yes.html").read_text(encoding="utf-8")
        assert 'src="t01/miniature.svg"' in page
        assert (site.folder / f"{language}boards/t02/miniature.svg").read_bytes().startswith(b"<svg")
        assert 'href="pictures-yes.html"' in (site.folder / f"{language}boards/index.html").read_text(encoding="utf-8")


def test_a_look_draws_the_position_of_a_board_that_has_moved(playing: Party, site: Site) -> None:
    boards = LiveBoards(page_client(playing.app, LANGUAGES), site, LANGUAGES)
    asyncio.run(boards.look(60))
    before = contents(site.folder)
    playing.run(10)
    asyncio.run(boards.look(60))
    after = contents(site.folder)
    for name in ("boards/t01/miniature.svg", "fr/boards/t01/miniature.svg"):
        assert after[name] != before[name]


def test_a_look_changes_what_has_changed_and_nothing_else(playing: Party, site: Site) -> None:
    boards = LiveBoards(page_client(playing.app, LANGUAGES), site, LANGUAGES)
    asyncio.run(boards.look(60))
    before, shown = contents(site.folder), site.folder.readlink()
    del playing.boards["t02"]
    playing.run(2)
    asyncio.run(boards.look(60))
    after = contents(site.folder)
    changed = {name for name in after if after[name] != before.get(name)}
    assert before.keys() == after.keys()
    assert {"boards/now.json", "boards/t01/index.html", "fr/boards/t01/index.html"} <= changed
    assert not any("t02" in name for name in changed)
    assert site.folder.readlink() == shown
    assert dead_links(site.folder) == []


def test_a_board_that_comes_later_gets_a_page(playing: Party, site: Site) -> None:
    boards = LiveBoards(page_client(playing.app, LANGUAGES), site, LANGUAGES)
    playing.board("t03", TABIK)
    playing.run(10)
    asyncio.run(boards.look(60))
    assert "Ada (Black)" in (site.folder / "boards/t03/index.html").read_text(encoding="utf-8")
    assert dead_links(site.folder) == []


def test_no_more_pages_are_asked_for_than_there_is_time_for(playing: Party, site: Site) -> None:
    asked: list[str] = []

    async def listen(scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        await playing.app(scope, receive, send)

    for number in range(3, 30):
        playing.board(f"t{number:02}", TABIK)
    playing.run(5)
    boards = LiveBoards(page_client(listen, LANGUAGES), site, LANGUAGES)
    looks = []
    for _ in range(4):
        asked.clear()
        asyncio.run(boards.look(2))
        looks.append(sum(path.count("/") == 2 and path != "/boards/now.json" for path in asked))
    assert looks == [20, 20, 18, 0]  # each in two languages


def test_boards_stay_where_they_are_when_the_rest_of_the_site_changes(playing: Party, site: Site) -> None:
    before = contents(site.folder)
    playing.demonstrate(2)
    playing.run(20)
    publish(page_client(playing.app, LANGUAGES), site, with_boards=False)
    after = contents(site.folder)
    assert before.keys() < after.keys()
    assert "tournaments/demo-1/index.html" in after
    assert all(after[name] == before[name] for name in before if "boards/" in name or "static/" in name)


def test_a_hall_whose_strangers_may_direct_is_published_as_spectators_see_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    party = Party(data, Role.DIRECTOR)
    party.board("t01", TABIK)
    party.demonstrate(2)
    party.run(60)
    site = Site(tmp_path / "site")
    assert "<form" in party.visitor().get("/boards/t01").text
    publish(page_client(party.app, LANGUAGES), site)
    assert len(pages(site.folder)) > 20
    for page in pages(site.folder):
        text = page.read_text(encoding="utf-8")
        assert 'method="post"' not in text, page
        assert "/desk" not in text, page
    assert dead_links(site.folder) == []
    party.hall.close()


def test_spectators_of_a_site_see_a_board_as_late_as_those_in_the_hall(tmp_path: Path) -> None:
    one, other = (Evening.begun(tmp_path / name, 50) for name in ("one", "other"))
    one.play(20)
    other.wait(20)
    sites = []
    for evening, name in ((one, "site"), (other, "other-site")):
        site = Site(tmp_path / name)
        publish(page_client(evening.party.app, LANGUAGES), site)
        asyncio.run(LiveBoards(page_client(evening.party.app, LANGUAGES), site, LANGUAGES).look(60))
        sites.append({path: body for path, body in contents(site.folder).items() if path != "boards/now.json"})
    assert "Ada (Black)" in sites[0]["boards/t01/index.html"].decode()
    assert sites[0] == sites[1]
    one.close()
    other.close()
