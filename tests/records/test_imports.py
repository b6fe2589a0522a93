from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.records.bundles import Bundle, bundle, difference
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.formats.traces import TraceError, TraceHeader, read_trace
from gnomon.records.imports import import_trace
from gnomon.records.journal.entries import EntryKind
from gnomon.records.journal.writer import Journal
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.transcripts import transcript
from gnomon.referee.events import InputChanged, ResultDeclared, TurnsVoided
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.runtime.recovery import fold
from tests.records.played_games import played_game

EXAMPLES = Path(__file__).with_name("examples")


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


def imported(journal: Journal, made: Bundle) -> Bundle:
    """The bundle of a game after it has been written into a journal."""
    number = import_trace(made.trace, journal)
    journal.close()
    (stored,) = [game for game in journal.games() if game.id == number]
    return bundle(stored, journal.read(number), made.header.extras.get("players"))


@pytest.mark.untraced
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_game_goes_from_journal_to_trace_to_journal_and_stays_the_same(level: int, journal: Journal) -> None:
    made = played_game(level, 1).bundle
    again = imported(journal, made)
    assert again.happenings == made.happenings
    assert again.until == made.until
    assert again.header.extras["ruled"][: len(made.header.extras["ruled"])] == made.header.extras["ruled"]
    assert difference(again.trace) is None
    kept = ("version", "boots", "began", "temperament", "players", "uncertainty_us")
    assert [again.header.extras[name] for name in kept] == [made.header.extras[name] for name in kept]
    sheet, before = transcript(again.trace), transcript(made.trace)
    assert sheet.headers.keys() - before.headers.keys() == {"Fingerprint"}  # it stands in a journal of its own now
    assert replace(sheet, headers=before.headers) == before


@pytest.mark.parametrize("level", [1, 2])
def test_a_game_whose_trace_stops_soon_after_its_last_ring_has_ended(level: int, journal: Journal) -> None:
    trace = read_trace((EXAMPLES / f"level{level}.jsonl").read_bytes().splitlines(keepends=True))
    number = import_trace(trace, journal)
    journal.close()
    (stored,) = [game for game in journal.games() if game.id == number]
    again = bundle(stored, journal.read(number))
    over = [ruled for ruled in again.header.extras["ruled"] if ruled["ruling"] == "over"]
    assert (stored.ended is not None, len(over)) == (True, 1)
    assert difference(again.trace) is None


def test_a_sheet_goes_through_trace_and_journal_and_back(journal: Journal) -> None:
    sheet = read_sheet(b"Sheet: 1\nGame: tamsk\nPlayer red: Ada\nD1-D2 5 lift=3 down=4\nG1-F1x 9 lift=7 down=8")
    again = transcript(imported(journal, sheet_trace(sheet)).trace)
    assert again.lines == tuple(
        replace(line, player=player) for line, player in zip(sheet.lines, ("red", "black"), strict=True)
    )
    assert again.players == sheet.players


def test_the_daemon_finds_an_imported_game_in_the_journal(journal: Journal) -> None:
    played = played_game(2, 0)
    number = import_trace(played.bundle.trace, journal)
    journal.close()
    stored = journal.last_game()
    assert stored is not None
    folded = fold(stored, journal.read(number))
    assert [ply.text for ply in folded.live_game.game.plies] == [ply.text for ply in played.game.plies]
    assert all(step.agrees and not step.missing for step in folded.steps)
    assert stored.ended is not None


def test_a_game_that_is_taken_up_again_is_open_in_the_journal(journal: Journal) -> None:
    happenings = (
        ResultDeclared(Instant(SECOND), "red", "resignation", "arbiter"),
        ResultDeclared(Instant(2 * SECOND), "red", "resignation", "arbiter"),
    )
    number = import_trace(Bundle(TraceHeader("tamsk", {}), happenings, Instant(3 * SECOND)).trace, journal)
    entered = b'{"at_us": 0, "event": "turn_entered", "text": "D1-D2", "who": "x"}'
    declared = b'{"at_us": 1, "event": "result_declared", "winner": null, "reason": "agreed", "who": "x"}'
    voided = b'{"at_us": 2, "event": "turns_voided", "count": 1, "give_back": true, "who": "x"}'
    header = b'{"trace": 1, "board": "tamsk", "settings": {}}'
    reopened = import_trace(read_trace([header, entered, declared, voided]), journal)
    journal.close()
    ended = {game.id: game.ended for game in journal.games()}
    assert ended == {number: Instant(SECOND), reopened: None}


def test_rulings_name_the_entry_that_led_to_them(journal: Journal) -> None:
    with (EXAMPLES / "level3.jsonl").open("rb") as lines:
        number = import_trace(read_trace(lines), journal)
    journal.close()
    records = {record.seq: record.entry for record in journal.read(number)}
    rulings = [entry for entry in records.values() if entry.kind is EntryKind.RULING]
    assert len(rulings) >= 7
    assert {records[entry.cause or 0].kind for entry in rulings} <= {EntryKind.RAW, EntryKind.NOTE}
    assert records[1].body == {"note": "begun", "origin_us": 0, "evidence": 5}
    assert (records[1].boot, records[1].wall) == ("unknown", "unknown")


def test_what_was_before_a_bad_line_is_in_the_journal(journal: Journal) -> None:
    header = b'{"trace": 1, "board": "tamsk", "settings": {}}'
    edge = b'{"at_us": 5, "input": "D1.north", "value": 0}'
    with pytest.raises(TraceError, match=r"^line 3: this is not JSON"):
        import_trace(read_trace([header, edge, b"nonsense"]), journal)
    with pytest.raises(TraceError, match=r"^line 2: "):
        import_trace(Bundle(TraceHeader("tamsk", {}), (voided_nothing(),), Instant(0)).trace, journal)
    journal.close()
    kinds = [record.entry.kind for game in journal.games() for record in journal.read(game.id)]
    assert kinds == [EntryKind.NOTE, EntryKind.RAW, EntryKind.NOTE]


def voided_nothing() -> TurnsVoided:
    """A correction that cannot be."""
    return TurnsVoided(Instant(0), 1, give_back=False, who="arbiter")


def test_time_runs_on_to_the_end_of_the_watch(journal: Journal) -> None:
    edge = InputChanged(Instant(5), "D1.north", value=False)
    number = import_trace(Bundle(TraceHeader("tamsk", {}), (edge,), Instant(9 * SECOND)).trace, journal)
    journal.close()
    assert journal.read(number)[-1].entry.at == 9 * SECOND
