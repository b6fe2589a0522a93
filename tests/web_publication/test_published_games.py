"""The finished games of a tournament: in the hall's pages, and in a site of files."""

import asyncio
import json
import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.database import Database
from gnomon.records.bundles import bundle
from gnomon.records.replay import Replay, film
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.director._office import TournamentApp, TournamentSnapshot
from gnomon.web.director.public.games import games_of
from gnomon.web.games import exports
from gnomon.web.publication import Publication, publish
from gnomon.words import words
from tests.web_hall.party import Party
from tests.web_publication.sites import contents, dead_links, unreached

GAME = "tournaments/demo-1/games/1-1"


def replay_of(evening: Party) -> Replay:
    """The game of the first board of the first round."""
    [told] = [one for one in evening.hall.proposals("demo-1", 1) if one.board == 1]
    [game] = told.games
    archive = evening.hall.archive(game.device, game.epoch)
    stored = next(one for one in archive.games() if one.id == game.game)
    return film(bundle(stored, archive.read(game.game)))


def test_a_site_with_games_holds_together(site: Path) -> None:
    assert (site / GAME / "index.html").is_file()
    assert dead_links(site) == []
    assert unreached(site) == set()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pictures_of_a_game_are_made_of_lines_that_are_kept_once(evening: Party, site: Path, language: str) -> None:
    replay = replay_of(evening)
    whole = [exports.for_a_page(replay, number, words(language)).decode() for number in range(len(replay.frames))]
    file = site / ("" if language == "en" else language) / GAME / "pictures.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    for number, spans in enumerate(told["frames"]):
        lines = [
            line
            for first, count in zip(spans[::2], spans[1::2], strict=True)
            for line in told["lines"][first : first + count]
        ]
        assert "\n".join(lines) == whole[number].rstrip("\n")
    assert len(told["frames"]) == len(replay.frames)
    assert file.stat().st_size < sum(map(len, whole)) / 5


def test_a_page_of_a_game_says_without_its_program_what_happened(evening: Party, site: Path) -> None:
    page = (site / GAME / "index.html").read_text(encoding="utf-8")
    replay = replay_of(evening)
    for ply in replay.last.plies:
        assert f">{ply.text.replace('>', '&gt;')}<" in page
    assert 'src="end.svg"' in page
    assert (site / GAME / "end.svg").read_bytes() == exports.for_a_page(replay, len(replay.frames) - 1, words("en"))
    for _, name in replay.last.people:
        assert name in page


def test_the_lists_of_a_game_can_be_scrolled_with_the_keyboard_before_they_have_links(site: Path) -> None:
    page = (site / GAME / "index.html").read_text(encoding="utf-8")
    lists = re.findall(r'<ol class="(?:turn-list|ruling-lines)"[^>]*>', page)
    assert len(lists) == 2
    assert all('tabindex="0"' in each for each in lists)


def test_the_page_of_a_game_brings_its_texts_along(evening: Party, site: Path) -> None:
    page = (site / GAME / "index.html").read_text(encoding="utf-8")
    [told] = re.findall(r'<script type="application/json" id="frames">(.*?)</script>', page)
    assert len(json.loads(told)) == len(replay_of(evening).frames)


def test_results_lead_to_their_games(evening: Party) -> None:
    text = evening.visitor().get("/tournaments/demo-1?round=1").text
    assert 'href="/tournaments/demo-1/games/1-1"' in text
    page = evening.visitor().get("/tournaments/demo-1/games/1-1")
    assert page.status_code == 200
    assert "Round 1, board 1" in page.text
    assert 'href="/tournaments/demo-1/games/1-1?ply=3"' in page.text


def test_one_position_of_a_game_can_be_asked_for(evening: Party) -> None:
    guest = evening.visitor()
    picture = guest.get("/tournaments/demo-1/games/1-1/position.svg?ply=2")
    assert picture.content == exports.for_a_page(replay_of(evening), 2, words("en"))
    assert 'data-number="2"' in guest.get("/tournaments/demo-1/games/1-1?ply=2").text


@pytest.mark.parametrize("kind", ["sheet", "sgf"])
def test_a_game_can_be_taken_along(evening: Party, site: Path, kind: str) -> None:
    text = evening.visitor().get(f"/tournaments/demo-1/games/1-1/game.{kind}").text
    assert text.encode() == (site / GAME / f"game.{kind}").read_bytes()
    assert text == exports.FORMATS[kind].make(replay_of(evening), 0, words("en")).decode()


@pytest.mark.parametrize(
    "game", ["1-99", "9-1", "1", "1-1-1", "1-1-2", "1-1-1-1", "01-1", "a-b", "1-", "-1-1", "1-1%20", "1-" + "1" * 5000]
)
def test_a_game_that_is_not_there_is_not_found(evening: Party, game: str) -> None:
    for file in ("", "/pictures.json", "/end.svg"):
        assert evening.visitor().get(f"/tournaments/demo-1/games/{game}{file}").status_code == 404


@pytest.mark.parametrize("page", ["games/1-1", "games/1-1/pictures.json", "players/1"])
def test_a_page_of_one_game_or_player_looks_at_no_other_board(
    evening: Party, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    asked = set()

    def open_archive(database: Database, board: str, *more: Any) -> BoardArchive:
        asked.add(board)
        return BoardArchive(database, board, *more)

    monkeypatch.setattr("gnomon.hall.hall.BoardArchive", open_archive)
    boards = {game.device for told in evening.hall.proposals("demo-1") for game in told.games}
    assert evening.visitor().get(f"/tournaments/demo-1/{page}").status_code == 200
    assert 1 <= len(asked) < len(boards)


def test_lists_of_games_that_are_made_anew_are_not_kept(evening: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    office, book = TournamentApp(evening.hall), evening.hall.book("demo-1")
    look = TournamentSnapshot("demo-1", book.read(), book.tournament(), office.news.marks("demo-1"))
    instants = count(0, 11 * SECOND)
    monkeypatch.setattr(type(evening.hall), "now", lambda _: Instant(next(instants)))

    async def ask() -> set[int]:
        return {len(await games_of(office, look)) for _ in range(9)}

    (found,) = asyncio.run(ask())
    assert found > 0
    assert len(office.played._answers) == 2
    assert len(office.shelf._answers) == 0


def test_a_game_is_not_shown_before_spectators_may_see_what_its_board_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(tmp_path)
    party.demonstrate(2)
    party.run(400, until=lambda: len(party.hall.book("demo-1").read()) > 4)
    [told] = party.hall.proposals("demo-1", 1)
    [game] = told.games
    assert game.ruled is not None
    assert "games/1-1" in party.visitor().get("/tournaments/demo-1?round=1").text
    place = party.hall.place(game.device)
    seen = type(party.hall.public)

    for through, shown in ((game.ruled.seq - 1, False), (game.ruled.seq, True)):
        monkeypatch.setattr(seen, "place", lambda *_, through=through: replace(place, through=through))
        guest = party.visitor()
        assert ("games/1-1" in guest.get("/tournaments/demo-1?round=1").text) is shown
        assert guest.get("/tournaments/demo-1/games/1-1").status_code == (200 if shown else 404)
    monkeypatch.setattr(seen, "place", lambda *_: replace(place, epoch="another"))
    assert party.visitor().get("/tournaments/demo-1/games/1-1").status_code == 404
    party.hall.close()


def test_of_a_board_whose_delay_nobody_knows_no_game_is_shown(tmp_path: Path) -> None:
    party = Party(tmp_path)
    party.demonstrate(2)
    party.run(400, until=lambda: len(party.hall.book("demo-1").read()) > 4)
    party.hall.close()
    again = Party(tmp_path)  # no board has told it anything
    page = again.visitor().get("/tournaments/demo-1?round=1").text
    assert "1-0" in page or "0-1" in page or "½" in page
    assert "games/1-1" not in page
    assert again.visitor().get("/tournaments/demo-1/games/1-1").status_code == 404
    again.hall.close()


def test_a_game_that_no_referee_can_follow_holds_up_no_site(
    evening: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        message = "the records make no game"
        raise ValueError(message)

    monkeypatch.setattr("gnomon.web.director.public.games.film", fail)
    publish(Publication(str(evening.where), tmp_path / "site"))
    page = (tmp_path / "site" / GAME / "index.html").read_text(encoding="utf-8")
    assert "the records make no game" in page
    assert dead_links(tmp_path / "site") == []


def test_a_finished_game_is_made_once(evening: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(Publication(str(evening.where), tmp_path / "site"))
    before = contents(tmp_path / "site")
    manifest = tmp_path / ".site.sets/site.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["subjects"]["en/tournaments/demo-1"] = "of another time"
    manifest.write_text(json.dumps(told), encoding="utf-8")

    def fail(*_: object) -> None:
        message = "a game is played again"
        raise AssertionError(message)

    monkeypatch.setattr("gnomon.web.director.public.games.film", fail)
    publish(Publication(str(evening.where), tmp_path / "site"))
    assert contents(tmp_path / "site") == before
