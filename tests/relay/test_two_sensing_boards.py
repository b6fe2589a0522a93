"""Two boards with sensors play one game of TAMSK (level 1) or Tayu: hands follow each turn, and the sensors see it."""

from random import Random

from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.judgement import Phase
from gnomon.referee.opponents import steps_due
from gnomon.timekeeping.instants import MILLISECOND, SECOND
from gnomon_pi.config.description import TAMSK, TAYU
from gnomon_pi.runtime.system.randomness import SeededChance
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated.players.table_hands import play_at_a_table
from tests.relay.two_boards import CODE, Board, Evening
from tests.virtual_daemon import do_all

TURNS = 40  # of a game of a hundred and more
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


def test_two_boards_with_sensors_play_a_whole_game() -> None:
    seed = 5
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


def test_two_tayu_boards_with_sensors_play() -> None:
    evening = Evening(100, 0.05, seed=1, board=TAYU)
    evening.host.begin(TAYU, {"opponent": "another-board", "opponent_code": CODE, "clock": "20"})
    evening.guest.join()
    evening.pass_to(5 * SECOND)
    for number in range(TURNS):
        for board in evening.boards.values():
            game = board.game
            if evening.is_over or game.judgement.phase is not Phase.AGREED or game.outcome is not None:
                continue
            if game.announced is not None:
                (step,) = steps_due(game)
                for square in step.space.split():
                    board.daemon.touch(f"{square}.tile", value=True)
            elif not game.is_elsewhere and game.is_natures:
                board.daemon.throw(SeededChance(1))  # a tile that fits nowhere ends the game
            elif not game.is_elsewhere:
                deeds = play_at_a_table(game, Random(number), board.daemon.runner.now(), moves=1).deeds
                do_all(board.daemon, [deed for deed in deeds if isinstance(deed, InputChanged | TurnEntered)])
                evening.now = max(evening.now, board.watch.now() - board.head_start)
        evening.pass_to(evening.now + SECOND)
    shorter = min(len(evening.turns(board)) for board in evening.boards.values())
    assert evening.turns(evening.host)[:shorter] == evening.turns(evening.guest)[:shorter]
    assert shorter > TURNS // 3
    assert evening.host.daemon.health.all() == evening.guest.daemon.health.all() == ()
