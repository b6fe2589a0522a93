"""Two TAMSK boards with sensors play one game at level 1: hands follow each turn, and the sensors see it."""

from random import Random

import pytest

from gnomon.referee.judgement import Phase
from gnomon.referee.opponents import steps_due
from gnomon.timekeeping.instants import MILLISECOND, SECOND
from gnomon_pi.config.description import TAMSK
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from tests.relay.two_boards import CODE, Board, Evening

LIFTED = 700 * MILLISECOND
SETTINGS = {"level": 1, "opponent": "another-board", "opponent_code": CODE}


class Hands:
    """The glasses and rings of one board, and the hands that move them."""

    def __init__(self, evening: Evening, board: Board) -> None:
        self.evening, self.board = evening, board
        self.table = TamskTable.set_out(1, board.daemon.host.sensing)

    def do(self, act: TableAct, wait: int = LIFTED) -> None:
        before, self.table = self.table.inputs(), self.table.after(act)
        for name, value in self.table.inputs().items():
            if before[name] != value:
                self.board.daemon.touch(name, value=bool(value))
        self.evening.pass_to(self.evening.now + wait)

    def make(self, text: str, player: str) -> None:
        origin, target = text[:2], text[3:5]
        self.do(TableAct(Verb.LIFT, origin))
        self.do(TableAct(Verb.PLACE, target, turned=True))
        self.do(TableAct(Verb.DROP_RING, target, player), 2 * SECOND)


@pytest.mark.parametrize("seed", [5, 6])
def test_two_boards_with_sensors_play_a_whole_game(seed: int) -> None:
    evening, random = Evening(100, 0.05, seed=seed, board=TAMSK), Random(seed)
    evening.host.begin(TAMSK, SETTINGS)
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    hands = {name: Hands(evening, board) for name, board in evening.boards.items()}
    followed = 0
    for _ in range(120):
        for name, board in evening.boards.items():
            game = board.game
            if evening.is_over or game.judgement.phase is not Phase.AGREED or game.outcome is not None:
                continue
            if game.announced is not None:
                assert steps_due(game)  # lights and pages show them
                hands[name].make(game.announced.text, game.announced.player)
                followed += 1
            elif not game.is_elsewhere:
                texts = [text for text in game.texts() if "=" not in text]
                hands[name].make(random.choice(texts), game.turn)
        evening.pass_to(evening.now + SECOND)
    assert evening.is_over
    assert evening.turns(evening.host) == evening.turns(evening.guest)
    assert evening.host.game.outcome == evening.guest.game.outcome
    assert followed > 30
    assert evening.host.daemon.health.all() == evening.guest.daemon.health.all() == ()
