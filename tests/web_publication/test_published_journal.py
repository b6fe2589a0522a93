"""The games of one board, published from its journal without a tournament or a hall."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.records.files import JournalFile
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.writer import Journal
from gnomon.referee.exercises import EXERCISE
from gnomon.timekeeping.instants import Instant
from gnomon.web.publication import Publication, PublicationError, publish
from tests.web.spectators import SHEETS, fill
from tests.web_publication.sites import contents, dead_links, pages, unreached

GOES_ON = SHEETS[0].replace("Result: black resigned\n", "")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """The journal of a board at which two games are over and a third goes on; it stays open, as a daemon has it."""
    with Journal.open(tmp_path / "table.journal") as opened:
        fill(opened, (*SHEETS, GOES_ON))
        yield opened


def run(*arguments: str | Path) -> tuple[int, str]:
    """The exit code of `gnomon publish`, and what it said."""
    answer = CliRunner().invoke(main, ["publish", *map(str, arguments)], catch_exceptions=False)
    return answer.exit_code, answer.output


def test_the_games_of_a_board_that_are_over_are_published_with_their_replay(journal: Journal, tmp_path: Path) -> None:
    status, output = run(tmp_path / "site", "--from", journal.path, "--in", "en", "--in", "de")
    assert status == 0, output
    site = tmp_path / "site"
    first = (site / "index.html").read_text(encoding="utf-8")
    assert "Ömer" in first
    assert 'href="games/2/index.html"' in first
    for folder in (site / "games/1", site / "de/games/2"):
        assert {file.name for file in folder.iterdir()} == {
            "index.html",
            "pictures.json",
            "end.svg",
            "game.sheet",
            "game.sgf",
        }
    assert not (site / "games/3").exists()
    assert dead_links(site) == []
    assert unreached(site) == set()


def test_a_page_of_such_a_site_asks_nothing_of_a_server(journal: Journal, tmp_path: Path) -> None:
    publish(Publication(str(journal.path), tmp_path / "site"))
    assert len(pages(tmp_path / "site")) == 3
    for page in pages(tmp_path / "site"):
        text = page.read_text(encoding="utf-8")
        assert not any(each in text for each in ("<form", "csrf", "sign-in", "/watch", "/guess", "data-game="))


def test_only_a_new_game_is_made(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publication = Publication(str(journal.path), tmp_path / "site")
    publish(publication)
    before = contents(tmp_path / "site")
    assert publish(publication).changed == 0
    fill(journal, SHEETS[:1])
    followed: list[int] = []
    read = JournalFile.read

    def listen(self: JournalFile, game: int) -> Sequence[Record]:
        followed.append(game)
        return read(self, game)

    monkeypatch.setattr(JournalFile, "read", listen)
    publish(publication)
    after = contents(tmp_path / "site")
    assert followed == [4]
    assert {name for name in after if after[name] != before.get(name)} == {
        "index.html",
        *(f"games/4/{name}" for name in ("index.html", "pictures.json", "end.svg", "game.sheet", "game.sgf")),
    }


def test_a_game_that_went_on_after_all_is_no_longer_published(journal: Journal, tmp_path: Path) -> None:
    publication = Publication(str(journal.path), tmp_path / "site")
    publish(publication)
    number = journal.reopen(Entry(2, EntryKind.NOTE, Instant(90_000_000), {"note": "x"}, "boot", "2026-11-20 11:00"))
    journal.wait_durable(number)
    publish(publication)
    assert not (tmp_path / "site/games/2").exists()
    assert dead_links(tmp_path / "site") == []


def test_who_is_forgotten_is_not_named(journal: Journal, tmp_path: Path) -> None:
    publication = Publication(str(journal.path), tmp_path / "site")
    publish(publication)
    PeopleFile.beside(journal.path).change(lambda register: register.forget("Ada"))
    publish(publication)
    assert not any(b"Ada" in content for content in contents(tmp_path / "site").values())


def test_lessons_and_puzzles_are_no_games(tmp_path: Path) -> None:
    start = GameStart(
        "tabik", {"size": 4, EXERCISE: "lesson:first-game:1"}, "guided", Instant(0), "boot", "2026-11-20 10:30", "1"
    )
    with Journal.open(tmp_path / "table.journal") as journal:
        game = journal.begin(start)
        journal.wait_durable(
            journal.end(Entry(game, EntryKind.NOTE, Instant(1), {"note": "x"}, "boot", "2026-11-20 10:30"))
        )
        publish(Publication(str(journal.path), tmp_path / "site"))
    assert not (tmp_path / "site/games").exists()
    assert dead_links(tmp_path / "site") == []


def test_a_folder_with_one_journal_will_do(journal: Journal, tmp_path: Path) -> None:
    assert run(tmp_path / "site", "--from", journal.path.parent)[0] == 0
    assert (tmp_path / "site/games/1/index.html").is_file()
    (tmp_path / "other.journal").touch()
    status, output = run(tmp_path / "other", "--from", journal.path.parent)
    assert status == 1
    assert "the journal of a board" in output


def test_a_journal_is_known_by_what_is_in_it(journal: Journal, tmp_path: Path) -> None:
    renamed = tmp_path / "copy.db"
    journal.close()
    renamed.write_bytes(journal.path.read_bytes())
    publish(Publication(str(renamed), tmp_path / "site"))
    assert (tmp_path / "site/games/1/index.html").is_file()


def test_a_journal_that_cannot_be_read_leaves_the_site_as_it_was(journal: Journal, tmp_path: Path) -> None:
    publication = Publication(str(journal.path), tmp_path / "site")
    publish(publication)
    before = contents(tmp_path / "site")
    (tmp_path / "players.json").write_text("{", encoding="utf-8")
    with pytest.raises(PublicationError, match=r"decisions about people cannot be read"):
        publish(publication)
    assert contents(tmp_path / "site") == before
    with pytest.raises(PublicationError, match=r"none\.journal"):
        publish(Publication(str(tmp_path / "elsewhere/none.journal"), tmp_path / "site"))
