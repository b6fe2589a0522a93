import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tabik.rules import BLACK, PIE, WHITE, Move, Position, Tabik, TabikSettings
from gnomon.rules.perft import perft
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError, Outcome, RulesError, SettingsError
from gnomon.timekeeping.instants import Instant
from tests.rules.playing import legal_texts, play, refusal

RULES = Tabik()
FOUR = Tabik.from_settings({"size": 4})
TWO = Tabik.from_settings({"size": 2, "pie": "no"})

# A black and a white stone on each of four edges; a rod on each.
BEGUN = FOUR.set_up(
    [
        "..BW",
        "BW..",
        "W.B.",
        "B.W.",
    ],
    rods=["a1a2", "c1c2", "a3b3", "c4d4"],
)


def drawing(rules: Tabik, position: Position) -> object:
    return rules.state(position)["board"]


def rods(rules: Tabik, position: Position) -> object:
    return rules.state(position)["rods"]


# The board and the turns


def test_the_board_is_empty_at_the_start_and_black_begins() -> None:
    assert drawing(RULES, RULES.start()) == ["........"] * 8
    assert rods(RULES, RULES.start()) == []
    assert RULES.turn(RULES.start()) == "black"


def test_a_placement_puts_down_a_black_and_a_white_stone_and_a_rod() -> None:
    position = play(FOUR, FOUR.start(), "b2c2", "d4d3")
    assert drawing(FOUR, position) == [
        "...B",
        "...W",
        ".BW.",
        "....",
    ]
    assert rods(FOUR, position) == ["b2c2", "d3d4"]
    assert FOUR.turn(position) == "black"


def test_a_swap_exchanges_two_stones_and_puts_a_rod_between_them() -> None:
    position = play(FOUR, BEGUN, "a2~a3")
    assert drawing(FOUR, position) == [
        "..BW",
        "WW..",
        "B.B.",
        "B.W.",
    ]
    assert rods(FOUR, position) == ["a1a2", "c1c2", "a2a3", "a3b3", "c4d4"]


def test_both_players_place_and_swap_stones_of_both_colours() -> None:
    by_white = FOUR.set_up(["..BW", "BW..", "W.B.", "B.W."], ["a1a2", "c1c2", "a3b3", "c4d4"], mover="white")
    assert legal_texts(FOUR, BEGUN) == legal_texts(FOUR, by_white)


def test_every_turn_that_the_rules_know_is_listed() -> None:
    assert legal_texts(FOUR, BEGUN) == {
        "a2~a3",
        "c3d3",
        "d3c3",
        "d1d2",
        "d2d1",
        "d2d3",
        "d3d2",
        "a4b4",
        "b4a4",
        "b1b2",
        "b2b1",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c1d1", "occupied: rule 4: a stone stands on c1"),
        ("d3d4", "occupied: rule 4: a stone stands on d4"),
        ("d3c2", "not_adjacent: rule 4: d3 and c2 are not orthogonally adjacent"),
        ("d1a2", "not_adjacent: rule 4: d1 and a2 are not orthogonally adjacent"),
        ("b2b2", "not_adjacent: rule 4: b2 and b2 are not orthogonally adjacent"),
        ("a1~c1", "not_adjacent: rule 4: a1 and c1 are not orthogonally adjacent"),
        ("a1~a2", "rod: rule 5: a rod lies between a1 and a2"),
        ("b2~c2", "empty: rule 4: no stone stands on b2"),
        ("c2~d2", "empty: rule 4: no stone stands on d2"),
        ("b3~b4", "empty: rule 4: no stone stands on b4"),
        ("b1~b2", "empty: rule 4: no stone stands on b1"),
        ("pie", "not_now: rule 8: only White swaps sides, and only on White's first turn"),
    ],
)
def test_an_illegal_turn_is_refused_with_its_rule(text: str, reason: str) -> None:
    assert refusal(FOUR, BEGUN, text) == reason


@pytest.mark.parametrize("colour", ["black", "white"])
def test_stones_of_one_colour_are_not_swapped(colour: str) -> None:
    letter = colour[0].upper()
    position = FOUR.set_up(["....", "....", "....", f"{letter}{letter}.."])
    assert refusal(FOUR, position, "a1~b1") == f"same_colour: rule 4: the stones on a1 and b1 are both {colour}"


@pytest.mark.parametrize(
    "move",
    [
        Move("swap", FOUR.board.index["a3"], FOUR.board.index["a2"]),  # the wrong way round
        Move("place", FOUR.board.index["d4"], FOUR.board.index["d4"] + 1),
        Move("place", -1, 0),
        Move("pie", 0, 1),
        Move("pass"),  # type: ignore[arg-type]  # a move that no type allows
    ],
)
def test_what_is_no_move_at_all_is_refused(move: Move) -> None:
    refused = FOUR.why_not(BEGUN, move)
    assert refused is not None
    assert refused.code == "no_such_move"
    with pytest.raises(IllegalMoveError, match="there is no such move in Tabik"):
        FOUR.play(BEGUN, move)


# The pie


def test_white_may_swap_sides_on_the_first_turn_of_white_only() -> None:
    start = FOUR.start()
    assert "pie" not in legal_texts(FOUR, start)
    begun = play(FOUR, start, "a1b1")
    assert "pie" in legal_texts(FOUR, begun)
    assert "pie" not in legal_texts(FOUR, play(FOUR, begun, "a2b2"))
    assert "pie" not in legal_texts(FOUR, play(FOUR, begun, "a2b2", "a3b3"))


def test_after_the_pie_the_other_player_is_white_and_on_turn() -> None:
    begun = play(FOUR, FOUR.start(), "a1b1")
    swapped = play(FOUR, begun, "pie")
    assert (begun.swapped, swapped.swapped) == (False, True)
    assert FOUR.turn(swapped) == "white"
    assert FOUR.state(swapped) == FOUR.state(begun)
    assert legal_texts(FOUR, swapped) == legal_texts(FOUR, begun) - {"pie"}
    assert FOUR.turn(play(FOUR, swapped, "a2b2")) == "black"
    assert play(FOUR, swapped, "a2b2").swapped


def test_without_the_pie_nobody_swaps_sides() -> None:
    begun = play(TWO, TWO.start(), "a1b1")
    assert refusal(TWO, begun, "pie") == "no_pie: rule 8: this game is played without the pie"


# The end


def test_the_game_ends_at_once_when_no_move_is_left() -> None:
    position = play(TWO, TWO.start(), "a1b1", "b2a2", "a1~a2")
    assert legal_texts(TWO, position) == {"b1~b2"}
    assert TWO.outcome(position) is None
    position = play(TWO, position, "b1~b2")
    assert drawing(TWO, position) == ["BW", "WB"]
    # Two groups of one each: nil all, and White made the last move.
    assert TWO.outcome(position) == Outcome("black", "last_move")


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        ("BBBB/WWWW/BBBB/WWWW", {"black": 0, "white": 0}),
        ("BBBW/BWWW/BWBB/WBBW", {"black": 4, "white": 1}),
        ("..../..../..../....", {"black": 0, "white": 0}),
        ("..../..../..../..BW", {"black": 0, "white": 0}),
        ("WW../..../..../..BB", {"black": 0, "white": 0}),
        ("WW../W.../..../..BB", {"black": 2, "white": 3}),
    ],
)
def test_a_colour_scores_its_largest_size_of_which_it_has_more_groups(rows: str, points: dict[str, int]) -> None:
    assert FOUR.score(FOUR.set_up(rows.split("/"))) == points


def test_rods_do_not_cut_groups() -> None:
    position = FOUR.set_up(["....", "....", "..WW", "BBBB"], rods=["a1b1", "b1c1", "c1d1"])
    assert FOUR.score(position) == {"black": 4, "white": 2}


def all_rods(rules: Tabik) -> list[str]:
    names = rules.board.names
    return [names[edge.lower] + names[edge.higher] for edge in rules.board.edges]


def test_the_greater_score_wins() -> None:
    for rows, winner in (("BBBW/BWWW/BWBB/WBBW", "black"), ("WWWB/WBBB/WBWW/BWWB", "white")):
        position = FOUR.set_up(rows.split("/"), all_rods(FOUR))
        assert FOUR.outcome(position) == Outcome(winner, "larger_groups")
        assert FOUR.turn(position) == "over"
        assert FOUR.legal_moves(position) == ()


@pytest.mark.parametrize(("last", "winner"), [("black", "white"), ("white", "black")])
def test_at_nil_all_the_last_to_move_loses(last: str, winner: str) -> None:
    # The last swap makes four equal rows.
    before = FOUR.set_up(["BBBB", "WWWW", "BBBW", "WWWB"], [rod for rod in all_rods(FOUR) if rod != "d1d2"], mover=last)
    assert legal_texts(FOUR, before) == {"d1~d2"}
    position = play(FOUR, before, "d1~d2")
    assert drawing(FOUR, position) == ["BBBB", "WWWW", "BBBB", "WWWW"]
    assert FOUR.outcome(position) == Outcome(winner, "last_move")


def test_after_the_end_every_move_is_refused() -> None:
    position = FOUR.set_up(["BBBW", "BWWW", "BWBB", "WBBW"], all_rods(FOUR))
    for text in ("a1b1", "a1~b1", "pie"):
        with pytest.raises(GameOverError, match="the game is over"):
            FOUR.parse(position, text)
    with pytest.raises(GameOverError):
        FOUR.play(position, PIE)


# Check figures


@pytest.mark.parametrize(
    ("size", "counts"),
    [(2, [8, 16, 16, 16, 0]), (3, [24, 352, 2848, 11840]), (4, [48, 1792, 50576]), (8, [224, 47392])],
)
def test_move_sequences_are_as_many_as_they_should_be(size: int, counts: list[int]) -> None:
    rules = Tabik.from_settings({"size": size, "pie": "no"})
    assert [perft(rules, rules.start(), turns) for turns in range(1, len(counts) + 1)] == counts


def test_the_pie_is_one_more_second_turn() -> None:
    with_pie = Tabik.from_settings({"size": 3})
    assert [perft(with_pie, with_pie.start(), turns) for turns in (1, 2)] == [24, 352 + 24]
    # A third turn follows either a second turn, or the pie and then what would have been a second turn.
    assert perft(with_pie, with_pie.start(), 3) == 2848 + 352


def test_a_random_game_lasts_about_80_turns_and_never_more_than_112() -> None:
    chance = random.Random(2020)
    lengths = []
    for _ in range(60):
        position = RULES.start()
        while moves := RULES.legal_moves(position):
            position = RULES.play(position, chance.choice(moves))
        lengths.append(position.turns)
    assert 78 < sum(lengths) / len(lengths) < 82
    assert max(lengths) <= 112


# Text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a1", "'a1' is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"),
        ("a1-b1", "'a1-b1' is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"),
        ("A1B1", "'A1B1' is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"),
        ("a01b1", "'a01b1' is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"),
        ("PIE", "'PIE' is not a Tabik move such as a1b1 (black a1, white b1), a1~b1 (swap) or pie"),
        ("d4e4", "'d4e4': there is no square e4 on a board of 4 x 4"),
        ("d5d4", "'d5d4': there is no square d5 on a board of 4 x 4"),
        ("b1~a1", "'b1~a1': a swap names the lower square first, by row and then by column: a1~b1"),
        ("a2~b1", "'a2~b1': a swap names the lower square first, by row and then by column: b1~a2"),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        FOUR.parse(FOUR.start(), text)
    assert str(caught.value) == sentence


def test_the_largest_board_is_lettered_to_s_without_leaving_out_i() -> None:
    rules = Tabik.from_settings({"size": 19})
    position = play(rules, rules.start(), "i10j10", "s19s18", "h9i9", "i9~i10")
    assert rods(rules, position) == ["h9i9", "i9i10", "i10j10", "s18s19"]


# Settings


def test_the_defaults_are_those_of_the_rules() -> None:
    assert Tabik.from_settings({}) == Tabik() == Tabik(TabikSettings(size=8, pie=True))


def test_settings_are_read_from_text_and_from_numbers() -> None:
    assert Tabik.from_settings({"size": "19", "pie": "no"}).settings == TabikSettings(19, pie=False)
    assert Tabik.from_settings({"size": 2, "pie": "yes"}).settings == TabikSettings(2, pie=True)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"size": "1"}, "size must be a whole number from 2 to 19, not '1'"),
        ({"size": 20}, "size must be a whole number from 2 to 19, not 20"),
        ({"size": "08"}, "size must be a whole number from 2 to 19, not '08'"),
        ({"size": True}, "size must be a whole number from 2 to 19, not True"),
        ({"size": 8.0}, "size must be a whole number from 2 to 19, not 8.0"),
        ({"size": "٨"}, "size must be a whole number from 2 to 19, not '٨'"),
        ({"pie": "maybe"}, "pie must be one of yes, no, not 'maybe'"),
        ({"pie": True}, "pie must be one of yes, no, not True"),
        ({"colour": "blue"}, "Tabik has no setting 'colour'; its settings are size, pie"),
    ],
)
def test_wrong_settings_are_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tabik.from_settings(settings)
    assert str(caught.value) == sentence


def test_rules_with_equal_settings_are_equal_and_share_a_hash() -> None:
    one, other = Tabik.from_settings({"size": 4}), Tabik.from_settings({"size": "4"})
    assert one == other
    assert len({one, other, Tabik()}) == 2
    assert one != "tabik"
    assert repr(one) == "Tabik(TabikSettings(size=4, pie=True))"


# Drawings


@pytest.mark.parametrize(
    ("rows", "rods_laid", "mover", "sentence"),
    [
        (["BW", ".."], [], "grey", "the colour on turn is black or white, not 'grey'"),
        (["BW"], [], "black", "a drawing of this board has 2 rows of 2 signs, each B, W or a point"),
        (["BW", "."], [], "black", "a drawing of this board has 2 rows of 2 signs, each B, W or a point"),
        (["BW", ".x"], [], "black", "a drawing of this board has 2 rows of 2 signs, each B, W or a point"),
        (
            ["BW", ".."],
            ["a1a2"],
            "black",
            "no rod lies on 'a1a2': a rod lies between two adjacent stones, such as 'a1b1', lower first",
        ),
    ],
)
def test_a_drawing_of_what_cannot_be_is_refused(
    rows: list[str], rods_laid: list[str], mover: str, sentence: str
) -> None:
    with pytest.raises(RulesError) as caught:
        TWO.set_up(rows, rods_laid, mover)
    assert str(caught.value) == sentence


# Properties


@st.composite
def positions(draw: st.DrawFn) -> tuple[Tabik, Position]:
    """Some position of some game."""
    settings = {"size": draw(st.integers(2, 9)), "pie": draw(st.sampled_from(["yes", "no"]))}
    rules = Tabik.from_settings(settings)
    position = rules.start()
    for _ in range(draw(st.integers(0, 2 * settings["size"] ** 2))):  # type: ignore[operator]  # drawn as JSON is
        moves = rules.legal_moves(position)
        if not moves:
            break
        position = rules.play(position, moves[draw(st.integers(0, len(moves) - 1))])
    return rules, position


@pytest.mark.untraced
@given(positions())
def test_every_turn_leaves_one_rod_more_and_there_is_room_for_it(case: tuple[Tabik, Position]) -> None:
    rules, position = case
    size = rules.settings.size
    assert position.turns <= 2 * size * (size - 1)
    for move in rules.legal_moves(position):
        after = rules.play(position, move)
        assert after.turns == position.turns + (move != PIE)
        assert position.rods & after.rods == position.rods
        assert position.black & position.white == 0
        assert position.black.bit_count() == position.white.bit_count()


@pytest.mark.untraced
@given(positions())
def test_what_can_be_played_follows_from_the_board_alone(case: tuple[Tabik, Position]) -> None:
    rules, position = case
    state = rules.state(position)
    mover = ("black", "white")[position.mover]
    again = rules.set_up(state["board"], state["rods"], mover)  # type: ignore[arg-type]  # drawn as JSON is
    assert again == position._replace(pie=False, swapped=False)


@given(positions())
def test_a_move_is_listed_exactly_when_nothing_speaks_against_it(case: tuple[Tabik, Position]) -> None:
    rules, position = case
    listed = set(rules.legal_moves(position))
    for edge in rules.board.edges:
        for one, other in ((edge.lower, edge.higher), (edge.higher, edge.lower)):
            for move in (Move("place", one, other), Move("swap", one, other)):
                assert (rules.why_not(position, move) is None) is (move in listed)
    assert (rules.why_not(position, PIE) is None) is (PIE in listed)


@pytest.mark.untraced
@given(positions())
def test_equal_scores_are_nil_all(case: tuple[Tabik, Position]) -> None:
    rules, position = case
    points = rules.score(position)
    assert points["black"] != points["white"] or points["black"] == 0


def test_time_does_not_play() -> None:
    assert FOUR.deadline(BEGUN) is None
    assert FOUR.elapse(BEGUN, Instant(10**9)) is BEGUN


def test_colours_are_numbered_as_they_are_named() -> None:
    assert (RULES.players[BLACK], RULES.players[WHITE]) == ("black", "white")
