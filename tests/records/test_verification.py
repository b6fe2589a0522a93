"""Whether a journal or a bundle is what was written, as `gnomon journal verify` says it."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.cli.record_commands.journal import journal as command
from gnomon.records.bundles import bundle, difference, read_bundle
from gnomon.records.formats.traces import dump_ruling
from gnomon.records.journal import chain
from gnomon.records.journal.entries import EntryKind
from gnomon.records.journal.event_codec import body_of, last_instant
from gnomon.records.journal.folders import state_folder
from gnomon.records.journal.writer import Journal
from gnomon.records.transcripts import transcript
from gnomon.referee.events import Paused
from gnomon.referee.rulings import Corrected
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant
from tests.records.played_games import played_game

EARLIER, TODAY = "the machine dozed for 90 s", "the machine slept for 90 s"
SIXTEEN = 19  # characters of a fingerprint: 16 digits in fours


def verified(*arguments: object) -> tuple[int, str]:
    """The exit code of `gnomon journal verify`, and what it says."""
    told = CliRunner().invoke(command, ["verify", *map(str, arguments)])
    return told.exit_code, told.output.strip()


@pytest.fixture
def played(path: Path) -> Path:
    """A journal with a game of TAMSK in it, between which another was taken up for a moment."""
    game = played_game(2, 0)
    with Journal.open(path) as journal:
        for _ in range(2):
            journal.begin(game.stored.start)
        for record in game.records:
            journal.append(record.entry)
            if record.seq % 50 == 0:
                journal.append(replace(game.records[0].entry, game=2))
    return path


@pytest.fixture
def bundled(played: Path) -> Path:
    """The bundle of that game."""
    file = played.with_name("bundle.jsonl")
    with Journal.open(played) as journal:
        made = bundle(journal.games()[0], journal.read(1), {"red": "Ada"})
    file.write_text("".join(made.lines()), encoding="utf-8")
    return file


def test_a_whole_journal_is_told_with_its_fingerprint(played: Path) -> None:
    code, said = verified(played)
    assert code == 0
    assert said.startswith(f"{played}: it is what was written, up to entry ")
    with Journal.open(played) as journal:
        last = journal.durable_seq
    assert f"entry {last}: " in said
    assert len(said.rpartition(": ")[2]) == SIXTEEN


def test_an_altered_journal_is_told_with_its_first_entry(played: Path) -> None:
    with closing(sqlite3.connect(played)) as connection:
        connection.execute("UPDATE entries SET at_us = at_us + 1 WHERE seq IN (7, 30)")
        connection.commit()
    assert verified(played) == (1, f"{played}: entry 7 is not what was written")


def test_without_a_path_the_journals_of_the_user_are_verified(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    assert verified() == (0, f"there is no journal in {tmp_path / 'state'}")
    (tmp_path / "state").mkdir()
    played.rename(tmp_path / "state" / "tamsk.journal")
    code, said = verified()
    assert (code, "tamsk.journal: it is what was written" in said) == (0, True)


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    assert verified(tmp_path / "none")[0] == 2
    file = tmp_path / "trace"
    file.write_text('{"trace": 1, "board": "tamsk", "settings": {}}\n')
    assert verified(file) == (2, f"Error: {file} is not a bundle with the chain of its journal")


def test_a_bundle_carries_the_chain_and_is_the_same_trace(bundled: Path, played: Path) -> None:
    code, said = verified(bundled)
    assert code == 0
    with Journal.open(played) as journal:
        last = journal.read(1)[-1]
    assert said.endswith(f"up to entry {last.seq}: {chain.fingerprint(last.link)}")
    assert verified(played, "--entry", last.seq)[1].endswith(chain.fingerprint(last.link))
    assert transcript(read_bundle(bundled.read_bytes().splitlines()).trace).headers["Fingerprint"] == (
        f"{last.seq} {chain.fingerprint(last.link)}"
    )
    assert difference(read_bundle(bundled.read_bytes().splitlines()).trace) is None


def altered(bundled: Path, alter: Callable[[list[dict[str, Any]]], object]) -> str:
    """What is said of a bundle in which somebody altered something."""
    lines = [json.loads(line) for line in bundled.read_text().splitlines()]
    alter(lines)
    bundled.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    code, said = verified(bundled)
    assert code == 1
    return said.removeprefix(f"{bundled}: ")


def test_a_line_altered_in_a_bundle_is_named(bundled: Path) -> None:
    said = altered(bundled, lambda lines: lines[41].update(value=7))
    assert said == "line 42 does not follow from the entries of the journal that it carries"


def test_the_words_of_what_was_ruled_cannot_be_altered(path: Path) -> None:
    """They stand beside what the sentence is made of, and people who read the file read them."""
    game = played_game(2, 0)
    paused = Corrected(Instant(game.records[-1].entry.at + 1), statement("corrected.paused"), "the arbiter", "")
    with Journal.open(path) as journal:
        journal.begin(game.stored.start)
        for record in game.records:
            journal.append(record.entry)
        journal.append(replace(game.records[-1].entry, kind=EntryKind.RULING, at=paused.at, body=dump_ruling(paused)))
    with Journal.open(path) as journal:
        made = bundle(journal.games()[0], journal.read(1))
    file = path.with_name("paused.jsonl")
    file.write_text("".join(made.lines()), encoding="utf-8")
    assert verified(file)[0] == 0
    whole = file.read_text(encoding="utf-8")
    words = '"text": "game paused"'
    assert whole.splitlines()[0].count(words) == 1
    file.write_text(whole.replace(words, '"text": "game lost"', 1), encoding="utf-8")
    code, said = verified(file)
    assert (code, said) == (1, f"{file}: line 1 does not follow from the entries of the journal that it carries")


@pytest.fixture
def stopped(path: Path) -> Path:
    """The bundle of a game that the machine stopped, by a version that put it otherwise."""
    game = played_game(2, 0)
    stop = Paused(Instant(last_instant(game.records) + 1), "gnomond", statement("why.slept", outage="90 s"))
    _, body = body_of(stop)
    assert TODAY in json.dumps(body)
    body = json.loads(json.dumps(body).replace(TODAY, EARLIER))
    with Journal.open(path) as journal:
        journal.begin(game.stored.start)
        for record in game.records:
            journal.append(record.entry)
        journal.append(replace(game.records[-1].entry, kind=EntryKind.EVENT, at=stop.at, body=body))
    with Journal.open(path) as journal:
        made = bundle(journal.games()[0], journal.read(1))
    file = path.with_name("stopped.jsonl")
    file.write_text("".join(made.lines()), encoding="utf-8")
    return file


def test_the_words_of_an_event_are_those_of_its_entry_and_cannot_be_altered(stopped: Path) -> None:
    assert verified(stopped)[1].startswith(f"{stopped}: it is what was written, up to entry ")
    *_, paused, _ = stopped.read_text(encoding="utf-8").splitlines()
    assert EARLIER in paused

    def alter(lines: list[dict[str, Any]]) -> None:
        lines[-2] = json.loads(json.dumps(lines[-2]).replace(EARLIER, "It was cheating"))

    said = altered(stopped, alter)
    assert said.endswith("does not follow from the entries of the journal that it carries")


def test_an_old_bundle_is_whole_and_words_that_nobody_knows_are_named(stopped: Path) -> None:
    lines = stopped.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(lines[0])
    del header["words"]
    for words, is_known in ((EARLIER, True), (TODAY, True), ("It was cheating", False)):
        worded = [json.dumps(header) + "\n", *lines[1:-2], lines[-2].replace(EARLIER, words), lines[-1]]
        stopped.write_text("".join(worded), encoding="utf-8")
        code, said = verified(stopped)
        assert code == 0
        assert said.startswith(f"{stopped}: it does not say whose words its lines have: bundles of version 0.2.0")
        named = f"apart from the words of some lines, which another version or somebody else has put ({len(lines) - 1})"
        assert (named in said) is not is_known
    # What it states is another thing.
    stopped.write_text("".join([json.dumps(header) + "\n", *lines[1:-2], lines[-2].replace("90 s", "9 s"), lines[-1]]))
    assert verified(stopped)[0] == 1


@pytest.fixture
def named(path: Path) -> Path:
    """The bundle of a game whose players the journal names."""
    game = played_game(2, 0)
    with Journal.open(path) as journal:
        journal.begin(replace(game.stored.start, players={"red": "Ada"}))
        for record in game.records:
            journal.append(record.entry)
    with Journal.open(path) as journal:
        made = bundle(journal.games()[0], journal.read(1))
    file = path.with_name("named.jsonl")
    file.write_text("".join(made.lines()), encoding="utf-8")
    return file


@pytest.mark.parametrize("people", [{"red": "Eve"}, {"black": "Ada"}, {"red": 1}, ["Ada"], None])
def test_the_names_of_those_who_played_cannot_be_altered(named: Path, people: object) -> None:
    said = altered(named, lambda lines: lines[0].update(players=people))
    assert said == "line 1 does not follow from the entries of the journal that it carries"


def test_names_that_are_not_those_of_the_journal_are_told(named: Path) -> None:
    assert ": it is what was written, up to entry " in verified(named)[1]
    lines = named.read_text(encoding="utf-8")
    for people, apart in (
        ('{"red": "Ada", "black": "Bo"}', "names that were added to it (Black)"),
        ('{"red": "Ada", "black": "Bo", "blue": "Cy"}', "names that were added to it (Black, blue)"),
        ("{}", "names that were left out (Red)"),  # as version 0.2.0 wrote it
    ):
        named.write_text(lines.replace('"players": {"red": "Ada"}', f'"players": {people}'), encoding="utf-8")
        code, said = verified(named)
        assert (code, said.split(", up to entry ")[0]) == (0, f"{named}: apart from {apart}, it is what was written")


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "so, wie es geschrieben wurde"), ("fr", "tel qu’il a été écrit"), ("en", "what was written")],
)
def test_the_verdict_is_given_in_the_language_that_is_asked_for(bundled: Path, language: str, words: str) -> None:
    ran = CliRunner().invoke(main, ["--language", language, "journal", "verify", str(bundled)])
    assert words in ran.output


def test_a_line_taken_out_is_missed(bundled: Path) -> None:
    assert "line" in altered(bundled, lambda lines: lines.pop())


def test_what_was_ruled_cannot_be_altered_either(bundled: Path) -> None:
    said = altered(bundled, lambda lines: lines[0]["ruled"].pop())
    assert said == "line 1 does not follow from the entries of the journal that it carries"


@pytest.mark.parametrize("column", range(1, 11))
def test_an_entry_altered_in_the_chain_of_a_bundle_is_named(bundled: Path, column: int) -> None:
    def alter(lines: list[dict[str, Any]]) -> None:
        entry = lines[0]["chain"]["entries"][5]
        entry[column] = "00" if isinstance(entry[column], str) else (entry[column] or 0) + 1

    assert " is not what was written" in altered(bundled, alter)


def test_an_entry_taken_out_of_the_chain_is_missed(bundled: Path) -> None:
    # What stands between two entries of another game in the journal cannot be told from what was taken out there.
    said = altered(bundled, lambda lines: lines[0]["chain"]["entries"].pop(5))
    assert "does not follow from the entries" in said or "is not what was written" in said or "lines" in said


def test_state_is_where_the_desktop_says(tmp_path: Path) -> None:
    assert state_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "gnomon"
    assert state_folder({"STATE_DIRECTORY": f"{tmp_path}:/other"}) == tmp_path
