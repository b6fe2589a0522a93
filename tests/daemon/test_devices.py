"""A device that fails is told of, asked again, and never stops the timing."""

from itertools import count, pairwise

import pytest

from gnomon.games.tamsk.show import _lights as lights
from gnomon.records.journal.entries import EntryKind
from gnomon.referee.rulings import TurnRuled
from gnomon.timekeeping.instants import MILLISECOND
from gnomon.views.display import oled
from tests.daemon.halves import begun, edges_of_a_game, entries, let_pass, sand, tamsk
from tests.daemon.test_runner import take_a_turn
from tests.virtual_daemon import VirtualDaemon


def texts(daemon: VirtualDaemon) -> list[str]:
    return [ruling.text for ruling in daemon.rulings if isinstance(ruling, TurnRuled)]


@pytest.mark.parametrize(("fail", "part"), [("break_display", "display"), ("break_lights", "lights")])
def test_a_broken_device_is_told_of_and_the_game_goes_on(fail: str, part: str) -> None:
    daemon = begun(1, with_display=True)
    let_pass(daemon, 1)
    getattr(daemon.board, fail)()
    take_a_turn(daemon)
    let_pass(daemon, 2)
    assert daemon.health[part]
    assert daemon.health.sentences() == (daemon.health[part],)
    assert texts(daemon) == ["D1-D2"]


@pytest.mark.parametrize(("fail", "part"), [("break_display", "display"), ("break_lights", "lights")])
def test_a_mended_device_shows_what_is_true_within_two_seconds(fail: str, part: str) -> None:
    daemon = begun(1, with_display=True)
    let_pass(daemon, 1)
    getattr(daemon.board, fail)()
    take_a_turn(daemon)
    let_pass(daemon, 5)
    assert daemon.health[part]
    daemon.board.mend()
    let_pass(daemon, 2)
    game, now = daemon.runner.shown, daemon.runner.now()
    assert daemon.health.sentences() == ()
    assert daemon.board.lights() == lights.lights(tamsk(game), now)
    assert daemon.board.display_image().convert("1").tobytes() == oled.screen(game, now).tobytes()
    assert texts(daemon) == ["D1-D2"]


def test_a_device_that_lost_its_power_for_a_moment_shows_everything_again_after_a_while() -> None:
    daemon = begun(1, with_display=True)
    take_a_turn(daemon)
    let_pass(daemon, 1)
    daemon.board.brown_out_display()
    let_pass(daemon, 50)  # before the picture moves by a pixel
    game, now = daemon.runner.shown, daemon.runner.now()
    assert daemon.board.display_image().convert("1").tobytes() == oled.screen(game, now).tobytes()


def test_a_display_is_drawn_anew_in_half_a_minute_though_its_driver_looks_at_the_clock_a_little_later() -> None:
    daemon = begun(1, with_display=True)
    display, exact = daemon.board.drivers.display, daemon.watch.now
    assert display is not None
    late = count(900 * MILLISECOND, -MILLISECOND)
    display._now = lambda: exact() + next(late)
    let_pass(daemon, 1)
    daemon.board.brown_out_display()
    let_pass(daemon, 31)
    assert daemon.board.display_image().getbbox()


def test_sensors_that_do_not_answer_are_told_of_and_found_out_when_they_do() -> None:
    daemon = begun(1)
    let_pass(daemon, 1)
    daemon.board.break_sensors(register=3)
    daemon.look()
    let_pass(daemon, 1)
    assert daemon.health["sensors"]
    blind_from = daemon.watch.now()
    take_a_turn(daemon)
    let_pass(daemon, 1)
    assert entries(daemon, EntryKind.RAW) == []
    daemon.board.mend()
    let_pass(daemon, 1)
    assert daemon.health.sentences() == ()
    assert texts(daemon) == ["D1-D2"]
    found = [record.entry for record in entries(daemon, EntryKind.RAW)]
    assert len({entry.at for entry in found}) == 1
    uncertainty = found[0].body["uncertainty_us"]
    assert isinstance(uncertainty, int)
    assert found[0].at - uncertainty <= blind_from  # all that time is granted


def test_the_sand_runs_on_while_every_device_is_broken() -> None:
    edges = edges_of_a_game(2, 5, 4)
    sound, broken = begun(2, with_display=True), begun(2, with_display=True)
    for daemon in (sound, broken):
        daemon.play(edges)
        let_pass(daemon, 1)
    broken.board.break_display()
    broken.board.break_lights()
    broken.board.break_sensors()
    broken.look()
    for daemon in (sound, broken):
        let_pass(daemon, 31)
    assert sand(sound) == sand(broken) != [0] * 6
    assert len(broken.health.sentences()) == 3


@pytest.mark.untraced
def test_the_display_is_sent_at_most_ten_pictures_a_second() -> None:
    daemon = begun(2, with_display=True)
    sent: list[int] = []
    display = daemon.board.drivers.display
    assert display is not None
    show = display.show

    def counted(image: object) -> None:
        sent.append(daemon.watch.now())
        show(image)  # type: ignore[arg-type]  # a picture

    display.show = counted  # type: ignore[method-assign]  # listened to on its way
    daemon.play(edges_of_a_game(2, 3, 12))
    let_pass(daemon, 1)
    gaps = [after - before for before, after in pairwise(sent)]
    assert len(sent) > 100
    assert min(gaps) >= 100 * MILLISECOND


def test_a_stuck_input_is_no_business_of_the_devices() -> None:
    daemon = begun(1)
    daemon.board.break_input("A2.ring1", value=True)
    daemon.look()
    let_pass(daemon, 5)
    assert daemon.health.sentences() == ()
