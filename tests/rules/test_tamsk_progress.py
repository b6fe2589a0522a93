"""What an unfinished turn of TAMSK comes to as it stands on the board (rules 2, 18 and 22)."""

from gnomon.games.tamsk.rules import BOARD, PASS, Move, Tamsk
from gnomon.rules.protocol import TurnProgress

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
