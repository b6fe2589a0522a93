"""The menu of the board: opened with its real buttons, in virtual time and through the whole daemon."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import DrawOffered, ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.views.display.menus import MenuAction, Offers, PlayerAction, message_screen
from gnomon.words import ENGLISH
from gnomon_pi.runtime._board_menu import HOLD, QUIET, READ, BoardMenu, keys_of
from gnomon_pi.runtime.scanner import InputEdge
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.test_opponent import present, until
from tests.daemon.test_service import SimulatedService, run
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board

STEP = 20 * MILLISECOND


class Table:
    """A board with its buttons in virtual time, and a menu that notes what was chosen."""

    def __init__(
        self, board: str = "table", setup: GameSetup | None = None, *, large: bool = False, has_relay: bool = False
    ) -> None:
        watch = VirtualWatch()
        self.daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch, board), with_display=True)
        self.begun: list[GameSetup] = []
        self.acts: list[PlayerAction] = []
        runner = self.daemon.runner
        offers = Offers(self.daemon.host.games, {"tabik": ("deep-rod",)}, has_relay=has_relay)
        self.menu = BoardMenu(runner, self, lambda: offers, ENGLISH, large=large)
        post = runner.post
        runner.post = lambda edges: None if self.menu.takes(edges[0]) else post(edges)  # type: ignore[method-assign]  # as the desk of the menu does
        if setup is not None:
            self.daemon.new_game(setup)
        self.wait(0.1)

    def begin(self, setup: GameSetup) -> None:
        self.begun.append(setup)

    def act(self, chosen: PlayerAction) -> None:
        self.acts.append(chosen)

    @property
    def game(self) -> Game:
        live = self.daemon.runner.live_game
        assert live is not None
        return live.game

    def is_stopped(self) -> bool:
        """Whether no time passes in the game."""
        return self.game.paused_at is not None

    @property
    def rows(self) -> list[str]:
        """What can be chosen; nothing while there is no menu."""
        return [row.label for row in self.menu._menus[-1].rows] if self.menu.is_open else []

    def wait(self, seconds: float) -> None:
        end = Instant(self.daemon.watch.now() + round(seconds * SECOND))
        while self.daemon.watch.now() < end:
            self.daemon.pass_to(min(end, Instant(self.daemon.watch.now() + STEP)))
            self.menu.look(self.daemon.watch.now())
            self.daemon.show.cover(self.menu.picture())
            self.daemon.stir()

    def press(self, *buttons: str, seconds: float = 0.1) -> None:
        for button in buttons:
            self.daemon.touch(f"button.{button}", value=True)
            self.wait(seconds)
            self.daemon.touch(f"button.{button}", value=False)
            self.wait(0.1)

    def hold(self, button: str = "arbiter") -> None:
        self.press(button, seconds=HOLD / SECOND + 0.1)

    def choose(self, label: str) -> None:
        """Step to a row and choose it."""
        keys = keys_of(tuple(self.daemon.host.buttons))
        assert keys is not None
        for _ in self.rows:
            if self.menu._menus[-1].chosen.label.startswith(label):
                break
            self.press(keys.next.removeprefix("button."))
        assert self.menu._menus[-1].chosen.label.startswith(label), self.rows
        self.press(keys.enter.removeprefix("button."))


def test_where_no_game_is_any_button_opens_the_menu_and_questions_lead_to_a_game() -> None:
    table = Table()
    table.press("next")
    assert table.rows == ["Against Gnomon", "Two people"]
    for label in ("Against", "Tabik", "Level 5", "Yes", "Black", "15+10", "Warn me"):
        table.choose(label)
    (setup,) = table.begun
    assert (setup.game, setup.settings) == (
        "tabik",
        {"pie": "yes", "opponent": "5", "opponent_plays": "black", "clock": "15+10", "warnings": "on"},
    )
    assert not table.menu.is_open
    table.daemon.new_game(setup)


def test_engines_that_are_plugged_in_are_offered_and_back_leads_back() -> None:
    table = Table()
    table.press("enter", "enter")
    table.choose("Tabik")
    assert table.rows[-1] == "deep-rod"
    table.press("back")
    assert "Tabik" in table.rows
    table.press("back", "back")
    assert table.rows == []


def test_two_people_are_asked_for_no_engine() -> None:
    table = Table()
    table.press("previous")
    for label in ("Two", "TAU", "None", "None"):
        table.choose(label)
    assert table.begun == [GameSetup("tau", {})]


def test_another_board_is_invited_with_the_buttons() -> None:
    table = Table(has_relay=True)
    table.press("next")
    assert table.rows == ["Against Gnomon", "Two people", "Another board"]
    for label in ("Another", "Invite", "Tabik", "Yes", "White", "15+10"):
        table.choose(label)
    (setup,) = table.begun
    assert (setup.game, setup.settings) == (
        "tabik",
        {"pie": "yes", "opponent": "another-board", "opponent_plays": "white", "clock": "15+10"},
    )
    table.daemon.new_game(setup)


def test_only_what_two_boards_can_play_is_offered_to_another_board() -> None:
    tamsk, table = Table("tamsk", has_relay=True), Table(has_relay=True)
    tamsk.press("black")
    for label in ("Another", "Invite", "TAMSK", "Red"):  # without sand, so no level is asked for
        tamsk.choose(label)
    (setup,) = tamsk.begun
    assert (setup.game, setup.settings) == (
        "tamsk",
        {"level": "1", "opponent": "another-board", "opponent_plays": "red"},
    )
    table.press("next")
    table.choose("Another")
    table.choose("Invite")
    assert "Clock" not in " ".join(table.rows)
    table.choose("Tayu")
    assert table.rows != []
    assert not any("3" in row or "4" in row for row in table.rows)


def test_a_code_is_entered_letter_by_letter_and_back_takes_a_letter_back() -> None:
    table = Table(has_relay=True)
    table.press("next")
    table.choose("Another")
    table.choose("Join")
    assert table.rows == ["A B C D", "E F G H", "J K L M", "N P Q R", "S T U V", "W X Y Z"]
    for group, letter in (("J", "K"), ("W", "W"), ("A", "A")):
        table.choose(group)
        table.choose(letter)
    assert table.menu._menus[-1].title == "Code KWA-___"
    table.press("back")
    table.choose("D")
    for group, letter in (("N", "P"), ("S", "T"), ("N", "R")):
        table.choose(group)
        table.choose(letter)
    assert table.begun == [GameSetup("", {"opponent": "another-board", "opponent_code": "KWDPTR"})]
    assert not table.menu.is_open


def test_at_the_board_of_tamsk_its_three_buttons_do() -> None:
    table = Table("tamsk")
    table.press("black")
    for label in ("Against", "TAMSK", "Level 10", "2: the sand runs", "Black", "None"):
        table.choose(label)
    assert table.begun == [GameSetup("tamsk", {"level": "2", "opponent": "10", "opponent_plays": "black"})]
    table.press("red")
    assert table.menu.is_open
    table.press("arbiter")
    assert not table.menu.is_open


def test_the_arbiters_button_stops_the_game_and_held_opens_the_menu_which_lets_it_go_on() -> None:
    table = Table(setup=GameSetup("tabik", {"clock": "5"}))
    table.press("arbiter")
    assert table.is_stopped()
    assert table.rows == []
    table.press("arbiter")
    assert not table.is_stopped()
    table.hold()
    assert table.rows == ["Go on", "Hint", "Offer a draw", "Resign", "Adjourn"]
    assert table.is_stopped()
    table.press("back")
    assert not table.is_stopped()
    assert table.game.chooser is None


def test_a_game_that_was_stopped_before_stays_so() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.press("arbiter")
    table.hold()
    assert table.menu.is_open
    table.choose("Go on")
    assert table.is_stopped()


def test_no_press_in_the_menu_is_one_of_the_game() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.hold()
    table.press("next", "next", "previous", "enter")
    assert table.game.chooser is None
    assert table.game.plies == ()
    assert table.acts == [PlayerAction(MenuAction.HINT)]
    table.press("next")
    assert table.game.chooser is not None


def test_what_players_ask_for_is_handed_on() -> None:
    table = Table(setup=GameSetup("tabik", {"opponent": "1"}))
    table.daemon.runner.correct(TurnEntered(Instant(0), "a1b1", "Ann"))
    table.hold()
    assert "Hint" not in table.rows  # the engine is on turn
    table.choose("Take back")
    table.hold()
    table.choose("Offer")
    table.hold()
    table.choose("Resign")
    assert table.rows == ["Go on", "Black resigns"]
    table.choose("Black")
    assert table.acts == [
        PlayerAction(MenuAction.TAKE_BACK),
        PlayerAction(MenuAction.OFFER, "black"),
        PlayerAction(MenuAction.RESIGN, "black"),
    ]


def test_an_offer_is_answered_in_the_menu() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.daemon.runner.correct(DrawOffered(Instant(0), "black", "Ann"))
    table.hold()
    assert table.rows[1:3] == ["Accept draw", "Decline draw"]
    table.choose("Accept")
    assert table.acts == [PlayerAction(MenuAction.ACCEPT, "white")]


def test_a_menu_in_which_nobody_presses_anything_closes_and_the_game_stays_stopped() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.hold()
    table.wait(QUIET / SECOND + 1)
    assert not table.menu.is_open
    assert table.is_stopped()
    table.press("arbiter")
    assert not table.is_stopped()


def test_a_bouncing_button_is_pressed_once_and_lets_go_of_nothing() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.daemon.touch("button.arbiter", value=True)
    table.wait(0.5)
    for value in (False, True):
        table.daemon.touch("button.arbiter", value=value)
    table.wait(0.7)
    assert table.menu.is_open
    table.daemon.touch("button.arbiter", value=False)
    table.wait(0.1)
    for _ in range(3):
        table.daemon.touch("button.next", value=True)
        table.daemon.touch("button.next", value=False)
    table.wait(0.1)
    assert table.menu._menus[-1].cursor == 1


def test_an_answer_is_shown_until_it_is_read_or_a_button_is_pressed_which_counts() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.menu.say("Hint", ["a1b1"], table.daemon.watch.now())
    before = table.daemon.board.display_image().tobytes()
    table.wait(0.5)
    shown = table.daemon.board.display_image().tobytes()
    assert shown != before
    table.press("next")
    assert table.game.chooser is not None
    assert table.daemon.board.display_image().tobytes() != shown
    table.menu.say("Hint", ["a1b1"], table.daemon.watch.now())
    table.wait(READ / SECOND + 0.5)
    assert table.menu.picture() is None


@pytest.mark.parametrize(("large", "parts"), [(False, 3), (True, 4)])
def test_each_further_step_of_an_answer_is_asked_for_with_the_button_that_chooses(parts: int, *, large: bool) -> None:
    table = Table(setup=GameSetup("tabik"), large=large)
    steps = ["Place two new stones on the board.", "Black on d1.", "That keeps three moves."]
    table.menu.say("Hint", steps, table.daemon.watch.now())
    pictures = set()
    for _ in range(parts - 1):
        table.wait(5)  # each part has its own time
        pictures.add(table.daemon.board.display_image().tobytes())
        table.press("enter")
        assert table.game.chooser is None
    table.wait(5)
    pictures.add(table.daemon.board.display_image().tobytes())
    assert len(pictures) == parts
    # After the last one the press is the game's.
    table.press("enter")
    assert table.menu.picture() is None
    assert table.game.chooser is not None


def test_a_press_that_bounces_shows_one_step_more_and_not_two() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.menu.say("Hint", ["One.", "Two.", "Three."], table.daemon.watch.now())
    for name, milliseconds, value in (("enter", 0, True), ("enter", 5, False), ("enter", 10, True)):
        stamp = Instant(table.daemon.watch.now() + milliseconds * MILLISECOND)
        assert table.menu.takes(InputEdge(stamp, f"button.{name}", value)) is value
    assert table.menu._part == 1


def test_after_a_game_the_arbiters_button_asks_for_the_next_one() -> None:
    table = Table(setup=GameSetup("tabik"))
    table.daemon.runner.correct(ResultDeclared(Instant(0), "black", "resigned", "Ann"))
    table.press("next")
    assert not table.menu.is_open
    table.hold()
    assert table.rows == ["Against Gnomon", "Two people"]


def test_a_board_without_enough_buttons_has_no_menu() -> None:
    assert keys_of(("button.arbiter",)) is None
    assert keys_of(("button.left", "button.right")) is None
    clock = keys_of(("button.left", "button.right", "button.arbiter"))
    assert clock is not None
    assert clock.back == "button.arbiter"


def test_a_display_without_a_game_says_that_a_button_opens_the_menu() -> None:
    table = Table()
    table.daemon.show.offer(message_screen("Gnomon", "Press a button to play."))
    seen = set()
    for _ in range(8):
        table.wait(3)
        seen.add(table.daemon.board.display_image().tobytes())
    assert len(seen) == 2
    assert table.menu.has_keys


# Through the whole daemon, in real time


async def press(service: SimulatedService, *buttons: str, seconds: float = 0.1) -> None:
    for button in buttons:
        service.remote.playground.board.set_input(f"button.{button}", True)
        await asyncio.sleep(seconds)
        service.remote.playground.board.set_input(f"button.{button}", False)
        await asyncio.sleep(0.1)


async def soon(is_so: Callable[[], bool]) -> None:
    """Wait until something is so that nobody is told of."""
    for _ in range(200):
        if is_so():
            return
        await asyncio.sleep(0.1)
    raise AssertionError


async def choose(service: SimulatedService, label: str) -> None:
    desk = service._menu
    assert desk is not None
    for _ in desk.menu._menus[-1].rows:
        if desk.menu._menus[-1].chosen.label.startswith(label):
            break
        await press(service, "next")
    assert desk.menu._menus[-1].chosen.label.startswith(label)
    await press(service, "enter")


async def hold(service: SimulatedService) -> None:
    await press(service, "arbiter", seconds=1.2)


def test_a_game_against_gnomon_is_begun_helped_and_resigned_with_the_buttons_alone(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await press(service, "next")
        for label in ("Against", "Tabik", "Level 1", "No", "White", "None", "None"):
            await choose(service, label)
        await soon(lambda: service.runner.live_game is not None)
        assert present(service).opponent is not None
        await hold(service)
        await choose(service, "Hint")
        desk = service._menu
        assert desk is not None
        await soon(lambda: desk.menu._message is not None and len(desk.menu._message[1]) > 1)
        assert desk.menu._message is not None
        first, second = desk.menu._message[1][:2]
        assert first == "Place two new stones."
        assert second.startswith("Black on ")
        await press(service, "enter")
        assert desk.menu._part == 1
        await service.controller.enter("a1b1")
        await until(service, lambda game: game.announced is not None)
        await hold(service)
        await choose(service, "Take back")
        await until(service, lambda game: not game.plies)
        await hold(service)
        await choose(service, "Resign")
        await choose(service, "Black")
        game = await until(service, lambda game: game.outcome is not None)
        assert game.outcome == Outcome("white", "resigned")

    run(tmp_path, Orders(), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        bodies = [each.entry.body for each in journal.read(1)]
    assert [body["note"] for body in bodies if body.get("note") == "hint"] == ["hint"]
    assert {body.get("who") for body in bodies if body.get("event") in {"turns_voided", "result_declared"}} == {"board"}


def test_a_draw_is_offered_with_the_buttons_and_the_engine_answers(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await hold(service)
        await choose(service, "Offer")
        await until(service, lambda game: game.draw is not None and game.draw.answered is not None)

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "opponent": "5"})), play, "table")


def test_an_adjourned_game_makes_room_for_another(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await hold(service)
        await choose(service, "Adjourn")
        await until(service, lambda game: game.adjourned)
        await asyncio.sleep(0.2)
        for label in ("Two", "TAU", "None", "None"):
            await choose(service, label)
        await until(service, lambda game: game.rules.name == "tau")

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3})), play, "table")


def test_in_a_tournament_there_is_no_menu(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await hold(service)
        assert service._menu is not None
        assert not service._menu.menu.is_open
        assert present(service).paused_at is not None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3}), is_tournament=True), play, "table")


@pytest.mark.parametrize("large", [False, True])
def test_the_display_shows_the_menu(*, large: bool) -> None:
    table = Table(setup=GameSetup("tabik"), large=large)
    before = table.daemon.board.display_image().tobytes()
    table.hold()
    table.wait(0.3)
    menu = table.daemon.board.display_image().tobytes()
    assert menu != before
    table.press("next")
    table.wait(0.3)
    assert table.daemon.board.display_image().tobytes() != menu
