"""A tournament in which each round plays another game begins that game at the boards."""

import pytest

from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.dispatch import plan_of_round
from gnomon.tournament.events import EntrantRegistered, RoundPublished
from gnomon.tournament.state.rounds import at_boards
from tests.hall.evenings import Evening
from tests.tournament._evening import after, gathered, settings

PLAN = BoardAssignment("tamsk", {"level": "3", "clock": "25+10"}, boards={1: "t01"})


def test_the_game_of_the_round_has_its_usual_settings_and_the_same_clock() -> None:
    two = after(gathered(2, settings(rounds=3, round_games=("Tabik", "tamsk"))), RoundPublished(1, at_boards([(1, 2)])))
    chosen = plan_of_round(PLAN, two)
    assert (chosen.game, dict(chosen.settings), chosen.boards) == ("tabik", {"clock": "25+10"}, {1: "t01"})
    same = after(gathered(2, settings()), RoundPublished(1, at_boards([(1, 2)])))
    assert plan_of_round(PLAN, same) is PLAN


def test_a_game_without_boards_is_not_begun(evening: Evening) -> None:
    evening.board("t01")
    book = evening.hall.open_tournament("open", settings(rounds=2, round_games=("chess",)), "Anna", PLAN)
    book.extend([*_two(), RoundPublished(1, at_boards([(1, 2)]))], "Anna", after=1)
    with pytest.raises(PlanError):
        evening.hall.send_round("open", "Anna")


def _two() -> list[EntrantRegistered]:
    return [EntrantRegistered(1, "Ada"), EntrantRegistered(2, "Ben")]
