import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk._boardspace import BoardspaceError, half_turned, is_boardspace, read_boardspace
from gnomon.games.tamsk.rules import BOARD, CAPACITY, START, Position, Tamsk
from gnomon.records.formats.sgf import SgfError
from gnomon.records.formats.sheet_play import play_to_end, steps
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MILLISECOND, Instant

SEEDS = st.integers(0, 1 << 32)

# The beginner's corners there are A1, G1 and D7.
RECORD = """\
(;
GM[tamsk]VV[1]
DT[Fri Nov 20 10:00:00 2026]
GN[ada-charles]
SU[tamsk-f 2 0 100]
P0[id "Ada"]
P1[id "Charles"]
P0[ranking 1500]
; P0[0 Start P0 -1]
; P0[1 Pickb A 1 3100]TM[3261]
; P0[2 Dropb A 2 4500]
; P1[3 Fifteen  4900]
; P0[4 Pickb A 2 5000]
; P0[5 Dropb B 2 5100]
; P0[6 Done  5250]
; P1[7 Stop  6000]
; P1[8 Restart  6000]
; P1[9 Move G 4 F 5 9000]
; P1[10 Done  9900]
; P0[11 Resign  12000]
; P0[12 Done  12100]
)
"""


def ms(milliseconds: int) -> Instant:
    return Instant(milliseconds * MILLISECOND)


def rows(*rows: str, variation: str = "tamsk") -> Sheet:
    return read_boardspace("\n".join(rows).encode(), variation)


def test_a_record_is_read_with_its_corners_turned() -> None:
    sheet = read_boardspace(RECORD.encode())
    assert sheet == Sheet(
        game="tamsk",
        settings={"level": "3", "ring": "auto", "late": "skip_turn"},
        players={"red": "Ada", "black": "Charles"},
        headers={"Date": "Fri Nov 20 10:00:00 2026", "Name": "ada-charles"},
        result=Outcome("black", "resignation"),
        lines=(
            SheetLine("flip15", "black", ms(4900)),
            SheetLine("G4-F4", "red", ms(5250), ms(3100), ms(5100)),
            SheetLine("A1-B1x", "black", ms(9900), ms(9000), ms(9000)),
        ),
    )
    assert [step.text for step in steps(sheet)] == ["flip15", "G4-F4", "A1-B1x"]


def test_a_half_turn_changes_the_corners_of_the_two_sides_and_no_capacity() -> None:
    names = [BOARD.names[space] for space in START]
    assert {half_turned(name) for name in names[:3]} == {"A1", "G1", "D7"} == set(names[3:])
    assert all(half_turned(half_turned(name)) == name for name in BOARD.names)
    for name, space in BOARD.index.items():
        turned = BOARD.index[half_turned(name)]
        assert CAPACITY[turned] == CAPACITY[space]
        assert {half_turned(BOARD.names[near]) for near in BOARD.neighbours[space]} == {
            BOARD.names[near] for near in BOARD.neighbours[turned]
        }


def test_where_the_other_seat_begins_nothing_is_turned() -> None:
    sheet = rows("P1 0 Start P1", "P1 1 Move D 1 D 2 1000", "P0 2 Move A 1 A 2 2000")
    assert [(line.text, line.player) for line in sheet.lines] == [("D1-D2", "red"), ("A1-A2x", "black")]
    assert len(list(steps(sheet))) == 2


def test_bare_rows_are_read_turn_and_turn_about() -> None:
    sheet = rows("# from a letter", "Move A 1 A 2 1250", "", "move d 1 d 2 2500", variation="tamsk-u")
    assert sheet.settings == {"level": "1", "ring": "auto"}
    assert sheet.lines == (
        SheetLine("G4-G3x", "red", ms(1250), ms(1250), ms(1250)),
        SheetLine("D7-D6", "black", ms(2500), ms(2500), ms(2500)),
    )


def test_rows_without_a_time_have_none() -> None:
    assert rows("Move A 1 A 2", "Move D 1 D 2 -1").lines == (SheetLine("G4-G3x", "red"), SheetLine("D7-D6", "black"))


def test_a_glass_that_was_put_back_began_no_turn() -> None:
    sheet = rows("Pickb A 1 1000", "Dropb A 1 1500", "Pickb G 1 2000", "Dropb G 2 3000", "Done 3100")
    assert sheet.lines == (SheetLine("A4-A3x", "red", ms(3100), ms(2000), ms(3000)),)


def played_there(seed: int) -> tuple[str, Position]:
    """A random game of level 2 as the server would write it, and the position it leads to here."""
    chance = random.Random(seed)
    rules = Tamsk.from_settings({"level": 2, "ring": "auto"})
    position, now, number, record = rules.start(), 0, 0, ["P0 0 Start P0"]
    for _ in range(60):
        now += chance.randrange(1, 12_000)
        position = rules.elapse(position, ms(now))
        moves = [move for move in rules.legal_moves(position) if move.kind in ("turn", "pass")]
        if not moves:
            break
        move = chance.choice(moves)
        if move.kind == "pass":
            position = rules.play(position, move)
            now -= 1
            continue  # a pass is not written there
        seat = position.mover
        there = [half_turned(BOARD.names[space]) for space in (move.origin, move.target)]
        lifted, placed = now, now + chance.randrange(3000)
        position = rules.lift(position, move.origin)
        now = placed + chance.randrange(1, 2000)
        position = rules.play(rules.elapse(position, ms(now)), move, ms(placed))
        record += [
            f"P{seat} {number + 1} Pickb {there[0][0]} {there[0][1]} {lifted}",
            f"P{seat} {number + 2} Dropb {there[1][0]} {there[1][1]} {placed}",
            f"P{seat} {number + 3} Done  {now}",
        ]
        number += 3
    return "\n".join(record), position


@pytest.mark.untraced
@given(SEEDS)
def test_a_game_there_gives_the_same_sand_and_rings_here(seed: int) -> None:
    record, position = played_there(seed)
    last = list(steps(read_boardspace(record.encode())))[-1].position
    assert (last.glasses, last.rings, last.rings_left) == (position.glasses, position.rings, position.rings_left)
    assert [sand.runs_out_at() for sand in last.sands] == [sand.runs_out_at() for sand in position.sands]


def test_a_turn_that_the_server_leaves_out_is_a_pass() -> None:
    sheet = rows("P0 Move A 1 A 2 1000", "P0 Done 1100", "P0 Move A 2 A 3 2000", variation="tamsk-u")
    # Whether that was right is for the rules to say: here black could move.
    assert [(line.text, line.player, line.at) for line in sheet.lines] == [
        ("G4-G3x", "red", ms(1100)),
        ("pass", "black", None),
        ("G3-G2", "red", ms(2000)),
    ]


def test_a_turn_that_is_confirmed_without_a_move_is_a_pass() -> None:
    sheet = rows("P0 Move A 1 A 2 1000", "P0 Done 1100", "P1 Pickb D 1 1200", "P1 Done 2000")
    assert sheet.lines[1:] == (SheetLine("pass", "black", ms(2000)),)


def test_a_turn_that_the_15_second_glass_took_is_lost() -> None:
    sheet = rows("P1 Fifteen 1000", "P0 TimeExpired 16001", "P1 Move D 1 D 2 17000", variation="tamsk-f")
    assert [step.text for step in steps(sheet)] == ["flip15", "lost", "D7-D6"]


def test_a_turn_that_was_not_confirmed_in_time_is_late_and_its_player_sits_out() -> None:
    sheet = rows(
        "P1 Fifteen 1000",
        "P0 Pickb A 1 10000",
        "P0 Dropb A 2 15000",
        "P0 TimeExpired 16001",
        "P1 Move D 1 D 2 17000",
        "P1 Move A 4 A 3 18000",
        variation="tamsk-f",
    )
    assert [step.text for step in steps(sheet)] == ["flip15", "G4-G3x", "D7-D6", "lost", "G1-G2x"]


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("Game won by Ada", Outcome("red", "")),
        ("Game won by Charles", Outcome("black", "")),
        ("The game is a draw", Outcome(None, "")),
        ("Game won by nobody we know", None),
        ("", None),
    ],
)
def test_the_result_is_the_servers(said: str, result: Outcome | None) -> None:
    record = f'(;SU[tamsk-u 2 0 100]P0[id "Ada"]P1[id "Charles"]RE[{said}];P0[1 Move A 1 A 2 5])'
    assert read_boardspace(record.encode()).result == result
    assert play_to_end(read_boardspace(record.encode())).result == result


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (RECORD, True),
        ("(;GM[tamsk])", True),
        ("\n Move D 1 D 2 5", True),
        ("P0 1 Pickb D 1 5", True),
        ("(;GM[38];W[D1-D2])", False),
        ("Sheet: 1", False),
        ("", False),
        ("Moves are here", False),
    ],
)
def test_a_record_is_told_from_other_files(text: str, known: bool) -> None:
    assert is_boardspace(text) is known


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("Move D 1 D 9 5", "line 2: 'Move D 1 D 9 5' names no spaces of the board"),
        ("Move D 1", "line 2: 'Move D 1' names no spaces of the board"),
        ("Move D 1 D 2 5 6", "line 2: 'Move D 1 D 2 5 6' names no spaces of the board"),
        ("Move D 1 D 2 soon", "line 2: 'soon' is not a number of milliseconds"),
        ("Move D 1 D 2 " + "9" * 5000, "line 2: '9999"),
        ("Resign " + "9" * 5000, "line 2: '9999"),  # Python reads no more than 4300 digits
        ("Dropb D 2 5", "line 2: a glass is put down that was not taken up"),
        ("Edit 5", "line 2: 'Edit 5' is not a move of a game: the record was edited, or is of another game"),
        ("PickRing BlackRing 5", "line 2: 'PickRing BlackRing 5' is not a move of a game"),
        ("*** 5", "line 2: '*** 5' is not a move such as `Move D 1 D 2 5210`"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_line(row: str, sentence: str) -> None:
    with pytest.raises(BoardspaceError) as caught:
        rows("Start P0", row)
    assert str(caught.value).startswith(sentence)
    assert caught.value.line == 2


def test_another_game_of_the_server_is_refused() -> None:
    with pytest.raises(BoardspaceError, match=r"^line 1: there is no variation 'yinsh' of TAMSK"):
        read_boardspace(b"(;GM[24]SU[Yinsh];P0[1 Move A 1 A 2 5])")
    with pytest.raises(SgfError):
        read_boardspace(b"(;SU[tamsk]")
