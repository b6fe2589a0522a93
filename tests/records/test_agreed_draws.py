"""A draw that was agreed upon: in the trace, on the score sheet and as SGF, for each game."""

import json

import pytest

from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.formats.sheets import read_sheet, sheet_text
from gnomon.records.formats.traces import read_trace
from gnomon.records.transcripts import transcript
from gnomon.rules.protocol import Outcome

DRAW = Outcome(None, "agreed")
GAMES = [
    ("tabik", ("black", "white"), ["a1b1"]),
    ("tau", ("high", "low"), ["bid:70", "pass"]),
    ("twenty-squares", ("p1", "p2"), ["throw:1"]),
    ("tayu", ("north-south", "east-west"), []),
    ("tamsk", ("red", "black"), ["D1-D2"]),
]


@pytest.mark.parametrize(("game", "players", "texts"), GAMES, ids=[each[0] for each in GAMES])
def test_sheet_and_sgf_show_it_and_read_it_back(game: str, players: tuple[str, str], texts: list[str]) -> None:
    offerer, other = players
    events: list[dict[str, object]] = [{"event": "turn_entered", "text": text, "who": "Ann"} for text in texts]
    events += [
        {"event": "draw_offered", "player": offerer, "who": "Ann"},
        {"event": "draw_answered", "player": other, "accepted": True, "who": "Ben"},
    ]
    place = {"board": "tamsk"} if game == "tamsk" else {"board": "table", "game": game}
    lines: list[dict[str, object]] = [{"trace": 1, **place, "settings": {}}]
    lines += [{"at_us": number * 1_000_000, **event} for number, event in enumerate(events, 1)]
    sheet = transcript(read_trace([f"{json.dumps(line)}\n".encode() for line in lines]))
    assert sheet.result == DRAW
    again = read_sheet(sheet_text(sheet).encode())
    assert again.result == DRAW
    assert play_to_end(again).result == DRAW
    text = sgf_text(sheet)
    assert "RE[Draw]" in text or "RE[0]" in text
    (from_sgf,) = read_sgf(text.encode())
    assert from_sgf.result is not None
    assert from_sgf.result.winner is None
