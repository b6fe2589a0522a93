import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from gnomon.records.bundles import Bundle, bundle, difference, read_bundle
from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import TraceHeader, dump_ruling, ruling_record
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.records.journal.event_codec import body_of, event_of, ruled_in
from gnomon.referee.events import (
    DeadlineReached,
    Event,
    InputChanged,
    Paused,
    ResultDeclared,
    Resumed,
    TurnEntered,
    TurnsVoided,
)
from gnomon.rules.protocol import ABANDONED
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.records.played_games import played_game

LEVELS = pytest.mark.parametrize("level", [1, 2, 3])
SEEDS = pytest.mark.parametrize("seed", range(3))
CLUMSY = pytest.mark.parametrize("clumsy", [False, True])


def bundle_of(events: Sequence[Event]) -> Bundle:
    """The bundle of a game of TAMSK in which these events happened."""
    start = GameStart("tamsk", {"level": 1}, "silent", Instant(0), "boot", "2026-11-20T10:00:00", "1")
    records = [
        Record(number, Entry(1, kind, event.at, body, "boot", "then"))
        for number, event in enumerate(events, 1)
        for kind, body in [body_of(event)]
    ]
    return bundle(StoredGame(1, start, None), records)


@pytest.mark.untraced
@LEVELS
@SEEDS
@CLUMSY
def test_a_bundle_gives_the_rulings_of_the_table_again(level: int, seed: int, clumsy: bool) -> None:
    played = played_game(level, seed, clumsy=clumsy)
    text = "".join(played.bundle.lines()).encode()
    read = read_bundle(text.splitlines())
    assert difference(read.trace) is None
    ruled = [dict(body) for body in ruled_in(played.records)]
    assert ruled
    assert [json.loads(json.dumps(dump_ruling(ruling))) for ruling in rulings(read.trace)][: len(ruled)] == ruled


@pytest.mark.untraced
@LEVELS
def test_a_bundle_is_the_trace_that_it_was_written_as(level: int) -> None:
    made = played_game(level, 0).bundle
    text = "".join(made.lines())
    read = read_bundle(text.encode().splitlines())
    assert read.happenings == made.happenings
    assert read.until == made.until
    assert "".join(read.lines()) == text


def test_a_bundle_says_who_played_when_on_which_machine() -> None:
    played = played_game(2, 0)
    extras = played.bundle.header.extras
    assert extras["players"] == {"red": "Ada", "black": "Charles"}
    assert (extras["version"], extras["boots"], extras["number"]) == ("virtual", ["virtual boot"], 1)
    assert extras["began"].startswith("2026-01-01T00:00:00")
    assert extras["temperament"] == "assistant"
    # What the scans leave open is said once, and not in every line.
    assert extras["uncertainty_us"] == 10_000
    assert sum("uncertainty_us" in line for line in played.bundle.lines()) < len(played.bundle.happenings) // 2


def test_corrections_stand_among_the_edges_by_their_stamps() -> None:
    events: list[Event] = [
        TurnEntered(Instant(2 * SECOND), "D1-D2", "arbiter", "no sensor"),
        InputChanged(Instant(3 * SECOND), "D2.ring1", value=True, uncertainty=Duration(7)),
        DeadlineReached(Instant(4 * SECOND)),
        Paused(Instant(5 * SECOND), "arbiter"),
        Resumed(Instant(8 * SECOND), "arbiter"),
        InputChanged(Instant(1 * SECOND), "D1.ring1", value=False),
        TurnsVoided(Instant(9 * SECOND), 1, give_back=True, who="arbiter", why="misheard"),
    ]
    made = bundle_of(events)
    assert [event.at for event in made.happenings] == [SECOND * second for second in (1, 2, 3, 5, 8, 9)]
    assert made.until == 9 * SECOND
    assert read_bundle("".join(made.lines()).encode().splitlines()).happenings == made.happenings
    assert [ruling.kind for ruling in rulings(made.trace)][:2] == ["corrected", "turn"]


def test_an_abandoned_game_has_no_result_and_a_bundle_from_before_agrees() -> None:
    given_up = ResultDeclared(Instant(3 * SECOND), None, ABANDONED, "arbiter")
    trace = bundle_of([TurnEntered(Instant(2 * SECOND), "D1-D2", "arbiter", "no sensor"), given_up])
    ruled = [json.loads(json.dumps(ruling_record(ruling))) for ruling in rulings(trace.trace)]
    [said] = [body for body in ruled if body.get("what", "").startswith("game abandoned")]
    assert said["what"] == "game abandoned, no result"
    former = [{**body, "what": "result declared: draw, abandoned"} if body == said else body for body in ruled]
    assert difference(replaced(trace, former).trace) is None
    assert difference(replaced(trace, [{**said, "what": "game paused"}]).trace) is not None


def test_what_differs_is_named_with_both_rulings() -> None:
    made = played_game(1, 0).bundle
    ruled = list(made.header.extras["ruled"])
    other = {**ruled[3], "text": "D4-D5"}
    ruled[3] = other
    found = difference(replaced(made, ruled).trace)
    assert found is not None
    assert (found.number, found.at_the_table) == (4, other)
    assert found.replayed is not None
    assert found.replayed["ruling"] == "turn"


def test_a_ruling_that_no_replay_gives_is_named() -> None:
    made = played_game(1, 0).bundle
    ruled = [*made.header.extras["ruled"], {"at_us": 1, "ruling": "righted"}]
    found = difference(replaced(made, ruled).trace)
    assert found is not None
    assert found[1:] == ({"at_us": 1, "ruling": "righted"}, None)


def replaced(made: Bundle, ruled: object) -> Bundle:
    """The bundle with other rulings in its first line."""
    header = made.header
    return made._replace(header=TraceHeader(header.board, header.settings, {**header.extras, "ruled": ruled}))


@pytest.mark.parametrize("extras", [{}, {"ruled": "everything"}])
def test_a_trace_without_rulings_cannot_be_compared(extras: dict[str, object]) -> None:
    trace = Bundle(TraceHeader("tamsk", {}, extras), (), Instant(0)).trace
    with pytest.raises(ValueError, match=r"^line 1: this trace does not say what was ruled at the table"):
        difference(trace)


def test_an_empty_game_has_a_bundle_too() -> None:
    start = GameStart("tamsk", {}, "assistant", Instant(5), "boot", "then", "1")
    made = bundle(StoredGame(4, start, None), [])
    assert (made.happenings, made.until) == ((), 0)
    assert difference(made.trace) is None
    assert read_bundle([b'{"trace": 1, "board": "tamsk", "settings": {}}']).until == 0


# The journal


def test_every_event_reads_back_from_its_entry() -> None:
    records = played_game(3, 0, clumsy=True).records
    for record in records:
        event = event_of(record, "tamsk")
        if event is not None:
            assert body_of(event) == (record.entry.kind, record.entry.body)
            assert event.at == record.entry.at


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (EntryKind.RAW, {"value": 1}),
        (EntryKind.RAW, {"input": "D1.north", "value": 1, "uncertainty_us": "long"}),
        (EntryKind.EVENT, {"event": "moved", "at_us": 1}),
        (EntryKind.EVENT, {}),
    ],
)
def test_an_entry_that_is_no_event_is_named(kind: EntryKind, body: dict[str, object]) -> None:
    record = Record(17, Entry(1, kind, Instant(0), body, "boot", "then"))
    with pytest.raises(ValueError, match=r"^entry 17 of the journal holds no event of the board tamsk: "):
        event_of(record, "tamsk")


def test_a_ruling_and_a_remark_are_no_events() -> None:
    entry = Entry(1, EntryKind.NOTE, Instant(0), {"note": "begun"}, "boot", "then")
    assert event_of(Record(1, entry), "tamsk") is None
    assert event_of(Record(1, replace(entry, kind=EntryKind.RULING)), "tamsk") is None
