"""What an arbiter may do besides: place, give time, insert, restore, rule on claims, note, put away, and undo it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    Correction,
    CorrectionUndone,
    GlassPlaced,
    NoteTaken,
    Paused,
    PenaltySet,
    PositionRestored,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.judgement import Phase
from gnomon.referee.undo import KEPT, newest
from gnomon.timekeeping.instants import SECOND, Duration
from tests.conftest import examples
from tests.referee.scripted_board import ScriptedBoard, guide, instant, kinds, sand

ANN = "Ann"
MINUTE = Duration(60 * SECOND)


def played(level: int = 3) -> ScriptedBoard:
    """Two turns of red and one of black, the last complete at 11.3 s."""
    board = ScriptedBoard(level=level)
    board.turn(1, "D1", "D2")
    board.turn(5, "A1", "B2")
    board.turn(10, "A4", "B4")
    board.until(12)
    return board


def refused(board: ScriptedBoard, event: Correction, words: str) -> None:
    before = board.game
    with pytest.raises(CorrectionError, match=words):
        board.correct(event)
    assert board.game is before


# Glasses and time


def test_a_glass_is_placed_where_it_stands_and_the_lights_guide_the_board_there() -> None:
    board = played()
    board.correct(GlassPlaced(instant(20), "D2", "E3", turned=False, who=ANN, why="slipped"))
    assert board.short()[-1] == "20 corrected glass of D2 placed on E3, not turned over"
    assert guide(board) == ["take the glass off D2", "put a glass on E3"]
    assert sand(board, "E3", 20) == pytest.approx(180 - 18.2)
    pole = board.lift(22, "D2")
    board.place(23, "E3", pole)
    assert kinds(board.until(25))[-1] == "righted"


def test_a_glass_is_turned_over_where_it_stands_with_its_sand() -> None:
    board = played()
    board.correct(GlassPlaced(instant(20), "D2", "D2", turned=True, who=ANN))
    assert sand(board, "D2", 20) == pytest.approx(18.2)
    assert guide(board) == ["turn the glass over on D2"]


def test_at_level_1_a_glass_has_no_sand_to_turn() -> None:
    board = ScriptedBoard(level=1)
    board.correct(GlassPlaced(instant(2), "D1", "D2", turned=True, who=ANN))
    assert board.game.position.glass_on(BOARD.index["D2"]) == 0


def test_a_glass_that_leaves_the_space_of_a_forgotten_ring_takes_the_right_to_it_along() -> None:
    board = ScriptedBoard(level=1)
    board.correct(TurnEntered(instant(1), "D1-D2=", ANN))
    assert board.game.position.forgotten == BOARD.index["D2"]
    board.correct(GlassPlaced(instant(2), "D2", "D3", turned=False, who=ANN))
    assert board.game.position.forgotten == -1


@pytest.mark.parametrize(
    ("origin", "target", "words"),
    [
        ("D3", "D4", "no glass stands on D3"),
        ("D2", "B2", "a glass stands on B2 already"),
        ("D2", "D2", "stands there already"),
        ("D2", "Z9", "no space 'Z9'"),
    ],
)
def test_a_glass_is_not_placed_where_none_can_be(origin: str, target: str, words: str) -> None:
    refused(played(), GlassPlaced(instant(20), origin, target, turned=False, who=ANN), words)


def test_time_is_given_to_a_glass_to_all_of_a_player_and_to_the_timer() -> None:
    board = played()
    board.correct(TimeGiven(instant(20), "D2", Duration(10 * SECOND), ANN))
    assert sand(board, "D2", 20) == pytest.approx(171.8)
    board.correct(TimeGiven(instant(20), "red", MINUTE, ANN))
    assert (sand(board, "D2", 20), sand(board, "B4", 20)) == (180, 180)
    board.correct(TimeGiven(instant(20), "timer15", Duration(5 * SECOND), ANN))
    assert board.game.position_at(instant(20)).timer15.remaining(instant(20)) == 5 * SECOND  # type: ignore[union-attr]  # level 3 has one


def test_time_is_taken_as_a_penalty_and_a_glass_without_any_has_run_out() -> None:
    board = played()
    board.correct(TimeTaken(instant(20), "D2", MINUTE, ANN, "late"))
    assert sand(board, "D2", 20) == pytest.approx(101.8)
    board.correct(TimeTaken(instant(21), "D2", Duration(200 * SECOND), ANN))
    assert sand(board, "D2", 21) == 0
    assert board.short()[-1] == "21 corrected 200 s taken from D2"


@pytest.mark.parametrize(
    ("level", "whose", "amount", "words"),
    [
        (3, "D2", 0, "how many seconds"),
        (3, "D5", 1, "no glass stands on D5"),
        (3, "Z9", 1, "no glass stands on Z9"),
        (2, "timer15", 1, "level 3"),
        (1, "red", 1, "level 1"),
    ],
)
def test_time_is_not_given_where_none_runs(level: int, whose: str, amount: int, words: str) -> None:
    refused(played(level), TimeGiven(instant(20), whose, Duration(amount), ANN), words)


def test_a_player_none_of_whose_glasses_runs_is_given_no_time() -> None:
    refused(ScriptedBoard(level=2), TimeTaken(instant(2), "black", MINUTE, ANN), "no glass of Black is running")


def test_a_second_ring_is_allowed_and_forbidden_by_hand() -> None:
    board = played()
    allowed = []
    for due in (True, False):
        board.correct(PenaltySet(instant(20), due=due, who=ANN))
        allowed.append(board.game.position.penalty)
    assert allowed == [True, False]
    refused(played(2), PenaltySet(instant(20), due=True, who=ANN), "rule 18")


# Turns


def missed(level: int = 2) -> ScriptedBoard:
    """Black's first turn was missed: the arbiter gave red the turn, who has made another one since."""
    board = ScriptedBoard(level=level)
    board.turn(1, "D1", "D2")
    board.correct(TurnSet(instant(5), "red", ANN))
    board.turn(10, "A4", "B4")
    board.until(12)
    return board


@pytest.mark.parametrize("level", [1, 2])
def test_a_missed_turn_is_inserted_where_it_belongs(level: int) -> None:
    board = missed(level)
    board.correct(TurnInserted(instant(20), 2, "A1-B2", ANN, "the sensor slept"))
    assert [ply.text for ply in board.game.plies] == ["D1-D2", "A1-B2", "A4-B4"]
    assert kinds(board.short())[-2:] == ["corrected turn A1-B2 inserted as number 2", "turn black A1-B2"]
    assert guide(board) == ["take the glass off A1", "put a glass on B2", "put a ring on B2"]
    board.move(22, "A1", "B2")
    board.ring(23, "B2")
    assert kinds(board.until(26))[-1] == "righted"
    assert board.game.position.mover == 1
    assert dict(board.game.rules.score(board.game.position)) == {"red": 30, "black": 31}
    if level > 1:
        assert sand(board, "B2", 30) == pytest.approx(180 - 30 + 2.3)


def test_a_turn_is_inserted_before_the_first_and_after_the_last_one() -> None:
    board = missed()
    board.correct(TurnInserted(instant(20), 1, "A1-B1x", ANN))
    board.correct(TurnInserted(instant(21), 4, "G1-F2", ANN))
    assert [ply.text for ply in board.game.plies] == ["A1-B1x", "D1-D2", "A4-B4", "G1-F2"]


def test_a_turn_is_inserted_before_one_whose_glass_was_seen_in_the_air() -> None:
    board = ScriptedBoard(level=3)
    board.turn(1, "D1", "D2")
    board.correct(TurnSet(instant(5), "red", ANN))
    pole = board.lift(10, "A4")
    board.turn_timer(12)
    board.place(13, "B4", "south" if pole == "north" else "north")
    board.ring(14, "B4")
    board.until(16)
    assert board.game.plies[-1].before.lifted >= 0
    board.correct(TurnInserted(instant(20), 2, "A1-B2", ANN))
    assert [ply.text for ply in board.game.plies] == ["D1-D2", "A1-B2", "A4-B4"]


@pytest.mark.parametrize(
    ("number", "text", "words"),
    [
        (0, "A1-B2", "number 1 to 2"),
        (4, "A1-B2", "number 1 to 2"),
        (2, "A1-A3", "rule 1"),
        (2, "pass", "moves no glass|rule 6"),
        (2, "lift:A1", "rule 17"),
        (2, "A4-A3", "has been moved or set since then .now."),
        (2, "E1-E2", "no glass stands on E1"),
    ],
)
def test_a_turn_that_does_not_fit_is_not_inserted(number: int, text: str, words: str) -> None:
    refused(missed(), TurnInserted(instant(20), number, text, ANN), words)


def test_only_what_moves_a_glass_is_inserted() -> None:
    refused(missed(3), TurnInserted(instant(20), 2, "lift:A1", ANN), "moves no glass")


def test_a_turn_is_not_inserted_where_another_glass_or_ring_has_come_since() -> None:
    words = "restore the position"
    board = missed()
    board.correct(GlassPlaced(instant(13), "G4", "B2", turned=False, who=ANN))
    refused(board, TurnInserted(instant(20), 2, "A1-B2", ANN), f"a glass stands on B2 already .now.: {words}")
    board = missed()
    board.correct(RingsSet(instant(13), "B2", 2, "red", ANN))
    refused(board, TurnInserted(instant(20), 2, "A1-B2", ANN), f"B2 has been filled since then .now.: {words}")
    board = missed()
    board.correct(GlassPlaced(instant(13), "A1", "A1", turned=True, who=ANN))
    refused(board, TurnInserted(instant(20), 2, "A1-B2", ANN), f"moved or set since then .now.: {words}")


def test_a_turn_is_not_inserted_with_a_ring_that_is_gone() -> None:
    board = missed(1)
    for space, name in enumerate(BOARD.names):
        position = board.game.position
        more = min(position.rings_left[1], CAPACITY[space] - position.rings_on(space))
        if more and name not in ("B1", "B2", "A2"):
            board.correct(RingsSet(instant(13), name, position.rings_on(space) + more, "black", ANN))
    assert board.game.position.rings_left[1] == 0
    refused(board, TurnInserted(instant(20), 2, "A1-B2", ANN), "Black has no ring left for it")


def test_a_turn_is_not_inserted_to_where_the_next_one_went() -> None:
    board = ScriptedBoard(level=1)
    board.correct(TurnEntered(instant(1), "D1-D2", ANN))
    board.correct(GlassPlaced(instant(2), "A1", "A3", turned=False, who=ANN))
    board.correct(TurnSet(instant(2), "red", ANN))
    board.correct(TurnEntered(instant(3), "A4-B4", ANN))
    board.correct(GlassPlaced(instant(4), "B4", "C4", turned=False, who=ANN))
    refused(board, TurnInserted(instant(20), 2, "A3-B4", ANN), "A4-B4 went to B4 since")


def test_a_position_is_restored_after_any_turn() -> None:
    board = played()
    board.correct(PositionRestored(instant(20), 1, give_back=True, who=ANN, why="the board fell"))
    assert [ply.text for ply in board.game.plies] == ["D1-D2"]
    assert board.game.judgement.phase is Phase.WRONG
    assert board.game.game_time(instant(20)) < instant(7)
    assert board.short()[-1] == "20 corrected position after turn 1 restored, time given back"


@pytest.mark.parametrize("turns", [3, -1, 99])
def test_only_an_earlier_position_is_restored(turns: int) -> None:
    refused(played(), PositionRestored(instant(20), turns, give_back=False, who=ANN), "3 turns have been made")


def test_a_single_turn_is_told_in_the_singular() -> None:
    board = played()
    board.correct(PositionRestored(instant(20), 1, give_back=True, who=ANN))
    refused(board, PositionRestored(instant(21), 2, give_back=False, who=ANN), "^1 turn has been made")
    refused(board, TurnsVoided(instant(21), 2, give_back=False, who=ANN), "^there is 1 turn to void, not 2")


# Claims and notes


def test_an_upheld_claim_of_a_flag_gives_the_claimant_the_turn() -> None:
    board = played()
    board.correct(Claimed(instant(20), "red", "flag", upheld=True, who=ANN))
    assert board.game.position.mover == 0
    assert board.short()[-1] == "20 corrected claim of Red upheld: flag"


@pytest.mark.parametrize(
    ("player", "claim", "upheld"), [("red", "flag", False), ("red", "a ring fell", True), ("black", "flag", True)]
)
def test_any_other_claim_is_written_down_and_changes_nothing(player: str, claim: str, upheld: bool) -> None:
    board = played()
    before = board.game
    board.correct(Claimed(instant(20), player, claim, upheld=upheld, who=ANN))
    assert board.game.position.mover == 1
    assert board.game.judgement == before.judgement
    assert board.last("corrected") == board.rulings[-1]


def test_a_claim_is_of_somebody_who_plays() -> None:
    refused(played(), Claimed(instant(20), "white", "flag", upheld=True, who=ANN), "the players are red, black")


def test_a_note_is_taken_with_the_time_that_it_took() -> None:
    board = played()
    board.correct(NoteTaken(instant(20), "showed the rules", Duration(75 * SECOND), ANN))
    assert board.short()[-1] == "20 corrected note: showed the rules, 1:15 min"
    board.correct(NoteTaken(instant(21), "fine", Duration(0), ANN))
    assert board.short()[-1] == "21 corrected note: fine"
    refused(board, NoteTaken(instant(22), "  ", Duration(0), ANN), "the note is empty")


# Put away and taken up again


def test_a_game_that_is_put_away_stands_still_until_it_is_resumed() -> None:
    board = played()
    board.correct(Adjourned(instant(20), ANN, "evening"))
    away = board.game
    assert (away.adjourned, away.paused_at) == (True, instant(20))
    refused(board, Adjourned(instant(30), ANN), "already been adjourned")
    board.correct(Resumed(instant(5000), ANN))
    assert not board.game.adjourned
    assert board.game.game_time(instant(5000)) == instant(20)
    assert kinds(board.until(5001))[-4:] == ["corrected game adjourned", "paused", "corrected game resumed", "resumed"]


def test_a_game_that_is_paused_is_put_away_as_it_stands_and_one_that_is_over_is_not() -> None:
    board = played()
    board.correct(Paused(instant(20), ANN))
    board.correct(Adjourned(instant(30), ANN))
    assert board.game.paused_at == instant(20)
    board.correct(ResultDeclared(instant(40), None, "agreed", ANN))
    refused(board, Adjourned(instant(50), ANN), "the game is over")


# Undo

EVENTS: list[Correction] = [
    SandSet(instant(20), "D2", MINUTE, ANN),
    TimeTaken(instant(20), "red", MINUTE, ANN),
    RingsSet(instant(20), "D4", 2, "red", ANN),
    GlassPlaced(instant(20), "D2", "E3", turned=True, who=ANN),
    TurnSet(instant(20), "red", ANN),
    PenaltySet(instant(20), due=True, who=ANN),
    TurnEntered(instant(20), "G1-F2", ANN),
    TurnsVoided(instant(20), 2, give_back=True, who=ANN),
    PositionRestored(instant(20), 0, give_back=False, who=ANN),
    ResultDeclared(instant(20), "red", "resigned", ANN),
    Claimed(instant(20), "red", "flag", upheld=True, who=ANN),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("pauses", [False, True])
def test_every_correction_is_undone_as_if_it_had_never_been_made(event: Correction, pauses: bool) -> None:
    board, other = played(), played()
    for each in (board, other):
        if pauses:
            each.correct(Paused(instant(15), ANN))
    board.correct(event)
    made = newest(board.game)
    assert made is not None
    board.correct(CorrectionUndone(instant(30), ANN, "mistaken"))
    other.until(30)
    assert board.short()[-1] == "30 corrected last correction undone"
    assert newest(board.game) is None
    for name in ("plies", "poles", "declared", "standstill", "paused_at"):
        assert getattr(board.game, name) == getattr(other.game, name), name
    assert board.game.position_at(instant(40)) == other.game.position_at(instant(40))
    assert board.game.judgement.phase is Phase.AGREED
    assert board.game.deadline() == other.game.deadline()


def test_time_that_decided_nothing_meanwhile_decides_when_a_correction_is_undone() -> None:
    board = played()
    board.correct(TimeGiven(instant(100), "D2", MINUTE, ANN))
    board.until(200)
    board.correct(CorrectionUndone(instant(230), ANN))
    stopped = [ruling for ruling in board.rulings if ruling.kind == "stopped"]
    assert instant(181.8) in [ruling.at for ruling in stopped]


def test_a_correction_on_which_something_was_played_is_not_undone_before_that_is_voided() -> None:
    board = played()
    board.correct(SandSet(instant(20), "D2", MINUTE, ANN))
    board.turn(22, "G1", "F2")
    board.until(25)
    refused(board, CorrectionUndone(instant(30), ANN), "play has gone on")
    refused(played(), CorrectionUndone(instant(30), ANN), "no correction to undo")


def test_corrections_are_undone_one_after_the_other_and_only_so_many_are_kept() -> None:
    board = played()
    for number in range(KEPT + 3):
        board.correct(SandSet(instant(20), "D2", Duration((100 + number) * SECOND), ANN))
    for _ in range(KEPT):
        board.correct(CorrectionUndone(instant(20), ANN))
    assert sand(board, "D2", 20) == 102
    refused(board, CorrectionUndone(instant(20), ANN), "no correction to undo")


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from([event for event in EVENTS if not isinstance(event, ResultDeclared)]), max_size=6))
def test_undoing_all_that_could_be_made_leads_back_to_the_same_game(events: list[Correction]) -> None:
    board = played()
    start = board.game
    made = 0
    for event in events:
        before = len(board.game.undoable)
        try:
            board.correct(event)
        except CorrectionError:
            continue
        made += len(board.game.undoable) - before
    for _ in range(made):
        board.correct(CorrectionUndone(instant(30), ANN))
    assert board.game.plies == start.plies
    assert board.game.timeless == start.timeless
