"""The tests of ruling on traces: the published examples, and how time passes between lines."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.formats import trace_rulings
from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import TraceError, read_trace, ruling_record
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import Instant

EXAMPLES = Path(__file__).with_name("examples")

# At level 3, black turns the 15-second glass at 2.3 s, and it runs out at 17.3 s.
TIMER_TURNED = [
    b'{"trace": 1, "board": "tamsk", "settings": {"level": 3}}',
    b'{"at_us": 2000000, "input": "timer15.north", "value": 0}',
    b'{"at_us": 2300000, "input": "timer15.south", "value": 1}',
]
LATE_TURN = [
    b'{"at_us": 15000000, "input": "D1.north", "value": 0}',
    b'{"at_us": 19000000, "input": "D2.south", "value": 1}',
    b'{"at_us": 19600000, "input": "D2.ring1", "value": 1}',
]


def ruled(lines: Iterable[bytes]) -> list[dict[str, object]]:
    return [ruling_record(ruling) for ruling in rulings(read_trace(lines))]


def kinds(lines: Iterable[bytes]) -> list[object]:
    return [ruling["ruling"] for ruling in ruled(lines)]


@pytest.mark.parametrize("example", ["level1", "level2", "level3"])
def test_the_published_traces_give_the_published_rulings(example: str) -> None:
    with (EXAMPLES / f"{example}.jsonl").open("rb") as lines:
        given = ruled(lines)
    expected = [json.loads(line) for line in (EXAMPLES / f"{example}.expected.jsonl").read_text().splitlines()]
    # Further rulings `stopped` are free, and so are the keys that the example does not name.
    free = not any(ruling["ruling"] == "stopped" for ruling in expected)
    given = [ruling for ruling in given if not (free and ruling["ruling"] == "stopped")]
    named = [{key: ruling.get(key) for key in wanted} for wanted, ruling in zip(expected, given, strict=True)]
    assert named == expected


def test_the_timer_runs_out_while_nothing_is_touched() -> None:
    lost = ruled([*TIMER_TURNED, b'{"at_us": 30000000, "end": true}'])[1]
    assert lost == {"at_us": 17_300_000, "ruling": "lost", "player": "red"}
    # It decides as soon as no edge stamped before it can arrive any more.
    ends = [b'{"at_us": %d, "end": true}' % at for at in (17_299_999, 17_500_000)]
    assert [kinds([*TIMER_TURNED, end]) for end in ends] == [["timer15"], ["timer15", "lost"]]


def test_without_an_end_time_stops_at_the_last_change() -> None:
    assert kinds([*TIMER_TURNED, *LATE_TURN]) == ["timer15"]
    watched = b'{"at_us": 21000000, "end": true}'
    assert kinds([*TIMER_TURNED, *LATE_TURN, watched]) == ["timer15", "turn", "penalty"]


def test_a_ruling_is_given_as_soon_as_its_line_is_read_and_before_a_malformed_one() -> None:
    given = rulings(read_trace([*TIMER_TURNED, b'{"at_us": 5000000, "input": "D1.ring1", "value": 0}', b"nonsense"]))
    assert next(given).kind == "timer15"
    with pytest.raises(TraceError, match="line 5: this is not JSON"):
        next(given)


def test_an_event_by_hand_is_ruled_and_what_cannot_be_is_named_with_its_line() -> None:
    entered = b'{"at_us": 3000000, "event": "turn_entered", "text": "D1-D2", "who": "arbiter", "why": "no sensor"}'
    header = b'{"trace": 1, "board": "tamsk", "settings": {"level": 1}}'
    assert "corrected" in kinds([header, entered])
    with pytest.raises(TraceError, match="line 2: "):
        kinds([header, entered.replace(b"D1-D2", b"D1-A1")])


def test_a_deadline_that_does_not_move_when_it_is_reached_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_rulings, "tell", lambda game, _: (game, ()))
    monkeypatch.setattr(TamskGame, "deadline", lambda _: Instant(1))
    with pytest.raises(RuntimeError, match="the deadline 1 was handed over and the next one is 1"):
        kinds(TIMER_TURNED)


ENTERED = b'{"at_us": 2000000, "event": "turn_entered", "text": "%s", "who": "p1"}'


@pytest.mark.parametrize(
    ("header", "text", "player"),
    [
        (b'"board": "table", "game": "tabik", "settings": {}', b"a1b1", "black"),
        (b'"board": "table", "game": "tau", "settings": {"limit": "9"}', b"r1", "high"),
        (b'"board": "table", "game": "twenty-squares", "settings": {}', b"throw:4", "nature"),
        (b'"board": "table", "game": "tayu", "settings": {}', b"draw:013", "nature"),
        (b'"board": "tayu", "settings": {"size": 9}', b"draw:013", "nature"),
        (b'"board": "tayu", "game": "tayu", "settings": {}', b"draw:013", "nature"),
    ],
)
def test_a_trace_of_every_board_is_ruled_on(header: bytes, text: bytes, player: str) -> None:
    said = ruled([b'{"trace": 1, %s}' % header, ENTERED % text, b'{"at_us": 9000000, "end": true}'])
    assert said == [{"at_us": 2_000_000, "ruling": "turn", "player": player, "text": text.decode()}]


def test_a_tile_is_sensed_in_a_trace_up_to_its_end() -> None:
    trace = [b'{"trace": 1, "board": "tayu", "settings": {}}', ENTERED % b"draw:013"]
    trace += [
        b'{"at_us": 300000%d, "input": "%s.tile", "value": 1}' % pair for pair in enumerate((b"h9", b"i9", b"j9"))
    ]
    assert [said["ruling"] for said in ruled(trace)] == ["turn"]
    assert [said["ruling"] for said in ruled([*trace, b'{"at_us": 9000000, "end": true}'])] == ["turn", "ask"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([b'{"trace": 1, "board": "table", "settings": {}}'], "line 1: at a table the first line says which game"),
        ([b'{"trace": 1, "board": "table", "game": 5, "settings": {}}'], "line 1: at a table the first line says"),
        (
            [b'{"trace": 1, "board": "tayu", "game": "tau", "settings": {}}'],
            'line 1: the board tayu is not for the game "tau"',
        ),
        (
            [
                b'{"trace": 1, "board": "tayu", "settings": {"size": 9}}',
                b'{"at_us": 1, "input": "k1.tile", "value": 1}',
            ],
            'line 2: this board has no input "k1.tile"',
        ),
        (
            [
                b'{"trace": 1, "board": "table", "game": "tayu", "settings": {}}',
                b'{"at_us": 1, "input": "a1.tile", "value": 1}',
            ],
            'line 2: this board has no input "a1.tile"',
        ),
    ],
)
def test_what_is_wrong_with_a_trace_of_a_table_is_named(lines: list[bytes], said: str) -> None:
    with pytest.raises(TraceError, match=re.escape(said)):
        ruled(lines)


@pytest.mark.parametrize("game", ["tamsk", "chess"])
def test_what_is_played_at_no_table_is_refused(game: str) -> None:
    with pytest.raises(SettingsError):
        ruled([b'{"trace": 1, "board": "table", "game": "%s", "settings": {}}' % game.encode()])


@pytest.mark.parametrize("settings", [b'{"level": 4}', b'{"speed": 2}', b'{"level": [2]}', b'{"level": null}'])
def test_settings_that_the_rules_refuse_are_refused_here(settings: bytes) -> None:
    with pytest.raises(SettingsError):
        ruled([b'{"trace": 1, "board": "tamsk", "settings": %s}' % settings])
