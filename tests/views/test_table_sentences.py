"""What is said of the turns, refusals and ends of the games at a table."""

from typing import Final

import pytest
from hypothesis import given

from gnomon.referee.judgement import Action, Repair
from gnomon.referee.rulings import Corrected, GameOver, GamePaused, IllegalRuled, QuestionAsked, Righted, TurnRuled
from gnomon.refusals import statement
from gnomon.rules.registry import BARE_CLOCK, GAMES
from gnomon.timekeeping.instants import Instant
from gnomon.views import sentences
from gnomon.views.phrases import name, player_list, shorten_numbers
from gnomon.views.sentences import reason, refusal_reason, squares
from gnomon.views.show import show
from gnomon.words import words
from tests.views.table_scenes import Scene, table_games
from tests.words.statements import Stated, files, stated

NOW: Final = Instant(0)
TABLE_GAMES: Final = sorted(set(GAMES) - {"tamsk"})


def refusals(game: str) -> list[Stated]:
    """What the rules of a game say of moves that are not allowed."""
    rules = files(f"companion/gnomon/games/{game.replace('-', '_')}/rules")
    return [each for file in rules for each in stated(file) if each.error in {"", "IllegalMoveError"}]


def codes(game: str) -> set[str]:
    """Every code with which the rules of a game can refuse a move."""
    return {code for each in refusals(game) if each.keys[0].startswith(f"told.{game}.") for code in each.codes}


@pytest.mark.parametrize("game", TABLE_GAMES)
def test_every_code_of_the_rules_is_said_in_words(game: str) -> None:
    unsaid = codes(game) - show(game).reasons.keys() - {"no_such_move", "over"}
    assert codes(game)
    assert unsaid == set()


def test_every_game_has_a_title_and_every_table_game_its_phrases() -> None:
    assert all(show(game).title for game in (*GAMES, BARE_CLOCK))
    assert all(show(game).turns and show(game).reasons and show(game).endings for game in TABLE_GAMES)


@pytest.mark.parametrize(
    ("game", "player", "text", "said"),
    [
        ("tabik", "black", "a1b1", "Black places black on a1, white on b1 and a rod between them."),
        ("tabik", "white", "a1~b1", "White swaps a1 and b1, and a rod lies between them."),
        ("tabik", "white", "pie", "White swaps sides (rule 8)."),
        ("tau", "high", "r10", "HIGH draws a line through row 10."),
        ("tau", "low", "cab", "LOW draws a line through column ab."),
        ("tau", "p1", "bid:70", "Player 1 names 70."),
        ("tau", "p1", f"bid:{10**30}", "Player 1 names 1.00e30."),
        ("tau", "p2", "pass", "Player 2 passes and is LOW; the last number is the LIMIT (rule 2)."),
        ("tayu", "nature", "draw:013", "Tile 013 is drawn."),
        ("tayu", "north-south", "013@h9/E", "North-South lays 013 on h9, running east."),
        ("tayu", "p2", "bid:28", "Player 2 would be the saboteur against 28 (rule 10)."),
        ("tayu", "p3", "pick:ring", "Player 3 picks a tile with a ring on its back."),
        ("twenty-squares", "nature", "throw:3", "A throw of 3."),
        ("twenty-squares", "p1", "in-b1", "Player 1 enters a counter on b1."),
        ("twenty-squares", "p1", "d1-a2", "Player 1 moves from d1 to a2."),
        ("twenty-squares", "p2", "i2-off", "Player 2 bears a counter off from i2 (rule 8)."),
        ("twenty-squares", "p2", "convert", "Player 2 throws again to enter a counter (rule 4)."),
        ("twenty-squares", "p2", "forfeit", "Player 2 cannot use the throw and forfeits it (rule 6)."),
        ("tabik", "black", "whatever", "Black: whatever"),
    ],
)
def test_a_turn_is_said_in_words(game: str, player: str, text: str, said: str) -> None:
    assert sentences.sentence(TurnRuled(NOW, player, text), game) == said


@pytest.mark.untraced
@given(table_games())
def test_every_turn_that_is_played_has_words_of_its_own(table: Scene) -> None:
    for ply in table.game.plies:
        assert any(phrase.grammar.fullmatch(ply.text) for phrase in show(table.game.rules.name).turns), ply.text


@pytest.mark.untraced
@given(table_games())
def test_every_ruling_is_a_sentence_and_has_a_brief_form(table: Scene) -> None:
    game = table.game.rules.name
    for ruling in table.game.rulings:
        said = sentences.sentence(ruling, game)
        assert said[-1:] in {".", "?", ")"}
        assert said[:1] == said[:1].upper()
        assert sentences.brief(ruling, game)


@pytest.mark.parametrize(
    ("ruling", "game", "said"),
    [
        (
            IllegalRuled(NOW, "black", "a1b1", "occupied", ()),
            "tabik",
            "Not allowed, Black a1b1. Rule 4: stones are placed on two empty squares.",
        ),
        (
            IllegalRuled(NOW, "nature", "throw:9", "no_such_throw", ()),
            "twenty-squares",
            "Not allowed, throw:9. Rule 2: the dice of this game do not show that number.",
        ),
        (
            IllegalRuled(NOW, "east-west", None, "tile_removed", (Repair(Action.PUT_TILE, "h9 i9 j9"),)),
            "tayu",
            (
                "Not allowed, East-West. A tile that has been laid stays on the board. "
                "To put right: put the tile back on h9 i9 j9."
            ),
        ),
        (
            QuestionAsked(NOW, "which_turn", ("012@h9/E", "012@j9/W")),
            "tayu",
            "Which way round does the tile lie? (012@h9/E or 012@j9/W)",
        ),
        (
            GameOver(NOW, "white", "last_move", {"black": 0, "white": 0}),
            "tabik",
            "White wins. Rule 7: no size decides: the player who made the last move loses. Black 0, White 0.",
        ),
        (
            GameOver(NOW, "high", "above_limit", {"product": 10**5000}),
            "tau",
            "HIGH wins. Rule 6: the product is above the LIMIT. Product 1.00e5000.",
        ),
        (
            GameOver(NOW, None, "equal_scores", {"north-south": 6, "east-west": 6}),
            "tayu",
            "A draw. Rule 7: both products are equal. North-South 6, East-West 6.",
        ),
        (
            GameOver(NOW, "p1", "borne_off", {"p1": 5, "p2": 3}),
            "twenty-squares",
            "Player 1 wins. Rule 8: all counters are borne off. Home: Player 1: 5, Player 2: 3.",
        ),
        (GamePaused(NOW), "tau", "The game is paused."),
        (Righted(NOW), "tayu", "The board agrees with the game again: play goes on."),
        (Corrected(NOW, statement("corrected.paused"), "Ann", ""), "tabik", "By hand, Ann: game paused."),
    ],
)
def test_a_ruling_is_said_in_words(ruling: IllegalRuled, game: str, said: str) -> None:
    assert sentences.sentence(ruling, game) == said


def test_every_reason_that_ends_a_game_is_in_the_catalogue() -> None:
    known = {"larger_groups", "last_move", "above_limit", "within_limit", "borne_off"}
    known |= {"higher_score", "equal_scores", "target_missed"}
    assert {why for game in TABLE_GAMES for why in show(game).endings} == known


def test_the_rules_own_sentence_is_told_apart_from_its_rule() -> None:
    occupied = statement("told.tabik.occupied", rules=(4, 5), square="a1")
    assert refusal_reason(occupied) == (4, "A stone stands on a1.")
    assert refusal_reason(occupied, words("de")) == (4, "Auf a1 steht ein Stein.")
    assert refusal_reason(statement("told.over")) == (0, "The game is over.")


@pytest.mark.parametrize("game", TABLE_GAMES)
def test_one_fault_cites_one_rule_on_page_record_and_display(game: str) -> None:
    # The page and the display have the rules' own sentence, the record has the code.
    rules = {(code, rule) for each in refusals(game) for code in each.codes for rule in each.rules}
    assert {each.where for each in refusals(game) if len(each.rules) > 1} == set()
    assert {(code, rule) for code, rule in rules if show(game).reasons[code] != rule} == set()


def test_a_code_that_nobody_knows_is_still_a_refusal() -> None:
    assert reason("unheard_of", "tabik").sentence == "The rules do not allow it."


def test_players_go_by_names_that_people_say() -> None:
    names = [name(player) for player in ("p3", "north-south", "high", "low", "black", "nature")]
    assert names == ["Player 3", "North-South", "HIGH", "LOW", "Black", "Chance"]
    assert player_list(["p1", "p3"]) == "Player 1 and Player 3"


def test_a_number_without_bound_is_told_by_its_length() -> None:
    assert shorten_numbers("bid:123456789", 8) == "bid:1.23e8"
    assert shorten_numbers("bid:12345678", 8) == "bid:12345678"


def test_many_squares_are_counted() -> None:
    assert squares(["a1", "a2"], 2) == "a1 a2"
    assert squares(["a1", "a2", "a3", "a4"], 2) == "a1 a2 and 2 more"
