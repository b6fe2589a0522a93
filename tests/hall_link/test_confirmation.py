"""Players confirm the result at the board, each with their own button, on a simulated board in virtual time."""

import pytest

from gnomon.records.journal.store import JournalError
from gnomon.referee.events import ResultDeclared, TurnsVoided
from gnomon.referee.games import begin
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import CLOCK_BUTTONS, TABLE_BUTTONS
from gnomon.refusals import Statement, clause, statement
from gnomon.words import words
from gnomon_pi.hall_link._confirmation import Confirmations, confirmed_players, own_buttons
from tests.daemon.halves import edges_of_a_game, let_pass, notebook, restarted
from tests.virtual_daemon import VirtualDaemon

OWN = "Confirm the result, each player with their own button: Red, Black."


def over(daemon: VirtualDaemon, winner: str | None = "red") -> None:
    """The game is declared to be over."""
    daemon.runner.correct(ResultDeclared(daemon.runner.now(), winner, "agreed", "Anna"))
    let_pass(daemon, 3)


def press(daemon: VirtualDaemon, button: str) -> None:
    for value in (True, False):
        daemon.touch(button, value=value)
        let_pass(daemon, 0.2)


def confirming(daemon: VirtualDaemon) -> Confirmations:
    return Confirmations(daemon.runner, daemon.health, notebook(daemon).read)


def told(result: Confirmations) -> tuple[str, ...]:
    """Who has confirmed by now."""
    return result.confirmed


@pytest.fixture
def daemon() -> VirtualDaemon:
    """A board at which a game of TAMSK is under way."""
    made = VirtualDaemon.of_new_board()
    made.new_game(GameSetup(settings={"level": 1}))
    made.play(edges_of_a_game(1, 2, turns=2))
    return made


def test_each_player_confirms_with_their_own_button_once(daemon: VirtualDaemon) -> None:
    result = confirming(daemon)
    over(daemon)
    assert daemon.health["result"] == OWN
    press(daemon, "button.black")
    press(daemon, "button.black")
    assert told(result) == ("black",)
    assert daemon.health["result"] == "Confirm the result, each player with their own button: Red."
    press(daemon, "button.red")
    assert told(result) == ("black", "red")
    assert daemon.health["result"] == "The result has been confirmed at the board."
    notes = [record.entry.body for record in notebook(daemon).records if record.entry.body.get("note") == "confirmed"]
    assert notes == [{"note": "confirmed", "player": "black"}, {"note": "confirmed", "player": "red"}]


def test_a_press_during_the_game_or_right_at_its_end_confirms_nothing(daemon: VirtualDaemon) -> None:
    result = confirming(daemon)
    press(daemon, "button.red")
    daemon.runner.correct(ResultDeclared(daemon.runner.now(), None, "agreed", "Anna"))
    let_pass(daemon, 1.5)
    press(daemon, "button.red")
    press(daemon, "button.arbiter")
    let_pass(daemon, 2)
    assert told(result) == ()


def test_a_game_that_goes_on_after_all_is_confirmed_anew(daemon: VirtualDaemon) -> None:
    result = confirming(daemon)
    over(daemon)
    press(daemon, "button.red")
    daemon.runner.correct(TurnsVoided(daemon.runner.now(), 1, give_back=True, who="Anna"))
    let_pass(daemon, 1)
    assert (told(result), daemon.health["result"]) == ((), "")
    over(daemon, "black")
    assert (told(result), daemon.health["result"]) == ((), OWN)
    assert confirmed_players(notebook(daemon).read(1)) == ()


def test_after_a_restart_it_is_known_who_has_confirmed(daemon: VirtualDaemon) -> None:
    confirming(daemon)
    over(daemon)
    press(daemon, "button.red")
    following = restarted(daemon)
    result = confirming(following)
    let_pass(following, 1)
    assert told(result) == ("red",)
    press(following, "button.red")
    press(following, "button.black")
    assert told(result) == ("red", "black")


def test_who_joins_the_hall_when_the_game_is_over_already_hears_who_confirms_it(daemon: VirtualDaemon) -> None:
    over(daemon)
    following = restarted(daemon)
    let_pass(following, 1)
    result = confirming(following)
    assert following.health["result"] == OWN
    press(following, "button.red")
    assert told(result) == ("red",)


def test_a_journal_that_cannot_be_read_then_leaves_it_to_the_players_to_press_again(daemon: VirtualDaemon) -> None:
    def unreadable(_: int) -> None:
        message = "no"
        raise JournalError(message)

    over(daemon)
    press(daemon, "button.red")
    following = restarted(daemon)
    result = Confirmations(following.runner, following.health, unreadable)  # type: ignore[arg-type]  # it only raises
    let_pass(following, 1)
    assert told(result) == ()


def test_what_the_journal_cannot_write_is_not_confirmed_and_may_be_pressed_again(daemon: VirtualDaemon) -> None:
    result = confirming(daemon)
    over(daemon)
    book = notebook(daemon)
    book.failed = Statement.plain("the disk is full")
    press(daemon, "button.red")
    assert told(result) == ()
    book.failed = None
    book.settle()
    press(daemon, "button.red")
    assert told(result) == ("red",)


def test_a_new_game_has_nothing_confirmed(daemon: VirtualDaemon) -> None:
    result = confirming(daemon)
    over(daemon)
    press(daemon, "button.red")
    daemon.new_game(GameSetup(settings={"level": 1}))
    let_pass(daemon, 1)
    assert (told(result), daemon.health["result"]) == ((), "")


def test_at_a_table_whose_buttons_all_share_two_of_them_confirm() -> None:
    daemon = VirtualDaemon.of_new_board("table")
    daemon.new_game(GameSetup("tabik"))
    result = confirming(daemon)
    over(daemon, "white")
    assert daemon.health["result"] == "Confirm the result, with PREVIOUS and with NEXT: Black, White."
    press(daemon, "button.next")
    assert told(result) == ("white",)


@pytest.mark.parametrize(
    ("game", "settings", "buttons", "expected"),
    [
        ("tamsk", {"level": 1}, ["button.red", "button.black"], {"button.red": ("red",), "button.black": ("black",)}),
        ("tabik", {}, [*CLOCK_BUTTONS, *TABLE_BUTTONS], {"button.left": ("black",), "button.right": ("white",)}),
        ("tabik", {}, TABLE_BUTTONS, {"button.previous": ("black",), "button.next": ("white",)}),
        ("tabik", {}, ["button.arbiter"], {}),
        ("tayu", {"players": 3}, TABLE_BUTTONS, {}),
    ],
)
def test_whose_button_is_whose(
    game: str, settings: dict[str, object], buttons: list[str], expected: dict[str, tuple[str, ...]]
) -> None:
    assert own_buttons(begin(game, settings), buttons) == expected


def test_those_who_sit_across_from_each_other_confirm_for_both() -> None:
    buttons = own_buttons(begin("tayu", {"players": 4}), TABLE_BUTTONS)
    assert sorted(map(len, buttons.values())) == [2, 2]


def test_a_game_of_three_is_for_the_director() -> None:
    table = VirtualDaemon.of_new_board("table")
    table.new_game(GameSetup("tayu", {"players": 3}))
    confirming(table)
    over(table, None)
    assert table.health["result"] == ""


def test_the_players_are_asked_in_their_language() -> None:
    own = statement("health.result.own", players=["red", "black"])
    assert clause(own) == OWN
    assert clause(own, words("de")) == "Das Ergebnis bestätigen, jeder mit der eigenen Taste: Rot, Schwarz."
