"""What an arbiter may do at a table besides: restore, put away, rule on claims, note, insert, and undo it."""

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
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
    Resumed,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
)
from gnomon.referee.games import begin
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Duration
from tests.referee.scripted_board import instant

ANN = "Ann"
MINUTE = Duration(60 * SECOND)


class Table:
    """A game at a table, told corrections second by second."""

    def __init__(self, name: str = "tabik", **settings: object) -> None:
        game = begin(name, settings)
        assert not isinstance(game, TamskGame)
        self.game = game

    def tell(self, *events: Correction) -> None:
        for event in events:
            self.game, _ = step(self.game, event)

    def enter(self, *texts: str) -> None:
        for text in texts:
            self.tell(TurnEntered(instant(1 + len(self.game.plies)), text, ANN))

    def refuse(self, event: Correction, words: str) -> None:
        with pytest.raises(CorrectionError, match=words):
            step(self.game, event)


def opened() -> Table:
    """Tabik after two moves."""
    table = Table(size=6)
    for _ in range(2):
        table.enter(next(iter(table.game.texts())))
    return table


def test_a_position_at_a_table_is_restored_and_that_is_undone() -> None:
    table = opened()
    before = table.game
    table.tell(PositionRestored(instant(9), 1, give_back=True, who=ANN))
    assert len(table.game.plies) == 1
    table.tell(CorrectionUndone(instant(10), ANN))
    assert (table.game.plies, table.game.position, table.game.standstill) == (before.plies, before.position, 0)
    table.refuse(CorrectionUndone(instant(11), ANN), "no correction to undo")


def test_a_game_at_a_table_is_put_away_and_taken_up_again() -> None:
    table = opened()
    table.tell(Adjourned(instant(9), ANN))
    assert (table.game.adjourned, table.game.paused_at) == (True, instant(9))
    table.tell(Resumed(instant(20), ANN), Paused(instant(21), ANN), Adjourned(instant(30), ANN))
    assert table.game.paused_at == instant(21)


def test_claims_and_notes_at_a_table_change_nothing() -> None:
    table = opened()
    before = table.game
    player = table.game.rules.players[0]
    table.tell(Claimed(instant(9), player, "flag", upheld=True, who=ANN))
    table.tell(NoteTaken(instant(10), "coffee", MINUTE, ANN))
    assert (table.game.position, table.game.plies) == (before.position, before.plies)
    assert [str(getattr(ruling, "what", "")) for ruling in table.game.rulings[-2:]] == [
        "claim of Black upheld: flag",
        "note: coffee, 1:00 min",
    ]
    table.refuse(Claimed(instant(9), "red!", "flag", upheld=True, who=ANN), "does not play")
    table.refuse(NoteTaken(instant(9), "", MINUTE, ANN), "empty")


@pytest.mark.parametrize(
    "event",
    [
        GlassPlaced(instant(9), "a1", "a2", turned=False, who=ANN),
        TimeGiven(instant(9), "p1", MINUTE, ANN),
        TimeTaken(instant(9), "p1", MINUTE, ANN),
        PenaltySet(instant(9), due=True, who=ANN),
    ],
)
def test_what_a_table_has_not_cannot_be_set(event: Correction) -> None:
    opened().refuse(event, "tabik has nothing that this correction could set")


def test_at_a_table_a_move_is_inserted_as_the_next_one_alone() -> None:
    table = opened()
    text = next(iter(table.game.texts()))
    table.refuse(TurnInserted(instant(9), 1, text, ANN), "the next move is number 3: restore the position before 1")
    table.tell(TurnInserted(instant(9), 3, text, ANN))
    assert len(table.game.plies) == 3
    table.tell(CorrectionUndone(instant(9), ANN))
    assert len(table.game.plies) == 2
