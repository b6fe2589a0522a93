"""Whole games on the simulated board in virtual time: drivers, scans, debouncing, referee, journal, lights."""

import json

import pytest

from gnomon.games.tamsk.show import _lights as lights
from gnomon.records.formats.traces import ruling_record
from gnomon.referee.rulings import FaultRuled, GameOver, IllegalRuled, QuestionAsked, Ruling, TurnLost, TurnRuled
from gnomon.views.display import oled
from gnomon_pi.runtime.scanner import PERIOD
from gnomon_pi.simulated.players._noise import CLEAN
from gnomon_pi.simulated.players.game_script import TimedTurn
from gnomon_pi.simulated.players.player_timing import Habits
from tests.daemon.halves import tamsk
from tests.virtual_daemon import Notebook, VirtualGame, play_virtual

# One who acts within microseconds of a deadline is granted the period of the scans, so the score may not hang on it.
UNHURRIED = Habits(cuts_it_fine=0.0)


def turns(rulings: list[Ruling]) -> list[tuple[str, str]]:
    """Player and text of every turn ruled; a lost one is `lost`."""
    said = []
    for ruling in rulings:
        if isinstance(ruling, TurnRuled):
            said.append((ruling.player, ruling.text))
        elif isinstance(ruling, TurnLost):
            said.append((ruling.player, "lost"))
    return said


def written(played: VirtualGame) -> str:
    """Everything in the journal."""
    store = played.daemon.store
    assert isinstance(store, Notebook)
    return "\n".join(map(repr, store.records))


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_game_played_by_hands_is_ruled_as_it_was_meant(level: int, seed: int) -> None:
    played = play_virtual({"level": level}, seed, habits=UNHURRIED)
    assert turns(list(played.rulings)) == [(turn.player, turn.text) for turn in played.score]
    over = played.rulings[-1]
    assert isinstance(over, GameOver)
    live_game = played.daemon.runner.live_game
    assert live_game is not None
    assert over.score == live_game.game.rules.score(live_game.game.position)
    assert not [each for each in played.rulings if isinstance(each, FaultRuled | IllegalRuled | QuestionAsked)]
    assert played.daemon.health.sentences() == ()


def test_a_game_that_stays_wrong_is_not_waited_for_though_an_input_is_asked_again_and_again() -> None:
    # A ring falls a microsecond after the second player's time, and is granted: what the hands do then is not allowed.
    played = play_virtual({"level": 3}, 16)
    live_game = played.daemon.runner.live_game
    assert live_game is not None
    assert live_game.is_unfinished
    assert live_game.game.quarantined


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_stamped_by_the_scan_that_saw_its_end_or_by_the_kernel(seed: int) -> None:
    played = play_virtual({"level": 1}, seed, habits=UNHURRIED, noise=CLEAN)
    made: list[TimedTurn] = [turn for turn in played.score if turn.text != "pass"]
    ruled = [ruling for ruling in played.rulings if isinstance(ruling, TurnRuled) and ruling.text != "pass"]
    assert len(made) == len(ruled) > 0
    for turn, ruling in zip(made, ruled, strict=True):
        if turn.button is not None:
            assert ruling.at == turn.at  # The kernel stamps buttons.
        else:
            assert ruling.at % PERIOD == 0
            assert 0 <= ruling.at - turn.at < PERIOD


@pytest.mark.untraced
def test_the_same_seed_gives_the_same_journal_to_the_byte() -> None:
    assert written(play_virtual({"level": 3}, 7, habits=UNHURRIED)) == written(
        play_virtual({"level": 3}, 7, habits=UNHURRIED)
    )


@pytest.mark.untraced
def test_another_seed_gives_another_journal() -> None:
    assert written(play_virtual({"level": 3}, 7, habits=UNHURRIED)) != written(
        play_virtual({"level": 3}, 8, habits=UNHURRIED)
    )


@pytest.mark.untraced
def test_the_lights_and_the_display_show_the_views_of_the_game() -> None:
    played = play_virtual({"level": 2}, 3, habits=UNHURRIED, with_display=True)
    daemon = played.daemon
    game, now = daemon.runner.shown, daemon.runner.now()
    assert game is not None
    assert game.outcome is not None
    assert daemon.board.lights() == lights.lights(tamsk(game), now)
    assert daemon.board.display_image().convert("1").tobytes() == oled.screen(game, now).tobytes()
    assert len(daemon.board.sounds()) > 0


@pytest.mark.untraced
def test_every_ruling_that_was_shown_stands_in_the_journal_in_order() -> None:
    played = play_virtual({"level": 3}, 2, habits=UNHURRIED)
    store = played.daemon.store
    assert isinstance(store, Notebook)
    rulings = [record.entry.body for record in store.records if record.entry.kind.value == "ruling"]
    assert rulings == [json.loads(json.dumps(ruling_record(ruling))) for ruling in played.rulings]


def test_a_ruling_names_the_entry_that_caused_it() -> None:
    played = play_virtual({"level": 2}, 2, habits=UNHURRIED)
    store = played.daemon.store
    assert isinstance(store, Notebook)
    for record in store.records:
        if record.entry.kind.value == "ruling":
            assert record.entry.cause is not None
            assert store.records[record.entry.cause - 1].entry.kind.value in ("raw", "event", "note")


def test_settings_reach_the_game() -> None:
    played = play_virtual({"level": 1, "full_space": "take_back"}, 1, habits=UNHURRIED)
    game = tamsk(played.daemon.runner.shown)
    assert game.rules.settings.full_space == "take_back"
    assert turns(list(played.rulings)) == [(turn.player, turn.text) for turn in played.score]
