"""Whom the machine's troubles are told: those who can do something about them, and nobody over a result."""

from dataclasses import dataclass, field, replace
from threading import Event

import pytest
from PIL import Image

from gnomon.referee.game import Game
from gnomon.referee.games import begin
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.display import large_oled, oled
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.outputs import FRAME, GLANCE, RETRY, Devices, Outputs
from gnomon_pi.runtime.system.threads import BackgroundDisplay
from tests.words.statements import in_english

BUSY = "Too busy: 99 of 1000 scans came late."
PLUG = "The sensor chain does not answer: look at its plug."
CONFIRM = "Confirm the result, each player with their own button: Red, Black."
NOTICE = Instant(5 * SECOND)  # when a notice has its turn on the display


@dataclass
class Paper:
    """A display that keeps what it is shown."""

    shown: list[Image.Image] = field(default_factory=list)

    def show(self, picture: Image.Image) -> None:
        self.shown.append(picture)


def ill() -> Health:
    health = Health()
    health.wrong("scans", BUSY)
    health.wrong("sensors", PLUG, Audience.PLAYERS)
    health.wrong("result", CONFIRM, Audience.ALWAYS)
    return health


def ended(name: str) -> Game:
    game = begin(name, {"clock": "25+10"} if name == "clock" else {})
    return replace(game, declared=Outcome(game.rules.players[0], "resigns"), quarantined=("D2.ring1",))


def test_keepers_are_told_all_players_what_they_need_and_a_result_is_hidden_by_requests_alone() -> None:
    health = ill()
    assert health.sentences() == (BUSY, PLUG, CONFIRM)
    assert in_english(health.notices()) == (PLUG, CONFIRM)
    assert in_english(health.notices(is_over=True)) == (CONFIRM,)
    health.wrong("sensors", PLUG)
    assert (health["sensors"], in_english(health.notices())) == (PLUG, (CONFIRM,))


@pytest.mark.parametrize("name", ["tamsk", "tabik", "clock"])
def test_the_display_shows_a_result_whatever_ails_the_machine(name: str) -> None:
    health, paper, game = ill(), Paper(), ended(name)
    health.well("result")
    show = Outputs(Devices(None, paper, None), health)  # type: ignore[arg-type]  # a display needs no more
    show.redraw(NOTICE)
    show.draw(game, NOTICE)
    assert paper.shown[0].tobytes() == oled.screen(game, NOTICE).tobytes()
    untroubled = replace(game, quarantined=())
    assert oled.screen(untroubled, NOTICE).tobytes() == paper.shown[0].tobytes()


def test_the_display_tells_players_what_they_can_help_and_not_how_busy_the_machine_is() -> None:
    health, paper, game = ill(), Paper(), begin("tamsk", {})
    health.well("result")
    show = Outputs(Devices(None, paper, None), health)  # type: ignore[arg-type]  # a display needs no more
    show.redraw(NOTICE)
    show.draw(game, NOTICE)
    assert paper.shown[0].tobytes() == oled.screen(game, NOTICE, (PLUG,)).tobytes()


class Plug:
    """A display behind a thread that is not run but by hand; it may be unplugged."""

    def __init__(self) -> None:
        self.is_in = True
        self.shown: list[Image.Image] = []

    def show(self, image: Image.Image) -> None:
        if not self.is_in:
            raise DriverError(PLUG)
        self.shown.append(image)

    def brighten(self) -> None: ...

    def close(self) -> None: ...


def behind_a_thread(plug: Plug, health: Health) -> tuple[BackgroundDisplay, Outputs]:
    """A display and what is shown on it, put together as the service does."""

    def lose_picture() -> None:
        show.lose_picture()

    display = BackgroundDisplay(plug, lose_picture)
    show = Outputs(Devices(None, display, None), health)
    return display, show


def test_a_picture_that_the_thread_could_not_send_is_told_of_and_sent_again_at_once() -> None:
    plug, health, stop, game = Plug(), Health(), Event(), begin("tamsk", {})
    display, show = behind_a_thread(plug, health)
    plug.is_in = False
    show.draw(game, NOTICE)
    display.send_one(stop)
    assert show.due == NOTICE + FRAME
    plug.is_in = True  # it was a moment only
    show.draw(game, show.due)
    assert health["display"] == PLUG
    display.send_one(stop)
    assert [each.tobytes() for each in plug.shown] == [oled.screen(game, NOTICE).tobytes()]
    show.draw(game, show.due)
    assert health["display"] == ""


def test_a_display_that_stays_unplugged_is_asked_once_a_second() -> None:
    plug, health, stop, game = Plug(), Health(), Event(), begin("tamsk", {})
    display, show = behind_a_thread(plug, health)
    plug.is_in = False
    due = []
    at = NOTICE
    for _ in range(4):
        show.draw(game, at)
        display.send_one(stop)
        due.append(show.due - at)
        at = show.due
    assert due == [FRAME, RETRY, RETRY, RETRY]


def test_a_small_display_shows_large_letters() -> None:
    paper, game = Paper(), begin("tamsk", {})
    show = Outputs(Devices(None, paper, None, large=True), Health())  # type: ignore[arg-type]  # a display needs no more
    show.redraw(NOTICE)
    show.draw(game, NOTICE)
    assert paper.shown[0].tobytes() == large_oled.screen(game, NOTICE).tobytes()


def test_a_picture_that_has_not_changed_keeps_the_next_one_waiting_for_a_moment_only() -> None:
    paper, game = Paper(), begin("tamsk", {})
    show = Outputs(Devices(None, paper, None), Health())  # type: ignore[arg-type]  # a display needs no more
    show.draw(game, NOTICE)
    again = Instant(NOTICE + FRAME)
    show.redraw(again)
    show.draw(game, again)
    show.redraw(Instant(again + 1))
    assert show.due == again + GLANCE
    show.draw(ended("tamsk"), Instant(again + GLANCE))
    show.redraw(Instant(again + GLANCE + 1))
    assert show.due == again + GLANCE + FRAME
    assert [each.tobytes() for each in paper.shown] == [
        oled.screen(each, NOTICE).tobytes() for each in (game, ended("tamsk"))
    ]
