"""What an unfinished turn of TAMSK comes to as it stands on the board (rules 2, 18 and 22)."""

from gnomon.games.tamsk.rules import BOARD, PASS, Move, Tamsk
from gnomon.rules.protocol import Outcome, TurnProgress

D1, D2, D3 = (BOARD.index[name] for name in ("D1", "D2", "D3"))


def test_a_turn_is_open_until_its_ring_has_fallen() -> None:
    rules = Tamsk()
    assert rules.progress(rules.start(), Move(D1, D2)) is TurnProgress.MAY_GO_ON
    assert rules.progress(rules.start(), Move(D1, D2, ring=True)) is TurnProgress.COMPLETE


def test_no_ring_mends_a_turn_against_the_rules() -> None:
    rules = Tamsk()
    assert rules.progress(rules.start(), Move(D1, D3)) is TurnProgress.IMPOSSIBLE
    assert rules.progress(rules.start(), Move(D1, D3, ring=True)) is TurnProgress.IMPOSSIBLE
    assert rules.progress(rules.start(), PASS) is TurnProgress.IMPOSSIBLE


def test_where_the_ring_always_falls_the_turn_waits_for_it() -> None:
    rules = Tamsk.from_settings({"ring": "auto"})
    assert rules.progress(rules.start(), Move(D1, D2)) is TurnProgress.MAY_GO_ON


def test_a_second_ring_that_is_due_keeps_the_turn_open() -> None:
    rules = Tamsk.from_settings({"level": 3})
    late = rules.start()._replace(penalty=True)
    assert rules.progress(late, Move(D1, D2, ring=True)) is TurnProgress.MAY_GO_ON
    assert rules.progress(late, Move(D1, D2, ring=True, free=D3)) is TurnProgress.COMPLETE
    assert rules.progress(late._replace(rings_left=(1, 32)), Move(D1, D2, ring=True)) is TurnProgress.COMPLETE


def test_a_turn_is_forced_while_nothing_else_is_legal_and_the_game_goes_on() -> None:
    rules = Tamsk()
    stuck = rules.start()._replace(enterable=0)
    assert rules.forced_turn(rules.start()) is None
    assert rules.forced_turn(stuck) == PASS
    assert rules.forced_turn(stuck._replace(ending=Outcome(None, "stall"))) is None
    lifted = rules.lift(rules.start(), D1)
    assert rules.forced_turn(lifted) is None  # it may be set down elsewhere
    assert rules.forced_turn(lifted._replace(enterable=0)) == PASS
