"""Tayu on its board: the tile is known since the draw, its place is sensed, legality or a button settles the rest."""

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tayu.rules import Tayu
from gnomon.referee.events import (
    InputChanged,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    TurnEntered,
    TurnsVoided,
)
from gnomon.referee.evidence import BY_POLES, EDITIONS, SQUARES_AT_ONCE
from gnomon.referee.games import begin, foresee
from gnomon.referee.judgement import Phase
from gnomon.referee.rulings import IllegalRuled, QuestionAsked, Ruling
from gnomon.rules.protocol import SettingsError
from gnomon.timekeeping.instants import Instant
from tests.referee.clocked_table import ClockedTable
from tests.referee.scripted_board import instant, kinds, short

ANN = "Ann"


class TayuBoard(ClockedTable):
    """Hands on a Tayu board of 17 squares a side; tiles are named by their squares."""

    def __init__(self) -> None:
        super().__init__("tayu", "tayu")

    def squares(self, at: float, *names: str, on: bool = True) -> None:
        for number, name in enumerate(names):
            self.tell(InputChanged(Instant(instant(at) + 2000 * number), f"{name}.tile", value=on))

    def draw(self, at: float, kind: str) -> None:
        self.tell(TurnEntered(instant(at), f"draw:{kind}", "reader"))

    def in_short(self, ruling: Ruling) -> str:
        return short(ruling)

    def put_right(self) -> tuple[str, ...]:
        ruling = next(ruling for ruling in reversed(self.rulings) if isinstance(ruling, IllegalRuled))
        return tuple(step.text for step in ruling.put_right)


def with_first_tile() -> TayuBoard:
    """`012@h9/E`: all three outflows to the north, on h9 i9 j9."""
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(4)
    board.press(5, "enter")
    board.until(6)
    return board


def test_tiles_that_are_laid_after_the_end_are_nobodys_turn() -> None:
    board = with_first_tile()
    board.tell(ResultDeclared(instant(10), None, "agreed", ANN))
    over = board.until(11)
    board.squares(12, "a1", "a2", "a3")
    assert board.until(20) == over


def test_where_both_ways_round_are_legal_a_button_settles_it() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    assert kinds(board.until(4)) == ["turn nature draw:012", "ask which_turn"]
    asked = board.rulings[-1]
    assert isinstance(asked, QuestionAsked)
    assert set(asked.choices) == {"012@h9/E", "012@j9/W"}
    board.press(5, "enter")
    assert kinds(board.until(6))[2:] == ["turn north-south 012@h9/E"]
    assert board.game.judgement.phase is Phase.AGREED


def test_a_question_left_with_back_is_picked_up_where_it_was() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(4)
    board.press(5, "back", "next")
    board.until(7)
    assert board.game.chooser is not None
    assert set(board.game.chooser.texts) == {"012@h9/E", "012@j9/W"}


def test_the_question_can_be_answered_by_hand() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(4)
    board.tell(QuestionAnswered(instant(5), "012@j9/W", ANN))
    assert kinds(board.until(6))[2:] == ["corrected answered 012@j9/W", "turn north-south 012@j9/W"]
    assert board.game.judgement.phase is Phase.AGREED


def test_where_only_one_way_round_is_legal_the_tile_is_accepted_as_it_lies() -> None:
    board = with_first_tile()
    board.draw(7, "013")
    (only,) = [
        squares
        for squares in (("i10", "i11", "i12"),)
        if len(_rules(board).placements_on(board.game.position, squares)) == 1
    ]
    board.squares(9, *only)
    lines = kinds(board.until(12))
    assert lines[-1].startswith("turn east-west 013@")
    assert board.game.plies[-1].at == Instant(instant(9) + 4000)


def _rules(board: TayuBoard) -> Tayu:
    assert isinstance(board.game.rules, Tayu)
    return board.game.rules


def test_a_tile_that_is_pushed_about_is_accepted_where_it_comes_to_rest() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "g9", "h9", "i9")
    board.squares(3.3, "g9", on=False)
    board.squares(3.35, "j9")
    board.until(4.5)
    board.press(5, "enter")
    assert kinds(board.until(6))[-1] == "turn north-south 012@h9/E"


def test_a_tile_half_on_the_board_is_being_laid() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9")
    assert kinds(board.until(30)) == ["turn nature draw:012"]
    assert board.game.judgement.phase is Phase.IN_HAND


def test_a_tile_laid_illegally_is_refused_with_its_rule_and_guided_off() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "a1", "b1", "c1")
    lines = kinds(board.until(8))
    assert lines[1].startswith("illegal north-south 012@a1/E")
    assert str(board.game.judgement.reason).startswith("rule 3")
    assert board.put_right() == ("take the tile off a1 b1 c1",)
    board.squares(9, "a1", on=False)
    assert kinds(board.until(10))[2:] == []
    board.squares(11, "b1", "c1", on=False)
    assert kinds(board.until(12))[2:] == ["righted"]


def test_a_wrong_tile_pushed_to_where_it_may_lie_is_righted_and_asked_about() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "a1", "b1", "c1")
    board.until(8)
    board.squares(9, "a1", "b1", "c1", on=False)
    board.squares(9.1, "h9", "i9", "j9")
    assert kinds(board.until(12))[2:] == ["righted", "ask which_turn"]


def test_a_tile_before_the_draw_must_come_off() -> None:
    board = TayuBoard()
    board.squares(3, "h9", "i9", "j9")
    assert kinds(board.until(8)) == ["illegal north-south no_tile_drawn"]


def test_a_second_tile_must_come_off() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9", "a1", "b1", "c1")
    assert kinds(board.until(8))[1:] == ["illegal north-south two_tiles"]


def test_three_squares_that_are_no_tile_are_refused() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "a1")
    assert kinds(board.until(8))[1:] == ["illegal north-south no_footprint"]


def test_a_tile_lifted_goes_back_and_a_tile_moved_too() -> None:
    board = with_first_tile()
    board.squares(8, "h9", "i9", "j9", on=False)
    assert kinds(board.until(12))[3:] == ["illegal north-south tile_removed"]
    assert board.put_right() == ("put the tile back on h9 i9 j9",)
    board.squares(13, "h9", "i9", "j9")
    assert kinds(board.until(14))[4:] == ["righted"]
    board.squares(15, "h9", "i9", "j9", on=False)
    board.squares(15.5, "h8", "i8", "j8")
    assert kinds(board.until(20))[5:] == ["illegal north-south tile_moved"]
    assert board.put_right() == ("take the tile off h8 i8 j8", "put the tile back on h9 i9 j9")


def test_a_tile_lifted_in_the_other_players_turn_is_his() -> None:
    board = with_first_tile()
    board.draw(7, "013")
    board.squares(8, "h9", "i9", "j9", on=False)
    assert kinds(board.until(12))[-1] == "illegal east-west tile_removed"


def test_a_square_that_is_not_believed_does_not_hide_a_tile() -> None:
    board = TayuBoard()
    for edge in range(100):
        board.tell(InputChanged(instant(1 + edge * 0.004), "i9.tile", value=edge % 2 == 0))
    board.draw(3, "012")
    board.squares(4, "h9", "j9")
    assert kinds(board.until(6)) == ["fault i9.tile chatter", "turn nature draw:012", "ask which_turn"]


def test_the_question_is_asked_once_and_goes_with_the_tile() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(5)
    board.press(6, "next")
    board.until(8)
    board.squares(9, "h9", "i9", "j9", on=False)
    assert kinds(board.until(15))[1:] == ["ask which_turn"]
    assert (board.game.question, board.game.judgement.phase) == (None, Phase.AGREED)
    before = board.game.plies
    board.tell(QuestionAnswered(instant(16), "012@h9/E", ANN))  # too late: the board has answered it
    assert (board.game.plies, board.game.judgement.phase) == (before, Phase.AGREED)


def test_a_tile_entered_by_hand_is_guided_onto_the_board() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.tell(TurnEntered(instant(2), "012@h9/E", ANN))
    assert [step.text for step in board.game.judgement.repairs] == ["put the tile back on h9 i9 j9"]
    board.squares(5, "h9", "i9", "j9")
    assert kinds(board.until(9)) == ["turn nature draw:012", "turn north-south 012@h9/E", "righted"]


def test_a_voided_tile_is_guided_off_the_board() -> None:
    board = with_first_tile()
    board.tell(TurnsVoided(instant(9), 1, give_back=False, who=ANN))
    assert [step.text for step in board.game.judgement.repairs] == ["take the tile off h9 i9 j9"]


def test_in_a_pause_nothing_is_judged_and_afterwards_everything() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.tell(Paused(instant(2), ANN))
    board.squares(3, "h9", "i9", "j9")
    assert kinds(board.until(9))[3:] == []
    board.tell(Resumed(instant(10), ANN))
    assert board.game.judgement.phase is Phase.MAY_GO_ON
    assert kinds(board.until(15))[-1] == "ask which_turn"


def test_each_game_has_its_inputs_and_its_board() -> None:
    assert len(begin("tamsk", {}).inputs) == 143
    assert len(begin("tayu", {}, board="tayu").inputs) == 17 * 17 + 5
    assert len(begin("tayu", {}).inputs) == 5


@pytest.mark.parametrize(
    ("game", "board", "sentence"),
    [
        ("tabik", "tayu", "tabik is not played on the tayu board"),
        ("tabik", "tamsk", "tabik is not played on the tamsk board"),
        ("tamsk", "table", "tamsk is played on its own board"),
    ],
)
def test_a_game_is_refused_on_a_board_that_is_not_its_own(game: str, board: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        begin(game, {}, board=board)


def test_a_correction_is_followed_on_the_squares_while_the_game_is_paused() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.press(4, "enter")
    assert kinds(board.until(5))[-1] == "turn north-south 012@h9/E"
    board.tell(Paused(instant(6), ANN))
    board.tell(TurnsVoided(instant(7), 1, give_back=False, who=ANN))
    assert [step.text for step in board.game.judgement.repairs] == ["take the tile off h9 i9 j9"]
    board.squares(8, "h9", on=False)
    board.until(9)
    assert [step.text for step in board.game.judgement.repairs] == ["take the tile off i9 j9"]
    board.squares(10, "i9", "j9", on=False)
    board.until(11)
    assert board.game.judgement.repairs == ()
    board.tell(Resumed(instant(12), ANN))
    assert kinds(board.until(13))[-2:] == ["resumed", "righted"]


# What is no tile


def pulsed(board: TayuBoard, at: float, name: str, width: float, *, value: bool = True) -> None:
    board.squares(at, name, on=value)
    board.squares(at + width, name, on=not value)


def test_a_tile_is_stamped_by_its_own_squares_whatever_passes_over_another() -> None:
    board = with_first_tile()
    board.draw(7, "013")
    board.squares(9, "i10", "i11", "i12")
    pulsed(board, 9.2, "a1", 0.3)
    board.until(12)
    assert board.game.plies[-1].at == Instant(instant(9) + 4000)


def test_a_question_that_is_asked_once_more_stands_where_it_stood() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(5)
    board.press(5, "next")
    pulsed(board, 5.2, "a1", 0.8)
    board.until(7)
    board.press(7, "enter")
    lines = kinds(board.until(8))
    assert lines[1:] == ["ask which_turn", "ask which_turn", "turn north-south 012@j9/W"]


@pytest.mark.parametrize("level", [True, False], ids=["a square without a tile", "a square under a tile"])
def test_a_square_that_says_what_no_tile_makes_it_say_is_not_believed(level: bool) -> None:
    board = with_first_tile()
    name = "a1" if level else "j9"
    board.squares(8, name, on=level)
    assert kinds(board.until(10.9))[3:] == []
    assert kinds(board.until(12))[3:] == [f"fault {name}.tile stuck"]
    assert board.game.judgement.phase is Phase.AGREED
    board.draw(13, "013")
    board.squares(14, "i10", "i11", "i12")
    assert kinds(board.until(16))[-1].startswith("turn east-west 013@")
    board.squares(20, name, on=not level)
    board.until(22)
    assert len(board.game.quarantined) == 1
    board.until(24)
    assert len(board.game.quarantined) == 0


def test_beside_a_tile_that_may_lie_there_a_square_alone_is_not_believed() -> None:
    board = with_first_tile()
    board.squares(6.5, "a1")
    board.draw(7, "013")
    board.squares(9, "i10", "i11", "i12")
    lines = kinds(board.until(13))
    assert lines[4:6] == ["fault a1.tile stuck", "righted"]
    assert lines[6].startswith("turn east-west 013@")
    assert board.game.plies[-1].at == Instant(instant(9) + 4000)


def test_four_squares_in_a_row_are_no_tile_and_nobody_knows_which_lies() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "g9", "h9", "i9", "j9")
    assert kinds(board.until(8))[1:] == ["illegal north-south two_tiles"]
    board.squares(9, "g9", "h9", "i9", on=False)
    board.until(9.1)
    assert [step.text for step in foresee(board.game).judgement.repairs] == ["take the tile off j9"]
    assert kinds(board.until(13))[2:] == ["fault j9.tile stuck", "righted"]


def test_a_tile_pushed_by_one_square_is_moved_not_faulty() -> None:
    board = with_first_tile()
    board.squares(8, "h9", on=False)
    board.squares(8.1, "k9")
    assert kinds(board.until(14))[3:] == ["illegal north-south tile_moved"]


def test_a_square_that_lies_under_a_tile_does_not_keep_the_next_from_being_laid() -> None:
    board = with_first_tile()
    board.draw(7, "013")
    board.squares(8, "h9", on=False)
    board.squares(9, "i10", "i11", "i12")
    lines = kinds(board.until(13))
    assert lines[4] == "fault h9.tile stuck"
    assert lines[5].startswith("turn east-west 013@")


def test_a_square_is_not_believed_again_while_a_tile_is_laid() -> None:
    board = TayuBoard()
    for edge in range(100):
        board.tell(InputChanged(instant(1 + edge * 0.004), "i9.tile", value=edge % 2 == 0))
    board.draw(3, "012")
    board.squares(4, "h9", "j9")
    board.until(4.5)
    assert board.game.quarantined == ("i9.tile",)


def test_what_is_shown_does_not_wait_until_it_is_ruled() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.until(3.1)
    assert board.game.judgement.phase is Phase.AGREED
    assert foresee(board.game).judgement.phase is Phase.MAY_GO_ON
    assert foresee(board.game).rulings == board.game.rulings


def test_a_press_is_foreseen_by_nobody() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9")
    board.press(3.1, "next")
    board.until(3.3)
    coming = foresee(board.game)
    assert not isinstance(coming, TamskGame)
    assert (board.game.chooser, coming.chooser) == (None, None)
    board.until(4)
    assert board.game.chooser is not None
    assert foresee(board.game) is board.game


def test_a_tile_entered_while_it_comes_to_lie_is_not_asked_for() -> None:
    board = TayuBoard()
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    board.tell(TurnEntered(instant(3.3), "012@h9/E", ANN))
    assert board.game.judgement.repairs == ()
    assert kinds(board.until(9)) == ["turn nature draw:012", "turn north-south 012@h9/E"]


@pytest.mark.parametrize("edition", range(EDITIONS.index(SQUARES_AT_ONCE) + 1))
def test_games_that_were_ruled_before_are_ruled_as_they_were(edition: int) -> None:
    sensing = BY_POLES._replace(evidence=EDITIONS[edition])
    game = begin("tayu", {}, board="tayu", sensing=sensing)
    assert game.sensing.evidence == EDITIONS[edition]
    assert not isinstance(game, TamskGame)
    board = TayuBoard()
    board.game = game
    board.draw(1, "012")
    board.squares(3, "h9", "i9", "j9")
    pulsed(board, 3.2, "a1", 0.1)
    board.press(5, "next")
    pulsed(board, 5.2, "a1", 0.1)
    board.press(7, "enter")
    lines = kinds(board.until(8))
    assert lines[1:] == ["ask which_turn", "ask which_turn", "turn north-south 012@h9/E"]
    assert board.game.plies[-1].at == instant(7)
    board.squares(10, "c1")
    assert kinds(board.until(20))[4:] == ["illegal north-south no_tile_drawn"]
    for edge in range(100):
        board.tell(InputChanged(instant(21 + edge * 0.004), "d1.tile", value=edge % 2 == 0))
    board.until(60)
    assert board.game.quarantined == ("d1.tile",)
    board.tell(TurnsVoided(instant(61), 1, give_back=False, who=ANN))
    assert board.game.judgement.phase is Phase.WRONG
