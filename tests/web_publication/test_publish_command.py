"""`gnomon publish`: what it publishes, and what it says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from tests.web_director.houses import DirectorHouse
from tests.web_publication.sites import contents, dead_links


def run(*arguments: str | Path) -> tuple[int, str]:
    """The exit code of a run, and what it said."""
    answer = CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False)
    return answer.exit_code, answer.output


def tournament_file(folder: Path) -> Path:
    """A tournament that was made with `gnomon tournament`."""
    file = folder / "club-evening.gnomon-tournament"
    for command in (
        ["new", "Club evening", "--rounds", "3"],
        ["add", "Ada Lovelace"],
        ["add", "Grace Hopper"],
        ["publish"],
    ):
        status, output = run("tournament", *command, "--file", file)
        assert status == 0, output
    return file


def test_the_folder_of_a_halls_data_is_published(house: DirectorHouse, tmp_path: Path) -> None:
    status, output = run("publish", tmp_path / "site", "--from", house.where)
    files = len(contents(tmp_path / "site"))
    assert status == 0
    assert output.startswith(f"{tmp_path / 'site'}: {files} files, ")
    assert output.endswith(f" KiB; new or changed: {files}\n")


def test_a_database_file_is_published(house: DirectorHouse, tmp_path: Path) -> None:
    run("publish", tmp_path / "site", "--from", house.where)
    run("publish", tmp_path / "other", "--from", house.where / "hall.db")
    assert contents(tmp_path / "other") == contents(tmp_path / "site")


def test_the_hall_of_this_user_is_published_where_nothing_is_named(
    house: DirectorHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(house.where))
    assert run("publish", tmp_path / "site")[0] == 0
    assert (tmp_path / "site/tournaments/open/index.html").is_file()


def test_the_file_of_a_tournament_is_published(tmp_path: Path) -> None:
    file = tournament_file(tmp_path)
    assert run("publish", tmp_path / "site", "--from", file)[0] == 0
    page = (tmp_path / "site/tournaments/club-evening/index.html").read_text(encoding="utf-8")
    assert "Ada Lovelace" in page
    assert "Grace Hopper" in page
    assert dead_links(tmp_path / "site") == []
    assert run("publish", tmp_path / "site", "--from", file)[1].endswith(" new or changed: 0\n")


def test_the_language_of_the_command_is_that_of_the_site(house: DirectorHouse, tmp_path: Path) -> None:
    _, output = run("--language", "de", "publish", tmp_path / "site", "--from", house.where)
    assert "neu oder geändert" in output
    assert '<html lang="de"' in (tmp_path / "site/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["nowhere", "nowhere.gnomon-tournament"])
def test_a_source_that_is_not_there_is_named(tmp_path: Path, source: str) -> None:
    status, output = run("publish", tmp_path / "site", "--from", tmp_path / source)
    assert status == 1
    assert f"there is nothing to publish at {tmp_path / source}" in output
    assert not (tmp_path / "site").exists()
