"""What each board says of itself, whatever is played on it."""

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tayu.rules import Tayu
from gnomon.games.tayu.sensing import TayuBoard, largest_inputs, square_inputs
from gnomon.referee.evidence import BY_POLES
from gnomon.referee.games import begin
from gnomon.referee.table import Table
from gnomon.timekeeping.instants import Instant


def test_each_board_has_the_name_under_which_it_is_described() -> None:
    assert [board.name for board in (new_game(Tamsk()).board, TayuBoard(), Table())] == ["tamsk", "tayu", "table"]


def test_a_board_says_why_a_game_cannot_be_played_on_what_is_here() -> None:
    tamsk, table = new_game(Tamsk()).board, Table()
    assert tamsk.why_unplayable(["D4.south"]).message.startswith("its sensors saw both poles of a glass")
    assert tamsk.why_unplayable(["D4.glass"]).message.startswith("its sensors saw one pole of a glass")
    assert "lacks p9 and 2 more" in table.why_unplayable(["p9.tile", "p8.tile", "p7.tile"]).message


def test_a_table_shows_and_expects_nothing_by_itself() -> None:
    game = begin("tabik", {})
    assert game.board.foresee(game) is game
    assert game.board.time_passes(game, Instant(7)) == (game, ())
    assert not game.board.is_expected(game, "button.enter")
    assert not game.board.is_awaited(game, "button.enter")
    assert not game.board.is_moving(game)


def test_a_game_is_tamsk_only_on_its_board() -> None:
    tamsk = new_game(Tamsk())
    assert TamskGame.of(tamsk) is tamsk
    assert TamskGame.of(begin("tabik", {})) is None
    assert TamskGame.of(None) is None


def test_the_largest_tayu_board_has_the_squares_of_every_other_and_its_buttons() -> None:
    inputs = largest_inputs(BY_POLES)
    assert square_inputs(Tayu.from_settings({"size": 7})) < inputs
    assert {"button.enter", "button.left"} < inputs
