from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import Tamsk
from gnomon.records.formats import sgf
from gnomon.records.formats.sgf import SgfError, read_collection
from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.rules.protocol import Outcome
from gnomon.rules.registry import GAMES, kind_of, rules_of
from gnomon.timekeeping.instants import Instant
from tests.records.random_sheets import CASES, random_sheet, timed_sheet
from tests.records.test_sheets import SHEETS

SEEDS = st.integers(0, 1 << 32)
# A carriage return is a line end in SGF, and a line end in a name is a blank.
SAYINGS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)

GAME = """\
(;FF[4]GM[38]CA[UTF-8]AP[Someone:1]RU[level=3]EV[Club evening]DT[2026-11-20]PW[Ada]PB[Charles]RE[B+R]
C[Both had slept well.]
;W[D1-D2]XT[5.25]XTL[3.1]XTD[4.5]C[to the
middle]
(;B[flip15]XT[19.2] ; C[Here she hesitated.]
 ;W[A4-A3x])
(;B[A1-A2x] C[A variation \\] of no weight]))
"""


# Sheets


@pytest.mark.untraced
@pytest.mark.parametrize("game", GAMES)
@given(sheet=SHEETS)
def test_a_sheet_of_every_game_reads_back_exactly(game: str, sheet: Sheet) -> None:
    sheet = replace(
        sheet,
        game=game,
        lines=tuple(replace(line, comment=tuple(map(plain, line.comment))) for line in sheet.lines),
        players={name: plain(person) for name, person in sheet.players.items()},
        headers={name: plain(value) for name, value in sheet.headers.items()},
        result=sheet.result and Outcome(sheet.result.winner, plain(sheet.result.reason)),
        remarks=tuple(map(plain, sheet.remarks)),
    )
    assert read_sgf(sgf_text(sheet).encode()) == (sheet,)


def plain(words: str) -> str:
    """Words in one line, as SGF knows lines."""
    return words.replace("\r", "").strip()


@pytest.mark.long
@pytest.mark.parametrize(("game", "settings"), CASES)
def test_a_random_game_reads_back_exactly_and_is_legal(game: str, settings: dict[str, object]) -> None:
    sheet = random_sheet(game, settings, 1)
    (read,) = read_sgf(sgf_text(sheet).encode())
    assert read == sheet
    assert [step.text for step in steps(read)] == [line.text for line in sheet.lines]


@pytest.mark.untraced
@given(SEEDS)
def test_sand_is_the_same_after_a_way_through_sgf(seed: int) -> None:
    sheet, _ = timed_sheet(Tamsk.from_settings({"level": 3}), seed, turns=30)
    (read,) = read_sgf(sgf_text(sheet).encode())
    assert list(steps(read))[-1].position == list(steps(sheet))[-1].position


def test_every_game_has_a_number_of_its_own_and_tamsk_that_of_the_format() -> None:
    numbers = {game: kind_of(game).sgf for game in GAMES}
    assert numbers["tamsk"] == 38
    assert len(set(numbers.values())) == len(GAMES)
    assert min(set(numbers.values()) - {38}) > 40
    assert all(set(kind_of(game).colours) <= {*rules_of(game, {}).players, "high", "low"} for game in GAMES)


def test_a_game_is_read_as_others_write_it() -> None:
    (sheet,) = read_sgf(GAME.encode())
    assert sheet == Sheet(
        game="tamsk",
        settings={"level": "3"},
        players={"red": "Ada", "black": "Charles"},
        headers={"Event": "Club evening", "Date": "2026-11-20"},
        result=Outcome("black", "resignation"),
        lines=(
            SheetLine("D1-D2", "red", Instant(5_250_000), Instant(3_100_000), Instant(4_500_000), ("to the", "middle")),
            SheetLine("flip15", "black", Instant(19_200_000), comment=("Here she hesitated.",)),
            SheetLine("A4-A3x", "red"),
        ),
        remarks=("Both had slept well.",),
    )
    assert [line.source for line in sheet.lines] == [3, 5, 6]


def test_a_game_looks_as_the_format_asks() -> None:
    sheet = Sheet(
        "tamsk",
        {"level": "1"},
        {"red": "Ada", "black": "Charles [sic]"},
        {"Event": "Club: evening", "Date": "yesterday", "Arbiter": "B: Vaughan"},
        Outcome("red", "rings"),
        (SheetLine("D1-D2", "red", Instant(1_500_000)), SheetLine("A1-A2x", "black", comment=("good",))),
    )
    head, *nodes = sgf_text(sheet).splitlines()
    assert head.startswith("(;FF[4]GM[38]CA[UTF-8]AP[Gnomon:")
    assert head.endswith(
        "XGAME[tamsk]RU[level=1]EV[Club: evening]XH[Date:yesterday][Arbiter:B\\: Vaughan]"
        "PW[Ada]PB[Charles [sic\\]]RE[W+]XRE[red:rings]"
    )
    assert nodes == [";W[D1-D2]XT[1.5]", ";B[A1-A2x]C[good]", ")"]


def test_nature_and_third_players_have_moves_too() -> None:
    sheet = Sheet(
        "tayu", {"players": "3"}, lines=(SheetLine("draw:013", "nature"), SheetLine("bid:28", "p3"), SheetLine("x"))
    )
    assert sgf_text(sheet).splitlines()[1:4] == [";XM[nature:draw\\:013]", ";XM[p3:bid\\:28]", ";XM[:x]"]


def test_a_winner_who_is_neither_black_nor_white_stands_in_the_exact_result() -> None:
    sheet = Sheet("tayu", {"players": "3"}, result=Outcome("p3", "saboteur"))
    text = sgf_text(sheet)
    assert "XRE[p3:saboteur]" in text
    assert "]RE[" not in text
    assert read_sgf(text.encode()) == (sheet,)


def test_a_file_may_hold_many_games() -> None:
    games = read_sgf(f"From a newsletter (1999).\n{GAME} and (c) 2026:\n{sgf_text(Sheet('tau'))} the end".encode())
    assert [sheet.game for sheet in games] == ["tamsk", "tau"]


def test_a_private_game_is_known_by_its_name_whatever_its_number() -> None:
    (sheet,) = read_sgf(b"(;FF[4]GM[17]XGAME[tabik];B[a1b1])")
    assert (sheet.game, sheet.lines) == ("tabik", (SheetLine("a1b1", "black"),))


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("Draw", Outcome(None, "")),
        ("0", Outcome(None, "")),
        ("W+T", Outcome("red", "time")),
        ("B+Forfeit", Outcome("black", "forfeit")),
        ("W+3.5", Outcome("red", "")),
        ("Void", None),
        ("?", None),
        ("", None),
    ],
)
def test_results_are_read_by_the_format(result: str, outcome: Outcome | None) -> None:
    assert read_sgf(f"(;GM[38]RE[{result}])".encode())[0].result == outcome


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("(;GM[1];B[aa])", "line 1: the game GM[1] is not one of ours"),
        ("(;B[aa])", "line 1: the game GM[1] is not one of ours"),
        ("(;GM[38]XGAME[go])", "line 1: the game GM[38] XGAME[go] is not one of ours"),
        ("(;GM[38]RU[level])", "line 1: a setting is written KEY=VALUE, not 'level'"),
        ("(;GM[38]RE[won])", "line 1: RE[won] is not a result"),
        ("(;GM[38]\n;B[D1-D2]W[D1-D2])", "line 2: a node has more than one move"),
        ("(;GM[38]\n;B[D1 D2])", "line 2: 'D1 D2' is not a move"),
        ("(;GM[38]\n\n;B[D1-D2]XT[soon])", "line 3: XT: 'soon' is not a number of seconds"),
    ],
)
def test_what_is_no_game_of_ours_is_refused_with_its_line(game: str, sentence: str) -> None:
    with pytest.raises(SgfError) as caught:
        read_sgf(game.encode())
    assert str(caught.value).startswith(sentence)


def test_a_game_without_a_number_is_not_written() -> None:
    with pytest.raises(ValueError, match=r"^the game 'chess' has no SGF number; the games are tamsk, "):
        sgf_text(Sheet("chess"))


# Grammar


@given(SAYINGS, SAYINGS)
def test_what_is_escaped_says_the_same(first: str, second: str) -> None:
    assert sgf.text(sgf.escape(first)) == first
    assert sgf.parts(sgf.compose(first, second)) == (plain_line(first), plain_line(second))
    (tree,) = read_collection(sgf.game_text([{"C": (sgf.escape(first), sgf.escape(second))}]))
    assert list(map(sgf.text, tree.nodes[0].properties["C"])) == [first, second]


def plain_line(words: str) -> str:
    return words.replace("\n", " ").strip()


def test_soft_line_ends_are_undone_and_others_kept() -> None:
    assert sgf.text("a\\\nb\\\r\nc\nd\r\ne\n\rf\rg\\]\\\\\\h") == "abc\nd\ne\nf\ng]\\h"


def test_a_deep_game_is_read() -> None:
    deep = 20_000
    (tree,) = read_collection("(;A[b]" * deep + ")" * deep)
    assert sum(1 for _ in tree.main_line()) == deep


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("(;GM[38]C[é])".encode(), "é"),
        ("(;GM[38]C[é])".encode("latin-1"), "é"),
        ("(;GM[38]CA[latin1]C[é])".encode("latin-1"), "é"),
        ("\ufeff(;GM[38]CA[UTF-8]C[é])".encode(), "é"),
        ("(;GM[38]CA[ Shift_JIS ]C[棋])".encode("shift_jis"), "棋"),
    ],
)
def test_the_character_set_is_as_the_file_says_or_as_it_must_be(data: bytes, said: str) -> None:
    assert read_sgf(data)[0].remarks == (said,)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: this is not SGF: a game begins with (;"),
        (b"Sheet: 1", "line 1: this is not SGF: a game begins with (;"),
        (b"(;GM[38]\nCA[klingon])", "line 2: this cannot be read with the character set klingon"),
        (b"(;CA[UTF-8]\n\nC[\xff])", "line 3: this cannot be read with the character set UTF-8"),
        (b"(;GM[38]\n;B[D1-D2", "line 2: the value [D1-D2 has no end: a `]` is missing"),
        (b"(;GM[38]\n;B[D1-D2]", "line 2: the file ends before the `)` of its game"),
        (b"(;GM[38]\nB W[x])", "line 2: the property B has no value"),
        (b"(;GM[38]\n;B)", "line 2: the property B has no value"),
        (b"(;GM[38]\n;B[x]W[x]B[x])", "line 2: the property B has no place here"),
        (b"(;GM[38](;B[x])\nB[y])", "line 2: the property B has no place here"),
        (b"(;GM[38](;B[x])\n;B[y])", "line 2: a node comes after the variations of its game tree"),
        (b"(;GM[38]\n())", "line 2: a game tree has no node"),
        (b"(;GM[38]\n((;B[x])))", "line 2: a variation comes before the first node of its game tree"),
        (b"(;GM[38];[x])", "line 1: the value [x] has no place here"),
        (b"(;GM[38]\n;B[x] 12 and more)", "line 2: 12 and more) has no place here"),
        (b"(;b[x])", "line 1: the property without a capital has no place here"),
    ],
)
def test_what_is_no_sgf_is_one_sentence_with_its_line(data: bytes, sentence: str) -> None:
    with pytest.raises(SgfError) as caught:
        read_sgf(data)
    assert str(caught.value) == sentence
    assert sentence.startswith(f"line {caught.value.line}: ")


@given(st.text(st.sampled_from("(;)[]\\:ABGM38 \nb"), max_size=40))
def test_anything_is_read_or_refused_with_a_line(rest: str) -> None:
    refused = None
    try:
        read_sgf(f"(;GM[38]{rest}".encode())
    except SgfError as error:
        refused = error
    assert refused is None or 1 <= refused.line <= rest.count("\n") + 1
