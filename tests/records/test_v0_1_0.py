"""Test that the records of version 0.1.0 can be read, are ruled on as they were then, and show in every language."""

import json
import lzma
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from gnomon.records.bundles import Bundle, bundle, difference, read_bundle
from gnomon.records.formats.sgf_sheets import read_sgf
from gnomon.records.formats.sheet_play import play_to_end, steps
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import ruling_record
from gnomon.records.journal.writer import Journal
from gnomon.records.replay import film
from gnomon.records.verification import verify
from gnomon.views.sentences import sentence
from gnomon.words import LANGUAGES, NO_BREAK, words
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.virtual_daemon import VirtualDaemon, virtual_board

RECORDED = Path(__file__).with_name("v0_1_0")
SHOWN = RECORDED / "shown.txt"
JOURNALS = ("tamsk", "tayu", "tables")
UPDATE = os.environ.get("GNOMON_UPDATE_GOLDEN") == "1"

WORDS = {"what", "put_right"}
"""Keys of a ruling whose values were sentences: later versions may say the same in other words."""

Expected = Mapping[str, Any]


def unpacked(name: str) -> bytes:
    return lzma.decompress((RECORDED / f"{name}.xz").read_bytes())


def expected(name: str) -> list[Expected]:
    return [json.loads(line) for line in unpacked(f"{name}.expected.jsonl").splitlines()]


@cache
def traces() -> list[tuple[Bundle, Expected]]:
    """Every short game, and what must come of it."""
    numbers = iter(range(10_000))
    began = 0

    def game_of(line: bytes) -> int:
        nonlocal began
        began = next(numbers) if line.startswith(b'{"trace"') else began
        return began

    games = [read_bundle(lines) for _, lines in groupby(unpacked("traces.jsonl").splitlines(keepends=True), game_of)]
    return list(zip(games, expected("traces"), strict=True))


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the journals as they were."""
    folder = tmp_path_factory.mktemp("v0_1_0")
    for name in JOURNALS:
        (folder / f"{name}.journal").write_bytes(unpacked(f"{name}.journal"))
    return folder


def stored(folder: Path) -> Iterator[tuple[Bundle, Expected]]:
    """Every game of the journals, and what must come of it."""
    wanted = iter(expected("journals"))
    for name in JOURNALS:
        with Journal.open(folder / f"{name}.journal") as journal:
            for game in journal.games():
                yield bundle(game, journal.read(game.id)), next(wanted)
    assert next(wanted, None) is None


def facts(record: Mapping[str, object]) -> Mapping[str, object]:
    return {key: value for key, value in record.items() if key not in WORDS}


def check(game: Bundle, wanted: Expected) -> None:
    """Replay a game, and compare it with what came of it in version 0.1.0."""
    given = [json.loads(json.dumps(ruling_record(ruling))) for ruling in rulings(game.trace)]
    assert [facts(record) for record in given] == [facts(record) for record in wanted["rulings"]]
    assert difference(game.trace) is None
    end = film(game).last
    assert [ply.text for ply in end.plies] == wanted["turns"]
    assert (None if end.outcome is None else list(end.outcome)) == wanted["outcome"]
    assert json.loads(json.dumps(end.rules.state(end.position))) == wanted["position"]


def test_every_short_game_is_ruled_on_as_it_was() -> None:
    for game, wanted in traces():
        try:
            check(game, wanted)
        except Exception as error:
            error.add_note(f"in the trace of {wanted['name']}")
            raise


def test_every_game_of_the_journals_is_ruled_on_as_it_was(journals: Path) -> None:
    for game, wanted in stored(journals):
        try:
            check(game, wanted)
        except Exception as error:
            error.add_note(f"in the journal and game {wanted['name']}")
            raise


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_is_whole_before_and_after_it_was_open(journals: Path, name: str) -> None:
    path = journals / f"{name}.journal"
    assert verify(path).is_whole
    with Journal.open(path):
        pass
    assert verify(path).is_whole


@pytest.mark.parametrize(("name", "board"), [("tamsk", "tamsk"), ("tayu", "tayu"), ("tables", "table")])
def test_a_daemon_takes_up_the_last_game_of_a_journal(tmp_path: Path, name: str, board: str) -> None:
    path = tmp_path / "a.journal"
    path.write_bytes(unpacked(f"{name}.journal"))
    wanted = [each for each in expected("journals") if each["name"].startswith(f"{name} ")][-1]
    watch = VirtualWatch("another boot")
    with Journal.open(path) as journal:
        daemon = VirtualDaemon(watch, journal, virtual_board(watch, board))
        daemon.recover()
        assert daemon.runner.live_game is not None
        assert [ply.text for ply in daemon.runner.live_game.game.plies] == wanted["turns"]
    assert verify(path).is_whole


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.trace.xz")), ids=lambda path: path.name)
def test_a_bundle_is_whole_and_gives_its_rulings_again(path: Path, tmp_path: Path) -> None:
    lines = lzma.decompress(path.read_bytes())
    assert difference(read_bundle(lines.splitlines(keepends=True)).trace) is None
    copy = tmp_path / "a.trace"
    copy.write_bytes(lines)
    assert verify(copy).is_whole


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.sheet")), ids=lambda path: path.name)
def test_a_sheet_and_its_sgf_can_be_played_and_agree(path: Path) -> None:
    sheet = read_sheet(path.read_bytes())
    assert play_to_end(sheet).result == sheet.result
    assert len(list(steps(sheet))) == len(sheet.lines)
    (same,) = read_sgf(path.with_suffix(".sgf").read_bytes())
    assert [line.text for line in same.lines] == [line.text for line in sheet.lines]
    assert same.result == sheet.result


def test_every_ruling_shows_in_every_language(journals: Path) -> None:
    shown: dict[str, list[str]] = {}
    for game, _ in [*traces(), *stored(journals)]:
        end = film(game).last
        for ruling in end.rulings:
            said = [sentence(ruling, end.rules.name, words(language)) for language in LANGUAGES]
            shown.setdefault(re.sub(r"[A-Za-z]?[0-9]+", "#", said[0]), said)
    text = "\n".join("".join(f"{each}\n" for each in said) for said in shown.values()).replace(NO_BREAK, " ")
    if UPDATE:
        SHOWN.write_text(text, encoding="utf-8")
    assert SHOWN.read_text(encoding="utf-8") == text
    assert not [said for said in shown.values() if len({*said}) < len(LANGUAGES)]
