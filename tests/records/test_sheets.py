from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, Position, Tamsk
from gnomon.records.formats.sheet_play import (
    IllegalTurnError,
    UnreadableTurnError,
    WrongResultError,
    play_to_end,
    steps,
)
from gnomon.records.formats.sheets import Sheet, SheetError, SheetLine, read_sheet, settings_text, sheet_text, time_text
from gnomon.refusals import sentence
from gnomon.rules.protocol import Outcome, SettingsError
from gnomon.timekeeping.instants import SECOND, Instant, parse_seconds
from gnomon.words import words
from tests.records.random_sheets import CASES, random_sheet, timed_sheet

SEEDS = st.integers(0, 1 << 32)
INSTANTS = st.integers(0, 10**15).map(Instant)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=40).map(str.strip)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True).filter(lambda name: name != "draw")
HEADERS = st.from_regex(r"[A-Z][A-Za-z0-9 _-]{0,10}[a-z]", fullmatch=True).filter(
    lambda name: name not in ("Sheet", "Game", "Settings", "Result") and not name.startswith("Player ")
)
TEXTS = st.sampled_from(["D1-D2", "+D2,A1-B2,+C3", "pass", "013@h9/E", "a1~b1", "throw:4", "bid:70", "in-b1", "flip15"])
LINES = st.builds(
    SheetLine,
    text=TEXTS,
    player=st.one_of(st.just(""), NAMES),
    at=st.none() | INSTANTS,
    lifted=st.none() | INSTANTS,
    placed=st.none() | INSTANTS,
    comment=st.lists(WORDS, max_size=3).map(tuple),
)
SHEETS = st.builds(
    Sheet,
    game=NAMES,
    settings=st.dictionaries(NAMES, st.from_regex(r"[a-z0-9,._-]{0,8}", fullmatch=True), max_size=4),
    players=st.dictionaries(NAMES, WORDS, max_size=4),
    headers=st.dictionaries(HEADERS, WORDS, max_size=4),
    result=st.none() | st.builds(Outcome, st.none() | NAMES, WORDS),
    lines=st.lists(LINES, max_size=8).map(tuple),
    remarks=st.lists(WORDS, max_size=3).map(tuple),
)
TIMED = st.fixed_dictionaries({"level": st.sampled_from((2, 3)), "late": st.sampled_from(("two_rings", "skip_turn"))})

OPENING = """\
Sheet: 1
Game: tamsk
Settings: level=3
Event: Club evening
Date: 2026-11-20
Player red: Ada Lovelace
Player black: Charles Babbage

# Both had slept well.
1. red   D1-D2   5.25 lift=3.1 down=4.5  # to the middle
2. black flip15  19.2
   # too early, she said
"""


def sheet_of(*turns: str, level: int = 1) -> Sheet:
    return read_sheet("\n".join(("Sheet: 1", "Game: tamsk", f"Settings: level={level}", *turns)).encode())


# Text


@pytest.mark.untraced
@given(SHEETS)
def test_what_is_written_reads_back_exactly(sheet: Sheet) -> None:
    assert read_sheet(sheet_text(sheet).encode()) == sheet


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize(("game", "settings"), CASES)
@given(seed=SEEDS)
def test_a_random_game_of_every_kind_reads_back_exactly_and_is_legal(
    game: str, settings: dict[str, object], seed: int
) -> None:
    sheet = random_sheet(game, settings, seed)
    assert read_sheet(sheet_text(sheet).encode()) == sheet
    assert [step.text for step in steps(sheet)] == [line.text for line in sheet.lines]
    assert play_to_end(sheet).result == sheet.result


def test_a_sheet_looks_as_one_would_type_it() -> None:
    sheet = read_sheet(OPENING.encode())
    assert sheet == Sheet(
        game="tamsk",
        settings={"level": "3"},
        players={"red": "Ada Lovelace", "black": "Charles Babbage"},
        headers={"Event": "Club evening", "Date": "2026-11-20"},
        lines=(
            SheetLine("D1-D2", "red", Instant(5_250_000), Instant(3_100_000), Instant(4_500_000), ("to the middle",)),
            SheetLine("flip15", "black", Instant(19_200_000), comment=("too early, she said",)),
        ),
        remarks=("Both had slept well.",),
    )
    assert [line.source for line in sheet.lines] == [10, 11]
    assert sheet_text(sheet) == (
        "Sheet: 1\nGame: tamsk\nSettings: level=3\nEvent: Club evening\nDate: 2026-11-20\n"
        "Player red: Ada Lovelace\nPlayer black: Charles Babbage\n# Both had slept well.\n\n"
        "1. red   D1-D2   5.25 lift=3.1 down=4.5  # to the middle\n"
        "2. black flip15  19.2  # too early, she said\n"
    )


@pytest.mark.untraced
@given(SHEETS, st.sampled_from([" ", "\t", "  \t "]), st.sampled_from(["\n", "\r\n", "\n\n", "\n \n"]))
def test_blanks_and_line_ends_do_not_matter(sheet: Sheet, blank: str, end: str) -> None:
    plain = replace(
        sheet,
        lines=tuple(replace(line, comment=()) for line in sheet.lines),
        players=dict.fromkeys(sheet.players, "Ada"),
        headers=dict.fromkeys(sheet.headers, "Ada"),
        remarks=(),
        result=None,
    )
    text = sheet_text(plain).replace(" ", blank).replace("\n", end)
    names = [f"Player{blank}{name}" for name in plain.players]
    if blank != " ":  # the name of a header is one thing
        for name in [*names, *(header.replace(" ", blank) for header in plain.headers)]:
            text = text.replace(name, name.replace(blank, " "))
    assert read_sheet(f"\ufeff{blank}".encode() + text.encode()) == plain


def test_numbers_players_and_times_may_be_left_out() -> None:
    sheet = sheet_of("D1-D2", "G1-F1x 3", "black A1-A2x")
    assert sheet.lines == (
        SheetLine("D1-D2"),
        SheetLine("G1-F1x", at=Instant(3 * SECOND)),
        SheetLine("A1-A2x", "black"),
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([b""], "line 1: the sheet does not name its game: a line such as `Game: tamsk` is missing"),
        ([b"hello"], "line 1: this is no score sheet: it begins with the line `Sheet: 1`"),
        ([b"Game: tamsk"], "line 1: a sheet begins with the line `Sheet: 1`"),
        ([b"Sheet: 2"], "line 1: this is sheet format '2'; only 1 can be read"),
        (
            [b"Sheet: 1", b"Event: x"],
            "line 2: the sheet does not name its game: a line such as `Game: tamsk` is missing",
        ),
        ([b"Sheet: 1", b"Sheet: 1"], "line 2: the header Sheet appears twice"),
        ([b"Sheet: 1", b"Game: TAMSK"], "line 2: the header Game is a game's name in small letters, not 'TAMSK'"),
        ([b"Sheet: 1", b"", b"Settings: level"], "line 3: a setting is written KEY=VALUE, not 'level'"),
        ([b"Sheet: 1", b"Settings: a=1 a=1"], "line 2: the setting a appears twice"),
        ([b"Sheet: 1", b"Player Red: Ada"], "line 2: 'Red' is not a player's name"),
        ([b"Sheet: 1", b"Result: Red wins"], "line 2: a result is the winner's name in the rules, or draw"),
        ([b"Sheet: 1", b"D1-D2", b"Event: x"], "line 3: the header Event comes after the first turn"),
        ([b"Sheet: 1", b"2. D1-D2"], "line 2: this is turn 1, and it is numbered 2"),
        ([b"Sheet: 1", b"1."], "line 2: a turn is written like `3. red D1-D2 17.25 lift=15.9 down=16.8`"),
        ([b"Sheet: 1", b"1. red black D1-D2"], "line 2: a turn is written like"),
        ([b"Sheet: 1", b"1. 3.5 D1-D2"], "line 2: a turn is written like"),
        ([b"Sheet: 1", b"1. Red D1-D2"], "line 2: 'Red' is not a player's name"),
        ([b"Sheet: 1", b"1. D1-D2 3 4"], "line 2: this turn has two times where one belongs: 4"),
        ([b"Sheet: 1", b"1. D1-D2 3 down=1 down=2"], "line 2: this turn has two times where one belongs: down=2"),
        ([b"Sheet: 1", b"1. D1-D2 3 put=1"], "line 2: a turn has no 'put', only lift, down and clock"),
        ([b"Sheet: 1", b"1. D1-D2 3.1234567"], "line 2: '3.1234567' is not a number of seconds"),
        ([b"Sheet: 1", b"Event: \xff"], "line 2: this is not UTF-8: byte 8 of the line is 0xff"),
    ],
)
def test_what_is_malformed_is_one_sentence_with_its_line(lines: list[bytes], said: str) -> None:
    with pytest.raises(SheetError) as caught:
        read_sheet(b"\n".join(lines))
    assert str(caught.value).startswith(said)
    assert str(caught.value).count("\n") == 0
    assert said.startswith(f"line {caught.value.line}: ")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_line(data: bytes) -> None:
    refused = None
    try:
        read_sheet(data)
    except SheetError as error:
        refused = error
    assert refused is None or 1 <= refused.line <= data.count(b"\n") + 1


@pytest.mark.parametrize(
    "sheet",
    [
        Sheet("Tamsk"),
        Sheet("tamsk", headers={"Game": "x"}),
        Sheet("tamsk", headers={"Player red": "x"}),
        Sheet("tamsk", headers={"event": "x"}),
        Sheet("tamsk", headers={"Event ": "x"}),
        Sheet("tamsk", headers={"Event": " x"}),
        Sheet("tamsk", headers={"Event": "x\ny"}),
        Sheet("tamsk", players={"draw": "x"}),
        Sheet("tamsk", settings={"level": "1 2"}),
        Sheet("tamsk", result=Outcome("red", "x\ny")),
        Sheet("tamsk", remarks=("x\ny",)),
        Sheet("tamsk", lines=(SheetLine(""),)),
        Sheet("tamsk", lines=(SheetLine("12"),)),
        Sheet("tamsk", lines=(SheetLine("a=1"),)),
        Sheet("tamsk", lines=(SheetLine("D1-D2", "Red"),)),
    ],
)
def test_what_no_sheet_can_say_is_not_written(sheet: Sheet) -> None:
    with pytest.raises(ValueError, match=r"."):
        sheet_text(sheet)


@given(INSTANTS)
def test_times_are_exact_to_the_microsecond(instant: Instant) -> None:
    assert int(parse_seconds(time_text(instant))) == instant


def test_settings_are_text_whatever_they_were() -> None:
    assert settings_text({"level": 2, "pie": True, "auction": False, "doubles": [2, 6]}) == {
        "level": "2",
        "pie": "yes",
        "auction": "no",
        "doubles": "2,6",
    }


# Play


@pytest.mark.untraced
@given(TIMED, SEEDS)
def test_the_instants_of_a_game_at_a_table_give_its_sand_again_exactly(settings: dict[str, object], seed: int) -> None:
    rules = Tamsk.from_settings(settings)
    sheet, score = timed_sheet(rules, seed)
    position = rules.start()
    for turn in score:
        timer15 = turn.timer15
        if timer15 is not None and (turn.lifted is None or timer15 < turn.lifted):
            position, timer15 = rules.turn_timer15(rules.elapse(position, timer15)), None
        if turn.lifted is not None:
            position = rules.lift(rules.elapse(position, turn.lifted), BOARD.index[turn.origin])
        if timer15 is not None:
            position = rules.turn_timer15(rules.elapse(position, timer15))
        position = rules.elapse(position, Instant(turn.at + (turn.text == "lost")))
        position = rules.play(position, rules.parse(position, turn.text), turn.placed)
    played = list(steps(read_sheet(sheet_text(sheet).encode())))
    assert [(step.player, step.text) for step in played if step.text != "flip15"] == [
        (turn.player, turn.text) for turn in score
    ]
    end = Instant(max(position.now, played[-1].at))
    assert rules.elapse(played[-1].position, end) == rules.elapse(position, end)


@pytest.mark.untraced
@given(SEEDS)
def test_passes_and_lost_turns_need_no_time(seed: int) -> None:
    sheet, _ = timed_sheet(Tamsk.from_settings({"level": 3}), seed)
    bare = replace(
        sheet,
        lines=tuple(
            SheetLine(line.text, line.player) if line.text in ("pass", "lost") else line for line in sheet.lines
        ),
    )
    assert [step.text for step in steps(bare)] == [line.text for line in sheet.lines]


@pytest.mark.parametrize(
    ("turns", "code", "said"),
    [
        (["D1-D2", "A1-A3"], "not_adjacent", "line 5, turn 2, A1-A3: rule 1: A3 is not next to A1"),
        (["D1-D2 5", "A1-A2 4"], "time", "line 5, turn 2, A1-A2: time does not run backwards"),
        (["D1-D2 5 lift=4 down=3"], "time", "line 4, turn 1, D1-D2: time does not run backwards"),
        (["black D1-D2"], "not_your_turn", "line 4, turn 1, D1-D2: it is the turn of Red, not of Black"),
        (["pass"], "must_move", "line 4, turn 1, pass: rule 6: Red can move and must"),
    ],
)
def test_the_first_illegal_turn_is_named_with_its_rule(turns: list[str], code: str, said: str) -> None:
    with pytest.raises(IllegalTurnError) as caught:
        list(steps(sheet_of(*turns)))
    assert (str(caught.value), caught.value.code, caught.value.number) == (said, code, len(turns))


def test_what_is_before_the_first_illegal_turn_is_played() -> None:
    played = steps(sheet_of("D1-D2", "A1-A3"))
    assert next(played).text == "D1-D2"
    with pytest.raises(IllegalTurnError):
        next(played)


def test_what_is_no_move_of_the_game_is_unreadable() -> None:
    with pytest.raises(UnreadableTurnError, match=r"^line 4, turn 1: 'D1xD2' is not a TAMSK move such as "):
        list(steps(sheet_of("D1xD2")))


def test_a_turn_after_the_end_is_illegal() -> None:
    sheet = Sheet("tau", {"rows": "1", "columns": "2", "limit": "1"}, lines=(SheetLine("ca"), SheetLine("cb")))
    with pytest.raises(IllegalTurnError, match=r"^turn 2, cb: the game is over") as caught:
        list(steps(sheet))
    assert caught.value.code == "over"


@pytest.mark.parametrize("sheet", [Sheet("chess"), Sheet("tamsk", {"level": "4"})])
def test_an_unknown_game_or_setting_is_refused(sheet: Sheet) -> None:
    with pytest.raises(SettingsError):
        list(steps(sheet))


def test_sand_decides_by_the_instant_of_the_lift() -> None:
    opening = ["D1-D2 1", "A1-A2 2", "A4-A3 3", "G1-G2 4", "G4-G3 5", "D7-D6 6"]
    # The glass on D2 was turned at 1 s and runs out at 181 s: at 180.999999 it may still be lifted.
    alive = sheet_of(*opening, "D2-D3 190 lift=180.999999 down=182", level=2)
    position = list(steps(alive))[-1].position
    assert isinstance(position, Position)
    assert position.sands[0].remaining(Instant(190 * SECOND)) == 172 * SECOND
    dead = sheet_of(*opening, "D2-D3 190 lift=181 down=182", level=2)
    with pytest.raises(IllegalTurnError, match="rule 12: the glass on D2 has run out"):
        list(steps(dead))


def test_a_timer_turned_while_the_glass_is_in_the_air_binds_the_turn_but_does_not_lose_it() -> None:
    sheet = sheet_of("black flip15 5", "red D1-D2 30 lift=4 down=25", "black A1-A2,+D3 40 lift=31 down=32", level=3)
    assert [step.player for step in steps(sheet)] == ["black", "red", "black"]
    late = sheet_of("flip15 5", "D1-D2 30 lift=20.000001 down=25", level=3)
    with pytest.raises(IllegalTurnError, match="rule 19: Red has lost this turn"):
        list(steps(late))


def test_an_arbiter_may_have_put_the_game_right() -> None:
    sheet = sheet_of(
        "D1-D2 1",
        "arbiter sand:D2=100.5 2",
        "arbiter rings:D4=2,black 3",
        "arbiter turn:red 4",
        "red A4-A3= 5",
        level=2,
    )
    position = list(steps(sheet))[-1].position
    assert isinstance(position, Position)
    assert position.sands[0].remaining(Instant(5 * SECOND)) == 97_500_000
    assert position.rings_on(BOARD.index["D4"]) == 2
    assert position.rings_left == (31, 30)


@pytest.mark.parametrize("text", ["sand:D3=5", "sand:D2=500", "sand:D2=5", "rings:D4=7,red", "rings:D4=1,p1", "turn:x"])
def test_a_correction_that_cannot_be_is_illegal(text: str) -> None:
    with pytest.raises(IllegalTurnError, match=r"^line 4, turn 1, "):
        list(steps(sheet_of(f"{text} 3", level=1)))


def test_a_lift_that_came_to_nothing_began_no_turn() -> None:
    sheet = sheet_of("lift:D1 2", "flip15 4", "back:D1 6", "D1-D2 8", level=3)
    assert [step.player for step in steps(sheet)] == ["red", "black", "red", "red"]


@pytest.mark.parametrize("text", ["back:D1", "back:A4", "back:", "back:Z9"])
def test_only_the_glass_in_the_air_comes_back(text: str) -> None:
    with pytest.raises(
        IllegalTurnError, match=r"^line 5, turn 2, back:\w*: rule 1: the glass of \w* is not in the air"
    ):
        list(steps(sheet_of("lift:G4 2", f"{text} 6", level=3)))


# Results


def test_a_result_that_the_turns_do_not_give_is_refused() -> None:
    lines = (SheetLine("ca", "high"),)
    settings = {"rows": "1", "columns": "2", "limit": "1"}
    found = play_to_end(Sheet("tau", settings, lines=lines)).result
    assert found is not None
    assert play_to_end(Sheet("tau", settings, result=found, lines=lines)).by_the_rules
    assert play_to_end(Sheet("tau", settings, result=Outcome(found.winner, ""), lines=lines)).result == found
    for wrong in (Outcome(None, ""), Outcome(found.winner, "weather")):
        with pytest.raises(
            WrongResultError, match=r"^the sheet says that the result is .*, but by its turns it is LOW \("
        ):
            play_to_end(Sheet("tau", settings, result=wrong, lines=lines))


def test_people_may_end_a_game_that_the_rules_would_let_go_on() -> None:
    given_up = Sheet("tamsk", lines=(SheetLine("D1-D2"),), result=Outcome("black", "resignation"))
    assert play_to_end(given_up)[1:] == (Outcome("black", "resignation"), False)
    assert play_to_end(replace(given_up, result=None))[1:] == (None, False)


def test_time_may_end_a_game_after_its_last_turn() -> None:
    # All six glasses run, nobody moves again, and the last one stops at 186 s.
    stopped = sheet_of("D1-D2 1", "A1-A2x 2", "A4-A3x 3", "G1-G2x 4", "G4-G3x 5", "D7-D6 6", level=2)
    assert play_to_end(stopped)[1:] == (None, False)
    over = play_to_end(replace(stopped, result=Outcome(None, "draw")))
    assert over[1:] == (Outcome(None, "draw"), True)
    assert isinstance(over.position, Position)
    assert over.position.now == 186 * SECOND


def test_what_is_malformed_is_said_in_the_reader_s_language() -> None:
    with pytest.raises(SheetError) as caught:
        read_sheet(b"hello")
    told = {language: sentence(caught.value.statement, words(language)) for language in ("de", "fr")}
    assert told["de"] == "Zeile 1: das ist kein Partieformular: Es beginnt mit der Zeile `Sheet: 1`."
    assert "ce n’est pas une feuille de partie" in told["fr"]
